"""The connection to the database, and its schema: SQLite in a file, or PostgreSQL."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import Connection, event, inspect, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from meldwise.game.codes import Code
from meldwise.server.errors import ServerError
from meldwise.server.store.schema import HEAD

if TYPE_CHECKING:
    from alembic.config import Config

__all__ = [
    "alembic_config",
    "database_url",
    "is_sqlite",
    "open_engine",
    "prepare",
    "schema_version",
    "set_pragmas",
    "upgrade",
]

_DRIVERS: Final = {
    "sqlite": "sqlite+aiosqlite",
    "postgresql": "postgresql+asyncpg",
    "postgres": "postgresql+asyncpg",
}


def database_url(given: str) -> URL:
    """The address of the database for SQLAlchemy; a bare path is a file of SQLite.

    Raises:
        ServerError: if it is neither SQLite nor PostgreSQL.
    """
    if "://" not in given:
        return URL.create("sqlite+aiosqlite", database=str(Path(given).expanduser()))
    try:
        url = make_url(given)
        driver = _DRIVERS[url.drivername.partition("+")[0]]
    except (ArgumentError, KeyError, ValueError):
        hidden = re.sub(r"//.*@", "//", given)
        raise ServerError(
            Code.SERVER_SETTING,
            field="database",
            value=hidden,
            allowed="a file, sqlite:///file, postgresql://user@host/name",
        ) from None
    return url.set(drivername=driver)


def is_sqlite(url: URL) -> bool:
    """Whether the database is a file of SQLite."""
    return url.drivername.startswith("sqlite")


def open_engine(url: URL, pool_size: int = 5) -> AsyncEngine:
    """The engine for an address; nothing is connected to yet."""
    if not is_sqlite(url):
        return create_async_engine(
            url,
            pool_size=pool_size,
            max_overflow=5,
            pool_pre_ping=True,
            hide_parameters=True,
            connect_args={"timeout": 10, "command_timeout": 30},
        )
    if url.database and url.database != ":memory:":
        path = Path(url.database)
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            # It holds hands and seeds: for nobody else on this machine to read. SQLite gives
            # the files beside it the same mode.
            path.touch(mode=0o600)
    engine = create_async_engine(url, hide_parameters=True, pool_size=pool_size)

    event.listen(engine.sync_engine, "connect", lambda connection, _: set_pragmas(connection))
    return engine


def set_pragmas(connection: Any) -> None:
    """How each connection to a file of SQLite works."""
    cursor = connection.cursor()
    # What was acknowledged survives a crash of the machine: hence FULL.
    for pragma in (
        "journal_mode = WAL",
        "synchronous = FULL",
        "busy_timeout = 10000",
        "foreign_keys = ON",
    ):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


async def schema_version(engine: AsyncEngine) -> str | None:
    """The version of the schema; None for an empty database."""
    async with engine.connect() as connection:
        return await connection.run_sync(_version)


def _version(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()


async def upgrade(engine: AsyncEngine) -> None:
    """Brings the schema to the newest version."""
    async with engine.begin() as connection:
        await connection.run_sync(_upgrade)


def _upgrade(connection: Connection) -> None:
    # Alembic takes a while to import, and is needed once in a database's life.
    from alembic import command

    command.upgrade(alembic_config(connection), "head")


def alembic_config(connection: Connection) -> Config:
    """What Alembic's commands take, to run the migrations on a connection."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", "meldwise.server.store:migrations")
    config.attributes["connection"] = connection
    return config


async def prepare(engine: AsyncEngine) -> None:
    """Makes the database ready: SQLite is brought up to date, PostgreSQL only looked at.

    Raises:
        ServerError: if PostgreSQL's schema is of another version than this program's, or
            SQLite's is newer.
    """
    version = await schema_version(engine)
    if version == HEAD:
        return
    newer = version is not None and version > HEAD
    if newer or not is_sqlite(engine.url):
        raise ServerError(Code.SERVER_SCHEMA, have=version or "0", need=HEAD)
    await upgrade(engine)
