"""Values of the game as plain data, such as JSON holds: views, events, actions.

Seats count from 0, as in the values; tiles and melds are in the notation, seeds in hex. A
dataclass becomes its fields by name, and its own name under ``type``.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from enum import Enum

from meldwise.game.actions import AskRedeal, Draw, Pass, Play, RoundAction
from meldwise.game.codes import Code
from meldwise.game.errors import ActionError
from meldwise.game.melds import Meld
from meldwise.game.position import parse_table
from meldwise.game.problems import Problem
from meldwise.game.tiles import Tile

__all__ = ["action_data", "action_from_data", "plain_data"]

_MOST_MELDS = 60
"""More melds than a box of 160 tiles could form are no table."""


def plain_data(value: object) -> object:
    """Texts, numbers, lists and dictionaries for any value of the game.

    >>> from meldwise.game.position import Position
    >>> plain_data(Position.parse("r4-*-6 / k1"))
    {'type': 'Position', 'table': ['r4-*-6'], 'hand': ['k1'], 'opened': True}
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


def action_data(action: Play | Draw | Pass | AskRedeal) -> dict[str, object]:
    """What a seat does in its turn, as plain data; the seat itself is not named.

    >>> action_data(Play(0, parse_table("r4-5-6 7rbk")))
    {'action': 'play', 'table': ['r4-5-6', '7rbk']}
    """
    if isinstance(action, Play):
        return {"action": "play", "table": [str(meld) for meld in action.table]}
    words = {Draw: "draw", Pass: "pass", AskRedeal: "redeal"}
    return {"action": words[type(action)]}


def action_from_data(data: object, seat: int) -> RoundAction:
    """What :func:`action_data` gave, for a seat; the table may also be one text.

    >>> action_from_data({"action": "play", "table": "r4-5-6 7rbk"}, 1) == Play(
    ...     1, parse_table("r4-5-6 7rbk")
    ... )
    True

    Raises:
        ActionError: if the data is no action.
        NotationError: if a meld of its table cannot be read.
    """
    word = data.get("action") if isinstance(data, Mapping) else None
    if isinstance(data, Mapping) and word == "play":
        table = data.get("table")
        if isinstance(table, list) and all(isinstance(meld, str) for meld in table):
            table = " ".join(table)
        if isinstance(table, str):
            melds = parse_table(table)
            if len(melds) <= _MOST_MELDS:
                return Play(seat, melds)
    elif word == "draw":
        return Draw(seat)
    elif word == "pass":
        return Pass(seat)
    elif word == "redeal":
        return AskRedeal(seat)
    raise ActionError(Code.ACTION_NOT_UNDERSTOOD, value=repr(data)[:80])
