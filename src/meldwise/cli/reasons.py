"""Melds described in a line, and why tiles do not make or join one."""

from __future__ import annotations

from collections.abc import Sequence

from meldwise.cli.draft import Row
from meldwise.game.codes import Code
from meldwise.game.melds import LEAST_CELLS, Kind, Meld
from meldwise.game.problems import Problem
from meldwise.game.tiles import JOKER, NUMBERS, Tile
from meldwise.i18n import explain_problem, list_of, meld_name, role_name, tiles_name

__all__ = ["described", "why_no_fit", "why_no_meld"]


def described(meld: Meld) -> str:
    """The meld in the notation, and what its jokers stand for."""
    roles = [role_name(role) for role in meld.roles if role is not None]
    if not roles:
        return str(meld)
    noun = "the joker stands" if len(roles) == 1 else "the jokers stand"
    if meld.kind is Kind.SET:
        return f"{meld} ({noun} for {roles[0]})"
    return f"{meld} ({noun} for {list_of(roles)})"


def why_no_meld(tiles: Sequence[Tile]) -> str:
    """Why tiles make no meld in any order."""
    real = [tile for tile in tiles if not tile.is_joker]
    if tiles and not real:
        return explain_problem(
            Problem(code=Code.MELD_NO_REAL_TILE, meld=Meld(Kind.SET, tuple(tiles)))
        )
    if len(tiles) < LEAST_CELLS:
        return f"{tiles_name(tiles).capitalize()}: no meld begins like this; it takes three tiles."
    run = Meld(Kind.RUN, tuple(sorted(tiles, key=lambda t: (t.is_joker, t.number))))
    set_ = Meld(Kind.SET, tuple(tiles))
    best = min((run, set_), key=lambda meld: len(meld.problems))
    return explain_problem(best.problems[0]) if best.problems else "This is no meld."


def why_no_fit(row: Row, tiles: Sequence[Tile]) -> str:
    """Why a meld does not take some tiles, and what it would take."""
    meld = row.meld
    name = meld_name(meld)
    start = f"Meld {row.number}, {name}, does not take {tiles_name(tiles)}"
    if not meld.is_valid:
        return f"{start}."
    if len(tiles) == 1 and meld.kind is Kind.RUN and tiles[0] in meld.cells:
        return f"{start}: splitting it there would leave a meld of fewer than three tiles."
    fits = [
        Tile.of(meld.colour, number)
        for number in (meld.start - 1, meld.start + len(meld.cells))
        if meld.colour is not None and 1 <= number <= NUMBERS
    ]
    if meld.kind is Kind.SET:
        lacking = Meld(Kind.SET, (*meld.cells, JOKER))
        fits = list(lacking.roles[-1].tiles) if lacking.is_valid and lacking.roles[-1] else []
    if not fits:
        return f"{start}: it is full."
    return f"{start}; it takes {tiles_name(fits, either=True)}."
