"""One problem without choices of roles: tiles that must and may be placed, and what is fixed.

Every joker rule comes down to a few such problems (see :mod:`meldwise.solver.jokers`): some
tiles are forced from the hand, some jokers keep a role, some melds stay whole.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field

from meldwise.solver.budget import Budget
from meldwise.solver.flavours import list_flavoured
from meldwise.solver.layout import LaidMeld, Layout, RunPiece, lay_out
from meldwise.solver.sets import CODES, SetSpec, set_table
from meldwise.solver.workspace import Workspace, borrow

__all__ = ["ENOUGH", "FLOOR", "Found", "Problem", "Searched"]

FLOOR = -(1 << 56)
"""Less than any gain."""

ENOUGH = 1 << 56
"""More than any gain."""

_STOPPED, _FEW_STATES = 1, 3


@dataclass(slots=True)
class Found:
    """What a search came to.

    Attributes:
        gain: the gain of the best table found; None if none beats the floor.
        bound: what no table can beat; the floor if it is higher.
        layout: the melds of the best table.
        placed: how many of each tile they hold, 53 counts; None where the kernel did not
            count them.
    """

    gain: int | None
    bound: int
    layout: Layout = ()
    placed: list[int] | None = None


@dataclass(slots=True)
class Searched:
    """What a search that was done ahead came to.

    Attributes:
        found: the outcome.
        nodes: how many states were looked into.
        stopped: whether it ended before its proof.
    """

    found: Found
    nodes: int
    stopped: bool


@dataclass(slots=True)
class Problem:
    """Counts are by tile, 53, those of jokers ignored.

    Most of it is what :class:`meldwise.solver.kernel.Kernel` takes.

    Attributes:
        must: tiles that have to be placed.
        may: tiles that may be placed.
        weights: what each tile that may be placed gains.
        jokers: how many jokers there are without a role.
        must_jokers: how many of them have to be placed.
        joker_weight: what each of the others gains.
        kept_runs: faces at which a joker keeps its role in a run.
        sets: what is special about the sets of a number, by index from 0.
        pieces: parts of runs that stay whole and may grow.
        two_jokers: whether a meld may hold two jokers.
        need: the least worth of all cells; then jokers are worth what they stand for.
        joker_gains: what a joker's cell gains by number, whether it has to be placed or not.
    """

    must: Sequence[int]
    may: Sequence[int]
    weights: Sequence[int]
    jokers: int = 0
    must_jokers: int = 0
    joker_weight: int = 0
    kept_runs: list[int] = field(default_factory=list)
    sets: dict[int, SetSpec] = field(default_factory=dict)
    pieces: list[RunPiece] = field(default_factory=list)
    two_jokers: bool = True
    need: int = 0
    joker_gains: list[int] | None = None

    def solve(
        self,
        budget: Budget,
        floor: int = FLOOR,
        target: int = ENOUGH,
        searched: Searched | None = None,
    ) -> Found:
        """The table that gains most, if it gains more than ``floor``.

        Args:
            budget: what may be spent.
            floor: only tables that gain more are of interest.
            target: what is enough: the search stops there, proven or not.
            searched: what a search with the same arguments came to, if it was done ahead.
        """
        if searched is not None:
            budget.spent += searched.nodes
            budget.stopped = budget.stopped or searched.stopped
        several = self.jokers + len(self.kept_runs) > (2 if self.two_jokers else 1)
        if searched is not None:
            found = searched.found
        else:
            found = self._search(budget, floor, target, flavoured=False)
        if not several and self.two_jokers:
            return found
        # It was a relaxation: most often no run holds more jokers than it may.
        if found.gain is None or all(map(self._allowed, found.layout)):
            return found
        return self._search(budget, floor, target, flavoured=True)

    def _allowed(self, meld: LaidMeld) -> bool:
        jokers = sum(cell < 0 for cell in meld[3])
        return jokers < len(meld[3]) and (self.two_jokers or jokers < 2)

    def _search(self, budget: Budget, floor: int, target: int, *, flavoured: bool) -> Found:
        best = Found(None, ENOUGH)
        limit = budget.next_slice()
        ready = False
        flavours: list[list[int]] | None = None
        while True:
            space = borrow()
            if not ready:
                self.write(space)
                if flavoured:
                    flavours = list_flavoured(self, space)
                    ready = flavours is not None
                else:
                    ready = space.kernel.build()
                if not ready:
                    space.grow_entries()
                    continue
            outcome = space.kernel.solve(floor, target, limit)
            result = space.arrays.result
            budget.spent += result[3]
            bound = best.bound
            found = self.found_in(result, space.arrays.placed, floor, flavours)
            if found.gain is not None:
                best = found
                floor = found.gain
            best.bound = max(floor, min(bound, found.bound))
            if outcome == _FEW_STATES and not budget.used_up and space.grow_states():
                ready = False
            elif outcome == _STOPPED and floor < target and budget.has_time:
                # The clock was only guessed at: on, with what was found as the floor.
                limit = max(2 * limit, budget.next_slice())
                if budget.nodes:
                    limit = min(limit, budget.nodes - budget.spent)
            else:
                break
        if outcome:
            budget.stopped = True
        return best

    def found_in(
        self,
        result: array[int],
        placed: array[int],
        floor: int,
        flavours: list[list[int]] | None = None,
    ) -> Found:
        """What the kernel's result says, after a search from a floor."""
        bound = max(floor, result[2])
        if not result[0]:
            return Found(None, bound)
        steps = result[8:138].tolist()
        layout = lay_out(self, steps, result[139 : 139 + result[138]], flavours)
        if flavours is not None or self.pieces:
            return Found(result[1], bound, layout)
        return Found(result[1], bound, layout, placed[:53].tolist())

    def write(self, space: Workspace) -> None:
        """Writes the problem into the kernel's arrays and lists its options."""
        arrays = space.arrays
        space.kernel.take(self.must, self.may)
        if arrays.weights_of is not self.weights:
            arrays.weight[:] = array("q", self.weights)
            # A list may change until the next call.
            arrays.weights_of = self.weights if isinstance(self.weights, tuple) else None
        if arrays.dirty:
            for place in arrays.dirty:
                arrays.kept[place] = arrays.starts[place] = arrays.ends[place] = 0
            arrays.dirty.clear()
        for face in self.kept_runs:
            arrays.kept[face] += 1
            arrays.dirty.append(face)
        for piece in self.pieces:
            first = piece.colour * 13 + piece.start - 1
            last = first + len(piece.cells) - 1
            arrays.starts[first] += 1
            arrays.ends[last] += 1
            arrays.dirty += (first, last)
        space.set_plain(self.two_jokers)
        if arrays.special or self.sets:
            arrays.special = bool(self.sets)
            for number in range(13):
                arrays.table_of[number] = 0
            for place, (number, spec) in enumerate(self.sets.items(), 1):
                arrays.table_of[number] = place
                arrays.tables[place * CODES : (place + 1) * CODES] = array("B", set_table(spec))
        if arrays.gains is not self.joker_gains:
            arrays.gains = self.joker_gains
            arrays.joker_gain[:] = array("q", self.joker_gains or [0] * 13)
        space.kernel.prepare(self.jokers, self.must_jokers, self.joker_weight, self.need)
