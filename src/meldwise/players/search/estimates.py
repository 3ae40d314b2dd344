# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False
"""What a round that goes on is worth, as learned from rounds played out; compiled or interpreted.

A small network looks at each hand in turn: at what describes it, at the other hand that has
the fewest tiles, and at the table. It gives a score, whose softmax over the seats is their
chances of winning, and the cost that the hand is expected to have if another wins. What
describes a hand counts tiles by how near they are to fitting; no search is done.
"""

from __future__ import annotations

try:
    import cython
except ImportError:  # nothing but this source is needed to run it
    from meldwise.solver import _shim as cython  # type: ignore[no-redef]

if cython.compiled:
    from cython.cimports.libc.math import exp
else:
    from math import exp

__all__ = ["SOURCE_HASH", "Estimates"]

SOURCE_HASH = ""
"""Filled in by the build, so that a stale compiled file can be told."""

TILES = cython.declare(cython.int, 53)
JOKER = cython.declare(cython.int, 52)

OF_HAND = cython.declare(cython.int, 22)
OF_TABLE = cython.declare(cython.int, 5)
INPUTS = cython.declare(cython.int, 49)
HIDDEN = cython.declare(cython.int, 32)


@cython.cclass
class Estimates:
    """Describes hands, and says what a seat may expect with them."""

    setting: cython.int[::1]
    table: cython.int[::1]
    hands: cython.int[::1]
    sizes: cython.int[::1]
    opened: cython.int[::1]
    keeps: cython.int[::1]
    aim: cython.double[::1]
    # What describes the hands, and the table; then the network's weights by layer.
    features: cython.float[::1]
    common: cython.float[::1]
    inner: cython.float[::1]
    outer: cython.float[::1]
    hidden: cython.float[::1]
    # Of each seat: the chance of winning, and the cost in tens if another wins.
    chances: cython.double[::1]
    costs: cython.double[::1]

    def __init__(self, arrays: object) -> None:
        get = vars(arrays).__getitem__
        self.setting = get("setting")
        self.table = get("table")
        self.hands = get("hands")
        self.sizes = get("sizes")
        self.opened = get("opened")
        self.keeps = get("keeps")
        self.aim = get("aim")
        self.features = get("features")
        self.common = get("common")
        self.inner = get("inner")
        self.outer = get("outer")
        self.hidden = get("hidden")
        self.chances = get("chances")
        self.costs = get("costs")

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _cost(self, seat: cython.int) -> cython.int:
        """The sum of a hand's numbers."""
        face: cython.int
        cost: cython.int = self.hands[seat * TILES + JOKER] * self.setting[3]
        for face in range(JOKER):
            if self.hands[seat * TILES + face]:
                cost += self.hands[seat * TILES + face] * (face % 13 + 1)
        return cost

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _outs(self, at: cython.int, face: cython.int, own: cython.bint) -> cython.int:
        """How many different tiles would make a tile of a hand fit; -1 if it fits already.

        Args:
            at: where the hand's counts begin.
            face: the tile.
            own: whether to look at the hand only, and not at the table.
        """
        number: cython.int = face % 13
        base: cython.int = face - number
        start: cython.int
        place: cython.int
        lacking: cython.int = 0
        missing: cython.int = 0
        outs: cython.int = 0
        seen: cython.int = 0
        for place in range(number, JOKER, 13):
            if self.hands[at + place] == 0 and (
                own or self.table[place] + self.table[TILES + place] == 0
            ):
                lacking += 1
                if self.setting[13] > self.table[place]:
                    outs += 1
        if lacking <= 1:
            return -1
        if lacking > 2:
            outs = 0
        for start in range(number - 2, number + 1):
            if start < 0 or start > 10:
                continue
            lacking = 0
            for place in range(start, start + 3):
                if self.hands[at + base + place] == 0 and (
                    own or self.table[base + place] + self.table[TILES + base + place] == 0
                ):
                    lacking += 1
                    missing = place
            if lacking == 0:
                return -1
            if lacking != 1 or (seen >> missing) & 1:
                continue
            if self.setting[13] > self.table[base + missing]:
                seen |= 1 << missing
                outs += 1
        return outs

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _describe(self, seat: cython.int, stock: cython.int) -> cython.void:
        """Writes what describes each hand and the table; the turn is the seat's."""
        players: cython.int = self.setting[0]
        order: cython.int
        at: cython.int
        face: cython.int
        count: cython.int
        outs: cython.int
        own: cython.int
        fits: cython.int
        few: cython.int
        many: cython.int
        dead: cython.int
        twins: cython.int
        size: cython.int
        melded: cython.int
        paired: cython.int
        worth: cython.int
        lying: cython.int = 0
        unopened: cython.int = 0
        f: cython.int
        for face in range(TILES):
            lying += self.table[face] + self.table[TILES + face]
        for order in range(players):
            at = seat * TILES
            fits = 0
            few = 0
            many = 0
            dead = 0
            twins = 0
            melded = 0
            paired = 0
            worth = 0
            size = self.sizes[seat]
            unopened += 1 - self.opened[seat]
            for face in range(JOKER):
                count = self.hands[at + face]
                if count == 0:
                    continue
                outs = self._outs(at, face, False)
                own = self._outs(at, face, True)
                if outs < 0:
                    fits += count
                elif outs == 0:
                    dead += count
                elif outs < 3:
                    few += count
                else:
                    many += count
                twins += count - 1
                if own < 0:
                    melded += 1
                    worth += face % 13 + 1
                elif own > 0:
                    paired += 1
            f = seat * OF_HAND
            self.features[f] = 1.0 if order == 0 else 0.0
            self.features[f + 1] = order / (players - 1.0)
            self.features[f + 2] = 0.1 * size
            self.features[f + 3] = 1.0 if size == 1 else 0.0
            self.features[f + 4] = 1.0 if size == 2 else 0.0
            self.features[f + 5] = 1.0 if size == 3 else 0.0
            self.features[f + 6] = self.opened[seat]
            self.features[f + 7] = 0.01 * self._cost(seat)
            self.features[f + 8] = self.hands[at + JOKER]
            self.features[f + 9] = 0.2 * fits
            self.features[f + 10] = 0.2 * many
            self.features[f + 11] = 0.2 * few
            self.features[f + 12] = 0.2 * dead
            self.features[f + 13] = 1.0 if fits == size else 0.0
            self.features[f + 14] = 0.5 * twins
            self.features[f + 15] = 0.2 * melded
            self.features[f + 16] = 0.2 * paired
            self.features[f + 17] = 0.02 * worth
            self.features[f + 18] = 1.0 if worth >= 30 else 0.0
            self.features[f + 19] = 1.0 if dead == 0 else 0.0
            self.features[f + 20] = self.keeps[seat]
            self.features[f + 21] = self.keeps[seat] * self.hands[at + JOKER]
            seat = (seat + self.setting[1] + players) % players
        self.common[0] = 0.025 * stock
        self.common[1] = 0.02 * lying
        self.common[2] = self.table[JOKER]
        self.common[3] = unopened
        self.common[4] = 0.5 * (players - 2)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _look_at(self, seat: cython.int) -> cython.double:
        """The score of a seat; its cost is written."""
        rival: cython.int = -1
        other: cython.int
        place: cython.int
        h: cython.int
        begin: cython.int
        x: cython.float
        score: cython.float
        cost: cython.float
        for other in range(self.setting[0]):
            if other != seat and (rival < 0 or self.sizes[other] < self.sizes[rival]):
                rival = other
        for h in range(HIDDEN):
            self.hidden[h] = self.inner[INPUTS * HIDDEN + h]
        for place in range(INPUTS):
            if place < OF_HAND:
                x = self.features[seat * OF_HAND + place]
            elif place < 2 * OF_HAND:
                x = self.features[rival * OF_HAND + place - OF_HAND]
            else:
                x = self.common[place - 2 * OF_HAND]
            if x == 0.0:
                continue
            begin = place * HIDDEN
            for h in range(HIDDEN):
                self.hidden[h] += x * self.inner[begin + h]
        score = self.outer[2 * HIDDEN]
        cost = self.outer[2 * HIDDEN + 1]
        for h in range(HIDDEN):
            x = self.hidden[h]
            if x > 0.0:
                score += x * self.outer[h]
                cost += x * self.outer[HIDDEN + h]
        self.costs[seat] = cost if cost > 0.0 else 0.0
        return score

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _estimate(self) -> cython.double:
        """What the described round is worth to the seat that moved."""
        me: cython.int = self.setting[7]
        players: cython.int = self.setting[0]
        seat: cython.int
        top: cython.double = -1e9
        total: cython.double = 0.0
        others: cython.double = 0.0
        for seat in range(players):
            self.chances[seat] = self._look_at(seat)
            if self.chances[seat] > top:
                top = self.chances[seat]
        for seat in range(players):
            self.chances[seat] = exp(self.chances[seat] - top)
            total += self.chances[seat]
        for seat in range(players):
            self.chances[seat] /= total
            if seat != me:
                others += self.costs[seat]
        # The winner gets what the others' hands cost.
        return (self.aim[0] + self.aim[2]) * self.chances[me] + 10.0 * self.aim[1] * (
            self.chances[me] * others - (1.0 - self.chances[me]) * self.costs[me]
        )
