"""Servers that are killed with -9 in many matches at once: nothing lost, nothing doubled."""

from __future__ import annotations

import asyncio
import random
import shutil
import sqlite3
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import pytest

from meldwise.client import Client, ComputerSeat, ConnectionLostError, Mine, OpenSeatPlan
from meldwise.protocol import commands as ask
from meldwise.protocol.http import NewSeat
from meldwise.server.tables import entries as log
from tests.server.ledger import Ledger, LedgerStream, stored_logs
from tests.server.processes import Proxy, free_port, process_beside
from tests.server.support import play_to_the_end, within

T = TypeVar("T")


def one_round(hand: int) -> ask.TableChanges:
    """A match of one round, the shorter the more tiles are dealt; no clock helps who is stuck."""
    rules: dict[str, str | int | bool | None] = {
        "match_length": 1,
        "hand_size": hand,
        "opening_minimum": 0,
        "timer": None,
        "leaver_grace": 3600,
    }
    return ask.TableChanges(pace="none", rules=rules)


ROOM = ("--most-connections", "1000", "--guests-an-hour", "10000", "--log-level", "error")


async def insist(work: Callable[[], Awaitable[T]]) -> T:
    """Asks a server again and again until it answers."""
    while True:
        try:
            return await work()
        except ConnectionLostError:
            await asyncio.sleep(0.1)


@dataclass
class Match:
    """A table with people, who play it to its end.

    Attributes:
        number: its number among the matches.
        hand: how many tiles are dealt to each seat.
        id: the id of the table; empty until it is there.
        ledger: what its clients were told.
        streams: their connections.
        survived: how much of its log was on disk at each kill.
        patience: from which entry of its log on nobody acts before the first kill.
        hit: whether the server has been killed since the first round began.
    """

    number: int
    hand: int
    id: str = ""
    ledger: Ledger = field(default_factory=Ledger)
    streams: list[LedgerStream] = field(default_factory=list)
    survived: list[int] = field(default_factory=list)
    patience: int = 1 << 30
    hit: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def over(self) -> bool:
        """Whether a client has seen its end."""
        return any(stream.state.status == "over" for stream in self.streams)

    @property
    def begun(self) -> bool:
        """Whether a client has seen the first round begin."""
        return any(s.state.match and s.state.match.round for s in self.streams)

    async def play(self, people: Sequence[Client], chance: random.Random) -> None:
        """Sets the table up and plays it; each of the people is at every seat's turn alone."""
        seats: list[NewSeat] = [Mine(), *(OpenSeatPlan() for _ in people[1:])]
        seats.append(ComputerSeat(player="plain"))
        settings = one_round(self.hand)
        key = f"match-{self.number}"
        page = await insist(lambda: people[0].create_table(seats, settings, id=key))
        self.id = page.table.id
        try:
            for seat, client in enumerate(people):
                stream = LedgerStream(client.url, self.id, client.token, self.ledger)
                self.streams.append(await stream.__aenter__())
                if seat:
                    await stream.do(ask.Sit, seat=seat)
            await self.streams[0].do(ask.Start)

            async def before(stream: LedgerStream, seat: int) -> None:
                await asyncio.sleep(chance.random() * 0.05)
                if stream.state.seq >= self.patience:
                    await self.hit.wait()
                if chance.random() < 0.1:
                    await stream.say(f"{stream.state.seq} {seat}")

            await asyncio.gather(*(play_to_the_end(s, before) for s in self.streams))  # type: ignore[arg-type]
            newest = max(stream.state.seq for stream in self.streams)
            for stream in self.streams:
                await stream.until(lambda state: state.seq >= newest)
        finally:
            for stream in self.streams:
                await stream.close()

    def kills_within(self, logged: Sequence[log.Logged]) -> int:
        """How many of the kills fell between the deal and the last action."""
        began = next(entry.seq for entry in logged if isinstance(entry.entry, log.Began))
        moves = log.PlayedTable | log.DrewTile | log.Passed
        ended = max(entry.seq for entry in logged if isinstance(entry.entry, moves))
        return sum(began <= seq < ended for seq in self.survived)


def on_disk(database: str) -> tuple[dict[str, int], set[tuple[str, str, str, int]]]:
    """The length of each table's log, and the commands in them, as a killed server left them."""
    with tempfile.TemporaryDirectory() as folder:
        # Of a copy: whoever opens a file of SQLite tidies up what the server is to find.
        for path in Path(database).parent.glob(Path(database).name + "*"):
            shutil.copy(path, folder)
        with closing(sqlite3.connect(Path(folder) / Path(database).name)) as copy:
            lengths = copy.execute("SELECT table_id, MAX(seq) FROM events GROUP BY table_id")
            query = "SELECT table_id, user_id, key, seq FROM events WHERE key IS NOT NULL"
            return dict(lengths.fetchall()), set(copy.execute(query).fetchall())


def acknowledged(matches: Sequence[Match]) -> set[tuple[str, str | None, str, int]]:
    """Everything that has been acknowledged, and that changed something."""
    return {
        (match.id, *key, seq)
        for match in matches
        for key, seq in match.ledger.acknowledged.items()
        if key not in match.ledger.idle
    }


def answers(matches: Sequence[Match]) -> int:
    """How many commands have been acknowledged."""
    return sum(len(match.ledger.acknowledged) for match in matches)


async def acknowledgements(
    matches: Sequence[Match], more: int, playing: asyncio.Future[Any]
) -> None:
    """Waits until the clients have had so many more answers, or all are done or wait."""
    have = seen = answers(matches)
    idle = 0
    while answers(matches) < have + more and not playing.done() and idle < 400:
        await asyncio.sleep(0.005)
        idle = idle + 1 if answers(matches) == seen else 0
        seen = answers(matches)


def new_chance() -> random.Random:
    """Chance, with its seed in the test's output."""
    seed = random.SystemRandom().randrange(2**32)
    print(f"seed {seed}")
    return random.Random(seed)


@within(300)
async def test_kills_in_fifty_matches(sqlite: str) -> None:
    """Fifty matches at once at a server that is killed at random moments, in each of them.

    What was acknowledged is on disk whenever the server is killed; every match goes on from
    there, and in the end each client has been told all of it, once.
    """
    chance = new_chance()
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    # None gets far before a kill, so that each has one between its deal and its end.
    matches = [Match(number, 18, patience=chance.randint(9, 18)) for number in range(50)]
    kills = 0
    async with AsyncExitStack() as stack:
        pairs = [[await stack.enter_async_context(Client(url)) for _ in range(2)] for _ in range(5)]
        server = await stack.enter_async_context(process_beside(sqlite, port, *ROOM))
        for pair in pairs:
            for name, client in zip(("Ana", "Beto"), pair, strict=True):
                await client.sign_in(name)
        playing = asyncio.gather(
            *(match.play(pairs[match.number % 5], chance) for match in matches)
        )
        # The first while tables are set up; then until all matches had one, and some more.
        await acknowledgements(matches, chance.randint(1, 80), playing)
        while not playing.done():
            await asyncio.sleep(chance.random() * 0.03)
            begun = [match for match in matches if match.begun]
            server.kill()
            await asyncio.to_thread(server.wait)
            kills += 1
            lengths, commands = on_disk(sqlite)
            assert acknowledged(matches) <= commands
            for match in matches:
                match.survived.append(lengths.get(match.id, 0))
            server = await stack.enter_async_context(process_beside(sqlite, port, *ROOM))
            for match in begun:
                match.hit.set()
            if kills >= 5 and all(match.hit.is_set() for match in matches):
                break
            await acknowledgements(matches, chance.randint(1, 150), playing)
        await playing
    logs = await stored_logs(sqlite, [match.id for match in matches])
    check(matches, logs)
    assert set(on_disk(sqlite)[0]) == set(logs), "a table was set up twice"
    within = [match.kills_within(logs[match.id]) for match in matches]
    report(matches, f"{kills} kills, {min(within)} to {max(within)} within each match")
    assert min(within) >= 1


@pytest.mark.parametrize("count", [2, 3])
@within(300)
async def test_one_of_several_processes_is_killed(postgres: str, count: int) -> None:
    """Clients are spread over several processes; one is killed, and the others go on."""
    chance = new_chance()
    ports = [free_port() for _ in range(count)]
    # None is over before the kill, however quick one is while another is set up.
    matches = [Match(number, hand=5, patience=chance.randint(16, 24)) for number in range(6)]
    async with AsyncExitStack() as stack:
        servers = [
            await stack.enter_async_context(process_beside(postgres, port, *ROOM)) for port in ports
        ]
        proxy = await stack.enter_async_context(Proxy(ports))
        people = [await stack.enter_async_context(Client(proxy.url)) for _ in range(3)]
        for name, client in zip(("Ana", "Beto", "Cleo"), people, strict=True):
            await client.sign_in(name)
        playing = asyncio.gather(*(match.play(people, chance) for match in matches))
        while not all(match.begun for match in matches):
            await acknowledgements(matches, 1, playing)
        await acknowledgements(matches, chance.randint(1, 40), playing)
        assert not any(match.over for match in matches)
        victim = chance.randrange(count)
        carried = proxy.open[ports[victim]]
        assert all(proxy.open[port] for port in ports)
        servers[victim].kill()
        for match in matches:
            match.hit.set()
        logs = await stored_logs(postgres, [match.id for match in matches])
        for match in matches:
            match.survived.append(logs[match.id][-1].seq)
        await playing
        assert proxy.open[ports[victim]] == 0
    logs = await stored_logs(postgres, [match.id for match in matches])
    check(matches, logs)
    assert all(match.kills_within(logs[match.id]) == 1 for match in matches)
    resumed = report(matches, f"1 of {count} processes killed, {carried} connections at it")
    assert resumed >= 1


def check(matches: Sequence[Match], logs: dict[str, list[log.Logged]]) -> None:
    """What the clients were told is in the logs, once, and the records replay."""
    for match in matches:
        match.ledger.check(logs[match.id])


def report(matches: Sequence[Match], what: str) -> int:
    """Prints the counts; how many connections were made again."""
    resumed = sum(stream.reconnects for match in matches for stream in match.streams)
    print(
        f"{len(matches)} matches, {what}; {len(acknowledged(matches))} acknowledged actions,"
        f" {resumed} times a client resumed"
    )
    return resumed
