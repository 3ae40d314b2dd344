"""Entries for runs that are told apart by their jokers.

Needed where a run may hold one joker only, or where so many jokers are about that a run
could hold nothing else. A colour's state then counts six kinds of open runs: one, two, and
three or more cells, each without and with the flavour, which is *holds a joker* where one
is allowed, and *holds jokers only* otherwise. A plain search is tried first, so this seldom
runs, and stays interpreted.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from meldwise.solver.core import Problem
    from meldwise.solver.workspace import Workspace

__all__ = ["list_flavoured"]

State = tuple[int, int, int, int, int, int]
Moves = tuple[int, ...]
"""Triples: the kind before (6 for a new run), what it gets, the kind after."""

_NEW = 6
_TILE, _JOKER, _PIECE = 0, 1, 2


def _after(kind: int, gets: int, single: bool) -> int | None:
    """The kind of a run of a kind that gets a tile or a joker; None if it may not.

    Kinds are twice the length (0 to 2 for one, two, more cells) plus the flavour.
    """
    length = 0 if kind == _NEW else min(kind // 2 + 1, 2)
    flavour = kind != _NEW and kind % 2 == 1
    if single:
        if gets == _JOKER and flavour:
            return None
        return 2 * length + int(flavour or gets == _JOKER)
    only = (kind == _NEW or flavour) and gets == _JOKER
    return 2 * length + int(only)


@lru_cache(maxsize=1 << 14)
def _transitions(
    state: State, tiles: int, jokers: int, taken: int, single: bool
) -> tuple[tuple[State, Moves], ...]:
    """All states that can follow when that many tiles and jokers go to a colour's runs."""
    found: dict[State, Moves] = {}
    # Runs of three or more cells may stop, but not those that hold jokers only.
    may_stop = (4, 5) if single else (4,)

    def assign(
        kind: int, left: int, tiles: int, jokers: int, taken: int, moves: Moves, after: State
    ) -> None:
        if kind == _NEW:
            if taken:
                return
            rest = list(after)
            more: list[int] = list(moves)
            for gets, count in ((_TILE, tiles), (_JOKER, jokers)):
                target = _after(_NEW, gets, single)
                if count and target is not None:
                    rest[target] += count
                    more += (_NEW, gets, target) * count
            found.setdefault((rest[0], rest[1], rest[2], rest[3], rest[4], rest[5]), tuple(more))
            return
        if left == 0:
            following = kind + 1
            assign(
                following,
                state[following] if following < 6 else 0,
                tiles,
                jokers,
                taken,
                moves,
                after,
            )
            return
        for gets, count in ((_TILE, tiles), (_JOKER, jokers)):
            target = _after(kind, gets, single)
            if count and target is not None:
                grown = list(after)
                grown[target] += 1
                assign(
                    kind,
                    left - 1,
                    tiles - (gets == _TILE),
                    jokers - (gets == _JOKER),
                    taken,
                    (*moves, kind, gets, target),
                    (grown[0], grown[1], grown[2], grown[3], grown[4], grown[5]),
                )
        # A closed piece holds a joker of its own, and a real tile.
        if taken and not (single and kind % 2):
            assign(kind, left - 1, tiles, jokers, taken - 1, (*moves, kind, _PIECE, 0), after)
        if kind in may_stop:
            assign(kind, 0, tiles, jokers, taken, moves, after)

    assign(0, state[0], tiles, jokers, taken, (), (0, 0, 0, 0, 0, 0))
    return tuple(found.items())


def list_flavoured(problem: Problem, space: Workspace) -> list[list[int]] | None:
    """Writes nodes and entries into the kernel's arrays, as its own listing does.

    Returns:
        What each entry's code stands for: its moves; None if there is too little room.
    """
    codes: list[list[int]] = []
    code_of: dict[Moves, int] = {}
    nodes = entries = 0
    arrays = space.arrays
    for colour in range(4):
        layer: dict[State, int] = {(0, 0, 0, 0, 0, 0): 0}
        for number in range(13):
            arrays.node_first[number * 4 + colour] = nodes
            following: dict[State, int] = {}
            for state in layer:
                if nodes + 2 > space.nodes:
                    return None
                arrays.node_id[nodes] = 1
                for sets in range(4):
                    place = nodes * 4 + sets
                    arrays.list_first[place] = entries
                    arrays.list_full[place] = arrays.list_count[place] = 0
                    if sets > arrays.most_sets[number * 4 + colour]:
                        continue
                    for full, item in _entries(problem, colour, number, state, sets):
                        new, moves, tiles, used = item
                        if entries >= space.entries or len(following) > 1000:
                            return None
                        face = colour * 13 + number
                        gain = problem.weights[face] * (tiles + sets - problem.must[face])
                        if problem.joker_gains:
                            gain += problem.joker_gains[number] * used
                        if moves not in code_of:
                            code_of[moves] = len(codes)
                            codes.append(list(moves))
                        arrays.entry_next[entries] = following.setdefault(new, len(following))
                        arrays.entry_jokers[entries] = used
                        arrays.entry_cells[entries] = tiles + used
                        arrays.entry_code[entries] = code_of[moves]
                        arrays.entry_gain[entries] = gain
                        entries += 1
                        arrays.list_count[place] += 1
                        arrays.list_full[place] += full
                nodes += 1
            layer = following
        arrays.node_first[52 + colour] = nodes
        for state in layer:
            arrays.node_id[nodes] = 0 if not any(state) else 1
            nodes += 1
        arrays.node_first[56 + colour] = nodes
    return codes


def _entries(
    problem: Problem, colour: int, number: int, state: State, sets: int
) -> Iterator[tuple[bool, tuple[State, Moves, int, int]]]:
    """A state's ways on: first those that leave no tile of the face in hand."""
    face = colour * 13 + number
    kept = problem.kept_runs.count(face)
    starts = sum(p.colour == colour and p.start == number + 1 for p in problem.pieces)
    ends = sum(p.colour == colour and p.start + len(p.cells) == number + 2 for p in problem.pieces)
    most = problem.must[face] + problem.may[face] - sets
    least = max(0, problem.must[face] - sets)
    single = not problem.two_jokers
    for tiles in range(most, least - 1, -1):
        for used in range(problem.jokers + 1):
            for taken in range(min(starts, sum(state)) + 1):
                for after, moves in _transitions(state, tiles, used + kept, taken, single):
                    new = _bounded(problem, face, after, ends, single)
                    if new is not None:
                        yield tiles == most, (new, moves, tiles, used)


def _bounded(problem: Problem, face: int, after: State, ends: int, single: bool) -> State | None:
    """The state with its long runs cut to what can grow; None if it leads nowhere."""
    if face % 13 == 12:
        if any(after[:4]) or (not single and after[5]):
            return None
        return (0, 0, 0, 0, 0, 0)
    room = problem.must[face + 1] + problem.may[face + 1] + problem.jokers
    room += problem.kept_runs.count(face + 1)
    joined = sum(p.colour == face // 13 and p.start == face % 13 + 2 for p in problem.pieces)
    must_go_on = sum(after[:4]) + (0 if single else after[5])
    if must_go_on > room + joined:
        return None
    longs, flavoured = list(after[4:])
    if single:
        flavoured = min(room, flavoured + ends)
    else:
        longs += ends
    return (*after[:4], min(room, longs), flavoured)
