"""Errors of computer players."""

from __future__ import annotations

from meldwise.game.errors import GameError

__all__ = ["PlayerError"]


class PlayerError(GameError):
    """A computer player that does not exist, does not take its options, or went wrong."""
