"""The levels of computer players in words, by the names that the players have."""

from __future__ import annotations

from typing import Final

from meldwise.i18n.translate import N_
from meldwise.i18n.translate import translate as _

__all__ = ["describe_level", "level_name"]

_LEVELS: Final = {
    "beginner": (
        N_("Beginner"),
        N_("lays new melds and adds to those on the table, but rearranges nothing"),
    ),
    "casual": (
        N_("Casual"),
        N_("rearranges one meld or two together, in the rounds in which it pays attention"),
    ),
    "regular": (
        N_("Regular"),
        N_("rearranges up to three melds, and only one at a time when its mind wanders"),
    ),
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
