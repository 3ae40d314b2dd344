"""The solver against optima that other programs have proven."""

from __future__ import annotations

from dataclasses import replace

import pytest

from meldwise.game.rules import Rules
from meldwise.game.turn import judge
from meldwise.solver import (
    HIGHEST_VALUE,
    MOST_TILES,
    MOST_TILES_THEN_VALUE,
    arrange,
    best_play,
    can_play,
    highest_value,
)
from tests.solver.sets import lines

FREE = Rules().with_joker_level(0)


@pytest.mark.parametrize("name", ["synthetic", "games"])
@pytest.mark.parametrize(
    ("key", "objective"),
    [
        ("tiles", MOST_TILES),
        ("value", HIGHEST_VALUE),
        ("value_without_jokers", highest_value(0)),
    ],
)
def test_best_play_equals_the_truth_at_j0(name: str, key: str, objective: object) -> None:
    for position, truth in lines(name):
        answer = best_play(position, FREE, objective)  # type: ignore[arg-type]
        assert answer.proven
        assert answer.gap == 0
        assert (answer.play.value[0] if answer.play else None) == truth[key], str(position)
        if answer.play:
            verdict = judge(position, answer.play.table, FREE)
            assert verdict.legal, str(position)
            assert verdict.played == answer.play.played


@pytest.mark.parametrize("name", ["synthetic", "games"])
def test_value_among_plays_of_the_most_tiles(name: str) -> None:
    for position, truth in lines(name):
        play = best_play(position, FREE, MOST_TILES_THEN_VALUE).play
        assert (play.value if play else None) == (
            (truth["tiles"], truth["value_at_tiles"]) if truth["tiles"] else None
        )


@pytest.mark.parametrize("name", ["synthetic", "games"])
def test_most_tiles_of_an_opening(name: str) -> None:
    for position, truth in lines(name):
        unopened = replace(position, opened=False)
        play = best_play(unopened, FREE).play
        assert (len(play.played) if play else None) == truth["opening_tiles"], str(position)
        assert can_play(unopened, FREE) == (truth["opening_tiles"] is not None)
        if play:
            assert judge(unopened, play.table, FREE).legal


@pytest.mark.parametrize("level", range(5))
def test_published_games_have_not_changed(level: int) -> None:
    rules = Rules().with_joker_level(level)
    for position, truth in lines(f"games-j{level}", every=4):
        play = best_play(position, rules, MOST_TILES_THEN_VALUE).play
        assert (play and play.value[0]) == truth["tiles"]
        assert (play and play.value[1]) == truth["value_at_tiles"]
        if play:
            assert judge(position, play.table, rules).legal, str(position)


def test_adversarial_positions_are_proven() -> None:
    for position, truth in lines("adversarial", every=5):
        answer = best_play(position, FREE)
        assert answer.proven
        assert answer.play is not None
        assert answer.play.value[0] == truth["tiles"]
        assert judge(position, answer.play.table, FREE).legal


def test_arrangements_of_games_keep_no_more_melds_than_can_be() -> None:
    for position, truth in lines("games", every=3):
        play = best_play(position, FREE).play
        if play is None:
            continue
        found = arrange(position, FREE, play.played)
        assert len(found.kept) <= truth["melds_kept_at_tiles"]
        verdict = judge(position, found.table, FREE)
        assert verdict.legal
        assert verdict.played == play.played
