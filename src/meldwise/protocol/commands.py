"""What a client asks of a table: a union tagged by ``type``.

Each command carries an idempotency key, ``id``, made by the client: sent again with the
same key it is the same command and is done once. ``seen`` is the sequence number of the
newest update that the client had seen; a move made from an older state of the match is
refused with ``command.stale``.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta

from meldwise.protocol.events import Phrase
from meldwise.protocol.values import DraftMeld, Key, Request, SeatNumber, ShortText, Tile

__all__ = [
    "AddComputer",
    "AskRedeal",
    "BeReady",
    "Check",
    "Close",
    "Command",
    "Configure",
    "Draw",
    "Hint",
    "KeepDraft",
    "Leave",
    "OpenSeat",
    "Pass",
    "Pause",
    "Play",
    "PlayerText",
    "Rematch",
    "Resume",
    "Return",
    "RulesChanges",
    "Say",
    "Seed",
    "Sit",
    "Start",
    "TableChanges",
]

PlayerText = Annotated[str, Meta(min_length=1, max_length=200)]
Seed = Annotated[str, Meta(max_length=200)]
RulesChanges: TypeAlias = dict[str, str | int | bool | None]
_Melds = Annotated[list[DraftMeld], Meta(max_length=120)]
_Rows = Annotated[list[Annotated[list[Tile], Meta(max_length=200)]], Meta(max_length=8)]


class _Command(Request, frozen=True):
    id: Key
    seen: Annotated[int, Meta(ge=0)]


class Sit(_Command, frozen=True, tag="sit"):
    """Sits down at a seat, or the first free one; ``name`` tells several own seats apart."""

    seat: SeatNumber | None = None
    name: ShortText | None = None


class AddComputer(_Command, frozen=True, tag="add_computer"):
    """Gives a free seat to a computer player (host, before the match)."""

    seat: SeatNumber
    player: PlayerText


class OpenSeat(_Command, frozen=True, tag="open_seat"):
    """Frees a seat before the match: one's own, or any as the host, who thereby kicks."""

    seat: SeatNumber


class TableChanges(Request, frozen=True):
    """Settings of a table; what is None stays as it is.

    Attributes:
        title: what the table is called.
        game: the name of a preset; resets the rules to its own.
        rules: fields of the rules that differ from the preset's.
        private: whether the table is kept off the public list.
        spectators: whether people without a seat may watch.
        drafts_shown: whether the others see a turn while it is arranged.
        hints: whether players may ask for hints.
        chat: everything, quick phrases only, or none.
        pace: how long computer players take: at once, quick, or like people.
        theme: how the table looks; a word for the client.
    """

    title: ShortText | None = None
    game: ShortText | None = None
    rules: RulesChanges | None = None
    private: bool | None = None
    spectators: bool | None = None
    drafts_shown: bool | None = None
    hints: bool | None = None
    chat: Literal["all", "phrases", "none"] | None = None
    pace: Literal["none", "quick", "natural"] | None = None
    theme: Annotated[str, Meta(pattern=r"^[a-z0-9-]{0,32}$")] | None = None


class Configure(_Command, frozen=True, tag="configure"):
    """Changes the settings (host, before the match)."""

    settings: TableChanges


class Start(_Command, frozen=True, tag="start"):
    """Starts the match (host); empty seats are taken away."""


class BeReady(_Command, frozen=True, tag="be_ready"):
    """Is ready for the round whose shuffle was committed to, adding a seed of one's own."""

    seat: SeatNumber
    seed: Seed = ""


class KeepDraft(_Command, frozen=True, tag="keep_draft"):
    """Keeps an arrangement on the server; the reply comes when it is stored.

    Attributes:
        seat: whose it is.
        revision: counts this seat's arrangements; one not above the kept one is ignored.
        melds: the whole table as arranged; unfinished groups are fine.
        hand: the rows of the hand, in the seat's own order.
        check: whether to answer with a verdict.
    """

    seat: SeatNumber
    revision: Annotated[int, Meta(ge=0, le=2**53)]
    melds: _Melds
    hand: _Rows = msgspec.field(default_factory=list)
    check: bool = False


class Check(_Command, frozen=True, tag="check"):
    """Asks what the rules say of an arrangement, also when it is not one's turn."""

    seat: SeatNumber
    melds: _Melds


class Play(_Command, frozen=True, tag="play"):
    """Ends the turn with a table."""

    seat: SeatNumber
    melds: _Melds


class Draw(_Command, frozen=True, tag="draw"):
    """Draws a tile; own tiles of the draft go back to the hand."""

    seat: SeatNumber


class Pass(_Command, frozen=True, tag="pass"):
    """Ends the turn without a play when the stock is empty."""

    seat: SeatNumber


class AskRedeal(_Command, frozen=True, tag="ask_redeal"):
    """Asks for a new deal before the first turn, by right of dealt pairs."""

    seat: SeatNumber


class Hint(_Command, frozen=True, tag="hint"):
    """Asks which tiles can be played (``tiles``), or for a best play (``play``)."""

    seat: SeatNumber
    what: Literal["tiles", "play"]


class Say(_Command, frozen=True, tag="say"):
    """Chats: a text or a quick phrase."""

    text: Annotated[str, Meta(max_length=300)] = ""
    phrase: Phrase | None = None


class Pause(_Command, frozen=True, tag="pause"):
    """Asks for a pause, or takes that back; it begins when all who are there ask."""

    want: bool = True


class Resume(_Command, frozen=True, tag="resume"):
    """Ends a pause."""


class Leave(_Command, frozen=True, tag="leave"):
    """Leaves the table: before the match the seats become free, later they are left."""


class Return(_Command, frozen=True, tag="return"):
    """Takes back the seats that one had left."""


class Rematch(_Command, frozen=True, tag="rematch"):
    """Opens a new table with the same seats and settings when the match is over."""


class Close(_Command, frozen=True, tag="close"):
    """Closes the table (host, before the match)."""


Command: TypeAlias = (
    Sit
    | AddComputer
    | OpenSeat
    | Configure
    | Start
    | BeReady
    | KeepDraft
    | Check
    | Play
    | Draw
    | Pass
    | AskRedeal
    | Hint
    | Say
    | Pause
    | Resume
    | Leave
    | Return
    | Rematch
    | Close
)
