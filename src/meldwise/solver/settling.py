"""The sets of one number for given tiles, of which most stays."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations

from meldwise.solver.moved import JOKER_STAYS, MELD_STAYS, TILE_STAYS
from meldwise.solver.sets import Cell, Sets, SetSpec

__all__ = ["settle_sets"]

Counts = tuple[int, int, int, int, int]
"""How many tiles of each colour, and how many jokers."""


@lru_cache(maxsize=1 << 16)
def settle_sets(
    spec: SetSpec, code: int, jokers: int, whole: Sets, olds: Sets
) -> tuple[int, Sets] | None:
    """The sets that hold exactly these tiles and jokers.

    Args:
        spec: what is special about the sets of the number.
        code: how many tiles of each colour, two bits a colour.
        jokers: how many jokers, those that keep their role not counted.
        whole: sets that lie besides as they are.
        olds: the sets of the number at the start.

    Returns:
        How much of the old sets stays, and the sets with ``whole``; None if there are none.
    """
    counts = [code >> shift & 3 for shift in (0, 2, 4, 6)]
    jokers += len(spec.kept)
    for mask, kept in spec.closed:
        jokers += kept
        for colour in range(4):
            counts[colour] += mask >> colour & 1
    best: tuple[int, Sets] | None = None
    for sets in _splits((counts[0], counts[1], counts[2], counts[3], jokers), 0, spec.two_jokers):
        if _closed_lie_in(spec.closed, sets) and _kept_lie_in(spec.kept, sets):
            table = (*whole, *sets)
            stays = _staying(olds, table)
            if best is None or stays > best[0]:
                best = stays, table
    return best


@lru_cache(maxsize=2)
def _shapes(two_jokers: bool) -> tuple[tuple[Counts, tuple[Cell, ...]], ...]:
    found = []
    for size in range(4, 0, -1):
        for colours in combinations(range(4), size):
            held = [int(colour in colours) for colour in range(4)]
            for jokers in range(4 if two_jokers else 2):
                if 3 <= size + jokers <= 4:
                    shape = (held[0], held[1], held[2], held[3], jokers)
                    found.append((shape, (*colours, *[-1] * jokers)))
    return tuple(found)


def _splits(counts: Counts, first: int, two_jokers: bool) -> Iterator[Sets]:
    """All ways to split tiles and jokers into sets, each once."""
    if not any(counts):
        yield ()
        return
    shapes = _shapes(two_jokers)
    for place in range(first, len(shapes)):
        shape, cells = shapes[place]
        a, b, c, d, e = (have - need for have, need in zip(counts, shape, strict=True))
        if min(a, b, c, d, e) >= 0:
            for rest in _splits((a, b, c, d, e), place, two_jokers):
                yield (cells, *rest)


def _closed_lie_in(closed: tuple[tuple[int, int], ...], sets: Sets) -> bool:
    """Whether each closed set can lie whole in a set of its own."""
    if not closed:
        return True
    mask, kept = closed[0]
    for place, cells in enumerate(sets):
        fits = cells.count(-1) >= kept and all(c in cells for c in range(4) if mask >> c & 1)
        if fits and _closed_lie_in(closed[1:], (*sets[:place], *sets[place + 1 :])):
            return True
    return False


def _kept_lie_in(kept: tuple[int, ...], sets: Sets) -> bool:
    """Whether each joker that keeps its role can be one in a set that lacks its colour."""
    if not kept:
        return True
    for place, cells in enumerate(sets):
        if -1 in cells and any(kept[0] >> c & 1 and c not in cells for c in range(4)):
            # The marker keeps the colours and takes one joker out.
            rest = list(cells)
            rest.remove(-1)
            if _kept_lie_in(kept[1:], (*sets[:place], tuple(rest), *sets[place + 1 :])):
                return True
    return False


def _staying(olds: Sets, sets: Sets) -> int:
    """What stays of the old sets where each takes the best place."""
    if not olds:
        return 0
    best = _staying(olds[1:], sets)
    old = olds[0]
    for place, cells in enumerate(sets):
        jokers = min(old.count(-1), cells.count(-1))
        stays = jokers + sum(colour in cells for colour in old if colour >= 0)
        if stays:
            worth = stays * TILE_STAYS + jokers * JOKER_STAYS
            if sorted(old) == sorted(cells):
                worth += MELD_STAYS
            worth += _staying(olds[1:], (*sets[:place], *sets[place + 1 :]))
            best = max(best, worth)
    return best
