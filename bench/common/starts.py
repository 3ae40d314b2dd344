"""What playouts begin from, for a round that is known whole."""

from __future__ import annotations

from meldwise.game.round import Round
from meldwise.players.search.engine import State

__all__ = ["start_of"]


def start_of(state: Round, keeps: tuple[bool, ...] = ()) -> State:
    """A round as it stands before its last turns, of a match without points."""
    return State(
        players=state.players,
        seat=state.seat,
        stock=len(state.stock),
        passes=state.passes,
        turns_left=-1,
        turn=state.turn,
        opened=state.opened,
        last_played=state.last_played,
        last_turn=state.last_turn,
        skips=state.skips,
        totals=(0,) * state.players,
        keeps=keeps,
    )
