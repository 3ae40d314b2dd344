"""The names of tiles and melds in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from meldwise.game.melds import Kind, Meld, Role
from meldwise.game.tiles import Colour, Tile
from meldwise.i18n.translate import N_, ngettext
from meldwise.i18n.translate import translate as _

__all__ = [
    "clean_text",
    "colour_name",
    "list_of",
    "meld_name",
    "role_name",
    "tile_name",
    "tiles_name",
]

_COLOURS: Final = {
    Colour.RED: N_("red"),
    Colour.YELLOW: N_("yellow"),
    Colour.BLACK: N_("black"),
    Colour.BLUE: N_("blue"),
}


def colour_name(colour: Colour) -> str:
    """The colour's name, such as ``red``."""
    return _(_COLOURS[colour])


def tile_name(tile: Tile) -> str:
    """The tile's name, such as ``red 7`` or ``joker``."""
    if tile.colour is None:
        return _("joker")
    return _("{colour} {number}").format(colour=colour_name(tile.colour), number=tile.number)


def clean_text(text: str) -> str:
    """Text from a file or a person on one line, with nothing that could steer a terminal."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def list_of(items: Sequence[str], *, either: bool = False) -> str:
    """Several things in a row: ``a, b and c``, or ``a, b or c``."""
    if len(items) < 2:
        return "".join(items)
    pattern = _("{first} or {last}") if either else _("{first} and {last}")
    return pattern.format(first=", ".join(items[:-1]), last=items[-1])


def tiles_name(tiles: Iterable[Tile], *, either: bool = False) -> str:
    """Tiles in a row: ``red 7, blue 7 and two jokers``, or with *or* between them."""
    counts = Counter(tiles)
    names: list[str] = []
    for tile, count in counts.items():
        if count == 2:
            names.append(_("{tile} (twice)").format(tile=tile_name(tile)))
        elif count > 2:
            names.append(_("{tile} ({count} times)").format(tile=tile_name(tile), count=count))
        else:
            names.append(tile_name(tile))
    return list_of(names, either=either)


def meld_name(meld: Meld) -> str:
    """The meld in words: ``red 4-5-joker``, ``7s red-black-blue``."""
    real = [tile for tile in meld.cells if not tile.is_joker]
    if not real:
        if not meld.cells:
            return _("an empty meld")
        return ngettext(
            "a meld of {count} joker only", "a meld of {count} jokers only", len(meld.cells)
        ).format(count=len(meld.cells))
    colours = {tile.colour for tile in real}
    if meld.kind is Kind.RUN and len(colours) == 1 and real[0].colour is not None:
        cells = [_("joker") if cell.is_joker else str(cell.number) for cell in meld.cells]
        return _("{colour} {numbers}").format(
            colour=colour_name(real[0].colour), numbers="-".join(cells)
        )
    if meld.kind is Kind.SET and len({tile.number for tile in real}) == 1:
        names = [
            _("joker") if cell.colour is None else colour_name(cell.colour) for cell in meld.cells
        ]
        return _("{number}s {colours}").format(number=real[0].number, colours="-".join(names))
    pattern = _("the run {tiles}") if meld.kind is Kind.RUN else _("the set {tiles}")
    return pattern.format(tiles=", ".join(map(tile_name, meld.cells)))


def role_name(role: Role) -> str:
    """What a joker stands for: ``red 5``, or ``black 7 or blue 7``."""
    return tiles_name(role.tiles, either=True)
