"""The values that messages are made of: tiles, melds, verdicts, results and hands.

A tile is its text (``r7``, ``*``), a meld its kind and its tiles by position; both are the
notation of ``docs/notation.md``. Times are milliseconds since 1970 on the server's clock.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
from msgspec import Meta

from meldwise.game.tiles import TILES

__all__ = [
    "Cause",
    "Draft",
    "DraftMeld",
    "Group",
    "Hand",
    "Joker",
    "JokerUse",
    "Key",
    "Meld",
    "MeldKind",
    "Message",
    "Millis",
    "Problem",
    "Request",
    "RoundResult",
    "SeatNumber",
    "ShortText",
    "Tile",
    "Verdict",
]


class Message(msgspec.Struct, frozen=True, kw_only=True):
    """What the server sends: every field is always there."""


class Request(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a client sends: fields with a default may be left out, unknown ones are refused."""


if TYPE_CHECKING:
    Tile = str
else:
    # A state has a hundred of them: to look one up is quicker by far than to match a pattern.
    Tile = Literal[tuple(map(str, TILES))]

SeatNumber = Annotated[int, Meta(ge=0, le=5)]
Millis = int
Key = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
ShortText = Annotated[str, Meta(max_length=60)]
MeldKind = Literal["run", "set"]
Cause = Literal["choice", "nothing_played", "invalid", "time_out"]

_Cells = Annotated[list[Tile], Meta(max_length=40)]


class Joker(Message, frozen=True):
    """What a joker in a meld stands for.

    Attributes:
        cell: its index in the meld.
        stands_for: the tiles that it stands for: one in a run, each lacking colour in a set.
    """

    cell: int
    stands_for: list[Tile]


class Meld(Message, frozen=True):
    """A meld on the table.

    Attributes:
        kind: run or set.
        tiles: its tiles by position.
        jokers: what its jokers stand for.
    """

    kind: MeldKind
    tiles: list[Tile]
    jokers: list[Joker]


class DraftMeld(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A group of tiles in a draft, finished or not.

    Attributes:
        kind: run or set; None to let the server tell: the one that makes these cells a
            valid meld, a set where both do.
        tiles: its tiles by position.
    """

    kind: MeldKind | None = None
    tiles: _Cells


class Draft(Message, frozen=True):
    """A seat's arrangement as the server keeps it.

    Attributes:
        seat: whose it is.
        round: the round it was made in, from 1.
        turn: the turn it was made in.
        revision: counts the arrangements of a seat; a higher one replaces a lower one.
        melds: the whole table as arranged.
        hand: the rows of the hand in the seat's own order; empty for others' eyes.
    """

    seat: int
    round: int
    turn: int
    revision: int
    melds: list[DraftMeld]
    hand: list[list[Tile]]


class Problem(Message, frozen=True):
    """One thing that is wrong with an arrangement.

    Attributes:
        code: the rule that is broken, of ``docs/errors.md``.
        message: a sentence in the user's language.
        place: the index of the meld: in the draft, or in the table at the start of the turn
            for codes that begin with ``joker.`` and for ``turn.table_before_opening``.
        cell: the index of the tile in that meld.
        tiles: the tiles that are wrong, missing or in the way.
        wanted: tiles any one of which would mend it.
        have: what there is of something counted.
        need: how much of it there should be.
    """

    code: str
    message: str
    place: int | None
    cell: int | None
    tiles: list[Tile]
    wanted: list[Tile]
    have: int | None
    need: int | None


class Group(Message, frozen=True):
    """What the server makes of one group of a draft.

    Attributes:
        kind: run or set, as declared or as read.
        valid: whether it is a meld by itself.
        value: the sum of its numbers, jokers counting as what they stand for; 0 if invalid.
        jokers: what its jokers stand for, as far as that is known.
        readings: other melds that the same tiles can be, where there are jokers.
    """

    kind: MeldKind
    valid: bool
    value: int
    jokers: list[Joker]
    readings: list[Meld]


class JokerUse(Message, frozen=True):
    """What a joker does in a play.

    Attributes:
        place: the index of its meld on the table after the play.
        cell: its index in that meld.
        freed: whether it was taken from the table to stand for something else.
        from_place: the index of its meld before the play; None from the hand.
        from_cell: its index there; None from the hand.
        replaced_by: the tiles from the hand that freed it.
    """

    place: int
    cell: int
    freed: bool
    from_place: int | None
    from_cell: int | None
    replaced_by: list[Tile]


class Verdict(Message, frozen=True):
    """What the rules say of an arrangement as an end of the turn.

    Attributes:
        legal: whether the turn could end like this.
        played: the tiles placed from the hand.
        opening: the value of the opening so far; None for a seat that has opened.
        opening_need: what it has to reach; None for a seat that has opened.
        missing: tiles of the table that lie in no group and have to be placed again.
        groups: each group by itself, in the order of the draft.
        problems: all that is wrong; empty for a legal play.
        jokers: what every joker does, if the play is legal.
    """

    legal: bool
    played: list[Tile]
    opening: int | None
    opening_need: int | None
    missing: list[Tile]
    groups: list[Group]
    problems: list[Problem]
    jokers: list[JokerUse]


class Hand(Message, frozen=True):
    """A hand that the client may see.

    Attributes:
        seat: whose it is.
        tiles: its tiles in the order red, yellow, black, blue, jokers.
        may_redeal: whether the seat may ask for a new deal now.
    """

    seat: int
    tiles: list[Tile]
    may_redeal: bool


class RoundResult(Message, frozen=True):
    """The outcome of a round.

    Attributes:
        number: the number of the round, from 1.
        end: whether somebody emptied the hand, or nobody could go on.
        winner: the winning seat.
        scores: points of the round by seat.
        hands: the tiles left in each hand.
        opened: who had opened.
    """

    number: int
    end: Literal["won", "blocked"]
    winner: int
    scores: list[int]
    hands: list[list[Tile]]
    opened: list[bool]
