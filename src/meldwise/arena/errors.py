"""What can be wrong with an arena."""

from __future__ import annotations

from meldwise.game.errors import GameError

__all__ = ["ArenaError"]


class ArenaError(GameError):
    """Entrants that cannot be seated, a store that does not fit, or workers that keep dying."""
