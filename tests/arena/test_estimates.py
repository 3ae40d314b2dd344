"""Intervals: against values worked out by hand, and as often right as they say."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meldwise.arena.estimates import mean_of, proportion_of, student_quantile, wilson


@pytest.mark.parametrize(
    ("freedom", "quantile", "within"),
    [
        (1, 12.7062, 1e-4),
        (2, 4.30265, 1e-4),
        (3, 3.18245, 0.02),
        (4, 2.77645, 0.004),
        (10, 2.22814, 1e-4),
        (30, 2.04227, 1e-5),
        (1000, 1.96234, 1e-5),
    ],
)
def test_student_quantiles_are_those_of_the_tables(
    freedom: int, quantile: float, within: float
) -> None:
    assert student_quantile(0.975, freedom) == pytest.approx(quantile, abs=within)


def test_mean_of_equal_clusters_is_the_usual_interval() -> None:
    # 1, 2, 3, 4: mean 2.5, sample variance 5/3, standard error sqrt(5/12) = 0.645497.
    found = mean_of([(1, 1), (2, 1), (3, 1), (4, 1)])
    assert found is not None
    assert found.value == 2.5
    assert found.count == 4
    assert found.margin == pytest.approx(3.18245 * math.sqrt(5 / 12), rel=0.01)


def test_mean_of_unequal_clusters_is_the_ratio_of_the_sums() -> None:
    # Sums 2 of 1, 3 of 2 and 1 of 1 give 6 / 4; the deviations are 0.5, 0 and -0.5.
    found = mean_of([(2, 1), (3, 2), (1, 1)])
    assert found is not None
    assert found.value == 1.5
    error = math.sqrt(0.5 * 3 / 2) / 4
    assert found.margin == pytest.approx(4.30265 * error, rel=1e-4)


def test_pairs_whose_luck_cancels_out_have_a_narrow_interval() -> None:
    cancelling = [(1.0, 2.0)] * 98 + [(2.0, 2.0), (0.0, 2.0)]
    scattered = [(2.0, 2.0), (0.0, 2.0)] * 50
    narrow, wide = proportion_of(cancelling), proportion_of(scattered)
    assert narrow is not None
    assert wide is not None
    assert narrow.value == wide.value == 0.5
    assert narrow.margin < wide.margin / 5


def test_proportion_of_single_trials_is_wilsons() -> None:
    clusters = [(1.0, 1.0)] * 80 + [(0.0, 1.0)] * 20
    found, plain = proportion_of(clusters), wilson(80, 100)
    assert found is not None
    assert plain is not None
    # Student's quantile for 99 degrees of freedom is 1.984, not 1.960.
    assert found.low == pytest.approx(plain.low, abs=0.004)
    assert found.high == pytest.approx(plain.high, abs=0.004)


def test_wilsons_interval_at_the_ends() -> None:
    # With no success in n trials the upper end is z² / (n + z²).
    none, all_of_them = wilson(0, 10), wilson(10, 10)
    assert none is not None
    assert all_of_them is not None
    assert none.low == 0.0
    assert none.high == pytest.approx(3.841459 / 13.841459, abs=1e-6)
    assert all_of_them.low == pytest.approx(1 - none.high)
    assert all_of_them.high == 1.0


def test_winning_everything_is_no_certainty() -> None:
    found = proportion_of([(2.0, 2.0)] * 20)
    assert found is not None
    assert found.value == found.high == 1.0
    assert 0.7 < found.low < 0.9


def test_one_cluster_says_nothing_of_the_error() -> None:
    found = mean_of([(3.0, 2.0)])
    assert found is not None
    assert (found.value, found.low, found.high) == (1.5, -math.inf, math.inf)


def test_nothing_counted_is_no_estimate() -> None:
    assert mean_of([]) is None
    assert proportion_of([(0.0, 0.0)]) is None
    assert wilson(0, 0) is None


@given(
    st.lists(
        st.integers(1, 4).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))),
        min_size=1,
        max_size=40,
    )
)
def test_proportions_and_their_intervals_stay_between_0_and_1(
    clusters: list[tuple[int, int]],
) -> None:
    found = proportion_of(clusters)
    assert found is not None
    assert 0 <= found.low <= found.value <= found.high <= 1
    assert found.value == pytest.approx(sum(a for a, _ in clusters) / sum(n for _, n in clusters))


@given(
    st.lists(st.tuples(st.floats(-1e3, 1e3), st.integers(1, 5)), min_size=2, max_size=40),
    st.floats(-1e3, 1e3),
)
def test_a_shift_moves_the_mean_and_leaves_the_margin(
    clusters: list[tuple[float, int]], shift: float
) -> None:
    before = mean_of(clusters)
    after = mean_of([(amount + shift * size, size) for amount, size in clusters])
    assert before is not None
    assert after is not None
    assert after.value == pytest.approx(before.value + shift, abs=1e-6)
    assert after.margin == pytest.approx(before.margin, rel=1e-6, abs=1e-6)


def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    """Pairs of games whose results depend on each other, by a common luck of the deal."""
    chance = random.Random(20)
    held_share = held_mean = 0
    trials = 600
    for _ in range(trials):
        shares, points = [], []
        for _ in range(60):
            luck = chance.choice((-0.25, 0.25))
            won = [chance.random() < 0.6 + luck, chance.random() < 0.6 - luck]
            shares.append((float(sum(won)), 2.0))
            common = chance.gauss(0, 5)
            points.append((2 * 3.0 + common + chance.gauss(0, 5), 2.0))
        share, mean = proportion_of(shares), mean_of(points)
        assert share is not None
        assert mean is not None
        held_share += share.low <= 0.6 <= share.high
        held_mean += mean.low <= 3.0 <= mean.high
    assert 0.93 <= held_share / trials <= 0.97
    assert 0.93 <= held_mean / trials <= 0.97
