"""What is asked of the solver, as counts, and the branches that the joker rules ask for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from meldwise.game.melds import Kind, Meld
from meldwise.game.rules import Rules
from meldwise.game.tiles import JOKER_INDEX
from meldwise.solver.core import Problem
from meldwise.solver.layout import JOKER_CELL, LaidMeld, RunPiece
from meldwise.solver.sets import SetSpec

__all__ = ["NOTHING", "Branch", "Query", "add_counts"]

Sparse = dict[int, int]
"""Counts by tile index, only those above zero."""

Label = tuple[int, frozenset[tuple[int, int]]]


@dataclass(slots=True)
class Query:
    """A position with bounds on what is played, and weights.

    Attributes:
        rules: the rules of the table.
        table: the melds at the start.
        held: the table's tiles by index, 53 counts.
        low: how many of each tile have to be played.
        high: how many of each tile may be played.
        weights: what each tile played gains.
    """

    rules: Rules
    table: Sequence[Meld]
    held: list[int]
    low: list[int]
    high: list[int]
    weights: Sequence[int]

    @property
    def free(self) -> bool:
        """Whether nothing has to be played."""
        return not any(self.low)

    def bounded(self, low: Sparse | None = None, high: Sparse | None = None) -> Query | None:
        """The same with tighter bounds; None if they contradict each other."""
        lower, upper = list(self.low), list(self.high)
        for index, count in (low or {}).items():
            lower[index] = max(lower[index], count)
        for index, count in (high or {}).items():
            upper[index] = min(upper[index], count)
        if any(a > b for a, b in zip(lower, upper, strict=True)):
            return None
        return Query(self.rules, self.table, self.held, lower, upper, self.weights)


@dataclass(slots=True)
class Branch:
    """One way to deal with the table's jokers.

    Attributes:
        low: tiles that have to be played besides, for example to replace jokers.
        reserved: tiles from the hand that replaced jokers or lie beside them in new melds.
        kept_runs: faces at which a joker keeps its role in a run.
        kept_sets: for jokers that keep their role in a set, its number and colour bits.
        pieces: parts of runs that stay whole.
        closed_sets: sets that stay whole: number, colour bits, jokers.
        melds: whole melds that are laid as they are: kind, number of the first cell, colour,
            cells with -1 for jokers.
        labels: for each of ``melds`` how many freed jokers it holds, and the place and cell
            of the table jokers that keep their role in it.
    """

    low: Sparse = field(default_factory=dict)
    reserved: Sparse = field(default_factory=dict)
    kept_runs: list[int] = field(default_factory=list)
    kept_sets: list[tuple[int, int]] = field(default_factory=list)
    pieces: list[RunPiece] = field(default_factory=list)
    closed_sets: list[tuple[int, int, int]] = field(default_factory=list)
    melds: list[LaidMeld] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)

    def problem(self, query: Query) -> tuple[Problem, int] | None:
        """The problem to solve for this branch and what its forced tiles gain.

        None if the tiles that it needs are not there.
        """
        if self is NOTHING and query.free:
            jokers = query.held[JOKER_INDEX]
            problem = Problem(
                query.held,
                query.high,
                query.weights,
                jokers + query.high[JOKER_INDEX],
                jokers,
                query.weights[JOKER_INDEX],
                two_jokers=query.rules.two_jokers_in_meld,
            )
            return problem, 0
        must = list(query.held)
        low = query.low
        if self.low:
            low = list(low)
            for index, count in self.low.items():
                if count > low[index]:
                    low[index] = count
        for index, count in enumerate(low):
            if count:
                if count > query.high[index]:
                    return None
                must[index] += count
        locked = self.locked_tiles()
        if locked:
            if low is query.low:
                low = list(low)
            for index, count in locked.items():
                must[index] -= count
                if must[index] < 0:
                    low[index] -= must[index]
                    must[index] = 0
                    if low[index] > query.high[index]:
                        return None
        may = [high - least for high, least in zip(query.high, low, strict=True)]
        weights = query.weights
        gained = sum([weights[index] * count for index, count in enumerate(low) if count])
        problem = Problem(
            must,
            may,
            weights,
            must[JOKER_INDEX] + may[JOKER_INDEX],
            must[JOKER_INDEX],
            weights[JOKER_INDEX],
            self.kept_runs,
            self._sets(query.rules.two_jokers_in_meld),
            self.pieces,
            query.rules.two_jokers_in_meld,
        )
        return problem, gained

    def allowed(self, two_jokers: bool) -> bool:
        """Whether no part that stays whole holds more jokers than a meld may."""
        if two_jokers:
            return True
        cells = [piece.cells for piece in self.pieces]
        cells += [tuple(meld[3]) for meld in self.melds]
        return all(part.count(JOKER_CELL) < 2 for part in cells) and all(
            jokers < 2 for _, _, jokers in self.closed_sets
        )

    def locked_tiles(self) -> Sparse:
        """The tiles that lie in what stays whole, and the jokers that keep a role."""
        locked: Sparse = {}
        if not (self.kept_runs or self.kept_sets or self.pieces or self.closed_sets or self.melds):
            return locked
        jokers = len(self.kept_runs) + len(self.kept_sets)
        for piece in self.pieces:
            jokers += add_counts(locked, piece.cells)
        for _, _, _, cells in self.melds:
            jokers += add_counts(locked, cells)
        for number, mask, kept in self.closed_sets:
            add_counts(locked, (c * 13 + number - 1 for c in range(4) if mask >> c & 1))
            jokers += kept
        if jokers:
            locked[JOKER_INDEX] = jokers
        return locked

    def _sets(self, two_jokers: bool) -> dict[int, SetSpec]:
        if not self.kept_sets and not self.closed_sets:
            return {}
        specs: dict[int, SetSpec] = {}
        numbers = {number for number, _ in self.kept_sets}
        numbers |= {number for number, _, _ in self.closed_sets}
        for number in numbers:
            specs[number - 1] = SetSpec(
                tuple(sorted(mask for other, mask in self.kept_sets if other == number)),
                tuple(
                    sorted(
                        (mask, kept) for other, mask, kept in self.closed_sets if other == number
                    )
                ),
                two_jokers,
            )
        return specs


NOTHING = Branch()
"""Nothing special about any joker."""


def add_counts(counts: Sparse, cells: Iterable[int]) -> int:
    """Adds cells to counts; returns how many of them are jokers, which are left out."""
    jokers = 0
    for cell in cells:
        if cell < 0:
            jokers += 1
        else:
            counts[cell] = counts.get(cell, 0) + 1
    return jokers


def cells_of(meld: Meld) -> tuple[int, ...]:
    """A meld's cells as faces, -1 for a joker; a set's in the order of its key."""
    indices = meld.key[1] if meld.kind is Kind.SET else [tile.index for tile in meld.cells]
    return tuple(JOKER_CELL if index == JOKER_INDEX else index for index in indices)
