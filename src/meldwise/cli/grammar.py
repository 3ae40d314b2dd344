"""Reading what a person types in a turn: short commands, understood forgivingly."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from meldwise.cli import moves
from meldwise.cli.draft import Draft
from meldwise.cli.exits import nearest
from meldwise.cli.moves import MoveError, Outcome
from meldwise.game.errors import NotationError
from meldwise.game.melds import LEAST_CELLS, Meld
from meldwise.game.position import Table, parse_table
from meldwise.game.tiles import Tile, parse_tiles
from meldwise.i18n import explain_error

__all__ = ["HELP", "Command", "Line", "Move", "read_line"]


@dataclass(frozen=True, slots=True)
class Command:
    """A word that is no move of tiles, with what follows it."""

    name: str
    rest: str = ""


@dataclass(frozen=True, slots=True)
class Move:
    """A move of tiles; applied to a draft it gives what it can mean."""

    apply: Callable[[Draft], list[Outcome]]


Line: TypeAlias = Command | Move

HELP: Final = (
    (
        "Tiles are r7, y7, k7 (black), b7 and * (joker). Melds on the table have numbers.",
        (),
    ),
    (
        "Place tiles",
        (
            ("r4 5 6", "lay a new meld; any order will do"),
            ("7ryk", "lay a set: the red, yellow and black 7"),
            ("r4-*-6", "lay a run with the joker where it is written"),
            ("add r7 3", "add red 7 to meld 3; also: r7 > 3"),
            ("swap r5 3", "put red 5 for the joker of meld 3, which is loose then"),
        ),
    ),
    (
        "Rearrange",
        (
            ("take r7 3", "take red 7 out of meld 3; also: r7 < 3; all of it: take 3"),
            ("move r7 3 5", "move it from meld 3 to meld 5; to a new one: move r7 3 new"),
            ("split 3 r6", "split run 3, so that red 6 begins the second part"),
            ("join 3 5", "make one meld of melds 3 and 5"),
            ("play 8rbky from 8bky", "make new melds from old ones and the hand"),
            ("table r1-2-3 7ryk", "set the whole table as it is to be"),
            ("undo, redo, reset", "a step back, a step forth, all back"),
        ),
    ),
    (
        "End the turn",
        (
            ("check", "say whether the table is good, and if not, why"),
            ("done", "end the turn with the table as it lies"),
            ("draw", "draw a tile and end the turn"),
            ("pass", "end the turn when the stock is empty"),
            ("redeal", "ask for a new deal, where the rules give that right"),
        ),
    ),
    (
        "Look",
        (
            ("sort", "sort the hand by colour; by number: sort number"),
            ("arrange r5 b5 *", "put these tiles first in the hand"),
            ("log", "what happened in this round"),
            ("rules", "the rules of this game"),
            ("show", "draw the table again"),
            ("quit", "stop; the match can be continued later"),
        ),
    ),
)
"""What ``help`` shows: sections of titles, and pairs of what to type and what it does."""

_WORDS: Final[dict[str, str]] = {
    "?": "help",
    "h": "help",
    "help": "help",
    "d": "done",
    "done": "done",
    "end": "done",
    "dr": "draw",
    "draw": "draw",
    "p": "pass",
    "pass": "pass",
    "u": "undo",
    "undo": "undo",
    "back": "undo",
    "redo": "redo",
    "reset": "reset",
    "c": "check",
    "check": "check",
    "sort": "sort",
    "arrange": "arrange",
    "log": "log",
    "rules": "rules",
    "show": "show",
    "redeal": "redeal",
    "q": "quit",
    "quit": "quit",
    "exit": "quit",
}
_VERBS: Final = ("add", "take", "move", "split", "swap", "join", "play", "table", "lay", "new")
_SPACED_SET: Final = re.compile(r"(1[0-3]|[1-9])((?:\s*[rykb*j])+)", re.IGNORECASE)
_ONTO: Final = re.compile(r"(.+?)\s+(?:to|on|onto)\s+(?:meld\s+)?(\d+)")
_JOINERS: Final = re.compile(r"\b(?:to|from|at|before|with|and|onto|into|by|meld)\b|#")


def read_line(text: str) -> Line:
    """Reads one line; nothing is applied yet.

    Raises:
        MoveError: with the reason, if it is no command.
    """
    plain = text.strip().lower().replace("→", ">").replace("–", "-")
    if not plain:
        return Command("show")
    word, _, rest = plain.partition(" ")
    if word in _WORDS and (not rest or word in ("sort", "arrange", "rules", "help", "log")):
        return Command(_WORDS[word], rest.strip())
    if word in _VERBS:
        return _READERS[word](rest.strip())
    for sign, verb in ((">", "add"), ("<", "take")):
        if sign in plain:
            tiles, _, number = plain.partition(sign)
            return _READERS[verb](f"{tiles.strip()} {number.strip()}")
    if match := _ONTO.fullmatch(plain):
        return _read_add(f"{match[1]} {match[2]}")
    if word in _WORDS:
        raise MoveError(f"“{word}” stands alone; nothing follows it.")
    return _read_lay(plain)


def _read_lay(text: str) -> Line:
    if not text:
        raise MoveError("Name the tiles of the new meld, such as: r4 5 6")
    if match := _SPACED_SET.fullmatch(text):
        text = match[1] + re.sub(r"\s", "", match[2])
    if melds := _melds(text):
        return Move(lambda draft: moves.lay_melds(draft, melds))
    tiles = _tiles(text, lay=True)
    return Move(lambda draft: moves.lay(draft, tiles))


def _melds(text: str) -> Table:
    """The melds of a line in the notation; empty if it is to be read as bare tiles."""
    try:
        table = parse_table(text)
    except NotationError:
        return ()
    if any(len(meld.cells) < LEAST_CELLS for meld in table):
        return ()
    return table


def _tiles(text: str, *, lay: bool = False) -> tuple[Tile, ...]:
    try:
        return parse_tiles(text.replace("+", " "))
    except NotationError as error:
        word = text.split(maxsplit=1)[0]
        near = nearest(word, [*_VERBS, *_WORDS]) if lay and len(word) > 2 and word.isalpha() else ""
        if near:
            raise MoveError(f"“{word}” is no command. Did you mean “{near}”?") from None
        column = error.fields.get("column")
        if isinstance(column, int) and column <= len(text):
            rest = text[column - 1 :].split(maxsplit=1)[0]
            error = NotationError(error.code, text=rest)
        more = " Type “help” for what can be typed." if lay else ""
        raise MoveError(explain_error(error) + more) from None


def _table(text: str, example: str) -> Table:
    try:
        table = parse_table(text)
    except NotationError as error:
        raise MoveError(explain_error(error)) from None
    if not table:
        raise MoveError(f"Name the melds, such as: {example}")
    return table


def _number(word: str, example: str) -> int:
    if not word.isascii() or not word.isdigit() or len(word) > 4:
        raise MoveError(f"“{word}” is not the number of a meld. Type it so: {example}")
    return int(word)


def _words(rest: str) -> list[str]:
    return _JOINERS.sub(" ", rest).replace(",", " ").split()


def _tiles_and_number(rest: str, example: str, *, bare: bool = False) -> tuple[str, int]:
    words = _words(rest)
    if not words or (len(words) == 1 and not bare):
        raise MoveError(f"Name the tiles and the meld: {example}")
    return " ".join(words[:-1]), _number(words[-1], example)


def _read_add(rest: str) -> Line:
    text, number = _tiles_and_number(rest, "add r7 3")
    tiles = _tiles(text)
    return Move(lambda draft: moves.add(draft, tiles, number))


def _read_take(rest: str) -> Line:
    text, number = _tiles_and_number(rest, "take r7 3", bare=True)
    tiles = _tiles(text)
    return Move(lambda draft: moves.take(draft, tiles, number))


def _read_swap(rest: str) -> Line:
    text, number = _tiles_and_number(rest, "swap r5 3")
    tiles = tuple(tile for tile in _tiles(text) if not tile.is_joker)
    return Move(lambda draft: moves.swap(draft, tiles, number))


def _read_move(rest: str) -> Line:
    words = _words(rest.replace(">", " "))
    example = "move r7 3 5"
    if len(words) < 2:
        raise MoveError(f"Name the tiles, the meld they are in, and where they go: {example}")
    target = None if words[-1] == "new" else _number(words[-1], example)
    source = _number(words[-2], example)
    tiles = _tiles(" ".join(words[:-2]))
    return Move(lambda draft: moves.move(draft, tiles, source, target))


def _read_split(rest: str) -> Line:
    words = _words(rest)
    example = "split 3 r6"
    if len(words) == 2 and not words[0].isdigit():
        words.reverse()
    if len(words) != 2:
        raise MoveError(f"Name the meld and the tile that begins the second part: {example}")
    number = _number(words[0], example)
    tiles = _tiles(words[1])
    if len(tiles) != 1:
        raise MoveError(f"Name one tile: {example}")
    return Move(lambda draft: moves.split(draft, number, tiles[0]))


def _read_join(rest: str) -> Line:
    words = _words(rest.replace("+", " "))
    if len(words) != 2:
        raise MoveError("Name the two melds: join 3 5")
    first, second = (_number(word, "join 3 5") for word in words)
    return Move(lambda draft: moves.join(draft, first, second))


def _read_play(rest: str) -> Line:
    example = "play 8rbky from 8bky"
    after, _, before = f" {rest} ".partition(" from ")
    new = _table(after, example)
    old: list[Meld | int] = []
    for word in before.split():
        if word.isdigit():
            old.append(_number(word, example))
        else:
            old += _table(word, example)
    return Move(lambda draft: moves.rebuild(draft, new, old))


def _read_table(rest: str) -> Line:
    table = _table(rest, "table r1-2-3 7ryk")
    return Move(lambda draft: moves.propose(draft, table))


_READERS: Final[dict[str, Callable[[str], Line]]] = {
    "add": _read_add,
    "take": _read_take,
    "move": _read_move,
    "split": _read_split,
    "swap": _read_swap,
    "join": _read_join,
    "play": _read_play,
    "table": _read_table,
    "lay": _read_lay,
    "new": _read_lay,
}
