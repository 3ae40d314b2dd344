# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False
"""Worlds: what the others may hold and the stock be like, compiled or interpreted.

A world is drawn from the unseen tiles. Most worlds respect what the others' turns told (see
:mod:`meldwise.players.search.belief`): which tiles cannot have been in a hand at which time,
and that who drew had no play, or no opening, with what was in the hand then.
"""

from __future__ import annotations

try:
    import cython
except ImportError:  # nothing but this source is needed to run it
    from meldwise.solver import _shim as cython  # type: ignore[no-redef]

if not cython.compiled:
    from meldwise.players.search.turns import Turns

__all__ = ["SOURCE_HASH", "Worlds"]

SOURCE_HASH = ""
"""Filled in by the build, so that a stale compiled file can be told."""

TILES = cython.declare(cython.int, 53)
BOARD = cython.declare(cython.int, 212)
SEATS = cython.declare(cython.int, 6)
STOCK = cython.declare(cython.int, 160)
SLOTS = cython.declare(cython.int, 160)

MODULUS = cython.declare(cython.longlong, 2147483647)
FACTOR = cython.declare(cython.longlong, 48271)

NO_PLAY = cython.declare(cython.int, 1)
PICKS = cython.declare(cython.int, 12)
REPAIRS = cython.declare(cython.int, 10)


@cython.cclass
class Worlds:
    """Draws worlds."""

    turns: Turns
    others: cython.int[::1]
    stocks: cython.int[::1]
    # The unseen tiles, and for each seat its slots: which faces one cannot hold, as bits.
    pool: cython.int[::1]
    slots: cython.int[::1]
    forbidden: cython.longlong[::1]
    # How many slots, the oldest, were there at the last turn, and what is known of it.
    settled: cython.int[::1]
    check: cython.int[::1]
    check_tables: cython.int[::1]
    scratch: cython.int[::1]
    state: cython.longlong
    size: cython.int

    def __init__(self, arrays: object, turns: Turns) -> None:
        get = vars(arrays).__getitem__
        self.turns = turns
        self.others = get("others")
        self.stocks = get("stocks")
        self.pool = get("pool")
        self.slots = get("slots")
        self.forbidden = get("forbidden")
        self.settled = get("settled")
        self.check = get("check")
        self.check_tables = get("check_tables")
        self.scratch = get("scratch")
        self.state = 1
        self.size = 0

    def seed(self, seed: int) -> None:
        """Sets where the random numbers begin; the same seed gives the same worlds."""
        self.state = 1 + seed % 2147483646

    def draw(self, first: int, last: int, size: int, me: int, players: int, free: int) -> None:
        """Draws the worlds from ``first`` to before ``last``.

        Args:
            first: the first world.
            last: the one after the last world.
            size: how many tiles ``pool`` holds.
            me: the seat whose hand is known.
            players: how many seats there are.
            free: of a thousand worlds how many respect the counts only.
        """
        world: cython.int
        begin: cython.int = first
        end: cython.int = last
        count: cython.int = players
        own: cython.int = me
        loose: cython.int = free
        self.size = size
        with cython.nogil:
            for world in range(begin, end):
                self._draw(world, own, count, self._below(1000) < loose)

    def playable(self, table: object) -> int:
        """The faces that can be played alone onto a table, as bits.

        Args:
            table: the board.
        """
        on_table: cython.int[::1] = table
        scratch: cython.int[::1] = self.scratch
        bits: cython.longlong = 0
        face: cython.int
        one: cython.longlong = 1
        with cython.nogil:
            for face in range(TILES):
                scratch[face] = 0
            for face in range(TILES):
                scratch[face] = 1
                if self.turns._fits(on_table, scratch, 0, True, -1) and self.turns._best(
                    on_table, scratch, 0, True
                ):
                    bits |= one << face
                scratch[face] = 0
        return int(bits)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _below(self, count: cython.int) -> cython.int:
        """A random number from 0 to before ``count`` (Park and Miller, 1988)."""
        self.state = self.state * FACTOR % MODULUS
        return cython.cast(cython.int, (self.state * count) // MODULUS)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _draw(
        self, world: cython.int, me: cython.int, players: cython.int, loose: cython.bint
    ) -> cython.void:
        pool: cython.int[::1] = self.pool
        size: cython.int = self.size
        place: cython.int
        other: cython.int
        face: cython.int
        seat: cython.int
        slot: cython.int
        first: cython.int = 0
        _tries: cython.int
        hand: cython.int
        for place in range(size - 1, 0, -1):
            other = self._below(place + 1)
            face = pool[place]
            pool[place] = pool[other]
            pool[other] = face
        for seat in range(players):
            if seat == me:
                continue
            if not loose:
                for slot in range(self.slots[seat]):
                    place = first + slot
                    other = place
                    for _tries in range(PICKS):
                        if (self.forbidden[seat * SLOTS + slot] >> pool[other]) & 1 == 0:
                            face = pool[place]
                            pool[place] = pool[other]
                            pool[other] = face
                            break
                        other = place + self._below(size - place)
                if self.check[seat]:
                    self._repair(seat, first)
            hand = (world * SEATS + seat) * TILES
            for face in range(TILES):
                self.others[hand + face] = 0
            for place in range(first, first + self.slots[seat]):
                self.others[hand + pool[place]] += 1
            first += self.slots[seat]
        for place in range(first, size):
            self.stocks[world * STOCK + place - first] = pool[place]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _repair(self, seat: cython.int, first: cython.int) -> cython.void:
        """Exchanges tiles until the hand could not have played at the seat's last turn."""
        pool: cython.int[::1] = self.pool
        scratch: cython.int[::1] = self.scratch
        table: cython.int[::1] = self.check_tables[seat * BOARD : seat * BOARD + BOARD]
        opened: cython.bint = self.check[seat] == NO_PLAY
        place: cython.int
        face: cython.int
        other: cython.int
        slot: cython.int
        _tries: cython.int
        _rounds: cython.int
        count: cython.int = self.settled[seat]
        behind: cython.int = first + self.slots[seat]
        if count == 0 or behind >= self.size:
            return
        for _rounds in range(REPAIRS):
            for face in range(TILES):
                scratch[face] = 0
            for place in range(first, first + count):
                scratch[pool[place]] += 1
            if not self.turns._fits(table, scratch, 0, opened, -1):
                return
            if self.turns._best(table, scratch, 0, opened) == 0:
                return
            # One of the tiles that could have been played goes back, and another comes.
            slot = self._below(count)
            for _tries in range(count):
                face = pool[first + slot]
                if self.turns.kernel.placed[face] > self.turns.kernel.must[face]:
                    break
                slot = slot + 1 if slot + 1 < count else 0
            for _tries in range(PICKS):
                other = behind + self._below(self.size - behind)
                if (self.forbidden[seat * SLOTS + slot] >> pool[other]) & 1 == 0:
                    face = pool[first + slot]
                    pool[first + slot] = pool[other]
                    pool[other] = face
                    break
