# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False
"""The search over the numbers 1 to 13, compiled or interpreted from this one source.

The table is built number by number. After a number the state is, for each colour, how many
runs are open with one, two, or three and more cells, and how many jokers are placed. What a
colour can do at a number depends on its own state and on how many of its tiles go to sets,
so these *entries* are listed once for each colour; the search only combines four of them
with one *option*: how many tiles of each colour and how many jokers lie in sets.

The best that each colour can still gain by itself, with the jokers shared out best, bounds
what a state can reach. A beam of states is kept by value plus bound, and widened until the
best bound among the dropped states does not beat the best table found: then it is proven.

All arrays are owned by the caller (see :mod:`meldwise.solver.workspace`), which writes the
problem into them and reads the result from them.

Its parts are :mod:`meldwise.solver.kernel_options`, :mod:`meldwise.solver.kernel_entries`
and :mod:`meldwise.solver.kernel_states`.
"""

from __future__ import annotations

from collections.abc import Sequence

try:
    import cython
except ImportError:  # nothing but this source is needed to run it
    from meldwise.solver import _shim as cython  # type: ignore[no-redef]

if not cython.compiled:
    from meldwise.solver.kernel_states import States

__all__ = ["SOURCE_HASH", "Kernel", "is_compiled"]

SOURCE_HASH = ""
"""Filled in by the build, so that a stale compiled file can be told."""

NONE = cython.declare(cython.longlong, -(1 << 60))
LOWEST = cython.declare(cython.longlong, -(1 << 58))

FIRST_WIDTH = cython.declare(cython.longlong, 12)
WIDER = cython.declare(cython.longlong, 8)
WIDEST = cython.declare(cython.longlong, 100_000)


def is_compiled() -> bool:
    """Whether this module runs compiled."""
    return bool(cython.compiled)


@cython.cclass
class Kernel(States):
    """One search at a time over arrays that the caller owns.

    The four outcomes of :meth:`solve` are 0: proven, 1: stopped early, 2: the room for
    entries is too small, 3: the room for states is too small.
    """

    def prepare(self, jokers: int, must_jokers: int, joker_weight: int, need: int) -> None:
        """Sets a problem's numbers and lists the options of every number.

        Args:
            jokers: how many jokers may be placed, besides the kept ones.
            must_jokers: how many of them have to be.
            joker_weight: what each one beyond those gains.
            need: the least worth of all cells placed; 0 for any.
        """
        self.jokers = jokers
        self.must_jokers = must_jokers
        self.joker_weight = joker_weight
        self.need = need
        with cython.nogil:
            self._list_options()

    def take(self, must: Sequence[int], may: Sequence[int]) -> None:
        """Copies how many of each tile have to be and may be placed.

        Args:
            must: counts by tile, those of jokers last and ignored.
            may: the same of the tiles that may be placed.
        """
        tile: cython.int
        for tile in range(53):
            self.must[tile] = must[tile]
            self.may[tile] = may[tile]

    def build(self) -> bool:
        """Lists the entries of every colour; False if there is too little room."""
        done: cython.bint
        with cython.nogil:
            done = self._list_entries()
        return bool(done)

    def solve(self, floor: int, target: int, limit: int) -> int:
        """Searches for a table that gains more than ``floor``.

        Args:
            floor: only tables that gain more are of interest.
            target: what is enough to stop, proven or not.
            limit: how many states may be looked into; 0 for any number.

        Returns:
            The outcome. ``result`` holds whether a table was found, its gain, the proven
            bound on any gain, and how many states were looked into; then, by number, the
            option's sets and jokers, and each colour's entry code and next node.
        """
        outcome: cython.int
        start: cython.longlong = floor
        enough: cython.longlong = target
        self.limit = limit
        with cython.nogil:
            outcome = self._solve(start, enough)
        return int(outcome)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _solve(self, floor: cython.longlong, target: cython.longlong) -> cython.int:
        """Bounds, then beams of growing width until the best table is proven."""
        width: cython.int = FIRST_WIDTH
        outcome: cython.int
        ceiling: cython.longlong
        self.best = floor
        self.found = 0
        self.worked = 0
        self._bound_nodes()
        ceiling = self._bound_of(
            0,
            self.node_first[0],
            self.node_first[1],
            self.node_first[2],
            self.node_first[3],
            0,
        )
        if ceiling > LOWEST:
            ceiling += self.rest_gain[0]
        outcome = 0
        while ceiling > self.best and self.best < target:
            self.dropped = NONE
            outcome = self._beam(width)
            if outcome:
                break
            if self.dropped < ceiling:
                ceiling = self.dropped
            width = width * WIDER if width < WIDEST else 1 << 30
        if ceiling < self.best:
            ceiling = self.best
        self.result[0] = self.found
        self.result[1] = self.best
        self.result[2] = ceiling
        self.result[3] = self.worked
        if outcome:
            return outcome
        return 0 if ceiling <= self.best else 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _beam(self, width: cython.int) -> cython.int:
        """One pass over the numbers that keeps at most ``width`` states after each."""
        layer: cython.int[::1] = self.layer
        number: cython.int
        state: cython.int
        end: cython.int
        made: cython.int
        self.state_key[0] = 0
        self.state_value[0] = 0
        self.state_parent[0] = -1
        self.width = width
        layer[0] = 0
        layer[1] = 1
        for number in range(13):
            end = layer[number + 1]
            self.stamp += 1
            self.threshold = NONE
            self.check_at = end + 4 * width
            made = self._expand(number, layer[number], end)
            if made < 0:
                return -made
            if made - end > width:
                made = self._select(end, made, width)
            if made == end:
                return 0
            layer[number + 2] = made
        end = layer[13]
        for state in range(layer[13], layer[14]):
            if self.state_bound[state] > self.best:
                self.best = self.state_bound[state]
                self.found = 1
                end = state
        if end >= layer[13] and self.found and self.state_bound[end] == self.best:
            self._record(end)
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _record(self, state: cython.int) -> cython.void:
        """Writes the choices that lead to a last state into the result."""
        number: cython.int
        colour: cython.int
        option: cython.int
        entry: cython.int
        place: cython.int
        parent: cython.int
        sets: cython.int
        node: cython.longlong
        for number in range(12, -1, -1):
            parent = self.state_parent[state]
            option = self.option_first[number] + (self.state_choice[state] & 4095)
            place = 8 + number * 10
            self.result[place] = self.option_sets[option]
            self.result[place + 1] = self.option_jokers[option]
            for colour in range(4):
                node = (self.state_key[parent] >> (10 * colour)) & 1023
                sets = (self.option_sets[option] >> (2 * colour)) & 3
                entry = self.list_first[(self.node_first[number * 4 + colour] + node) * 4 + sets]
                entry += (self.state_choice[state] >> (12 + 12 * colour)) & 4095
                self.result[place + 2 + colour] = self.entry_code[entry]
                self.result[place + 6 + colour] = (
                    self.node_first[number * 4 + 4 + colour] + self.entry_next[entry]
                )
            state = parent
        self._lay_runs()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _lay_runs(self) -> cython.void:
        """Writes what is placed of each face, and the runs, if no closed piece is among them.

        ``result[138]`` is how many runs there are; each is one number: its jokers as bits
        from 0, then from bit 13 its cells, from 17 its first number, from 21 its colour.
        """
        result: cython.longlong[::1] = self.result
        runs: cython.int[::1] = self.open_runs
        colour: cython.int
        number: cython.int
        face: cython.int
        code: cython.int
        tiles: cython.int
        jokers: cython.int
        kinds: cython.int
        going: cython.int
        place: cython.int
        count: cython.int
        turn: cython.int
        size: cython.int
        bits: cython.int
        made: cython.int = 0
        jokers = 0
        for number in range(13):
            jokers += self.result[9 + number * 10]
        for colour in range(4):
            count = 0
            for number in range(13):
                face = colour * 13 + number
                code = result[10 + number * 10 + colour]
                tiles = code & 7
                jokers += (code >> 3) & 7
                self.placed[face] = tiles + ((result[8 + number * 10] >> (2 * colour)) & 3)
                going = tiles + ((code >> 3) & 7) + self.kept[face]
                if going == 0 and count == 0:
                    continue
                # Runs that must go on come first, then the long ones; the others end here.
                kinds = 0
                for turn in range(3):
                    for place in range(kinds, count):
                        size = (runs[place] >> 13) & 15
                        if (
                            (size == 2 and turn == 0)
                            or (size == 1 and turn == 1)
                            or (size > 2 and turn == 2)
                        ):
                            bits = runs[place]
                            runs[place] = runs[kinds]
                            runs[kinds] = bits
                            kinds += 1
                for place in range(going, count):
                    if made < 44:
                        result[139 + made] = runs[place]
                        made += 1
                for place in range(count, going):
                    runs[place] = (colour << 21) | ((number + 1) << 17)
                count = going
                # A run of jokers only gets a tile first.
                for turn in range(2):
                    for place in range(count):
                        size = (runs[place] >> 13) & 15
                        if (runs[place] >> 17) & 15 == number + 1 - size:
                            bits = runs[place] & 8191
                            if turn == 0 and bits != (1 << size) - 1:
                                continue
                            if tiles:
                                tiles -= 1
                            else:
                                runs[place] |= 1 << size
                            runs[place] += 1 << 13
            for place in range(count):
                if made < 44:
                    result[139 + made] = runs[place]
                    made += 1
        self.placed[52] = jokers
        result[138] = made
