"""Estimates and times as people read them."""

from __future__ import annotations

import math

from meldwise.arena.estimates import Estimate

__all__ = ["as_number", "as_percent", "as_seconds", "number", "percent"]

NONE = "–"


def percent(value: float) -> str:
    """A share in per cent.

    >>> percent(0.7154)
    '71.5 %'
    """
    return f"{100 * value:.1f} %"


def number(value: float) -> str:
    """A number with one decimal.

    >>> number(-3.14)
    '-3.1'
    """
    return f"{value:.1f}"


def as_percent(estimate: Estimate | None) -> str:
    """A share with its interval, in per cent.

    >>> as_percent(Estimate(0.715, 0.687, 0.7412, 500))
    '71.5 % (68.7 to 74.1)'
    """
    if estimate is None:
        return NONE
    return f"{percent(estimate.value)} ({_range(estimate, 100)})"


def as_number(estimate: Estimate | None, digits: int = 1) -> str:
    """A number with its interval.

    >>> as_number(Estimate(7.21, 2.3, 12.1, 500))
    '7.2 (2.3 to 12.1)'
    """
    if estimate is None:
        return NONE
    return f"{estimate.value:.{digits}f} ({_range(estimate, 1, digits)})"


def _range(estimate: Estimate, scale: float, digits: int = 1) -> str:
    ends = (estimate.low, estimate.high)
    if not all(map(math.isfinite, ends)):
        return "unknown"
    return f"{scale * estimate.low:.{digits}f} to {scale * estimate.high:.{digits}f}"


def as_seconds(seconds: float) -> str:
    """A time with its unit, to two digits.

    >>> [as_seconds(time) for time in (0.0000021, 0.0123, 0.85, 1.5, 100, 5000, 90_000)]
    ['0.0021 ms', '12 ms', '850 ms', '1.5 s', '100 s', '83 min', '25 h']
    """
    for limit, unit, name in ((1.0, 1e-3, "ms"), (600.0, 1.0, "s"), (36_000.0, 60.0, "min")):
        if seconds < limit:
            return f"{_short(seconds / unit)} {name}"
    return f"{_short(seconds / 3600)} h"


def _short(value: float) -> str:
    return f"{value:.0f}" if value >= 10 else f"{value:.2g}"
