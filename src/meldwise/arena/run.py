"""Having units of work done by an executor, so that none is lost and none done twice.

Units are handed out in chunks that take about a second, so that progress is smooth and the
way to another process costs little. When a worker dies, everything it and its like had in
hand is handed out again, in smaller pieces; a unit that goes on killing its worker even when
nothing else runs beside it is reported as failed.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    Executor,
    Future,
    wait,
)
from dataclasses import dataclass, field
from typing import Final, Protocol

from meldwise.arena.errors import ArenaError
from meldwise.arena.executors import LocalPool
from meldwise.arena.results import Data, Key
from meldwise.game.codes import Code

__all__ = ["Outcome", "Work", "run_work"]

Clock = Callable[[], float]

_CHUNK_SECONDS: Final = 1.0
_MOST_IN_CHUNK: Final = 100

_ALONE_AFTER: Final = 2
"""Losses after which a unit is tried with nothing else beside it."""

_FAILED_AFTER: Final = 4
"""Losses after which a unit is given up; the last two came while it ran alone."""

_MOST_LOSSES_IN_A_ROW: Final = 20
"""Losses without any unit done in between after which the workers are given up."""


class Work(Protocol):
    """What is to be done with each key; it has to be picklable."""

    def do(self, key: Key, clock: Clock | None) -> Data:
        """Does a unit.

        Args:
            key: which one.
            clock: gives the time in seconds, or None.

        Returns:
            What came of it, as plain data that JSON can hold.
        """
        ...


@dataclass(slots=True)
class Outcome:
    """What came of handing out work.

    Attributes:
        failed: the units that were given up, each with its last error.
        losses: how often work was lost and handed out again.
        stopped: whether it was ended before all was done.
    """

    failed: dict[Key, str] = field(default_factory=dict)
    losses: int = 0
    stopped: bool = False


def _do_chunk(
    work: Work, keys: Sequence[Key], clock: Clock | None
) -> tuple[list[Data], float | None]:
    """What a worker does: the results, and how many seconds they took."""
    began = None if clock is None else clock()
    done = [work.do(key, clock) for key in keys]
    return done, None if clock is None or began is None else clock() - began


def run_work(
    work: Work,
    keys: Iterable[Key],
    executor: Callable[[], Executor],
    jobs: int,
    *,
    done: Callable[[Key, Data], bool],
    clock: Clock | None = None,
) -> Outcome:
    """Has units of work done.

    Args:
        work: what is done with each.
        keys: the units, in the order in which they are begun.
        executor: gives an executor, and a new one after it has broken.
        jobs: how many chunks can be worked on at once.
        done: is called with each result as it comes, in any order; False ends the work.
        clock: gives the time in seconds, here and in the workers; it has to be picklable, as
            :func:`time.perf_counter` is.

    Raises:
        ArenaError: if workers keep dying, whatever they are given.
    """
    runner = _Runner(work, keys, executor, jobs, done, clock)
    try:
        runner.run()
    finally:
        runner.close()
    return runner.outcome


class _Runner:
    def __init__(
        self,
        work: Work,
        keys: Iterable[Key],
        executor: Callable[[], Executor],
        jobs: int,
        done: Callable[[Key, Data], bool],
        clock: Clock | None,
    ) -> None:
        self.outcome = Outcome()
        self._work = work
        self._fresh = deque(keys)
        self._again: deque[Key] = deque()
        self._losses: Counter[Key] = Counter()
        self._in_a_row = 0
        self._make = executor
        self._jobs = max(1, jobs)
        self._done = done
        self._clock = clock
        self._executor = executor()
        self._running: dict[Future[tuple[list[Data], float | None]], list[Key]] = {}
        self._seconds: float | None = None

    def run(self) -> None:
        while True:
            try:
                self._hand_out()
            except BrokenExecutor as error:
                self._renew(error)
                continue
            if not self._running:
                return
            finished, _ = wait(self._running, return_when=FIRST_COMPLETED)
            broken: BaseException | None = None
            # In the order in which they were handed out, which is the same every time.
            for future in [future for future in self._running if future in finished]:
                broken = self._collect(future) or broken
                if self.outcome.stopped:
                    return
            if broken is not None:
                self._renew(broken)

    def close(self) -> None:
        for future in self._running:
            future.cancel()
        _discard(self._executor)

    def _hand_out(self) -> None:
        while self._fresh or self._again:
            # Two for each worker: one to work on, and one to go on with at once.
            if len(self._running) >= 2 * self._jobs:
                return
            chunk = self._next_chunk()
            if not chunk:
                return
            self._running[self._submit(chunk)] = chunk

    def _submit(self, chunk: list[Key]) -> Future[tuple[list[Data], float | None]]:
        try:
            return self._executor.submit(_do_chunk, self._work, tuple(chunk), self._clock)
        except BrokenExecutor:
            self._again.extendleft(reversed(chunk))
            raise

    def _next_chunk(self) -> list[Key]:
        """What is handed out next; empty if something has to be waited for."""
        if any(
            self._losses[key] >= _ALONE_AFTER for keys in self._running.values() for key in keys
        ):
            return []
        if self._again:
            key = self._again[0]
            if self._losses[key] >= _ALONE_AFTER and self._running:
                return []
            return [self._again.popleft()]
        size = 1
        if self._seconds is not None:
            fitting = int(_CHUNK_SECONDS / max(self._seconds, 1e-6))
            share = len(self._fresh) // (2 * self._jobs)
            size = max(1, min(fitting, share, _MOST_IN_CHUNK))
        return [self._fresh.popleft() for _ in range(min(size, len(self._fresh)))]

    def _collect(self, future: Future[tuple[list[Data], float | None]]) -> BaseException | None:
        """Takes a finished chunk; returns the error if the executor has broken."""
        keys = self._running[future]
        try:
            results, seconds = future.result()
        except BrokenExecutor as error:
            return error  # The chunk stays among the running ones, all of which are lost.
        except Exception as error:
            del self._running[future]
            self._lose(keys, error)
            return None
        del self._running[future]
        self._in_a_row = 0
        if seconds is not None:
            each = seconds / len(keys)
            self._seconds = each if self._seconds is None else 0.7 * self._seconds + 0.3 * each
        for key, data in zip(keys, results, strict=True):
            if not self._done(key, data):
                self.outcome.stopped = True
                return None
        return None

    def _renew(self, error: BaseException) -> None:
        """A new executor for one that has broken; everything in hand is lost."""
        lost = [key for keys in self._running.values() for key in keys]
        for future in self._running:
            future.cancel()
        self._running.clear()
        _discard(self._executor)
        self._lose(lost, error)
        self._executor = self._make()

    def _lose(self, keys: Sequence[Key], error: BaseException) -> None:
        self.outcome.losses += 1
        self._in_a_row += 1
        text = f"{type(error).__name__}: {error}".strip().splitlines()[0][:300]
        if self._in_a_row >= _MOST_LOSSES_IN_A_ROW:
            raise ArenaError(Code.ARENA_WORKERS, reason=text)
        for key in keys:
            self._losses[key] += 1
            if self._losses[key] >= _FAILED_AFTER:
                self.outcome.failed[key] = text
            else:
                self._again.append(key)


def _discard(executor: Executor) -> None:
    if isinstance(executor, LocalPool):
        executor.stop()
    else:
        executor.shutdown(wait=False)  # Dask's knows no other argument.
