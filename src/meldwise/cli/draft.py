"""Arranging the table within a turn: what has been moved so far, free of any input or output.

A :class:`Draft` is an immutable value: the table at the start, the hand, and the melds as
they lie now. Copies of a tile are interchangeable, so a draft only counts them: what lies in
its melds beyond the table is played, and what the table had and no melds hold is loose.

The melds carry numbers, which stay theirs during a turn, so that what is typed and what is
shown agree whatever is moved. The moves are in :mod:`meldwise.cli.moves`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from meldwise.game.melds import Meld
from meldwise.game.position import Position, Table
from meldwise.game.rules import Rules
from meldwise.game.tiles import Tile
from meldwise.game.turn import Verdict, judge

__all__ = ["Draft", "History", "Row"]


@dataclass(frozen=True, slots=True)
class Row:
    """A meld of the draft with the number that people call it by, from 1."""

    number: int
    meld: Meld


@dataclass(frozen=True)
class Draft:
    """The table as it has been arranged so far in a turn.

    Attributes:
        position: table and hand at the start of the turn.
        rules: the rules of the table.
        rows: the melds as they lie now, by rising number.
        next_number: the number of the next new meld.
    """

    position: Position
    rules: Rules
    rows: tuple[Row, ...]
    next_number: int

    @classmethod
    def start(cls, position: Position, rules: Rules) -> Draft:
        """The draft of a turn in which nothing has been moved."""
        rows = tuple(Row(number, meld) for number, meld in enumerate(position.table, start=1))
        return cls(position, rules, rows, len(rows) + 1)

    @property
    def table(self) -> Table:
        """The melds in order, as a proposal for the end of the turn."""
        return tuple(row.meld for row in self.rows)

    @cached_property
    def verdict(self) -> Verdict:
        """What the rules say if the turn ended now."""
        return judge(self.position, self.table, self.rules)

    @cached_property
    def played(self) -> Counter[Tile]:
        """The tiles that lie in the melds and were not on the table."""
        return _tiles(self.table) - _tiles(self.position.table)

    @cached_property
    def loose(self) -> Counter[Tile]:
        """The tiles of the table that lie in no meld now: they must be placed."""
        return _tiles(self.position.table) - _tiles(self.table)

    @cached_property
    def hand(self) -> Counter[Tile]:
        """The tiles left in the hand."""
        return Counter(self.position.hand) - self.played

    @property
    def changed(self) -> bool:
        """Whether anything lies otherwise than at the start."""
        return Counter(meld.key for meld in self.table) != Counter(
            meld.key for meld in self.position.table
        )

    def row(self, number: int) -> Row | None:
        """The row of a number; None if there is no such meld."""
        return next((row for row in self.rows if row.number == number), None)

    def is_original(self, row: Row) -> bool:
        """Whether a row lies as it did at the start of the turn."""
        place = row.number - 1
        table = self.position.table
        return place < len(table) and table[place].key == row.meld.key

    def fresh_cells(self) -> dict[int, frozenset[int]]:
        """Which cells of each row, by its number, to mark as played from the hand."""
        left = Counter(self.played)
        marks: dict[int, frozenset[int]] = {}
        for row in reversed(self.rows):
            if self.is_original(row):
                continue
            place = row.number - 1
            table = self.position.table
            old = Counter(table[place].cells) if place < len(table) else Counter[Tile]()
            cells: set[int] = set()
            for cell, tile in enumerate(row.meld.cells):
                if old[tile]:
                    old[tile] -= 1
                elif left[tile]:
                    left[tile] -= 1
                    cells.add(cell)
            marks[row.number] = frozenset(cells)
        return marks

    def with_melds(self, changes: dict[int, list[Meld]], new: Iterable[Meld] = ()) -> Draft:
        """The draft with melds put in the place of others.

        Args:
            changes: by number, the melds that a row becomes: the first keeps the number,
                further ones get new numbers, and none removes the row.
            new: melds that are laid beside them.
        """
        rows: list[Row] = []
        more: list[Meld] = []
        for row in self.rows:
            melds = changes.get(row.number, [row.meld])
            if melds:
                rows.append(Row(row.number, melds[0]))
                more += melds[1:]
        for number, meld in enumerate([*more, *new], start=self.next_number):
            rows.append(Row(number, meld))
        after = self.next_number + len(rows) - sum(r.number < self.next_number for r in rows)
        return replace(self, rows=tuple(rows), next_number=after)


class History:
    """A draft with the steps that led to it, to go back and forth in."""

    def __init__(self, start: Draft) -> None:
        self._steps = [start]
        self._place = 0

    @property
    def draft(self) -> Draft:
        """The draft as it is now."""
        return self._steps[self._place]

    def push(self, draft: Draft) -> None:
        """Takes a step; steps that were undone are forgotten."""
        del self._steps[self._place + 1 :]
        self._steps.append(draft)
        self._place += 1

    def undo(self) -> bool:
        """Goes a step back; whether there was one."""
        if self._place == 0:
            return False
        self._place -= 1
        return True

    def redo(self) -> bool:
        """Takes an undone step again; whether there was one."""
        if self._place + 1 >= len(self._steps):
            return False
        self._place += 1
        return True

    def reset(self) -> bool:
        """Goes back to the start of the turn, as a step; whether anything was moved."""
        if not self.draft.changed:
            return False
        self.push(self._steps[0])
        return True


def _tiles(table: Table) -> Counter[Tile]:
    return Counter(tile for meld in table for tile in meld.cells)
