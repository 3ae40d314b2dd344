"""Drawing a game as lines of text: tiles, melds, the hand and who plays.

Colours are never the only sign: each tile has its letter too, and its shape where the
terminal can show one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from meldwise.cli.draft import Draft, Row
from meldwise.game.melds import Meld, Role
from meldwise.game.tiles import Colour, Tile

__all__ = ["Piece", "Style", "flow", "hand_pieces", "meld_pieces", "table_lines", "wrap"]

_SHAPES: Final = {Colour.RED: "◆", Colour.YELLOW: "●", Colour.BLACK: "■", Colour.BLUE: "▲"}
_JOKER_SHAPE: Final = "★"
_DEEP: Final = {Colour.RED: 160, Colour.YELLOW: 130, Colour.BLACK: 16, Colour.BLUE: 20}
_JOKER_DEEP: Final = 90
_SIMPLE: Final = {Colour.RED: 31, Colour.YELLOW: 33, Colour.BLACK: 30, Colour.BLUE: 34}
_JOKER_SIMPLE: Final = 35


@dataclass(frozen=True, slots=True)
class Piece:
    """A bit of a line that is never broken.

    Attributes:
        plain: what can be read; its length is its width.
        shown: the same with the terminal's codes for colours.
    """

    plain: str
    shown: str = ""

    def __str__(self) -> str:
        return self.shown or self.plain


@dataclass(frozen=True, slots=True)
class Style:
    """What a terminal can show.

    Attributes:
        colours: how many colours: 0, 8 or 256.
        shapes: whether it can show the shapes of the colours.
    """

    colours: int = 0
    shapes: bool = False

    def bold(self, text: str) -> Piece:
        """The text in bold, where there are colours."""
        return Piece(text, f"\033[1m{text}\033[0m") if self.colours else Piece(text)

    def dim(self, text: str) -> Piece:
        """The text less bright, where there are colours."""
        return Piece(text, f"\033[2m{text}\033[0m") if self.colours else Piece(text)

    def tile(
        self, tile: Tile, *, role: Role | None = None, fresh: str = "", ring: bool = False
    ) -> Piece:
        """A tile as a small chip.

        Args:
            tile: the tile.
            role: for a joker, what it stands for.
            fresh: a sign in front of a tile that was just played.
            ring: whether it stands in brackets, being just drawn.
        """
        text = str(tile)
        if self.shapes:
            text = (_JOKER_SHAPE if tile.colour is None else _SHAPES[tile.colour]) + text
        if role is not None:
            text += "=" + "/".join(str(option) for option in role.tiles)
        if ring:
            text = f"[{text}]"
        text = fresh + text
        if not self.colours:
            return Piece(text)
        if self.colours < 256:
            ink = _JOKER_SIMPLE if tile.colour is None else _SIMPLE[tile.colour]
            codes = f"{ink};47"
        else:
            deep = _JOKER_DEEP if tile.colour is None else _DEEP[tile.colour]
            codes = f"38;5;{deep};48;5;230"
        weight = "1;4" if fresh or ring else "1"
        return Piece(text, f"\033[{weight};{codes}m{text}\033[0m")


def flow(
    pieces: Iterable[Piece], width: int, *, indent: int = 0, first: int | None = None, gap: int = 1
) -> list[str]:
    """Lines of pieces, broken between them.

    Args:
        pieces: what to show, in order.
        width: how wide a line may be.
        indent: spaces in front of the second line and further ones.
        first: how much of the first line is taken; the indent if None.
        gap: spaces between pieces.
    """
    lines: list[str] = []
    line, used = " " * (indent if first is None else 0), indent if first is None else first
    empty = True
    for piece in pieces:
        if not empty and used + gap + len(piece.plain) > width:
            lines.append(line)
            line, used, empty = " " * indent, indent, True
        if not empty:
            line, used = line + " " * gap, used + gap
        line, used, empty = line + str(piece), used + len(piece.plain), False
    lines.append(line)
    return lines


def wrap(text: str, width: int, indent: int = 0) -> list[str]:
    """A text in lines of a width, at least one; the second and further ones are indented."""
    most = width - indent
    words = [word[at : at + most] for word in text.split() for at in range(0, len(word), most)]
    return flow([Piece(word) for word in words], width, indent=indent, first=0)


def meld_pieces(
    meld: Meld, style: Style, fresh: Collection[int] = (), sign: str = ""
) -> list[Piece]:
    """The tiles of a meld; those in the cells ``fresh`` carry a sign."""
    return [
        style.tile(cell, role=meld.roles[place], fresh=sign if place in fresh else "")
        for place, cell in enumerate(meld.cells)
    ]


def table_lines(
    draft: Draft,
    style: Style,
    width: int,
    last: Collection[int] = (),
    last_tiles: Sequence[Tile] = (),
) -> list[str]:
    """The melds with their numbers, in two columns where there is room.

    Args:
        draft: what lies on the table.
        style: what the terminal can show.
        width: how wide it is.
        last: the numbers of the melds that others have just made or changed.
        last_tiles: the tiles that they played there.
    """
    own = draft.fresh_cells()
    left = Counter(last_tiles)
    blocks: list[tuple[int, list[Piece]]] = []
    for row in draft.rows:
        sign = "+"
        cells: Collection[int] = own.get(row.number, frozenset())
        if row.number in last and draft.is_original(row):
            cells = _cells_of(row, left)
            sign = "'"
        if len(cells) == len(row.meld.cells):
            cells = ()  # The number of a wholly new meld says it.
        pieces = [_label(row, draft, style, row.number in last)]
        pieces += meld_pieces(row.meld, style, cells, sign)
        if not row.meld.is_valid:
            note = "too short" if len(row.meld.cells) < 3 else "no meld yet"
            pieces.append(Piece(f"({note})"))
        blocks.append((sum(len(p.plain) + 1 for p in pieces) - 1, pieces))
    half = (width - 2) // 2
    lines: list[str] = []
    open_line: tuple[str, int] | None = None
    for size, pieces in blocks:
        if size <= half and width >= 60:
            text = " ".join(map(str, pieces))
            if open_line is None:
                open_line = (text, size)
            else:
                lines.append(open_line[0] + " " * (half + 2 - open_line[1]) + text)
                open_line = None
            continue
        if open_line is not None:
            lines.append(open_line[0])
            open_line = None
        lines += flow(pieces, width, indent=len(pieces[0].plain) + 1, first=0)
    if open_line is not None:
        lines.append(open_line[0])
    return lines


def _label(row: Row, draft: Draft, style: Style, last: bool) -> Piece:
    if not row.meld.is_valid:
        mark = "!"
    elif not draft.is_original(row):
        mark = "+"
    elif last:
        mark = "»" if style.shapes else ">"
    else:
        mark = " "
    text = f"{mark}{row.number:>2}"
    return style.bold(text) if mark != " " else Piece(text)


def _cells_of(row: Row, left: Counter[Tile]) -> set[int]:
    cells: set[int] = set()
    for place, tile in enumerate(row.meld.cells):
        if left[tile]:
            left[tile] -= 1
            cells.add(place)
    return cells


def hand_pieces(hand: Sequence[Tile], style: Style, drawn: Sequence[Tile] = ()) -> list[Piece]:
    """The tiles of a hand in their order; the drawn ones stand in brackets."""
    left = Counter(drawn)
    pieces: list[Piece] = []
    for tile in hand:
        ring = left[tile] > 0
        left[tile] -= ring
        pieces.append(style.tile(tile, ring=ring))
    return pieces
