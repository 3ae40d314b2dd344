"""Values of the game as plain data for JSON."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from enum import Enum

from meldwise.game.melds import Meld
from meldwise.game.problems import Problem
from meldwise.game.record import Fault
from meldwise.game.tiles import Tile
from meldwise.i18n import explain_fault

__all__ = ["fault_data", "plain_data"]


def plain_data(value: object) -> object:
    """Texts, numbers, lists and dictionaries for any value of the game.

    Seats count from 0 as in the values; tiles and melds are in the notation, seeds in hex.
    A dataclass carries its name under ``type``.
    """
    if isinstance(value, Problem):
        return value.as_dict()
    if isinstance(value, Tile | Meld):
        return str(value)
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, tuple | list | frozenset):
        return [plain_data(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): plain_data(item) for key, item in value.items()}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {
            spec.name: plain_data(getattr(value, spec.name)) for spec in dataclasses.fields(value)
        }
        return {"type": type(value).__name__, **fields}
    return value if isinstance(value, str | int | float | bool) or value is None else str(value)


def fault_data(fault: Fault) -> dict[str, object]:
    """A fault of a record as plain data."""
    return {"code": str(fault.code), "line": fault.line, "message": explain_fault(fault)}
