"""The levels of computer players, from a child's to the strongest, for people to choose from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

__all__ = ["DEFAULT_LEVEL", "LEVELS", "Level"]


@dataclass(frozen=True, slots=True)
class Level:
    """A strength of play that people can choose.

    Attributes:
        name: the text name of the player, also the code of its title and description.
        rank: 1 for the weakest.
    """

    name: str
    rank: int


LEVELS: Final[tuple[Level, ...]] = (
    Level("beginner", 1),
    Level("casual", 2),
    Level("regular", 3),
    Level("skilled", 4),
    Level("expert", 5),
    Level("master", 6),
)
"""All levels, the weakest first; each is a player that can be made by its name.

Each has a title and a description for people in :mod:`meldwise.i18n.levels`.
"""

DEFAULT_LEVEL: Final = "casual"
"""Whom somebody new to the game plays against if nothing else is said."""
