"""Sharing the playouts of a move out among its candidates.

Sequential halving (Karnin, Koren and Somekh, 2013): the budget is cut into as many equal
parts as the candidates can be halved; after each part the worse half is given up. All
candidates are tried in the same worlds, so that they are compared in pairs, and one that is
clearly behind the best is given up at once: a clear choice ends early.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

from meldwise.players.search.engine import WORLDS, Engine

__all__ = ["Budget", "allot"]

_SPREAD: Final = 0.05
"""How far apart candidates are, in rounds won: the standard deviation that is expected."""

_FEW: Final = 24
"""Worlds after which candidates are compared."""

_MOST_AT_ONCE: Final = 16
"""Worlds between two looks at the clock, at most."""


@dataclass(slots=True)
class Budget:
    """What a search may spend.

    Attributes:
        playouts: how many playouts; 0 for any number.
        passed: which part of the time is over, from 0 to 1.
    """

    playouts: int
    passed: Callable[[], float]


def allot(
    engine: Engine,
    expected: Sequence[float],
    draw: Callable[[int, int], None],
    budget: Budget,
    margin: float,
) -> int:
    """Tries the candidates; returns the place of the best one.

    Args:
        engine: has the candidates.
        expected: how much better than the first each is expected to be, before any try.
        draw: draws the worlds from one to before another.
        budget: what may be spent; without any the first is the best.
        margin: how many standard errors a candidate may lie behind the best.
    """
    alive = list(range(len(expected)))
    worlds = spent = 0
    stages = max(1, (len(alive) - 1).bit_length())
    begun = budget.passed()
    batch = 1
    for stage in range(1, stages + 1):
        until = begun + (0.97 - begun) * stage / stages
        quota = budget.playouts * stage // stages
        while len(alive) > 1 and worlds < WORLDS:
            before = budget.passed()
            batch = max(1, min(batch, WORLDS - worlds))
            if budget.playouts:
                batch = min(batch, (quota - spent) // len(alive))
            if batch < 1 or before >= until:
                break
            draw(worlds, worlds + batch)
            for place in alive:
                engine.playouts.run(place, worlds, worlds + batch)
                if budget.passed() >= 1.0:
                    break
            else:
                worlds += batch
            if budget.passed() >= 1.0:
                break
            spent += batch * len(alive)
            # The clock is read often enough, and not too often.
            cost = (budget.passed() - before) / batch
            batch = max(1, min(_MOST_AT_ONCE, int(0.05 / cost) if cost > 0 else 4))
            if worlds >= _FEW:
                alive = _not_behind(engine, alive, worlds, margin)
        if worlds:
            alive = _ranked(engine, alive, worlds, expected)
        if stage < stages and len(alive) > 2:
            alive = alive[: (len(alive) + 1) // 2]
            if 0 not in alive:
                # All others are compared with it.
                alive.append(0)
    return alive[0]


def _ranked(engine: Engine, alive: list[int], worlds: int, expected: Sequence[float]) -> list[int]:
    """The candidates, the best first, by what was expected of them and what was seen."""
    first = engine.values(0, worlds)

    def gain(place: int) -> float:
        """How much better than the first, the two sources weighed by their precision."""
        mean, error = _gap(engine.values(place, worlds), first)
        known = error * error + 1.0 / (worlds * worlds)
        return (mean * _SPREAD**2 + expected[place] * known) / (_SPREAD**2 + known)

    return sorted(alive, key=lambda place: -gain(place) if place else 0.0)


def _not_behind(engine: Engine, alive: list[int], worlds: int, margin: float) -> list[int]:
    """The first candidate and those that may turn out to be the best.

    The first is left alone if all others are behind it or come to the same.
    """
    values = [engine.values(place, worlds) for place in alive]
    best = max(range(len(alive)), key=lambda place: sum(values[place]))
    left = []
    for place, own in zip(alive, values, strict=True):
        mean, error = _gap(own, values[best])
        same = place != alive[best] and own == values[best] and place != 0
        if place == 0 or (not same and mean >= -margin * error):
            left.append(place)
    if alive[best] != 0 and left == [0, alive[best]]:
        mean, error = _gap(values[alive.index(0)], values[best])
        if mean < -margin * error:
            return [alive[best]]
    return left


def _gap(own: Sequence[float], other: Sequence[float]) -> tuple[float, float]:
    """How much better one candidate did than another in the same worlds, and its error."""
    gaps = [a - b for a, b in zip(own, other, strict=True)]
    mean = sum(gaps) / len(gaps)
    spread = sum(gap * gap for gap in gaps) / len(gaps) - mean * mean
    return mean, sqrt(max(spread, 0.0) / len(gaps))
