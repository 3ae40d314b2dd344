"""Of all tables for the same tiles played, the one that disturbs the table least."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

from meldwise.game.codes import Code
from meldwise.game.melds import Kind, Meld
from meldwise.game.position import Position, Table
from meldwise.game.rules import FreedJokerGoes, Rules
from meldwise.game.tiles import FACES, JOKER_INDEX, TILES, Tile, count_tiles
from meldwise.game.turn import judge
from meldwise.solver.best import NO_WEIGHTS, make_query, meld_of
from meldwise.solver.budget import Budget
from meldwise.solver.covers import covers
from meldwise.solver.errors import PositionError
from meldwise.solver.keeping import keep_most
from meldwise.solver.objective import MOST_TILES
from meldwise.solver.query import Query
from meldwise.solver.turn import Best, best_turn, branches

__all__ = ["Arrangement", "Source", "Step", "arrange"]

FEW_TRIES = 100
MOST_TRIES = 3_000
MOST_BRANCHES = 100
MOST_COVERS = 1_500


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
        proven: whether no table leaves more of them as they are.
        jokers_moved: how many of the table's jokers leave the place they had.
        tiles_moved: how many of the table's tiles leave the meld that they lay in.
        steps: how to come from the old table to the new one.
    """

    table: Table
    kept: tuple[int, ...]
    proven: bool
    jokers_moved: int
    tiles_moved: int
    steps: tuple[Step, ...]


def arrange(position: Position, rules: Rules, played: Sequence[Tile]) -> Arrangement:
    """The legal table for exactly these tiles played that disturbs the table least.

    Most melds stay as they are; then fewest jokers leave their place; then fewest tiles
    leave the meld that they lay in. The last two are sought among the arrangements of the
    melds that change, up to a limit on how many are looked at.

    >>> position = Position.parse("r5-6-7 r10-11-12 / r8 r4")
    >>> found = arrange(position, Rules(), (Tile.parse("r8"),))
    >>> [str(meld) for meld in found.table], [str(step) for step in found.steps]
    (['r10-11-12', 'r5-6-7-8'], ['r5-6-7-8: keep r5 r6 r7 from meld 1, r8 from hand'])

    Raises:
        PositionError: if it is no position of the rules' box, or no legal play places
            exactly these tiles.
    """
    query, _ = make_query(position, rules, MOST_TILES)
    counts = count_tiles(played)
    if not any(counts) or any(a > b for a, b in zip(counts, query.high, strict=True)):
        raise PositionError(Code.SOLVER_NOT_THESE_TILES, tiles=tuple(played))
    fixed = Query(rules, query.table, query.held, counts, counts, NO_WEIGHTS)
    plain = not position.opened and not rules.opening_table_moves
    first = best_turn(fixed, position.opened, Budget())
    if first.gain is None:
        raise PositionError(Code.SOLVER_NOT_THESE_TILES, tiles=tuple(played))
    if plain:
        everything = tuple(range(len(position.table)))
        return _describe(position, everything, _melds_of(first), True)
    kept, best, proven = most_kept(fixed, position.opened, first)
    rest = _least_moved(position, rules, kept, _melds_of(best))
    stay = [position.table[place] for place in kept]
    if not judge(position, (*stay, *rest), rules).legal:
        # Melds left out of the search can matter to a freed joker's new meld.
        kept, rest = _same(position.table, _melds_of(first))
        proven = False
    if query.held[JOKER_INDEX] and rules.freed_joker_goes is FreedJokerGoes.NEW_MELD:
        proven = proven and len(kept) == len(position.table)
    return _describe(position, kept, rest, proven)


def _same(old: Sequence[Meld], new: Sequence[Meld]) -> tuple[tuple[int, ...], list[Meld]]:
    """The places of the old melds that are among the new ones, and the other new ones."""
    rest = list(new)
    kept: list[int] = []
    for place, meld in enumerate(old):
        found = next((other for other in rest if other.key == meld.key), None)
        if found is not None:
            rest.remove(found)
            kept.append(place)
    return tuple(kept), rest


def most_kept(
    query: Query, opened: bool, first: Best, floor: int = -1
) -> tuple[tuple[int, ...], Best, bool]:
    """The most melds of the table that can stay as they are.

    Args:
        query: what is asked.
        opened: whether the player has opened before.
        first: a play for the query.
        floor: the plays that count are those that gain more.

    Returns:
        The indices of the melds that stay, a play for the rest, and whether more cannot.
    """
    tries = 0
    everything = range(len(query.table))

    def attempt(broken: Sequence[int]) -> Best | None:
        nonlocal tries
        tries += 1
        found = best_turn(_without(query, broken), opened, Budget(), floor, floor + 1)
        return found if found.gain is not None else None

    # Those that can stay in no table at all, whatever else changes.
    forced = [
        place
        for place in everything
        if attempt([other for other in everything if other != place]) is None
    ]
    others = [place for place in everything if place not in forced]
    # A maximal choice first: it tells how far the proof has to look.
    broken = list(everything)
    best = first
    for place in others:
        fewer = [other for other in broken if other != place]
        found = attempt(fewer)
        if found is not None:
            broken, best = fewer, found
    within = sum(comb(len(others), size) for size in range(len(broken) - len(forced)))
    if within > FEW_TRIES:
        kept, proven = _kept_by_search(query, len(everything) - len(broken))
        if kept is not None:
            fewer = [place for place in everything if place not in kept]
            found = attempt(fewer)
            if found is not None:
                return kept, found, proven and opened
            proven = False
        if proven and opened:
            return tuple(place for place in everything if place not in broken), best, True
    for size in range(len(broken) - len(forced)):
        for chosen in combinations(others, size):
            if tries > MOST_TRIES:
                kept = tuple(place for place in everything if place not in broken)
                return kept, best, False
            fewer = sorted((*forced, *chosen))
            found = attempt(fewer)
            if found is not None:
                kept = tuple(place for place in everything if place not in fewer)
                return kept, found, True
    return tuple(place for place in everything if place not in broken), best, True


def _kept_by_search(query: Query, floor: int) -> tuple[tuple[int, ...] | None, bool]:
    """The most melds that can stay, if more than ``floor``, and whether that is proven.

    Which melds with jokers stay is tried out; the others are left to a search, for which all
    that is played has to be fixed.
    """
    if list(query.low) != list(query.high):
        return None, False
    with_jokers = [place for place, meld in enumerate(query.table) if meld.joker_cells]
    best: tuple[int, ...] | None = None
    proven = True
    count = 0
    for size in range(len(with_jokers), -1, -1):
        for whole in combinations(with_jokers, size):
            left = [place for place in range(len(query.table)) if place not in whole]
            part = _without(query, left)
            movable = [
                (place, query.table[place]) for place in left if not query.table[place].joker_cells
            ]
            if size + len(movable) <= floor:
                continue
            for branch in branches(part):
                count += 1
                if count > MOST_BRANCHES:
                    return best, False
                made = branch.problem(part)
                if made is None:
                    continue
                kept, sure = keep_most(made[0], movable, floor - size)
                proven = proven and sure
                if kept is not None:
                    best = tuple(sorted((*whole, *kept)))
                    floor = len(best)
    return best, proven


def _without(query: Query, places: Sequence[int]) -> Query:
    """The query with only some of the table's melds; the others stay as they are."""
    table = [query.table[place] for place in places]
    held = count_tiles(tile for meld in table for tile in meld.cells)
    elsewhere = [a - b for a, b in zip(query.held, held, strict=True)]
    return Query(query.rules, table, held, query.low, query.high, query.weights, elsewhere)


def _melds_of(best: Best) -> list[Meld]:
    return [meld_of(meld[0], meld[3]) for meld in best.melds]


def _least_moved(
    position: Position, rules: Rules, kept: Sequence[int], rest: list[Meld]
) -> list[Meld]:
    """Another arrangement of the melds that change, if it moves less and is legal."""
    old = [(place, position.table[place]) for place in _changed(position, kept)]
    stay = [position.table[place] for place in kept]
    counts = count_tiles(tile for meld in rest for tile in meld.cells)
    best, score = rest, _moved(old, rest)
    for number, melds in enumerate(covers(counts, MOST_COVERS)):
        if number >= MOST_COVERS:
            break
        found = _moved(old, melds)
        if found < score and judge(position, (*stay, *melds), rules).legal:
            best, score = list(melds), found
    return best


def _changed(position: Position, kept: Sequence[int]) -> list[int]:
    return [place for place in range(len(position.table)) if place not in kept]


def _moved(old: Sequence[tuple[int, Meld]], new: Sequence[Meld]) -> tuple[int, int, int]:
    """Jokers moved, tiles moved, and melds laid anew, for the best match of old and new."""
    pairs = _matched(old, new)
    jokers = tiles = 0
    for place, meld in old:
        stays = pairs[place][1] if place in pairs else ()
        tiles += len(meld.cells) - len(stays)
        jokers += len(meld.joker_cells) - sum(tile.is_joker for tile in stays)
    return jokers, tiles, len(new) - len(pairs)


def _matched(
    old: Sequence[tuple[int, Meld]], new: Sequence[Meld]
) -> dict[int, tuple[int, tuple[Tile, ...]]]:
    """For each old meld the new one that takes its place, and the tiles that stay."""
    options = sorted(
        (
            (-sum(2 if tile.is_joker else 1 for tile in stays), place, index, stays)
            for place, before in old
            for index, after in enumerate(new)
            if (stays := _staying(before, after))
        ),
        key=lambda option: option[:3],
    )
    pairs: dict[int, tuple[int, tuple[Tile, ...]]] = {}
    taken: set[int] = set()
    for _, place, index, stays in options:
        if place not in pairs and index not in taken:
            pairs[place] = (index, stays)
            taken.add(index)
    return pairs


def _staying(before: Meld, after: Meld) -> tuple[Tile, ...]:
    """The tiles that need not move if one meld takes another's place."""
    if before.kind is not after.kind:
        return ()
    if before.kind is Kind.SET:
        left = count_tiles(after.cells)
        stays = []
        for tile in before.cells:
            if left[tile.index] and (not tile.is_joker or before.start == after.start):
                left[tile.index] -= 1
                stays.append(tile)
        return tuple(stays) if before.start == after.start else ()
    if before.colour is not after.colour:
        return ()
    return tuple(
        tile
        for cell, tile in enumerate(before.cells)
        if 0 <= (place := before.start + cell - after.start) < len(after.cells)
        and after.cells[place] == tile
    )


def _describe(
    position: Position, kept: Sequence[int], rest: Sequence[Meld], proven: bool
) -> Arrangement:
    old = [(place, position.table[place]) for place in _changed(position, kept)]
    jokers, tiles, _ = _moved(old, rest)
    steps = tuple(_steps(old, rest))
    table = (*[position.table[place] for place in kept], *[step.meld for step in steps])
    return Arrangement(table, tuple(kept), proven, jokers, tiles, steps)


def _steps(old: Sequence[tuple[int, Meld]], new: Sequence[Meld]) -> Iterator[Step]:
    """One step for each new meld; those that keep an old meld's place come first."""
    pairs = _matched(old, new)
    grows = {index: place for place, (index, _) in pairs.items()}
    loose: dict[int, list[int]] = {}
    for place, meld in old:
        loose[place] = count_tiles(meld.cells)
        for tile in pairs[place][1] if place in pairs else ():
            loose[place][tile.index] -= 1
    for index in sorted(range(len(new)), key=lambda index: (index not in grows, index)):
        meld = new[index]
        base = grows.get(index)
        stays = pairs[base][1] if base is not None else ()
        wanted = count_tiles(meld.cells)
        for tile in stays:
            wanted[tile.index] -= 1
        sources = [Source(base, stays)] if stays else []
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
