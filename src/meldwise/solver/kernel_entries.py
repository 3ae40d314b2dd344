# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False
"""What one colour can do at a number: states, ways on, and bounds on what they gain.

A colour's state before a number is a *node*: how many runs are open with one, two, and three
or more cells. An *entry* is one way on from it, for a number of tiles that go to sets.
"""

from __future__ import annotations

try:
    import cython
except ImportError:  # nothing but this source is needed to run it
    from meldwise.solver import _shim as cython  # type: ignore[no-redef]

if not cython.compiled:
    from meldwise.solver.kernel_options import Options

__all__ = ["SOURCE_HASH", "Entries"]

SOURCE_HASH = ""
"""Filled in by the build, so that a stale compiled file can be told."""

NONE = cython.declare(cython.longlong, -(1 << 60))
LOWEST = cython.declare(cython.longlong, -(1 << 58))


@cython.cclass
class Entries(Options):
    """The nodes and entries of every colour, and their bounds."""

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _list_entries(self) -> cython.bint:
        """Lists each colour's states and ways on, forward from the first number."""
        seen: cython.int[::1] = self.seen
        node_id: cython.int[::1] = self.node_id
        list_first: cython.int[::1] = self.list_first
        list_count: cython.int[::1] = self.list_count
        list_full: cython.int[::1] = self.list_full
        colour: cython.int
        number: cython.int
        face: cython.int
        node: cython.int
        first: cython.int
        last: cython.int
        nodes: cython.int = 0
        count: cython.int = 0
        kept: cython.int
        most: cython.int
        left: cython.int
        sets: cython.int
        place: cython.int
        cap: cython.int
        cap_open: cython.int
        cap_short: cython.int
        node_room: cython.int = self.node_id.shape[0] if cython.compiled else len(self.node_id)
        room: cython.int = self.entry_next.shape[0] if cython.compiled else len(self.entry_next)
        for colour in range(4):
            self.node_first[colour] = nodes
            node_id[nodes] = 0
            self.node_spent[nodes] = 0
            nodes += 1
            last = nodes
            for number in range(13):
                face = colour * 13 + number
                first = self.node_first[number * 4 + colour]
                self.node_first[(number + 1) * 4 + colour] = nodes
                kept = self.kept[face]
                most = self.most_sets[number * 4 + colour]
                cap = 0
                cap_open = 0
                cap_short = 0
                if number < 12:
                    cap = self.must[face + 1] + self.may[face + 1] + self.kept[face + 1]
                    cap_open = cap + self.starts[face + 1]
                    if number < 11:
                        cap_short = self.must[face + 2] + self.may[face + 2] + self.kept[face + 2]
                        cap_short += self.starts[face + 2] + self.starts[face + 1]
                for node in range(first, last):
                    if nodes + 512 > node_room or count + 4096 > room:
                        return False
                    for sets in range(4):
                        place = node * 4 + sets
                        list_first[place] = count
                        list_full[place] = 0
                        left = self.jokers - self.node_spent[node]
                        left -= self.charge[(number * 4 + colour) * 4 + sets]
                        if sets <= most and left >= 0:
                            # First the ways that leave no tile of the face in hand.
                            count = self._enter(
                                face,
                                node_id[node],
                                sets,
                                True,
                                left,
                                nodes,
                                count,
                                cap,
                                cap_open,
                                cap_short,
                                kept,
                            )
                            nodes = self.nodes
                            list_full[place] = count - list_first[place]
                            if self.may[face]:
                                count = self._enter(
                                    face,
                                    node_id[node],
                                    sets,
                                    False,
                                    left,
                                    nodes,
                                    count,
                                    cap,
                                    cap_open,
                                    cap_short,
                                    kept,
                                )
                                nodes = self.nodes
                        list_count[place] = count - list_first[place]
                for node in range(self.node_first[(number + 1) * 4 + colour], nodes):
                    seen[node_id[node]] = 0
                last = nodes
            self.node_first[56 + colour] = nodes
        self.entries = count
        self.nodes = nodes
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _enter(
        self,
        face: cython.int,
        ident: cython.int,
        sets: cython.int,
        full: cython.bint,
        left: cython.int,
        nodes: cython.int,
        count: cython.int,
        cap: cython.int,
        cap_open: cython.int,
        cap_short: cython.int,
        kept: cython.int,
    ) -> cython.int:
        """Adds the ways on that place all a face's tiles, or those that leave some in hand.

        With ``left`` jokers at most, and what is left of them for the numbers that follow.
        """
        ones: cython.int = ident & 7
        twos: cython.int = (ident >> 3) & 7
        longs: cython.int = ident >> 6
        must: cython.int = self.must[face]
        high: cython.int = must + self.may[face] - sets
        low: cython.int = must - sets if must > sets else 0
        weight: cython.longlong = self.weight[face]
        number: cython.int = face % 13
        joker_gain: cython.longlong = self.joker_gain[number]
        first: cython.int = self.node_first[(number + 1) * 4 + face // 13]
        following: cython.int
        taken: cython.int
        short: cython.int
        second: cython.int
        tiles: cython.int
        used: cython.int
        spare: cython.int
        grown: cython.int
        new: cython.int
        most: cython.int = left
        rest: cython.int
        spent: cython.int = self.jokers - left
        target: cython.int
        self.nodes = nodes
        if high < low:
            return count
        if full:
            low = high
        else:
            high = high - 1
            if weight >= 0:
                # A joker where a tile in hand would do can be moved to the run's end.
                most = 0
        for taken in range(self.starts[face] + 1):
            # Runs that end where a closed piece starts may join it: the shortest first.
            if taken > ones + twos:
                break
            short = ones - (taken if taken < ones else ones)
            second = twos - (taken - (ones - short))
            for tiles in range(low, high + 1):
                for used in range(most + 1):
                    spare = tiles + used + kept - short - second
                    if spare < 0:
                        continue
                    if not full and weight >= 0 and spare < longs:
                        # An open run could take the tile that stays in hand.
                        continue
                    grown = spare if spare < longs else longs
                    new = spare - grown
                    rest = left - used if number < 12 else 0
                    if new + short > cap_open + rest:
                        continue
                    if new > (cap_short + rest if number < 11 else 0):
                        continue
                    grown += second + self.ends[face]
                    if grown > cap + rest:
                        grown = cap + rest
                    if new > 7 or short > 7 or grown > 7:
                        continue
                    target = new + 8 * short + 64 * grown
                    if self.seen[target] == 0:
                        self.node_id[self.nodes] = target
                        self.node_spent[self.nodes] = spent + used
                        self.nodes += 1
                        self.seen[target] = self.nodes - first
                    following = first + self.seen[target] - 1
                    if spent + used < self.node_spent[following]:
                        self.node_spent[following] = spent + used
                    self.entry_next[count] = following - first
                    self.entry_jokers[count] = used
                    self.entry_cells[count] = tiles + used
                    self.entry_code[count] = tiles + 8 * used + 64 * taken
                    self.entry_gain[count] = weight * (tiles + sets - must) + joker_gain * used
                    count += 1
        return count

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _bound_nodes(self) -> cython.void:
        """The most that each colour's state can still gain, by jokers used in its runs.

        Entries that lead nowhere are taken out of their lists.
        """
        bound: cython.longlong[::1] = self.bound
        entry_next: cython.int[::1] = self.entry_next
        entry_jokers: cython.int[::1] = self.entry_jokers
        entry_gain: cython.longlong[::1] = self.entry_gain
        colour: cython.int
        number: cython.int
        node: cython.int
        following: cython.int
        sets: cython.int
        entry: cython.int
        first: cython.int
        left: cython.int
        full: cython.int
        used: cython.int
        total: cython.int
        place: cython.int
        charge: cython.int
        jokers: cython.int = self.jokers
        value: cython.longlong
        best: cython.longlong
        top: cython.longlong
        for colour in range(4):
            following = self.node_first[52 + colour]
            for node in range(following, self.node_first[56 + colour]):
                for used in range(jokers + 1):
                    bound[node * 5 + used] = NONE
                # Only runs that may stop are left behind the last number.
                if self.node_id[node] == 0:
                    bound[node * 5] = 0
            for number in range(12, -1, -1):
                following = self.node_first[(number + 1) * 4 + colour]
                for node in range(self.node_first[number * 4 + colour], following):
                    for used in range(jokers + 1):
                        bound[node * 5 + used] = NONE
                    for sets in range(4):
                        place = node * 4 + sets
                        charge = self.charge[(number * 4 + colour) * 4 + sets]
                        first = self.list_first[place]
                        left = first
                        full = 0
                        top = NONE
                        for entry in range(first, first + self.list_count[place]):
                            best = NONE
                            for used in range(jokers + 1 - entry_jokers[entry] - charge):
                                value = bound[(following + entry_next[entry]) * 5 + used]
                                if value > LOWEST:
                                    value += entry_gain[entry]
                                    if value > best:
                                        best = value
                                    value += charge * self.joker_gain[number]
                                    total = used + entry_jokers[entry] + charge
                                    if value > bound[node * 5 + total]:
                                        bound[node * 5 + total] = value
                            if best > LOWEST:
                                if best > top:
                                    top = best
                                self.entry_best[left] = best
                                if entry - first < self.list_full[place]:
                                    full += 1
                                if left != entry:
                                    entry_next[left] = entry_next[entry]
                                    entry_jokers[left] = entry_jokers[entry]
                                    entry_gain[left] = entry_gain[entry]
                                    self.entry_cells[left] = self.entry_cells[entry]
                                    self.entry_code[left] = self.entry_code[entry]
                                left += 1
                        self.list_count[place] = left - first
                        self.list_full[place] = full
                        self.list_best[place] = top

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _bound_of(
        self,
        number: cython.int,
        n0: cython.int,
        n1: cython.int,
        n2: cython.int,
        n3: cython.int,
        used: cython.int,
    ) -> cython.longlong:
        """The most that four colours' nodes can gain together from a number on."""
        left: cython.int = self.jokers - used
        i: cython.int
        j: cython.int
        k: cython.int
        m: cython.int
        red: cython.longlong
        two: cython.longlong
        three: cython.longlong
        value: cython.longlong
        best: cython.longlong = NONE
        n0 *= 5
        n1 *= 5
        n2 *= 5
        n3 *= 5
        for i in range(left + 1):
            red = self.bound[n0 + i]
            if red <= LOWEST:
                continue
            for j in range(left - i + 1):
                two = self.bound[n1 + j]
                if two <= LOWEST:
                    continue
                two += red
                for k in range(left - i - j + 1):
                    three = self.bound[n2 + k]
                    if three <= LOWEST:
                        continue
                    three += two
                    for m in range(left - i - j - k + 1):
                        value = self.bound[n3 + m]
                        if value <= LOWEST:
                            continue
                        value += three + self.joker_bound[number * 5 + used + i + j + k + m]
                        if value > best:
                            best = value
        return best
