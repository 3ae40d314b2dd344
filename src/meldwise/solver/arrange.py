"""Of all tables for the same tiles played, the one that disturbs the table least."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from meldwise.game.codes import Code
from meldwise.game.melds import Meld
from meldwise.game.position import Position, Table
from meldwise.game.rules import Rules
from meldwise.game.tiles import FACES, TILES, Tile, count_tiles
from meldwise.solver.best import NO_WEIGHTS, make_query
from meldwise.solver.budget import Budget
from meldwise.solver.disturbing import least_disturbed, melds_of
from meldwise.solver.errors import PositionError
from meldwise.solver.moved import staying, take_places
from meldwise.solver.objective import MOST_TILES
from meldwise.solver.query import Query
from meldwise.solver.turn import best_turn

__all__ = ["Arrangement", "Source", "Step", "arrange"]

MOST_NODES = 200_000
"""How many states the search for an arrangement looks into if nothing else is said."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where the tiles of a new meld come from.

    Attributes:
        place: the index of a meld of the old table; None for the hand.
        tiles: the tiles that come from there.
    """

    place: int | None
    tiles: tuple[Tile, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """One meld of the new table that was not there before, and how it comes about.

    Attributes:
        meld: the new meld.
        grows: the index of the old meld whose place it takes; None for a meld laid anew.
        sources: where its tiles come from, those that stay in their place first.
    """

    meld: Meld
    grows: int | None
    sources: tuple[Source, ...]

    def __str__(self) -> str:
        parts = []
        for source in self.sources:
            where = "hand" if source.place is None else f"meld {source.place + 1}"
            stays = "keep " if source.place is not None and source.place == self.grows else ""
            parts.append(f"{stays}{' '.join(map(str, source.tiles))} from {where}")
        return f"{self.meld}: {', '.join(parts)}"


@dataclass(frozen=True, slots=True)
class Arrangement:
    """A table for given tiles played.

    Attributes:
        table: the melds: the unchanged ones in their order, then those of the steps.
        kept: the indices of the old melds that stay as they are.
        proven: whether no table disturbs less, in all three numbers in their order.
        jokers_moved: how many of the table's jokers move.
        tiles_moved: how many of the table's tiles move, jokers among them.
        steps: how to come from the old table to the new one.
    """

    table: Table
    kept: tuple[int, ...]
    proven: bool
    jokers_moved: int
    tiles_moved: int
    steps: tuple[Step, ...]


def arrange(
    position: Position, rules: Rules, played: Sequence[Tile], *, nodes: int = MOST_NODES
) -> Arrangement:
    """The legal table for exactly these tiles played that disturbs the table least.

    Most melds stay as they are; then fewest jokers move; then fewest tiles. Each new meld
    takes the place of at most one old one; a tile stays if the meld that takes its old
    meld's place has it too: in a run at the same number, in a set of the same number. All
    others move (see :mod:`meldwise.solver.moved`).

    >>> position = Position.parse("r5-6-7 r10-11-12 / r8 r4")
    >>> found = arrange(position, Rules(), (Tile.parse("r8"),))
    >>> [str(meld) for meld in found.table], [str(step) for step in found.steps]
    (['r10-11-12', 'r5-6-7-8'], ['r5-6-7-8: keep r5 r6 r7 from meld 1, r8 from hand'])

    Args:
        position: the table, the hand, and whether the player has opened.
        rules: the rules of the table.
        played: the tiles to be played from the hand.
        nodes: how many states of the search may be looked into; 0 for any number.

    Raises:
        PositionError: if it is no position of the rules' box, or no legal play places
            exactly these tiles.
        ObjectiveError: on a negative number of states.
    """
    budget = Budget(nodes)
    query, _ = make_query(position, rules, MOST_TILES)
    counts = _counted(played)
    if not any(counts) or any(a > b for a, b in zip(counts, query.high, strict=True)):
        raise PositionError(Code.SOLVER_NOT_THESE_TILES, tiles=tuple(played))
    fixed = Query(rules, query.table, query.held, counts, counts, NO_WEIGHTS)
    first = best_turn(fixed, position.opened, Budget())
    if first.gain is None:
        raise PositionError(Code.SOLVER_NOT_THESE_TILES, tiles=tuple(played))
    melds = melds_of(first.melds)
    if not position.opened and not rules.opening_table_moves:
        return _describe(position, (*position.table, *melds), True)
    melds, proven = least_disturbed(position, fixed, melds, budget)
    return _describe(position, melds, proven)


def _counted(played: Sequence[Tile]) -> list[int]:
    try:
        return count_tiles(played)
    except (AttributeError, TypeError) as error:
        raise PositionError(Code.SOLVER_NOT_A_POSITION, value=repr(played)[:80]) from error


def _describe(position: Position, melds: Sequence[Meld], proven: bool) -> Arrangement:
    old = position.table
    _, places = take_places(old, melds)
    kept = tuple(p for p in sorted(places) if old[p].key == melds[places[p]].key)
    taken = {places[place] for place in kept}
    changed = [index for index in range(len(melds)) if index not in taken]
    stays = {place: staying(old[place], melds[index]) for place, index in places.items()}
    tiles = sum(len(meld.cells) - len(stays.get(p, ())) for p, meld in enumerate(old))
    jokers = sum(
        len(meld.joker_cells) - sum(tile.is_joker for tile in stays.get(place, ()))
        for place, meld in enumerate(old)
    )
    steps = tuple(
        _steps(
            [(place, meld) for place, meld in enumerate(old) if place not in kept],
            [(index, melds[index]) for index in changed],
            {index: place for place, index in places.items()},
        )
    )
    table = (*[old[place] for place in kept], *[step.meld for step in steps])
    return Arrangement(table, kept, proven, jokers, tiles, steps)


def _steps(
    old: Sequence[tuple[int, Meld]], new: Sequence[tuple[int, Meld]], grows: Mapping[int, int]
) -> Iterator[Step]:
    """One step for each new meld; those that take an old meld's place come first."""
    stays = {
        grows[index]: staying(dict(old)[grows[index]], meld)
        for index, meld in new
        if index in grows
    }
    loose: dict[int, list[int]] = {}
    for place, meld in old:
        loose[place] = count_tiles(meld.cells)
        for tile in stays.get(place, ()):
            loose[place][tile.index] -= 1
    for index, meld in sorted(
        new, key=lambda item: (item[0] not in grows, grows.get(item[0], item[0]))
    ):
        base = grows.get(index)
        staying_here = stays[base] if base is not None else ()
        wanted = count_tiles(meld.cells)
        for tile in staying_here:
            wanted[tile.index] -= 1
        sources = [Source(base, staying_here)] if base is not None else []
        for place, _ in old:
            taken = _take(wanted, loose[place])
            if taken:
                sources.append(Source(place, taken))
        from_hand = _take(wanted, [FACES] * (FACES + 1))
        if from_hand:
            sources.append(Source(None, from_hand))
        yield Step(meld, base, tuple(sources))


def _take(wanted: list[int], there: list[int]) -> tuple[Tile, ...]:
    """Moves what is wanted and there; tells what."""
    taken: list[Tile] = []
    for index in range(FACES + 1):
        count = min(wanted[index], there[index])
        wanted[index] -= count
        there[index] -= count
        taken += [TILES[index]] * count
    return tuple(taken)
