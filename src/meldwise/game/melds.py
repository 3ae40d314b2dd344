"""Melds: runs and sets, the roles of their jokers, and all that can be wrong with them.

A meld is its kind and its ordered cells (rules, section 1). Any cells can be held, also
invalid ones, so that half-finished melds and refused proposals are values like others.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache
from typing import Final, final

from meldwise.game.codes import Code
from meldwise.game.errors import NotationError
from meldwise.game.problems import Problem
from meldwise.game.tiles import JOKER, NUMBERS, TILES, Colour, Tile, parse_tiles

__all__ = ["LEAST_CELLS", "MOST_SET_CELLS", "Kind", "Meld", "Role", "read_meld", "readings"]

LEAST_CELLS: Final = 3
MOST_SET_CELLS: Final = 4

_RUN_TEXT: Final = re.compile(r"[rykb](?:\*|[1-9][0-9]?)(?:-(?:\*|[1-9][0-9]?))*")
_SET_TEXT: Final = re.compile(r"([1-9][0-9]?)([rykb*]+)")
_EXPLICIT_TEXT: Final = re.compile(r"(run|set)\(([^()]*)\)")
_LONGEST_TEXT: Final = 2_000


class Kind(StrEnum):
    """The two kinds of meld."""

    RUN = "run"
    SET = "set"


@dataclass(frozen=True, slots=True)
class Role:
    """What a joker stands for (rules, section 1).

    Attributes:
        kind: the kind of its meld.
        number: the number it stands for.
        colours: the one colour of its run, or the colours that its set lacks, in order.
    """

    kind: Kind
    number: int
    colours: tuple[Colour, ...]

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """The tiles it may stand for: any of them replaces the joker."""
        return tuple(TILES[colour * NUMBERS + self.number - 1] for colour in self.colours)


@dataclass(frozen=True, slots=True)
class _Analysis:
    """All that follows from a meld's kind and cells, computed once for equal melds."""

    key: tuple[Kind, tuple[int, ...]]
    faults: tuple[Problem, ...]
    roles: tuple[Role | None, ...]
    joker_cells: tuple[int, ...]
    value: int
    start: int
    colour: Colour | None


@final
@dataclass(frozen=True, slots=True, repr=False)
class Meld:
    """A run or a set with its cells in order.

    >>> meld = Meld.parse("r4-*-6")
    >>> meld.value, meld.roles[1].tiles
    (15, (Tile.parse('r5'),))
    >>> Meld.parse("r12-13-*").problems[0].code
    <Code.MELD_ABOVE_THIRTEEN: 'meld.above_thirteen'>

    Attributes:
        kind: run or set, as declared by whoever laid it.
        cells: the tiles by position; in a set the order means nothing.
    """

    kind: Kind
    cells: tuple[Tile, ...]
    _analysis: _Analysis = field(init=False, compare=False)

    def __post_init__(self) -> None:
        indices = tuple([tile.index for tile in self.cells])
        object.__setattr__(self, "_analysis", _analyse(self.kind, indices))

    @classmethod
    def run(cls, tiles: Iterable[Tile]) -> Meld:
        """A run with these cells in this order."""
        return cls(Kind.RUN, tuple(tiles))

    @classmethod
    def set(cls, tiles: Iterable[Tile]) -> Meld:
        """A set with these cells in this order."""
        return cls(Kind.SET, tuple(tiles))

    @classmethod
    def parse(cls, text: str) -> Meld:
        """Reads a meld in the notation: ``r4-*-6``, ``7rb*``, ``run(r4,b5)``, ``set(*)``.

        The explicit form names what the short one cannot: mixed colours or numbers, jokers
        alone, nothing at all.

        Raises:
            NotationError: if the text is not a meld. A meld that breaks the rules is read.
        """
        plain = text.strip().lower().replace("j", "*")
        if len(plain) > _LONGEST_TEXT:
            raise NotationError(Code.NOTATION_MELD, text=text[:40])
        if match := _EXPLICIT_TEXT.fullmatch(plain):
            return cls(Kind(match[1]), parse_tiles(match[2]))
        try:
            if _RUN_TEXT.fullmatch(plain):
                return cls(Kind.RUN, _run_cells(plain))
            if match := _SET_TEXT.fullmatch(plain):
                number = int(match[1])
                cells = [
                    JOKER if letter == "*" else Tile.of(Colour.parse(letter), number)
                    for letter in match[2]
                ]
                if any(not cell.is_joker for cell in cells):
                    return cls(Kind.SET, tuple(cells))
        except NotationError as error:
            raise NotationError(Code.NOTATION_MELD, text=text) from error
        raise NotationError(Code.NOTATION_MELD, text=text)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Every way in which the meld is invalid by section 1; empty for a valid one."""
        return tuple(replace(fault, meld=self) for fault in self._analysis.faults)

    @property
    def is_valid(self) -> bool:
        """Whether nothing is wrong with it by section 1."""
        return not self._analysis.faults

    @property
    def roles(self) -> tuple[Role | None, ...]:
        """For each cell what its joker stands for; None for real tiles.

        In an invalid meld a joker without a meaning has None too.
        """
        return self._analysis.roles

    @property
    def joker_cells(self) -> tuple[int, ...]:
        """The indices of the cells that hold jokers."""
        return self._analysis.joker_cells

    @property
    def value(self) -> int:
        """The sum of its numbers, jokers counting as what they stand for; 0 if invalid."""
        return self._analysis.value

    @property
    def start(self) -> int:
        """The number of a run's first cell; the number of a set; 0 if there is none."""
        return self._analysis.start

    @property
    def colour(self) -> Colour | None:
        """The colour of a run; None for a set or where there is none."""
        return self._analysis.colour

    @property
    def key(self) -> tuple[Kind, tuple[int, ...]]:
        """Equal for melds that differ at most in the order of a set's tiles."""
        return self._analysis.key

    def with_tile(self, tile: Tile) -> Meld | None:
        """This valid meld with a tile added at an end, or to the set; None if it fits nowhere.

        A joker goes to the upper end of a run if there is room.

        >>> str(Meld.parse("r4-5-6").with_tile(Tile.parse("r7")))
        'r4-5-6-7'
        """
        facts = self._analysis
        if facts.faults:
            return None
        if self.kind is Kind.SET:
            if len(self.cells) < MOST_SET_CELLS and (
                tile.is_joker or (tile.number == facts.start and tile not in self.cells)
            ):
                return Meld(Kind.SET, (*self.cells, tile))
            return None
        following = facts.start + len(self.cells)
        if not tile.is_joker and tile.index // NUMBERS != facts.colour:
            return None
        if following <= NUMBERS and (tile.is_joker or tile.number == following):
            return Meld(Kind.RUN, (*self.cells, tile))
        if facts.start > 1 and (tile.is_joker or tile.number == facts.start - 1):
            return Meld(Kind.RUN, (tile, *self.cells))
        return None

    def __str__(self) -> str:
        return _format(self.kind, self.cells)

    def __repr__(self) -> str:
        return f"Meld.parse({str(self)!r})"

    def __reduce__(self) -> tuple[object, ...]:
        return (Meld, (self.kind, self.cells))


def readings(tiles: Iterable[Tile]) -> tuple[Meld, ...]:
    """Every valid meld of exactly these tiles, whatever their order (rules, section 3).

    Runs come first, lowest first; a set's jokers come after its real tiles.

    >>> readings(parse_tiles("r6 * r5"))
    (Meld.parse('r*-5-6'), Meld.parse('r5-6-*'))
    >>> readings(parse_tiles("r7 * *"))[-1]
    Meld.parse('7r**')
    """
    held = tuple(tiles)
    real = sorted(tile for tile in held if not tile.is_joker)
    jokers = len(held) - len(real)
    if not real or not LEAST_CELLS <= len(held) <= NUMBERS:
        return ()
    found: list[Meld] = []
    length = len(held)
    colour = real[0].colour
    by_number = {tile.number: tile for tile in real}
    if colour is not None and len(by_number) == len(real):
        for start in range(1, NUMBERS - length + 2):
            cells = [by_number.get(number, JOKER) for number in range(start, start + length)]
            if sum(cell.is_joker for cell in cells) == jokers:
                found.append(Meld(Kind.RUN, tuple(cells)))
    found.append(Meld(Kind.SET, (*real, *[JOKER] * jokers)))
    return tuple(meld for meld in found if meld.is_valid)


def read_meld(text: str) -> Meld:
    """Reads what a person types: the notation, or bare tiles in any order.

    Bare tiles are put in order, and a set is told from a run, where only one reading exists.
    A meld in the notation is taken as it is, also if it breaks the rules.

    >>> read_meld("r6 r4 r5")
    Meld.parse('r4-5-6')

    Raises:
        NotationError: if it is neither, if the tiles form no valid meld, or if they form
            several, which the field ``readings`` lists.
    """
    try:
        return Meld.parse(text)
    except NotationError:
        tiles = parse_tiles(text)
    found = readings(tiles)
    if len(found) == 1:
        return found[0]
    if found:
        raise NotationError(Code.NOTATION_AMBIGUOUS, text=text, readings=found)
    raise NotationError(Code.NOTATION_NO_READING, text=text, tiles=tiles)


def _run_cells(text: str) -> tuple[Tile, ...]:
    colour = Colour.parse(text[0])
    return tuple(
        JOKER if part == "*" else Tile.of(colour, int(part)) for part in text[1:].split("-")
    )


def _format(kind: Kind, cells: tuple[Tile, ...]) -> str:
    real = [tile for tile in cells if not tile.is_joker]
    if real and kind is Kind.RUN and len({tile.colour for tile in real}) == 1:
        letter = str(real[0])[0]
        return letter + "-".join("*" if cell.is_joker else str(cell.number) for cell in cells)
    if real and kind is Kind.SET and len({tile.number for tile in real}) == 1:
        return f"{real[0].number}" + "".join(str(cell)[0] for cell in cells)
    return f"{kind}({','.join(map(str, cells))})"


@lru_cache(maxsize=1 << 16)
def _analyse(kind: Kind, indices: tuple[int, ...]) -> _Analysis:
    cells = tuple([TILES[index] for index in indices])
    places = [place for place, cell in enumerate(cells) if not cell.is_joker]
    jokers = tuple([place for place, cell in enumerate(cells) if cell.is_joker])
    faults: list[Problem] = []
    if not cells:
        faults.append(Problem(code=Code.MELD_EMPTY, have=0, need=LEAST_CELLS))
    elif len(cells) < LEAST_CELLS:
        faults.append(Problem(code=Code.MELD_TOO_SHORT, have=len(cells), need=LEAST_CELLS))
    if cells and not places:
        faults.append(Problem(code=Code.MELD_NO_REAL_TILE))
    roles: list[Role | None] = [None] * len(cells)
    value = start = 0
    colour: Colour | None = None
    key: tuple[Kind, tuple[int, ...]] = (kind, indices)
    if kind is Kind.RUN:
        if places:
            colour = Colour(_most_common([indices[place] // NUMBERS for place in places]))
            start = _most_common([cells[place].number - place for place in places])
            faults += _run_faults(cells, colour, start)
            for place in jokers:
                if 1 <= start + place <= NUMBERS:
                    roles[place] = Role(kind, start + place, (colour,))
            value = sum(range(start, start + len(cells)))
    else:
        key = (kind, tuple(sorted(indices)))
        if places:
            start = _most_common([cells[place].number for place in places])
            faults += _set_faults(cells, start)
            held = {indices[place] // NUMBERS for place in places}
            lacking = tuple(other for other in Colour if other not in held)
            for place in jokers:
                if lacking:
                    roles[place] = Role(kind, start, lacking)
            value = start * len(cells)
    if faults:
        value = 0
    return _Analysis(key, tuple(faults), tuple(roles), jokers, value, start, colour)


def _run_faults(cells: tuple[Tile, ...], colour: Colour, start: int) -> Iterable[Problem]:
    for place, cell in enumerate(cells):
        number = start + place
        fits = 1 <= number <= NUMBERS
        wanted = (Tile.of(colour, number),) if fits else ()
        code: Code | None = None
        if number < 1:
            code = Code.MELD_BELOW_ONE
        elif number > NUMBERS:
            code = Code.MELD_ABOVE_THIRTEEN
        elif not cell.is_joker and cell.number != number:
            code = Code.MELD_NOT_CONSECUTIVE
        if code is not None:
            yield Problem(code=code, cell=place, tiles=(cell,), wanted=wanted)
        if not cell.is_joker and cell.colour is not colour:
            yield Problem(code=Code.MELD_MIXED_COLOURS, cell=place, tiles=(cell,), wanted=wanted)


def _set_faults(cells: tuple[Tile, ...], number: int) -> Iterable[Problem]:
    held = {cell.colour for cell in cells if cell.number == number}
    wanted = tuple(Tile.of(colour, number) for colour in Colour if colour not in held)
    seen: set[Colour | None] = set()
    for place, cell in enumerate(cells):
        if cell.is_joker:
            continue
        if cell.number != number:
            yield Problem(code=Code.MELD_MIXED_NUMBERS, cell=place, tiles=(cell,), wanted=wanted)
        elif cell.colour in seen:
            yield Problem(code=Code.MELD_DUPLICATE_COLOUR, cell=place, tiles=(cell,), wanted=wanted)
        seen.add(cell.colour)
    if len(cells) > MOST_SET_CELLS:
        yield Problem(code=Code.MELD_TOO_LONG, have=len(cells), need=MOST_SET_CELLS)


def _most_common(values: list[int]) -> int:
    """The value that stands most often; of several the one that stands first."""
    return Counter(values).most_common(1)[0][0]
