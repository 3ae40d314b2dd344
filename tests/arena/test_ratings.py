"""Elo with intervals, openskill's ratings, and the sequential test."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meldwise.arena import ArenaError, Decision, Sequential
from meldwise.arena.ratings import elo_ratings, expected_share, skills
from meldwise.arena.results import Game, RoundOutcome, Unit
from meldwise.game.codes import Code

PAIR = ((0, 1), (1, 0))


def game(seats: tuple[int, ...], winner: int) -> Game:
    """A game that one seat won, with 10 points from each other."""
    scores = tuple(10 * (len(seats) - 1) if s == winner else -10 for s in range(len(seats)))
    some = (1,) * len(seats)
    return Game(seats, (winner,), (RoundOutcome(0, winner, False, 20, scores, some, some),))


def duel(deal: int, first: int, second: int, one: int = 0, two: int = 1) -> Unit:
    """A deal in both seatings; the numbers say whether ``one`` won each."""
    games = (game((one, two), 0 if first else 1), game((two, one), 1 if second else 0))
    return Unit(0, deal, games)


def test_elo_of_two_is_the_logarithm_of_the_odds() -> None:
    # 30 of 40 won; half a win for each is added: odds of 30.5 to 10.5.
    units = [duel(deal, 1, deal % 2) for deal in range(20)]
    first, second = elo_ratings(units, 2, anchor=1)
    assert first is not None
    assert second is not None
    assert (second.value, second.low, second.high) == (0.0, 0.0, 0.0)
    assert first.value == pytest.approx(400 * math.log10(30.5 / 10.5), abs=1e-6)
    assert first.low < first.value < first.high


def test_interval_of_elo_follows_from_the_scatter_of_the_deals() -> None:
    # 25 deals won twice, 5 lost twice: p = 50.5 / 61. The derivative of the log odds by a
    # win is 1 / (61 p q), and the deals' scores scatter with the sum of (won - 2 p)². The game
    # that is added is won or lost, as likely.
    units = [duel(deal, int(deal < 25), int(deal < 25)) for deal in range(30)]
    first, _ = elo_ratings(units, 2, anchor=1)
    assert first is not None
    p = 50.5 / 61
    scatter = 25 * (2 - 2 * p) ** 2 + 5 * (2 * p) ** 2 + ((1 - p) ** 2 + p**2) / 2
    error = math.sqrt(scatter * 30 / 29) / (61 * p * (1 - p))
    assert first.margin == pytest.approx(2.04523 * error * 400 / math.log(10), rel=1e-4)


def test_elo_of_whoever_wins_everything_is_finite_and_hardly_known() -> None:
    first, _ = elo_ratings([duel(deal, 1, 1) for deal in range(10)], 2, anchor=1)
    assert first is not None
    assert 400 < first.value < 800
    # As Wilson's interval for ten of ten has it: at least 66 % with Student's quantile.
    assert 0 < first.low < 300


def test_ratings_add_up_over_a_chain_of_meetings() -> None:
    units = []
    for deal in range(300):
        units.append(duel(deal, 1, int(deal % 3 == 0), 0, 1))
        units.append(duel(deal, 1, int(deal % 3 == 0), 1, 2))
    first, middle, last = elo_ratings(units, 3, anchor=2)
    assert first is not None
    assert middle is not None
    assert last is not None
    assert middle.value == pytest.approx(400 * math.log10(400.5 / 200.5), abs=0.01)
    assert first.value == pytest.approx(2 * middle.value, abs=0.01)


def test_whoever_never_met_the_anchor_has_no_rating() -> None:
    units = [duel(0, 1, 1, 0, 1), duel(1, 1, 0, 0, 1), duel(0, 1, 1, 2, 3)]
    ratings = elo_ratings(units, 4, anchor=0)
    assert [rating is None for rating in ratings] == [False, False, True, True]


def test_one_against_three_is_measured_by_its_fair_share() -> None:
    # One of four equals wins a quarter of the games, whatever the seat.
    games = tuple(
        game(tuple(0 if seat == alone else 1 for seat in range(4)), winner)
        for alone in range(4)
        for winner in range(4)
    )
    units = [Unit(0, deal, games) for deal in range(50)]
    first, _ = elo_ratings(units, 2, anchor=1)
    assert first is not None
    # What is added for nobody's rating to be without bounds pulls it a little towards 0.
    assert first.value == pytest.approx(0.0, abs=0.5)


@given(st.floats(-600, 600))
def test_expected_shares_of_a_pair_add_up(elo: float) -> None:
    first, second = expected_share(PAIR, 0, elo), expected_share(PAIR, 1, -elo)
    assert first + second == pytest.approx(1)
    assert first == pytest.approx(1 / (1 + 10 ** (-elo / 400)))


def test_elo_is_found_again_from_games_of_known_strength() -> None:
    chance = random.Random(4)
    share = expected_share([(0, 1, 1, 1)], 0, 120)
    units = []
    for deal in range(2000):
        games = []
        for alone in range(4):
            seats = tuple(0 if seat == alone else 1 for seat in range(4))
            others = [seat for seat in range(4) if seat != alone]
            winner = alone if chance.random() < share else chance.choice(others)
            games.append(game(seats, winner))
        units.append(Unit(0, deal, tuple(games)))
    first, _ = elo_ratings(units, 2, anchor=1)
    assert first is not None
    assert first.low < 120 < first.high
    assert first.margin < 10


def test_openskill_rates_the_winner_higher_and_grows_surer() -> None:
    few = skills([duel(deal, 1, 1) for deal in range(5)], 2)
    many = skills([duel(deal, 1, 1) for deal in range(50)], 2)
    assert few[0].mu > 25 > few[1].mu
    assert many[0].sigma < few[0].sigma < 25 / 3
    assert many[0].ordinal > few[0].ordinal


def test_openskill_does_not_depend_on_the_order_in_which_deals_came() -> None:
    units = [duel(deal, deal % 2, deal % 3 == 0) for deal in range(30)]
    assert skills(units, 2) == skills(list(reversed(units)), 2)


# --- the sequential test ------------------------------------------------------


def pair_scores(chance: random.Random, elo: float) -> float:
    """The mean of two games that share the luck of a deal."""
    share = expected_share(PAIR, 0, elo)
    luck = chance.choice((-0.2, 0.2))
    return ((chance.random() < share + luck) + (chance.random() < share - luck)) / 2


@pytest.mark.parametrize(("elo", "wrong"), [(0, Decision.STRONGER), (80, Decision.NOT_STRONGER)])
def test_sequential_test_errs_no_more_often_than_stated(elo: float, wrong: Decision) -> None:
    test = Sequential(0, 80, alpha=0.05, beta=0.05)
    chance = random.Random(11)
    runs, errors, deals = 400, 0, 0
    for _ in range(runs):
        standing = test.judge((pair_scores(chance, elo) for _ in range(5_000)), PAIR)
        assert standing.decision is not Decision.OPEN
        errors += standing.decision is wrong
        deals += standing.deals
    # Three standard errors above 5 % of 400 are 33.
    assert errors <= 33
    assert deals / runs < 200


def test_sequential_test_stays_open_without_enough_deals() -> None:
    standing = Sequential(0, 30).judge([1.0, 0.5, 0.0], PAIR)
    assert standing.decision is Decision.OPEN
    assert standing.deals == 3
    assert (standing.lower, standing.upper) == pytest.approx((-math.log(19), math.log(19)))


def test_sequential_ratio_is_the_formula() -> None:
    scores = [1.0] * 6 + [0.5] * 8 + [0.0] * 2
    standing = Sequential(0, 50).judge(scores, PAIR)
    s1 = 1 / (1 + 10 ** (-50 / 400))
    mean = 10 / 16
    squares = 6 * 0.375**2 + 8 * 0.125**2 + 2 * 0.625**2 + 0.375**2 + 0.625**2
    ratio = 16 * (s1 - 0.5) * (2 * mean - 0.5 - s1) / (2 * squares / 18)
    assert standing.ratio == pytest.approx(ratio)


def test_sequential_test_decides_at_the_first_deal_that_is_enough() -> None:
    scores = [1.0] * 40
    test = Sequential(0, 100)
    decided = test.judge(scores, PAIR)
    assert decided.decision is Decision.STRONGER
    assert test.judge(scores[: decided.deals - 1], PAIR).decision is Decision.OPEN
    assert test.judge(scores[: decided.deals], PAIR) == decided


@pytest.mark.parametrize(
    "values", [(30, 0, 0.05, 0.05), (0, 0, 0.05, 0.05), (0, math.nan, 0.05, 0.05),
               (0, 30, 0.5, 0.05), (0, 30, 0.05, 0.0)],
)  # fmt: skip
def test_sequential_test_refuses_what_makes_no_sense(values: tuple[float, ...]) -> None:
    with pytest.raises(ArenaError) as found:
        Sequential(*values)
    assert found.value.code is Code.ARENA_BAD_TEST
