"""Why nothing can be played, as data."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from meldwise.game.position import Position
from meldwise.game.rules import Rules
from meldwise.solver.best import make_query
from meldwise.solver.budget import Budget
from meldwise.solver.objective import MOST_TILES
from meldwise.solver.oracle import can_play
from meldwise.solver.turn import highest_opening

__all__ = ["NoPlay", "Reason", "why_no_play"]


class Reason(StrEnum):
    """What keeps a player from playing."""

    EMPTY_HAND = "empty_hand"
    NO_MELD = "no_meld"
    OPENING_TOO_LOW = "opening_too_low"
    JOKER_RULES = "joker_rules"
    NOTHING_FITS = "nothing_fits"


@dataclass(frozen=True, slots=True)
class NoPlay:
    """Why there is no play.

    Attributes:
        reason: ``empty_hand``; ``no_meld``: the hand holds none to open with;
            ``opening_too_low``: the melds in hand are worth too little, or cannot be laid
            beside what else the rules ask for; ``joker_rules``: there would be a play if
            the jokers on the table were free; ``nothing_fits``: no tile of the hand can be
            laid, however the table is rearranged.
        have: the highest value of an opening in hand; None for a player who has opened.
        need: the opening minimum; None for a player who has opened.
    """

    reason: Reason
    have: int | None = None
    need: int | None = None


def why_no_play(position: Position, rules: Rules) -> NoPlay | None:
    """Why nothing can be played; None if something can.

    >>> why_no_play(Position.parse("/ r4 r5 r6 b9 / unopened"), Rules())
    NoPlay(reason=<Reason.OPENING_TOO_LOW: 'opening_too_low'>, have=15, need=30)

    Raises:
        PositionError: if it is no position of the rules' box.
        UnarrangeableError: if the table's tiles cannot be arranged into valid melds.
    """
    if can_play(position, rules):
        return None
    if not position.hand:
        return NoPlay(Reason.EMPTY_HAND)
    if not position.opened:
        query, _ = make_query(position, rules, MOST_TILES)
        have = highest_opening(query, Budget())
        need = max(1, rules.opening_minimum)
        reason = Reason.OPENING_TOO_LOW if have else Reason.NO_MELD
        return NoPlay(reason, have, need)
    if can_play(position, rules.with_joker_level(0)):
        return NoPlay(Reason.JOKER_RULES)
    return NoPlay(Reason.NOTHING_FITS)
