"""What own tiles alone are worth as an opening.

Needed where the opening turn may go on with table moves: what was laid for the opening is
then no longer seen on the proposed table (rules, section 4, at its end).
"""

from __future__ import annotations

from meldwise.game.melds import LEAST_CELLS
from meldwise.game.tiles import FACES, JOKER_INDEX, NUMBERS

__all__ = ["opening_value"]

_LONGEST_PIECE = 5
"""Any longer run is cut into runs of 3 to 5 cells of the same value."""


def opening_value(counts: list[int], need: int, two_jokers: bool = True) -> int:
    """What own tiles alone are worth as an opening.

    A memoised search over the tiles in order of their numbers, which stops as soon as the
    minimum is reached: hands that fall short have few melds to try.

    Args:
        counts: how many of each tile there are, by index (53).
        need: the opening minimum, in points.
        two_jokers: whether a meld may hold more than one joker.

    Returns:
        The value of disjoint valid melds: some value of at least ``need`` if there is one,
        otherwise the highest there is.
    """
    by_number = tuple(
        counts[colour * NUMBERS + number] for number in range(NUMBERS) for colour in range(4)
    )
    known: dict[tuple[int, tuple[int, ...], int], tuple[int, bool]] = {}

    def best(first: int, left: tuple[int, ...], jokers: int, target: int) -> int:
        """From the faces ``first``, ``first + 1``, ... (four to a number), as above."""
        while first < FACES and not left[0]:
            first, left = first + 1, left[1:]
        if first == FACES:
            return 0
        value, exact = known.get((first, left, jokers), (0, False))
        if exact or value >= target:
            return value
        for cells, used, worth in _melds_from(first, left, jokers, two_jokers):
            rest = list(left)
            for cell in cells:
                rest[cell - first] -= 1
            value = max(value, worth + best(first, tuple(rest), jokers - used, target - worth))
            if value >= target:
                break
        else:
            # The tile stays in hand.
            fewer = (left[0] - 1, *left[1:])
            value = max(value, best(first, fewer, jokers, target))
        known[first, left, jokers] = (value, value < target)
        return value

    return best(0, by_number, counts[JOKER_INDEX], need)


def _melds_from(
    first: int, left: tuple[int, ...], jokers: int, two_jokers: bool
) -> list[tuple[list[int], int, int]]:
    """The melds whose first real tile is ``first``: their faces, jokers used, value."""
    number, colour = first // 4 + 1, first % 4
    most = jokers if two_jokers else min(jokers, 1)
    found: list[tuple[list[int], int, int]] = []

    def extend_run(cells: list[int], used: int, start: int, following: int) -> None:
        length = following - start
        if length >= LEAST_CELLS:
            found.append((cells, used, sum(range(start, following))))
        if length == _LONGEST_PIECE or following > NUMBERS:
            return
        face = (following - 1) * 4 + colour
        if left[face - first]:
            extend_run([*cells, face], used, start, following + 1)
        if used < most:
            extend_run(cells, used + 1, start, following + 1)

    for before in range(min(most, number - 1) + 1):
        extend_run([first], before, number - before, number + 1)
    others = [first + step for step in range(1, 4 - colour) if left[step]]
    for chosen in range(1 << len(others)):
        cells = [first, *[face for bit, face in enumerate(others) if chosen >> bit & 1]]
        for used in range(most + 1):
            if LEAST_CELLS <= len(cells) + used <= 4:
                found.append((cells, used, number * (len(cells) + used)))
    return found
