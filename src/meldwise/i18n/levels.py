"""The levels of computer players in words, by the names that the players have."""

from __future__ import annotations

from typing import Final

from meldwise.i18n.translate import N_
from meldwise.i18n.translate import translate as _

__all__ = ["describe_level", "level_name"]

_LEVELS: Final = {
    "beginner": (
        N_("Beginner"),
        N_("lays one meld at a time, and takes what a single meld can spare"),
    ),
    "casual": (N_("Casual"), N_("lays all it holds, and sometimes rearranges two melds together")),
    "regular": (N_("Regular"), N_("rearranges up to three melds, and overlooks a little")),
    "skilled": (N_("Skilled"), N_("searches the whole table, and keeps its jokers for later")),
    "expert": (N_("Expert"), N_("thinks ahead, and counts what is still to come")),
    "master": (N_("Master"), N_("the strongest: it tries out how the round may go on")),
}


def level_name(name: str) -> str:
    """The level's title; for another player its text name."""
    return _(_LEVELS[name][0]) if name in _LEVELS else name


def describe_level(name: str) -> str:
    """What the level does, in a few words; empty for another player."""
    return _(_LEVELS[name][1]) if name in _LEVELS else ""
