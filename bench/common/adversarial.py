"""Positions made to be hard: big hands, long tables, jokers."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from meldwise.game.melds import Meld
from meldwise.game.position import Position
from meldwise.game.rules import Rules
from meldwise.game.tiles import FACES, JOKER, TILES, Tile
from meldwise.solver import best_play


def positions(seed: int, each: int) -> Iterator[tuple[str, Position]]:
    """Named kinds of positions, so many of each."""
    random = Random(seed)
    faces = [tile for tile in TILES[:FACES] for _ in range(2)]
    for size in (30, 60, 104):
        for jokers in (0, 1, 2):
            for _ in range(1 if size == 104 else each):
                hand = [*random.sample(faces, size), *[JOKER] * jokers]
                yield f"hand {size}+{jokers}", Position((), tuple(sorted(hand)))
    for jokers in (0, 1, 2):
        for _ in range(each):
            yield f"table 80+{jokers}", long_table(random, 80, jokers)


def long_table(random: Random, tiles: int, jokers: int) -> Position:
    """A table of at least that many tiles, jokers in its melds, and half of the rest in hand."""
    box = [tile for tile in TILES[:FACES] for _ in range(2)]
    rules = Rules().with_joker_level(0)
    while True:
        chosen = random.sample(box, tiles + 12)
        play = best_play(Position((), tuple(chosen)), rules).play
        if play is None or len(play.played) < tiles:
            continue
        table: list[Meld] = list(play.table)
        freed: list[Tile] = []
        for place in random.sample(range(len(table)), jokers):
            cells = list(table[place].cells)
            cell = random.randrange(len(cells))
            freed.append(cells[cell])
            cells[cell] = JOKER
            table[place] = Meld(table[place].kind, tuple(cells))
        left = list(box)
        for meld in table:
            for tile in meld.cells:
                if not tile.is_joker:
                    left.remove(tile)
        return Position(tuple(table), tuple(sorted(random.sample(left, len(left) // 2))))
