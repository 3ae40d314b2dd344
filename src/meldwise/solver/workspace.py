"""The kernel's arrays: one set a thread, kept between calls and grown when too small."""

from __future__ import annotations

import threading
from array import array
from typing import Any

from meldwise.solver.engine import kernel_module
from meldwise.solver.sets import CODES, SetSpec, set_table

__all__ = ["MOST_STATES", "Workspace", "borrow"]

NODES = 1 << 12
ENTRIES = 1 << 16
STATES = 1 << 13
MOST_STATES = 1 << 22
"""Beyond that many states at a time a search ends as if its budget were used up."""


def _zeros(kind: str, size: int) -> array[int]:
    made: array[int] = array(kind, [0])
    return made * size


class _Arrays:
    """What the kernel reads and writes; its names are those of the kernel's attributes."""

    def __init__(self, nodes: int, entries: int, states: int) -> None:
        for name in ("must", "may", "kept", "starts", "ends"):
            setattr(self, name, _zeros("i", 53))
        self.weight = _zeros("q", 53)
        self.table_of = _zeros("i", 13)
        self.tables = _zeros("B", 14 * CODES + 64)
        self.joker_gain = _zeros("q", 13)
        self.bonus_of = array("i", [-1]) * 13
        self.bonuses = _zeros("q", 13 * CODES * 5)
        self.option_first = _zeros("i", 14)
        for name in ("option_sets", "option_jokers", "option_grows"):
            setattr(self, name, _zeros("i", 13 * CODES * 5))
        self.option_gain = _zeros("q", 13 * CODES * 5)
        self.node_first = _zeros("i", 60)
        self.node_id = _zeros("i", nodes)
        self.node_spent = _zeros("i", nodes)
        for name in ("list_first", "list_count", "list_full"):
            setattr(self, name, _zeros("i", nodes * 4))
        self.list_best = _zeros("q", nodes * 4)
        self.bound = _zeros("q", nodes * 5)
        self.seen = _zeros("i", 512)
        for name in ("entry_next", "entry_jokers", "entry_cells", "entry_code"):
            setattr(self, name, _zeros("i", entries))
        self.entry_gain = _zeros("q", entries)
        self.entry_best = _zeros("q", entries)
        for name in ("state_key", "state_value", "state_bound", "state_choice", "ranking"):
            setattr(self, name, _zeros("q", states))
        self.state_parent = _zeros("i", states)
        self.slot_stamp = _zeros("i", states * 2)
        self.slot_state = _zeros("i", states * 2)
        self.most_sets = _zeros("i", 52)
        self.charge = _zeros("i", 208)
        self.set_jokers = _zeros("i", 13)
        self.rest_gain = _zeros("q", 14)
        self.joker_bound = _zeros("q", 14 * 5)
        self.joker_most = _zeros("q", 13 * 5)
        self.rest_worth = _zeros("q", 14)
        self.layer = _zeros("i", 16)
        self.result = _zeros("q", 8 + 130 + 48)
        self.placed = _zeros("i", 53)
        self.open_runs = _zeros("i", 64)
        # What the last problem left in them.
        self.dirty: list[int] = []
        self.weights_of: object = None
        self.plain: bool | None = None
        self.special = False
        self.gains: list[int] | None = None


class Workspace:
    """A kernel with its arrays.

    Attributes:
        arrays: what the kernel reads and writes.
        kernel: the kernel itself.
        entries: the room for entries.
        states: the room for states; a power of two.
        rows: what :mod:`meldwise.solver.ahead` keeps between batches.
    """

    def __init__(self) -> None:
        self.nodes, self.entries, self.states = NODES, ENTRIES, STATES
        self.rows: Any = None
        self._make()

    def _make(self) -> None:
        self.arrays: Any = _Arrays(self.nodes, self.entries, self.states)
        self.kernel: Any = kernel_module().Kernel(self.arrays)

    def set_plain(self, two_jokers: bool) -> None:
        """Writes the table of sets that have nothing special."""
        if self.arrays.plain != two_jokers:
            self.arrays.plain = two_jokers
            self.arrays.tables[:CODES] = array("B", set_table(SetSpec(two_jokers=two_jokers)))

    def forget(self) -> None:
        """Notes that a batch has written its own problems, and left nothing special."""
        self.arrays.dirty.clear()
        self.arrays.weights_of = self.arrays.gains = None
        self.arrays.special = False

    def grow_entries(self) -> None:
        """Makes more room for entries; the problem has to be written anew."""
        self.nodes *= 4
        self.entries *= 4
        self._make()

    def grow_states(self) -> bool:
        """Makes more room for states, if that is allowed; all has to be written anew."""
        if self.states >= MOST_STATES:
            return False
        self.states *= 8
        self._make()
        return True


_local = threading.local()


def borrow() -> Workspace:
    """The workspace of the calling thread."""
    space: Workspace | None = getattr(_local, "space", None)
    if space is None:
        space = _local.space = Workspace()
    return space
