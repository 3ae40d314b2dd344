"""What one seat, or a spectator, may know of a match.

Whatever leaves the host's hands goes through here: nothing hidden can be reached from a
view, neither another hand nor the stock nor a seed before it is revealed.
"""

from __future__ import annotations

from dataclasses import dataclass

from meldwise.game.codes import Code
from meldwise.game.errors import ActionError
from meldwise.game.events import Event, MatchResult
from meldwise.game.match import Match, Seat
from meldwise.game.position import Position, Table
from meldwise.game.round import dealt_pairs
from meldwise.game.rules import Rules
from meldwise.game.scores import RoundResult
from meldwise.game.shuffle import Seeds
from meldwise.game.tiles import Tile
from meldwise.game.values import quickly_made

__all__ = ["HandView", "PlayerView", "RoundView", "View", "hand_of", "view_of"]


@quickly_made
@dataclass(frozen=True, slots=True)
class PlayerView:
    """What everybody may know of a player.

    Attributes:
        seat: who sits there.
        total: points of the finished rounds.
        tiles: how many tiles the hand holds; 0 before the first deal.
        opened: whether the player has opened in this round.
        skips: how many turns are still to be skipped.
    """

    seat: Seat
    total: int
    tiles: int
    opened: bool
    skips: int


@quickly_made
@dataclass(frozen=True, slots=True)
class RoundView:
    """What may be known of a round.

    Attributes:
        number: the number of the round, from 1.
        first: the seat that began.
        seat: whose turn it is.
        turn: the number of the turn, from 1.
        table: the melds on the table.
        stock: how many tiles are left to draw.
        passes: how many turns in a row were passes.
        turns_left: how many turns are left under ``last_turns``; None before that.
        may_redeal: whether the viewer may ask for a new deal.
        history: what happened in the round, as a spectator may know it.
        result: the outcome with all hands; None while the round goes on.
        seeds: the seeds of the round once it is over; None before.
    """

    number: int
    first: int
    seat: int
    turn: int
    table: Table
    stock: int
    passes: int
    turns_left: int | None
    may_redeal: bool
    history: tuple[Event, ...]
    result: RoundResult | None
    seeds: Seeds | None


@quickly_made
@dataclass(frozen=True, slots=True)
class View:
    """A match as one seat, or a spectator, may know it.

    Attributes:
        rules: the rules of the table.
        seat: the seat that views; None for a spectator.
        players: what is known of each player, by seat.
        hand: the viewer's own tiles, in order of their index; empty for a spectator.
        round: the running or last round; None before the first.
        results: the outcomes of the finished rounds.
        commitment: the commitment for the running or the next round, if it is made.
        result: the outcome of the match; None while it goes on.
    """

    rules: Rules
    seat: int | None
    players: tuple[PlayerView, ...]
    hand: tuple[Tile, ...]
    round: RoundView | None
    results: tuple[RoundResult, ...]
    commitment: str | None
    result: MatchResult | None

    @property
    def my_turn(self) -> bool:
        """Whether the viewer is to move."""
        return self.round is not None and self.round.result is None and self.round.seat == self.seat

    @property
    def position(self) -> Position:
        """The table with the viewer's hand.

        Raises:
            ActionError: for a spectator, or before the first deal.
        """
        if self.seat is None:
            raise ActionError(Code.ACTION_NO_SUCH_SEAT, seat=None, seats=len(self.players))
        if self.round is None:
            raise ActionError(Code.ACTION_NO_ROUND)
        return Position(self.round.table, self.hand, self.players[self.seat].opened)


@dataclass(frozen=True, slots=True)
class HandView:
    """What only a seat itself sees.

    Attributes:
        tiles: the tiles in its hand.
        may_redeal: whether it may ask for a new deal.
    """

    tiles: tuple[Tile, ...]
    may_redeal: bool


def view_of(match: Match, seat: int | None) -> View:
    """The match as a seat, or a spectator (None), may know it.

    Raises:
        ActionError: if there is no such seat.
    """
    if seat is not None:
        _check_seat(match, seat)
    state = match.round
    totals = match.totals
    players = [
        PlayerView(who, totals[place], 0, opened=False, skips=0)
        if state is None
        else PlayerView(
            who,
            totals[place],
            len(state.hands[place]),
            state.opened[place],
            state.skips[place],
        )
        for place, who in enumerate(match.seats)
    ]
    return View(
        rules=match.rules,
        seat=seat,
        players=tuple(players),
        hand=() if state is None or seat is None else state.hands[seat],
        round=None if state is None else _round_view(match, seat),
        results=match.results,
        commitment=match.commitment,
        result=match.result,
    )


def _round_view(match: Match, seat: int | None) -> RoundView:
    state = match.round
    assert state is not None
    return RoundView(
        number=state.number,
        first=state.first,
        seat=state.seat,
        turn=state.turn,
        table=state.table,
        stock=len(state.stock),
        passes=state.passes,
        turns_left=state.turns_left,
        may_redeal=seat is not None and _may_redeal(match, seat),
        history=state.history,
        result=state.result,
        seeds=state.seeds if state.result is not None else None,
    )


def _may_redeal(match: Match, seat: int) -> bool:
    state, need = match.round, match.rules.redeal_pairs
    return (
        state is not None
        and need > 0
        and not any(state.last_turn)
        and state.result is None
        and dealt_pairs(state.hands[seat]) >= need
    )


def hand_of(match: Match, seat: int) -> HandView:
    """What only a seat itself sees of the match; :func:`view_of` shows the rest too.

    Raises:
        ActionError: if there is no such seat.
    """
    _check_seat(match, seat)
    state = match.round
    return HandView(() if state is None else state.hands[seat], _may_redeal(match, seat))


def _check_seat(match: Match, seat: int) -> None:
    if not 0 <= seat < len(match.seats):
        raise ActionError(Code.ACTION_NO_SUCH_SEAT, seat=seat, seats=len(match.seats))
