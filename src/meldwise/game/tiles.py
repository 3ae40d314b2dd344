"""Tiles and their text: ``r7`` is the red 7, ``*`` a joker (rules, section 1).

A tile is a *face*. The two or three copies of a face in a box are interchangeable, and so
are jokers, so nothing here tells one copy from another.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import Final, final

from meldwise.game.codes import Code
from meldwise.game.errors import NotationError

__all__ = [
    "FACES",
    "JOKER",
    "JOKER_INDEX",
    "NUMBERS",
    "TILES",
    "Colour",
    "Tile",
    "count_tiles",
    "format_tiles",
    "parse_tiles",
]

NUMBERS: Final = 13
"""The highest number; numbers go from 1."""

FACES: Final = 4 * NUMBERS
"""How many faces there are without the joker."""

JOKER_INDEX: Final = FACES
"""The index of the joker, after those of the 52 faces."""

_LETTERS: Final = "rykb"
_TILE_TEXT: Final = re.compile(r"(?:([rykb])\s*(1[0-3]|[1-9])|([*jJ]))", re.IGNORECASE)
_LONGEST_TEXT: Final = 200_000


class Colour(IntEnum):
    """The four colours, in the order in which text lists them."""

    RED = 0
    YELLOW = 1
    BLACK = 2
    BLUE = 3

    @property
    def letter(self) -> str:
        """The colour's letter in text: ``r``, ``y``, ``k`` (black) or ``b`` (blue)."""
        return _LETTERS[self]

    @classmethod
    def parse(cls, text: str) -> Colour:
        """Reads a colour's letter.

        Raises:
            NotationError: if it is none of ``r``, ``y``, ``k`` and ``b``.
        """
        place = _LETTERS.find(text.lower()) if len(text) == 1 else -1
        if place < 0:
            raise NotationError(Code.NOTATION_TILE, text=text)
        return cls(place)


@final
@dataclass(frozen=True, slots=True, order=True, repr=False)
class Tile:
    """One face of the box.

    Tiles order by colour (red, yellow, black, blue), then by number; the joker is last.

    >>> Tile.of(Colour.RED, 7)
    Tile.parse('r7')
    >>> Tile.parse("k13").number
    13

    Attributes:
        index: ``colour * 13 + number - 1`` for a numbered tile, 52 for the joker.
    """

    index: int

    def __post_init__(self) -> None:
        if not 0 <= self.index <= JOKER_INDEX:
            raise NotationError(Code.NOTATION_TILE, text=str(self.index))

    @classmethod
    def of(cls, colour: Colour, number: int) -> Tile:
        """The tile of a colour and a number from 1 to 13.

        Raises:
            NotationError: if there is no such number.
        """
        if not 1 <= number <= NUMBERS:
            raise NotationError(Code.NOTATION_TILE, text=f"{colour.letter}{number}")
        return TILES[colour * NUMBERS + number - 1]

    @classmethod
    def parse(cls, text: str) -> Tile:
        """Reads one tile; capitals, and ``j`` for the joker, are understood.

        Raises:
            NotationError: if the text is not exactly one tile.
        """
        match = _TILE_TEXT.fullmatch(text.strip())
        if match is None:
            raise NotationError(Code.NOTATION_TILE, text=text[:40])
        return _from_match(match)

    @property
    def is_joker(self) -> bool:
        """Whether this is the joker."""
        return self.index == JOKER_INDEX

    @property
    def number(self) -> int:
        """The number from 1 to 13; 0 for the joker."""
        return 0 if self.index == JOKER_INDEX else self.index % NUMBERS + 1

    @property
    def colour(self) -> Colour | None:
        """The colour; None for the joker."""
        return None if self.index == JOKER_INDEX else Colour(self.index // NUMBERS)

    def __str__(self) -> str:
        if self.index == JOKER_INDEX:
            return "*"
        return f"{_LETTERS[self.index // NUMBERS]}{self.index % NUMBERS + 1}"

    def __repr__(self) -> str:
        return f"Tile.parse({str(self)!r})"


TILES: Final[tuple[Tile, ...]] = tuple(Tile(index) for index in range(FACES + 1))
"""All faces by index; the last is the joker."""

JOKER: Final = TILES[JOKER_INDEX]
"""The joker."""


def _from_match(match: re.Match[str]) -> Tile:
    if match[3]:
        return JOKER
    return TILES[_LETTERS.index(match[1].lower()) * NUMBERS + int(match[2]) - 1]


def parse_tiles(text: str) -> tuple[Tile, ...]:
    """Reads tiles in the order given, apart by spaces, commas or nothing at all.

    A colour's letter may be followed by several numbers: ``r4 5 6`` and ``r4-5-6`` are
    three red tiles.

    >>> format_tiles(parse_tiles("r4 b13*, k1-2"))
    'r4 b13 * k1 k2'

    Raises:
        NotationError: with the column (from 1) of the first thing that is not a tile.
    """
    if len(text) > _LONGEST_TEXT:
        raise NotationError(Code.NOTATION_TILE, text=text[:40], column=_LONGEST_TEXT)
    tiles: list[Tile] = []
    place = 0
    colour: int | None = None
    while place < len(text):
        if text[place] in " \t\r\n,-":
            place += 1
            continue
        match = _TILE_TEXT.match(text, place)
        if match is None and colour is not None:
            bare = re.compile(r"1[0-3]|[1-9]").match(text, place)
            if bare is not None:
                tiles.append(TILES[colour * NUMBERS + int(bare[0]) - 1])
                place = bare.end()
                if place < len(text) and text[place].isdigit():
                    raise NotationError(Code.NOTATION_TILE, text=text, column=place + 1)
                continue
        if match is None or text[match.end() : match.end() + 1].isdigit():
            raise NotationError(Code.NOTATION_TILE, text=text, column=place + 1)
        tile = _from_match(match)
        tiles.append(tile)
        if not tile.is_joker:
            colour = tile.index // NUMBERS
        place = match.end()
    return tuple(tiles)


def format_tiles(tiles: Iterable[Tile]) -> str:
    """The text of tiles in their order, apart by spaces; empty for none."""
    return " ".join(map(str, tiles))


def count_tiles(tiles: Iterable[Tile]) -> list[int]:
    """How many of each face there are: 53 counts by index, the joker's last."""
    counts = [0] * (FACES + 1)
    for tile in tiles:
        counts[tile.index] += 1
    return counts
