"""The solver against all end tables of small positions, each judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

import pytest

from meldwise.game.melds import Kind, Meld
from meldwise.game.position import Position
from meldwise.game.rules import Rules
from meldwise.game.tiles import FACES, TILES, Tile, count_tiles
from meldwise.game.turn import judge
from meldwise.solver import (
    GOING_OUT,
    HIGHEST_VALUE,
    MOST_TILES,
    MOST_TILES_THEN_VALUE,
    VALUE_THEN_MOST_TILES,
    Objective,
    arrange,
    best_play,
    can_play,
    playable,
    plays,
)
from tests.solver.brute import Counts, all_flags, end_tables, legal_plays, small_position

NAMED = (MOST_TILES, HIGHEST_VALUE, MOST_TILES_THEN_VALUE, VALUE_THEN_MOST_TILES, GOING_OUT)
FLAGS = all_flags()

Case = tuple[Position, Rules]


def level(random: Random) -> Case:
    return small_position(random), Rules().with_joker_level(random.randint(0, 4))


def flags(random: Random) -> Case:
    return small_position(random), _mixture(random)


def single(random: Random) -> Case:
    return small_position(random), replace(_mixture(random), two_jokers_in_meld=False)


def four(random: Random) -> Case:
    rules = replace(_mixture(random), jokers=4, two_jokers_in_meld=random.random() < 0.7)
    return small_position(random, jokers=4), rules


def three(random: Random) -> Case:
    """Three of each face in the box, and three of some face in the position."""
    rules = replace(_mixture(random), copies=3, jokers=4)
    while True:
        position = small_position(random, jokers=4, copies=3)
        tiles = [tile for meld in position.table for tile in meld.cells]
        if max(count_tiles([*tiles, *position.hand])[:FACES]) == 3:
            return replace(position, opened=random.random() < 0.8), rules


def unopened(random: Random) -> Case:
    position = replace(small_position(random), opened=False)
    return position, replace(_mixture(random), opening_minimum=random.choice((0, 10, 20, 30)))


def table_moves(random: Random) -> Case:
    position, rules = unopened(random)
    return position, replace(rules, opening_table_moves=True)


def _mixture(random: Random) -> Rules:
    return replace(Rules().with_joker_level(0), **random.choice(FLAGS))  # type: ignore[arg-type]


def some(make: Callable[[Random], Case], count: int, most: int = 14) -> list[Case]:
    """So many small cases; tables that the rules do not allow are left out."""
    random = Random(f"{make.__name__} 1")
    found: list[Case] = []
    while len(found) < count:
        position, rules = make(random)
        size = sum(len(meld.cells) for meld in position.table) + len(position.hand)
        crowded = any(len(meld.joker_cells) > 1 for meld in position.table)
        if size <= most and (rules.two_jokers_in_meld or not crowded):
            found.append((position, rules))
    return found


def tiles_of(counts: Counts) -> list[Tile]:
    return [TILES[index] for index, n in enumerate(counts) for _ in range(n)]


@pytest.mark.parametrize(
    ("make", "count", "most"),
    [
        (level, 300, 16),
        (flags, 300, 16),
        (single, 150, 16),
        (four, 120, 11),
        (three, 120, 13),
        (unopened, 150, 16),
        (table_moves, 150, 16),
    ],
)
def test_best_play_is_the_best_of_all_legal_ones(
    make: Callable[[Random], Case], count: int, most: int
) -> None:
    random = Random(7)
    for position, rules in some(make, count, most):
        objective = random.choice(NAMED)
        if random.random() < 0.3:
            objective = Objective((tuple(random.randint(-4, 6) for _ in range(FACES + 1)),))
        legal = legal_plays(position, rules)
        best = max((objective.value(tiles_of(counts)) for counts in legal), default=None)
        if objective.going_out and tuple(count_tiles(position.hand)) in legal:
            best = objective.value(position.hand)
        answer = best_play(position, rules, objective)
        where = f"{position} {rules.differences(Rules())}"
        assert answer.proven, where
        assert (answer.play.value if answer.play else None) == best, where
        assert can_play(position, rules) == bool(legal), where
        if answer.play:
            assert judge(position, answer.play.table, rules).legal, where


@pytest.mark.parametrize("make", [level, flags, table_moves, unopened])
def test_plays_are_all_legal_ones_in_order(make: Callable[[Random], Case]) -> None:
    for position, rules in some(make, 60):
        legal = legal_plays(position, rules)
        found = list(plays(position, rules, 1000, HIGHEST_VALUE))
        where = f"{position} {rules.differences(Rules())}"
        assert len(found) == len(legal), where
        assert {tuple(count_tiles(play.played)) for play in found} == set(legal), where
        values = [play.value for play in found]
        assert values == sorted(values, reverse=True), where
        assert all(judge(position, play.table, rules).legal for play in found), where


@pytest.mark.parametrize("make", [level, table_moves, unopened])
def test_outlook_tells_what_each_tile_is_good_for(make: Callable[[Random], Case]) -> None:
    random = Random(3)
    for position, rules in some(make, 40):
        legal = legal_plays(position, rules)
        outlook = playable(position, rules)
        for tile in set(position.hand):
            assert outlook.playable[tile] == any(counts[tile.index] for counts in legal)
        assert outlook.most == max(map(sum, legal), default=0)
        tile = random.choice(list(outlook.draws))
        drawn = replace(position, hand=(*position.hand, tile))
        assert outlook.draws[tile] == max(map(sum, legal_plays(drawn, rules)), default=0)


@pytest.mark.parametrize(
    ("make", "count", "most"),
    [
        (level, 200, 16),
        (flags, 200, 16),
        (single, 100, 16),
        (four, 60, 11),
        (three, 40, 12),
        (table_moves, 100, 15),
    ],
)
def test_arrangements_disturb_least(make: Callable[[Random], Case], count: int, most: int) -> None:
    random = Random(13)
    for position, rules in some(make, count, most):
        plain = not position.opened and not rules.opening_table_moves
        found = list(plays(position, rules, 6))
        if plain or not found:
            continue
        play = random.choice(found)
        tiles = [tile for meld in position.table for tile in meld.cells]
        best = (-1, -1, -1)
        for melds in end_tables(count_tiles([*tiles, *play.played])):
            rest = undisturbed(position.table, melds)
            if rest > best and judge(position, melds, rules).legal:
                best = rest
        arranged = arrange(position, rules, play.played)
        jokers = sum(tile.is_joker for tile in tiles)
        moved = (jokers - arranged.jokers_moved, len(tiles) - arranged.tiles_moved)
        where = f"{position} {rules.differences(Rules())} {play.played}"
        assert judge(position, arranged.table, rules).legal, where
        assert arranged.proven, where
        assert (len(arranged.kept), *moved) == undisturbed(position.table, arranged.table), where
        assert (len(arranged.kept), *moved) == best, where


def undisturbed(old: Sequence[Meld], new: Sequence[Meld]) -> tuple[int, int, int]:
    """Melds, jokers and tiles that stay, for the best of all ways to take places."""
    best = (0, 0, 0)

    def take(place: int, taken: frozenset[int], kept: int, jokers: int, tiles: int) -> None:
        nonlocal best
        if place == len(old):
            best = max(best, (kept, jokers, tiles))
            return
        take(place + 1, taken, kept, jokers, tiles)
        for index, meld in enumerate(new):
            stays = cells_in_place(old[place]) & cells_in_place(meld)
            if index not in taken and stays:
                take(
                    place + 1,
                    taken | {index},
                    kept + (old[place].key == meld.key),
                    jokers + sum(n for (_, tile, _), n in stays.items() if tile.is_joker),
                    tiles + stays.total(),
                )

    take(0, frozenset(), 0, 0, 0)
    return best


def cells_in_place(meld: Meld) -> Counter[tuple[object, Tile, int]]:
    """A meld's tiles, each with where it lies: the run and the number, or the set's number."""
    if meld.kind is Kind.SET:
        return Counter((meld.kind, tile, meld.start) for tile in meld.cells)
    return Counter((meld.colour, tile, meld.start + n) for n, tile in enumerate(meld.cells))
