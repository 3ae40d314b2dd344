"""Freed jokers that have to go into new melds: the melds that they can go to.

Any longer meld can be cut so that the joker's part has at most five cells (seven where
more than two jokers are about), so only such parts need to be tried.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, product

from meldwise.game.melds import Kind
from meldwise.game.rules import FreedJokerGoes
from meldwise.game.tiles import FACES, JOKER_INDEX
from meldwise.solver.jokers import Case, role_faces
from meldwise.solver.layout import JOKER_CELL, LaidMeld
from meldwise.solver.query import Branch, Label, Query, Sparse, add_counts

__all__ = ["place_freed"]


def place_freed(query: Query, case: Case) -> Iterator[tuple[Branch, bool]]:
    """Branches that put one more freed joker of a case into a new meld.

    Yields:
        A branch and whether all the freed jokers of the case are placed in it.
    """
    if query.rules.freed_joker_goes is FreedJokerGoes.NEW_OWN_MELD:
        yield from _own_melds(query, case)
    else:
        yield from _new_melds(query, case)


def candidate_melds(counts: Sequence[int], jokers: int, most: int, longest: int) -> list[LaidMeld]:
    """Every meld of the tiles counted with 1 to ``most`` jokers and at least one real tile."""
    found: list[LaidMeld] = []
    most = min(most, jokers)
    for colour in range(4):
        for start in range(1, 12):
            stack: list[list[int]] = [[]]
            while stack:
                cells = stack.pop()
                number = start + len(cells)
                used = cells.count(JOKER_CELL)
                if len(cells) >= 3 and 0 < used < len(cells):
                    found.append((True, start, colour, tuple(cells)))
                if len(cells) == longest or number > 13:
                    continue
                face = colour * 13 + number - 1
                if counts[face]:
                    stack.append([*cells, face])
                if used < most:
                    stack.append([*cells, JOKER_CELL])
    for number in range(1, 14):
        faces = [c * 13 + number - 1 for c in range(4) if counts[c * 13 + number - 1]]
        for size in range(1, 4):
            for chosen in combinations(faces, size):
                for used in range(1, most + 1):
                    if 3 <= size + used <= 4:
                        found.append((False, number, -1, (*chosen, *[JOKER_CELL] * used)))
    return found


def _own_melds(query: Query, case: Case) -> Iterator[tuple[Branch, bool]]:
    """Melds of tiles from the hand besides the one freed joker."""
    branch = case.branch
    left = list(query.high)
    for index, count in branch.reserved.items():
        left[index] -= count
    if min(left) < 0:
        return
    two = query.rules.two_jokers_in_meld
    hand_jokers = left[JOKER_INDEX]
    total = hand_jokers + query.held[JOKER_INDEX]
    melds = candidate_melds(
        left[:FACES], hand_jokers + 1, hand_jokers + 1 if two else 1, 7 if total > 2 else 5
    )
    placed = len(branch.melds)
    for meld in melds:
        # Freed jokers are alike: the melds are tried in one order only.
        if placed and meld < branch.melds[-1]:
            continue
        reserved = dict(branch.reserved)
        jokers = add_counts(reserved, meld[3]) - 1
        if jokers:
            reserved[JOKER_INDEX] = reserved.get(JOKER_INDEX, 0) + jokers
        if any(count > query.high[index] for index, count in reserved.items()):
            continue
        low = dict(branch.low)
        for index, count in reserved.items():
            low[index] = max(low.get(index, 0), count)
        yield (
            replace(branch, low=low, reserved=reserved, melds=[*branch.melds, meld]),
            placed + 1 == case.freed,
        )


def _new_melds(query: Query, case: Case) -> Iterator[tuple[Branch, bool]]:
    """Melds of any tiles that hold no whole meld of the table."""
    branch = case.branch
    two = query.rules.two_jokers_in_meld
    counts = [held + high for held, high in zip(query.held, query.high, strict=True)]
    for index, count in branch.locked_tiles().items():
        if index != JOKER_INDEX:
            counts[index] -= count
    jokers = query.held[JOKER_INDEX] + query.high[JOKER_INDEX]
    left = case.freed - sum(freed for freed, _ in branch.labels)
    for meld in candidate_melds(counts, jokers, jokers if two else 1, 7 if jokers > 2 else 5):
        if branch.melds and meld < branch.melds[-1]:
            continue
        for freed, kept, from_hand in _labels(query, case, meld, left):
            low = dict(branch.low)
            held_back = sum(_from_hand(m, label) for m, label in _labelled(branch))
            if from_hand:
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
            for more in _making_new(query, case, further):
                least = dict(low)
                for index, count in more.items():
                    least[index] = max(least.get(index, 0), count)
                yield replace(further, low=least), True


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


def _making_new(query: Query, case: Case, branch: Branch) -> list[Sparse]:
    """The least to play besides, so that no new meld holds a whole meld of the table.

    Where all tiles of a table meld lie in one, one of them has to be a twin from elsewhere.
    """
    locked = Branch(pieces=branch.pieces, closed_sets=branch.closed_sets).locked_tiles()
    bound = branch.locked_tiles()
    on_table = list(query.held)
    for index in range(FACES):
        least = on_table[index] + branch.low.get(index, 0)
        on_table[index] = max(least, bound.get(index, 0))
    ways: list[list[Sparse]] = []
    for meld, label in _labelled(branch):
        inside = [
            [index for index in start.key[1] if index != JOKER_INDEX]
            for place, start in enumerate(query.table)
            if _holds(meld, label, case, place, start.kind is Kind.RUN, start.key[1])
        ]
        if inside:
            ways.append(_telling_apart(query, inside, on_table, locked))
    return [_most(choice) for choice in product(*ways)]


def _holds(
    meld: LaidMeld, label: Label, case: Case, place: int, is_run: bool, indices: tuple[int, ...]
) -> bool:
    """Whether a table meld, its freed jokers replaced, lies whole in a new meld."""
    cells = meld[3]
    if meld[0] is not is_run or any(i != JOKER_INDEX and i not in cells for i in indices):
        return False
    for fate in case.fates:
        if fate.place != place:
            continue
        if any((place, cell) not in label[1] for cell in fate.kept):
            return False
        if is_run:
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
