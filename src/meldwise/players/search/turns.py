# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False
"""One turn of a playout: the most tiles, on counts alone, compiled or interpreted.

A *board* is four times 53 counts: the tiles of the table; those in melds that stay whole for
their joker; the first, and the last face of such runs, which may grow. Where jokers may
always be taken (J0) the first counts say all. At the other levels a joker on the table is
taken for the tile that it stands for, and stays it: replacing it is left out, and so is
adding to a closed set. These are approximations which only playouts use; what is really
played comes from the solver.
"""

from __future__ import annotations

try:
    import cython
except ImportError:  # nothing but this source is needed to run it
    from meldwise.solver import _shim as cython  # type: ignore[no-redef]

if not cython.compiled:
    from meldwise.solver.kernel import Kernel

__all__ = ["SOURCE_HASH", "Turns", "is_compiled"]

SOURCE_HASH = ""
"""Filled in by the build, so that a stale compiled file can be told."""

JOKER = cython.declare(cython.int, 52)
LOCKED = cython.declare(cython.int, 53)
STARTS = cython.declare(cython.int, 106)
ENDS = cython.declare(cython.int, 159)
ENOUGH = cython.declare(cython.longlong, 1 << 56)
MOST = cython.declare(cython.int, 3)
LIMIT = cython.declare(cython.longlong, 20_000)


def is_compiled() -> bool:
    """Whether this module runs compiled."""
    return bool(cython.compiled)


@cython.cclass
class Turns:
    """Finds what a player of most tiles plays from counts.

    The counts of a hand, 53, lie among those of other hands from a place ``at`` on.
    """

    kernel: Kernel
    need: cython.int
    fixed: cython.bint

    def __init__(self, kernel: Kernel, need: int, fixed: bool) -> None:
        """Takes a kernel whose arrays hold weights of one and plain sets.

        Args:
            kernel: does the search.
            need: the least worth of an opening.
            fixed: whether jokers on the table stay what they stand for.
        """
        self.kernel = kernel
        self.need = need
        self.fixed = fixed

    def best(self, table: object, hands: object, at: int, opened: bool) -> int:
        """How many tiles can be played; ``placed`` of the kernel then holds the table.

        Args:
            table: the board.
            hands: the counts of hands.
            at: where those of the hand begin.
            opened: whether the player has opened.
        """
        on_table: cython.int[::1] = table
        in_hand: cython.int[::1] = hands
        return int(self._best(on_table, in_hand, at, opened))

    def fits(self, table: object, hands: object, at: int, opened: bool) -> bool:
        """Whether a tile of the hand could lie in a meld at all, whatever becomes of the rest."""
        on_table: cython.int[::1] = table
        in_hand: cython.int[::1] = hands
        return bool(self._fits(on_table, in_hand, at, opened, -1))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _fits(
        self,
        table: cython.int[::1],
        hands: cython.int[::1],
        at: cython.int,
        opened: cython.bint,
        only: cython.int,
    ) -> cython.bint:
        """A condition that every play meets; of a tile ``only`` if that is not negative."""
        shared: cython.int = 1 if opened else 0
        jokers: cython.int = hands[at + JOKER] + shared * table[JOKER]
        face: cython.int
        first: cython.int
        last: cython.int
        number: cython.int
        base: cython.int
        start: cython.int
        place: cython.int
        lacking: cython.int
        if hands[at + JOKER] and (only < 0 or only == JOKER):
            return True
        first = only if only >= 0 else 0
        last = only + 1 if only >= 0 else JOKER
        for face in range(first, last):
            if face == JOKER or hands[at + face] == 0:
                continue
            number = face % 13
            base = face - number
            lacking = 0
            for place in range(number, JOKER, 13):
                if hands[at + place] == 0 and (
                    shared == 0 or table[place] + table[LOCKED + place] == 0
                ):
                    lacking += 1
            if lacking - 1 <= jokers:
                return True
            for start in range(number - 2, number + 1):
                if start < 0 or start > 10:
                    continue
                lacking = 0
                for place in range(base + start, base + start + 3):
                    if hands[at + place] == 0 and (
                        shared == 0 or table[place] + table[LOCKED + place] == 0
                    ):
                        lacking += 1
                if lacking <= jokers:
                    return True
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _best(
        self,
        table: cython.int[::1],
        hands: cython.int[::1],
        at: cython.int,
        opened: cython.bint,
    ) -> cython.int:
        """How many tiles can be played; 0 for none."""
        face: cython.int
        used: cython.int
        self._load(table, hands, at, opened)
        if not self._solve(0):
            return 0
        if not opened and self._worth() < self.need:
            self.kernel.need = self.need
            if not self._solve(0):
                return 0
        used = 0
        for face in range(JOKER + 1):
            used += self.kernel.placed[face] - self.kernel.must[face]
        return used

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _load(
        self,
        table: cython.int[::1],
        hands: cython.int[::1],
        at: cython.int,
        opened: cython.bint,
    ) -> cython.void:
        """Gives the kernel what has to lie on the table and what may come from the hand."""
        face: cython.int
        used: cython.int
        room: cython.int
        for face in range(JOKER + 1):
            used = table[face] if opened else 0
            self.kernel.must[face] = used
            room = hands[at + face]
            if face < JOKER and used + room > MOST:
                room = MOST - used if used < MOST else 0
            self.kernel.may[face] = room
            self.kernel.starts[face] = table[STARTS + face] if opened else 0
            self.kernel.ends[face] = table[ENDS + face] if opened else 0
        self.kernel.jokers = self.kernel.must[JOKER] + self.kernel.may[JOKER]
        self.kernel.must_jokers = self.kernel.must[JOKER]
        self.kernel.joker_weight = 1
        self.kernel.need = 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _finishes(
        self, table: cython.int[::1], hands: cython.int[::1], at: cython.int
    ) -> cython.bint:
        """Whether a hand that has opened can be played whole; then it was found as a play."""
        face: cython.int
        for face in range(JOKER):
            if hands[at + face] and not self._fits(table, hands, at, True, face):
                return False
        self._load(table, hands, at, True)
        for face in range(JOKER + 1):
            if self.kernel.may[face] < hands[at + face]:
                return False
            self.kernel.must[face] += hands[at + face]
            self.kernel.may[face] = 0
        self.kernel.must_jokers = self.kernel.jokers
        # Nothing more is to be gained: any table will do.
        if not self._solve(-1):
            return False
        for face in range(JOKER + 1):
            self.kernel.must[face] = table[face]
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _solve(self, floor: cython.longlong) -> cython.bint:
        """Whether there is a table that gains more than ``floor``."""
        self.kernel.limit = LIMIT
        self.kernel._list_options()
        if not self.kernel._list_entries():
            return False
        self.kernel._solve(floor, ENOUGH)
        return self.kernel.result[0] != 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _worth(self) -> cython.int:
        """The value of what was found, jokers as what they stand for."""
        worth: cython.int = 0
        number: cython.int
        colour: cython.int
        cells: cython.int
        for number in range(13):
            cells = self.kernel.result[9 + number * 10]
            for colour in range(4):
                cells += self.kernel.placed[colour * 13 + number]
                cells += (self.kernel.result[10 + number * 10 + colour] >> 3) & 7
            worth += cells * (number + 1)
        return worth

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _take(self, table: cython.int[::1], hands: cython.int[::1], at: cython.int) -> cython.void:
        """Moves what was found from the hand to the table."""
        face: cython.int
        number: cython.int
        colour: cython.int
        jokers: cython.int
        _joker: cython.int
        code: cython.int
        least: cython.int
        chosen: cython.int
        moved: cython.int
        for face in range(JOKER + 1):
            moved = self.kernel.placed[face] - self.kernel.must[face]
            hands[at + face] -= moved
            table[face] += moved
        if not self.fixed or table[JOKER] == 0:
            return
        # From now on each joker placed is the tile that it stands for.
        table[JOKER] = 0
        for number in range(13):
            for colour in range(4):
                jokers = (self.kernel.result[10 + number * 10 + colour] >> 3) & 7
                table[colour * 13 + number] += jokers
            code = self.kernel.result[8 + number * 10]
            for _joker in range(self.kernel.result[9 + number * 10]):
                chosen = 0
                least = 8
                for colour in range(4):
                    if (code >> (2 * colour)) & 3 < least:
                        least = (code >> (2 * colour)) & 3
                        chosen = colour
                code += 1 << (2 * chosen)
                table[chosen * 13 + number] += 1
