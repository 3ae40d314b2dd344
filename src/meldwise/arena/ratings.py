"""Ratings from the results of games: Elo differences with intervals, and openskill's.

The chance of a seat to win is taken to be its strength over the sum of all strengths at the
table (R. D. Luce, *Individual Choice Behavior*, 1959); with two seats that is the model of
Elo. The strengths are those of greatest likelihood, found by the iteration of D. R. Hunter
(*MM algorithms for generalized Bradley–Terry models*, Annals of Statistics 32, 2004). The
errors take whole deals as what is independent (P. J. Huber 1967 and H. White 1982; for
clusters K.-Y. Liang and S. L. Zeger, Biometrika 73, 1986). 400 points are odds of ten to one.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from meldwise.arena.estimates import CONFIDENCE, Estimate, student_quantile
from meldwise.arena.results import Game, Unit

__all__ = ["Skill", "elo_ratings", "expected_share", "skills"]

_SCALE: Final = 400 / math.log(10)

_MOST_STEPS: Final = 20_000

_PRIOR: Final = 0.5
"""Half a win for each of two entrants that met: so that nobody's rating is without bounds."""


@dataclass(frozen=True, slots=True)
class Skill:
    """A rating of openskill's Plackett–Luce model.

    Attributes:
        mu: the mean.
        sigma: its uncertainty.
    """

    mu: float
    sigma: float

    @property
    def ordinal(self) -> float:
        """What the skill very likely is at least: three sigmas below the mean."""
        return self.mu - 3 * self.sigma


def expected_share(arrangements: Iterable[Sequence[int]], entrant: int, elo: float) -> float:
    """How much of the wins an entrant takes that is so much stronger than all others.

    Args:
        arrangements: the ways to sit: entrants by seat.
        entrant: the entrant.
        elo: its rating above the others'.

    >>> round(expected_share([(0, 1), (1, 0)], 0, 100), 3)
    0.64
    >>> expected_share([(0, 1, 1, 1)], 0, 0)
    0.25
    """
    strength = math.exp(elo / _SCALE)
    shares = []
    for seats in arrangements:
        own = sum(seat == entrant for seat in seats)
        shares.append(own * strength / (own * strength + len(seats) - own))
    return sum(shares) / len(shares)


def elo_ratings(
    units: Iterable[Unit], entrants: int, anchor: int, confidence: float = CONFIDENCE
) -> list[Estimate | None]:
    """Each entrant's Elo above the anchor, which has 0.

    Args:
        units: the results.
        entrants: how many there are.
        anchor: the one that the others are measured from.
        confidence: how sure the intervals are.

    Returns:
        A rating for each entrant; None for one that never met the anchor, not even by way of
        others.
    """
    tables: defaultdict[tuple[int, ...], list[float]] = defaultdict(lambda: [0.0] * entrants)
    by_deal: defaultdict[int, defaultdict[tuple[int, ...], list[float]]] = defaultdict(
        lambda: defaultdict(lambda: [0.0] * entrants)
    )
    for unit in units:
        for game in unit.games:
            kind = tuple(sorted(game.seats))
            for entrant in set(kind):
                tables[kind][entrant] += game.share(entrant)
                by_deal[unit.deal][kind][entrant] += game.share(entrant)
    joined = _joined(tables, anchor)
    others = sorted(joined - {anchor})
    if not others:
        found: list[Estimate | None] = [None] * entrants
        if anchor in joined and tables:
            found[anchor] = Estimate(0.0, 0.0, 0.0, len(by_deal))
        return found
    kept = {kind: list(wins) for kind, wins in tables.items() if kind[0] in joined}
    met = _meetings(kept)
    for one, two in met:
        wins = kept.setdefault((one, two), [0.0] * entrants)
        kept[one, two] = [w + _PRIOR * (who in (one, two)) for who, w in enumerate(wins)]
    strength = _strengths(kept, sorted(joined), anchor)
    errors = _errors(kept, by_deal, met, strength, others)
    reach = student_quantile((1 + confidence) / 2, len(by_deal) - 1) if len(by_deal) > 1 else 0.0
    ratings: list[Estimate | None] = [None] * entrants
    ratings[anchor] = Estimate(0.0, 0.0, 0.0, len(by_deal))
    for who, error in zip(others, errors, strict=True):
        value = _SCALE * math.log(strength[who])
        margin = _SCALE * reach * error if reach else math.inf
        ratings[who] = Estimate(value, value - margin, value + margin, len(by_deal))
    return ratings


def _meetings(tables: Iterable[tuple[int, ...]]) -> list[tuple[int, int]]:
    pairs = {(one, two) for kind in tables for one in kind for two in kind if one < two}
    return sorted(pairs)


def _joined(tables: Iterable[tuple[int, ...]], anchor: int) -> set[int]:
    """Whoever met the anchor, or met somebody who did, and so on."""
    kinds = [set(kind) for kind in tables]
    joined = {anchor}
    while grown := [kind for kind in kinds if kind & joined and kind - joined]:
        joined.update(*grown)
    return joined


def _strengths(
    tables: dict[tuple[int, ...], list[float]], who: list[int], anchor: int
) -> dict[int, float]:
    strength = dict.fromkeys(who, 1.0)
    wins = {one: math.fsum(wins[one] for wins in tables.values()) for one in who}
    games = [(kind, math.fsum(won)) for kind, won in tables.items()]
    for _ in range(_MOST_STEPS):
        share = dict.fromkeys(who, 0.0)
        for kind, played in games:
            weight = played / math.fsum(strength[one] for one in kind)
            for one in kind:
                share[one] += weight
        fresh = {one: wins[one] / share[one] if share[one] else 1.0 for one in who}
        scale = fresh[anchor]
        fresh = {one: value / scale for one, value in fresh.items()}
        change = max(abs(math.log(fresh[one] / strength[one])) for one in who)
        strength = fresh
        if change < 1e-10:
            break
    return strength


def _errors(
    tables: dict[tuple[int, ...], list[float]],
    by_deal: dict[int, defaultdict[tuple[int, ...], list[float]]],
    met: list[tuple[int, int]],
    strength: dict[int, float],
    others: list[int],
) -> list[float]:
    """The standard errors of the logarithms of the strengths, the anchor's being fixed.

    The half wins that were added count as a game that either could have won: without that,
    whoever won everything would seem to be known exactly.
    """
    size = len(others)
    place = {who: number for number, who in enumerate(others)}
    chances = {kind: _chances(kind, strength) for kind in tables}
    bread = [[0.0] * size for _ in range(size)]
    for kind, won in tables.items():
        played = math.fsum(won)
        chance = chances[kind]
        for one in chance:
            for two in chance:
                if one in place and two in place:
                    same = chance[one] if one == two else 0.0
                    bread[place[one]][place[two]] += played * (same - chance[one] * chance[two])
    inverse = _inverse(bread)
    scores: list[tuple[float, list[float]]] = []
    for results in by_deal.values():
        score = [0.0] * size
        for kind, won in results.items():
            if kind in chances:
                _add_score(score, chances[kind], won, place)
        scores.append((1.0, score))
    for pair in met:
        for winner in pair:
            score = [0.0] * size
            won = [float(who == winner) for who in range(max(pair) + 1)]
            _add_score(score, chances[pair], won, place)
            scores.append((0.5, score))
    sums = [
        math.fsum(
            weight * math.fsum(map(float.__mul__, row, score)) ** 2 for weight, score in scores
        )
        for row in inverse
    ]
    count = len(by_deal)
    factor = count / (count - 1) if count > 1 else 1.0
    return [math.sqrt(total * factor) for total in sums]


def _add_score(
    score: list[float], chance: dict[int, float], won: list[float], place: dict[int, int]
) -> None:
    """How much more often each won than was to be expected."""
    played = math.fsum(won)
    for who, expected in chance.items():
        if who in place:
            score[place[who]] += won[who] - played * expected


def _chances(kind: tuple[int, ...], strength: dict[int, float]) -> dict[int, float]:
    total = math.fsum(strength[one] for one in kind)
    return {one: kind.count(one) * strength[one] / total for one in set(kind)}


def _inverse(matrix: list[list[float]]) -> list[list[float]]:
    """The inverse of a small symmetric positive definite matrix, by Gauss and Jordan."""
    size = len(matrix)
    rows = [[*row, *[float(i == j) for j in range(size)]] for i, row in enumerate(matrix)]
    for column in range(size):
        pivot = max(range(column, size), key=lambda row: abs(rows[row][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        head = rows[column][column]
        rows[column] = [value / head for value in rows[column]]
        for row in range(size):
            if row != column and rows[row][column]:
                factor = rows[row][column]
                rows[row] = [
                    value - factor * above
                    for value, above in zip(rows[row], rows[column], strict=True)
                ]
    return [row[size:] for row in rows]


def skills(units: Iterable[Unit], entrants: int) -> list[Skill]:
    """Ratings of openskill's Plackett–Luce model, from the games in the order of their deals.

    Each seat counts as a player of its own; an entrant in several seats takes the mean of
    what they come to. The order at a table is that of the points, the winner first. Nothing
    is added to the uncertainty between games, since the players do not change.
    """
    from openskill.models import PlackettLuce

    model = PlackettLuce(tau=0.0)
    now = [Skill(model.mu, model.sigma) for _ in range(entrants)]
    for unit in sorted(units, key=lambda unit: (unit.deal, unit.pairing)):
        for game in unit.games:
            teams = [[model.rating(mu=now[who].mu, sigma=now[who].sigma)] for who in game.seats]
            rated = model.rate(teams, ranks=_ranks(game))
            for who in set(game.seats):
                own = [team[0] for team, seat in zip(rated, game.seats, strict=True) if seat == who]
                now[who] = Skill(
                    math.fsum(rating.mu for rating in own) / len(own),
                    math.fsum(rating.sigma for rating in own) / len(own),
                )
    return now


def _ranks(game: Game) -> list[float]:
    """The places by seat, from 1: the winners, then by points; equal points share a place."""
    totals = game.totals
    keys = [(seat not in game.winners, -total) for seat, total in enumerate(totals)]
    order = sorted(set(keys))
    return [float(order.index(key) + 1) for key in keys]
