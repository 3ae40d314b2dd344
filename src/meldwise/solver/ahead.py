"""Searches of many problems at once, with the interpreter's lock released all the while.

What a single call does in turns with Python — write a problem, search, read the answer — is
done here for many: all are written, all are searched without the lock, all are read.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from meldwise.solver.core import Problem, Searched
from meldwise.solver.engine import compiled_module, is_compiled
from meldwise.solver.sets import CODES, SetSpec, set_table
from meldwise.solver.workspace import Workspace, borrow

__all__ = ["MOST", "Asked", "search_ahead"]

MOST = 64
"""How many problems are searched at once."""

_MODULE = "meldwise.solver.batch"
_ROW, _ANSWER, _RESULT = 384, 256, 186
_SPECIAL, _SCALARS = 166, 159
_NONE_SPECIAL = [0]
_ROOM = 2
"""The outcomes from here on tell of too little room."""


@dataclass(slots=True)
class Asked:
    """A problem with the arguments of its search: see :meth:`Problem.solve`."""

    problem: Problem
    floor: int
    target: int
    limit: int


class _Rows:
    """The arrays of one thread's batches."""

    def __init__(self, space: Workspace) -> None:
        self.kernel = space.kernel
        self.asked = array("q", [0]) * (MOST * _ROW)
        self.pool = array("B", [0]) * (MOST * 13 * CODES)
        self.answers = array("q", [0]) * (MOST * _ANSWER)
        self.batch: Any = compiled_module(_MODULE).Batch(
            space.kernel, self.asked, self.pool, self.answers
        )


def search_ahead(asked: Sequence[Asked]) -> list[Searched | None]:
    """Searches the problems; None for one that needs more room than there is.

    At most :data:`MOST` problems, of tables that allow as many jokers in a meld.
    """
    if not asked or is_compiled(_MODULE) is not is_compiled():
        # Without its compiled form the batch cannot use the compiled kernel.
        return [None] * len(asked)
    space = borrow()
    rows: _Rows | None = space.rows
    if rows is None or rows.kernel is not space.kernel:
        rows = space.rows = _Rows(space)
    space.set_plain(asked[0].problem.two_jokers)
    pooled: dict[SetSpec, int] = {}
    for slot, item in enumerate(asked):
        _write(rows, slot, item, pooled)
    rows.batch.run(len(asked))
    space.forget()
    return [_read(rows, slot, item) for slot, item in enumerate(asked)]


def _write(rows: _Rows, slot: int, item: Asked, pooled: dict[SetSpec, int]) -> None:
    problem = item.problem
    special = bool(problem.sets or problem.kept_runs or problem.pieces or problem.joker_gains)
    row = [
        *problem.must,
        *problem.may,
        *problem.weights,
        problem.jokers,
        problem.must_jokers,
        problem.joker_weight,
        problem.need,
        item.floor,
        item.target,
        item.limit,
        special,
    ]
    if special:
        kept, starts, ends, tables = [0] * 53, [0] * 53, [0] * 53, [0] * 13
        for face in problem.kept_runs:
            kept[face] += 1
        for piece in problem.pieces:
            first = piece.colour * 13 + piece.start - 1
            starts[first] += 1
            ends[first + len(piece.cells) - 1] += 1
        for number, spec in problem.sets.items():
            place = pooled.setdefault(spec, len(pooled))
            rows.pool[place * CODES : (place + 1) * CODES] = array("B", set_table(spec))
            tables[number] = place + 1
        row += kept
        row += starts
        row += ends
        row += problem.joker_gains or [0] * 13
        row += tables
    base = slot * _ROW
    rows.asked[base : base + len(row)] = array("q", row)


def _read(rows: _Rows, slot: int, item: Asked) -> Searched | None:
    base = slot * _ANSWER
    answer = rows.answers[base : base + _ANSWER]
    outcome = answer[_RESULT]
    if outcome >= _ROOM:
        return None
    found = item.problem.found_in(answer, answer[_RESULT + 1 :], item.floor)
    return Searched(found, answer[3], bool(outcome))
