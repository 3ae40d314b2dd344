"""What is kept: batches, clashes, migrations, presence, on both databases."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, event, text
from sqlalchemy.exc import IntegrityError

from meldwise.game.codes import Code
from meldwise.server.app import running
from meldwise.server.errors import ServerError
from meldwise.server.store import (
    Append,
    Beat,
    ClashError,
    Store,
    StoredUser,
    database_url,
    open_engine,
)
from meldwise.server.store.database import alembic_config, prepare, schema_version, upgrade
from meldwise.server.store.lock import FileLock
from meldwise.server.store.schema import HEAD, metadata
from meldwise.server.store.store import event_row
from meldwise.server.tables import entries as log
from tests.server.conftest import new_postgres
from tests.server.support import asynchronous, settings_for


def logged(seq: int, key: str | None = None) -> log.Logged:
    entry = log.SaidLine(user="u1", name="Ana", text=f"line {seq}")
    return log.Logged(seq=seq, at=seq, user="u1", key=key, entry=entry)


def created() -> log.Logged:
    entry = log.Created(
        host="u1", code="C", secret="s", settings=log.StoredSettings(), seats=[log.SeatPlan()]
    )
    return log.Logged(seq=1, at=1, user="u1", key=None, entry=entry)


def row(seq: int) -> dict[str, Any]:
    return {"status": "waiting", "private": True, "summary": "{}", "changed": seq, "due": None}


def append(table: str, *entries: log.Logged) -> Append:
    rows = [event_row(table, entry) for entry in entries]
    return Append(table, rows, row(entries[-1].seq))


async def a_store(database: str, tables: int = 1) -> Store:
    engine = open_engine(database_url(database))
    if "://" not in database:
        await prepare(engine)
    store = Store(engine, "p1")
    store.writer.start()
    await store.add_user(StoredUser("u1", "Ana", "en", "hash", None, 1))
    for number in range(tables):
        table = {**row(1), "members": {"u1"}}
        added = await store.add_table(
            f"t{number}", f"C{number}", "u1", f"k{number}", [created()], table
        )
        assert added == f"t{number}"
    return store


async def closed(store: Store) -> None:
    await store.close()
    await store.engine.dispose()


@asynchronous
async def test_many_tables_in_few_commits(database: str) -> None:
    store = await a_store(database, 20)
    before = store.writer.batches
    await asyncio.gather(
        *(store.append(append(f"t{number}", logged(2), logged(3))) for number in range(20))
    )
    assert store.writer.batches - before <= 3
    for number in range(20):
        assert [entry.seq for entry in await store.log(f"t{number}")] == [1, 2, 3]
        assert [entry.seq for entry in await store.log(f"t{number}", 2)] == [3]
    await closed(store)


@asynchronous
async def test_a_clash_hits_only_whoever_was_late(database: str) -> None:
    """Of two who write the same number one succeeds, and others in the batch are not hurt."""
    store = await a_store(database, 3)
    results = await asyncio.gather(
        store.append(append("t0", logged(2))),
        store.append(append("t1", logged(2))),
        store.append(append("t0", logged(2))),
        store.append(append("t2", logged(2), logged(3))),
        return_exceptions=True,
    )
    assert [type(result) for result in results] == [type(None), type(None), ClashError, type(None)]
    # Nothing of an append that clashes is kept.
    with pytest.raises(ClashError):
        await store.append(append("t2", logged(4), logged(3)))
    assert [entry.seq for entry in await store.log("t2")] == [1, 2, 3]
    await closed(store)


@asynchronous
async def test_a_key_is_used_once_for_a_user(database: str) -> None:
    store = await a_store(database)
    await store.append(append("t0", logged(2, "k")))
    with pytest.raises(ClashError):
        await store.append(append("t0", logged(3, "k")))
    await store.append(append("t0", logged(3, "other")))
    again = await store.add_table("t9", "C9", "u1", "k0", [created()], {**row(1), "members": set()})
    assert again == "t0"
    with pytest.raises(IntegrityError):
        await store.add_table("t9", "C0", "u1", "new", [created()], {**row(1), "members": set()})
    await closed(store)


@asynchronous
async def test_what_others_wrote_is_read_together(postgres: str) -> None:
    """For all tables that are asked for while one query is under way, also after a lost one."""
    store = await a_store(postgres, 9)
    other = Store(store.engine, "p2")
    other.writer.start()
    for seq in (2, 3):
        await asyncio.gather(*(other.append(append(f"t{n}", logged(seq))) for n in range(9)))
    queries: list[str] = []
    event.listen(
        store.engine.sync_engine,
        "before_cursor_execute",
        lambda _c, _cursor, statement, *_: queries.append(statement),
    )
    taken: list[object] = []
    event.listen(store.engine.sync_engine, "checkout", lambda *_: taken.append(None))
    for happens in ("nothing", "idle", "lost"):
        if happens == "lost":
            async with other.engine.begin() as connection:
                await connection.execute(_END_OTHERS)
        if happens != "nothing":
            await asyncio.sleep(1.1)  # As long as it takes until a connection is not trusted.
        queries.clear()
        taken.clear()
        read = await asyncio.gather(
            store.newer("t0", 0), *(store.newer(f"t{n}", 2) for n in range(9)), store.newer("x", 0)
        )
        assert [entry.seq for entry in read[0]] == [1, 2, 3]
        assert [[entry.seq for entry in each] for each in read[1:]] == [[3]] * 9 + [[]]
        assert len([each for each in queries if "unnest" in each]) <= 2
        # It goes on with the connection that it has.
        assert bool(taken) == (happens != "idle")
    await other.close()
    await closed(store)


_END_OTHERS = text(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
)


@asynchronous
async def test_drafts_replace_each_other(database: str) -> None:
    store = await a_store(database)
    await asyncio.gather(*(store.put_draft("t0", 0, f"d{number}") for number in range(30)))
    await store.put_draft("t0", 2, "other")
    assert await store.drafts("t0") == {0: "d29", 2: "other"}
    await closed(store)


@asynchronous
async def test_dead_processes_are_cleared_up(database: str) -> None:
    store = await a_store(database)
    other = Store(store.engine, "p2")
    other.writer.start()
    for each in (store, other):
        await each.beat(1_000, 0)
        await each.arrive("t0", "u1")
        await each.arrive("t0", "u1")
    assert await store.present("t0") == {"u1"}
    await store.depart("t0", "u1")
    assert await store.present("t0") == {"u1"}
    assert await store.elsewhere("t0") == {"u1"}
    assert await other.elsewhere("t0") == set()
    assert await store.beat(30_000, 10_000) == Beat(["t0"], first=False)
    assert await store.present("t0") == await store.elsewhere("t0") == set()
    assert await store.beat(31_000, 10_000) == Beat([], first=False)
    # The other one was only slow.
    assert await other.beat(32_000, 10_000) == Beat([], first=True)
    await other.close()
    await closed(store)


def _differences(connection: Connection) -> list[Any]:
    return list(compare_metadata(MigrationContext.configure(connection), metadata))


@asynchronous
async def test_migrations_make_the_schema(database: str) -> None:
    """What the migrations make is what the program expects, and they go down again."""
    engine = open_engine(database_url(database))
    await upgrade(engine)
    assert await schema_version(engine) == HEAD
    async with engine.connect() as connection:
        assert await connection.run_sync(_differences) == []
    async with engine.begin() as connection:
        await connection.run_sync(lambda sync: command.downgrade(alembic_config(sync), "base"))
    assert await schema_version(engine) is None
    await upgrade(engine)
    assert await schema_version(engine) == HEAD
    await engine.dispose()


def test_postgres_is_not_changed_by_the_server(postgres_server: str) -> None:
    database = new_postgres(postgres_server)

    async def work() -> None:
        with pytest.raises(ServerError) as caught:
            async with running(settings_for(database)):
                pass
        assert caught.value.code is Code.SERVER_SCHEMA
        assert caught.value.fields == {"have": "0", "need": HEAD}

    asyncio.run(work())


@pytest.mark.skipif(os.name == "nt", reason="Windows has no modes of files")
@asynchronous
async def test_nobody_else_can_read_the_file(tmp_path: Path) -> None:
    file = tmp_path / "new" / "tables.db"
    before = os.umask(0o022)
    try:
        engine = open_engine(database_url(str(file)))
        await prepare(engine)
        modes = {path.name: path.stat().st_mode & 0o777 for path in file.parent.iterdir()}
        await engine.dispose()
    finally:
        os.umask(before)
    assert modes["tables.db"] == 0o600
    assert set(modes.values()) == {0o600}


@asynchronous
async def test_one_server_a_file(sqlite: str) -> None:
    async with running(settings_for(sqlite)):
        with pytest.raises(ServerError) as caught:
            async with running(settings_for(sqlite)):
                pass
        assert caught.value.code is Code.SERVER_UNREACHABLE
    lock = FileLock(sqlite)
    lock.take()
    lock.release()


@asynchronous
async def test_no_database_is_told(tmp_path: Any) -> None:
    with pytest.raises(ServerError) as caught:
        async with running(settings_for("postgresql://nobody@127.0.0.1:1/none")):
            pass
    assert caught.value.code is Code.SERVER_UNREACHABLE
