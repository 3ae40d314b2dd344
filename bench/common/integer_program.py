"""The same question as an integer program, for HiGHS.

Variables are how often each of the 185 shortest melds without jokers is laid (runs of three
to five, sets), how many jokers stand for each of the 52 faces, and how many of each tile are
played. Longer runs are runs of three to five side by side. Only for free jokers (J0), at
most two of them, so that no meld holds nothing else.
"""

from __future__ import annotations

from itertools import combinations

import highspy
import numpy as np

from meldwise.game.position import Position
from meldwise.game.tiles import FACES, JOKER_INDEX, NUMBERS, count_tiles
from meldwise.solver import Objective

MELDS: list[list[int]] = [
    [colour * NUMBERS + start + step for step in range(length)]
    for colour in range(4)
    for length in (3, 4, 5)
    for start in range(NUMBERS - length + 1)
] + [
    [colour * NUMBERS + number for colour in colours]
    for number in range(NUMBERS)
    for size in (3, 4)
    for colours in combinations(range(4), size)
]
WORTH = [sum(face % NUMBERS + 1 for face in meld) for meld in MELDS]

COLUMNS = len(MELDS) + FACES + FACES + 1
"""Melds, jokers standing for faces, tiles played."""

ROWS = FACES + 3
"""One for each face, the jokers, the opening minimum, and for playing something."""


def _matrix() -> tuple[list[int], list[int], list[float]]:
    """The columns, each with its rows: melds minus jokers minus played tiles is what lies."""
    starts, rows, values = [0], [], []
    for meld, worth in zip(MELDS, WORTH, strict=True):
        rows += [*meld, FACES + 1]
        values += [1.0] * len(meld) + [float(worth)]
        starts.append(len(rows))
    for face in range(FACES):
        rows += [face, FACES]
        values += [-1.0, 1.0]
        starts.append(len(rows))
    for index in range(FACES + 1):
        rows += [index, FACES + 2]
        values += [-1.0, 1.0]
        starts.append(len(rows))
    return starts, rows, values


MATRIX = _matrix()


class IntegerProgram:
    """A HiGHS model that is changed from one position to the next."""

    def __init__(self) -> None:
        self.highs = highspy.Highs()  # type: ignore[no-untyped-call]
        self.highs.silent()
        # The scheduler is one for the whole process, and a run with another number of threads
        # than the first one returns nothing: so the number is left as others leave it.
        self.highs.setOptionValue("mip_rel_gap", 0.0)
        self.highs.setOptionValue("mip_abs_gap", 0.5)

    def best(
        self,
        position: Position,
        objective: Objective,
        minimum: int = 30,
        *,
        presolve: bool = True,
    ) -> int | None:
        """The best sum of the objective's first tier; None if nothing can be played."""
        self.highs.setOptionValue("presolve", "choose" if presolve else "off")
        plain = not position.opened
        table = () if plain else position.table
        held = count_tiles(tile for meld in table for tile in meld.cells)
        hand = count_tiles(position.hand)
        jokers = held[JOKER_INDEX] + hand[JOKER_INDEX]
        lp = highspy.HighsLp()
        lp.num_col_, lp.num_row_ = COLUMNS, ROWS
        lp.sense_ = highspy.ObjSense.kMaximize
        weights = objective.tiers[0]
        lp.col_cost_ = np.array([0.0] * (len(MELDS) + FACES) + [float(w) for w in weights])
        lp.col_lower_ = np.zeros(COLUMNS)
        lp.col_upper_ = np.array(
            [float(jokers + 3)] * len(MELDS) + [float(jokers)] * FACES + [float(n) for n in hand]
        )
        row = [float(n) for n in held]
        infinity = highspy.kHighsInf
        need = float(max(1, minimum)) if plain else -infinity
        lp.row_lower_ = np.array([*row, need, 1.0])
        lp.row_upper_ = np.array([*row, infinity, infinity])
        lp.integrality_ = [highspy.HighsVarType.kInteger] * COLUMNS
        lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
        lp.a_matrix_.start_ = np.array(MATRIX[0])
        lp.a_matrix_.index_ = np.array(MATRIX[1])
        lp.a_matrix_.value_ = np.array(MATRIX[2])
        self.highs.passModel(lp)
        self.highs.run()
        if self.highs.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            return None
        return round(self.highs.getObjectiveValue())
