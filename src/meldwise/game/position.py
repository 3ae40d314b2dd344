"""A table, and a position: table, hand and whether its player has opened, with their text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

from meldwise.game.codes import Code
from meldwise.game.errors import NotationError
from meldwise.game.melds import Meld
from meldwise.game.tiles import Tile, format_tiles, parse_tiles
from meldwise.game.values import quickly_made

__all__ = ["Position", "Table", "format_table", "parse_table"]


Table: TypeAlias = tuple[Meld, ...]
"""The melds on the table in the order of their rows."""

_WORD: Final = re.compile(r"(?:[^\s()]|\([^()]*\))+|[()]")


def parse_table(text: str) -> Table:
    """Reads melds apart by spaces: ``r4-*-6 7ryk run(r4,b5)``; nothing is an empty table.

    Raises:
        NotationError: with the column (from 1) of the first word that is not a meld.
    """
    melds: list[Meld] = []
    for word in _WORD.finditer(text):
        try:
            melds.append(Meld.parse(word[0].rstrip(",;")))
        except NotationError as error:
            raise NotationError(
                Code.NOTATION_MELD, text=word[0], column=word.start() + 1
            ) from error
    return tuple(melds)


def format_table(table: Iterable[Meld]) -> str:
    """The text of melds in their order, apart by spaces; empty for none."""
    return " ".join(map(_text_of, table))


# Turn after turn most of the melds are those that were on the table before.
_text_of = lru_cache(maxsize=8192)(Meld.__str__)


@quickly_made
@dataclass(frozen=True, slots=True)
class Position:
    """What an end of turn is judged from, besides the rules and the proposed table.

    >>> str(Position.parse("r4-*-6 7ryk / r7 * / unopened"))
    'r4-*-6 7ryk / r7 * / unopened'

    Attributes:
        table: the melds at the start of the turn.
        hand: the tiles in hand.
        opened: whether the player has opened in an earlier turn.
    """

    table: Table
    hand: tuple[Tile, ...]
    opened: bool = True

    @classmethod
    def parse(cls, text: str) -> Position:
        """Reads ``table / hand``, with ``/ opened`` or ``/ unopened`` behind; opened if silent.

        Raises:
            NotationError: on text that is not a position.
        """
        parts = [part.strip() for part in text.split("/")]
        words = {"opened": True, "unopened": False, "": True}
        if not 2 <= len(parts) <= 3:
            raise NotationError(Code.NOTATION_POSITION, text=text[:80])
        opened = words.get(parts[2].lower()) if len(parts) == 3 else True
        if opened is None:
            raise NotationError(Code.NOTATION_POSITION, text=parts[2][:80])
        return cls(parse_table(parts[0]), parse_tiles(parts[1]), opened)

    def __str__(self) -> str:
        status = "opened" if self.opened else "unopened"
        return f"{format_table(self.table)} / {format_tiles(self.hand)} / {status}".strip()
