"""What could be done at a move: plays that differ in what they leave, and none."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from meldwise.game.position import Position, Table
from meldwise.game.rules import JokerPickup, Rules
from meldwise.game.tiles import JOKER, Tile
from meldwise.solver import HIGHEST_VALUE, MOST_TILES, Objective, Play, best_play

__all__ = ["Candidate", "Search", "find_candidates"]

_KEEP: Final = -100_000
"""The weight of a tile that is to stay in hand."""

_TRIES: Final = 24
"""How many random weights are tried at most; many lead to the same plays."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A possible move.

    Attributes:
        table: the table at its end; None to draw or to pass.
        played: the tiles from the hand.
    """

    table: Table | None
    played: tuple[Tile, ...] = ()


@dataclass(frozen=True, slots=True)
class Search:
    """What the look for candidates may spend.

    Attributes:
        clock: gives the time in seconds; None where no time is kept.
        seconds: the time for the whole choice; None for any.
        more: whether to look for further candidates.
    """

    clock: Callable[[], float] | None
    seconds: float | None
    more: Callable[[], bool]

    def best(self, position: Position, rules: Rules, objective: Objective) -> Play | None:
        """The best play that is found in half of the time at most."""
        if self.seconds is None:
            return best_play(position, rules, objective).play
        seconds = self.seconds / 2
        return best_play(position, rules, objective, seconds=seconds, clock=self.clock).play


def find_candidates(
    position: Position,
    rules: Rules,
    most: int,
    random: Random,
    search: Search,
    forced: bool,
    keep: bool,
) -> list[Candidate]:
    """Plays that are worth a try, the most tiles first; empty if there is none.

    If the whole hand can be played, that is the only one.

    Args:
        position: the table and the hand.
        rules: the rules of the table.
        most: how many to find at most.
        random: for the weights of the tiles.
        search: what may be spent.
        forced: whether a play has to be found if there is one, at any expense.
        keep: whether to look mostly for plays that leave jokers in the hand.
    """
    first = search.best(position, rules, MOST_TILES)
    if first is None and forced:
        first = best_play(position, rules).play
    if first is None:
        return []
    found = {_key(first, rules): Candidate(first.table, first.played)}
    if len(first.played) < len(position.hand):
        hand = sorted(set(position.hand))
        for objective in _objectives(hand, first.played, random, keep and JOKER in hand):
            if len(found) >= most or not search.more():
                break
            play = search.best(position, rules, objective)
            if play is not None:
                found.setdefault(_key(play, rules), Candidate(play.table, play.played))
    return list(found.values())


def _key(play: Play, rules: Rules) -> object:
    """What tells plays apart: the tiles, and where jokers lie unless they can be moved."""
    if rules.joker_pickup is JokerPickup.ALWAYS:
        return play.played
    return play.played, frozenset(str(meld) for meld in play.table if meld.joker_cells)


def _objectives(
    hand: Sequence[Tile], played: Sequence[Tile], random: Random, keep: bool
) -> Iterator[Objective]:
    """Ways to choose among plays, those that are most often of use first."""
    held = {JOKER: _KEEP} if keep else {}
    if JOKER in hand:
        yield Objective.weighing({JOKER: _KEEP}, default=2)
    yield HIGHEST_VALUE
    # The smallest play: it also opens with no more than is asked for.
    yield Objective.weighing(held, default=-1)
    # The most tiles without one of those that would be played.
    for tile in sorted(set(played), key=lambda _: random.random()):
        yield Objective.weighing({**held, tile: _KEEP}, default=2)
    for number in range(_TRIES):
        shift = random.choice((-60, -20, 20))
        weights = {tile: random.randint(-100, 100) + shift for tile in hand}
        if number % 4:
            weights.update(held)
        yield Objective.weighing(weights)
