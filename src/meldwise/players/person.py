"""Players with the habits of people: what they look at, in which order, what they overlook.

A person looks first at the hand, then for places on the table, then takes melds apart: one
at a time, then a few together. What is harder to see is overlooked more often; a meld that
was not looked at is not used at all. Who overlooks a thing overlooks it in the next turn too,
until the tiles lie differently. Nobody is equally attentive in every round: a person has
some habits in the rounds that have its attention and others in the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import combinations
from typing import Final

from meldwise.game.actions import AskRedeal, RoundAction
from meldwise.game.actions import Play as PlayAction
from meldwise.game.events import Played
from meldwise.game.melds import LEAST_CELLS, Kind, Meld
from meldwise.game.opening import find_opening
from meldwise.game.position import Position, Table
from meldwise.game.tiles import JOKER, JOKER_INDEX, NUMBERS, count_tiles
from meldwise.game.turn import compare_tables, judge
from meldwise.game.view import View
from meldwise.players.habits import Habits, Person
from meldwise.players.hands import new_melds, one_joker_melds, take_melds
from meldwise.players.turns import idle, must_play, turn_of
from meldwise.solver import Objective, Play, best_play

__all__ = ["PersonPlayer"]

_FEW_TILES: Final = 3
"""With so few tiles in another's hand the round may end at any turn."""


def _most_tiles(joker: int) -> Objective:
    """Most tiles, then the highest value, in one sum, which is quicker than in two."""
    faces = [1_000 + index % NUMBERS + 1 for index in range(JOKER_INDEX)]
    return Objective(((*faces, joker),))


_KEEPING_JOKERS: Final = _most_tiles(-1_500)
"""A joker has to bring two other tiles."""

_PLAYING_JOKERS: Final = _most_tiles(1_030)


class PersonPlayer:
    """A player with a person's habits; see the module.

    What it does follows from the seed and the view alone.

    Attributes:
        person: what it looks at and sees.
        seconds: None, since it plays at once.
    """

    __slots__ = ("_seed", "person")

    seconds: None = None

    def __init__(self, person: Person, seed: int = 0) -> None:
        self.person = person
        self._seed = seed

    def habits(self, number: int, seat: int) -> Habits:
        """The habits in a round of the match, by its number from 1."""
        person = self.person
        attentive = _happens(person.attention, f"{self._seed} {number} {seat} attention")
        return person.attentive if attentive else person.absent

    def choose(self, view: View) -> RoundAction:
        """Chooses what to do; see :class:`~meldwise.players.base.Player`."""
        seat, state = turn_of(view)
        eyes = f"{self._seed} {state.number} {seat}"
        table = _Turn(view, self.habits(state.number, seat), eyes).play()
        if table is None and must_play(view):
            # Somebody at the table points it out.
            play = best_play(view.position, view.rules).play
            table = None if play is None else play.table
        if table is not None:
            return PlayAction(seat, table)
        if state.may_redeal and not new_melds(view.hand):
            return AskRedeal(seat)
        return idle(view)


def _happens(chance: float, text: str) -> bool:
    """Whether something of a chance from 0 to 1 happens; the text decides, like dice."""
    drawn = int.from_bytes(blake2b(text.encode(), digest_size=4).digest(), "big")
    return drawn < chance * (1 << 32)


@dataclass(frozen=True, slots=True)
class _Found:
    """What a thorough search came to: a table, or that there is nothing to play."""

    table: Table | None


class _Turn:
    """One turn: the table and the hand as they are rearranged, up to what is legal."""

    def __init__(self, view: View, habits: Habits, eyes: str) -> None:
        self.view = view
        self.habits = habits
        self.eyes = eyes
        self.rules = view.rules
        self.start = view.position
        self.hand = list(view.hand)
        self.table = list(self.start.table)
        self.fixed = 0
        self.legal: Table | None = None
        others = [player.tiles for seat, player in enumerate(view.players) if seat != view.seat]
        stock = view.round.stock if view.round is not None else 0
        self.hurry = not stock or min(others) <= _FEW_TILES
        self.keeps_jokers = not self.hurry and len(self.hand) > habits.keeps_jokers

    def sees(self, chance: float, *what: object) -> bool:
        """Whether something is noticed.

        Who overlooks a thing overlooks it again, as long as it is the same thing.
        """
        if 0 < chance < 1:
            return _happens(chance, " ".join([self.eyes, *map(str, what)]))
        return chance > 0

    def play(self) -> Table | None:
        """The table at the end of the turn; None to draw."""
        if not self.start.opened:
            if not self._open():
                return None
            self._note()
            if not self.rules.opening_table_moves:
                self.fixed = len(self.start.table)
        elif best_play(self.start, self.rules).play is None:
            # Nobody could find anything, so nobody needs to look.
            return None
        elif self.habits.reach:
            found = self._search_whole()
            if found is not None:
                return found.table
        self._lay_from_hand()
        self._add_tiles()
        self._lay_with_joker()
        if not self.fixed or self.start.opened:
            self._take_apart()
        self._add_jokers()
        self._note()
        return self.legal

    def _note(self) -> None:
        """Keeps the table as it is now, if the turn may end with it."""
        if (
            len(self.hand) < len(self.start.hand)
            and judge(self.start, self.table, self.rules).legal
        ):
            self.legal = tuple(self.table)

    # --- from the hand ----------------------------------------------------------------

    def _open(self) -> bool:
        """Lays an opening, if one is seen."""
        need = max(1, self.rules.opening_minimum)
        seen = [meld for meld in new_melds(self.hand) if self._sees_meld(meld)]
        seen.sort(key=lambda meld: -meld.value)
        melds = seen[: self.habits.opening_melds]
        if sum(meld.value for meld in melds) < need:
            if not (self._holds_joker() and self._sees_use_of_joker()):
                return False
            counts = count_tiles(self.hand)
            melds = list(find_opening(counts, need, self.rules.two_jokers_in_meld))
            if len(melds) > self.habits.opening_melds:
                return False
            if sum(meld.value for meld in melds) < need:
                return False
        take_melds(self.hand, melds)
        self.table += melds
        return True

    def _holds_joker(self) -> bool:
        return JOKER in self.hand

    def _sees_use_of_joker(self) -> bool:
        return self.sees(self.habits.sees_joker_meld, *self.hand)

    def _sees_meld(self, meld: Meld) -> bool:
        habits = self.habits
        return self.sees(habits.sees_run if meld.kind is Kind.RUN else habits.sees_set, meld)

    def _lay_from_hand(self) -> None:
        """New melds of own tiles, the dearest first."""
        melds = [meld for meld in new_melds(self.hand) if self._sees_meld(meld)]
        melds.sort(key=lambda meld: -meld.value)
        melds = melds[: self.habits.new_melds]
        take_melds(self.hand, melds)
        self.table += melds

    def _lay_with_joker(self) -> None:
        """A new meld of two own tiles and a joker."""
        while self._holds_joker() and (not self.keeps_jokers or len(self.hand) == 3):
            if not self._sees_use_of_joker():
                return
            melds = one_joker_melds(count_tiles(self.hand))
            best = max(melds, key=lambda meld: meld.value, default=None)
            if best is None:
                return
            take_melds(self.hand, [best])
            self.table.append(best)

    # --- places on the table ----------------------------------------------------------

    def _places(self) -> list[int]:
        """The melds that are looked at: own new ones, those that changed last, then others."""
        changed: dict[object, int] = {}
        history = self.view.round.history if self.view.round is not None else ()
        for event in reversed(history):
            if isinstance(event, Played):
                for meld in event.after:
                    changed.setdefault(meld.key, len(changed))
            if len(changed) >= self.habits.melds_in_sight:
                break
        free = range(self.fixed, len(self.table))
        order = sorted(free, key=lambda place: changed.get(self.table[place].key, 1_000 - place))
        new = [place for place in order if place >= len(self.start.table)]
        rest = [place for place in order if place < len(self.start.table)]
        return [*new, *rest][: self.habits.melds_in_sight + len(new)]

    def _add_tiles(self) -> None:
        """Adds tiles to runs and sets, as long as places are seen."""
        overlooked: set[int] = set()
        added = True
        while added:
            added = False
            places = self._places()
            for tile in [tile for tile in self.hand if not tile.is_joker]:
                if tile.index in overlooked:
                    continue
                for place in places:
                    longer = self.table[place].with_tile(tile)
                    if longer is None:
                        continue
                    if self.sees(self.habits.sees_addition, tile, longer):
                        self.table[place] = longer
                        self.hand.remove(tile)
                        added = True
                    else:
                        overlooked.add(tile.index)
                    break

    def _add_jokers(self) -> None:
        """Gets rid of jokers, when the round may soon be over or nothing else is left."""
        if not self.hurry and not all(tile.is_joker for tile in self.hand):
            return
        for joker in [tile for tile in self.hand if tile.is_joker]:
            for place in self._places():
                if self.table[place].joker_cells and not self.rules.two_jokers_in_meld:
                    continue
                longer = self.table[place].with_tile(joker)
                if longer is not None:
                    self.table[place] = longer
                    self.hand.remove(joker)
                    break

    # --- taking melds apart -----------------------------------------------------------

    def _take_apart(self) -> None:
        """Plays that take melds apart: one meld at a time, then a few together."""
        self._note()
        if self.habits.sees_taking:
            self._try_groups(1, self.habits.melds_in_sight, self.habits.sees_taking)
        if self.habits.groups:
            for size in range(2, self.habits.group + 1):
                self._try_groups(size, self.habits.groups, self.habits.sees_group)

    def _try_groups(self, size: int, most: int, chance: float) -> None:
        tried = 0
        again = True
        while again and self.hand:
            again = False
            for group in self._groups(size):
                tried += 1
                if tried > most:
                    return
                if self._rearrange(group, chance):
                    again = True
                    break

    def _groups(self, size: int) -> Iterator[tuple[int, ...]]:
        """Groups of melds with something to gain, those near the hand's tiles first."""
        near = self._nearness()
        places = self._places()
        worth = {
            place: sum([near[cell.index] for cell in self.table[place].cells]) for place in places
        }
        if size == 1:
            # A meld of three without a joker has nothing to give by itself.
            places = [
                place
                for place in places
                if worth[place] > 0
                and (len(self.table[place].cells) > LEAST_CELLS or self.table[place].joker_cells)
            ]
        groups = [
            (-sum([worth[place] for place in group]), group) for group in combinations(places, size)
        ]
        groups.sort()
        return (group for value, group in groups if value < 0)

    def _nearness(self) -> list[int]:
        """For each tile how many of the hand have to do with it: they could share a meld."""
        near = [0] * (JOKER_INDEX + 1)
        for tile in self.hand:
            index = tile.index
            if index == JOKER_INDEX:
                near = [count + 1 for count in near]
                continue
            near[JOKER_INDEX] += 1
            number = index % NUMBERS
            for other in range(number, JOKER_INDEX, NUMBERS):
                near[other] += 1
            for step in (-2, -1, 1, 2):
                if 0 <= number + step < NUMBERS:
                    near[index + step] += 1
        return near

    def _rearrange(self, group: Sequence[int], chance: float) -> bool:
        """The best play of the hand with some melds of the table, if it is seen and legal."""
        melds = tuple(self.table[place] for place in group)
        part = Position(melds, tuple(self.hand), True)
        play = best_play(part, self.rules, self._objective).play
        if play is None or play.value[0] <= 0 or not self.sees(chance, *melds, *play.played):
            return False
        rest = [meld for place, meld in enumerate(self.table) if place not in group]
        table = [*rest, *play.table]
        if not judge(self.start, table, self.rules).legal:
            return False
        self.table = table
        for tile in play.played:
            self.hand.remove(tile)
        self.legal = tuple(table)
        return True

    @property
    def _objective(self) -> Objective:
        return _KEEPING_JOKERS if self.keeps_jokers else _PLAYING_JOKERS

    def _search_whole(self) -> _Found | None:
        """The best play with all the table, if it changes no more melds than can be overseen.

        None means that it is worth while to look for a smaller one.
        """
        play = best_play(self.start, self.rules, self._objective).play
        if play is None or play.value[0] <= 0:
            return _Found(None)
        table = self._with_few_changes(play)
        changed = len(compare_tables(self.start.table, table).gone)
        return _Found(table) if changed <= self.habits.reach else None

    def _with_few_changes(self, whole: Play) -> Table:
        """A table for a play of the same worth that leaves as many melds alone as is easy.

        Melds are left out one by one, those first that have least to do with the hand, as
        long as the others are enough.
        """
        near = self._nearness()
        melds = self.start.table
        needed = sorted(
            range(len(melds)), key=lambda place: sum([near[c.index] for c in melds[place].cells])
        )
        best = whole.table
        for place in tuple(needed):
            fewer = [other for other in needed if other != place]
            part = Position(tuple(melds[other] for other in fewer), self.start.hand, True)
            play = best_play(part, self.rules, self._objective).play
            if play is None or play.value < whole.value:
                continue
            alone = [meld for other, meld in enumerate(melds) if other not in fewer]
            table = (*alone, *play.table)
            if judge(self.start, table, self.rules).legal:
                needed, best = fewer, table
        return best
