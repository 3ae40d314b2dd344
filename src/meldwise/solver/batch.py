# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False
"""Many problems one after the other, with the interpreter's lock released all the while.

A problem is a row of numbers, and so is its answer; the rows are written and read by
:mod:`meldwise.solver.ahead`.
"""

from __future__ import annotations

try:
    import cython
except ImportError:  # nothing but this source is needed to run it
    from meldwise.solver import _shim as cython  # type: ignore[no-redef]

if not cython.compiled:
    from meldwise.solver.kernel import Kernel

__all__ = ["SOURCE_HASH", "Batch"]

SOURCE_HASH = ""
"""Filled in by the build, so that a stale compiled file can be told."""

ROW = cython.declare(cython.int, 384)
"""The numbers of a problem: see :meth:`Batch._load`."""

ANSWER = cython.declare(cython.int, 256)
"""The numbers of an answer: the kernel's result, the outcome, what is placed of each tile."""

RESULT = cython.declare(cython.int, 186)


@cython.cclass
class Batch:
    """Solves problems in rows with one kernel, whose arrays it leaves without any."""

    kernel: Kernel
    asked: cython.longlong[::1]
    pool: cython.uchar[::1]
    answers: cython.longlong[::1]

    def __init__(self, kernel: Kernel, asked: object, pool: object, answers: object) -> None:
        """Takes the arrays that hold the rows.

        Args:
            kernel: does the searches.
            asked: the problems.
            pool: tables of sets, 256 bytes each, that problems name by their index.
            answers: where the answers are written.
        """
        self.kernel = kernel
        self.asked = asked
        self.pool = pool
        self.answers = answers

    def run(self, count: int) -> None:
        """Solves the problems of the first rows.

        An answer's outcome is that of the kernel's ``solve``, or 2 if there is too little
        room for a problem's entries.
        """
        many: cython.int = count
        slot: cython.int
        with cython.nogil:
            for slot in range(many):
                self._load(slot)
                self.answers[slot * ANSWER + RESULT] = self._one(slot)
            self._clear()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _load(self, slot: cython.int) -> cython.void:
        """Copies a row: counts, weights, what is special, then the scalars."""
        base: cython.int = slot * ROW
        at: cython.int
        place: cython.int
        table: cython.int
        special: cython.int
        for at in range(53):
            self.kernel.must[at] = cython.cast(cython.int, self.asked[base + at])
            self.kernel.may[at] = cython.cast(cython.int, self.asked[base + 53 + at])
            self.kernel.weight[at] = self.asked[base + 106 + at]
        special = cython.cast(cython.int, self.asked[base + 166])
        for at in range(53):
            self.kernel.kept[at] = 0
            self.kernel.starts[at] = 0
            self.kernel.ends[at] = 0
        for at in range(13):
            self.kernel.table_of[at] = 0
            self.kernel.joker_gain[at] = 0
        if special:
            for at in range(53):
                self.kernel.kept[at] = cython.cast(cython.int, self.asked[base + 167 + at])
                self.kernel.starts[at] = cython.cast(cython.int, self.asked[base + 220 + at])
                self.kernel.ends[at] = cython.cast(cython.int, self.asked[base + 273 + at])
            place = 0
            for at in range(13):
                self.kernel.joker_gain[at] = self.asked[base + 326 + at]
                table = cython.cast(cython.int, self.asked[base + 339 + at])
                if table:
                    place += 1
                    self.kernel.table_of[at] = place
                    for special in range(256):
                        self.kernel.tables[place * 256 + special] = self.pool[
                            (table - 1) * 256 + special
                        ]
        self.kernel.jokers = cython.cast(cython.int, self.asked[base + 159])
        self.kernel.must_jokers = cython.cast(cython.int, self.asked[base + 160])
        self.kernel.joker_weight = self.asked[base + 161]
        self.kernel.need = self.asked[base + 162]
        self.kernel.limit = self.asked[base + 165]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _clear(self) -> cython.void:
        """Leaves nothing special in the kernel's arrays."""
        at: cython.int
        for at in range(53):
            self.kernel.kept[at] = 0
            self.kernel.starts[at] = 0
            self.kernel.ends[at] = 0
        for at in range(13):
            self.kernel.table_of[at] = 0
            self.kernel.joker_gain[at] = 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _one(self, slot: cython.int) -> cython.int:
        """Solves the problem that is loaded; returns its outcome."""
        start: cython.int = slot * ANSWER
        outcome: cython.int
        at: cython.int
        self.kernel._list_options()
        if not self.kernel._list_entries():
            return 2
        outcome = self.kernel._solve(self.asked[slot * ROW + 163], self.asked[slot * ROW + 164])
        for at in range(RESULT):
            self.answers[start + at] = self.kernel.result[at]
        for at in range(53):
            self.answers[start + RESULT + 1 + at] = self.kernel.placed[at]
        return outcome
