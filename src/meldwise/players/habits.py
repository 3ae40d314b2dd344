"""What people of some skill look at in a turn, and how surely they see what is there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

__all__ = ["HABITS", "Habits"]


@dataclass(frozen=True, slots=True)
class Habits:
    """The habits of a person at the table; chances are from 0 to 1.

    Attributes:
        sees_run: how surely a run that lies ready in the hand is seen.
        sees_set: the same for a set, whose tiles lie apart in a hand sorted by colour.
        sees_joker_meld: the same for a meld of two own tiles and a joker.
        opening_melds: the most melds that are put together to open.
        new_melds: the most new melds laid in one turn after opening.
        melds_in_sight: how many melds of the table are looked at in a turn, those that
            changed last first.
        sees_addition: how surely a place for a tile, at a run's end or in a set, is seen.
        sees_taking: how surely a play that takes one meld apart is seen.
        group: how many melds are taken apart together.
        groups: how many such groups are tried in a turn.
        sees_group: how surely a play within such a group is seen.
        reach: how many melds a thorough search of the whole table may change; 0 for none.
        keeps_jokers: with more tiles in hand a joker is only played where it brings at
            least two other tiles to the table.
    """

    sees_run: float = 1.0
    sees_set: float = 1.0
    sees_joker_meld: float = 1.0
    opening_melds: int = 5
    new_melds: int = 5
    melds_in_sight: int = 40
    sees_addition: float = 1.0
    sees_taking: float = 0.0
    group: int = 1
    groups: int = 0
    sees_group: float = 0.0
    reach: int = 0
    keeps_jokers: int = 5


HABITS: Final[Mapping[str, Habits]] = MappingProxyType(
    {
        "beginner": Habits(
            sees_set=0.95,
            sees_joker_meld=0.9,
            opening_melds=3,
            new_melds=1,
            melds_in_sight=16,
            sees_addition=0.95,
            sees_taking=0.85,
        ),
        "casual": Habits(
            sees_joker_meld=0.95,
            opening_melds=4,
            melds_in_sight=20,
            sees_addition=0.97,
            sees_taking=1.0,
            group=2,
            groups=7,
            sees_group=0.55,
        ),
        "regular": Habits(
            sees_taking=1.0,
            group=3,
            groups=20,
            sees_group=0.85,
        ),
        "skilled": Habits(
            sees_taking=1.0,
            group=3,
            groups=20,
            sees_group=1.0,
            reach=4,
            keeps_jokers=6,
        ),
    }
)
"""The habits behind the levels, by the names of these."""
