"""What is said of the results of a contest: rates with intervals, ratings, and how it was played.

Everything but the times and the number of lost workers follows from the seed alone.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from meldwise.arena.contest import Results
from meldwise.arena.estimates import Estimate, mean_of, proportion_of
from meldwise.arena.ratings import Skill, elo_ratings, skills
from meldwise.arena.results import Game, Incident, IncidentKind, Timing, Unit

__all__ = ["EntrantSummary", "NotedIncident", "PairSummary", "Summary", "summarise"]

Count = Callable[[Game], tuple[float, float]]


@dataclass(frozen=True, slots=True)
class EntrantSummary:
    """How an entrant did in all its games.

    Attributes:
        name: its text name.
        games: how many games it sat in.
        wins: its share of the wins of these games.
        fair: the share that it would have if all were equally strong.
        score: points a round and seat.
        elo: Elo above the anchor; None if it never met it.
        skill: openskill's rating.
        turns: turns a round, of the rounds that it won.
        opened: the turn of its own at which it opened, on average.
        never_opened: the share of rounds in which it did not open.
        left: tiles left in its hand, of the rounds that it lost.
        openings: how often it opened at each of its turns; 0 for never.
        tiles_left: how often it lost with each number of tiles.
        scores: how often it came to each score, by tens: 20 for 20 to 29.
        timing: how long its choices took; None where no time was kept.
        incidents: how often it did what wrong.
    """

    name: str
    games: int
    wins: Estimate | None
    fair: float
    score: Estimate | None
    elo: Estimate | None
    skill: Skill
    turns: Estimate | None
    opened: Estimate | None
    never_opened: Estimate | None
    left: Estimate | None
    openings: dict[int, int]
    tiles_left: dict[int, int]
    scores: dict[int, int]
    timing: Timing | None
    incidents: dict[IncidentKind, int]


@dataclass(frozen=True, slots=True)
class PairSummary:
    """How the entrants of a pairing did against each other.

    Attributes:
        entrants: their numbers; the wins and scores are those of the first.
        deals: how many deals were played.
        games: how many games.
        wins: the first one's share of the wins.
        fair: the share that it would have if all were equally strong.
        score: its points a round and seat.
        ahead: how many points more a round and seat than the others at the table.
        blocked: the share of blocked rounds.
        turns: turns a round.
    """

    entrants: tuple[int, ...]
    deals: int
    games: int
    wins: Estimate | None
    fair: float
    score: Estimate | None
    ahead: Estimate | None
    blocked: Estimate | None
    turns: Estimate | None


@dataclass(frozen=True, slots=True)
class NotedIncident:
    """An incident, and where it happened: the deal and the seats play it again.

    Attributes:
        entrant: the number of who erred.
        deal: the number of the deal.
        seats: the entrants by seat.
        incident: what happened.
    """

    entrant: int
    deal: int
    seats: tuple[int, ...]
    incident: Incident


@dataclass(frozen=True, slots=True)
class Summary:
    """What is said of a contest.

    Attributes:
        results: what it is said of.
        anchor: the number of the entrant that Elo is measured from.
        entrants: each entrant.
        pairs: each pairing.
        games: how many games were played.
        rounds: how many rounds.
        blocked: the share of blocked rounds.
        turns: turns a round.
        lengths: how many rounds took how many turns, by fives: 20 for 20 to 24.
        first_wins: how often the seat that began a round won it.
        unfinished: how many matches were stopped without an end.
        incidents: what players did wrong.
    """

    results: Results
    anchor: int
    entrants: tuple[EntrantSummary, ...]
    pairs: tuple[PairSummary, ...]
    games: int
    rounds: int
    blocked: Estimate | None
    turns: Estimate | None
    lengths: dict[int, int]
    first_wins: Estimate | None
    unfinished: int
    incidents: tuple[NotedIncident, ...]


def summarise(results: Results, anchor: int | None = None) -> Summary:
    """Sums up a contest.

    Args:
        results: what was played.
        anchor: the entrant that Elo is measured from; the first ``greedy``, or the first of
            all, if it is not said.
    """
    plan, units = results.plan, results.units
    if anchor is None:
        anchor = plan.entrants.index("greedy") if "greedy" in plan.entrants else 0
    elo = elo_ratings(units, len(plan.entrants), anchor)
    skill = skills(units, len(plan.entrants))
    games = [game for unit in units for game in unit.games]
    rounds = [outcome for game in games for outcome in game.rounds]
    return Summary(
        results=results,
        anchor=anchor,
        entrants=tuple(
            _entrant(units, number, name, elo[number], skill[number])
            for number, name in enumerate(plan.labels)
        ),
        pairs=tuple(
            _pair([unit for unit in units if unit.pairing == number], pairing.entrants)
            for number, pairing in enumerate(plan.pairings)
        ),
        games=len(games),
        rounds=len(rounds),
        blocked=_share(units, _blocked),
        turns=_mean(units, _turns),
        lengths=_counted(5 * (outcome.turns // 5) for outcome in rounds),
        first_wins=_share(units, _first_wins),
        unfinished=sum(game.unfinished for game in games),
        incidents=tuple(
            NotedIncident(game.seats[incident.seat], unit.deal, game.seats, incident)
            for unit in units
            for game in unit.games
            for incident in game.incidents
        ),
    )


def _entrant(
    units: Sequence[Unit], who: int, name: str, elo: Estimate | None, skill: Skill
) -> EntrantSummary:
    games = [game for unit in units for game in unit.games if who in game.seats]
    openings: Counter[int] = Counter()
    left: Counter[int] = Counter()
    scores: Counter[int] = Counter()
    wrong: Counter[IncidentKind] = Counter()
    timing = Timing()
    for game in games:
        own = [seat for seat, entrant in enumerate(game.seats) if entrant == who]
        for outcome in game.rounds:
            openings.update(outcome.opened[seat] for seat in own)
            left.update(outcome.left[seat] for seat in own if seat != outcome.winner)
            scores.update(10 * (outcome.scores[seat] // 10) for seat in own)
        wrong.update(incident.kind for incident in game.incidents if incident.seat in own)
        for seat in own if game.timings else ():
            timing.include(game.timings[seat])
    seats = [game.seats.count(who) / len(game.seats) for game in games]
    return EntrantSummary(
        name=name,
        games=len(games),
        wins=_share(units, lambda game: (game.share(who), float(who in game.seats))),
        fair=sum(seats) / len(seats) if seats else 0.0,
        score=_mean(units, lambda game: _score(game, who)),
        elo=elo,
        skill=skill,
        turns=_mean(units, lambda game: _turns_when_winning(game, who)),
        opened=_mean(units, lambda game: _opening_turn(game, who)),
        never_opened=_share(units, lambda game: _never_opened(game, who)),
        left=_mean(units, lambda game: _left_when_losing(game, who)),
        openings=dict(sorted(openings.items())),
        tiles_left=dict(sorted(left.items())),
        scores=dict(sorted(scores.items())),
        timing=timing if timing.moves else None,
        incidents={kind: wrong[kind] for kind in IncidentKind if wrong[kind]},
    )


def _pair(units: Sequence[Unit], entrants: tuple[int, ...]) -> PairSummary:
    first = entrants[0]
    games = [game for unit in units for game in unit.games]
    seats = [game.seats.count(first) / len(game.seats) for game in games]
    return PairSummary(
        entrants=entrants,
        deals=len(units),
        games=len(games),
        wins=_share(units, lambda game: (game.share(first), 1.0)),
        fair=sum(seats) / len(seats) if seats else 0.0,
        score=_mean(units, lambda game: _score(game, first)),
        ahead=_mean(units, lambda game: _ahead(game, first)),
        blocked=_share(units, _blocked),
        turns=_mean(units, _turns),
    )


# --- what is counted in a game, and out of how many ---------------------------


def _own(game: Game, who: int) -> list[int]:
    return [seat for seat, entrant in enumerate(game.seats) if entrant == who]


def _score(game: Game, who: int) -> tuple[float, float]:
    own = _own(game, who)
    total = sum(outcome.scores[seat] for outcome in game.rounds for seat in own)
    return total, len(own) * len(game.rounds)


def _ahead(game: Game, who: int) -> tuple[float, float]:
    own = _own(game, who)
    others = [seat for seat in range(len(game.seats)) if seat not in own]
    total = 0.0
    for outcome in game.rounds:
        mine = sum(outcome.scores[seat] for seat in own) / len(own)
        total += mine - sum(outcome.scores[seat] for seat in others) / len(others)
    return total, len(game.rounds)


def _blocked(game: Game) -> tuple[float, float]:
    return sum(outcome.blocked for outcome in game.rounds), len(game.rounds)


def _turns(game: Game) -> tuple[float, float]:
    return sum(outcome.turns for outcome in game.rounds), len(game.rounds)


def _first_wins(game: Game) -> tuple[float, float]:
    return sum(outcome.first == outcome.winner for outcome in game.rounds), len(game.rounds)


def _turns_when_winning(game: Game, who: int) -> tuple[float, float]:
    won = [r.turns for r in game.rounds if game.seats[r.winner] == who]
    return sum(won), len(won)


def _opening_turn(game: Game, who: int) -> tuple[float, float]:
    own = _own(game, who)
    turns = [r.opened[seat] for r in game.rounds for seat in own if r.opened[seat]]
    return sum(turns), len(turns)


def _never_opened(game: Game, who: int) -> tuple[float, float]:
    own = _own(game, who)
    return (
        sum(not r.opened[seat] for r in game.rounds for seat in own),
        len(own) * len(game.rounds),
    )


def _left_when_losing(game: Game, who: int) -> tuple[float, float]:
    own = _own(game, who)
    left = [r.left[seat] for r in game.rounds for seat in own if seat != r.winner]
    return sum(left), len(left)


# --- deals as clusters --------------------------------------------------------


def _clusters(units: Iterable[Unit], count: Count) -> list[tuple[float, float]]:
    """What was counted, by deal: also over pairings, which play the same deals."""
    sums: defaultdict[int, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for unit in units:
        for game in unit.games:
            amount, size = count(game)
            sums[unit.deal][0] += amount
            sums[unit.deal][1] += size
    return [(amount, size) for _, (amount, size) in sorted(sums.items())]


def _mean(units: Iterable[Unit], count: Count) -> Estimate | None:
    return mean_of(_clusters(units, count))


def _share(units: Iterable[Unit], count: Count) -> Estimate | None:
    return proportion_of(_clusters(units, count))


def _counted(values: Iterable[int]) -> dict[int, int]:
    return dict(sorted(Counter(values).items()))
