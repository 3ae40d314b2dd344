"""A server in this process, on a real socket, and people who play at it."""

from __future__ import annotations

import asyncio
import functools
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ParamSpec

from meldwise.client import Client, RefusedError, TableStream
from meldwise.game.melds import Kind, Meld
from meldwise.game.position import Position, Table
from meldwise.game.rules import Rules
from meldwise.game.tiles import Tile
from meldwise.protocol import commands as ask
from meldwise.protocol import values
from meldwise.server.api.context import Context
from meldwise.server.app import running
from meldwise.server.config import Settings
from meldwise.server.run import Running, bind, start
from meldwise.solver import best_play

P = ParamSpec("P")

FAST = ask.TableChanges(pace="none")


def within(
    seconds: float,
) -> Callable[[Callable[P, Coroutine[Any, Any, None]]], Callable[P, None]]:
    """A test that is a coroutine, run to its end on an event loop of its own, in that time."""

    def decorate(test: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
        @functools.wraps(test)
        def run(*args: P.args, **kwargs: P.kwargs) -> None:
            asyncio.run(asyncio.wait_for(test(*args, **kwargs), seconds))

        return run

    return decorate


def asynchronous(test: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """A test that is a coroutine and takes two minutes at most."""
    return within(120)(test)


def settings_for(database: str | Path, **more: Any) -> Settings:
    """Settings for tests: any port, no limits in the way, thinking in threads."""
    values: dict[str, Any] = {
        "port": 0,
        "database": str(database),
        "workers": 0,
        "sitter": "plain",
        "away_after": 0.05,
        "requests_a_second": 1e5,
        "requests_at_once": 10**5,
        "messages_a_second": 1e5,
        "messages_at_once": 10**5,
        "guests_an_hour": 10**5,
        "most_connections": 1000,
    }
    return Settings(**{**values, **more})


@dataclass
class Served:
    """A running server: its address, and its parts."""

    url: str
    context: Context
    running: Running


class Clock:
    """The time of a server, which a test can set forward."""

    def __init__(self) -> None:
        self.ahead = 0

    def __call__(self) -> int:
        return time.time_ns() // 1_000_000 + self.ahead

    def forward(self, seconds: float) -> None:
        self.ahead += int(seconds * 1000)


@asynccontextmanager
async def serving(settings: Settings, clock: Clock | None = None) -> AsyncIterator[Served]:
    """A server on a socket of its own, ended when the block ends."""
    listener, settings = bind(settings, any_port=False)
    async with running(settings, clock or Clock()) as context:
        server = await start(context, listener)
        try:
            yield Served(f"http://127.0.0.1:{settings.port}", context, server)
        finally:
            await server.stop()


async def eventually(reached: Callable[[], object], seconds: float = 20) -> None:
    """Waits until something holds."""
    async with asyncio.timeout(seconds):
        while not reached():
            await asyncio.sleep(0.01)


@asynccontextmanager
async def person(url: str, name: str) -> AsyncIterator[Client]:
    """A signed-in client."""
    async with Client(url) as client:
        await client.sign_in(name)
        yield client


def melds(table: list[values.Meld]) -> Table:
    """The melds of a state as values of the game."""
    return tuple(Meld(Kind(meld.kind), tuple(map(Tile.parse, meld.tiles))) for meld in table)


def position(table: TableStream, seat: int) -> Position:
    """What a person at a seat sees."""
    match = table.state.match
    assert match is not None
    assert match.round is not None
    hand = tuple(sorted(map(Tile.parse, table.hand(seat))))
    return Position(melds(match.round.table), hand, table.state.seats[seat].opened)


async def move(table: TableStream, seat: int) -> None:
    """Plays the most tiles that can be played; draws or passes otherwise."""
    match = table.state.match
    assert match is not None
    assert match.round is not None
    stock = match.round.stock
    rules: Rules = table.settings.rules
    answer = best_play(position(table, seat), rules, nodes=3_000)
    if answer.play is not None:
        await table.play(answer.play.table, seat)
    elif stock:
        await table.draw(seat)
    else:
        await table.pass_turn(seat)


async def play_to_the_end(
    table: TableStream,
    before: Callable[[TableStream, int], Coroutine[Any, Any, None]] | None = None,
) -> None:
    """Plays all own seats until the match is over, being ready for each round at once."""
    while (what := await table.attention()) != "over":
        try:
            seat = table.my_turn
            if what == "round":
                await table.be_ready()
            elif seat is not None:
                if before is not None:
                    await before(table, seat)
                await move(table, seat)
        except RefusedError as error:
            # The clock, or somebody who sat in, was quicker.
            if error.code not in _TOO_LATE:
                raise


_TOO_LATE = frozenset(
    {
        "action.illegal_play",
        "action.not_your_turn",
        "action.round_over",
        "action.seat_left",
        "command.stale",
        "table.not_committed",
        "table.paused",
    }
)
