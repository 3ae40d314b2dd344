"""What people of some skill look at in a turn, and how surely they see what is there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

__all__ = ["PERSONS", "Habits", "Person"]


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


@dataclass(frozen=True, slots=True)
class Person:
    """Whose habits differ from round to round, as nobody is equally attentive in each.

    Attributes:
        attentive: the habits in a round that has the player's attention.
        absent: the habits in the other rounds.
        attention: the share of rounds that have it, from 0 to 1.
    """

    attentive: Habits
    absent: Habits
    attention: float = 1.0

    @classmethod
    def always(cls, habits: Habits) -> Person:
        """Somebody with the same habits in every round."""
        return cls(habits, habits)


_HAND_AND_PLACES: Final = Habits()
_ONE_MELD: Final = Habits(sees_taking=1.0)
_TWO_MELDS: Final = Habits(sees_taking=1.0, group=2, groups=20, sees_group=0.9, reach=2)
_THREE_MELDS: Final = Habits(sees_taking=1.0, group=3, groups=20, sees_group=0.9, reach=3)
_FOUR_MELDS: Final = Habits(
    sees_taking=1.0, group=3, groups=20, sees_group=1.0, reach=4, keeps_jokers=6
)

PERSONS: Final[Mapping[str, Person]] = MappingProxyType(
    {
        "beginner": Person.always(_HAND_AND_PLACES),
        "casual": Person(_TWO_MELDS, _HAND_AND_PLACES, 0.5),
        "regular": Person(_THREE_MELDS, _ONE_MELD, 0.68),
        "skilled": Person.always(_FOUR_MELDS),
    }
)
"""The persons behind the levels, by the names of these.

Two players of whom one sees a little more are far apart after the long rounds that weak
players play, so that three steps from a beginner to somebody skilled would be too steep with
the same habits in every round.
"""
