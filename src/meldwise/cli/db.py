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


@command.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@_DATABASE
@_CONFIG
def backup(file: Path, database: str | None, config: Path | None) -> None:
    """Copy a database of SQLite to FILE, also while the server runs.

    The copy is whole: it is what the database was at one moment. To go back to it, stop the
    server and put the copy in the place of the database. PostgreSQL has pg_dump for this.
    """
    import sqlite3
    from contextlib import closing

    from meldwise.server.config import load_settings
    from meldwise.server.store.database import database_url, is_sqlite

    settings = load_settings({"database": database}, os.environ, config)
    url = database_url(settings.database)
    if not is_sqlite(url) or url.database is None:
        raise CliError(
            "This is no database of SQLite.", hint="Use pg_dump for PostgreSQL.", key="database"
        )
    if file.exists():
        raise CliError(f"{file} exists already.", Exit.FILE, key="file")
    if not Path(url.database).is_file():
        raise CliError(f"{url.database}: there is no such file.", Exit.FILE, key="file")
    # It holds hands, seeds and the key of the cookies, as the database does.
    file.touch(mode=0o600)
    with closing(sqlite3.connect(url.database)) as source, closing(sqlite3.connect(file)) as copy:
        source.backup(copy)
    click.echo(f"{file} is a copy of {url.database}.")
