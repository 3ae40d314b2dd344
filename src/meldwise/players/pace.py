"""How long a person would think before an action, so that a game with computers feels like one.

Nothing here waits: whoever shows the game to people does, at the edge.
"""

from __future__ import annotations

import math
from enum import StrEnum
from hashlib import blake2b
from typing import Final

from meldwise.game.actions import AskRedeal, Pass, Play, RoundAction
from meldwise.game.turn import compare_tables
from meldwise.game.view import View

__all__ = ["Pace", "think_time"]


class Pace(StrEnum):
    """How much time computer players take for people to follow."""

    NONE = "none"
    FAST = "fast"
    NATURAL = "natural"
    SLOW = "slow"


_FACTORS: Final = {Pace.NONE: 0.0, Pace.FAST: 0.3, Pace.NATURAL: 1.0, Pace.SLOW: 1.8}

_LEAST: Final = 0.4
_MOST: Final = 15.0
_OF_TIMER: Final = 0.5
"""The part of a turn's time that is used up at most."""

_SPREAD: Final = 0.3
"""The standard deviation of the logarithm of the time: people are not machines."""


def think_time(view: View, action: RoundAction, pace: Pace, seed: int = 0) -> float:
    """The seconds that a person would take to find and lay out an action.

    Longer for more tiles and for more melds taken apart; short where there is nothing to
    choose. The same view, action and seed give the same time.

    Args:
        view: what the player saw.
        action: what it chose.
        pace: how quick the game is to be.
        seed: what the chance in it follows from.

    Returns:
        Seconds: 0 without a pace, otherwise from 0.4 to 15, and at most half of the time
        that the table gives for a turn.
    """
    if pace is Pace.NONE:
        return 0.0
    seconds = _effort(view, action) * math.exp(_SPREAD * _normal(view, seed)) * _FACTORS[pace]
    most = _MOST if view.rules.timer is None else min(_MOST, _OF_TIMER * view.rules.timer)
    return min(most, max(_LEAST, seconds))


def _effort(view: View, action: RoundAction) -> float:
    """The seconds at a natural pace, without chance."""
    if isinstance(action, Pass | AskRedeal):
        return 0.8
    table = view.round.table if view.round is not None else ()
    opened = view.seat is not None and view.players[view.seat].opened
    # A look over the hand, and over the table once it may be used.
    look = 0.6 + 0.04 * len(view.hand) + (0.06 * len(table) if opened else 0.0)
    if not isinstance(action, Play):
        return look
    change = compare_tables(table, action.table)
    tiles = sum(len(meld.cells) for meld in change.new) - sum(len(m.cells) for m in change.gone)
    grown = sum(1 for meld in change.gone if any(_grows(meld.key, new.key) for new in change.new))
    apart = len(change.gone) - grown
    return look + 0.7 * tiles + 0.6 * grown + 1.6 * apart


def _grows(before: tuple[object, tuple[int, ...]], after: tuple[object, tuple[int, ...]]) -> bool:
    """Whether a meld lies whole in another, so that tiles were only added."""
    return before[0] == after[0] and set(before[1]) <= set(after[1])


def _normal(view: View, seed: int) -> float:
    """A normal deviate from the seed and the turn, cut at two deviations (Box and Muller)."""
    number, turn = (view.round.number, view.round.turn) if view.round is not None else (0, 0)
    text = f"pace {seed} {view.seat} {number} {turn}"
    digest = blake2b(text.encode(), digest_size=8).digest()
    one = (int.from_bytes(digest[:4], "big") + 1) / (1 << 32)
    other = int.from_bytes(digest[4:], "big") / (1 << 32)
    value = math.sqrt(-2 * math.log(one)) * math.cos(2 * math.pi * other)
    return max(-2.0, min(2.0, value))
