"""What moves from one table to another.

Each meld of the new table takes the place of at most one meld of the old, and each old meld's
place is taken by at most one new meld. A tile of an old meld *stays* if the meld that takes
its place has it too: in a run at the same number, in a set of the same number anywhere; a
joker likewise. All others move. Of all ways to take places, that one counts which leaves
most melds as they are, then most jokers, then most tiles.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from meldwise.game.melds import Kind, Meld
from meldwise.game.tiles import Tile, count_tiles

__all__ = ["JOKER_STAYS", "MELD_STAYS", "TILE_STAYS", "Places", "staying", "take_places"]

TILE_STAYS = 1
JOKER_STAYS = 1 << 8
"""More than all tiles of a box."""

MELD_STAYS = 1 << 12
"""More than all jokers of a box."""

Places = dict[int, int]
"""For the index of an old meld that of the new meld that takes its place."""


@lru_cache(maxsize=1 << 14)
def staying(before: Meld, after: Meld) -> tuple[Tile, ...]:
    """The tiles of a meld that stay if another takes its place."""
    if before.key == after.key:
        return before.cells
    if before.kind is not after.kind or (before.start != after.start and before.kind is Kind.SET):
        return ()
    if not before.is_valid or not after.is_valid:
        return ()
    if before.kind is Kind.SET:
        left = count_tiles(after.cells)
        stays = []
        for tile in before.cells:
            if left[tile.index]:
                left[tile.index] -= 1
                stays.append(tile)
        return tuple(stays)
    if before.colour is not after.colour:
        return ()
    shift = before.start - after.start
    return tuple(
        tile
        for cell, tile in enumerate(before.cells)
        if 0 <= cell + shift < len(after.cells) and after.cells[cell + shift] == tile
    )


@lru_cache(maxsize=1 << 14)
def _worth(before: Meld, after: Meld) -> int:
    stays = staying(before, after)
    if not stays:
        return 0
    jokers = sum(tile.is_joker for tile in stays)
    whole = MELD_STAYS if before.key == after.key else 0
    return whole + jokers * JOKER_STAYS + len(stays) * TILE_STAYS


@dataclass(frozen=True, slots=True)
class _Choice:
    worth: int
    places: tuple[tuple[int, int], ...] = ()


def take_places(old: Sequence[Meld], new: Sequence[Meld]) -> tuple[int, Places]:
    """How the new melds take the places of the old ones, and what stays, as one number."""
    options: dict[int, list[tuple[int, int]]] = {}
    for place, before in enumerate(old):
        fitting = [(index, _worth(before, after)) for index, after in enumerate(new)]
        options[place] = [(index, worth) for index, worth in fitting if worth]
    total = 0
    places: Places = {}
    for group in _groups(options):
        known: dict[tuple[int, frozenset[int]], _Choice] = {}

        def best(
            step: int,
            taken: frozenset[int],
            group: list[int] = group,
            known: dict[tuple[int, frozenset[int]], _Choice] = known,
        ) -> _Choice:
            if step == len(group):
                return _Choice(0)
            mark = (step, taken)
            if mark not in known:
                place = group[step]
                found = best(step + 1, taken)
                for index, worth in options[place]:
                    if index not in taken:
                        rest = best(step + 1, taken | {index})
                        if worth + rest.worth > found.worth:
                            found = _Choice(worth + rest.worth, ((place, index), *rest.places))
                known[mark] = found
            return known[mark]

        choice = best(0, frozenset())
        total += choice.worth
        places |= dict(choice.places)
    return total, places


def _groups(options: dict[int, list[tuple[int, int]]]) -> list[list[int]]:
    """The old melds in groups that no new meld joins."""
    groups: list[tuple[list[int], set[int]]] = []
    for place, fitting in options.items():
        if not fitting:
            continue
        places, indices = [place], {index for index, _ in fitting}
        apart = []
        for group in groups:
            if group[1] & indices:
                places = [*group[0], *places]
                indices |= group[1]
            else:
                apart.append(group)
        groups = [*apart, (places, indices)]
    return [places for places, _ in groups]
