"""Tables with people at them, who move at a pace or as fast as they can."""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from functools import lru_cache

from meldwise.client import Client, Mine, OpenSeatPlan, TableStream
from meldwise.game.melds import Kind, Meld
from meldwise.game.position import Position, Table
from meldwise.game.tiles import Tile
from meldwise.protocol import commands as ask
from meldwise.protocol.http import NewSeat
from meldwise.solver import best_play

SEATS = 4
NODES = 500
GUESTS_HOLD = 40
"""Tables at which the same four guests sit: a guest may have fifty."""
# No match is over before the measurement is, even of those that are played flat out.
SETTINGS = ask.TableChanges(
    game="rrrummy", rules={"timer": None, "match_length": 200}, pace="none", private=True
)


@dataclass
class Load:
    """Tables with people at them, and how long their moves took.

    Attributes:
        urls: the servers; the seats of a table take turns over them.
        tables: the streams of each table, by seat.
        trips: the round trips of this measurement, in seconds.
        stall: the longest time in it that this process did not get to its work, in seconds.
    """

    urls: list[str]
    stack: AsyncExitStack
    tables: list[list[TableStream]] = field(default_factory=list)
    trips: list[float] = field(default_factory=list)
    stall: float = 0.0
    guests: list[Client] = field(default_factory=list)

    async def grow(self, count: int) -> None:
        """Sets tables up until there are so many; each waits for its first turn."""
        while len(self.tables) < count:
            if len(self.tables) % GUESTS_HOLD == 0:
                self.guests = [await self._guest(seat) for seat in range(SEATS)]
            room = GUESTS_HOLD - len(self.tables) % GUESTS_HOLD
            # Some at a time, so that no queue gets long.
            some = min(count - len(self.tables), room, 8)
            self.tables += await asyncio.gather(*(self._table() for _ in range(some)))

    async def _guest(self, seat: int) -> Client:
        url = self.urls[seat % len(self.urls)]
        guest = await self.stack.enter_async_context(Client(url))
        await guest.sign_in(f"Guest {seat + 1}")
        return guest

    async def _table(self) -> list[TableStream]:
        seats: list[NewSeat] = [Mine(), *(OpenSeatPlan() for _ in range(SEATS - 1))]
        page = await self.guests[0].create_table(seats, SETTINGS)
        streams: list[TableStream] = []
        for guest in self.guests:
            stream = await self.stack.enter_async_context(guest.table(page.table.id))
            if streams:
                await stream.do(ask.Sit, seat=len(streams))
            streams.append(stream)
        await streams[0].do(ask.Start)
        await ready(streams)
        return streams

    async def play(self, tables: int, pace: float, seconds: float) -> float:
        """Plays at the first tables; returns how many moves a second there were.

        Args:
            tables: how many tables.
            pace: seconds from one move to the next at a table; 0 for no waiting.
            seconds: how long.
        """
        self.trips, self.stall = [], 0.0
        # To look through thousands of states for garbage would stall the load.
        gc.collect()
        gc.disable()
        try:
            begun = time.perf_counter()
            async with asyncio.TaskGroup() as group:
                group.create_task(self._notice_stalls(begun + seconds))
                for number, streams in enumerate(self.tables[:tables]):
                    due = begun + pace * number / tables
                    group.create_task(self._drive(streams, due, pace, begun + seconds))
        finally:
            gc.enable()
        return len(self.trips) / seconds

    async def _notice_stalls(self, end: float) -> None:
        while (begun := time.perf_counter()) < end:
            await asyncio.sleep(0.005)
            self.stall = max(self.stall, time.perf_counter() - begun - 0.005)

    async def _drive(self, streams: list[TableStream], due: float, pace: float, end: float) -> None:
        last = streams[0]
        while True:
            match = last.state.match
            assert match is not None
            assert match.round is not None
            if match.round.over:
                if last.state.status != "playing":
                    return
                await ready(streams)
                continue
            last = streams[match.round.seat]
            await last.until(lambda _state, last=last: last.my_turn is not None)  # type: ignore[misc]
            chosen = choose(last)
            if max(due, time.perf_counter()) >= end:
                return
            if (wait := due - time.perf_counter()) > 0:
                await asyncio.sleep(wait)
            begun = time.perf_counter()
            await move(last, chosen)
            self.trips.append(time.perf_counter() - begun)
            due = max(due + pace, begun)


async def ready(streams: Sequence[TableStream]) -> None:
    """All seats are ready; returns when all have seen the round begin."""
    for stream in streams:
        await stream.until(
            lambda state: (
                state.match is not None
                and state.match.commitment is not None
                and (state.match.round is None or state.match.round.over)
            )
        )
        await stream.be_ready()
    for stream in streams:
        await stream.until(
            lambda state: (
                state.match is not None
                and state.match.round is not None
                and not state.match.round.over
            )
        )


# Reading the same melds again and again would keep the load from its work.
_tile = lru_cache(Tile.parse)


@lru_cache(maxsize=8192)
def _meld(kind: str, tiles: tuple[str, ...]) -> Meld:
    return Meld(Kind(kind), tuple(map(_tile, tiles)))


def choose(stream: TableStream) -> Table | None:
    """The table that the person whose turn it is leaves; None to draw or pass."""
    match, seat = stream.state.match, stream.my_turn
    assert match is not None
    assert match.round is not None
    assert seat is not None
    table = tuple(_meld(meld.kind, tuple(meld.tiles)) for meld in match.round.table)
    hand = tuple(sorted(map(_tile, stream.hand(seat))))
    position = Position(table, hand, stream.state.seats[seat].opened)
    play = best_play(position, stream.settings.rules, nodes=NODES).play
    return None if play is None else play.table


async def move(stream: TableStream, table: Table | None) -> None:
    if table is not None:
        await stream.play(table)
    elif stream.stock:
        await stream.draw()
    else:
        await stream.pass_turn()
