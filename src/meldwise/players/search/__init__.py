"""Players that search: each candidate is tried by playing the round on many times.

The method is described in ``docs/search.md``.
"""

from __future__ import annotations

from collections.abc import Mapping

from meldwise.players.base import Means, Player
from meldwise.players.search.player import SearchPlayer
from meldwise.players.search.settings import EXPERT, MASTER, Settings, read_options

__all__ = ["EXPERT", "MASTER", "SearchPlayer", "Settings", "create"]

_OPTIONS = ("ms", "playouts", "candidates", "depth", "infer", "points", "margin", "fixed", "keep")


def create(name: str, options: Mapping[str, str], means: Means) -> Player:
    """Makes the player ``search``, ``expert`` or ``master``.

    Raises:
        PlayerError: on an option or a value that it does not take, or without a clock where
            a time is to be kept.
    """
    if name == "expert":
        return SearchPlayer(read_options(name, options, ("playouts",), EXPERT, means), means)
    known = _OPTIONS if name == "search" else ("ms", "playouts")
    return SearchPlayer(read_options(name, options, known, MASTER, means), means)
