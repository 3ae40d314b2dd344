"""The moves of tiles within a turn: each gives the drafts that it can mean.

A move with one outcome is done; with several, whoever asked for it chooses, since a joker's
meaning is never guessed; with none it raises :class:`MoveError` with the reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import product

from meldwise.cli.draft import Draft, Row
from meldwise.cli.reasons import described, why_no_fit, why_no_meld
from meldwise.game.codes import Code
from meldwise.game.melds import LEAST_CELLS, Kind, Meld, readings
from meldwise.game.problems import Problem
from meldwise.game.rules import ReplacementFrom, Rules
from meldwise.game.tiles import JOKER, NUMBERS, Tile
from meldwise.i18n import explain_problem, list_of, meld_name, role_name, tiles_name

__all__ = [
    "MoveError",
    "Outcome",
    "add",
    "join",
    "lay",
    "lay_melds",
    "move",
    "propose",
    "rebuild",
    "split",
    "swap",
    "take",
]


class MoveError(Exception):
    """A move that cannot be made, with the reason as a sentence; the draft is unchanged."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a move can mean.

    Attributes:
        draft: the table after it.
        text: what was done, or would be, in words.
    """

    draft: Draft
    text: str


def lay(draft: Draft, tiles: Sequence[Tile]) -> list[Outcome]:
    """Lays a new meld of tiles in any order; one or two tiles are a beginning of one."""
    _ask_tiles(draft, tiles)
    melds = list(readings(tiles)) if len(tiles) >= LEAST_CELLS else _beginnings(tiles)
    melds = [meld for meld in melds if not _meld_problems(meld, draft.rules)] or melds
    if not melds:
        raise MoveError(why_no_meld(tiles))
    return _finish(draft, [({}, [meld], f"Laid {described(meld)}.") for meld in melds])


def lay_melds(draft: Draft, melds: Sequence[Meld]) -> list[Outcome]:
    """Lays new melds as they are written.

    One that is no meld as written, but is in another order, is laid in that order.
    """
    outcomes = [Outcome(draft, "")]
    for meld in melds:
        outcomes = _then(outcomes, lambda d, meld=meld: _lay_written(d, meld))  # type: ignore[misc]
    return outcomes


def _lay_written(draft: Draft, meld: Meld) -> list[Outcome]:
    _ask_tiles(draft, meld.cells)
    if not meld.is_valid and readings(meld.cells):
        return lay(draft, meld.cells)
    _ask_valid([meld], draft.rules)
    return _finish(draft, [({}, [meld], f"Laid {described(meld)}.")])


def add(draft: Draft, tiles: Sequence[Tile], number: int) -> list[Outcome]:
    """Adds tiles to a meld: at its ends, by splitting a run, or in a joker's place."""
    row = _row(draft, number)
    _ask_touch(draft, row)
    _ask_tiles(draft, tiles)
    meld = row.meld
    added = f"Added {tiles_name(tiles)} to meld {number}"
    options: list[tuple[dict[int, list[Meld]], list[Meld], str]] = [
        ({number: [longer]}, [], f"{added}: {described(longer)}.")
        for longer in _extensions(meld, tiles)
    ]
    if not options and len(tiles) == 1:
        if parts := _parted(meld, tiles[0]):
            words = list_of([str(part) for part in parts])
            options = [({number: parts}, [], f"Split meld {number} into {words}.")]
        for freed in _swapped(meld, tiles[0]):
            text = f"{tiles_name(tiles)} replaces the joker of meld {number}, which is loose now"
            options.append(({number: [freed]}, [], f"{text[0].upper()}{text[1:]}: {freed}."))
    if meld.joker_cells and not _extensions(meld, tiles):
        options += [
            ({number: [other]}, [], f"{added}, moving its joker: {described(other)}.")
            for other in readings((*meld.cells, *tiles))
        ]
    if not options:
        raise MoveError(why_no_fit(row, tiles))
    return _cautioned(_finish(draft, options), tiles)


def take(draft: Draft, tiles: Sequence[Tile], number: int) -> list[Outcome]:
    """Takes tiles out of a meld; without tiles, all of it.

    Own ones go back to the hand; tiles of the table are loose then. A run that loses a tile
    from its middle falls into two.
    """
    row = _row(draft, number)
    _ask_touch(draft, row)
    if not tiles:
        return _finish(draft, [({number: []}, [], f"Took meld {number} apart.")])
    cells = row.meld.cells
    lacking = Counter(tiles) - Counter(cells)
    if lacking:
        raise MoveError(
            f"Meld {number}, {meld_name(row.meld)}, has no {tiles_name(lacking.elements())}."
        )
    choices: list[list[int]] = [
        [place for place, cell in enumerate(cells) if cell == tile] for tile in tiles
    ]
    options: list[tuple[dict[int, list[Meld]], list[Meld], str]] = []
    mind = ""
    if draft.rules.closed_joker_melds and draft.is_original(row) and row.meld.joker_cells:
        mind = " Mind: a meld that keeps its joker has to stay whole."
    for places in product(*choices):
        if len(set(places)) == len(places):
            parts = _without_cells(row.meld, set(places))
            text = f"Took {tiles_name(tiles)} from meld {number}"
            left = f", leaving {list_of([described(part) for part in parts])}" if parts else ""
            options.append(({number: parts}, [], f"{text}{left}.{mind}"))
    return _finish(draft, options)


def move(draft: Draft, tiles: Sequence[Tile], source: int, target: int | None) -> list[Outcome]:
    """Moves tiles from one meld to another, or into a new one if the target is None."""
    if target is not None:
        _row(draft, target)
        if target == source:
            raise MoveError("A tile is moved to another meld, not to its own.")
    moved = list(tiles) or list(_row(draft, source).meld.cells)
    taken = take(draft, tiles, source)
    if target is None:
        return _then(taken, lambda after: lay(after, moved))
    if not tiles:
        return join(draft, target, source)
    return _then(taken, lambda after: add(after, moved, target))


def split(draft: Draft, number: int, tile: Tile) -> list[Outcome]:
    """Splits a run in two; the second begins with a tile."""
    row = _row(draft, number)
    _ask_touch(draft, row)
    if row.meld.kind is not Kind.RUN:
        raise MoveError(f"Meld {number} is a set: take tiles out of it with “take” instead.")
    cells = row.meld.cells
    places = [place for place, cell in enumerate(cells) if cell == tile]
    if not places:
        raise MoveError(f"Meld {number}, {meld_name(row.meld)}, has no {tiles_name([tile])}.")
    options = []
    for place in places:
        if place:
            parts = _runs(cells[:place], cells[place:])
            words = list_of([str(part) for part in parts])
            options.append(({number: parts}, list[Meld](), f"Split meld {number} into {words}."))
    if not options:
        raise MoveError(
            f"{tiles_name([tile]).capitalize()} is the first tile of meld {number} already: "
            "name the tile that the second part is to begin with."
        )
    return _finish(draft, options)


def swap(draft: Draft, tiles: Sequence[Tile], number: int) -> list[Outcome]:
    """Replaces a joker by a tile that it stands for; further tiles are added to the set."""
    row = _row(draft, number)
    _ask_touch(draft, row)
    _ask_tiles(draft, tiles)
    if not row.meld.joker_cells:
        raise MoveError(f"Meld {number}, {meld_name(row.meld)}, has no joker.")
    if not tiles:
        raise MoveError("Name the tile that replaces the joker, such as: swap r5 3")
    first, *more = tiles
    options: list[tuple[dict[int, list[Meld]], list[Meld], str]] = []
    for meld in _swapped(row.meld, first):
        full = Meld(meld.kind, (*meld.cells, *more)) if more else meld
        text = f"Replaced the joker of meld {number}: {described(full)}. The joker is loose."
        options.append(({number: [full]}, [], text))
    if not options:
        roles = [role_name(role) for role in row.meld.roles if role is not None]
        raise MoveError(
            f"The joker of meld {number} stands for {list_of(roles)}, not for "
            f"{tiles_name([first])}."
        )
    if more and row.meld.kind is Kind.RUN:
        raise MoveError("One tile replaces a joker of a run: swap one at a time.")
    return _cautioned(_finish(draft, options), [first])


def join(draft: Draft, first: int, second: int) -> list[Outcome]:
    """Makes one meld of two."""
    if first == second:
        raise MoveError("A meld is joined to another one, not to itself.")
    one, other = _row(draft, first), _row(draft, second)
    for row in (one, other):
        _ask_touch(draft, row)
    joined: list[Meld] = []
    if one.meld.kind is other.meld.kind:
        for left, right in ((one.meld, other.meld), (other.meld, one.meld)):
            meld = Meld(left.kind, left.cells + right.cells)
            if meld.is_valid and all(meld.key != found.key for found in joined):
                joined.append(meld)
    joined = joined or list(readings(one.meld.cells + other.meld.cells))
    if not joined:
        raise MoveError(
            f"{meld_name(one.meld)[0].upper()}{meld_name(one.meld)[1:]} and "
            f"{meld_name(other.meld)} make no meld together."
        )
    return _finish(
        draft,
        [
            (
                {first: [meld], second: []},
                [],
                f"Joined melds {first} and {second}: {described(meld)}.",
            )
            for meld in joined
        ],
    )


def rebuild(draft: Draft, new: Sequence[Meld], old: Sequence[Meld | int]) -> list[Outcome]:
    """Makes new melds from old ones and tiles of the hand, as records write a play."""
    numbers: list[int] = []
    for item in old:
        if isinstance(item, int):
            number = _row(draft, item).number
        else:
            found = [
                row.number
                for row in draft.rows
                if row.meld.key == item.key and row.number not in numbers
            ]
            if not found:
                raise MoveError(f"There is no {meld_name(item)} on the table.")
            number = found[0]
        if number in numbers:
            raise MoveError(f"Meld {number} is named twice.")
        _ask_touch(draft, _row(draft, number))
        numbers.append(number)
    _ask_valid(new, draft.rules)
    changes: dict[int, list[Meld]] = {number: [] for number in numbers}
    more = list(new)
    for number in sorted(numbers):
        if more:
            changes[number] = [more.pop(0)]
    text = f"Made {list_of([described(meld) for meld in new])}."
    return _finish(draft, [(changes, more, text)])


def propose(draft: Draft, table: Sequence[Meld]) -> list[Outcome]:
    """Takes a whole table as it is to lie at the end; melds that stay keep their numbers."""
    _ask_valid(table, draft.rules)
    left = list(table)
    changes: dict[int, list[Meld]] = {}
    for row in draft.rows:
        stays = next((meld for meld in left if meld.key == row.meld.key), None)
        if stays is None:
            changes[row.number] = []
        else:
            left.remove(stays)
    if not draft.position.opened and not draft.rules.opening_table_moves:
        for row in draft.rows:
            if row.number in changes:
                _ask_touch(draft, row)
    return _finish(draft, [(changes, left, "Took over the whole table.")])


# --- what a move needs ----------------------------------------------------------------


def _row(draft: Draft, number: int) -> Row:
    row = draft.row(number)
    if row is None:
        if not draft.rows:
            raise MoveError("There is no meld on the table yet.")
        numbers = ", ".join(str(row.number) for row in draft.rows)
        raise MoveError(f"There is no meld {number}; the melds on the table are {numbers}.")
    return row


def _ask_touch(draft: Draft, row: Row) -> None:
    """Melds of the table are out of reach before the opening."""
    own = row.number > len(draft.position.table)
    if not own and not draft.position.opened and not draft.rules.opening_table_moves:
        raise MoveError(
            explain_problem(Problem(code=Code.TURN_TABLE_BEFORE_OPENING, meld=row.meld))
        )


def _ask_tiles(draft: Draft, tiles: Iterable[Tile]) -> None:
    lacking = Counter(tiles) - draft.hand - draft.loose
    if not lacking:
        return
    for tile in lacking:
        for row in draft.rows:
            if tile in row.meld.cells:
                raise MoveError(
                    f"You do not hold {tiles_name(lacking.elements())}. "
                    f"It lies in meld {row.number}: “take {tile} {row.number}” frees it."
                )
    raise MoveError(f"You do not hold {tiles_name(lacking.elements())}.")


def _meld_problems(meld: Meld, rules: Rules) -> list[Problem]:
    problems = list(meld.problems)
    jokers = len(meld.joker_cells)
    if jokers > 1 and not rules.two_jokers_in_meld:
        problems.append(Problem(code=Code.MELD_TWO_JOKERS, meld=meld, have=jokers, need=1))
    return problems


def _ask_valid(melds: Iterable[Meld], rules: Rules) -> None:
    problems = [problem for meld in melds for problem in _meld_problems(meld, rules)]
    if problems:
        raise MoveError(" ".join(map(explain_problem, problems)))


def _finish(
    draft: Draft, options: Iterable[tuple[dict[int, list[Meld]], list[Meld], str]]
) -> list[Outcome]:
    """The outcomes of the options that differ; the tiles of each must be at hand."""
    outcomes: list[Outcome] = []
    seen: list[Counter[object]] = []
    for changes, new, text in options:
        after = draft.with_melds(changes, new)
        missing = after.played - Counter(draft.position.hand)
        if missing:
            raise MoveError(f"You do not hold {tiles_name(missing.elements())}.")
        melds: Counter[object] = Counter(meld.key for meld in after.table)
        if melds not in seen:
            seen.append(melds)
            outcomes.append(Outcome(after, text))
    return outcomes


def _cautioned(outcomes: list[Outcome], tiles: Sequence[Tile]) -> list[Outcome]:
    """Says early that a joker freed by a tile of the table will not be allowed."""
    found: list[Outcome] = []
    for outcome in outcomes:
        draft, text = outcome.draft, outcome.text
        freed = draft.loose[JOKER] > 0
        from_hand = draft.rules.replacement_from is ReplacementFrom.HAND
        if freed and from_hand and not any(draft.played[tile] for tile in tiles):
            text += " Mind: by these rules the tile for a joker has to come from the hand."
        found.append(Outcome(draft, text))
    return found


def _then(outcomes: list[Outcome], move: Callable[[Draft], list[Outcome]]) -> list[Outcome]:
    """A second move after each outcome of a first; those in which it fails fall away."""
    found: list[Outcome] = []
    problem: MoveError | None = None
    for outcome in outcomes:
        try:
            after = move(outcome.draft)
        except MoveError as error:
            problem = error
            continue
        found += [Outcome(o.draft, f"{outcome.text} {o.text}".strip()) for o in after]
    if not found and problem is not None:
        raise problem
    return found


# --- where tiles fit ------------------------------------------------------------------


def _extensions(meld: Meld, tiles: Sequence[Tile]) -> list[Meld]:
    """The longer melds in which every tile of a meld keeps its place."""
    found: list[Meld] = []
    short = len(meld.cells) < LEAST_CELLS
    whole = meld.is_valid or [p.code for p in meld.problems] == [Code.MELD_TOO_SHORT]
    if whole and meld.kind is Kind.RUN:
        found += _longer_runs(meld, tiles)
    elif whole:
        longer = Meld(Kind.SET, (*meld.cells, *tiles))
        if _is_beginning(longer):
            found.append(longer)
    if short or not whole:
        cells = (*meld.cells, *tiles)
        found += readings(cells) if len(cells) >= LEAST_CELLS else _beginnings(cells)
    unique: dict[object, Meld] = {}
    for longer in found:
        unique.setdefault(longer.key, longer)
    return list(unique.values())


def _longer_runs(meld: Meld, tiles: Sequence[Tile]) -> list[Meld]:
    colour, start = meld.colour, meld.start
    real = {tile.number: tile for tile in tiles if not tile.is_joker}
    jokers = sum(tile.is_joker for tile in tiles)
    if len(real) + jokers != len(tiles) or any(tile.colour != colour for tile in real.values()):
        return []
    found: list[Meld] = []
    end = start + len(meld.cells)
    for below in range(len(tiles) + 1):
        numbers = [*range(start - below, start), *range(end, end + len(tiles) - below)]
        if numbers and not 1 <= min(numbers) <= max(numbers) <= NUMBERS:
            continue
        cells = [real.get(number, JOKER) for number in numbers]
        if sum(cell.is_joker for cell in cells) == jokers:
            found.append(Meld(Kind.RUN, (*cells[:below], *meld.cells, *cells[below:])))
    return found


def _is_beginning(meld: Meld) -> bool:
    """Whether a meld is valid, or lacks nothing but tiles."""
    return {problem.code for problem in meld.problems} <= {Code.MELD_TOO_SHORT}


def _beginnings(tiles: Sequence[Tile]) -> list[Meld]:
    """The ways in which one or two tiles can lie as the beginning of a meld."""
    if not tiles or any(tile.is_joker for tile in tiles):
        return []
    options = (Meld(Kind.RUN, tuple(sorted(tiles))), Meld(Kind.SET, tuple(tiles)))
    return [meld for meld in options if _is_beginning(meld)][:1]


def _parted(meld: Meld, tile: Tile) -> list[Meld]:
    """The two runs that a second copy of a tile of a run makes of it; empty if they fall short."""
    if meld.kind is not Kind.RUN or not meld.is_valid or tile.colour != meld.colour:
        return []
    place = tile.number - meld.start
    if not 0 <= place < len(meld.cells):
        return []
    left = Meld(Kind.RUN, (*meld.cells[:place], tile))
    right = Meld(Kind.RUN, meld.cells[place:])
    if meld.cells[place].is_joker or not (left.is_valid and right.is_valid):
        left = Meld(Kind.RUN, meld.cells[: place + 1])
        right = Meld(Kind.RUN, (tile, *meld.cells[place + 1 :]))
    return [left, right] if left.is_valid and right.is_valid else []


def _swapped(meld: Meld, tile: Tile) -> list[Meld]:
    """The meld with a joker that stands for a tile replaced by it; one for each such joker."""
    found: dict[object, Meld] = {}
    for place, role in enumerate(meld.roles):
        if role is not None and tile in role.tiles:
            swapped = Meld(meld.kind, (*meld.cells[:place], tile, *meld.cells[place + 1 :]))
            found.setdefault(swapped.key, swapped)
    return list(found.values())


def _without_cells(meld: Meld, places: set[int]) -> list[Meld]:
    if meld.kind is Kind.SET:
        rest = [cell for place, cell in enumerate(meld.cells) if place not in places]
        return [Meld(Kind.SET, tuple(rest))] if any(not c.is_joker for c in rest) else []
    parts: list[list[Tile]] = [[]]
    for place, cell in enumerate(meld.cells):
        if place in places:
            parts.append([])
        else:
            parts[-1].append(cell)
    return _runs(*parts)


def _runs(*parts: Sequence[Tile]) -> list[Meld]:
    """Runs of the parts that hold a real tile; jokers alone are left over."""
    return [Meld(Kind.RUN, tuple(part)) for part in parts if any(not c.is_joker for c in part)]
