"""What a play is to be best at, as typed values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from meldwise.game.codes import Code
from meldwise.game.tiles import FACES, JOKER_INDEX, NUMBERS, Tile
from meldwise.solver.errors import ObjectiveError

__all__ = [
    "GOING_OUT",
    "HIGHEST_VALUE",
    "MOST_TILES",
    "MOST_TILES_THEN_VALUE",
    "VALUE_THEN_MOST_TILES",
    "Objective",
    "highest_value",
]

LIMIT: Final = 1_000_000
"""The greatest absolute weight of a tile."""

Weights = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Objective:
    """A sum of weights over the tiles played, or several of them in order of importance.

    >>> Objective.weighing({Tile.parse("r7"): -5}, default=1).tiers[0][6]
    -5

    Attributes:
        tiers: for each sum the weight of each tile by its index, 53 whole numbers; a later
            sum only decides between plays that are equal in the earlier ones.
        going_out: whether a play of the whole hand comes before all else.

    Raises:
        ObjectiveError: on another number of weights, or one beyond a million.
    """

    tiers: tuple[Weights, ...]
    going_out: bool = False

    def __post_init__(self) -> None:
        try:
            object.__setattr__(self, "tiers", tuple(map(tuple, self.tiers)))
        except TypeError as error:
            raise ObjectiveError(
                Code.SOLVER_OBJECTIVE, field="tiers", value=repr(self.tiers)[:80]
            ) from error
        for tier in self.tiers:
            if len(tier) != FACES + 1:
                raise ObjectiveError(Code.SOLVER_OBJECTIVE, field="tiers", value=len(tier))
            for weight in tier:
                if type(weight) is not int or abs(weight) > LIMIT:
                    raise ObjectiveError(Code.SOLVER_OBJECTIVE, field="tiers", value=weight)
        if not 1 <= len(self.tiers) <= 3:
            raise ObjectiveError(Code.SOLVER_OBJECTIVE, field="tiers", value=len(self.tiers))

    @classmethod
    def weighing(
        cls, weights: Mapping[Tile, int], *, default: int = 0, going_out: bool = False
    ) -> Objective:
        """One sum with a weight for each tile named, also negative: keep this one.

        Raises:
            ObjectiveError: on a weight that is no whole number or beyond a million, or for
                what is no tile.
        """
        tier = [default] * (FACES + 1)
        for tile, weight in weights.items():
            if not isinstance(tile, Tile):
                raise ObjectiveError(Code.SOLVER_OBJECTIVE, field="weights", value=repr(tile))
            tier[tile.index] = weight
        return cls((tuple(tier),), going_out)

    def then(self, other: Objective) -> Objective:
        """This one, and another where plays are equal.

        Raises:
            ObjectiveError: if there are more than three sums.
        """
        return Objective((*self.tiers, *other.tiers), self.going_out)

    def value(self, played: Sequence[Tile]) -> tuple[int, ...]:
        """What a play of these tiles is worth, a number for each sum."""
        return tuple(sum(tier[tile.index] for tile in played) for tier in self.tiers)

    def scaled(self, hand: Sequence[int]) -> tuple[Weights, tuple[int, ...]]:
        """The sums as one weight for each tile, and each sum's factor in it.

        Args:
            hand: how many of each tile are in hand, 53 counts.
        """
        if len(self.tiers) == 1:
            return self.tiers[0], (1,)
        factors = [1]
        for tier in reversed(self.tiers[1:]):
            spread = sum([abs(w) * n for w, n in zip(tier, hand, strict=True) if n])
            factors.append(factors[-1] * (spread + 1))
        factors.reverse()
        weights = [
            sum([w * f for w, f in zip(column, factors, strict=True)])
            for column in zip(*self.tiers, strict=True)
        ]
        return tuple(weights), tuple(factors)


def _highest_value(joker: int) -> Objective:
    numbers = tuple(index % NUMBERS + 1 for index in range(FACES))
    return Objective(((*numbers, joker),))


MOST_TILES: Final = Objective(((1,) * (JOKER_INDEX + 1),))
"""As many tiles as can be."""

HIGHEST_VALUE: Final = _highest_value(30)
"""The highest sum of the numbers played, a joker counting 30 as it does in hand."""

MOST_TILES_THEN_VALUE: Final = MOST_TILES.then(HIGHEST_VALUE)
"""Most tiles; of plays of as many tiles that of the highest value."""

VALUE_THEN_MOST_TILES: Final = HIGHEST_VALUE.then(MOST_TILES)
"""Highest value; of plays of that value that of the most tiles."""

GOING_OUT: Final = Objective(MOST_TILES_THEN_VALUE.tiers, going_out=True)
"""The whole hand if that can be; else most tiles, then highest value."""


def highest_value(joker: int = 30) -> Objective:
    """The highest sum of the numbers played, with what a joker counts.

    >>> highest_value(0).value([Tile.parse("r7"), Tile.parse("*")])
    (7,)
    """
    return _highest_value(joker)
