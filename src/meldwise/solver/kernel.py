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
"""

from __future__ import annotations

try:
    import cython
except ImportError:  # nothing but this source is needed to run it
    from meldwise.solver import _shim as cython  # type: ignore[no-redef]

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
class Kernel:
    """One search at a time over arrays that the caller owns.

    The four outcomes of :meth:`solve` are 0: proven, 1: stopped early, 2: the room for
    entries is too small, 3: the room for states is too small.
    """

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
        self._bound_rest()

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
        jokers: cython.int = self.jokers
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
                    cap = self.must[face + 1] + self.may[face + 1] + jokers + self.kept[face + 1]
                    cap_open = cap + self.starts[face + 1]
                    if number < 11:
                        cap_short = self.must[face + 2] + self.may[face + 2] + jokers
                        cap_short += self.kept[face + 2] + self.starts[face + 2]
                        cap_short += self.starts[face + 1]
                for node in range(first, last):
                    if nodes + 512 > node_room or count + 4096 > room:
                        return False
                    for sets in range(4):
                        place = node * 4 + sets
                        list_first[place] = count
                        list_full[place] = 0
                        if sets <= most:
                            # First the ways that leave no tile of the face in hand.
                            count = self._enter(
                                face,
                                node_id[node],
                                sets,
                                True,
                                nodes,
                                count,
                                cap,
                                cap_open,
                                cap_short,
                                kept,
                            )
                            nodes = self.nodes
                            list_full[place] = count - list_first[place]
                            count = self._enter(
                                face,
                                node_id[node],
                                sets,
                                False,
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
        nodes: cython.int,
        count: cython.int,
        cap: cython.int,
        cap_open: cython.int,
        cap_short: cython.int,
        kept: cython.int,
    ) -> cython.int:
        """Adds the ways on that place all a face's tiles, or those that leave some in hand."""
        ones: cython.int = ident & 7
        twos: cython.int = (ident >> 3) & 7
        longs: cython.int = ident >> 6
        must: cython.int = self.must[face]
        high: cython.int = must + self.may[face] - sets
        low: cython.int = must - sets if must > sets else 0
        weight: cython.longlong = self.weight[face]
        joker_gain: cython.longlong = self.joker_gain[face % 13]
        first: cython.int = self.node_first[(face % 13 + 1) * 4 + face // 13]
        taken: cython.int
        short: cython.int
        second: cython.int
        tiles: cython.int
        used: cython.int
        spare: cython.int
        grown: cython.int
        new: cython.int
        most: cython.int = self.jokers
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
                    if new + short > cap_open or new > cap_short:
                        continue
                    grown += second + self.ends[face]
                    if grown > cap:
                        grown = cap
                    if new > 7 or short > 7 or grown > 7:
                        continue
                    target = new + 8 * short + 64 * grown
                    if self.seen[target] == 0:
                        self.node_id[self.nodes] = target
                        self.nodes += 1
                        self.seen[target] = self.nodes - first
                    self.entry_next[count] = self.seen[target] - 1
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
                        first = self.list_first[place]
                        left = first
                        full = 0
                        top = NONE
                        for entry in range(first, first + self.list_count[place]):
                            best = NONE
                            for used in range(jokers + 1 - entry_jokers[entry]):
                                value = bound[(following + entry_next[entry]) * 5 + used]
                                if value > LOWEST:
                                    value += entry_gain[entry]
                                    if value > best:
                                        best = value
                                    total = used + entry_jokers[entry]
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
        bound: cython.longlong[::1] = self.bound
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
            red = bound[n0 + i]
            if red <= LOWEST:
                continue
            for j in range(left - i + 1):
                two = bound[n1 + j]
                if two <= LOWEST:
                    continue
                two += red
                for k in range(left - i - j + 1):
                    three = bound[n2 + k]
                    if three <= LOWEST:
                        continue
                    three += two
                    for m in range(left - i - j - k + 1):
                        value = bound[n3 + m]
                        if value <= LOWEST:
                            continue
                        value += three + self.joker_bound[number * 5 + used + i + j + k + m]
                        if value > best:
                            best = value
        return best

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
            made = end
            for state in range(layer[number], end):
                self.worked += 1
                if self.limit and self.worked > self.limit:
                    return 1
                made = self._expand(number, state, end, made)
                if made < 0:
                    return 3
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
    def _expand(
        self, number: cython.int, state: cython.int, begin: cython.int, made: cython.int
    ) -> cython.int:
        """Adds all that can follow a state; returns the new end of the states, -1 if full."""
        list_first: cython.int[::1] = self.list_first
        entry_next: cython.int[::1] = self.entry_next
        entry_jokers: cython.int[::1] = self.entry_jokers
        entry_gain: cython.longlong[::1] = self.entry_gain
        entry_best: cython.longlong[::1] = self.entry_best
        key: cython.longlong = self.state_key[state]
        value: cython.longlong = self.state_value[state]
        used: cython.int = (key >> 40) & 7
        worth: cython.longlong = key >> 43
        rest: cython.longlong = self.rest_gain[number + 1]
        b0: cython.int = self.node_first[number * 4] + (key & 1023)
        b1: cython.int = self.node_first[number * 4 + 1] + ((key >> 10) & 1023)
        b2: cython.int = self.node_first[number * 4 + 2] + ((key >> 20) & 1023)
        b3: cython.int = self.node_first[number * 4 + 3] + ((key >> 30) & 1023)
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
            t1 += self.list_best[l0] + self.list_best[l1] + self.list_best[l2] + self.list_best[l3]
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
                                    return -1
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
