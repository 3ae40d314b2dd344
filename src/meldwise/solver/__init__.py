"""Provably best plays from a position, at every joker level.

>>> from meldwise.game.position import Position
>>> from meldwise.game.rules import Rules
>>> answer = best_play(Position.parse("r5-6-7 / r8 b9"), Rules())
>>> str(answer.play), answer.proven
('r5-6-7-8 (r8)', True)
"""

from __future__ import annotations

from meldwise.solver.arrange import Arrangement, Source, Step, arrange
from meldwise.solver.best import Answer, Play, best_play
from meldwise.solver.engine import KernelInfo, kernel_info
from meldwise.solver.errors import (
    KernelError,
    ObjectiveError,
    PositionError,
    UnarrangeableError,
)
from meldwise.solver.objective import (
    GOING_OUT,
    HIGHEST_VALUE,
    MOST_TILES,
    MOST_TILES_THEN_VALUE,
    VALUE_THEN_MOST_TILES,
    Objective,
    highest_value,
)
from meldwise.solver.oracle import SolverOracle, can_play
from meldwise.solver.several import Outlook, best_plays, playable, plays
from meldwise.solver.why import NoPlay, Reason, why_no_play

__all__ = [
    "GOING_OUT",
    "HIGHEST_VALUE",
    "MOST_TILES",
    "MOST_TILES_THEN_VALUE",
    "VALUE_THEN_MOST_TILES",
    "Answer",
    "Arrangement",
    "KernelError",
    "KernelInfo",
    "NoPlay",
    "Objective",
    "ObjectiveError",
    "Outlook",
    "Play",
    "PositionError",
    "Reason",
    "SolverOracle",
    "Source",
    "Step",
    "UnarrangeableError",
    "arrange",
    "best_play",
    "best_plays",
    "can_play",
    "highest_value",
    "kernel_info",
    "playable",
    "plays",
    "why_no_play",
]
