"""What has happened, as values: the consequence of an action.

Events that name hidden tiles have a :meth:`~Dealt.seen_by` form for each seat and for
spectators (seat None); all others can be shown to everybody.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, TypeAlias

from meldwise.game.jokers import JokerUse
from meldwise.game.position import Table
from meldwise.game.problems import Problem
from meldwise.game.scores import RoundResult
from meldwise.game.shuffle import Seeds
from meldwise.game.tiles import Tile
from meldwise.game.values import quickly_made

__all__ = [
    "Cause",
    "Dealt",
    "Drew",
    "DrewForStart",
    "Event",
    "MatchEnded",
    "MatchResult",
    "Passed",
    "Penalised",
    "Played",
    "RedealAsked",
    "RoundEnded",
    "RoundStarted",
    "SeatLeft",
    "SeatReturned",
    "SeatTakenOver",
    "SeedRevealed",
    "ShuffleCommitted",
    "Skipped",
    "StockEmptied",
    "TurnBegan",
    "seen_by",
]


class Cause(StrEnum):
    """Why a turn ended as it did."""

    CHOICE = "choice"
    NOTHING_PLAYED = "nothing_played"
    INVALID = "invalid"
    TIME_OUT = "time_out"


@dataclass(frozen=True, slots=True)
class ShuffleCommitted:
    """The host has committed to the seed of a round."""

    number: int
    commitment: str


@dataclass(frozen=True, slots=True)
class DrewForStart:
    """Tiles drawn for who begins, as pairs of seat and tile; ties draw again."""

    draws: tuple[tuple[int, Tile], ...]


@dataclass(frozen=True, slots=True)
class RoundStarted:
    """A round has begun; ``first`` is the seat that begins."""

    number: int
    first: int


@dataclass(frozen=True, slots=True)
class Dealt:
    """Hands were dealt.

    Attributes:
        hands: the tiles by seat; None for hands that the reader may not know.
        count: the tiles of each hand.
        stock: the tiles left in the stock.
        deal: 1 for the first deal of the round; more after new deals.
    """

    hands: tuple[tuple[Tile, ...] | None, ...]
    count: int
    stock: int
    deal: int

    def seen_by(self, seat: int | None) -> Dealt:
        """The event as one seat, or a spectator (None), may know it."""
        return replace(
            self, hands=tuple(h if place == seat else None for place, h in enumerate(self.hands))
        )


@dataclass(frozen=True, slots=True)
class RedealAsked:
    """A seat with enough dealt pairs has asked for a new deal."""

    seat: int


@dataclass(frozen=True, slots=True)
class TurnBegan:
    """It is this seat's turn; turns of a round count from 1."""

    seat: int
    turn: int


@quickly_made
@dataclass(frozen=True, slots=True)
class Played:
    """A legal play.

    Attributes:
        seat: who played.
        tiles: what came from the hand.
        before: the melds that were changed, as they lay before.
        after: the new and changed melds.
        opening: the value of the opening; None unless this was it.
        jokers: what the jokers on the table do.
        left: tiles left in the hand.
        cause: choice, or a time-out that found a legal draft.
    """

    seat: int
    tiles: tuple[Tile, ...]
    before: Table
    after: Table
    opening: int | None
    jokers: tuple[JokerUse, ...]
    left: int
    cause: Cause


@quickly_made
@dataclass(frozen=True, slots=True)
class Drew:
    """A turn that ended with a tile from the stock.

    Attributes:
        seat: who drew.
        tiles: what was drawn; empty for others' eyes.
        count: how many.
        stock: the tiles left in the stock.
        cause: why: by choice, having played nothing, or the time ran out.
    """

    seat: int
    tiles: tuple[Tile, ...]
    count: int
    stock: int
    cause: Cause

    def seen_by(self, seat: int | None) -> Drew:
        """The event as one seat, or a spectator (None), may know it."""
        if seat == self.seat:
            return self
        return Drew(self.seat, (), self.count, self.stock, self.cause)


@dataclass(frozen=True, slots=True)
class Passed:
    """A turn without a play while the stock was empty."""

    seat: int
    cause: Cause


@dataclass(frozen=True, slots=True)
class Penalised:
    """An invalid end of turn: all was put back and tiles were drawn.

    Attributes:
        seat: who is penalised.
        tiles: what was drawn; empty for others' eyes.
        count: how many.
        stock: the tiles left in the stock.
        problems: what was wrong; empty for others' eyes, since it names tiles in hand.
        cause: an invalid end, or the time ran out.
    """

    seat: int
    tiles: tuple[Tile, ...]
    count: int
    stock: int
    problems: tuple[Problem, ...]
    cause: Cause

    def seen_by(self, seat: int | None) -> Penalised:
        """The event as one seat, or a spectator (None), may know it."""
        return self if seat == self.seat else replace(self, tiles=(), problems=())


@dataclass(frozen=True, slots=True)
class Skipped:
    """A seat's turn was skipped as a further penalty; ``left`` more are to be skipped."""

    seat: int
    left: int


@dataclass(frozen=True, slots=True)
class StockEmptied:
    """The last tile was drawn; ``last_turns`` are left if the rules count them."""

    last_turns: int | None


@dataclass(frozen=True, slots=True)
class RoundEnded:
    """The round is over, by its number from 1."""

    number: int
    result: RoundResult


@dataclass(frozen=True, slots=True)
class SeedRevealed:
    """The seeds that the round's tiles followed from."""

    number: int
    seeds: Seeds


@dataclass(frozen=True, slots=True)
class SeatLeft:
    """A player has left the seat."""

    seat: int


@dataclass(frozen=True, slots=True)
class SeatTakenOver:
    """A computer player sits in for the one who left."""

    seat: int
    player: str


@dataclass(frozen=True, slots=True)
class SeatReturned:
    """The player who had left is back."""

    seat: int


@dataclass(frozen=True, slots=True)
class MatchResult:
    """The outcome of a match.

    Attributes:
        totals: points by seat.
        winners: the seat with the most points; several share a tie.
    """

    totals: tuple[int, ...]
    winners: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """The match is over."""

    result: MatchResult


Event: TypeAlias = (
    ShuffleCommitted
    | DrewForStart
    | RoundStarted
    | Dealt
    | RedealAsked
    | TurnBegan
    | Played
    | Drew
    | Passed
    | Penalised
    | Skipped
    | StockEmptied
    | RoundEnded
    | SeedRevealed
    | SeatLeft
    | SeatTakenOver
    | SeatReturned
    | MatchEnded
)


_HIDING: Final = (Dealt, Drew, Penalised)


def seen_by(event: Event, seat: int | None) -> Event:
    """The event as one seat, or a spectator (None), may know it."""
    if isinstance(event, _HIDING):
        return event.seen_by(seat)
    return event
