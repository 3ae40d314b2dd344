"""Computer players and hints, computed away from the event loop.

Players with a budget of time, and the solver, run in worker processes, so that the server
answers meanwhile; players that answer at once run in a thread. A worker that dies is
replaced, and what it was at is computed again: nothing depends on it having lived.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import multiprocessing
import os
import threading
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import lru_cache
from typing import Any, Literal, TypeVar

from meldwise.game.actions import AskRedeal, Draw, Pass, Play, RoundAction
from meldwise.game.codes import Code
from meldwise.game.errors import GameError
from meldwise.game.match import Match
from meldwise.game.position import Position, format_table
from meldwise.game.rules import Rules
from meldwise.game.tiles import Tile
from meldwise.game.view import View, view_of
from meldwise.players import create_player, problem_count, problem_since
from meldwise.players.base import Means, Player
from meldwise.server.tables import entries as log
from meldwise.server.tables.state import oracle_for

__all__ = ["HintAnswer", "Thinkers", "choose_for", "entry_of", "seed_of"]

_T = TypeVar("_T")
logger = logging.getLogger(__name__)

HINT_SECONDS = 2.0
"""How long a hint may take, in seconds."""


class Thinkers:
    """Where thinking is done.

    Args:
        workers: how many worker processes; 0 to think in threads only.
    """

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._threads = ThreadPoolExecutor(max_workers=2, thread_name_prefix="thinking")
        self._processes: ProcessPoolExecutor | None = None

    def close(self) -> None:
        """Ends the workers without waiting for what they are at."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        if self._processes is not None:
            self._processes.shutdown(wait=False, cancel_futures=True)
            self._processes = None

    async def choose(self, player: str, seed: int, match: Match, seat: int) -> RoundAction:
        """What a computer player does; something that is legal, whatever becomes of it.

        Args:
            player: the text name of the player.
            seed: what its chance follows from.
            match: the match, of which it sees its own view.
            seat: the seat that it plays, whose turn it is.
        """
        view = view_of(match, seat)
        try:
            action, problem = await self._run(_is_quick(player), choose_for, player, seed, view)
            if problem is not None:
                logger.warning(
                    "a computer player's program failed",
                    extra={"player": player, "problem": problem},
                )
            match.verify(action, oracle_for(match.rules))
        except Exception:
            logger.exception("computer player failed", extra={"player": player})
        else:
            return action
        plain, _ = await self._run(True, choose_for, "plain", seed, view)
        if match.can(plain, oracle_for(match.rules)):
            return plain
        assert view.round is not None
        return Draw(seat) if view.round.stock else Pass(seat)

    async def hint(
        self, what: Literal["tiles", "play"], position: Position, rules: Rules
    ) -> HintAnswer:
        """Which tiles can be played, or a best play."""
        return await self._run(False, hint_for, what, position, rules)

    async def work(self, function: Callable[..., _T], *args: Any) -> _T:
        """Runs anything else that takes a while, in a worker."""
        return await self._run(False, function, *args)

    async def _run(self, quick: bool, function: Callable[..., _T], *args: Any) -> _T:
        loop = asyncio.get_running_loop()
        if quick or not self._workers:
            return await loop.run_in_executor(self._threads, function, *args)
        try:
            return await loop.run_in_executor(self._pool(), function, *args)
        except BrokenProcessPool:
            logger.warning("a worker died; thinking again")
            self._processes = None
            return await loop.run_in_executor(self._pool(), function, *args)

    def _pool(self) -> Executor:
        if self._processes is None:
            # Forking a process with threads and connections in it is asking for trouble.
            context = multiprocessing.get_context("spawn")
            self._processes = ProcessPoolExecutor(
                self._workers, mp_context=context, initializer=_end_with_parent
            )
        return self._processes


def _end_with_parent() -> None:
    """Lets a worker end when the server does, however that ends."""
    parent = multiprocessing.parent_process()

    def watch() -> None:
        if parent is not None:
            parent.join()
            os._exit(0)

    threading.Thread(target=watch, daemon=True, name="watch-parent").start()
    import signal

    # Ctrl-C goes to the whole group; the server ends its workers itself.
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def seed_of(secret: str, seat: int) -> int:
    """What the chance of a seat's computer player follows from; nobody else can tell."""
    digest = hashlib.sha256(f"meldwise computer\n{secret}\n{seat}".encode()).digest()
    return int.from_bytes(digest[:8], "big")


@lru_cache(maxsize=256)
def _player(text: str, seed: int) -> Player:
    import time

    return create_player(text, Means(seed, time.monotonic))


@lru_cache(maxsize=256)
def _is_quick(text: str) -> bool:
    return create_player(text, Means(0, lambda: 0.0)).seconds is None


def choose_for(player: str, seed: int, view: View) -> tuple[RoundAction, str | None]:
    """What a computer player does; runs in a worker.

    Returns:
        The action, and what went wrong with the player's own program, if it has one.
    """
    chooses = _player(player, seed)
    before = problem_count(chooses)
    action = chooses.choose(view)
    problem = problem_since(chooses, before)
    return action, None if problem is None else str(problem)


def entry_of(action: RoundAction) -> log.Entry:
    """The entry for what a computer player chose."""
    match action:
        case Play():
            return log.PlayedTable(seat=action.seat, table=format_table(action.table))
        case Draw():
            return log.DrewTile(seat=action.seat)
        case Pass():
            return log.Passed(seat=action.seat)
        case AskRedeal():
            return log.AskedRedeal(seat=action.seat)
        case _:
            raise GameError(Code.SERVER_ERROR)


class HintAnswer:
    """What the solver says; see :class:`meldwise.protocol.messages.Hinted`."""

    __slots__ = ("most", "playable", "played", "proven", "steps", "table")

    def __init__(
        self,
        playable: tuple[tuple[Tile, bool], ...] = (),
        most: int = 0,
        table: Any = None,
        played: tuple[Tile, ...] = (),
        steps: Any = (),
        proven: bool = True,
    ) -> None:
        self.playable = playable
        self.most = most
        self.table = table
        self.played = played
        self.steps = steps
        self.proven = proven


def hint_for(what: Literal["tiles", "play"], position: Position, rules: Rules) -> HintAnswer:
    """Asks the solver; runs in a worker."""
    import time

    from meldwise.solver import arrange, best_play, playable

    if what == "tiles":
        outlook = playable(position, rules)
        return HintAnswer(tuple(outlook.playable.items()), outlook.most)
    answer = best_play(position, rules, seconds=HINT_SECONDS, clock=time.monotonic)
    if answer.play is None:
        return HintAnswer(proven=answer.proven)
    found = arrange(position, rules, answer.play.played)
    return HintAnswer(
        most=len(answer.play.played),
        table=found.table,
        played=answer.play.played,
        steps=found.steps,
        proven=answer.proven,
    )
