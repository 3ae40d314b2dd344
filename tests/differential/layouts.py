"""Melds and layouts of the small universe: plain tuples of faces, apart from the engine's own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from typing import TypeAlias

from meldwise.game.melds import Kind, Meld
from meldwise.game.tiles import JOKER_INDEX, NUMBERS, TILES

Face: TypeAlias = int
Faces: TypeAlias = tuple[Face, ...]
Plain: TypeAlias = tuple[Kind, Faces]
"""A meld; the faces of a set are sorted."""
Layout: TypeAlias = tuple[Plain, ...]
"""Melds, sorted."""
Cell: TypeAlias = tuple[int, int]
"""The index of a meld and of a cell in it."""
Role: TypeAlias = tuple[Kind, frozenset[Face]]

COLOURS = 4


# --- melds and layouts --------------------------------------------------------------------


def start_of(meld: Plain) -> tuple[int, int]:
    """Colour and number of a run's first cell."""
    place, face = next((p, f) for p, f in enumerate(meld[1]) if f != JOKER_INDEX)
    return face // NUMBERS, face % NUMBERS + 1 - place


def role_of(meld: Plain, cell: int) -> Role:
    """The faces that the joker in a cell of a valid meld may stand for."""
    kind, faces = meld
    if kind is Kind.RUN:
        colour, first = start_of(meld)
        return kind, frozenset({colour * NUMBERS + first + cell - 1})
    number = next(face % NUMBERS for face in faces if face != JOKER_INDEX)
    every = {colour * NUMBERS + number for colour in range(COLOURS)}
    return kind, frozenset(every - set(faces))


def overlap(before: Role, after: Role) -> bool:
    return before[0] is after[0] and bool(before[1] & after[1])


def value_of(meld: Plain) -> int:
    """What a valid meld is worth in an opening."""
    if meld[0] is Kind.RUN:
        first = start_of(meld)[1]
        return sum(range(first, first + len(meld[1])))
    return len(meld[1]) * next(f % NUMBERS + 1 for f in meld[1] if f != JOKER_INDEX)


def _melds_with(face: Face, tiles: Counter[Face]) -> Iterator[Plain]:
    """The valid melds of given tiles that hold one given face, the lowest of them."""
    colour, number = divmod(face, NUMBERS)
    jokers = tiles[JOKER_INDEX]
    for first in range(max(0, number - jokers), number + 1):
        for length in range(3, NUMBERS - first + 1):
            if first + length <= number:
                continue
            choices: list[Faces] = []
            for at in range(first, first + length):
                one = colour * NUMBERS + at
                if at == number:
                    choices.append((one,))
                elif at > number and tiles[one]:
                    choices.append((one, JOKER_INDEX))
                else:
                    choices.append((JOKER_INDEX,))
            if sum(choice == (JOKER_INDEX,) for choice in choices) > jokers:
                break
            for cells in product(*choices):
                if cells.count(JOKER_INDEX) <= jokers:
                    yield Kind.RUN, cells
    others = [
        other * NUMBERS + number
        for other in range(colour + 1, COLOURS)
        if tiles[other * NUMBERS + number]
    ]
    for count in range(len(others) + 1):
        for chosen in combinations(others, count):
            for size in (3, 4):
                used = size - 1 - count
                if 0 <= used <= jokers:
                    yield Kind.SET, (face, *chosen, *[JOKER_INDEX] * used)


def layouts(tiles: Sequence[Face], two_jokers: bool = True) -> set[Layout]:
    """All ways to lay all of the tiles in valid melds."""
    found: set[Layout] = set()

    def lay(left: Counter[Face], done: Layout) -> None:
        real = [face for face, count in left.items() if count and face != JOKER_INDEX]
        if not real:
            if not left[JOKER_INDEX]:
                found.add(tuple(sorted(done)))
            return
        for meld in _melds_with(min(real), left):
            if two_jokers or meld[1].count(JOKER_INDEX) <= 1:
                rest = left.copy()
                rest.subtract(meld[1])
                lay(rest, (*done, meld))

    lay(Counter(tiles), ())
    return found


def to_melds(layout: Layout) -> tuple[Meld, ...]:
    """The melds as the judge knows them."""
    return tuple(Meld(kind, tuple(TILES[face] for face in faces)) for kind, faces in layout)
