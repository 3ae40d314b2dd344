"""The table for given tiles of which most stays where it is, as a search of its own.

The kernel searches as it does for the best play; only what a colour can do at a number is
listed here, because runs have to be told apart: by the old run whose place they take, by
whether they are the same so far, and by the pieces that the joker rules keep whole. What
stays is the gain. A set's gain follows from the sets of its number alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from meldwise.game.melds import Kind, Meld
from meldwise.game.tiles import JOKER_INDEX
from meldwise.solver.budget import Budget
from meldwise.solver.core import ENOUGH, Problem
from meldwise.solver.following import START, Moves, Old, Piece, Run, Situation, State, follow
from meldwise.solver.layout import JOKER_CELL, LaidMeld
from meldwise.solver.sets import CODES, PLAIN, SetSpec
from meldwise.solver.settling import settle_sets
from meldwise.solver.workspace import Workspace, borrow

__all__ = ["Settled", "settle"]

_MOST_NODES = 1000
_MOST_ENTRIES = 4000
_FEW_STATES = 3


@dataclass(frozen=True, slots=True)
class Settled:
    """What a search came to.

    Attributes:
        melds: the table found; None if none has more staying than asked.
        stays: how much of it stays.
        proven: whether no table within the loss allowed has more staying (than it, or than
            asked).
        pruned: whether some tables may have lost too much.
    """

    melds: tuple[LaidMeld, ...] | None
    stays: int
    proven: bool
    pruned: bool


class _TooManyError(Exception):
    """More states than the kernel's numbers hold."""


def settle(
    problem: Problem,
    whole: Sequence[LaidMeld],
    old: Sequence[Meld],
    floor: int,
    everything: int,
    allowed: int,
    budget: Budget,
) -> Settled:
    """The table of which most stays, if it is more than ``floor``.

    Args:
        problem: all its tiles and jokers have to be placed.
        whole: melds that lie besides as they are.
        old: the melds at the start.
        floor: only tables of which more stays are of interest.
        everything: how much would stay if nothing changed.
        allowed: how much less than that may stay.
        budget: what may be spent.
    """
    sets = _SetScores(problem, whole, old)
    while True:
        space = borrow()
        numbers = list(sets.olds)
        for slot, number in enumerate(numbers):
            space.arrays.bonus_of[number] = slot
            sets.write(space, slot, number)
        try:
            problem.write(space)
        finally:
            for number in numbers:
                space.arrays.bonus_of[number] = -1
        colours = [_Colour(problem, whole, old, colour) for colour in range(4)]
        try:
            listed = _list(colours, space, allowed)
        except _TooManyError:
            budget.stopped = True
            return Settled(None, floor, proven=False, pruned=False)
        if listed is None:
            space.grow_entries()
            continue
        moves, pruned = listed
        if pruned:
            floor = max(floor, everything - allowed - 1)
        outcome = space.kernel.solve(floor, ENOUGH, budget.next_slice())
        budget.spent += space.arrays.result[3]
        if outcome != _FEW_STATES or not space.grow_states():
            break
    if outcome:
        budget.stopped = True
    result = space.arrays.result
    if not result[0]:
        return Settled(None, floor, outcome == 0, pruned)
    melds: list[LaidMeld] = []
    for number in range(13):
        melds += sets.lay(number, result[8 + number * 10], result[9 + number * 10])
    for colour in range(4):
        codes = [result[10 + number * 10 + colour] for number in range(13)]
        melds += _lay_runs(colours[colour], [moves[code] for code in codes])
    return Settled(tuple(melds), result[1], outcome == 0, pruned)


# --- sets -------------------------------------------------------------------


class _SetScores:
    """What stays of the sets of each number, and the sets themselves."""

    def __init__(self, problem: Problem, whole: Sequence[LaidMeld], old: Sequence[Meld]) -> None:
        self.problem = problem
        self.olds: dict[int, tuple[tuple[int, ...], ...]] = {}
        self.whole: dict[int, tuple[tuple[int, ...], ...]] = {}
        for meld in old:
            if meld.kind is Kind.SET and meld.is_valid:
                number = meld.start - 1
                cells = tuple(-1 if i == JOKER_INDEX else i // 13 for i in meld.key[1])
                self.olds[number] = (*self.olds.get(number, ()), cells)
        for is_run, start, _, faces in whole:
            if not is_run:
                cells = tuple(face if face < 0 else face // 13 for face in faces)
                self.whole[start - 1] = (*self.whole.get(start - 1, ()), cells)

    def _spec(self, number: int) -> SetSpec:
        plain = PLAIN if self.problem.two_jokers else SetSpec(two_jokers=False)
        return self.problem.sets.get(number, plain)

    def write(self, space: Workspace, slot: int, number: int) -> None:
        """Writes what stays for each code and number of jokers."""
        must = self.problem.must
        most = [min(3, must[colour * 13 + number]) for colour in range(4)]
        bonuses = space.arrays.bonuses
        start = slot * CODES * 5
        spec, whole, olds = self._spec(number), self.whole.get(number, ()), self.olds[number]
        for counts in product(*[range(n + 1) for n in most]):
            code = sum(count << 2 * colour for colour, count in enumerate(counts))
            for jokers in range(self.problem.jokers + 1):
                found = settle_sets(spec, code, jokers, whole, olds)
                bonuses[start + code * 5 + jokers] = found[0] if found else 0

    def lay(self, number: int, code: int, jokers: int) -> list[LaidMeld]:
        """The sets of a number of which most stays, the whole ones among them."""
        found = settle_sets(
            self._spec(number), code, jokers, self.whole.get(number, ()), self.olds.get(number, ())
        )
        if found is None:
            raise AssertionError("the kernel chose sets that cannot be laid")
        return [
            (False, number + 1, -1, tuple(JOKER_CELL if c < 0 else c * 13 + number for c in cells))
            for cells in found[1]
        ]


# --- runs -------------------------------------------------------------------


class _Colour:
    """One colour's situations at the numbers, from index 0."""

    def __init__(
        self, problem: Problem, whole: Sequence[LaidMeld], old: Sequence[Meld], colour: int
    ) -> None:
        first = colour * 13
        self.colour = colour
        self.must = [problem.must[first + number] for number in range(13)]
        self.kept = [problem.kept_runs.count(first + number) for number in range(13)]
        self.jokers = problem.jokers
        pieces = [
            (piece.start, piece.cells, False) for piece in problem.pieces if piece.colour == colour
        ]
        pieces += [
            (start, cells, True) for is_run, start, own, cells in whole if is_run and own == colour
        ]
        olds = sorted(
            (meld.start, meld.start + len(meld.cells) - 1, meld.joker_cells)
            for meld in old
            if meld.kind is Kind.RUN and meld.is_valid and meld.colour == colour
        )
        single = not problem.two_jokers
        flavoured = single or problem.jokers + len(problem.kept_runs) > 2
        self.situations: list[Situation] = []
        for number in range(1, 14):
            room = 0
            if number < 13:
                room = self.must[number] + self.kept[number] + problem.jokers
                room += sum(start == number + 1 for start, _, _ in pieces)
            self.situations.append(
                Situation(
                    tuple(
                        Old(number - start in jokers, start == number, end == number)
                        for start, end, jokers in olds
                        if start <= number <= end
                    ),
                    any(start > number for start, _, _ in olds),
                    tuple(
                        sorted(
                            Piece(tuple(cell < 0 for cell in cells), only)
                            for start, cells, only in pieces
                            if start == number
                        )
                    ),
                    room,
                    number == 13,
                    single,
                    flavoured,
                )
            )


def _list(
    colours: Sequence[_Colour], space: Workspace, allowed: int
) -> tuple[list[Moves], bool] | None:
    """Writes nodes and entries into the kernel's arrays, as its own listing does.

    States that can only be reached with a greater loss than allowed, or with more jokers
    than there are, are left out.

    Returns:
        The moves of each entry's code, and whether some loss was too great; None if there is
        too little room.

    Raises:
        _TooManyError: if there are more states than the kernel can tell apart.
    """
    listed: list[Moves] = []
    pruned = False
    arrays = space.arrays
    entry_next, entry_jokers = arrays.entry_next, arrays.entry_jokers
    entry_code, entry_gain = arrays.entry_code, arrays.entry_gain
    nodes = entries = 0
    for own in colours:
        layer: dict[State, int] = {START: 0}
        lost, spent = [0], [0]
        for number, situation in enumerate(own.situations):
            place = number * 4 + own.colour
            arrays.node_first[place] = nodes
            following: dict[State, int] = {}
            least: list[int] = []
            fewest: list[int] = []
            must, kept = own.must[number], own.kept[number]
            most = min(3, must, arrays.most_sets[place])
            for state, loss, before in zip(layer, lost, spent, strict=True):
                if nodes + 2 > space.nodes:
                    return None
                arrays.node_id[nodes] = 1
                for sets in range(4):
                    first = entries
                    for used in range(own.jokers + 1 - before if sets <= most else 0):
                        ways = follow(state, situation, must - sets, used + kept)
                        if entries + len(ways) > space.entries:
                            return None
                        for new, gain, more, moves in ways:
                            more += loss
                            if more > allowed:
                                pruned = True
                                continue
                            node = following.setdefault(new, len(following))
                            if node == len(least):
                                least.append(more)
                                fewest.append(before + used)
                            else:
                                if more < least[node]:
                                    least[node] = more
                                if before + used < fewest[node]:
                                    fewest[node] = before + used
                            entry_next[entries] = node
                            entry_jokers[entries] = used
                            entry_code[entries] = len(listed)
                            entry_gain[entries] = gain
                            listed.append(moves)
                            entries += 1
                    arrays.list_first[nodes * 4 + sets] = first
                    arrays.list_count[nodes * 4 + sets] = entries - first
                    arrays.list_full[nodes * 4 + sets] = entries - first
                    if entries - first > _MOST_ENTRIES:
                        raise _TooManyError
                nodes += 1
            if len(following) > _MOST_NODES:
                raise _TooManyError
            layer, lost, spent = following, least, fewest
        arrays.node_first[52 + own.colour] = nodes
        for _ in layer:
            arrays.node_id[nodes] = 0
            nodes += 1
        arrays.node_first[56 + own.colour] = nodes
    return listed, pruned


def _lay_runs(own: _Colour, steps: Sequence[Moves]) -> list[LaidMeld]:
    """The runs that a colour's moves make."""
    done: list[LaidMeld] = []
    under_way: dict[Run, list[list[int]]] = {}
    for number, moves in enumerate(steps, 1):
        following: dict[Run, list[list[int]]] = {}
        face = own.colour * 13 + number - 1
        for move in moves:
            cells = under_way[move.before].pop() if move.before is not None else []
            cells.append(JOKER_CELL if move.joker else face)
            if move.after is None:
                done.append((True, number - len(cells) + 1, own.colour, tuple(cells)))
            else:
                following.setdefault(move.after, []).append(cells)
        under_way = following
    return done
