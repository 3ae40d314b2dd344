"""The learned weights of the estimate of a round that goes on.

``estimates.json`` holds a small network for each kind of table, as one row of numbers: for each
input its weights to the hidden layer, then that layer's own, then the score's weights from
it, the cost's, and the two's own. ``scripts/learn_estimates.py`` makes it from rounds that it
plays out; see ``docs/search.md``.
"""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Final

__all__ = ["HIDDEN", "INPUTS", "KINDS", "OF_HAND", "OF_TABLE", "WEIGHTS", "kind_of", "weights_for"]

OF_HAND: Final = 22
"""How many numbers describe a hand."""

OF_TABLE: Final = 5
"""How many numbers describe what all hands share."""

INPUTS: Final = 2 * OF_HAND + OF_TABLE
"""What the network looks at: the hand, the other one with the fewest tiles, and the table."""

HIDDEN: Final = 32
"""How many units the hidden layer has."""

WEIGHTS: Final = (INPUTS + 1) * HIDDEN + 2 * (HIDDEN + 1)
"""How many weights a network has."""

KINDS: Final = ("two-free", "two-fixed", "more-free", "more-fixed")
"""The kinds of tables: two players or more, and whether a table's jokers may be moved."""


def kind_of(players: int, *, free: bool) -> str:
    """The kind of a table.

    Args:
        players: how many seats there are.
        free: whether playouts move jokers on the table freely.
    """
    return f"{'two' if players == 2 else 'more'}-{'free' if free else 'fixed'}"


def weights_for(players: int, *, free: bool) -> tuple[float, ...]:
    """The weights for a table; arguments as for :func:`kind_of`."""
    return _learned()[kind_of(players, free=free)]


@cache
def _learned() -> dict[str, tuple[float, ...]]:
    file = resources.files(__package__).joinpath("estimates.json")
    return {kind: tuple(row) for kind, row in json.loads(file.read_text("utf-8")).items()}
