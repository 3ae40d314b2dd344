"""The ways to deal with the jokers on the table, as branches (rules, section 4).

Each joker is kept or freed. What that means under the rules of the table follows
:mod:`meldwise.game.jokers`, which judges: here it is turned round, into what has to be
played and what has to stay so that the judge accepts the end of the turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement, product

from meldwise.game.melds import Kind, Meld
from meldwise.game.rules import FreedJokerGoes, JokerPickup, ReplacementFrom, Rules
from meldwise.game.tiles import JOKER_INDEX
from meldwise.solver.layout import RunPiece
from meldwise.solver.query import NOTHING, Branch, Query, Sparse, add_counts, cells_of

__all__ = ["Case", "Fate", "cases", "free_jokers", "role_faces"]


@dataclass(frozen=True, slots=True)
class Fate:
    """What becomes of the jokers of one table meld.

    Attributes:
        meld: the meld.
        freed: the cells of its jokers that are freed.
        kept: the cells of the others.
        option: the faces that replace the freed ones.
    """

    meld: Meld
    place: int
    freed: tuple[int, ...]
    kept: tuple[int, ...]
    option: tuple[int, ...]


@dataclass(slots=True)
class Case:
    """A branch, and what is needed to send its freed jokers into new melds.

    Attributes:
        branch: what has to be played and what stays.
        fates: what becomes of each table meld with jokers.
        freed: how many jokers are freed.
    """

    branch: Branch
    fates: tuple[Fate, ...]
    freed: int


def free_jokers(rules: Rules) -> bool:
    """Whether the rules ask nothing of jokers on the table (level J0)."""
    return (
        rules.joker_pickup is JokerPickup.ALWAYS
        and rules.freed_joker_goes is FreedJokerGoes.ANYWHERE
        and not rules.closed_joker_melds
    )


def cases(query: Query) -> Iterator[Case]:
    """All the ways to deal with the table's jokers, fewest freed first."""
    rules = query.rules
    if not query.held[JOKER_INDEX] or free_jokers(rules):
        yield Case(NOTHING, (), 0)
        return
    groups = [
        list(_fates(meld, place, query))
        for place, meld in enumerate(query.table)
        if meld.joker_cells
    ]
    ways = sorted(product(*groups), key=lambda way: sum(len(fate.freed) for fate in way))
    seen: set[object] = set()
    for way in ways:
        for low in _replacements(query, way):
            if any(count > query.high[index] for index, count in low.items()):
                continue
            branch = _branch(rules, way)
            branch.low = low
            if rules.replacement_from is ReplacementFrom.HAND:
                branch.reserved = dict(low)
            if not branch.allowed(rules.two_jokers_in_meld):
                continue
            freed = sum(len(fate.freed) for fate in way)
            mark = (
                freed,
                tuple(sorted(low.items())),
                tuple(sorted(branch.kept_runs)),
                tuple(sorted(branch.kept_sets)),
                tuple(sorted((p.colour, p.start, p.cells) for p in branch.pieces)),
                tuple(sorted(branch.closed_sets)),
            )
            if rules.freed_joker_goes is not FreedJokerGoes.NEW_MELD:
                # Which of two equal melds gave up its joker makes no difference.
                if mark in seen:
                    continue
                seen.add(mark)
            yield Case(branch, way, freed)


def _fates(meld: Meld, place: int, query: Query) -> Iterator[Fate]:
    jokers = meld.joker_cells
    from_hand = query.rules.replacement_from is ReplacementFrom.HAND
    for size in range(len(jokers) + 1):
        choices = list(combinations(jokers, size))
        if meld.kind is Kind.SET:
            # The jokers of a set are alike.
            choices = [jokers[:size]]
        for freed in choices:
            kept = tuple(cell for cell in jokers if cell not in freed)
            if not freed or query.rules.joker_pickup is JokerPickup.ALWAYS:
                yield Fate(meld, place, freed, kept, ())
                continue
            for option in _options(meld, freed, kept, query.rules):
                if not from_hand or all(query.high[face] for face in option):
                    yield Fate(meld, place, freed, kept, option)


def _options(
    meld: Meld, freed: tuple[int, ...], kept: tuple[int, ...], rules: Rules
) -> Iterator[tuple[int, ...]]:
    """The faces that can replace a meld's freed jokers."""
    if meld.kind is Kind.RUN:
        yield tuple(role_faces(meld, cell)[0] for cell in freed)
        return
    faces = role_faces(meld, freed[0])
    wanted = len(freed)
    if rules.both_colours:
        wanted += len(faces) - len(meld.joker_cells)
    if (kept and rules.closed_joker_melds) or rules.both_colours:
        yield from combinations(faces, wanted)
    else:
        yield from combinations_with_replacement(faces, wanted)


def role_faces(meld: Meld, cell: int) -> list[int]:
    """The faces that a joker of a meld may stand for."""
    role = meld.roles[cell]
    return [tile.index for tile in role.tiles] if role else []


def _branch(rules: Rules, way: Sequence[Fate]) -> Branch:
    branch = Branch()
    for fate in way:
        if not fate.kept:
            continue
        meld = fate.meld
        if not rules.closed_joker_melds:
            for cell in fate.kept:
                faces = role_faces(meld, cell)
                if meld.kind is Kind.RUN:
                    branch.kept_runs.append(faces[0])
                else:
                    mask = sum(1 << face // 13 for face in faces)
                    branch.kept_sets.append((meld.start, mask))
        elif meld.kind is Kind.RUN:
            cells = list(cells_of(meld))
            for cell in fate.freed:
                cells[cell] = role_faces(meld, cell)[0]
            colour = 0 if meld.colour is None else int(meld.colour)
            branch.pieces.append(RunPiece(colour, meld.start, tuple(cells)))
        else:
            real = [cell for cell in cells_of(meld) if cell >= 0]
            mask = sum(1 << face // 13 for face in (*real, *fate.option))
            branch.closed_sets.append((meld.start, mask, len(fate.kept)))
    return branch


def _replacements(query: Query, way: Sequence[Fate]) -> list[Sparse]:
    """The least that has to be played so that all the freed jokers are replaced."""
    rules = query.rules
    if rules.joker_pickup is JokerPickup.ALWAYS:
        return [{}]
    if rules.replacement_from is ReplacementFrom.HAND:
        low: Sparse = {}
        for fate in way:
            add_counts(low, fate.option)
        return [low]
    there = query.held
    if not rules.closed_joker_melds:
        return [{f: 1 for fate in way for f in fate.option if not there[f]}]
    return _in_some_order(there, way)


def _in_some_order(there: list[int], way: Sequence[Fate]) -> list[Sparse]:
    """As above for replacements from anywhere while melds that keep a joker are closed.

    A meld whose jokers are all freed opens, and its tiles can replace further jokers.
    """
    free = list(there)
    for fate in way:
        for index in fate.meld.key[1]:
            free[index] -= 1
    found: list[Sparse] = []

    def replace_next(todo: tuple[int, ...], free: list[int], low: Sparse) -> None:
        if not todo:
            if low not in found:
                found.append(low)
            return
        for index in todo:
            fate = way[index]
            left, forced = list(free), dict(low)
            for face in set(fate.option):
                lacking = fate.option.count(face) - left[face]
                if lacking > 0:
                    forced[face] = forced.get(face, 0) + lacking
                    left[face] += lacking
            if fate.kept:
                for face in fate.option:
                    left[face] -= 1
            else:
                for face in fate.meld.key[1]:
                    left[face] += 1
            replace_next(tuple(other for other in todo if other != index), left, forced)

    replace_next(tuple(i for i, fate in enumerate(way) if fate.freed), free, {})
    return [low for low in found if not any(_less(other, low) for other in found)]


def _less(one: Sparse, other: Sparse) -> bool:
    return one != other and all(count <= other.get(index, 0) for index, count in one.items())
