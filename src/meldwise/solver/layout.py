"""Turns the kernel's choices into melds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from meldwise.solver.sets import PLAIN, SetSpec, split_sets

if TYPE_CHECKING:
    from meldwise.solver.core import Problem

__all__ = ["JOKER_CELL", "LaidMeld", "Layout", "RunPiece", "lay_out"]

JOKER_CELL = -1

LaidMeld = tuple[bool, int, int, tuple[int, ...]]
"""Whether it is a run, its (first) number, its colour (-1 for a set), and its cells: faces
by index, -1 for a joker."""

Layout = tuple[LaidMeld, ...]

_SINGLE = SetSpec(two_jokers=False)


@dataclass(frozen=True, slots=True)
class RunPiece:
    """A part of a run that stays whole: its colour, its first number, its cells."""

    colour: int
    start: int
    cells: tuple[int, ...]


@dataclass(slots=True)
class _OpenRun:
    start: int
    cells: list[int]
    real: bool = False

    def add(self, cell: int) -> None:
        self.cells.append(cell)
        self.real = self.real or cell >= 0


def lay_out(
    problem: Problem, steps: list[int], packed: Iterable[int], flavoured: list[list[int]] | None
) -> Layout:
    """The melds that the kernel's steps describe.

    Args:
        problem: what was solved.
        steps: ten numbers for each number of the tiles: the code and jokers of its sets,
            and for each colour the entry's code and the node that it leads to.
        packed: the runs as the kernel has laid them, which knows of no pieces.
        flavoured: what an entry's code stands for, where runs are told apart by jokers.
    """
    melds = _sets(problem, steps)
    if flavoured is not None:
        for colour in range(4):
            codes = [steps[number * 10 + 2 + colour] for number in range(13)]
            melds += _flavoured_runs(problem, colour, codes, flavoured)
        return tuple(melds)
    for colour in {piece.colour for piece in problem.pieces}:
        codes = [steps[number * 10 + 2 + colour] for number in range(13)]
        melds += _runs(problem, colour, codes)
        packed = [run for run in packed if run >> 21 != colour]
    melds += map(run_of, packed)
    return tuple(melds)


def _sets(problem: Problem, steps: list[int]) -> list[LaidMeld]:
    """The sets that the kernel's steps describe."""
    melds: list[LaidMeld] = []
    special = problem.sets
    plain = problem.two_jokers
    for number in range(13):
        code, jokers = steps[number * 10], steps[number * 10 + 1]
        if special and number in special:
            for colours in split_sets(special[number], code, jokers):
                melds.append(_set_of(number, colours))
        elif code or jokers:
            melds += _plain_sets(plain, number, code, jokers)
    return melds


@lru_cache(maxsize=1 << 14)
def _plain_sets(two_jokers: bool, number: int, code: int, jokers: int) -> list[LaidMeld]:
    spec = PLAIN if two_jokers else _SINGLE
    return [_set_of(number, colours) for colours in split_sets(spec, code, jokers)]


def _set_of(number: int, colours: tuple[int, ...]) -> LaidMeld:
    cells = [c * 13 + number if c >= 0 else JOKER_CELL for c in colours]
    return False, number + 1, -1, tuple(cells)


@lru_cache(maxsize=1 << 14)
def run_of(packed: int) -> LaidMeld:
    """A run as the kernel writes it."""
    colour, start, size = packed >> 21, packed >> 17 & 15, packed >> 13 & 15
    first = colour * 13 + start - 1
    cells = tuple([JOKER_CELL if packed >> i & 1 else first + i for i in range(size)])
    return True, start, colour, cells


def _runs(problem: Problem, colour: int, codes: list[int]) -> list[LaidMeld]:
    ones: list[_OpenRun] = []
    twos: list[_OpenRun] = []
    longs: list[_OpenRun] = []
    done: list[_OpenRun] = []
    kept = problem.kept_runs
    under_way: list[tuple[int, _OpenRun]] = []
    for number, code in enumerate(codes):
        face = colour * 13 + number
        tiles, jokers, taken = code & 7, code >> 3 & 7, code >> 6
        if kept:
            jokers += kept.count(face)
        for piece in problem.pieces:
            if piece.colour == colour and piece.start == number + 1:
                run = _OpenRun(number + 1, [])
                if taken:
                    taken -= 1
                    run = ones.pop() if ones else twos.pop()
                run.cells += piece.cells
                run.real = True
                under_way.append((number + len(piece.cells), run))
        if not tiles and not jokers and not longs and not under_way:
            continue
        going = [*twos, *ones, *longs][: tiles + jokers]
        done += longs[max(0, tiles + jokers - len(twos) - len(ones)) :]
        going += [_OpenRun(number + 1, []) for _ in range(tiles + jokers - len(going))]
        if jokers:
            # Runs that hold no real tile yet get one first.
            going.sort(key=lambda run: (run.real, -len(run.cells)))
        ones, twos, longs = [], [], []
        for place, run in enumerate(going):
            run.add(face if place < tiles else JOKER_CELL)
            (ones, twos, longs)[min(len(run.cells), 3) - 1].append(run)
        longs += [run for end, run in under_way if end == number + 1]
        under_way = [pair for pair in under_way if pair[0] != number + 1]
    return [(True, run.start, colour, tuple(run.cells)) for run in (*done, *longs)]


def _flavoured_runs(
    problem: Problem, colour: int, codes: list[int], flavoured: list[list[int]]
) -> list[LaidMeld]:
    """As ``_runs``, with each run's next cell given by the kind of run before and after."""
    kinds: list[list[_OpenRun]] = [[] for _ in range(6)]
    done: list[_OpenRun] = []
    under_way: list[tuple[int, int, _OpenRun]] = []
    for number, code in enumerate(codes):
        face = colour * 13 + number
        moves = list(flavoured[code])
        following: list[list[_OpenRun]] = [[] for _ in range(6)]
        joining: list[_OpenRun] = []
        # A move is a kind before (6: a new run), what it gets (0 a tile, 1 a joker, 2 a
        # closed piece) and the kind after.
        for before, gets, after in zip(moves[0::3], moves[1::3], moves[2::3], strict=True):
            run = kinds[before].pop() if before < 6 else _OpenRun(number + 1, [])
            if gets == 2:
                joining.append(run)
                continue
            run.add(face if gets == 0 else JOKER_CELL)
            following[after].append(run)
        for runs in kinds:
            done += runs
        for piece in problem.pieces:
            if piece.colour == colour and piece.start == number + 1:
                run = joining.pop() if joining else _OpenRun(number + 1, [])
                run.cells += piece.cells
                after = 4 if problem.two_jokers else 5
                under_way.append((number + len(piece.cells), after, run))
        for end, after, run in under_way:
            if end == number + 1:
                following[after].append(run)
        under_way = [item for item in under_way if item[0] != number + 1]
        kinds = following
    done += [run for runs in kinds for run in runs]
    return [(True, run.start, colour, tuple(run.cells)) for run in done]
