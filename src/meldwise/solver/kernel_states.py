# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False
"""The states of the search: what follows one, and which are kept.

What can follow combines one option with one entry of each colour.
"""

from __future__ import annotations

try:
    import cython
except ImportError:  # nothing but this source is needed to run it
    from meldwise.solver import _shim as cython  # type: ignore[no-redef]

if not cython.compiled:
    from meldwise.solver.kernel_entries import Entries

__all__ = ["SOURCE_HASH", "States"]

SOURCE_HASH = ""
"""Filled in by the build, so that a stale compiled file can be told."""


@cython.cclass
class States(Entries):
    """The states after a number, found by key, kept by bound."""

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _expand(self, number: cython.int, first: cython.int, begin: cython.int) -> cython.int:
        """Adds all that can follow the states from ``first`` to ``begin``.

        Returns:
            The new end of the states; -1 if the limit is reached, -3 if there is no room.
        """
        list_first: cython.int[::1] = self.list_first
        entry_next: cython.int[::1] = self.entry_next
        entry_jokers: cython.int[::1] = self.entry_jokers
        entry_gain: cython.longlong[::1] = self.entry_gain
        entry_best: cython.longlong[::1] = self.entry_best
        state: cython.int
        made: cython.int = begin
        key: cython.longlong
        value: cython.longlong
        used: cython.int
        worth: cython.longlong
        rest: cython.longlong = self.rest_gain[number + 1]
        b0: cython.int
        b1: cython.int
        b2: cython.int
        b3: cython.int
        f0: cython.int = self.node_first[number * 4 + 4]
        f1: cython.int = self.node_first[number * 4 + 5]
        f2: cython.int = self.node_first[number * 4 + 6]
        f3: cython.int = self.node_first[number * 4 + 7]
        option: cython.int
        code: cython.int
        grows: cython.int
        j0: cython.int
        j1: cython.int
        j2: cython.int
        j3: cython.int
        l0: cython.int
        l1: cython.int
        l2: cython.int
        l3: cython.int
        c0: cython.int
        c1: cython.int
        c2: cython.int
        c3: cython.int
        e0: cython.int
        e1: cython.int
        e2: cython.int
        e3: cython.int
        v0: cython.longlong
        v2: cython.longlong
        t0: cython.longlong
        t1: cython.longlong
        t2: cython.longlong
        t3: cython.longlong
        r1: cython.longlong
        r2: cython.longlong
        r3: cython.longlong
        ahead: cython.longlong
        extra: cython.longlong = 0
        v3: cython.longlong
        top: cython.longlong
        more: cython.longlong
        jokers: cython.int = self.jokers
        need: cython.longlong = self.need
        best: cython.longlong = self.best
        room: cython.int = self.state_key.shape[0] if cython.compiled else len(self.state_key)
        mask: cython.int = (
            self.slot_state.shape[0] if cython.compiled else len(self.slot_state)
        ) - 1
        child: cython.longlong
        choice: cython.longlong
        slot: cython.longlong
        other: cython.int
        spent: cython.int
        first_option: cython.int = self.option_first[number]
        for state in range(first, begin):
            self.worked += 1
            if self.limit and self.worked > self.limit:
                return -1
            key = self.state_key[state]
            value = self.state_value[state]
            used = (key >> 40) & 7
            worth = key >> 43
            b0 = self.node_first[number * 4] + (key & 1023)
            b1 = self.node_first[number * 4 + 1] + ((key >> 10) & 1023)
            b2 = self.node_first[number * 4 + 2] + ((key >> 20) & 1023)
            b3 = self.node_first[number * 4 + 3] + ((key >> 30) & 1023)
            if jokers:
                # The lists' bounds know of no joker that lies in a set or gains by itself.
                extra = self.joker_most[number * 5 + used]
            for option in range(first_option, self.option_first[number + 1]):
                j0 = used + self.option_jokers[option]
                if j0 > jokers:
                    continue
                code = self.option_sets[option]
                grows = self.option_grows[option]
                l0 = b0 * 4 + (code & 3)
                c0 = (
                    self.list_full[l0]
                    if grows & 1 and self.weight[number] >= 0
                    else (self.list_count[l0])
                )
                if c0 == 0:
                    continue
                l1 = b1 * 4 + ((code >> 2) & 3)
                c1 = (
                    self.list_full[l1]
                    if grows & 2 and self.weight[13 + number] >= 0
                    else (self.list_count[l1])
                )
                if c1 == 0:
                    continue
                l2 = b2 * 4 + ((code >> 4) & 3)
                c2 = (
                    self.list_full[l2]
                    if grows & 4 and self.weight[26 + number] >= 0
                    else (self.list_count[l2])
                )
                if c2 == 0:
                    continue
                l3 = b3 * 4 + ((code >> 6) & 3)
                c3 = (
                    self.list_full[l3]
                    if grows & 8 and self.weight[39 + number] >= 0
                    else (self.list_count[l3])
                )
                if c3 == 0:
                    continue
                v0 = value + self.option_gain[option]
                t1 = v0 + rest + extra
                t1 += (
                    self.list_best[l0]
                    + self.list_best[l1]
                    + self.list_best[l2]
                    + self.list_best[l3]
                )
                if t1 <= best:
                    continue
                if t1 < self.threshold:
                    if t1 > self.dropped:
                        self.dropped = t1
                    continue
                # From here on t is what the lists and entries chosen so far can come to.
                t0 = t1 - self.list_best[l0]
                r1 = self.list_best[l1]
                r2 = self.list_best[l2]
                r3 = self.list_best[l3]
                l0 = list_first[l0]
                l1 = list_first[l1]
                l2 = list_first[l2]
                l3 = list_first[l3]
                for e0 in range(l0, l0 + c0):
                    j1 = j0 + entry_jokers[e0]
                    t1 = t0 + entry_best[e0]
                    if j1 > jokers or t1 <= best:
                        continue
                    for e1 in range(l1, l1 + c1):
                        j2 = j1 + entry_jokers[e1]
                        t2 = t1 - r1 + entry_best[e1]
                        if j2 > jokers or t2 <= best:
                            continue
                        for e2 in range(l2, l2 + c2):
                            j3 = j2 + entry_jokers[e2]
                            t3 = t2 - r2 + entry_best[e2]
                            if j3 > jokers or t3 <= best:
                                continue
                            v2 = v0 + entry_gain[e0] + entry_gain[e1] + entry_gain[e2]
                            for e3 in range(l3, l3 + c3):
                                spent = j3 + entry_jokers[e3]
                                top = t3 - r3 + entry_best[e3]
                                if spent > jokers or top <= best:
                                    continue
                                v3 = v2 + entry_gain[e3]
                                if jokers:
                                    top = (
                                        v3
                                        + rest
                                        + self._bound_of(
                                            number + 1,
                                            f0 + entry_next[e0],
                                            f1 + entry_next[e1],
                                            f2 + entry_next[e2],
                                            f3 + entry_next[e3],
                                            spent,
                                        )
                                    )
                                    if top <= best:
                                        continue
                                if top < self.threshold:
                                    if top > self.dropped:
                                        self.dropped = top
                                    continue
                                more = 0
                                if need:
                                    more = worth + (number + 1) * (
                                        (code & 3)
                                        + ((code >> 2) & 3)
                                        + ((code >> 4) & 3)
                                        + ((code >> 6) & 3)
                                        + self.option_jokers[option]
                                        + self.entry_cells[e0]
                                        + self.entry_cells[e1]
                                        + self.entry_cells[e2]
                                        + self.entry_cells[e3]
                                    )
                                    if more > need:
                                        more = need
                                    ahead = self.rest_worth[number + 1]
                                    if number < 12:
                                        ahead += 13 * (jokers - spent)
                                    if more + ahead < need:
                                        continue
                                child = entry_next[e0]
                                child |= cython.cast(cython.longlong, entry_next[e1]) << 10
                                child |= cython.cast(cython.longlong, entry_next[e2]) << 20
                                child |= cython.cast(cython.longlong, entry_next[e3]) << 30
                                child |= cython.cast(cython.longlong, spent) << 40
                                child |= more << 43
                                choice = option - first_option
                                choice |= cython.cast(cython.longlong, e0 - l0) << 12
                                choice |= cython.cast(cython.longlong, e1 - l1) << 24
                                choice |= cython.cast(cython.longlong, e2 - l2) << 36
                                choice |= cython.cast(cython.longlong, e3 - l3) << 48
                                slot = (
                                    (child & 0xFFFFF) * 73856093
                                    + ((child >> 20) & 0xFFFFF) * 19349663
                                    + (child >> 40) * 83492791
                                )
                                slot = (slot ^ (slot >> 19)) & mask
                                while self.slot_stamp[slot] == self.stamp:
                                    other = self.slot_state[slot]
                                    if self.state_key[other] == child:
                                        break
                                    slot = (slot + 1) & mask
                                if self.slot_stamp[slot] == self.stamp:
                                    other = self.slot_state[slot]
                                    if v3 <= self.state_value[other]:
                                        continue
                                else:
                                    if made >= room:
                                        return -3
                                    other = made
                                    made += 1
                                    if made == self.check_at:
                                        self._raise_threshold(begin, made)
                                    self.slot_stamp[slot] = self.stamp
                                    self.slot_state[slot] = other
                                    self.state_key[other] = child
                                self.state_value[other] = v3
                                self.state_bound[other] = top
                                self.state_parent[other] = state
                                self.state_choice[other] = choice
        return made

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _raise_threshold(self, begin: cython.int, end: cython.int) -> cython.void:
        """Finds what a further state has to reach to be among those that are kept."""
        self._rank(begin, end, self.width)
        if self.ranking[self.width - 1] > self.threshold:
            self.threshold = self.ranking[self.width - 1]
        self.check_at = end + (end - begin)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _rank(self, begin: cython.int, end: cython.int, width: cython.int) -> cython.void:
        """Puts the width-th greatest bound into its place in ``ranking``."""
        ranking: cython.longlong[::1] = self.ranking
        low: cython.int = 0
        high: cython.int = end - begin - 1
        i: cython.int
        j: cython.int
        pivot: cython.longlong
        swap: cython.longlong
        for i in range(end - begin):
            ranking[i] = self.state_bound[begin + i]
        while low < high:
            pivot = ranking[(low + high) // 2]
            i = low
            j = high
            while i <= j:
                while ranking[i] > pivot:
                    i += 1
                while ranking[j] < pivot:
                    j -= 1
                if i <= j:
                    swap = ranking[i]
                    ranking[i] = ranking[j]
                    ranking[j] = swap
                    i += 1
                    j -= 1
            if width - 1 <= j:
                high = j
            elif width - 1 >= i:
                low = i
            else:
                break

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _select(self, begin: cython.int, end: cython.int, width: cython.int) -> cython.int:
        """Keeps the states with the best bounds; notes the best bound that is dropped."""
        i: cython.int
        state: cython.int
        level: cython.int
        pivot: cython.longlong
        self._rank(begin, end, width)
        pivot = self.ranking[width - 1]
        level = width
        for state in range(begin, end):
            if self.state_bound[state] > pivot:
                level -= 1
        i = begin
        for state in range(begin, end):
            if self.state_bound[state] < pivot or (self.state_bound[state] == pivot and level == 0):
                if self.state_bound[state] > self.dropped:
                    self.dropped = self.state_bound[state]
                continue
            if self.state_bound[state] == pivot:
                level -= 1
            if i != state:
                self.state_key[i] = self.state_key[state]
                self.state_value[i] = self.state_value[state]
                self.state_bound[i] = self.state_bound[state]
                self.state_parent[i] = self.state_parent[state]
                self.state_choice[i] = self.state_choice[state]
            i += 1
        return i
