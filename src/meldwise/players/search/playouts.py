# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False
"""Rounds played out to their end on counts, every seat playing the most tiles it can.

Compiled or interpreted from this one source. All arrays are owned by the caller (see
:mod:`meldwise.players.search.engine`), which writes the candidates and the worlds into them
and reads the values from them.
"""

from __future__ import annotations

try:
    import cython
except ImportError:  # nothing but this source is needed to run it
    from meldwise.solver import _shim as cython  # type: ignore[no-redef]

if not cython.compiled:
    from meldwise.players.search.estimates import Estimates
    from meldwise.players.search.turns import Turns

__all__ = ["SOURCE_HASH", "Playouts"]

SOURCE_HASH = ""
"""Filled in by the build, so that a stale compiled file can be told."""

TILES = cython.declare(cython.int, 53)
JOKER = cython.declare(cython.int, 52)
BOARD = cython.declare(cython.int, 212)
SEATS = cython.declare(cython.int, 6)
STOCK = cython.declare(cython.int, 160)

BOX = cython.declare(cython.int, 1)
PLAIN = cython.declare(cython.int, 2)

MODULUS = cython.declare(cython.longlong, 2147483647)
FACTOR = cython.declare(cython.longlong, 48271)
SCATTER = cython.declare(cython.longlong, 1103515245)


@cython.cclass
class Playouts:
    """Plays candidates out in worlds."""

    turns: Turns
    estimates: Estimates
    # Of the round: players, step, last turns, joker in hand, surcharge, blocked score, table
    # moves after opening; then the seat to move, stock, passes, turns left, turn; then after
    # how many turns to end, copies of a tile, how often seats stray, and until which turn.
    setting: cython.int[::1]
    opened_now: cython.int[::1]
    last_played_now: cython.int[::1]
    last_turn_now: cython.int[::1]
    skips_now: cython.int[::1]
    keeps: cython.int[::1]
    totals: cython.int[::1]
    aim: cython.double[::1]
    # Of the candidates: the board and the own hand after each, and whether it is no play.
    tables: cython.int[::1]
    own: cython.int[::1]
    idle: cython.int[::1]
    # Of the worlds: the others' hands and the stock.
    others: cython.int[::1]
    stocks: cython.int[::1]
    # One playout.
    table: cython.int[::1]
    hands: cython.int[::1]
    sizes: cython.int[::1]
    opened: cython.int[::1]
    last_played: cython.int[::1]
    last_turn: cython.int[::1]
    skips: cython.int[::1]
    tried: cython.int[::1]
    fresh: cython.int[::1]
    scores: cython.int[::1]
    kept: cython.int[::1]
    # What came of each candidate in each world.
    values: cython.double[::1]
    room: cython.int
    winner: cython.int
    length: cython.int
    random: cython.longlong

    def __init__(self, arrays: object, turns: Turns, estimates: Estimates, room: int) -> None:
        get = vars(arrays).__getitem__
        self.turns = turns
        self.estimates = estimates
        self.setting = get("setting")
        self.opened_now = get("opened_now")
        self.last_played_now = get("last_played_now")
        self.last_turn_now = get("last_turn_now")
        self.skips_now = get("skips_now")
        self.keeps = get("keeps")
        self.totals = get("totals")
        self.aim = get("aim")
        self.tables = get("tables")
        self.own = get("own")
        self.idle = get("idle")
        self.others = get("others")
        self.stocks = get("stocks")
        self.table = get("table")
        self.hands = get("hands")
        self.sizes = get("sizes")
        self.opened = get("opened")
        self.last_played = get("last_played")
        self.last_turn = get("last_turn")
        self.skips = get("skips")
        self.tried = get("tried")
        self.fresh = get("fresh")
        self.scores = get("scores")
        self.kept = get("kept")
        self.values = get("values")
        self.room = room

    def run(self, candidate: int, first: int, last: int) -> None:
        """Plays a candidate out in the worlds from ``first`` to before ``last``."""
        chosen: cython.int = candidate
        begin: cython.int = first
        end: cython.int = last
        world: cython.int
        with cython.nogil:
            for world in range(begin, end):
                self._play_out(chosen, world)
                self.values[chosen * self.room + world] = self._value()

    def play_out(self, candidate: int, world: int) -> tuple[int, int]:
        """One playout; the winner and how many turns it took. ``scores`` has the points."""
        self._play_out(candidate, world)
        return int(self.winner), int(self.length)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _value(self) -> cython.double:
        """What an outcome is worth to the seat that moves."""
        me: cython.int = self.setting[7]
        seat: cython.int
        mine: cython.int
        best: cython.int = -1000000
        value: cython.double
        if self.winner < 0:
            return self.estimates._estimate()
        mine = self.totals[me] + self.scores[me]
        value = self.aim[1] * self.scores[me]
        if self.winner == me:
            value += self.aim[0]
        if self.aim[2] != 0.0:
            for seat in range(self.setting[0]):
                if seat != me and self.totals[seat] + self.scores[seat] > best:
                    best = self.totals[seat] + self.scores[seat]
            if mine > best:
                value += self.aim[2]
            elif mine == best:
                value += 0.5 * self.aim[2]
        return value

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _set_up(self, candidate: cython.int, world: cython.int) -> cython.void:
        me: cython.int = self.setting[7]
        players: cython.int = self.setting[0]
        seat: cython.int
        face: cython.int
        count: cython.int
        size: cython.int
        for face in range(BOARD):
            self.table[face] = self.tables[candidate * BOARD + face]
        for seat in range(players):
            size = 0
            for face in range(TILES):
                if seat == me:
                    count = self.own[candidate * TILES + face]
                else:
                    count = self.others[(world * SEATS + seat) * TILES + face]
                self.hands[seat * TILES + face] = count
                size += count
            self.sizes[seat] = size
            self.opened[seat] = self.opened_now[seat]
            self.last_played[seat] = self.last_played_now[seat]
            self.last_turn[seat] = self.last_turn_now[seat]
            self.skips[seat] = self.skips_now[seat]
            self.tried[seat] = -1
            self.fresh[seat] = -1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _play_out(self, candidate: cython.int, world: cython.int) -> cython.void:
        """Plays on from after a candidate to the round's end."""
        setting: cython.int[::1] = self.setting
        players: cython.int = setting[0]
        step: cython.int = setting[1]
        seat: cython.int = setting[7]
        stock: cython.int = setting[8]
        passes: cython.int = setting[9]
        turns_left: cython.int = setting[10]
        turn: cython.int = setting[11]
        drawn: cython.int = 0
        idle: cython.int = 0
        before: cython.int
        version: cython.int = 0
        played: cython.int
        going: cython.int
        chosen: cython.bint = True
        self._set_up(candidate, world)
        self.random = (1 + world) * SCATTER % MODULUS
        while True:
            before = stock - drawn
            self.last_turn[seat] = turn
            if chosen:
                # The candidate itself is in the table and the hand already.
                played = 0 if self.idle[candidate] else 1
                chosen = False
            elif setting[14] and turn <= setting[15] and self._below(1000) < setting[14]:
                played = self._stray(seat)
            else:
                played = self._turn(seat, version)
            idle = 0 if played else idle + 1
            if played:
                version += 1
                passes = 0
                self.last_played[seat] = turn
                self.opened[seat] = 1
            elif before:
                face: cython.int = self.stocks[world * STOCK + drawn]
                self.hands[seat * TILES + face] += 1
                self.sizes[seat] += 1
                self.fresh[seat] = face
                drawn += 1
                passes = 0
            else:
                self.fresh[seat] = -1
                passes += 1
            if self.sizes[seat] == 0:
                self.winner = seat
                self.length = turn
                self._score(False)
                return
            if turns_left >= 0:
                turns_left -= 1
            elif before and stock == drawn and setting[2]:
                turns_left = players
            going = 0
            while passes < players and turns_left != 0:
                seat = (seat + step + players) % players
                if self.skips[seat] == 0:
                    going = 1
                    break
                self.skips[seat] -= 1
                passes = 0
                if turns_left >= 0:
                    turns_left -= 1
            if going == 0:
                self._find_blocked_winner()
                self.length = turn
                self._score(True)
                return
            turn += 1
            # An estimate is better at a quiet moment, when two turns went by without a play.
            if setting[12] and turn - setting[11] > setting[12] and idle >= 2:
                self.winner = -1
                self.length = turn
                self.estimates._describe(seat, stock - drawn)
                return

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _turn(self, seat: cython.int, version: cython.int) -> cython.int:
        """The seat plays the most tiles that it can; how many those were.

        One that keeps its jokers plays them with its last tiles only.
        """
        at: cython.int = seat * TILES
        opened: cython.int = self.opened[seat]
        # An opening does not ask what lies on the table.
        state: cython.int = version if opened else 1 << 20
        played: cython.int
        more: cython.int
        kept: cython.int = 0
        if self.tried[seat] == state:
            # Nothing could be played before: a play has to use what was drawn since.
            if self.fresh[seat] < 0:
                return 0
            if not self.turns._fits(self.table, self.hands, at, opened, self.fresh[seat]):
                return 0
        elif not self.turns._fits(self.table, self.hands, at, opened, -1):
            self.tried[seat] = state
            return 0
        if self.keeps[seat] and self.hands[at + JOKER]:
            if opened and self.turns._finishes(self.table, self.hands, at):
                played = self.sizes[seat]
                self.turns._take(self.table, self.hands, at)
                self.sizes[seat] = 0
                return played
            kept = self.hands[at + JOKER]
            self.hands[at + JOKER] = 0
        played = self.turns._best(self.table, self.hands, at, opened)
        if played == 0:
            self.hands[at + JOKER] += kept
            self.tried[seat] = state
            return 0
        self.turns._take(self.table, self.hands, at)
        if not opened and self.setting[6] and self.sizes[seat] > played:
            more = self.turns._best(self.table, self.hands, at, True)
            if more:
                self.turns._take(self.table, self.hands, at)
                played += more
        self.hands[at + JOKER] += kept
        self.sizes[seat] -= played
        self.tried[seat] = -1
        return played

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _below(self, count: cython.int) -> cython.int:
        """A random number from 0 to before ``count`` (Park and Miller, 1988)."""
        self.random = self.random * FACTOR % MODULUS
        return cython.cast(cython.int, (self.random * count) // MODULUS)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _stray(self, seat: cython.int) -> cython.int:
        """The seat holds tiles back, half of the time all; how many it plays.

        Only what estimates are learned from has such turns: so they know hands that greedy
        players do not have.
        """
        at: cython.int = seat * TILES
        face: cython.int
        played: cython.int
        self.tried[seat] = -1
        self.fresh[seat] = -1
        if self._below(2):
            return 0
        for face in range(TILES):
            self.kept[face] = 0
            if self.hands[at + face] and self._below(5) < (2 if face == JOKER else 1):
                self.kept[face] = self.hands[at + face]
                self.hands[at + face] = 0
        played = self.turns._best(self.table, self.hands, at, self.opened[seat])
        if played:
            self.turns._take(self.table, self.hands, at)
        for face in range(TILES):
            self.hands[at + face] += self.kept[face]
        self.sizes[seat] -= played
        return played

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _find_blocked_winner(self) -> cython.void:
        """The lowest hand; then fewer tiles, who played last, whose turn came last."""
        seat: cython.int
        cost: cython.int
        best: cython.int = 0
        least: cython.int = self.estimates._cost(0)
        for seat in range(1, self.setting[0]):
            cost = self.estimates._cost(seat)
            if cost > least:
                continue
            if cost == least:
                if self.sizes[seat] > self.sizes[best]:
                    continue
                if self.sizes[seat] == self.sizes[best]:
                    if self.last_played[seat] < self.last_played[best]:
                        continue
                    if (
                        self.last_played[seat] == self.last_played[best]
                        and self.last_turn[seat] < self.last_turn[best]
                    ):
                        continue
            best = seat
            least = cost
        self.winner = best

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _score(self, blocked: cython.bint) -> cython.void:
        """Writes the points of the round by seat; see :mod:`meldwise.game.scores`."""
        seat: cython.int
        cost: cython.int
        own: cython.int = self.estimates._cost(self.winner)
        less: cython.int = own if blocked and self.setting[5] == BOX else 0
        total: cython.int = 0
        for seat in range(self.setting[0]):
            if seat == self.winner:
                continue
            cost = self.estimates._cost(seat)
            if self.opened[seat] == 0:
                cost += self.setting[4]
            self.scores[seat] = less - cost
            total += cost - less
        if blocked and self.setting[5] != BOX and self.setting[5] != PLAIN:
            total -= own
        self.scores[self.winner] = total
