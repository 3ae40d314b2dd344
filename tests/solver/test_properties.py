"""What must hold of any solver, on positions from games."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from random import Random

import pytest

from bench.common.selfplay import positions
from meldwise.game.melds import Meld
from meldwise.game.position import Position
from meldwise.game.rules import Rules
from meldwise.game.tiles import FACES, NUMBERS, TILES, Tile, count_tiles
from meldwise.game.turn import judge
from meldwise.solver import (
    GOING_OUT,
    MOST_TILES,
    MOST_TILES_THEN_VALUE,
    Objective,
    arrange,
    best_play,
    best_plays,
)

LEVELS = [Rules().with_joker_level(level) for level in range(5)]


def most(position: Position, rules: Rules) -> int:
    play = best_play(position, rules).play
    return len(play.played) if play else 0


@pytest.mark.parametrize("rules", LEVELS)
def test_one_more_tile_never_lowers_the_best(rules: Rules) -> None:
    random = Random(5)
    for position in islice(positions(rules, 17), 0, 400, 5):
        counts = count_tiles(
            [*position.hand, *(tile for meld in position.table for tile in meld.cells)]
        )
        free = [tile for tile in TILES[:FACES] if counts[tile.index] < 2]
        drawn = replace(position, hand=(*position.hand, random.choice(free)))
        assert most(drawn, rules) >= most(position, rules)


def test_a_lower_joker_level_never_gives_less() -> None:
    for position in islice(positions(LEVELS[4], 23), 400):
        best = [most(position, rules) for rules in LEVELS]
        assert best == sorted(best, reverse=True), str(position)


@pytest.mark.parametrize("rules", LEVELS)
def test_colours_can_be_permuted_and_twins_swapped(rules: Rules) -> None:
    random = Random(9)
    for position in islice(positions(rules, 29), 0, 400, 4):
        order = random.sample(range(4), 4)

        def painted(tile: Tile, order: list[int] = order) -> Tile:
            if tile.is_joker:
                return tile
            return TILES[order[tile.index // NUMBERS] * NUMBERS + tile.index % NUMBERS]

        table = [Meld(meld.kind, tuple(map(painted, meld.cells))) for meld in position.table]
        hand = list(map(painted, position.hand))
        random.shuffle(table)
        random.shuffle(hand)
        other = Position(tuple(table), tuple(hand), position.opened)
        one = best_play(position, rules, MOST_TILES_THEN_VALUE).play
        two = best_play(other, rules, MOST_TILES_THEN_VALUE).play
        assert (one and one.value) == (two and two.value)


@pytest.mark.parametrize("rules", LEVELS)
def test_arrangements_are_legal_and_complete(rules: Rules) -> None:
    for position in islice(positions(rules, 31), 0, 400, 6):
        play = best_play(position, rules).play
        if play is None:
            continue
        found = arrange(position, rules, play.played)
        verdict = judge(position, found.table, rules)
        assert verdict.legal, str(position)
        assert verdict.played == play.played
        untouched = [position.table[place] for place in found.kept]
        assert list(found.table[: len(untouched)]) == untouched
        assert [step.meld for step in found.steps] == list(found.table[len(untouched) :])
        for step in found.steps:
            laid = [tile for source in step.sources for tile in source.tiles]
            assert sorted(laid) == sorted(step.meld.cells)
        from_hand = [
            tile
            for step in found.steps
            for source in step.sources
            if source.place is None
            for tile in source.tiles
        ]
        assert sorted(from_hand) == list(play.played)


def test_batches_give_the_same_answers_in_order() -> None:
    rules = LEVELS[3]
    some = list(islice(positions(rules, 37), 150))
    one_by_one = [best_play(position, rules) for position in some]
    assert list(best_plays(iter(some), rules, threads=3)) == one_by_one


def test_most_tiles_is_never_beaten_by_a_smaller_budget() -> None:
    for position in islice(positions(LEVELS[0], 41), 0, 300, 10):
        full = best_play(position, LEVELS[0], MOST_TILES)
        assert full.proven
        for nodes in (1, 20, 200):
            short = best_play(position, LEVELS[0], MOST_TILES, nodes=nodes)
            if short.play is None:
                assert not short.proven or full.play is None
                continue
            assert full.total is not None
            assert short.total is not None
            assert short.total <= full.total <= short.bound
            assert not short.proven or short.total == full.total
            assert judge(position, short.play.table, LEVELS[0]).legal


@pytest.mark.parametrize("level", [0, 2, 4])
def test_batches_know_objectives_openings_and_budgets(level: int) -> None:
    rules = LEVELS[level]
    some = list(islice(positions(rules, 47), 0, 400, 3))
    dear = Objective((tuple(range(-6, 47)),))
    for objective, nodes in (
        (GOING_OUT, 0),
        (MOST_TILES_THEN_VALUE, 0),
        (dear, 0),
        (MOST_TILES, 5),
    ):
        one_by_one = [best_play(position, rules, objective, nodes=nodes) for position in some]
        assert list(best_plays(some, rules, objective, threads=2, nodes=nodes)) == one_by_one


def test_batches_of_hard_positions_grow_their_room() -> None:
    some = [Position((), tuple(sorted(TILES * 2))[:size]) for size in (104, 106, 90)]
    one_by_one = [best_play(position, LEVELS[0]) for position in some]
    assert list(best_plays(some, LEVELS[0], threads=1)) == one_by_one
