"""The most melds without jokers that can stay as they are while a problem is solved.

The same search as for the best play, in which every tile has to be placed and a meld that
stays gains one. A set that stays is a matter of its number alone. A run that stays takes
its tiles number by number, so a colour's state has besides which of its runs are under way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from meldwise.game.melds import Kind, Meld
from meldwise.solver.core import Problem
from meldwise.solver.sets import CODES, PLAIN, SetSpec, set_table
from meldwise.solver.workspace import Workspace, borrow

__all__ = ["keep_most"]

State = tuple[int, int, int, tuple[int, ...]]
"""Open runs of one, two, and more cells, and the runs that stay and are under way."""

_SINGLE = SetSpec(two_jokers=False)
_MOST_NODES = 200_000


def keep_most(
    problem: Problem, melds: Sequence[tuple[int, Meld]], floor: int
) -> tuple[tuple[int, ...] | None, bool]:
    """The melds to keep, if they are more than ``floor``.

    Args:
        problem: all its tiles and jokers have to be placed.
        melds: the melds without jokers that may stay, with a name for each.
        floor: only more melds than that are of interest.

    Returns:
        The names of the melds that stay, None if they are no more than the floor; and
        whether more than those that are returned (or than the floor) cannot stay.
    """
    runs = [(name, meld) for name, meld in melds if meld.kind is Kind.RUN]
    sets: dict[int, list[tuple[int, int]]] = {}
    for name, meld in melds:
        if meld.kind is Kind.SET:
            code = sum(1 << 2 * (index // 13) for index in meld.key[1])
            sets.setdefault(meld.start - 1, []).append((name, code))
    space = borrow()
    while True:
        for slot, number in enumerate(sets):
            space.arrays.bonus_of[number] = slot
            _write_bonuses(problem, space, slot, number, sets[number])
        try:
            problem.write(space)
        finally:
            for number in sets:
                space.arrays.bonus_of[number] = -1
        begun = _list(problem, space, runs)
        if begun is None:
            space.grow_entries()
            continue
        outcome = space.kernel.solve(floor, 1 << 56, _MOST_NODES)
        if outcome == 3 and space.grow_states():
            continue
        break
    result = space.arrays.result
    if not result[0]:
        return None, outcome == 0
    kept: list[int] = []
    for number in range(13):
        code, jokers = result[8 + number * 10], result[9 + number * 10]
        if number in sets:
            ways = _table(problem, number)
            kept += _most_sets(ways, code, jokers, sets[number])
        for colour in range(4):
            kept += begun[result[10 + number * 10 + colour]]
    return tuple(sorted(kept)), outcome == 0


def _table(problem: Problem, number: int) -> bytes:
    return set_table(problem.sets.get(number, PLAIN if problem.two_jokers else _SINGLE))


def _write_bonuses(
    problem: Problem, space: Workspace, slot: int, number: int, sets: list[tuple[int, int]]
) -> None:
    ways = _table(problem, number)
    start = slot * CODES * 5
    for code in range(CODES):
        for jokers in range(5):
            gain = 0
            if ways[code] >> jokers & 1:
                gain = len(_most_sets(ways, code, jokers, sets))
            space.arrays.bonuses[start + code * 5 + jokers] = gain


def _most_sets(ways: bytes, code: int, jokers: int, sets: list[tuple[int, int]]) -> list[int]:
    """The names of the most sets that can stay while the rest forms sets as well."""
    for size in range(len(sets), 0, -1):
        for chosen in combinations(sets, size):
            rest = code
            for _, own in chosen:
                if any((own >> s & 3) > (rest >> s & 3) for s in (0, 2, 4, 6)):
                    break
                rest -= own
            else:
                if ways[rest] >> jokers & 1:
                    return [name for name, _ in chosen]
    return []


def _list(
    problem: Problem, space: Workspace, runs: Sequence[tuple[int, Meld]]
) -> list[tuple[int, ...]] | None:
    """Writes nodes and entries into the kernel's arrays, as its own listing does.

    Returns:
        For each entry's code the names of the runs that stay and begin with it; None if
        there is too little room.
    """
    begun: list[tuple[int, ...]] = [()]
    code_of: dict[tuple[int, ...], int] = {(): 0}
    arrays = space.arrays
    nodes = entries = 0
    for colour in range(4):
        own = [(name, meld) for name, meld in runs if meld.colour == colour]
        lasts = {name: meld.start + len(meld.cells) - 1 for name, meld in own}
        layer: dict[State, int] = {(0, 0, 0, ()): 0}
        for number in range(1, 14):
            place = (number - 1) * 4 + colour
            arrays.node_first[place] = nodes
            following: dict[State, int] = {}
            starting = [name for name, meld in own if meld.start == number]
            for state in layer:
                if nodes + 2 > space.nodes:
                    return None
                arrays.node_id[nodes] = 1
                for sets in range(4):
                    arrays.list_first[nodes * 4 + sets] = entries
                    arrays.list_full[nodes * 4 + sets] = 0
                    if sets <= arrays.most_sets[place]:
                        for new, used, cells, names in _ways(
                            problem, colour, number, state, sets, starting, lasts
                        ):
                            if entries >= space.entries or len(following) > 1000:
                                return None
                            if names not in code_of:
                                code_of[names] = len(begun)
                                begun.append(names)
                            arrays.entry_next[entries] = following.setdefault(new, len(following))
                            arrays.entry_jokers[entries] = used
                            arrays.entry_cells[entries] = cells
                            arrays.entry_code[entries] = code_of[names]
                            arrays.entry_gain[entries] = len(names)
                            entries += 1
                    count = entries - arrays.list_first[nodes * 4 + sets]
                    arrays.list_count[nodes * 4 + sets] = count
                    arrays.list_full[nodes * 4 + sets] = count
                nodes += 1
            layer = following
        arrays.node_first[52 + colour] = nodes
        for _ in layer:
            arrays.node_id[nodes] = 0
            nodes += 1
        arrays.node_first[56 + colour] = nodes
    return begun


def _ways(
    problem: Problem,
    colour: int,
    number: int,
    state: State,
    sets: int,
    starting: list[int],
    lasts: dict[int, int],
) -> Iterator[tuple[State, int, int, tuple[int, ...]]]:
    """A state's ways on: the next state, jokers used, cells, and the runs that begin to stay."""
    ones, twos, longs, under_way = state
    face = colour * 13 + number - 1
    kept = problem.kept_runs.count(face)
    starts = sum(p.colour == colour and p.start == number for p in problem.pieces)
    ends = sum(p.colour == colour and p.start + len(p.cells) - 1 == number for p in problem.pieces)
    room = 0
    if number < 13:
        room = problem.must[face + 1] + problem.jokers + problem.kept_runs.count(face + 1)
    joining = sum(p.colour == colour and p.start == number + 1 for p in problem.pieces)
    for size in range(len(starting) + 1):
        for names in combinations(starting, size):
            active = (*under_way, *names)
            tiles = problem.must[face] - len(active) - sets
            if tiles < 0:
                continue
            left = tuple(sorted(name for name in active if lasts[name] > number))
            for taken in range(min(starts, ones + twos) + 1):
                short = ones - min(taken, ones)
                second = twos - (taken - (ones - short))
                for used in range(problem.jokers + 1):
                    spare = tiles + used + kept - short - second
                    if spare < 0:
                        continue
                    grown = min(spare, longs)
                    new = spare - grown
                    if new + short > (room + joining if number < 13 else 0):
                        continue
                    grown = min(grown + second + ends, room)
                    yield (new, short, grown, left), used, tiles + used, names
