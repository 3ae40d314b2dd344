"""Typed errors: each has a stable code and fields, and no sentence of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from meldwise.game.codes import MEANINGS, Code

if TYPE_CHECKING:
    from meldwise.game.turn import Verdict

__all__ = [
    "ActionError",
    "GameError",
    "NotationError",
    "RecordError",
    "RulesError",
    "SeatError",
    "ShuffleError",
]


class GameError(Exception):
    """The base of all errors that :mod:`meldwise.game` raises on bad input.

    Attributes:
        code: what is wrong, stable between releases.
        fields: the particulars, by name; values are plain data or values of the game.
    """

    def __init__(self, code: Code, /, **fields: object) -> None:
        super().__init__(code, fields)
        self.code = code
        self.fields: Mapping[str, object] = fields

    def __str__(self) -> str:
        details = ", ".join(f"{name}={value!s}" for name, value in self.fields.items())
        return f"{self.code}: {MEANINGS[self.code]}" + (f" ({details})" if details else "")

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild, (type(self), self.code, dict(self.fields)))


def _rebuild(kind: type[GameError], code: Code, fields: dict[str, object]) -> GameError:
    return kind(code, **fields)


class NotationError(GameError):
    """Text that cannot be read. Fields: ``text``, and ``column`` (from 1) where known."""


class RulesError(GameError):
    """Rules that contradict each other or are unknown. Fields: ``field``, ``value``, limits."""


class SeatError(GameError):
    """A name that cannot be written down. Field: ``value``."""


class ShuffleError(GameError):
    """A seed or commitment that is malformed or does not match."""


class RecordError(GameError):
    """A record that cannot be read at all; single faults are reported as data instead."""


class ActionError(GameError):
    """An action that cannot be taken now. The state is unchanged.

    Attributes:
        verdict: why a proposed table is illegal, where that is the reason.
    """

    def __init__(self, code: Code, /, *, verdict: Verdict | None = None, **fields: object) -> None:
        super().__init__(code, **fields)
        self.verdict = verdict

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild_action, (type(self), self.code, self.verdict, dict(self.fields)))


def _rebuild_action(
    kind: type[ActionError], code: Code, verdict: Verdict | None, fields: dict[str, object]
) -> ActionError:
    return kind(code, verdict=verdict, **fields)
