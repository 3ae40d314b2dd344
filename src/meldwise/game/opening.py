"""What own tiles alone are worth as an opening, and how they would be laid.

The value is needed where the opening turn may go on with table moves: what was laid for the
opening is then no longer seen on the proposed table (rules, section 4, at its end).
"""

from __future__ import annotations

from collections.abc import Iterator

from meldwise.game.melds import LEAST_CELLS, Kind, Meld
from meldwise.game.tiles import FACES, JOKER, JOKER_INDEX, NUMBERS, TILES

__all__ = ["find_opening", "opening_value"]

_LONGEST_PIECE = 5
"""Any longer run is cut into runs of 3 to 5 cells of the same value."""

Counts = tuple[int, ...]


def opening_value(counts: list[int], need: int, two_jokers: bool = True) -> int:
    """What own tiles alone are worth as an opening.

    Args:
        counts: how many of each tile there are, by index (53).
        need: the opening minimum, in points.
        two_jokers: whether a meld may hold more than one joker.

    Returns:
        The value of disjoint valid melds: some value of at least ``need`` if there is one,
        otherwise the highest there is.
    """
    return sum(meld.value for meld in find_opening(counts, need, two_jokers))


def find_opening(counts: list[int], need: int, two_jokers: bool = True) -> tuple[Meld, ...]:
    """Melds from these tiles alone that reach a minimum, or those of the highest value.

    A memoised search over the tiles in order of their numbers, which stops as soon as the
    minimum is reached: hands that fall short have few melds to try.

    Args:
        counts: how many of each tile there are, by index (53).
        need: the opening minimum, in points.
        two_jokers: whether a meld may hold more than one joker.
    """
    search = _Search(two_jokers)
    first: Counts = tuple(
        counts[colour * NUMBERS + number] for number in range(NUMBERS) for colour in range(4)
    )
    search.best(0, first, counts[JOKER_INDEX], need)
    return tuple(search.melds(0, first, counts[JOKER_INDEX]))


class _Search:
    """Faces are in order of their numbers, four to a number; ``left`` starts at ``first``."""

    def __init__(self, two_jokers: bool) -> None:
        self.two_jokers = two_jokers
        self.known: dict[tuple[int, Counts, int], tuple[int, bool, Meld | None]] = {}

    def best(self, first: int, left: Counts, jokers: int, target: int) -> int:
        """The highest value, or one that reaches the target."""
        first, left = _skip_empty(first, left)
        if first == FACES:
            return 0
        value, exact, chosen = self.known.get((first, left, jokers), (0, False, None))
        if exact or value >= target:
            return value
        for meld in _melds_from(first, left, jokers, self.two_jokers):
            rest, fewer = _after(first, left, jokers, meld)
            worth = meld.value + self.best(first, rest, fewer, target - meld.value)
            if worth > value:
                value, chosen = worth, meld
            if value >= target:
                break
        else:
            rest = (left[0] - 1, *left[1:])  # The tile stays in hand.
            worth = self.best(first, rest, jokers, target)
            if worth > value:
                value, chosen = worth, None
        self.known[first, left, jokers] = (value, value < target, chosen)
        return value

    def melds(self, first: int, left: Counts, jokers: int) -> Iterator[Meld]:
        """The melds behind the value that :meth:`best` found."""
        first, left = _skip_empty(first, left)
        while first < FACES:
            value, _, chosen = self.known.get((first, left, jokers), (0, False, None))
            if not value:
                return
            if chosen is None:
                left = (left[0] - 1, *left[1:])
            else:
                yield chosen
                left, jokers = _after(first, left, jokers, chosen)
            first, left = _skip_empty(first, left)


def _skip_empty(first: int, left: Counts) -> tuple[int, Counts]:
    skip = 0
    while skip < len(left) and not left[skip]:
        skip += 1
    return first + skip, left[skip:]


def _after(first: int, left: Counts, jokers: int, meld: Meld) -> tuple[Counts, int]:
    """The tiles and jokers left when a meld has been laid."""
    rest = list(left)
    for tile in meld.cells:
        if tile.is_joker:
            jokers -= 1
        else:
            number, colour = tile.index % NUMBERS, tile.index // NUMBERS
            rest[number * 4 + colour - first] -= 1
    return tuple(rest), jokers


def _melds_from(first: int, left: Counts, jokers: int, two_jokers: bool) -> Iterator[Meld]:
    """The melds whose first real tile is the face ``first``."""
    number, colour = first // 4 + 1, first % 4
    most = jokers if two_jokers else min(jokers, 1)
    tile = TILES[colour * NUMBERS + number - 1]

    others = [
        TILES[other * NUMBERS + number - 1]
        for other in range(colour + 1, 4)
        if left[other - colour]
    ]
    for chosen in range((1 << len(others)) - 1, -1, -1):
        real = [tile, *[other for bit, other in enumerate(others) if chosen >> bit & 1]]
        for used in range(most + 1):
            if LEAST_CELLS <= len(real) + used <= 4:
                yield Meld(Kind.SET, (*real, *[JOKER] * used))
    starts = [(tile,), *[(*[JOKER] * n, tile) for n in range(1, min(most, number - 1) + 1)]]
    todo = [(cells, len(cells) - 1, number + 1) for cells in reversed(starts)]
    while todo:
        cells, used, following = todo.pop()
        if len(cells) >= LEAST_CELLS:
            yield Meld(Kind.RUN, cells)
        if len(cells) == _LONGEST_PIECE or following > NUMBERS:
            continue
        if used < most:
            todo.append(((*cells, JOKER), used + 1, following + 1))
        if left[(following - 1) * 4 + colour - first]:
            real_tile = TILES[colour * NUMBERS + following - 1]
            todo.append(((*cells, real_tile), used, following + 1))
