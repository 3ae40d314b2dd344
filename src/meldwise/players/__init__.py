"""Computer players behind one small interface: a view in, an action out."""

from meldwise.players.base import Means, Player, problem_count, problem_since
from meldwise.players.errors import PlayerError
from meldwise.players.levels import DEFAULT_LEVEL, LEVELS, Level
from meldwise.players.pace import Pace, think_time
from meldwise.players.registry import create_player, player_names

__all__ = [
    "DEFAULT_LEVEL",
    "LEVELS",
    "Level",
    "Means",
    "Pace",
    "Player",
    "PlayerError",
    "create_player",
    "player_names",
    "problem_count",
    "problem_since",
    "think_time",
]
