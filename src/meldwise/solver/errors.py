"""The solver's errors; their codes are in :class:`meldwise.game.codes.Code`."""

from __future__ import annotations

from meldwise.game.errors import GameError

__all__ = ["KernelError", "ObjectiveError", "PositionError", "UnarrangeableError"]


class PositionError(GameError):
    """What was given is not a position that can be solved. Fields: what is wrong with it."""


class UnarrangeableError(PositionError):
    """The tiles of the table cannot be arranged into valid melds, whatever is played."""


class ObjectiveError(GameError):
    """An objective or a budget that makes no sense. Fields: ``field``, ``value``."""


class KernelError(GameError):
    """The compiled kernel was required and cannot be used. Fields: ``reason``."""
