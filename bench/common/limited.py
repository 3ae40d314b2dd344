"""Other solvers in a process of their own, so that a position can be given up after a while.

A solver in C++ does not listen to Python while it works; only ending its process stops it.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from multiprocessing.connection import Connection
from time import perf_counter
from typing import Any

from meldwise.game.position import Position

Solver = tuple[Callable[[Position], Any], Callable[[Any], int | None]]
"""What makes its own form of a position, before the clock runs, and what solves that."""


class Limited:
    """A solver that is stopped after a time limit.

    Args:
        make: makes the solver in its process.
        limit: seconds for a position.
    """

    def __init__(self, make: Callable[[], Solver], limit: float) -> None:
        self.make = make
        self.limit = limit
        self._process: Any = None
        self._pipe: Any = None

    def timed(self, position: Position, repeat: int) -> tuple[float, int | None, bool]:
        """Milliseconds at least, the answer, and whether the limit ended it."""
        if self._process is None:
            self._start()
        self._pipe.send((position, repeat))
        best: tuple[float, int | None] | None = None
        for _ in range(repeat):
            if not self._pipe.poll(self.limit):
                self.close()
                return (best[0], best[1], False) if best else (1000 * self.limit, None, True)
            taken, answer = self._pipe.recv()
            if best is None or 1000 * taken < best[0]:
                best = 1000 * taken, answer
        assert best is not None
        return best[0], best[1], False

    def close(self) -> None:
        """Ends the process."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._pipe.close()
            self._process = None

    def _start(self) -> None:
        # A forked process would share HiGHS's threads, which do not survive it.
        context = multiprocessing.get_context("spawn")
        self._pipe, other = context.Pipe()
        self._process = context.Process(target=_work, args=(self.make, other), daemon=True)
        self._process.start()
        # With this end open a process that fails would be waited for.
        other.close()
        self._pipe.recv()


def _work(make: Callable[[], Solver], pipe: Connection) -> None:
    prepare, ask = make()
    pipe.send("ready")
    while True:
        try:
            position, repeat = pipe.recv()
        except EOFError:
            return
        for _ in range(repeat):
            question = prepare(position)
            start = perf_counter()
            answer = ask(question)
            pipe.send((perf_counter() - start, answer))
