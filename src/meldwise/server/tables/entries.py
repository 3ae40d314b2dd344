"""What is written to the log of a table; all else about a table follows from it.

Entries are facts: whoever writes one has verified it against the state after the entries
before. They hold secrets (the seeds, what was drafted) and are never sent to anybody.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from meldwise.game.rules import Rules
from meldwise.protocol.events import Phrase

__all__ = [
    "AskedRedeal",
    "Began",
    "Came",
    "CameBack",
    "ClosedTable",
    "Committed",
    "ComputerSat",
    "Configured",
    "Created",
    "DrewTile",
    "Entry",
    "Freed",
    "HostPassed",
    "Left",
    "Logged",
    "MadeReady",
    "Passed",
    "PausedNow",
    "PlayedTable",
    "Rematch",
    "ResumedNow",
    "SaidLine",
    "Sat",
    "SeatPlan",
    "Started",
    "StoodIn",
    "StoredSettings",
    "TimeEnded",
    "TimedOut",
    "WantedPause",
    "WentAway",
    "decode_entry",
    "encode_entry",
]


class _Stored(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    pass


class StoredSettings(_Stored, frozen=True):
    """The settings of a table; see :class:`meldwise.protocol.messages.Settings`."""

    title: str = ""
    game: str = "rrrummy"
    rules: Rules = Rules()
    private: bool = True
    spectators: bool = True
    drafts_shown: bool = False
    hints: bool = True
    chat: Literal["all", "phrases", "none"] = "all"
    pace: Literal["none", "quick", "natural"] = "natural"
    theme: str = ""


class SeatPlan(_Stored, frozen=True):
    """Who sits at a seat when the table is created: a person, a computer player, or nobody."""

    name: str = ""
    user: str | None = None
    player: str | None = None


class Created(_Stored, frozen=True, tag="created"):
    """The table was created; ``secret`` is what the computer players' choices follow from."""

    host: str
    code: str
    secret: str
    settings: StoredSettings
    seats: list[SeatPlan]


class Configured(_Stored, frozen=True, tag="configured"):
    """The host changed the settings."""

    settings: StoredSettings


class Sat(_Stored, frozen=True, tag="sat"):
    """A person sat down."""

    seat: int
    user: str
    name: str


class ComputerSat(_Stored, frozen=True, tag="computer"):
    """A computer player was given a seat."""

    seat: int
    player: str
    name: str


class Freed(_Stored, frozen=True, tag="freed"):
    """A seat became free; a person who is kicked cannot sit down again."""

    seat: int
    kicked: bool = False


class HostPassed(_Stored, frozen=True, tag="host"):
    """Another user is the host."""

    user: str


class Started(_Stored, frozen=True, tag="started"):
    """The match began; free seats are gone."""


class Committed(_Stored, frozen=True, tag="committed"):
    """The next round's seed, 64 hex digits, was made and committed to."""

    seed: str


class MadeReady(_Stored, frozen=True, tag="ready"):
    """A seat is ready for the next round, with a seed of its own."""

    seat: int
    seed: str = ""


class Began(_Stored, frozen=True, tag="began"):
    """The round was dealt; ``clock`` in seconds since the match began, for one by time."""

    clock: int | None = None


class PlayedTable(_Stored, frozen=True, tag="play"):
    """A seat ended its turn with a table, in notation."""

    seat: int
    table: str


class DrewTile(_Stored, frozen=True, tag="draw"):
    """A seat drew."""

    seat: int


class Passed(_Stored, frozen=True, tag="pass"):
    """A seat passed."""

    seat: int


class TimedOut(_Stored, frozen=True, tag="timeout"):
    """The time of a turn ran out on a draft, in notation; None if there was none."""

    seat: int
    draft: str | None = None


class AskedRedeal(_Stored, frozen=True, tag="redeal"):
    """A seat asked for a new deal."""

    seat: int


class TimeEnded(_Stored, frozen=True, tag="time_ended"):
    """The time of the match was up, at a clock reading in seconds."""

    clock: int


class Left(_Stored, frozen=True, tag="left"):
    """The player of a seat has gone, by choice or by staying away."""

    seat: int
    chosen: bool


class StoodIn(_Stored, frozen=True, tag="stand_in"):
    """A computer player sits in."""

    seat: int
    player: str


class CameBack(_Stored, frozen=True, tag="back"):
    """The player who had left has the seat again."""

    seat: int


class WentAway(_Stored, frozen=True, tag="away"):
    """The last connection of a user closed."""

    user: str


class Came(_Stored, frozen=True, tag="came"):
    """A user is connected."""

    user: str


class WantedPause(_Stored, frozen=True, tag="want_pause"):
    """A user asks for a pause, or no longer does."""

    user: str
    want: bool


class PausedNow(_Stored, frozen=True, tag="paused"):
    """The clock was stopped."""

    reason: Literal["agreed", "absent"]


class ResumedNow(_Stored, frozen=True, tag="resumed"):
    """The clock goes on."""


class SaidLine(_Stored, frozen=True, tag="said"):
    """A line of chat."""

    user: str
    name: str
    seat: int | None = None
    text: str = ""
    phrase: Phrase | None = None


class Rematch(_Stored, frozen=True, tag="rematch"):
    """A new table with the same seats was opened."""

    table: str


class ClosedTable(_Stored, frozen=True, tag="closed"):
    """The table was closed before a match began."""

    reason: Literal["host", "abandoned"]


Entry: TypeAlias = (
    Created
    | Configured
    | Sat
    | ComputerSat
    | Freed
    | HostPassed
    | Started
    | Committed
    | MadeReady
    | Began
    | PlayedTable
    | DrewTile
    | Passed
    | TimedOut
    | AskedRedeal
    | TimeEnded
    | Left
    | StoodIn
    | CameBack
    | WentAway
    | Came
    | WantedPause
    | PausedNow
    | ResumedNow
    | SaidLine
    | Rematch
    | ClosedTable
)


class Logged(msgspec.Struct, frozen=True, kw_only=True):
    """An entry in its place.

    Attributes:
        seq: its sequence number, from 1 without a gap.
        at: milliseconds since 1970.
        user: whose command it was; None for the server's own doing.
        key: the idempotency key of that command; on its first entry only.
        entry: the entry.
    """

    seq: int
    at: int
    user: str | None
    key: str | None
    entry: Entry


_encoder = msgspec.json.Encoder()
_decoder: msgspec.json.Decoder[Entry] = msgspec.json.Decoder(Entry)


def encode_entry(entry: Entry) -> str:
    """The text of an entry, as it is stored."""
    return _encoder.encode(entry).decode()


def decode_entry(text: str) -> Entry:
    """Reads a stored entry.

    Raises:
        msgspec.MsgspecError: if it is none.
    """
    return _decoder.decode(text)
