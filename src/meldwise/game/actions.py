"""What can be done in a round and in a match, as values.

A turn is one proposal: how a player moves tiles about before it ends is no action.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, TypeAlias

from meldwise.game.position import Position, Table
from meldwise.game.rules import Rules
from meldwise.game.shuffle import Seeds

__all__ = [
    "Action",
    "AskRedeal",
    "CommitShuffle",
    "Draw",
    "EndMatch",
    "Leave",
    "MatchAction",
    "Pass",
    "Play",
    "PlayOracle",
    "Return",
    "RoundAction",
    "StandIn",
    "StartRound",
    "TimeOut",
]


class PlayOracle(Protocol):
    """Whoever can tell whether a position has any legal play; the must-play rule asks it."""

    def can_play(self, position: Position, rules: Rules) -> bool:
        """Whether at least one tile of the hand can be placed in a legal end of turn."""
        ...


@dataclass(frozen=True, slots=True)
class Play:
    """Ends the turn with a proposed table.

    An invalid one costs the penalty or is refused, as the rules say; one that places no own
    tile counts as drawing, or as passing when the stock is empty.
    """

    seat: int
    table: Table


@dataclass(frozen=True, slots=True)
class Draw:
    """Takes one tile from the stock; own tiles in a draft go back to the hand."""

    seat: int


@dataclass(frozen=True, slots=True)
class Pass:
    """Ends the turn without a play when the stock is empty."""

    seat: int


@dataclass(frozen=True, slots=True)
class TimeOut:
    """The time of the turn has run out.

    Attributes:
        seat: whose turn it was.
        draft: the table as the player had arranged it; None if nothing was moved.
    """

    seat: int
    draft: Table | None = None


@dataclass(frozen=True, slots=True)
class AskRedeal:
    """Asks for a new deal before the first turn, by right of dealt pairs."""

    seat: int


@dataclass(frozen=True, slots=True)
class CommitShuffle:
    """Publishes the commitment to the next round's secret seed, in 64 hex digits."""

    commitment: str


@dataclass(frozen=True, slots=True)
class StartRound:
    """Draws for who begins, and deals.

    Attributes:
        seeds: the seed that was committed to, and the players' own.
        clock: seconds since the match began, for a match that ends by time.
    """

    seeds: Seeds
    clock: int | None = None


@dataclass(frozen=True, slots=True)
class EndMatch:
    """Ends a match by time after a round, at a clock reading in seconds."""

    clock: int


@dataclass(frozen=True, slots=True)
class Leave:
    """The seat's player has gone; the result stays with them."""

    seat: int


@dataclass(frozen=True, slots=True)
class StandIn:
    """A computer player sits in for one who has left.

    Attributes:
        seat: the seat that was left.
        player: the text name of the computer player.
    """

    seat: int
    player: str


@dataclass(frozen=True, slots=True)
class Return:
    """The player who had left takes the seat back."""

    seat: int


RoundAction: TypeAlias = Play | Draw | Pass | TimeOut | AskRedeal
MatchAction: TypeAlias = CommitShuffle | StartRound | EndMatch | Leave | StandIn | Return
Action: TypeAlias = RoundAction | MatchAction
