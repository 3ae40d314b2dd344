"""The search for a reading of a turn that the joker rules allow (rules, section 4).

The jokers on the table at the start are split into kept and freed ones, and each is paired
with a joker of the proposed table; the jokers left over come from the hand. A proposal is
accepted if some split and pairing satisfies the rules. Boxes hold at most four jokers, so
the search over them is small whatever the size of the table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, combinations_with_replacement

from meldwise.game.melds import Kind, Meld, Role
from meldwise.game.rules import FreedJokerGoes, JokerPickup, ReplacementFrom, Rules
from meldwise.game.tiles import FACES, JOKER_INDEX

__all__ = ["Counts", "Joker", "JokerSearch", "Settled"]

Counts = list[int]
Accept = Callable[[Counts], bool]


@dataclass(frozen=True, slots=True)
class Joker:
    """A joker in a layout: the index of its meld, its cell and its role."""

    place: int
    cell: int
    role: Role


@dataclass(frozen=True, slots=True)
class _Pair:
    """A table joker, its joker in the proposal, and how it came there."""

    joker: Joker
    target: Joker
    freed: bool
    exempt: bool = False


@dataclass(frozen=True, slots=True)
class Settled:
    """An allowed reading of the turn.

    Attributes:
        pairs: what became of each table joker.
        hand: by table meld, the faces that replaced its freed jokers from the hand.
        reserved: counts of the own tiles bound by the joker rules: those that replaced, and
            those beside a freed joker in a meld of own tiles.
    """

    pairs: tuple[_Pair, ...]
    hand: dict[int, tuple[int, ...]]
    reserved: Counts


class JokerSearch:
    """One proposal with valid melds that hold all the table's tiles, and its search."""

    def __init__(
        self, start: Sequence[Meld], end: Sequence[Meld], played: Counts, rules: Rules
    ) -> None:
        self.start = start
        self.end = end
        self.played = played
        self.rules = rules
        self.before = _jokers_of(start)
        self.after = _jokers_of(end)

    @cached_property
    def on_table(self) -> Counts:
        """How many of each tile the proposed table holds, by index."""
        counts = [0] * (FACES + 1)
        for meld in self.end:
            for index in meld.key[1]:
                counts[index] += 1
        return counts

    def settle(self, accept: Accept | None = None, exempt: int | None = None) -> Settled | None:
        """The first reading found that the rules allow, None if there is none.

        The joker ``exempt``, by its index, is let off all the rules.
        """
        for pairs in self._pairings((), exempt):
            for found in self._ways(pairs):
                if accept is None or accept(found.reserved):
                    return found
        return None

    def _pairings(
        self, pairs: tuple[_Pair, ...], exempt: int | None
    ) -> Iterator[tuple[_Pair, ...]]:
        """The splits into kept and freed with their pairings, the least disturbing first."""
        index = len(pairs)
        if index == len(self.before):
            yield pairs
            return
        joker = self.before[index]
        taken = [pair.target for pair in pairs]
        free = [target for target in self.after if target not in taken]
        if len(free) > 1:
            key = self.start[joker.place].key
            free.sort(key=lambda target: self.end[target.place].key != key)
        for freed in (False, True):
            for target in free:
                if index == exempt or freed or _keeps(joker.role, target.role):
                    pair = _Pair(joker, target, freed, exempt=index == exempt)
                    yield from self._pairings((*pairs, pair), exempt)

    def _ways(self, pairs: tuple[_Pair, ...]) -> Iterator[Settled]:
        """The choices of replacing tiles that satisfy the rules for one pairing."""
        if self.rules.closed_joker_melds and not self._whole(pairs):
            return
        if self.rules.joker_pickup is JokerPickup.ALWAYS:
            hands: Iterator[dict[int, tuple[int, ...]]] = iter(({},))
        elif self.rules.replacement_from is ReplacementFrom.HAND:
            hands = self._from_hand(pairs)
        elif self._from_anywhere(pairs):
            hands = iter(({},))
        else:
            return
        for hand in hands:
            reserved = [0] * (FACES + 1)
            for indices in hand.values():
                for index in indices:
                    reserved[index] += 1
            goes = self.rules.freed_joker_goes
            if goes is FreedJokerGoes.NEW_OWN_MELD and not self._own_melds(pairs, reserved):
                continue
            if goes is FreedJokerGoes.NEW_MELD and not self._new_melds(pairs, hand):
                continue
            yield Settled(pairs, hand, reserved)

    def _groups(self, pairs: tuple[_Pair, ...]) -> dict[int, list[_Pair]]:
        """The pairs by the table meld that their joker came from."""
        groups: dict[int, list[_Pair]] = {}
        for pair in pairs:
            if not pair.exempt:
                groups.setdefault(pair.joker.place, []).append(pair)
        return groups

    def _whole(self, pairs: tuple[_Pair, ...]) -> bool:
        """Whether each meld that keeps a joker lies whole in one meld, no two in a cell."""
        locked: set[tuple[int, int]] = set()
        for place, group in self._groups(pairs).items():
            kept = {pair.joker.cell: pair.target for pair in group if not pair.freed}
            if not kept or len(group) < len(self.start[place].joker_cells):
                continue
            homes = {target.place for target in kept.values()}
            home = homes.pop()
            if homes:
                return False
            cells = _cells_within(self.start[place], self.end[home], kept)
            if cells is None:
                return False
            for cell in cells:
                if (home, cell) in locked:
                    return False
                locked.add((home, cell))
        return True

    def _options(self, group: list[_Pair]) -> Iterator[tuple[int, ...]]:
        """The choices of face indices that replace a meld's freed jokers.

        Where the meld keeps another joker and is closed, the tiles must lie in its cells.
        """
        freed = [pair for pair in group if pair.freed]
        kept = [pair for pair in group if not pair.freed]
        meld = self.start[freed[0].joker.place]
        if meld.kind is Kind.RUN:
            yield tuple(pair.joker.role.tiles[0].index for pair in freed)
            return
        faces = [tile.index for tile in freed[0].joker.role.tiles]
        if kept and self.rules.closed_joker_melds:
            home = self.end[kept[0].target.place].key[1]
            faces = [face for face in faces if face in home]
            yield from combinations(faces, self._wanted(meld, len(freed)))
        elif self.rules.both_colours:
            yield from combinations(faces, self._wanted(meld, len(freed)))
        else:
            yield from combinations_with_replacement(faces, len(freed))

    def _wanted(self, meld: Meld, freed: int) -> int:
        """How many tiles free that many jokers of a set.

        With ``both_colours`` so many that the freed jokers' colours are among them for
        certain: for one joker in a set of three, both of the colours that it lacks.
        """
        if not self.rules.both_colours:
            return freed
        jokers = len(meld.joker_cells)
        lacking = 4 - (len(meld.cells) - jokers)
        return lacking - jokers + freed

    def _from_hand(self, pairs: tuple[_Pair, ...]) -> Iterator[dict[int, tuple[int, ...]]]:
        """The ways in which own tiles replace all the freed jokers, one to one."""
        groups = [
            (place, group)
            for place, group in self._groups(pairs).items()
            if any(pair.freed for pair in group)
        ]
        left = list(self.played)

        def choose(index: int) -> Iterator[dict[int, tuple[int, ...]]]:
            if index == len(groups):
                yield {}
                return
            place, group = groups[index]
            for option in self._options(group):
                for face in option:
                    left[face] -= 1
                if all(left[face] >= 0 for face in option):
                    for rest in choose(index + 1):
                        yield {place: option, **rest}
                for face in option:
                    left[face] += 1

        return choose(0)

    def _from_anywhere(self, pairs: tuple[_Pair, ...]) -> bool:
        """Whether all the freed jokers can be replaced from table or hand, in some order.

        A tile can replace several jokers in turn, unless it is bound in a closed meld.
        """
        free = list(self.on_table)
        groups = self._groups(pairs)
        if self.rules.closed_joker_melds:
            for place in groups:
                for index in self.start[place].key[1]:
                    free[index] -= 1
        todo = {place: sum(pair.freed for pair in group) for place, group in groups.items()}
        return self._replace_next(groups, {p: n for p, n in todo.items() if n}, free)

    def _replace_next(
        self, groups: dict[int, list[_Pair]], todo: dict[int, int], free: Counts
    ) -> bool:
        if not todo:
            return True
        closed = self.rules.closed_joker_melds
        for place in todo:
            group = groups[place]
            rest = {other: count for other, count in todo.items() if other != place}
            for option in self._options(group):
                if closed and all(pair.freed for pair in group):
                    # The meld opens: its tiles and those that opened it are free to move.
                    if self._fills(option, free):
                        freer = list(free)
                        for index in self.start[place].key[1]:
                            freer[index] += 1
                        if self._replace_next(groups, rest, freer):
                            return True
                elif closed:
                    fewer = list(free)
                    for face in option:
                        fewer[face] -= 1
                    if all(fewer[face] >= 0 for face in option) and self._replace_next(
                        groups, rest, fewer
                    ):
                        return True
                elif all(free[face] > 0 for face in option) and self._replace_next(
                    groups, rest, free
                ):
                    return True
        return False

    @staticmethod
    def _fills(option: tuple[int, ...], free: Counts) -> bool:
        return all(free[face] >= option.count(face) for face in option)

    def _own_melds(self, pairs: tuple[_Pair, ...], reserved: Counts) -> bool:
        """Whether each freed joker lies in a meld otherwise of own tiles; reserves those."""
        from_table = {(pair.target.place, pair.target.cell) for pair in pairs}
        for pair in pairs:
            if not pair.freed or pair.exempt:
                continue
            place = pair.target.place
            for cell, tile in enumerate(self.end[place].cells):
                if cell == pair.target.cell:
                    continue
                if (place, cell) in from_table:
                    return False
                reserved[tile.index] += 1
        return all(count <= self.played[index] for index, count in enumerate(reserved))

    def _new_melds(self, pairs: tuple[_Pair, ...], hand: dict[int, tuple[int, ...]]) -> bool:
        """Whether no freed joker lies in a meld that holds a whole meld of the table.

        The tiles of a closed meld that keeps a joker cannot be exchanged for twins, nor can
        those from the hand that replaced another joker of it.
        """
        movable = list(self.on_table)
        if self.rules.closed_joker_melds:
            for place, group in self._groups(pairs).items():
                if not all(pair.freed for pair in group):
                    for index in (*self.start[place].key[1], *hand.get(place, ())):
                        movable[index] -= 1
        homes = {pair.target.place for pair in pairs if pair.freed and not pair.exempt}
        return all(self._is_new(home, pairs, movable) for home in homes)

    def _is_new(self, home: int, pairs: tuple[_Pair, ...], movable: Counts) -> bool:
        """Whether the tiles of one meld can be told apart from every whole meld of the table.

        A table meld whose tiles are all in it does not count if one of them can be taken for
        a twin from elsewhere; a twin shared by several such melds serves all but one.
        """
        if self.rules.closed_joker_melds and any(
            pair.target.place == home and not pair.freed for pair in pairs
        ):
            return False
        groups: dict[int, list[_Pair]] = {}
        for pair in pairs:
            groups.setdefault(pair.joker.place, []).append(pair)
        inside: list[list[int]] = []
        for place, meld in enumerate(self.start):
            if self._holds(home, meld, groups.get(place, [])):
                inside.append([index for index in meld.key[1] if index != JOKER_INDEX])
        slots: list[tuple[int, int]] = []
        for face in {face for faces in inside for face in faces}:
            sharing = sum(face in faces for faces in inside)
            spare = len(inside) if movable[face] > sharing else sharing - 1
            slots += [(face, number) for number in range(spare)]
        return _matches(inside, slots)

    def _holds(self, home: int, meld: Meld, group: list[_Pair]) -> bool:
        """Whether a table meld, its freed jokers replaced, lies whole in a proposed meld."""
        target = self.end[home]
        if target.kind is not meld.kind:
            return False
        indices = target.key[1]
        if any(index != JOKER_INDEX and index not in indices for index in meld.key[1]):
            return False
        freed = [pair for pair in group if pair.freed]
        if any(pair.target.place != home for pair in group if not pair.freed):
            return False
        if meld.kind is Kind.RUN:
            return all(pair.joker.role.tiles[0].index in indices for pair in freed)
        if not freed:
            return True
        found = sum(tile.index in indices for tile in freed[0].joker.role.tiles)
        return found >= len(freed)


def _jokers_of(layout: Sequence[Meld]) -> list[Joker]:
    found: list[Joker] = []
    for place, meld in enumerate(layout):
        cells = meld.joker_cells
        if not cells:
            continue
        roles = meld.roles
        for cell in cells:
            role = roles[cell]
            if role is not None:
                found.append(Joker(place, cell, role))
    return found


def _keeps(before: Role, after: Role) -> bool:
    """Whether a joker still does what it did: same kind, number and a colour in common."""
    return (
        before.kind is after.kind
        and before.number == after.number
        and any(colour in after.colours for colour in before.colours)
    )


def _cells_within(meld: Meld, home: Meld, kept: dict[int, Joker]) -> list[int] | None:
    """The cells of ``home`` in which a meld with kept jokers lies whole, or None."""
    cells: list[int] = []
    if meld.kind is Kind.RUN:
        shift = meld.start - home.start
        for cell in range(len(meld.cells)):
            place = cell + shift
            if not 0 <= place < len(home.cells):
                return None
            if cell in kept:
                if kept[cell].cell != place:
                    return None
            elif home.cells[place].is_joker:
                return None
            cells.append(place)
        return cells
    for tile in meld.cells:
        if not tile.is_joker:
            if tile not in home.cells:
                return None
            cells.append(home.cells.index(tile))
    return cells + [joker.cell for joker in kept.values()]


def _matches(groups: list[list[int]], slots: list[tuple[int, int]]) -> bool:
    """Whether every group can have a slot of one of its faces for itself (Kuhn's algorithm)."""
    owner: dict[tuple[int, int], int] = {}

    def place(group: int, tried: set[tuple[int, int]]) -> bool:
        for slot in slots:
            if slot[0] in groups[group] and slot not in tried:
                tried.add(slot)
                if slot not in owner or place(owner[slot], tried):
                    owner[slot] = group
                    return True
        return False

    return all(place(group, set()) for group in range(len(groups)))
