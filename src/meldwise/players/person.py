"""Players with the habits of people: what they look at, in which order, what they overlook.

A person looks first at the hand, then for places on the table, then takes melds apart: one
at a time, then a few together. What is harder to see is overlooked more often; a meld that
was not looked at is not used at all. What is overlooked in one turn may be seen in the next.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import Final

from meldwise.game.actions import AskRedeal, Play, RoundAction
from meldwise.game.events import Played
from meldwise.game.melds import LEAST_CELLS, Kind, Meld
from meldwise.game.opening import find_opening
from meldwise.game.position import Position, Table
from meldwise.game.tiles import JOKER, JOKER_INDEX, count_tiles
from meldwise.game.turn import compare_tables, judge
from meldwise.game.view import View
from meldwise.players.habits import Habits
from meldwise.players.hands import new_melds, one_joker_melds, take_melds
from meldwise.players.turns import idle, must_play, turn_of
from meldwise.solver import HIGHEST_VALUE, MOST_TILES, Objective, arrange, best_play

__all__ = ["PersonPlayer"]

_FEW_TILES: Final = 3
"""With so few tiles in another's hand the round may end at any turn."""

_KEEPING_JOKERS: Final = Objective(((2,) * JOKER_INDEX + (-3,),)).then(HIGHEST_VALUE)
"""Most tiles, but a joker has to bring two others."""

_PLAYING_JOKERS: Final = MOST_TILES.then(HIGHEST_VALUE)


class PersonPlayer:
    """A player with a person's habits; see the module.

    What it does follows from the seed and the view alone.

    Attributes:
        habits: what it looks at and sees.
        seconds: None, since it plays at once.
    """

    __slots__ = ("_seed", "habits")

    seconds: None = None

    def __init__(self, habits: Habits, seed: int = 0) -> None:
        self.habits = habits
        self._seed = seed

    def choose(self, view: View) -> RoundAction:
        """Chooses what to do; see :class:`~meldwise.players.base.Player`."""
        seat, state = turn_of(view)
        random = Random(f"{self._seed} {state.number} {state.turn} {seat} {len(view.hand)}")
        table = _Turn(view, self.habits, random).play()
        if table is None and must_play(view):
            # Somebody at the table points it out.
            play = best_play(view.position, view.rules).play
            table = None if play is None else play.table
        if table is not None:
            return Play(seat, table)
        if state.may_redeal and not new_melds(view.hand):
            return AskRedeal(seat)
        return idle(view)


@dataclass(frozen=True, slots=True)
class _Found:
    """What a thorough search came to: a table, or that there is nothing to play."""

    table: Table | None


class _Turn:
    """One turn: the table and the hand as they are rearranged, up to what is legal."""

    def __init__(self, view: View, habits: Habits, random: Random) -> None:
        self.view = view
        self.habits = habits
        self.random = random
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

    def sees(self, chance: float) -> bool:
        """Whether something is noticed."""
        return self.random.random() < chance

    def play(self) -> Table | None:
        """The table at the end of the turn; None to draw."""
        if not self.start.opened:
            if not self._open():
                return None
            self._note()
            if not self.rules.opening_table_moves:
                self.fixed = len(self.start.table)
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
            if not (self._holds_joker() and self.sees(self.habits.sees_joker_meld)):
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

    def _sees_meld(self, meld: Meld) -> bool:
        habits = self.habits
        return self.sees(habits.sees_run if meld.kind is Kind.RUN else habits.sees_set)

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
            if not self.sees(self.habits.sees_joker_meld):
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
                    if self.sees(self.habits.sees_addition):
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
        near = {place: self._nearness(self.table[place]) for place in self._places()}
        places = list(near)
        if size == 1:
            # A meld of three without a joker has nothing to give by itself.
            places = [
                place
                for place in near
                if near[place] > 0
                and (len(self.table[place].cells) > LEAST_CELLS or self.table[place].joker_cells)
            ]
        groups = [
            group for group in combinations(places, size) if any(near[place] for place in group)
        ]
        groups.sort(key=lambda group: -sum(near[place] for place in group))
        return iter(groups)

    def _nearness(self, meld: Meld) -> int:
        """How many tiles of the hand have to do with a meld: they fit in it or beside it."""
        count = 0
        for tile in self.hand:
            if tile.is_joker:
                count += 1
                continue
            for cell in meld.cells:
                if cell.is_joker or cell.number == tile.number:
                    count += 1
                    break
                if cell.colour is tile.colour and abs(cell.number - tile.number) <= 2:
                    count += 1
                    break
        return count

    def _rearrange(self, group: Sequence[int], chance: float) -> bool:
        """The best play of the hand with some melds of the table, if it is seen and legal."""
        melds = tuple(self.table[place] for place in group)
        part = Position(melds, tuple(self.hand), True)
        play = best_play(part, self.rules, self._objective).play
        if play is None or play.value[0] <= 0 or not self.sees(chance):
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
        table = play.table
        changed = len(compare_tables(self.start.table, table).gone)
        if changed > 1:
            found = arrange(self.start, self.rules, play.played)
            table = found.table
            changed = len(self.start.table) - len(found.kept)
        return _Found(table) if changed <= self.habits.reach else None
