"""Melds that can be laid from a hand alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Final

from meldwise.game.melds import LEAST_CELLS, Kind, Meld
from meldwise.game.tiles import JOKER, JOKER_INDEX, NUMBERS, Colour, Tile, count_tiles

__all__ = ["new_melds", "one_joker_melds", "take_melds"]

_MOST_STEPS: Final = 3_000
"""How many choices of melds are looked at; hands of common size have far fewer."""


def take_melds(hand: list[Tile], melds: Iterable[Meld]) -> None:
    """Takes the tiles of melds out of a hand."""
    for meld in melds:
        for tile in meld.cells:
            hand.remove(tile)


def new_melds(hand: Iterable[Tile]) -> list[Meld]:
    """New melds with the most tiles, of the highest value among those; no jokers."""
    counts = count_tiles(hand)
    counts[JOKER_INDEX] = 0
    melds = sorted(_candidates(counts), key=lambda meld: -len(meld.cells))
    best: tuple[int, int, list[Meld]] = (0, 0, [])
    steps = 0

    def search(start: int, tiles: int, value: int, chosen: list[Meld]) -> None:
        nonlocal best, steps
        steps += 1
        if (tiles, value) > best[:2]:
            best = (tiles, value, list(chosen))
        for place in range(start, len(melds)):
            if steps > _MOST_STEPS:
                return
            meld = melds[place]
            if all(counts[tile.index] for tile in meld.cells):
                for tile in meld.cells:
                    counts[tile.index] -= 1
                search(place, tiles + len(meld.cells), value + meld.value, [*chosen, meld])
                for tile in meld.cells:
                    counts[tile.index] += 1

    search(0, 0, 0, [])
    return best[2]


def one_joker_melds(counts: list[int]) -> Iterator[Meld]:
    """The melds of three tiles with one joker."""
    for colour in Colour:
        for first in range(1, NUMBERS - 1):
            cells = [Tile.of(colour, number) for number in range(first, first + 3)]
            lacking = [place for place, tile in enumerate(cells) if not counts[tile.index]]
            if len(lacking) == 1:
                cells[lacking[0]] = JOKER
                yield Meld(Kind.RUN, tuple(cells))
    for number in range(1, NUMBERS + 1):
        held = [tile for colour in Colour if counts[(tile := Tile.of(colour, number)).index]]
        for pair in combinations(held, 2):
            yield Meld(Kind.SET, (*pair, JOKER))


def _candidates(counts: list[int]) -> Iterator[Meld]:
    """All melds without jokers that can be made of the tiles."""
    for colour in Colour:
        for first in range(1, NUMBERS - LEAST_CELLS + 2):
            cells: list[Tile] = []
            for number in range(first, NUMBERS + 1):
                tile = Tile.of(colour, number)
                if not counts[tile.index]:
                    break
                cells.append(tile)
                if len(cells) >= LEAST_CELLS:
                    yield Meld(Kind.RUN, tuple(cells))
    for number in range(1, NUMBERS + 1):
        tiles = [Tile.of(colour, number) for colour in Colour]
        held = [tile for tile in tiles if counts[tile.index]]
        for size in (3, 4):
            for chosen in combinations(held, size):
                yield Meld(Kind.SET, chosen)
