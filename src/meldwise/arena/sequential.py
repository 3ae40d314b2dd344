"""Stopping as soon as it is clear which of two is stronger: a sequential test.

The generalised sequential probability ratio test, on the scores of whole deals. Whether the
stronger hypothesis holds is decided when the logarithm of the likelihood ratio

    n (s1 - s0) (2 m - s0 - s1) / (2 v)

leaves the bounds log(β / (1 - α)) and log((1 - β) / α) of A. Wald (*Sequential Tests of
Statistical Hypotheses*, Annals of Mathematical Statistics 16, 1945). n is the number of
deals, m the mean score of a deal, v its variance, and s0 and s1 the scores expected under
the two hypotheses. The approximation of the ratio by a random walk with estimated variance
is that of M. Van den Bergh, *A Practical Introduction to the GSPRT*, as used for matches of
chess programs over pairs of games; X. Li, J. Liu and Z. Ying (*Generalized sequential
probability ratio test for separate families of hypotheses*, Sequential Analysis 33, 2014)
show that error rates and sample sizes approach those of the simple test.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from meldwise.arena.errors import ArenaError
from meldwise.arena.ratings import expected_share
from meldwise.game.codes import Code

__all__ = ["Decision", "Sequential", "Standing"]

_LEAST_DEALS: Final = 16
"""With fewer deals the variance is hardly known."""


class Decision(StrEnum):
    """What a sequential test has come to."""

    OPEN = "open"
    """Not decided: more deals are wanted."""

    NOT_STRONGER = "not_stronger"
    """The lower hypothesis was accepted."""

    STRONGER = "stronger"
    """The upper hypothesis was accepted."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a test is.

    Attributes:
        decision: what it has come to.
        deals: after how many deals.
        ratio: the logarithm of the likelihood ratio then.
        lower: at which ratio the lower hypothesis is accepted.
        upper: at which ratio the upper hypothesis is accepted.
    """

    decision: Decision
    deals: int
    ratio: float
    lower: float
    upper: float


@dataclass(frozen=True, slots=True)
class Sequential:
    """A test whether the first of two entrants is stronger than the second.

    Attributes:
        low: the Elo difference of the lower hypothesis.
        high: that of the upper hypothesis.
        alpha: how often the upper one is accepted at most although the lower one is true.
        beta: how often the lower one is accepted at most although the upper one is true.

    Raises:
        ArenaError: if the hypotheses or the error rates are not in order.
    """

    low: float = 0.0
    high: float = 30.0
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not (math.isfinite(self.low) and math.isfinite(self.high) and self.low < self.high):
            raise ArenaError(Code.ARENA_BAD_TEST, low=self.low, high=self.high)
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ArenaError(Code.ARENA_BAD_TEST, alpha=self.alpha, beta=self.beta)

    def judge(
        self, scores: Iterable[float], arrangements: Sequence[Sequence[int]], entrant: int = 0
    ) -> Standing:
        """Goes through the scores of deals in their order, until the test decides.

        Args:
            scores: the entrant's mean share of the wins of each deal.
            arrangements: the ways in which each deal was played: entrants by seat.
            entrant: the entrant whose strength is in question.
        """
        lower = math.log(self.beta / (1 - self.alpha))
        upper = math.log((1 - self.beta) / self.alpha)
        s0 = expected_share(arrangements, entrant, self.low)
        s1 = expected_share(arrangements, entrant, self.high)
        # One deal won and one lost are added to the variance, so that it is never nothing.
        count, total, squares = 0, 0.0, 0.0
        ratio = 0.0
        for score in scores:
            count += 1
            total += score
            squares += score * score
            mean = total / count
            spread = squares - count * mean * mean + (1 - mean) ** 2 + mean**2
            variance = spread / (count + 2)
            ratio = count * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance)
            if count >= _LEAST_DEALS:
                if ratio >= upper:
                    return Standing(Decision.STRONGER, count, ratio, lower, upper)
                if ratio <= lower:
                    return Standing(Decision.NOT_STRONGER, count, ratio, lower, upper)
        return Standing(Decision.OPEN, count, ratio, lower, upper)
