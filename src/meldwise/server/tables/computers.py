"""Which computer players the tables of a server offer.

A text name can name a file or a program of this machine, so that nobody out there may
choose one freely: what is offered is a list, and nothing else is made.
"""

from __future__ import annotations

from typing import Final

from meldwise.game.codes import Code
from meldwise.players import PlayerError, create_player, player_names
from meldwise.players.base import Means

__all__ = ["check_offered", "computer_players", "default_sitter"]

_USUAL: Final = (
    "beginner",
    "casual",
    "regular",
    "skilled",
    "expert",
    "master",
    "greedy",
    "plain",
)
"""What is offered without a setting, as far as it is there, the weakest first."""


def computer_players(setting: str) -> tuple[str, ...]:
    """The text names of the players on offer.

    Args:
        setting: text names apart by spaces; empty for the usual ones.

    Raises:
        PlayerError: for a name that no player has.
    """
    if not setting.split():
        there = set(player_names())
        return tuple(name for name in _USUAL if name in there)
    for text in setting.split():
        create_player(text, Means(0, lambda: 0.0))
    return tuple(setting.split())


def default_sitter(offered: tuple[str, ...]) -> str:
    """Who sits in for people where no setting says: the middle of the levels, if it is there."""
    return "regular" if "regular" in offered else offered[-1]


def check_offered(player: str, offered: tuple[str, ...]) -> None:
    """Asks whether a computer player is on offer.

    Raises:
        PlayerError: naming those that are, if not.
    """
    if player not in offered:
        raise PlayerError(Code.PLAYER_UNKNOWN, player=player[:80], known=offered)
