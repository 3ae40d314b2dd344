"""``meldwise db``: look after the server's database."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

import click

from meldwise.cli.exits import CliError, Exit

__all__ = ["command"]

_DATABASE = click.option(
    "--database", metavar="TEXT", help="The database, as for serve. [MELDWISE_DATABASE]"
)
_CONFIG = click.option(
    "--config",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A TOML file of settings. [MELDWISE_CONFIG]",
)


def _engine(database: str | None, config: Path | None) -> Any:
    from meldwise.server.config import load_settings
    from meldwise.server.store.database import database_url, open_engine

    settings = load_settings({"database": database}, os.environ, config)
    return open_engine(database_url(settings.database))


def _run(work: Any) -> Any:
    from sqlalchemy.exc import DBAPIError

    try:
        return asyncio.run(work)
    except (OSError, DBAPIError) as error:
        reason = getattr(error, "orig", None) or error
        raise CliError(
            f"The database cannot be reached: {type(reason).__name__}.", Exit.FILE, key="database"
        ) from None


@click.group()
def command() -> None:
    """Look after the server's database.

    SQLite is brought up to date by the server itself when it starts; PostgreSQL by upgrade.
    """


@command.command()
@_DATABASE
@_CONFIG
def upgrade(database: str | None, config: Path | None) -> None:
    """Bring the tables of the database up to date."""
    from meldwise.server.store.database import schema_version
    from meldwise.server.store.database import upgrade as bring_up

    async def work() -> tuple[str | None, str | None]:
        engine = _engine(database, config)
        try:
            before = await schema_version(engine)
            await bring_up(engine)
            return before, await schema_version(engine)
        finally:
            await engine.dispose()

    before, after = _run(work())
    if before == after:
        click.echo(f"The database is up to date: version {after}.")
    else:
        click.echo(f"The database is now of version {after}; it was {before or 'empty'}.")


@command.command()
@_DATABASE
@_CONFIG
def status(database: str | None, config: Path | None) -> None:
    """Say of which version the tables of the database are."""
    from meldwise.server.store.database import schema_version
    from meldwise.server.store.schema import HEAD

    async def work() -> str | None:
        engine = _engine(database, config)
        try:
            return await schema_version(engine)
        finally:
            await engine.dispose()

    version = _run(work())
    click.echo(f"The database is of version {version or 'none, it is empty'}.")
    if version != HEAD:
        raise CliError(
            f"This program needs version {HEAD}.",
            Exit.FAULTS,
            hint="Run: meldwise db upgrade",
            key="server.schema",
        )
