"""What an arena is to play: who meets whom, in which seats, and from which seeds.

Everything random follows from the seed of the plan, the number of a deal and a seat, so that
a game comes out the same whoever plays it, and when.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import combinations
from typing import Final

from meldwise.arena.errors import ArenaError
from meldwise.game.codes import Code
from meldwise.game.rules import MatchEnd, Rules

__all__ = ["Pairing", "Plan", "Seating", "deal_seed", "player_seed"]

_SALT: Final = "meldwise-arena-1"
"""Names the derivation of seeds; another derivation gets another name."""


class Seating(StrEnum):
    """How entrants share a table."""

    PAIRS = "pairs"
    """Each two meet, in every other seat of a table; an odd table holds one more of either."""

    ALONE = "alone"
    """The first entrant sits alone against each of the others, which fills all other seats."""

    TOGETHER = "together"
    """As many entrants as there are seats sit at one table."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """Entrants that meet, and how they sit.

    Attributes:
        entrants: who they are, by number.
        arrangements: each way to sit in which a deal is played: entrants by seat.
    """

    entrants: tuple[int, ...]
    arrangements: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be played, but not how often.

    Attributes:
        entrants: the text names of the computer players.
        rules: the rules of the table.
        game: the title of the game.
        players: how many sit at a table.
        seed: what all deals and random choices follow from.
        seating: how entrants share a table.
        matches: whether whole matches are played, and not single rounds.

    Raises:
        ArenaError: if the entrants cannot be seated like that, or a match would need a clock.
        RulesError: if the rules do not allow that many players.
    """

    entrants: tuple[str, ...]
    rules: Rules
    game: str = ""
    players: int = 2
    seed: str = "meldwise"
    seating: Seating = Seating.PAIRS
    matches: bool = False

    def __post_init__(self) -> None:
        self.rules.check_players(self.players)
        least = self.players if self.seating is Seating.TOGETHER else 2
        if len(self.entrants) < least:
            raise ArenaError(Code.ARENA_ENTRANTS, have=len(self.entrants), need=least)
        if self.matches and self.rules.match_end is MatchEnd.TIME:
            raise ArenaError(Code.ARENA_MATCH_BY_TIME)

    @property
    def labels(self) -> tuple[str, ...]:
        """The entrants' names, numbered where one enters twice."""
        seen: Counter[str] = Counter()
        labels = []
        for name in self.entrants:
            seen[name] += 1
            labels.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
        return tuple(labels)

    @property
    def pairings(self) -> tuple[Pairing, ...]:
        """Who meets whom, in a fixed order."""
        return _pairings(len(self.entrants), self.players, self.seating)

    @property
    def games_a_deal(self) -> int:
        """How many games one deal makes, in all pairings together."""
        return sum(len(pairing.arrangements) for pairing in self.pairings)

    def as_dict(self) -> dict[str, object]:
        """What makes results comparable, as plain data: all but the title of the game."""
        return {
            "entrants": list(self.entrants),
            "rules": self.rules.as_dict(),
            "players": self.players,
            "seed": self.seed,
            "seating": self.seating.value,
            "matches": self.matches,
        }

    def differences(self, other: Mapping[str, object]) -> list[str]:
        """The names of the settings that are not those of another plan's :meth:`as_dict`."""
        own = self.as_dict()
        return [name for name, value in own.items() if other.get(name) != value]


@lru_cache(maxsize=64)
def _pairings(count: int, players: int, seating: Seating) -> tuple[Pairing, ...]:
    if seating is Seating.TOGETHER:
        return tuple(Pairing(who, _rotations(who)) for who in combinations(range(count), players))
    if seating is Seating.ALONE:
        return tuple(
            Pairing((0, other), _rotations((0, *[other] * (players - 1))))
            for other in range(1, count)
        )
    pairings = []
    for one, two in combinations(range(count), 2):
        seats = tuple((one, two)[seat % 2] for seat in range(players))
        swapped = tuple((two, one)[seat % 2] for seat in range(players))
        ways = dict.fromkeys((*_rotations(seats), *_rotations(swapped)))
        pairings.append(Pairing((one, two), tuple(ways)))
    return tuple(pairings)


def _rotations(seats: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """All distinct ways to move everybody along by some seats."""
    ways = (seats[-shift:] + seats[:-shift] for shift in range(len(seats)))
    return tuple(dict.fromkeys(ways))


def deal_seed(seed: str, deal: int, number: int = 1) -> bytes:
    """The 32 bytes that the tiles of a round follow from.

    Args:
        seed: the seed of the plan.
        deal: the number of the deal, from 0.
        number: the number of the round in its match, from 1.
    """
    return _digest("deal", seed, deal, number)


def player_seed(seed: str, deal: int, seat: int) -> int:
    """What the random choices of whoever sits in a seat follow from, as a number below 2^63."""
    return int.from_bytes(_digest("player", seed, deal, seat)[:8], "big") >> 1


def _digest(use: str, seed: str, deal: int, number: int) -> bytes:
    # A text from the command line may hold bytes that are no proper text.
    text = f"{_SALT} {use}\n{seed}\n{deal}\n{number}"
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
