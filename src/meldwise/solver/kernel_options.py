# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False
"""The kernel's arrays, and how tiles of one number can lie in sets.

An *option* of a number is how many tiles of each colour and how many jokers lie in sets.
"""

from __future__ import annotations

try:
    import cython
except ImportError:  # nothing but this source is needed to run it
    from meldwise.solver import _shim as cython  # type: ignore[no-redef]

__all__ = ["SOURCE_HASH", "Options"]

SOURCE_HASH = ""
"""Filled in by the build, so that a stale compiled file can be told."""

NONE = cython.declare(cython.longlong, -(1 << 60))


@cython.cclass
class Options:
    """The arrays, which the caller owns, and the options of every number."""

    # The problem, by face (colour * 13 + number - 1).
    must: cython.int[::1]
    may: cython.int[::1]
    kept: cython.int[::1]
    starts: cython.int[::1]
    ends: cython.int[::1]
    weight: cython.longlong[::1]
    # By number: which table of sets holds, and what a joker's cell gains.
    table_of: cython.int[::1]
    tables: cython.uchar[::1]
    joker_gain: cython.longlong[::1]
    bonus_of: cython.int[::1]
    bonuses: cython.longlong[::1]
    # Options by number.
    option_first: cython.int[::1]
    option_sets: cython.int[::1]
    option_jokers: cython.int[::1]
    option_grows: cython.int[::1]
    option_gain: cython.longlong[::1]
    # Nodes: the states of one colour before a number, and their lists of entries.
    node_first: cython.int[::1]
    node_id: cython.int[::1]
    node_spent: cython.int[::1]
    list_first: cython.int[::1]
    list_count: cython.int[::1]
    list_full: cython.int[::1]
    list_best: cython.longlong[::1]
    bound: cython.longlong[::1]
    seen: cython.int[::1]
    # Entries: one way on for a colour.
    entry_next: cython.int[::1]
    entry_jokers: cython.int[::1]
    entry_cells: cython.int[::1]
    entry_code: cython.int[::1]
    entry_gain: cython.longlong[::1]
    entry_best: cython.longlong[::1]
    # States of the search.
    state_key: cython.longlong[::1]
    state_value: cython.longlong[::1]
    state_bound: cython.longlong[::1]
    state_choice: cython.longlong[::1]
    state_parent: cython.int[::1]
    slot_stamp: cython.int[::1]
    slot_state: cython.int[::1]
    ranking: cython.longlong[::1]
    # Small tables and the result.
    most_sets: cython.int[::1]
    charge: cython.int[::1]
    set_jokers: cython.int[::1]
    rest_gain: cython.longlong[::1]
    joker_bound: cython.longlong[::1]
    joker_most: cython.longlong[::1]
    rest_worth: cython.longlong[::1]
    layer: cython.int[::1]
    result: cython.longlong[::1]
    placed: cython.int[::1]
    open_runs: cython.int[::1]
    # Scalars of one call.
    jokers: cython.int
    must_jokers: cython.int
    joker_weight: cython.longlong
    need: cython.longlong
    entries: cython.int
    nodes: cython.int
    stamp: cython.int
    best: cython.longlong
    found: cython.int
    dropped: cython.longlong
    threshold: cython.longlong
    check_at: cython.int
    width: cython.int
    worked: cython.longlong
    limit: cython.longlong

    def __init__(self, arrays: object) -> None:
        get = vars(arrays).__getitem__
        self.must = get("must")
        self.may = get("may")
        self.kept = get("kept")
        self.starts = get("starts")
        self.ends = get("ends")
        self.weight = get("weight")
        self.table_of = get("table_of")
        self.tables = get("tables")
        self.joker_gain = get("joker_gain")
        self.bonus_of = get("bonus_of")
        self.bonuses = get("bonuses")
        self.option_first = get("option_first")
        self.option_sets = get("option_sets")
        self.option_jokers = get("option_jokers")
        self.option_grows = get("option_grows")
        self.option_gain = get("option_gain")
        self.node_first = get("node_first")
        self.node_id = get("node_id")
        self.node_spent = get("node_spent")
        self.list_first = get("list_first")
        self.list_count = get("list_count")
        self.list_full = get("list_full")
        self.list_best = get("list_best")
        self.bound = get("bound")
        self.seen = get("seen")
        self.entry_next = get("entry_next")
        self.entry_jokers = get("entry_jokers")
        self.entry_cells = get("entry_cells")
        self.entry_code = get("entry_code")
        self.entry_gain = get("entry_gain")
        self.entry_best = get("entry_best")
        self.state_key = get("state_key")
        self.state_value = get("state_value")
        self.state_bound = get("state_bound")
        self.state_choice = get("state_choice")
        self.state_parent = get("state_parent")
        self.slot_stamp = get("slot_stamp")
        self.slot_state = get("slot_state")
        self.ranking = get("ranking")
        self.most_sets = get("most_sets")
        self.charge = get("charge")
        self.set_jokers = get("set_jokers")
        self.rest_gain = get("rest_gain")
        self.joker_bound = get("joker_bound")
        self.joker_most = get("joker_most")
        self.rest_worth = get("rest_worth")
        self.layer = get("layer")
        self.result = get("result")
        self.placed = get("placed")
        self.open_runs = get("open_runs")
        self.stamp = 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _list_options(self) -> cython.void:
        """The ways to put tiles of one number into sets, and bounds that follow from them."""
        must: cython.int[::1] = self.must
        may: cython.int[::1] = self.may
        tables: cython.uchar[::1] = self.tables
        number: cython.int
        base: cython.int
        count: cython.int = 0
        s0: cython.int
        s1: cython.int
        s2: cython.int
        s3: cython.int
        a0: cython.int
        a1: cython.int
        a2: cython.int
        a3: cython.int
        code: cython.int
        ways: cython.int
        grows: cython.int
        placed: cython.int
        used: cython.int
        place: cython.int
        gain: cython.longlong
        top: cython.longlong
        for number in range(13):
            self.option_first[number] = count
            base = self.table_of[number] * 256
            a0 = must[number] + may[number]
            a1 = must[13 + number] + may[13 + number]
            a2 = must[26 + number] + may[26 + number]
            a3 = must[39 + number] + may[39 + number]
            for place in range(4):
                self.most_sets[number * 4 + place] = 0
            self.set_jokers[number] = 0
            top = NONE
            for s3 in range(a3 + 1):
                for s2 in range(a2 + 1):
                    for s1 in range(a1 + 1):
                        for s0 in range(a0 + 1):
                            code = s0 + 4 * s1 + 16 * s2 + 64 * s3
                            ways = tables[base + code]
                            if ways == 0:
                                continue
                            placed = 0
                            for used in range(self.jokers + 1):
                                if (ways >> used) & 1 == 0:
                                    continue
                                placed = 1
                                grows = 0
                                if s0 < a0 and (tables[base + code + 1] >> used) & 1:
                                    grows |= 1
                                if s1 < a1 and (tables[base + code + 4] >> used) & 1:
                                    grows |= 2
                                if s2 < a2 and (tables[base + code + 16] >> used) & 1:
                                    grows |= 4
                                if s3 < a3 and (tables[base + code + 64] >> used) & 1:
                                    grows |= 8
                                gain = 0
                                if self.bonus_of[number] >= 0:
                                    gain = self.bonuses[
                                        self.bonus_of[number] * 1280 + code * 5 + used
                                    ]
                                top = gain if gain > top else top
                                self.option_sets[count] = code
                                self.option_jokers[count] = used
                                self.option_grows[count] = grows
                                self.option_gain[count] = gain + used * self.joker_gain[number]
                                count += 1
                                if used > self.set_jokers[number]:
                                    self.set_jokers[number] = used
                            if placed:
                                if s0 > self.most_sets[number * 4]:
                                    self.most_sets[number * 4] = s0
                                if s1 > self.most_sets[number * 4 + 1]:
                                    self.most_sets[number * 4 + 1] = s1
                                if s2 > self.most_sets[number * 4 + 2]:
                                    self.most_sets[number * 4 + 2] = s2
                                if s3 > self.most_sets[number * 4 + 3]:
                                    self.most_sets[number * 4 + 3] = s3
            self.rest_gain[number] = top
        self.option_first[13] = count
        self._charge_sets()
        self._bound_rest()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _charge_sets(self) -> cython.void:
        """What jokers a colour's tiles in sets need at least, beyond those charged before.

        The colours are charged one after the other, so that what they are charged together
        is never more than the jokers that lie in the sets.
        """
        charge: cython.int[::1] = self.charge
        number: cython.int
        colour: cython.int
        other: cython.int
        option: cython.int
        place: cython.int
        code: cython.int
        left: cython.int
        for place in range(208):
            charge[place] = 0
        if self.jokers == 0:
            return
        for number in range(13):
            for colour in range(4):
                place = (number * 4 + colour) * 4
                for other in range(4):
                    charge[place + other] = self.jokers + 1
                for option in range(self.option_first[number], self.option_first[number + 1]):
                    code = self.option_sets[option]
                    left = self.option_jokers[option]
                    for other in range(colour):
                        left -= charge[(number * 4 + other) * 4 + ((code >> (2 * other)) & 3)]
                    code = (code >> (2 * colour)) & 3
                    if left < charge[place + code]:
                        charge[place + code] = left

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _bound_rest(self) -> cython.void:
        """What sets, jokers and worth can still add from a number on, at most."""
        number: cython.int
        used: cython.int
        total: cython.int
        colour: cython.int
        face: cython.int
        room: cython.int = 0
        dearest: cython.longlong = 0
        value: cython.longlong
        best: cython.longlong
        self.rest_gain[13] = 0
        self.rest_worth[13] = 0
        for number in range(13, -1, -1):
            if number < 13:
                self.rest_gain[number] += self.rest_gain[number + 1]
                room += self.set_jokers[number]
                if self.set_jokers[number] and self.joker_gain[number] > dearest:
                    dearest = self.joker_gain[number]
                self.rest_worth[number] = self.rest_worth[number + 1]
                for colour in range(4):
                    face = colour * 13 + number
                    self.rest_worth[number] += (self.must[face] + self.may[face]) * (number + 1)
            for used in range(self.jokers + 1):
                best = NONE
                for total in range(used, self.jokers + 1):
                    if total - used > room or total < self.must_jokers:
                        continue
                    value = (total - self.must_jokers) * self.joker_weight
                    value += (total - used) * dearest
                    if value > best:
                        best = value
                self.joker_bound[number * 5 + used] = best
        for number in range(13):
            # The most of them from here on, whatever is used before.
            best = NONE
            for used in range(self.jokers, -1, -1):
                if self.joker_bound[(number + 1) * 5 + used] > best:
                    best = self.joker_bound[(number + 1) * 5 + used]
                self.joker_most[number * 5 + used] = best
