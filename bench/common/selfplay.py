"""Positions from games between players that always play as many tiles as they can."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from meldwise.game.position import Position
from meldwise.game.rules import Rules
from meldwise.game.tiles import FACES, JOKER_INDEX, TILES, Tile
from meldwise.solver import MOST_TILES_THEN_VALUE, best_play


def positions(rules: Rules, seed: int) -> Iterator[Position]:
    """The positions before each turn of one game after another, without end."""
    random = Random(seed)
    while True:
        yield from _game(rules, random, random.randint(2, 4))


def _game(rules: Rules, random: Random, players: int) -> Iterator[Position]:
    box = [tile for tile in TILES[:FACES] for _ in range(rules.copies)]
    box += [TILES[JOKER_INDEX]] * rules.jokers
    random.shuffle(box)
    hands: list[list[Tile]] = [[box.pop() for _ in range(rules.hand_size)] for _ in range(players)]
    opened = [False] * players
    table: Position = Position((), ())
    idle = seat = 0
    while idle < players:
        position = Position(table.table, tuple(sorted(hands[seat])), opened[seat])
        yield position
        play = best_play(position, rules, MOST_TILES_THEN_VALUE).play
        if play is not None:
            table = Position(play.table, ())
            for tile in play.played:
                hands[seat].remove(tile)
            opened[seat] = True
            idle = 0
            if not hands[seat]:
                return
        elif box:
            hands[seat].append(box.pop())
            idle = 0
        else:
            idle += 1
        seat = (seat + 1) % players
