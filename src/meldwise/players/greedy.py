"""The greedy player: every turn the most tiles that can be played, proven by the solver.

It is the yardstick of the literature on this game (Den Hertog and Hulshof, *Solving
Rummikub Problems by Integer Linear Programming*, The Computer Journal 49, 2006): strong in
a turn, and without a thought for the next one. With one rule of thumb more, that jokers stay
in hand until the whole hand can be played, it wins about two rounds of three against itself
without (see ``docs/search.md``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from meldwise.game.actions import AskRedeal, Play, RoundAction
from meldwise.game.tiles import JOKER
from meldwise.game.view import View
from meldwise.players.turns import idle, must_play, turn_of
from meldwise.solver import (
    HIGHEST_VALUE,
    MOST_TILES,
    MOST_TILES_THEN_VALUE,
    Objective,
    best_play,
)

__all__ = ["OBJECTIVES", "GreedyPlayer"]

OBJECTIVES: Final[Mapping[str, Objective]] = MappingProxyType(
    {"tiles": MOST_TILES, "tiles-value": MOST_TILES_THEN_VALUE, "value": HIGHEST_VALUE}
)
"""What a greedy player can be best at, by the name that its option takes."""


class GreedyPlayer:
    """A player that plays whatever is best at an objective, whenever it can play.

    It asks for a new deal where the rules offer one and its hand has no play.

    Attributes:
        objective: what its plays are best at; the most tiles if nothing else is said.
        keeps_jokers: whether it plays jokers with its last tiles only, or where the rules ask
            for a play and there is no other.
        seconds: None, since the solver takes the time that a proof needs.
    """

    __slots__ = ("keeps_jokers", "objective")

    seconds: None = None

    def __init__(self, objective: Objective = MOST_TILES, *, keeps_jokers: bool = False) -> None:
        self.objective = objective
        self.keeps_jokers = keeps_jokers

    def choose(self, view: View) -> RoundAction:
        """Chooses what to do; see :class:`~meldwise.players.base.Player`."""
        seat, state = turn_of(view)
        play = best_play(view.position, view.rules, self.objective).play
        if (
            self.keeps_jokers
            and play is not None
            and JOKER in play.played
            and len(play.played) < len(view.hand)
        ):
            hand = tuple(tile for tile in view.hand if tile != JOKER)
            others = best_play(replace(view.position, hand=hand), view.rules, self.objective).play
            play = others or (play if must_play(view) else None)
        if play is not None:
            return Play(seat, play.table)
        return AskRedeal(seat) if state.may_redeal else idle(view)
