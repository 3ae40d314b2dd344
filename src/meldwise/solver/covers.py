"""All ways to lay given tiles in valid melds: for a few melds only."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from meldwise.game.melds import Meld
from meldwise.game.tiles import FACES, JOKER_INDEX
from meldwise.solver.best import meld_of
from meldwise.solver.layout import JOKER_CELL

__all__ = ["covers"]


def covers(counts: list[int], patience: int) -> Iterator[tuple[Meld, ...]]:
    """Every way to lay exactly the tiles counted, until too many dead ends were met.

    Args:
        counts: how many of each tile there are, 53.
        patience: how many partial tables, in tens, may be looked at.
    """
    left = list(counts)
    tries = 0

    def lay(melds: tuple[Meld, ...]) -> Iterator[tuple[Meld, ...]]:
        nonlocal tries
        tries += 1
        first = next((index for index in range(FACES) if left[index]), None)
        if first is None:
            if not left[JOKER_INDEX]:
                yield melds
            return
        for meld in _with_first(first, left):
            if tries > 10 * patience:
                return
            for tile in meld.cells:
                left[tile.index] -= 1
            yield from lay((*melds, meld))
            for tile in meld.cells:
                left[tile.index] += 1

    return lay(())


def _with_first(first: int, left: list[int]) -> list[Meld]:
    """The melds whose first real tile, by index, is ``first``; longer runs first."""
    colour, number = divmod(first, 13)
    jokers = left[JOKER_INDEX]
    found: list[tuple[bool, tuple[int, ...]]] = []

    def runs(cells: list[int], following: int, used: int) -> None:
        if following <= 13:
            face = colour * 13 + following - 1
            if left[face]:
                runs([*cells, face], following + 1, used)
            if used < jokers:
                runs([*cells, JOKER_CELL], following + 1, used + 1)
        if len(cells) >= 3:
            found.append((True, tuple(cells)))

    for before in range(min(jokers, number) + 1):
        runs([JOKER_CELL] * before + [first], number + 2, before)
    others = [c * 13 + number for c in range(colour + 1, 4) if left[c * 13 + number]]
    for size in range(len(others), -1, -1):
        for chosen in combinations(others, size):
            for used in range(jokers + 1):
                if 3 <= 1 + size + used <= 4:
                    found.append((False, (first, *chosen, *[JOKER_CELL] * used)))
    return [meld_of(is_run, cells) for is_run, cells in found]
