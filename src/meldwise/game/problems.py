"""What is wrong with a meld or an end of turn, as data and not as a sentence."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from meldwise.game.codes import Code
from meldwise.game.tiles import Tile

if TYPE_CHECKING:
    from meldwise.game.melds import Meld

__all__ = ["Problem"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing that is wrong, where it is, and what would mend it.

    Attributes:
        code: the rule that is broken.
        meld: the meld that the problem lies in, where it lies in one.
        place: the index of that meld in the proposed table, or in the table at the start of
            the turn for codes that speak of a meld of that table (``joker.*`` and
            ``turn.table_before_opening``).
        cell: the index of the tile in the meld.
        tiles: the tiles that are wrong, missing or in the way.
        wanted: tiles any one of which, in that cell or placed this turn, would mend it.
        have: what there is of something counted (tiles, points).
        need: how much of it there should be: the least for ``too_short`` and
            ``opening_below_minimum``, the most for ``too_long`` and ``two_jokers``.
    """

    code: Code
    meld: Meld | None = None
    place: int | None = None
    cell: int | None = None
    tiles: tuple[Tile, ...] = ()
    wanted: tuple[Tile, ...] = ()
    have: int | None = None
    need: int | None = None

    def at(self, place: int) -> Problem:
        """The same problem with the index of its meld filled in."""
        return replace(self, place=place)

    def as_dict(self) -> dict[str, object]:
        """Plain data for JSON: texts, numbers and lists; fields without a value are left out."""
        data: dict[str, object] = {"code": str(self.code)}
        if self.meld is not None:
            data["meld"] = str(self.meld)
        if self.tiles:
            data["tiles"] = [str(tile) for tile in self.tiles]
        if self.wanted:
            data["wanted"] = [str(tile) for tile in self.wanted]
        for name in ("place", "cell", "have", "need"):
            value = getattr(self, name)
            if value is not None:
                data[name] = value
        return data
