"""The solver against all end tables of small positions, each judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

import pytest

from meldwise.game.melds import Meld
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


@pytest.mark.parametrize("make", [level, flags, single, table_moves])
def test_arrangements_keep_the_most_melds(make: Callable[[Random], Case]) -> None:
    for position, rules in some(make, 80):
        play = best_play(position, rules).play
        if play is None:
            continue
        tiles = [tile for meld in position.table for tile in meld.cells]
        counts = count_tiles([*tiles, *play.played])
        most = 0
        for melds in end_tables(counts):
            kept = kept_in(position.table, melds)
            if kept > most and judge(position, melds, rules).legal:
                most = kept
        found = arrange(position, rules, play.played)
        where = f"{position} {rules.differences(Rules())}"
        assert judge(position, found.table, rules).legal, where
        assert len(found.kept) == most or (len(found.kept) < most and not found.proven), where


def kept_in(old: Sequence[Meld], new: Sequence[Meld]) -> int:
    """How many old melds are among the new ones."""
    left = Counter(meld.key for meld in new)
    return sum(min(count, left[key]) for key, count in Counter(m.key for m in old).items())
