"""Whole turns played step by step in a small universe, compared with ``judge``.

The model here knows the rules of section 4 only as things that a hand can do, one after the
other: replace a joker, which may open its meld and free its tiles for the next replacement;
then lay the melds of the end one by one. It keeps account of where each tile comes from. An
end table is *reached* if some sequence of steps makes it. ``judge`` has to accept the end
tables that are reached, and no others. Every arrangement of the table's tiles with some of
the hand's is tried.

Decisions of the model:

- The role of a table joker is that of the start of the turn.
- Loose tiles need not lie in valid melds before the turn ends. So a tile that may be moved
  is one of a heap, and laying the melds of the end is the last part of the turn.
- A tile from the hand that replaced a joker is a table tile from then on where the rules
  ask for replacement from the hand. Where any tile may replace, it stays an own tile.
- For ``freed_joker_goes = new_meld`` two readings bound the judge. Both allow twins to be
  exchanged so that a meld holds no whole meld of the start. The strict one counts any
  matching tile as the one that replaced a joker of the old meld, and exchanges the twins of
  all melds at once; the lenient one exchanges the replacing tile as well, and tells the
  melds apart one by one.

:mod:`tests.differential.situations` makes the situations and compares.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations, product
from typing import NamedTuple

from meldwise.game.melds import Kind
from meldwise.game.position import Position
from meldwise.game.rules import FreedJokerGoes, JokerPickup, ReplacementFrom, Rules
from meldwise.game.tiles import JOKER_INDEX, NUMBERS, TILES
from tests.differential.layouts import (
    Cell,
    Face,
    Faces,
    Layout,
    Plain,
    layouts,
    overlap,
    role_of,
    start_of,
    to_melds,
    value_of,
)


@dataclass(frozen=True)
class Situation:
    """What a turn starts from; the table in any order."""

    table: Layout
    hand: Faces
    opened: bool = True

    def __str__(self) -> str:
        return str(self.position)

    @property
    def position(self) -> Position:
        """The same as the judge knows it."""
        hand = tuple(TILES[face] for face in self.hand)
        return Position(to_melds(self.table), hand, self.opened)


class State(NamedTuple):
    """A moment in the turn, before the melds of the end are laid.

    Attributes:
        standing: the table jokers that nobody has taken.
        inside: for each meld of the start the tiles that have replaced jokers of it and
            are bound there, with whether they are still own tiles.
        open: the melds whose tiles may be moved.
        heap: the table tiles that may be moved, but for jokers.
        hand: own tiles that are still to be placed.
    """

    standing: frozenset[Cell]
    inside: tuple[tuple[tuple[Face, bool], ...], ...]
    open: frozenset[int]
    heap: Faces
    hand: Faces


def _without(tiles: Faces, gone: Sequence[Face]) -> Faces | None:
    left = list(tiles)
    for face in gone:
        if face not in left:
            return None
        left.remove(face)
    return tuple(left)


class Turn:
    """All that can be done in one turn with the same own tiles placed."""

    def __init__(self, table: Layout, placed: Faces, laid: Faces, rules: Rules) -> None:
        """Own tiles ``placed`` after the opening; those ``laid`` for it are on the table."""
        self.table = table
        self.rules = rules
        self.jokers = [
            (place, cell)
            for place, (_, faces) in enumerate(table)
            for cell, face in enumerate(faces)
            if face == JOKER_INDEX
        ]
        self.roles = {(place, cell): role_of(table[place], cell) for place, cell in self.jokers}
        self.loose_jokers = laid.count(JOKER_INDEX)
        closed = {place for place, _ in self.jokers} if rules.closed_joker_melds else set()
        heap = [face for face in laid if face != JOKER_INDEX]
        for place, (_, faces) in enumerate(table):
            if place not in closed:
                heap += [face for face in faces if face != JOKER_INDEX]
        self.states = self._all_states(
            State(
                frozenset(self.jokers),
                ((),) * len(table),
                frozenset(range(len(table))) - closed,
                tuple(sorted(heap)),
                tuple(sorted(placed)),
            )
        )

    def _all_states(self, first: State) -> list[State]:
        seen = {first}
        todo = [first]
        for state in todo:
            for following in self._steps(state):
                if following not in seen:
                    seen.add(following)
                    todo.append(following)
        return todo

    def _steps(self, state: State) -> Iterator[State]:
        """The replacements that can be made now."""
        for joker in state.standing:
            if self.rules.joker_pickup is JokerPickup.ALWAYS:
                yield state._replace(standing=state.standing - {joker})
                continue
            for faces in self._prices(state, joker):
                for own in product((True, False), repeat=len(faces)):
                    if all(own) or self.rules.replacement_from is ReplacementFrom.ANYWHERE:
                        yield from self._replace(state, joker, faces, own)

    def _prices(self, state: State, joker: Cell) -> Iterator[Faces]:
        """The tiles for which the joker can be had."""
        place = joker[0]
        faces = sorted(self.roles[joker][1])
        number = 1
        if self.rules.both_colours and self.table[place][0] is Kind.SET:
            # Every colour that the joker may stand for has to be there, but for those that
            # the other jokers of the set stand for.
            faces = [f for f in faces if all(f != other for other, _ in state.inside[place])]
            others = sum(other[0] == place for other in state.standing) - 1
            number = max(1, len(faces) - others)
        return combinations(faces, number)

    def _replace(
        self, state: State, joker: Cell, faces: Faces, own: tuple[bool, ...]
    ) -> Iterator[State]:
        place = joker[0]
        hand = _without(state.hand, [f for f, mine in zip(faces, own, strict=True) if mine])
        heap = _without(state.heap, [f for f, mine in zip(faces, own, strict=True) if not mine])
        if hand is None or heap is None:
            return
        standing = state.standing - {joker}
        from_hand = self.rules.replacement_from is ReplacementFrom.HAND
        came = [(f, mine and not from_hand) for f, mine in zip(faces, own, strict=True)]
        inside = list(state.inside)
        inside[place] = tuple(sorted((*inside[place], *came)))
        opened = state.open
        if place in opened:
            # Nothing is bound here: the tiles may go on at once. With both colours it is
            # noted which of them have been there.
            loose = came
            if not self.rules.both_colours:
                inside[place] = ()
        elif all(other[0] != place for other in standing):
            loose = list(inside[place])
            loose += [(f, False) for f in self.table[place][1] if f != JOKER_INDEX]
            opened |= {place}
        else:
            loose = []
        heap += tuple(f for f, mine in loose if not mine)
        hand += tuple(f for f, mine in loose if mine)
        yield State(standing, tuple(inside), opened, tuple(sorted(heap)), tuple(sorted(hand)))

    def reaches(self, end: Layout) -> tuple[bool, bool]:
        """Whether the end can be laid, by the strict and by the lenient reading."""
        lenient = False
        for state in self.states:
            for strict in self._lay_blocks(state, end):
                if strict:
                    return True, True
                lenient = True
        return False, lenient

    # Laying: each yield is a way that the lenient reading allows, true if the strict one
    # does as well.

    def _lay_blocks(self, state: State, end: Layout) -> Iterator[bool]:
        """Lays the closed melds, whole, and then the rest."""
        blocks = [place for place in range(len(self.table)) if place not in state.open]

        def lay(index: int, used: frozenset[Cell], homes: dict[Cell, Cell]) -> Iterator[bool]:
            if index == len(blocks):
                yield from self._lay_jokers(state, end, used, homes)
                return
            for cells, targets in self._block_in(state, blocks[index], end):
                if not used & cells:
                    yield from lay(index + 1, used | cells, homes | targets)

        yield from lay(0, frozenset(), {})

    def _block_in(
        self, state: State, block: int, end: Layout
    ) -> Iterator[tuple[frozenset[Cell], dict[Cell, Cell]]]:
        """The cells of the end that a closed meld can take, with those of its jokers."""
        kind, faces = self.table[block]
        standing = [joker for joker in self.jokers if joker in state.standing and joker[0] == block]
        bound = [face for face, _ in state.inside[block]]
        for place, (other, target) in enumerate(end):
            if other is not kind:
                continue
            if kind is Kind.SET:
                real = [f for f in faces if f != JOKER_INDEX] + bound
                if len(set(real)) < len(real) or not set(real) <= set(target):
                    continue
                cells = frozenset((place, target.index(face)) for face in real)
                free = [(place, c) for c, face in enumerate(target) if face == JOKER_INDEX]
                for chosen in permutations(free, len(standing)):
                    yield cells | set(chosen), dict(zip(standing, chosen, strict=True))
                continue
            colour, first = start_of(self.table[block])
            colour_there, first_there = start_of((other, target))
            shift = first - first_there
            if colour != colour_there or shift < 0 or shift + len(faces) > len(target):
                continue
            wanted = [
                f
                if f != JOKER_INDEX or (block, c) in state.standing
                else colour * NUMBERS + first + c - 1
                for c, f in enumerate(faces)
            ]
            if list(target[shift : shift + len(faces)]) == wanted:
                yield (
                    frozenset((place, shift + c) for c in range(len(faces))),
                    {joker: (place, shift + joker[1]) for joker in standing},
                )

    def _lay_jokers(
        self, state: State, end: Layout, used: frozenset[Cell], homes: dict[Cell, Cell]
    ) -> Iterator[bool]:
        """Lays the jokers that stand for the same as before, then the freed ones."""
        cells = [
            (place, cell)
            for place, (_, faces) in enumerate(end)
            for cell, face in enumerate(faces)
            if face == JOKER_INDEX
        ]
        standing = [joker for joker in self.jokers if joker in state.standing]
        movable = [joker for joker in standing if joker not in homes]
        free = [cell for cell in cells if cell not in used]
        for chosen in permutations(free, len(movable)):
            at = homes | dict(zip(movable, chosen, strict=True))
            if not all(
                overlap(self.roles[joker], role_of(end[place], cell))
                for joker, (place, cell) in at.items()
            ):
                continue
            rest = [cell for cell in free if cell not in chosen]
            for freed in combinations(rest, len(self.jokers) - len(standing)):
                yield from self._lay_rest(state, end, used, at, freed)

    def _lay_rest(
        self,
        state: State,
        end: Layout,
        used: frozenset[Cell],
        at: dict[Cell, Cell],
        freed: tuple[Cell, ...],
    ) -> Iterator[bool]:
        """Whether the tiles beside the freed jokers may be there."""
        goes = self.rules.freed_joker_goes
        strict = True
        if goes is FreedJokerGoes.NEW_OWN_MELD:
            own: Counter[Face] = Counter()
            for place, cell in freed:
                beside = [(place, c) for c in range(len(end[place][1])) if c != cell]
                if any(c in used or c in at.values() or c in freed for c in beside):
                    return
                own.update(end[place][1][c] for _, c in beside)
            hand = Counter(state.hand)
            if any(count > hand[face] for face, count in own.items()):
                return
        elif goes is FreedJokerGoes.NEW_MELD:
            held: list[tuple[int, int]] = []
            for place in {place for place, _ in freed}:
                for number, old in enumerate(self.table):
                    inside, exactly = self._holds(state, end, place, number, old, at)
                    if exactly:
                        return
                    if inside:
                        held.append((place, number))
            strict = self._told_apart(state, end, used, held)
        yield strict

    def _told_apart(
        self, state: State, end: Layout, used: frozenset[Cell], held: list[tuple[int, int]]
    ) -> bool:
        """Whether the tiles can lie so that none of the old melds is whole in its new one.

        Tries all ways to say which of the twins is which.
        """
        if not held:
            return True
        if any(number not in state.open for _, number in held):
            return False
        faces = {f for _, number in held for f in self.table[number][1] if f != JOKER_INDEX}
        ways: list[list[dict[tuple[int, Face], int]]] = []
        for face in sorted(faces):
            homes = [
                place
                for place, (_, cells) in enumerate(end)
                for cell, other in enumerate(cells)
                if other == face and (place, cell) not in used
            ]
            owners = [(number, face) for number in state.open if face in self.table[number][1]]
            ways.append(
                [
                    dict(zip(owners, chosen, strict=True))
                    for chosen in set(permutations(homes, len(owners)))
                ]
            )
        for way in product(*ways):
            home = {owner: place for part in way for owner, place in part.items()}
            if not any(
                all(
                    home[number, face] == place
                    for face in self.table[number][1]
                    if face != JOKER_INDEX
                )
                for place, number in held
            ):
                return True
        return False

    def _holds(
        self,
        state: State,
        end: Layout,
        place: int,
        number: int,
        old: Plain,
        at: dict[Cell, Cell],
    ) -> tuple[bool, bool]:
        """Whether a meld of the end holds a whole old one by its faces, and for certain."""
        kind, faces = end[place]
        if kind is not old[0]:
            return False, False
        real = [face for face in old[1] if face != JOKER_INDEX]
        if not set(real) <= set(faces):
            return False, False
        jokers = [joker for joker in self.jokers if joker[0] == number]
        if any(joker in at and at[joker][0] != place for joker in jokers):
            return False, False
        gone = [joker for joker in jokers if joker not in at]
        there: set[Face] = set()
        if gone:
            there = set(self.roles[gone[0]][1]) if kind is Kind.SET else set()
            for joker in gone:
                there |= self.roles[joker][1]
            there &= set(faces)
            if len(there) < len(gone):
                return False, False
        everywhere = Counter(face for _, others in end for face in others)
        bound = number not in state.open
        twins = not bound and any(everywhere[face] > 1 for face in real)
        if gone:
            elsewhere = sum(everywhere[f] for j in gone[:1] for f in self.roles[j][1])
            elsewhere -= len(there & set(self.roles[gone[0]][1]))
            twins = twins or elsewhere > 0 or any(everywhere[f] > 1 for f in there)
        return True, not twins


def reached(
    situation: Situation, placed: Faces, ends: Sequence[Layout], rules: Rules
) -> list[tuple[bool, bool]]:
    """For each end table that places these own tiles, whether steps lead there."""
    table = situation.table
    if situation.opened:
        turn = Turn(table, placed, (), rules)
        return [turn.reaches(end) for end in ends]
    need = max(1, rules.opening_minimum)
    if not rules.opening_table_moves:
        answers = []
        for end in ends:
            new = Counter(end)
            new.subtract(table)
            yes = min(new.values()) >= 0 and need <= sum(
                value_of(meld) * count for meld, count in new.items()
            )
            answers.append((yes, yes))
        return answers
    turns = [
        Turn(table, _without(placed, laid) or (), laid, rules)
        for laid in parts(placed)
        if any(
            sum(map(value_of, layout)) >= need for layout in layouts(laid, rules.two_jokers_in_meld)
        )
    ]
    answers = []
    for end in ends:
        results = [turn.reaches(end) for turn in turns]
        answers.append((any(s for s, _ in results), any(lenient for _, lenient in results)))
    return answers


def parts(tiles: Faces) -> list[Faces]:
    """All parts of some tiles but the empty one, each once."""
    return sorted(
        {
            tuple(sorted(part))
            for size in range(1, len(tiles) + 1)
            for part in combinations(tiles, size)
        }
    )
