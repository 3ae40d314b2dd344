"""Intervals for means and proportions of what comes in clusters.

The games of one deal are no independent samples: the point of playing it in every seating is
that its luck cancels out. So the deal is what is counted. A rate is the ratio of two sums
over deals, and its error follows from how the deals scatter about it (W. G. Cochran,
*Sampling Techniques*, 3rd ed. 1977, section 6.3; without the correction for a finite
population).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Final, TypeAlias

__all__ = [
    "CONFIDENCE",
    "Clusters",
    "Estimate",
    "mean_of",
    "proportion_of",
    "student_quantile",
    "wilson",
]

CONFIDENCE: Final = 0.95
"""How sure intervals are."""

Clusters: TypeAlias = Sequence[tuple[float, float]]
"""What was counted, and out of how many, one pair a cluster."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with its interval.

    Attributes:
        value: the estimate.
        low: the lower end of the interval.
        high: the upper end.
        count: how many clusters it rests on.
    """

    value: float
    low: float
    high: float
    count: int

    @property
    def margin(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2


def student_quantile(share: float, freedom: int) -> float:
    """The quantile of Student's distribution: exact to 2 degrees of freedom, then a series.

    The series is M. Abramowitz and I. A. Stegun, *Handbook of Mathematical Functions*, 1964,
    26.7.5; at 3 degrees of freedom it is 1 % off at 97.5 %, and far less above.

    >>> round(student_quantile(0.975, 10), 3)
    2.228
    """
    if freedom == 1:
        return math.tan(math.pi * (share - 0.5))
    if freedom == 2:
        return (2 * share - 1) * math.sqrt(2 / (4 * share * (1 - share)))
    z = NormalDist().inv_cdf(share)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + math.fsum(term / freedom**power for power, term in enumerate(terms, 1))


def mean_of(clusters: Clusters, confidence: float = CONFIDENCE) -> Estimate | None:
    """The ratio of two sums over clusters, such as points a round, with Student's interval.

    None without anything to count; with one cluster the interval is everything.
    """
    found = _ratio(clusters)
    if found is None:
        return None
    value, variance, count = found
    if count < 2:
        return Estimate(value, -math.inf, math.inf, count)
    margin = student_quantile((1 + confidence) / 2, count - 1) * math.sqrt(variance)
    return Estimate(value, value - margin, value + margin, count)


def proportion_of(clusters: Clusters, confidence: float = CONFIDENCE) -> Estimate | None:
    """A proportion with Wilson's interval for the number of independent samples it is worth.

    That number is what gives the binomial law the variance that the clusters show (L. Kish,
    *Survey Sampling*, 1965, section 8.2, the effective size; E. L. Korn and B. I. Graubard,
    Survey Methodology 24, 1998, for intervals from it). Where all clusters are alike it is
    the number of clusters. None without anything to count.
    """
    found = _ratio(clusters)
    if found is None:
        return None
    value, variance, count = found
    samples: float = count
    spread = value * (1 - value)
    if count >= 2 and variance > 1e-15 and spread > 0:
        samples = spread / variance
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    if count >= 2:
        z = student_quantile((1 + confidence) / 2, count - 1)
    low, high = _wilson(value, samples, z)
    return Estimate(value, low, high, count)


def wilson(successes: float, trials: int, confidence: float = CONFIDENCE) -> Estimate | None:
    """A proportion of independent trials with Wilson's score interval.

    E. B. Wilson, Journal of the American Statistical Association 22, 1927. None without any
    trial.

    >>> found = wilson(8, 10)
    >>> round(found.low, 4), round(found.high, 4)
    (0.4902, 0.9433)
    """
    if not trials:
        return None
    value = successes / trials
    low, high = _wilson(value, trials, NormalDist().inv_cdf((1 + confidence) / 2))
    return Estimate(value, low, high, trials)


def _wilson(value: float, samples: float, z: float) -> tuple[float, float]:
    square = z * z
    centre = value + square / (2 * samples)
    reach = z * math.sqrt(max(0.0, value * (1 - value)) / samples + square / (4 * samples**2))
    scale = 1 + square / samples
    # Rounding must not leave the value outside.
    low, high = (centre - reach) / scale, (centre + reach) / scale
    return max(0.0, low) if value > 0 else 0.0, min(1.0, high) if value < 1 else 1.0


def _ratio(clusters: Clusters) -> tuple[float, float, int] | None:
    """The ratio, its variance, and the number of clusters that count."""
    counted = [(amount, size) for amount, size in clusters if size]
    count = len(counted)
    size = math.fsum(size for _, size in counted)
    if not count or not size:
        return None
    ratio = math.fsum(amount for amount, _ in counted) / size
    if count < 2:
        return ratio, math.inf, count
    squares = math.fsum((amount - ratio * part) ** 2 for amount, part in counted)
    return ratio, squares * count / (count - 1) / size**2, count
