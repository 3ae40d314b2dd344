"""The messages of a table's stream, in both directions: unions tagged by ``type``."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta

from meldwise.game.rules import Rules
from meldwise.protocol.commands import Command
from meldwise.protocol.events import Event
from meldwise.protocol.values import (
    Draft,
    Hand,
    Meld,
    Message,
    Millis,
    Request,
    RoundResult,
    Tile,
    Verdict,
)

__all__ = [
    "Bye",
    "ClientMessage",
    "Clock",
    "Drafted",
    "Failed",
    "Hello",
    "HintStep",
    "HintTiles",
    "Hinted",
    "MatchState",
    "Ping",
    "Pong",
    "Reply",
    "RoundState",
    "SeatState",
    "ServerMessage",
    "Settings",
    "Step",
    "TableState",
    "TileSource",
    "Update",
    "Verdicted",
    "Watchers",
    "Welcome",
]


class Hello(Request, frozen=True, tag="hello"):
    """The first message of a client.

    Attributes:
        version: the version of the protocol.
        token: the bearer token, where neither a header nor a cookie carries one.
        seen: the sequence number of the newest update that was seen; None at first.
    """

    version: int
    token: Annotated[str, Meta(max_length=400)] | None = None
    seen: Annotated[int, Meta(ge=0)] | None = None


class Ping(Request, frozen=True, tag="ping"):
    """Asks for a sign of life and the server's time; ``echo`` comes back."""

    echo: Annotated[int, Meta(ge=0, le=2**53)] = 0


class Settings(Message, frozen=True):
    """What the host has chosen for a table.

    Attributes:
        title: what the table is called; may be empty.
        game: the name of the preset that the rules are nearest to.
        game_title: its title, or that of the mixture.
        rules: all rules.
        rules_text: the rules in one line of notation.
        private: whether the table is kept off the public list.
        spectators: whether people without a seat may watch.
        drafts_shown: whether the others see a turn while it is arranged.
        hints: whether players may ask for hints.
        chat: everything, quick phrases only, or none.
        pace: how long computer players take.
        theme: how the table looks; a word for the client.
    """

    title: str
    game: str
    game_title: str
    rules: Rules
    rules_text: str
    private: bool
    spectators: bool
    drafts_shown: bool
    hints: bool
    chat: Literal["all", "phrases", "none"]
    pace: Literal["none", "quick", "natural"]
    theme: str


class SeatState(Message, frozen=True):
    """A seat and what everybody may know of who sits there.

    Attributes:
        kind: free, a person, or a computer player.
        name: the name that is shown; empty for a free seat.
        user: the person's user id; None otherwise.
        player: the text name of the computer player; None for a person.
        connected: whether the person is there; true for a computer player.
        away_until: when a computer player will sit in for one who is away.
        left: whether the person has left the match.
        stand_in: the computer player that sits in; None if none does.
        ready: whether the seat is ready for the next round.
        wants_pause: whether it asks for a pause.
        total: points of the finished rounds.
        tiles: how many tiles the hand holds.
        opened: whether it has opened in this round.
        skips: how many of its turns are still to be skipped.
    """

    kind: Literal["free", "person", "computer"]
    name: str
    user: str | None
    player: str | None
    connected: bool
    away_until: Millis | None
    left: bool
    stand_in: str | None
    ready: bool
    wants_pause: bool
    total: int
    tiles: int
    opened: bool
    skips: int


class Clock(Message, frozen=True):
    """Time at a table, on the server's clock.

    Attributes:
        now: the time at which the message was made.
        deadline: when the turn, or the wait for the next round, ends by itself; None
            without a limit, and in a pause.
        left: milliseconds left when the pause began; None outside a pause.
        what: what the deadline ends: a turn, or the wait before a round.
    """

    now: Millis
    deadline: Millis | None
    left: int | None
    what: Literal["turn", "round"] | None


class RoundState(Message, frozen=True):
    """A round as the client may know it.

    Attributes:
        number: the number of the round, from 1.
        first: the seat that began.
        seat: whose turn it is.
        turn: the number of the turn, from 1.
        table: the melds on the table.
        stock: how many tiles are left to draw.
        passes: how many turns in a row were passes.
        turns_left: how many turns are left under ``last_turns``; None before that.
        over: whether the round has ended.
    """

    number: int
    first: int
    seat: int
    turn: int
    table: list[Meld]
    stock: int
    passes: int
    turns_left: int | None
    over: bool


class MatchState(Message, frozen=True):
    """A match as the client may know it.

    Attributes:
        round: the running or last round; None before the first.
        next_round: the number of the round that begins next.
        hands: the hands that the client may see: those of its own seats.
        results: the outcomes of the finished rounds.
        commitment: the commitment for the running or the next round, in 64 hex digits.
        winners: the winning seats; None while the match goes on.
    """

    round: RoundState | None
    next_round: int
    hands: list[Hand]
    results: list[RoundResult]
    commitment: str | None
    winners: list[int] | None


class TableState(Message, frozen=True):
    """All that a client shows of a table, besides chat, drafts and settings.

    Attributes:
        seq: the sequence number of the last step; each step counts one.
        status: waiting for people, playing, paused, over, or closed.
        host: the user who may change and start the table.
        seats: the seats, clockwise.
        mine: the seats that the client holds.
        match: the match; None before it starts.
        clock: the time.
        rematch: the table of the rematch; None if there is none.
    """

    seq: int
    status: Literal["waiting", "playing", "paused", "over", "closed"]
    host: str
    seats: list[SeatState]
    mine: list[int]
    match: MatchState | None
    clock: Clock
    rematch: str | None


class Step(Message, frozen=True):
    """One step of a table: its sequence number, its time, and what happened."""

    seq: int
    at: Millis
    events: list[Event]


class Welcome(Message, frozen=True, tag="welcome"):
    """The answer to :class:`Hello`: everything that a client needs to show the table.

    Attributes:
        table: the id of the table.
        code: the invite code; None for spectators.
        user: the client's user id.
        settings: the table's settings.
        state: the state of the table.
        drafts: the drafts of the client's seats, and of the seat to move if they are shown.
        history: the steps after the one seen, or those of the running round.
        chat: the newest lines of chat.
        watchers: how many spectators there are.
    """

    table: str
    code: str | None
    user: str
    settings: Settings
    state: TableState
    drafts: list[Draft]
    history: list[Step]
    chat: list[Step]
    watchers: int


class Update(Message, frozen=True, tag="update"):
    """One step of the table; steps come in order, without a gap.

    Attributes:
        seq: the sequence number of the step.
        at: its time.
        events: what happened, in order.
        state: the state after the step.
        settings: the settings if the step changed them; None otherwise.
        command: the id of the client's own command that led to it; None otherwise.
    """

    seq: int
    at: Millis
    events: list[Event]
    state: TableState
    settings: Settings | None
    command: str | None


class Reply(Message, frozen=True, tag="reply"):
    """A command was done.

    Attributes:
        to: the id of the command.
        seq: the sequence number of the step that it made; that of the state if it made none.
        repeated: whether it had been done before, under the same id.
    """

    to: str
    seq: int
    repeated: bool


class Failed(Message, frozen=True, tag="failed"):
    """A command was refused, or a message could not be read.

    Attributes:
        to: the id of the command; None if it could not be read.
        code: what is wrong, of ``docs/errors.md``.
        fields: the particulars, by name.
        message: a sentence in the user's language.
        verdict: why a proposed table is illegal, where that is the reason.
    """

    to: str | None
    code: str
    fields: dict[str, Any]
    message: str
    verdict: Verdict | None


class Verdicted(Message, frozen=True, tag="verdict"):
    """The answer to a check, or to a draft that asked for one."""

    to: str
    seat: int
    verdict: Verdict


class Drafted(Message, frozen=True, tag="draft"):
    """A draft changed: another client's of the same seat, or that of the seat to move."""

    draft: Draft


class TileSource(Message, frozen=True):
    """Where tiles of a new meld come from: ``place`` of an old meld, or None for the hand."""

    place: int | None
    tiles: list[Tile]


class HintStep(Message, frozen=True):
    """One meld of a hint that is not on the table yet, and how it comes about.

    Attributes:
        meld: the new meld.
        grows: the index of the old meld whose place it takes; None for a new one.
        sources: where its tiles come from.
    """

    meld: Meld
    grows: int | None
    sources: list[TileSource]


class HintTiles(Message, frozen=True):
    """A tile of the hand, and whether some legal play uses it."""

    tile: Tile
    playable: bool


class Hinted(Message, frozen=True, tag="hint"):
    """The answer to a hint.

    Attributes:
        to: the id of the command.
        seat: whose hand it is about.
        playable: which tiles can be played; empty if that was not asked.
        most: the most tiles that can be played in this turn.
        table: the table after a best play; None if there is no play, or it was not asked.
        played: the tiles that it places.
        steps: how to come there.
        proven: whether no play places more tiles.
    """

    to: str
    seat: int
    playable: list[HintTiles]
    most: int
    table: list[Meld] | None
    played: list[Tile]
    steps: list[HintStep]
    proven: bool


class Watchers(Message, frozen=True, tag="watchers"):
    """How many spectators there are now."""

    count: int


class Pong(Message, frozen=True, tag="pong"):
    """The answer to a ping."""

    echo: int
    now: Millis


class Bye(Message, frozen=True, tag="bye"):
    """The server closes the connection; ``again`` after some milliseconds, or never (None)."""

    code: str
    again: int | None


ClientMessage: TypeAlias = Hello | Ping | Command
ServerMessage: TypeAlias = (
    Welcome | Update | Reply | Failed | Verdicted | Drafted | Hinted | Watchers | Pong | Bye
)
