"""Section 2 of the rules: what hands cost, and the scores of won and blocked rounds."""

from __future__ import annotations

import pytest

from meldwise.game.actions import Pass, Play
from meldwise.game.presets import GAMES
from meldwise.game.rules import Rules
from meldwise.game.scores import (
    RoundEnd,
    RoundResult,
    blocked_winner,
    hand_value,
    score_blocked,
    score_won,
)
from tests.rounds import a_round, steps, table, tiles


def _blocked(*hands: str, opened: tuple[bool, ...] | None = None, **fields: object) -> RoundResult:
    """The result of a round that ends as everybody passes."""
    rules = Rules.from_dict(fields)
    state = a_round(*hands, rules=rules, opened=True if opened is None else opened)
    for seat in range(len(hands)):
        state = steps(state, Pass(seat))
    assert state.result is not None
    assert state.result.end is RoundEnd.BLOCKED
    return state.result


def _won(*losers: str, opened: tuple[bool, ...] | None = None, **fields: object) -> RoundResult:
    """The result of a round that seat 0 wins with a red 8."""
    rules = Rules.from_dict(fields)
    flags = True if opened is None else (True, *opened)
    state = a_round("r8", *losers, rules=rules, table="r5-6-7", stock="b1", opened=flags)
    state = steps(state, Play(0, table("r5-6-7-8")))
    assert state.result is not None
    assert state.result.end is RoundEnd.WON
    return state.result


# --- hands --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "value"),
    [("", 0), ("r1", 1), ("k13 b13", 26), ("r10 y11", 21), ("*", 30), ("* * r2", 62)],
)
def test_section_2_score_of_a_hand(hand: str, value: int) -> None:
    assert hand_value(tiles(hand), Rules()) == value


def test_section_2_score_joker_in_hand_surcharge() -> None:
    assert hand_value(tiles("* r2"), Rules(joker_in_hand=50)) == 52
    assert hand_value(tiles("* r2"), GAMES.find("World Championship style").rules) == 52
    assert hand_value(tiles("* r2"), Rules(joker_in_hand=0)) == 2


# --- won rounds ---------------------------------------------------------------------


def test_section_2_score_won_losers_minus_hand_winner_plus_sum() -> None:
    # 5 + 13 = 18; 30 + 1 = 31; 10 + 10 + 2 = 22; together 71.
    result = _won("r5 k13", "* y1", "b10 k10 y2")
    assert result.winner == 0
    assert result.scores == (71, -18, -31, -22)
    assert sum(result.scores) == 0


@pytest.mark.parametrize("flag", ["rrrummy", "box", "plain"])
def test_section_2_score_won_is_the_same_under_every_blocked_score(flag: str) -> None:
    assert _won("r5 k13", "y1", blocked_score=flag).scores == (19, -18, -1)


def test_section_2_score_won_by_any_seat() -> None:
    hands = (tiles("r5"), (), tiles("r7 *"))
    assert score_won(hands, 1, (True,) * 3, Rules()) == (-5, 42, -37)


def test_section_2_score_won_surcharge_for_not_having_opened() -> None:
    result = _won("r5", "y1", opened=(False, True), unopened_surcharge=100)
    assert result.scores == (106, -105, -1)
    result = _won("r5", "y1", opened=(False, False), unopened_surcharge=100)
    assert result.scores == (206, -105, -101)


def test_section_2_score_won_world_championship() -> None:
    rules = GAMES.find("World Championship style").rules
    state = a_round("r8", "* r3", rules=rules, table="r5-6-7", opened=(True, False))
    result = steps(state, Play(0, table("r5-6-7-8"))).result
    assert result is not None
    assert result.scores == (153, -153)  # 50 + 3 + 100


# --- blocked rounds -----------------------------------------------------------------

# Hands: 20, 5 and 12 points.
HANDS = ("r10 k10", "y5", "b12")


@pytest.mark.parametrize(
    ("flag", "scores"),
    [
        ("rrrummy", (-20, 20 + 12 - 5, -12)),
        ("plain", (-20, 20 + 12, -12)),
        ("box", (-(20 - 5), (20 - 5) + (12 - 5), -(12 - 5))),
    ],
)
def test_section_2_score_blocked_by_flag(flag: str, scores: tuple[int, ...]) -> None:
    result = _blocked(*HANDS, blocked_score=flag)
    assert result.winner == 1
    assert result.scores == scores


def test_section_2_score_blocked_rrrummy_is_not_zero_sum_and_the_others_are() -> None:
    assert sum(_blocked(*HANDS, blocked_score="rrrummy").scores) == -5
    assert sum(_blocked(*HANDS, blocked_score="plain").scores) == 0
    assert sum(_blocked(*HANDS, blocked_score="box").scores) == 0


def test_section_2_score_blocked_presets_use_rrrummy() -> None:
    assert {preset.rules.blocked_score for preset in GAMES} == {"rrrummy"}


@pytest.mark.parametrize(
    ("flag", "scores"),
    [("rrrummy", (7 - 7, -7)), ("plain", (7, -7)), ("box", (0, 0))],
)
def test_section_2_score_blocked_with_equal_hands(flag: str, scores: tuple[int, ...]) -> None:
    result = _blocked("r7", "r3 r4", blocked_score=flag)  # Fewer tiles win.
    assert (result.winner, result.scores) == (0, scores)


def test_section_2_score_blocked_joker_counts_in_the_lowest_hand() -> None:
    result = _blocked("*", "r13 k13 r3")  # 30 against 29.
    assert (result.winner, result.scores) == (1, (-30, 30 - 29))
    result = _blocked("*", "r13 k13 r3", joker_in_hand=20)
    assert (result.winner, result.scores) == (0, (29 - 20, -29))


@pytest.mark.parametrize(
    ("flag", "scores"),
    [
        ("rrrummy", (-120, 132 - 5, -12)),
        ("plain", (-120, 132, -12)),
        ("box", (-115, 115 + 7, -7)),
    ],
)
def test_section_2_score_blocked_surcharge_for_a_loser_who_has_not_opened(
    flag: str, scores: tuple[int, ...]
) -> None:
    result = _blocked(
        *HANDS, opened=(False, True, True), blocked_score=flag, unopened_surcharge=100
    )
    assert result.scores == scores


def test_section_2_score_blocked_surcharge_does_not_change_the_lowest_hand() -> None:
    # The lowest hand wins; the surcharge is no part of a hand.
    result = _blocked(*HANDS, opened=(True, False, True), unopened_surcharge=100)
    assert result.winner == 1


def test_section_2_score_blocked_nobody_opened() -> None:
    result = _blocked("r9", "r4", opened=(False, False))
    assert result.scores == (-9, 9 - 4)


# --- ties ---------------------------------------------------------------------------


def test_section_2_tie_of_blocked_hands_fewer_tiles_first() -> None:
    hands = [tiles("r3 r4"), tiles("r7"), tiles("r1 r2 r4")]
    assert blocked_winner(hands, (30, 1, 20), (30, 31, 32), Rules()) == 1


def test_section_2_tie_of_blocked_hands_then_who_played_last() -> None:
    hands = [tiles("r3 r4"), tiles("r2 r5"), tiles("y3 y4")]
    assert blocked_winner(hands, (4, 8, 6), (40, 41, 42), Rules()) == 1
    assert blocked_winner(hands, (4, 2, 6), (40, 41, 42), Rules()) == 2
    assert blocked_winner(hands, (4, 0, 0), (40, 41, 42), Rules()) == 0


def test_section_2_tie_of_blocked_hands_lower_hand_beats_fewer_tiles() -> None:
    hands = [tiles("r10"), tiles("r2 r3 r4")]
    assert blocked_winner(hands, (9, 1), (9, 8), Rules()) == 1


def test_section_2_tie_in_a_whole_round() -> None:
    # 0 plays (turn 9), then 1 plays (turn 10), then both pass with 1 point each.
    state = a_round("r7 y1", "r8 k1", table="r4-5-6")
    state = steps(state, Play(0, table("r4-5-6-7")), Play(1, table("r4-5-6-7-8")))
    state = steps(state, Pass(0), Pass(1))
    assert state.result is not None
    assert state.result.winner == 1
    assert state.result.scores == (-1, 1 - 1)


@pytest.mark.parametrize("flag", ["rrrummy", "box", "plain"])
def test_section_2_score_functions_for_two_to_six_hands(flag: str) -> None:
    rules = Rules.from_dict({"blocked_score": flag})
    for count in range(2, 7):
        # Hands of 1, 2, ... points; the first is the lowest.
        hands = [tiles(f"r{number}") for number in range(1, count + 1)]
        rest = sum(range(2, count + 1))
        winner = {"rrrummy": rest - 1, "plain": rest, "box": rest - (count - 1)}[flag]
        less = 1 if flag == "box" else 0
        others = [-(number - less) for number in range(2, count + 1)]
        assert score_blocked(hands, 0, (True,) * count, rules) == (winner, *others)
