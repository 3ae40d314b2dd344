"""Freed jokers that have to go into new melds: the melds that they can go to.

Any longer meld can be cut so that the joker's part has at most five cells (seven where
more than two jokers are about), so only such parts need to be tried.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import combinations, product

from meldwise.game.melds import Kind
from meldwise.game.rules import FreedJokerGoes
from meldwise.game.tiles import FACES, JOKER_INDEX
from meldwise.solver.jokers import Case, role_faces
from meldwise.solver.layout import JOKER_CELL, LaidMeld
from meldwise.solver.query import Branch, Label, Query, Sparse, add_counts
from meldwise.solver.sets import MOST_JOKERS

__all__ = ["NewMelds"]

Spot = tuple[bool, int]
"""Where a joker lies: in a run at a face, or in a set of a number."""

_SPOTS: tuple[Spot, ...] = (
    *((True, face) for face in range(FACES)),
    *((False, number) for number in range(1, 14)),
)


class NewMelds:
    """The new melds that the next freed joker of a case can go to.

    Args:
        query: what is asked.
        case: a branch, and what becomes of the jokers.
        longest: the most cells of a run that are tried; None for as many as can matter.
    """

    def __init__(self, query: Query, case: Case, longest: int | None = None) -> None:
        self.query = query
        self.case = case
        self._own = query.rules.freed_joker_goes is FreedJokerGoes.NEW_OWN_MELD
        branch = case.branch
        jokers = query.high[JOKER_INDEX]
        if self._own:
            counts = list(query.high)
            for index, count in branch.reserved.items():
                counts[index] -= count
            jokers = counts[JOKER_INDEX]
            most = jokers + 1
        else:
            counts = [held + high for held, high in zip(query.held, query.high, strict=True)]
            for index, count in branch.locked_tiles().items():
                if index != JOKER_INDEX:
                    counts[index] -= count
            most = jokers + query.held[JOKER_INDEX]
        total = jokers + query.held[JOKER_INDEX]
        self._counts = counts
        self._most = min(most, MOST_JOKERS) if query.rules.two_jokers_in_meld else min(most, 1)
        self._longest = longest or (7 if total > 2 else 5)
        self._inside = [
            (place, start.kind is Kind.RUN, frozenset(start.key[1]) - {JOKER_INDEX})
            for place, start in enumerate(query.table)
        ]

    def all(self) -> Iterator[tuple[Branch, bool]]:
        """A branch for each of them, and whether all freed jokers of the case are placed."""
        if min(self._counts) >= 0:
            for spot in _SPOTS:
                yield from self.of(self._at(spot))

    def within(self, layout: Sequence[LaidMeld]) -> list[LaidMeld]:
        """Those that melds of a layout could be, or be cut to."""
        if min(self._counts) < 0:
            return []
        return [part for meld in layout for part in _parts(meld, self._longest) if self._fits(part)]

    def by_spot(self) -> Iterator[tuple[Branch | None, list[LaidMeld]]]:
        """Those with their first joker at one spot, and a branch that bounds them all.

        The branch only asks for a joker at that spot; it is None where one is there anyway.
        """
        if min(self._counts) < 0:
            return
        branch = self.case.branch
        for spot in _SPOTS:
            melds = self._at(spot)
            if not melds:
                continue
            is_run, place = spot
            if not is_run:
                yield replace(branch, kept_sets=[*branch.kept_sets, (place, 15)]), melds
            elif place in branch.kept_runs:
                yield None, melds
            else:
                yield replace(branch, kept_runs=[*branch.kept_runs, place]), melds

    def of(self, melds: Iterable[LaidMeld]) -> Iterator[tuple[Branch, bool]]:
        """The branches that lay one of these melds."""
        placed = self.case.branch.melds
        for meld in melds:
            # Freed jokers are alike: the melds are tried in one order only.
            if not placed or meld >= placed[-1]:
                yield from self._own_meld(meld) if self._own else self._new_meld(meld)

    def _at(self, spot: Spot) -> list[LaidMeld]:
        return [meld for meld in _melds_at(spot, self._most, self._longest) if self._fits(meld)]

    def _fits(self, meld: LaidMeld) -> bool:
        for cell in meld[3]:
            if cell >= 0 and not self._counts[cell]:
                return False
        return meld[3].count(JOKER_CELL) <= self._most

    def _own_meld(self, meld: LaidMeld) -> Iterator[tuple[Branch, bool]]:
        """A meld of tiles from the hand besides the one freed joker."""
        query, branch = self.query, self.case.branch
        reserved = dict(branch.reserved)
        jokers = add_counts(reserved, meld[3]) - 1
        if jokers:
            reserved[JOKER_INDEX] = reserved.get(JOKER_INDEX, 0) + jokers
        if any(count > query.high[index] for index, count in reserved.items()):
            return
        low = dict(branch.low)
        for index, count in reserved.items():
            low[index] = max(low.get(index, 0), count)
        melds = [*branch.melds, meld]
        yield (
            replace(branch, low=low, reserved=reserved, melds=melds),
            len(melds) == self.case.freed,
        )

    def _new_meld(self, meld: LaidMeld) -> Iterator[tuple[Branch, bool]]:
        """A meld of any tiles that holds no whole meld of the table."""
        query, case, branch = self.query, self.case, self.case.branch
        left = case.freed - sum(freed for freed, _ in branch.labels)
        for freed, kept, from_hand in _labels(query, case, meld, left):
            low = dict(branch.low)
            if from_hand:
                held_back = sum(_from_hand(m, label) for m, label in _labelled(branch))
                low[JOKER_INDEX] = from_hand + held_back
                if low[JOKER_INDEX] > query.high[JOKER_INDEX]:
                    continue
            further = replace(
                branch,
                low=low,
                melds=[*branch.melds, meld],
                labels=[*branch.labels, (freed, kept)],
                kept_runs=list(branch.kept_runs),
                kept_sets=list(branch.kept_sets),
            )
            _take_kept(further, case, kept)
            if freed < left:
                yield further, False
                continue
            for more in self._making_new(further):
                least = low
                if more:
                    least = dict(low)
                    for index, count in more.items():
                        least[index] = max(least.get(index, 0), count)
                yield replace(further, low=least), True

    def _making_new(self, branch: Branch) -> list[Sparse]:
        """The least to play besides, so that no new meld holds a whole meld of the table.

        Where all tiles of a table meld lie in one, one of them has to be a twin from elsewhere.
        """
        query, case = self.query, self.case
        held: list[list[list[int]]] = []
        for meld, label in _labelled(branch):
            cells = set(meld[3])
            inside = [
                [index for index in query.table[place].key[1] if index != JOKER_INDEX]
                for place, is_run, faces in self._inside
                if is_run is meld[0] and faces <= cells and _holds(meld, label, case, place)
            ]
            if inside:
                held.append(inside)
        if not held:
            return [{}]
        locked = Branch(pieces=branch.pieces, closed_sets=branch.closed_sets).locked_tiles()
        bound = branch.locked_tiles()
        on_table = list(query.held)
        for index in range(FACES):
            least = on_table[index] + branch.low.get(index, 0)
            on_table[index] = max(least, bound.get(index, 0))
        ways = [_telling_apart(query, inside, on_table, locked) for inside in held]
        return [_most(choice) for choice in product(*ways)]


@lru_cache(maxsize=512)
def _melds_at(spot: Spot, most: int, longest: int) -> tuple[LaidMeld, ...]:
    """Every meld with 1 to ``most`` jokers, the first at the spot, and a real tile."""
    is_run, place = spot
    found: list[LaidMeld] = []
    if not is_run:
        for size in range(1, 4):
            for colours in combinations(range(4), size):
                faces = [colour * 13 + place - 1 for colour in colours]
                for used in range(1, most + 1):
                    if 3 <= size + used <= 4:
                        found.append((False, place, -1, (*faces, *[JOKER_CELL] * used)))
        return tuple(found)
    colour, number = divmod(place, 13)
    for before in range(min(number, longest - 1) + 1):
        first = place - before
        stack = [(*range(first, place), JOKER_CELL)]
        while stack:
            cells = stack.pop()
            used = cells.count(JOKER_CELL)
            if len(cells) >= 3 and used < len(cells):
                found.append((True, first % 13 + 1, colour, cells))
            following = first % 13 + len(cells)
            if len(cells) < longest and following < 13:
                stack.append((*cells, colour * 13 + following))
                if used < most:
                    stack.append((*cells, JOKER_CELL))
    return tuple(found)


def _parts(meld: LaidMeld, longest: int) -> Iterator[LaidMeld]:
    """A meld with a joker, or what it can be cut to with the rest a meld or nothing."""
    is_run, start, colour, cells = meld
    if JOKER_CELL not in cells:
        return
    if not is_run:
        yield False, start, -1, tuple(sorted(cells, key=lambda cell: (cell < 0, cell)))
        return
    for first in (0, *range(3, len(cells) - 2)):
        for end in (len(cells), *range(first + 3, len(cells) - 2)):
            part = cells[first:end]
            if 3 <= len(part) <= longest and 0 < part.count(JOKER_CELL) < len(part):
                yield True, start + first, colour, part


def _labelled(branch: Branch) -> Iterator[tuple[LaidMeld, Label]]:
    return zip(branch.melds, branch.labels, strict=True)


def _from_hand(meld: LaidMeld, label: Label) -> int:
    return meld[3].count(JOKER_CELL) - label[0] - len(label[1])


def _labels(
    query: Query, case: Case, meld: LaidMeld, left: int
) -> Iterator[tuple[int, frozenset[tuple[int, int]], int]]:
    """What a meld's jokers can be: freed ones, kept ones, and ones from the hand."""
    jokers = meld[3].count(JOKER_CELL)
    taken = {joker for _, kept in case.branch.labels for joker in kept}
    fitting: list[tuple[tuple[int, int], int]] = []
    if not query.rules.closed_joker_melds:
        for fate in case.fates:
            for cell in fate.kept:
                joker = (fate.place, cell)
                faces = role_faces(fate.meld, cell)
                spot = _spot(meld, fate.meld.kind is Kind.RUN, faces)
                if joker not in taken and spot is not None:
                    fitting.append((joker, spot))
    for size in range(min(jokers - 1, len(fitting)) + 1):
        for chosen in combinations(fitting, size):
            spots = [spot for _, spot in chosen if spot >= 0]
            if len(set(spots)) < len(spots):
                continue
            kept = frozenset(joker for joker, _ in chosen)
            for freed in range(1, min(left, jokers - size) + 1):
                yield freed, kept, jokers - size - freed


def _spot(meld: LaidMeld, is_run: bool, faces: list[int]) -> int | None:
    """The cell of a meld in which a joker would keep its role; -1 for any; None for none."""
    kind, start, colour, cells = meld
    if kind is not is_run:
        return None
    if is_run:
        spot = faces[0] % 13 + 1 - start
        fits = faces[0] // 13 == colour and 0 <= spot < len(cells) and cells[spot] < 0
        return spot if fits else None
    fits = faces[0] % 13 + 1 == start and any(face not in cells for face in faces)
    return -1 if fits else None


def _take_kept(branch: Branch, case: Case, kept: frozenset[tuple[int, int]]) -> None:
    """Takes jokers that keep their role in a new meld out of those that have to be placed."""
    for fate in case.fates:
        for cell in fate.kept:
            if (fate.place, cell) in kept:
                faces = role_faces(fate.meld, cell)
                if fate.meld.kind is Kind.RUN:
                    branch.kept_runs.remove(faces[0])
                else:
                    mask = sum(1 << face // 13 for face in faces)
                    branch.kept_sets.remove((fate.meld.start, mask))


def _holds(meld: LaidMeld, label: Label, case: Case, place: int) -> bool:
    """Whether a table meld, its freed jokers replaced, lies whole in a new meld.

    All its real tiles are known to lie in it.
    """
    cells = meld[3]
    for fate in case.fates:
        if fate.place != place:
            continue
        if any((place, cell) not in label[1] for cell in fate.kept):
            return False
        if meld[0]:
            return all(role_faces(fate.meld, cell)[0] in cells for cell in fate.freed)
        if fate.freed:
            faces = role_faces(fate.meld, fate.freed[0])
            return sum(face in cells for face in faces) >= len(fate.freed)
    return True


def _telling_apart(
    query: Query, inside: list[list[int]], on_table: list[int], locked: Sparse
) -> list[Sparse]:
    """What to play so that each table meld inside has a tile that may be a twin."""
    faces = sorted({face for faces in inside for face in faces})
    sharing = {face: sum(face in faces for faces in inside) for face in faces}
    need = {face: sharing[face] + 1 + locked.get(face, 0) for face in faces}
    at_hand = {face for face in faces if on_table[face] >= need[face]}
    others = [
        face
        for face in faces
        if face not in at_hand and need[face] <= query.held[face] + query.high[face]
    ]
    found: list[tuple[int, ...]] = []
    for size in range(len(others) + 1):
        for chosen in combinations(others, size):
            if any(set(known) <= set(chosen) for known in found):
                continue
            spare = {
                face: len(inside) if face in at_hand or face in chosen else sharing[face] - 1
                for face in faces
            }
            if _all_served(inside, spare):
                found.append(chosen)
    return [{face: need[face] - query.held[face] for face in chosen} for chosen in found]


def _all_served(inside: list[list[int]], spare: dict[int, int]) -> bool:
    """Whether every meld inside can have a twin for itself."""
    if not inside:
        return True
    for face in inside[0]:
        if spare[face] > 0:
            spare[face] -= 1
            served = _all_served(inside[1:], spare)
            spare[face] += 1
            if served:
                return True
    return False


def _most(parts: tuple[Sparse, ...]) -> Sparse:
    most: Sparse = {}
    for part in parts:
        for index, count in part.items():
            most[index] = max(most.get(index, 0), count)
    return most
