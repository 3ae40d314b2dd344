"""What every computer player needs of a turn: whose it is, and how it ends without a play."""

from __future__ import annotations

from meldwise.game.actions import Draw, Pass, Play, RoundAction
from meldwise.game.codes import Code
from meldwise.game.errors import ActionError
from meldwise.game.rules import MustPlay
from meldwise.game.view import RoundView, View
from meldwise.solver import best_play

__all__ = ["give_up", "idle", "must_play", "turn_of"]


def turn_of(view: View) -> tuple[int, RoundView]:
    """The viewer's seat and the round.

    Raises:
        ActionError: for the view of a spectator, or before the first deal.
    """
    if view.seat is None:
        raise ActionError(Code.ACTION_NO_SUCH_SEAT, seat=None, seats=len(view.players))
    if view.round is None:
        raise ActionError(Code.ACTION_NO_ROUND)
    return view.seat, view.round


def idle(view: View) -> Draw | Pass:
    """How the viewer's turn ends without a play: a draw, or a pass once the stock is empty.

    Raises:
        ActionError: for the view of a spectator, or before the first deal.
    """
    seat, state = turn_of(view)
    return Draw(seat) if state.stock else Pass(seat)


def must_play(view: View) -> bool:
    """Whether the rules ask the viewer to play now if that is possible.

    Raises:
        ActionError: for the view of a spectator, or before the first deal.
    """
    _, state = turn_of(view)
    must = view.rules.must_play
    return must is MustPlay.ALWAYS or (must is MustPlay.STOCK_EMPTY and not state.stock)


def give_up(view: View) -> RoundAction:
    """What is done for a player that does not do anything sensible: as little as can be.

    That is :func:`idle`, or some play where the rules ask for one and there is one.

    Raises:
        ActionError: for the view of a spectator, or before the first deal.
    """
    if must_play(view):
        play = best_play(view.position, view.rules).play
        if play is not None:
            seat, _ = turn_of(view)
            return Play(seat, play.table)
    return idle(view)
