"""What games of an arena came to, as values and as plain data for a file or another process."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, TypeAlias

__all__ = ["Data", "Game", "Incident", "IncidentKind", "Key", "RoundOutcome", "Timing", "Unit"]

Key: TypeAlias = tuple[int, int]
"""What names a unit of work: a pairing and a deal, both numbers from 0."""

Data: TypeAlias = dict[str, Any]
"""Plain data, as JSON holds it."""

_GRAIN: Final = math.log(1.05)
"""Times are counted in bins 5 % wide, which any number of processes can add up."""

_LEAST: Final = 1e-6
"""Seconds; anything shorter counts as that."""


class IncidentKind(StrEnum):
    """What a player did wrong."""

    REFUSED = "refused"
    """It answered with an action that cannot be taken."""

    ILLEGAL = "illegal"
    """It proposed a table that is against the rules, and took the penalty."""

    NONSENSE = "nonsense"
    """It answered with something that is no action of its seat."""

    CRASH = "crash"
    """It raised an exception, or could not be made."""

    TIMEOUT = "timeout"
    """It did not answer in the time it is allowed."""

    STALLED = "stalled"
    """It asked for one new deal after the other."""

    GIVEN_UP = "given up"
    """Its program failed too often and is not started any more: all later turns are lost."""


@dataclass(frozen=True, slots=True)
class Incident:
    """Something a player did wrong; it lost its turn, and the game went on.

    Attributes:
        kind: what.
        seat: whose turn it was.
        number: the number of the round in its match, from 1.
        turn: the number of the turn, from 1; 0 before the first.
        detail: the code of the refusal, or the exception.
    """

    kind: IncidentKind
    seat: int
    number: int
    turn: int
    detail: str

    def as_data(self) -> list[Any]:
        """Plain data that :meth:`from_data` takes."""
        return [self.kind.value, self.seat, self.number, self.turn, self.detail]

    @classmethod
    def from_data(cls, data: Sequence[Any]) -> Incident:
        """The incident of :meth:`as_data`."""
        return cls(IncidentKind(data[0]), *data[1:])


@dataclass(slots=True)
class Timing:
    """How long choices took.

    Attributes:
        moves: how many there were.
        total: seconds in all.
        worst: the longest, in seconds.
        overruns: how many took over 20 % more than the player's budget.
        budget: the player's budget in seconds; None without one.
        bins: how many fell into each bin, 5 % wide.
    """

    moves: int = 0
    total: float = 0.0
    worst: float = 0.0
    overruns: int = 0
    budget: float | None = None
    bins: Counter[int] = field(default_factory=Counter)

    def add(self, seconds: float) -> None:
        """Counts a choice."""
        self.moves += 1
        self.total += seconds
        self.worst = max(self.worst, seconds)
        if self.budget is not None and seconds > 1.2 * self.budget:
            self.overruns += 1
        self.bins[math.floor(math.log(max(seconds, _LEAST) / _LEAST) / _GRAIN)] += 1

    def include(self, other: Timing) -> None:
        """Adds what another one has counted."""
        self.moves += other.moves
        self.total += other.total
        self.worst = max(self.worst, other.worst)
        self.overruns += other.overruns
        self.budget = other.budget if self.budget is None else self.budget
        self.bins.update(other.bins)

    @property
    def mean(self) -> float:
        """Seconds a choice; 0 without any."""
        return self.total / self.moves if self.moves else 0.0

    def quantile(self, share: float) -> float:
        """The time in seconds that a share of all choices stay below, to 5 %."""
        left = share * self.moves
        for place in sorted(self.bins):
            left -= self.bins[place]
            if left <= 0:
                return min(self.worst, _LEAST * math.exp((place + 1) * _GRAIN))
        return self.worst

    def as_data(self) -> list[Any]:
        """Plain data that :meth:`from_data` takes."""
        bins = sorted(self.bins.items())
        total, worst = round(self.total, 7), round(self.worst, 7)
        return [self.moves, total, worst, self.overruns, self.budget, bins]

    @classmethod
    def from_data(cls, data: Sequence[Any]) -> Timing:
        """The timing of :meth:`as_data`."""
        moves, total, worst, overruns, budget, bins = data
        return cls(moves, total, worst, overruns, budget, Counter(dict(bins)))


@dataclass(frozen=True, slots=True)
class RoundOutcome:
    """How one round went.

    Attributes:
        first: the seat that began.
        winner: the seat that won.
        blocked: whether nobody emptied the hand.
        turns: how many turns it took.
        scores: points by seat.
        opened: at which of its own turns each seat opened; 0 if it never did.
        left: tiles left in each hand.
    """

    first: int
    winner: int
    blocked: bool
    turns: int
    scores: tuple[int, ...]
    opened: tuple[int, ...]
    left: tuple[int, ...]

    def as_data(self) -> list[Any]:
        """Plain data that :meth:`from_data` takes."""
        lists = (list(self.scores), list(self.opened), list(self.left))
        return [self.first, self.winner, int(self.blocked), self.turns, *lists]

    @classmethod
    def from_data(cls, data: Sequence[Any]) -> RoundOutcome:
        """The outcome of :meth:`as_data`."""
        first, winner, blocked, turns, scores, opened, left = data
        return cls(first, winner, bool(blocked), turns, tuple(scores), tuple(opened), tuple(left))


@dataclass(frozen=True, slots=True)
class Game:
    """One game: a round, or a match of several.

    Attributes:
        seats: the entrants by seat.
        winners: the seats that won; several share a match that is tied.
        rounds: its rounds.
        incidents: what players did wrong.
        timings: how long choices took, by seat; empty where no time was kept.
        unfinished: whether it was a match without an end, stopped after many rounds.
    """

    seats: tuple[int, ...]
    winners: tuple[int, ...]
    rounds: tuple[RoundOutcome, ...]
    incidents: tuple[Incident, ...] = ()
    timings: tuple[Timing, ...] = ()
    unfinished: bool = False

    @property
    def totals(self) -> tuple[int, ...]:
        """Points of all its rounds, by seat."""
        return tuple(sum(scores) for scores in zip(*(r.scores for r in self.rounds), strict=True))

    def share(self, entrant: int) -> float:
        """How much of the win went to an entrant: 1, 0, or a part of a tied match."""
        return sum(self.seats[seat] == entrant for seat in self.winners) / len(self.winners)

    def as_data(self) -> Data:
        """Plain data that :meth:`from_data` takes."""
        data: Data = {
            "seats": list(self.seats),
            "winners": list(self.winners),
            "rounds": [outcome.as_data() for outcome in self.rounds],
        }
        if self.incidents:
            data["incidents"] = [incident.as_data() for incident in self.incidents]
        if self.timings:
            data["timings"] = [timing.as_data() for timing in self.timings]
        if self.unfinished:
            data["unfinished"] = True
        return data

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Game:
        """The game of :meth:`as_data`."""
        return cls(
            tuple(data["seats"]),
            tuple(data["winners"]),
            tuple(RoundOutcome.from_data(outcome) for outcome in data["rounds"]),
            tuple(Incident.from_data(incident) for incident in data.get("incidents", ())),
            tuple(Timing.from_data(timing) for timing in data.get("timings", ())),
            bool(data.get("unfinished", False)),
        )


@dataclass(frozen=True, slots=True)
class Unit:
    """A deal of a pairing, played once in each of its arrangements: what statistics count.

    Attributes:
        pairing: the number of the pairing, from 0.
        deal: the number of the deal, from 0.
        games: one game for each arrangement.
    """

    pairing: int
    deal: int
    games: tuple[Game, ...]

    @property
    def key(self) -> Key:
        """Its pairing and its deal."""
        return self.pairing, self.deal

    @classmethod
    def from_data(cls, key: Key, data: Mapping[str, Any]) -> Unit:
        """The unit of a key, and of what :class:`~meldwise.arena.games.ArenaWork` gave."""
        return cls(*key, tuple(Game.from_data(game) for game in data["games"]))
