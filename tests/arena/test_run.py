"""Work is done once, wherever it is done, and whoever dies of it."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from meldwise.arena import ArenaError, Inline, LocalPool, run_work
from meldwise.arena.results import Data, Key
from meldwise.arena.run import Work
from meldwise.game.codes import Code
from tests.arena.works import KillsAlways, KillsOnce, Raises, Squares

KEYS = [(0, number) for number in range(40)]
SQUARES = {key: {"square": key[1] ** 2} for key in KEYS}


class Notes:
    """Takes results, and refuses to get any twice."""

    def __init__(self, most: int = 10**9) -> None:
        self.found: dict[Key, Data] = {}
        self.most = most

    def __call__(self, key: Key, data: Data) -> bool:
        assert key not in self.found
        self.found[key] = data
        return len(self.found) < self.most


def test_everything_is_done_once() -> None:
    notes = Notes()
    outcome = run_work(Squares(), KEYS, Inline, 1, done=notes, clock=time.perf_counter)
    assert notes.found == SQUARES
    assert (outcome.failed, outcome.losses, outcome.stopped) == ({}, 0, False)


def test_any_executor_will_do() -> None:
    notes = Notes()
    run_work(Squares(), KEYS, lambda: ThreadPoolExecutor(3), 3, done=notes)
    assert notes.found == SQUARES


def test_it_stops_when_it_is_told_to() -> None:
    notes = Notes(most=5)
    outcome = run_work(Squares(), KEYS, Inline, 1, done=notes)
    assert outcome.stopped
    assert len(notes.found) == 5


def test_a_worker_that_dies_loses_nothing(tmp_path: Path) -> None:
    notes = Notes()
    work = KillsOnce(tmp_path / "killed", (0, 17))
    outcome = run_work(work, KEYS, lambda: LocalPool(2), 2, done=notes, clock=time.perf_counter)
    assert (tmp_path / "killed").exists()
    assert notes.found == SQUARES
    assert outcome.losses == 1
    assert outcome.failed == {}


def test_what_always_kills_is_given_up_and_the_rest_is_done() -> None:
    notes = Notes()
    outcome = run_work(
        KillsAlways((0, 9)), KEYS, lambda: LocalPool(2), 2, done=notes, clock=time.perf_counter
    )
    assert set(outcome.failed) == {(0, 9)}
    assert notes.found == {key: data for key, data in SQUARES.items() if key != (0, 9)}
    assert outcome.losses == 4


def test_what_always_raises_is_given_up_with_its_reason() -> None:
    notes = Notes()
    outcome = run_work(Raises((0, 3)), KEYS, Inline, 1, done=notes, clock=time.perf_counter)
    assert outcome.failed == {(0, 3): "ValueError: no such square"}
    assert set(notes.found) == set(KEYS) - {(0, 3)}


def test_workers_that_never_get_anything_done_are_given_up() -> None:
    class Broken:
        def do(self, key: Key, clock: object) -> Data:
            raise MemoryError("nothing left")

    work: Work = Broken()
    with pytest.raises(ArenaError) as found:
        run_work(work, KEYS, Inline, 1, done=Notes())
    assert found.value.code is Code.ARENA_WORKERS
    assert found.value.fields["reason"] == "MemoryError: nothing left"


def test_an_error_of_the_taker_ends_it() -> None:
    def full(key: Key, data: Data) -> bool:
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space"):
        run_work(Squares(), KEYS, Inline, 1, done=full)


def test_an_inline_executor_keeps_exceptions_for_who_asks() -> None:
    future = Inline().submit(int, "x")
    assert isinstance(future.exception(), ValueError)
    assert Inline().submit(int, "7").result() == 7
