"""Computer players behind one small interface: a view in, an action out."""

from meldwise.players.base import Means, Player
from meldwise.players.registry import PlayerError, create_player, player_names

__all__ = ["Means", "Player", "PlayerError", "create_player", "player_names"]
