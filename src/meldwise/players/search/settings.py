"""How a search is done, and the options of players that set it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from meldwise.game.codes import Code
from meldwise.players.base import Means
from meldwise.players.errors import PlayerError
from meldwise.players.search.engine import CANDIDATES

__all__ = ["EXPERT", "MASTER", "Settings", "read_options"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How a search is done.

    Attributes:
        ms: the time for a choice in thousandths of a second; 0 to count playouts only.
        playouts: how many playouts a choice may take for each other player; 0 to keep to the
            time only.
        candidates: how many plays are tried at most.
        depth: after how many turns of each seat a playout ends with an estimate; 0 to play
            all rounds out.
        infer: what of a hundred worlds respects what the others' turns told of their
            hands; the rest respects the counts only.
        points: what a hundred points are worth, in rounds won.
        keep: whether the own seat, in playouts, keeps its jokers for its last turn.
        margin: how many standard errors a candidate has to lie behind the best to be given
            up before its time.
        fixed: whether playouts take a table's joker for the tile it stands for, also where
            it may be moved at will.
    """

    ms: int = 0
    playouts: int = 0
    candidates: int = 16
    depth: int = 4
    infer: int = 90
    points: float = 0.5
    margin: float = 3.0
    fixed: int = 0
    keep: int = 1

    @property
    def keeps_jokers(self) -> bool:
        """Whether the own seat keeps its jokers in playouts."""
        return bool(self.keep)

    @property
    def seconds(self) -> float | None:
        """The time for a choice in seconds; None to count playouts only."""
        return self.ms / 1000 if self.ms else None


MASTER: Final = Settings(ms=1000, playouts=500)
"""The settings of ``master``."""

EXPERT: Final = Settings(playouts=200, candidates=8, keep=0)
"""The settings of ``expert``."""

_RANGES: Final[Mapping[str, tuple[float, float]]] = {
    "ms": (1, 600_000),
    "playouts": (1, 10_000_000),
    "candidates": (1, CANDIDATES - 1),
    "depth": (0, 1000),
    "infer": (0, 100),
    "points": (0, 100),
    "margin": (0.5, 100),
    "fixed": (0, 1),
    "keep": (0, 1),
}


def read_options(
    name: str, options: Mapping[str, str], known: tuple[str, ...], settings: Settings, means: Means
) -> Settings:
    """The settings that a player's options ask for.

    A time or a number of playouts that is named takes the place of both that were set.

    Args:
        name: the player's name.
        options: its options.
        known: which of them it takes.
        settings: what holds where no option says otherwise.
        means: has to have a clock where a time is to be kept.

    Raises:
        PlayerError: on an option that the player does not have, on a value out of its
            range, and where a clock is wanted and there is none.
    """
    values: dict[str, Any] = {}
    for option, text in options.items():
        if option not in known:
            raise PlayerError(Code.PLAYER_BAD_OPTION, player=name, option=option, known=known)
        low, high = _RANGES[option]
        try:
            value = float(text) if option in ("points", "margin") else int(text)
        except ValueError:
            value = float("nan")
        if not low <= value <= high:
            allowed = f"{low} to {high}"
            raise PlayerError(
                Code.PLAYER_BAD_VALUE, player=name, option=option, value=text[:80], allowed=allowed
            )
        values[option] = value
    if "ms" in values or "playouts" in values:
        settings = replace(settings, ms=0, playouts=0)
    settings = replace(settings, **values)
    if settings.ms and means.clock is None:
        raise PlayerError(Code.PLAYER_NO_CLOCK, player=name)
    return settings
