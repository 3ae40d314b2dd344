"""The bodies of the HTTP API under ``/api/v1``."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import Meta

from meldwise.game.rules import Rules
from meldwise.protocol.commands import PlayerText, RulesChanges, TableChanges
from meldwise.protocol.events import Event
from meldwise.protocol.messages import Settings, TableState
from meldwise.protocol.values import Key, Message, Millis, Request, ShortText

__all__ = [
    "Choice",
    "ComputerLevel",
    "ComputerSeat",
    "CreateTable",
    "DealReport",
    "DescribeRules",
    "Game",
    "GamesPage",
    "Health",
    "LobbyPage",
    "Mine",
    "NewSeat",
    "OpenSeatPlan",
    "RecordFault",
    "RecordText",
    "Refusal",
    "ReplayPage",
    "ReplayStep",
    "RuleField",
    "RuleGroup",
    "RulesPage",
    "RulesSectionText",
    "ServerPage",
    "ShufflePage",
    "SignIn",
    "SignedIn",
    "Summary",
    "SummarySeat",
    "TablePage",
    "User",
    "UserChanges",
]

Language = Annotated[str, Meta(pattern=r"^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$")]
Name = Annotated[str, Meta(min_length=1, max_length=40)]


class Refusal(Message, frozen=True):
    """The body of every refused request.

    Attributes:
        code: what is wrong, of ``docs/errors.md``.
        fields: the particulars, by name.
        message: a sentence in the user's language.
    """

    code: str
    fields: dict[str, Any]
    message: str


class SignIn(Request, frozen=True):
    """Becomes a guest: a name is all that it takes."""

    name: Name
    language: Language = "en"


class UserChanges(Request, frozen=True):
    """Changes of a user; what is None stays."""

    name: Name | None = None
    language: Language | None = None


class User(Message, frozen=True):
    """A person, as that person sees it."""

    id: str
    name: str
    language: str
    guest: bool
    since: Millis


class SignedIn(Message, frozen=True):
    """A user and the bearer token, which is told this once; a cookie carries it too."""

    user: User
    token: str


class Choice(Message, frozen=True):
    """A value that a rule can take, and its name in words."""

    value: str
    label: str


class RuleField(Message, frozen=True):
    """A rule as a form shows it.

    Attributes:
        name: the field of ``Rules``, the key of its texts.
        group: the group of the form that it stands in.
        kind: a whole number, one that may be off (None), a switch, or a choice.
        label: its name in the user's language.
        help: what it means, in the user's language.
        low: the least number; None for other kinds, and for ``match_length``.
        high: the greatest number.
        unit: what the number counts: tiles, points, seconds, players, turns, or nothing.
        choices: the values of a choice.
        ranges: for ``match_length``, the range for each value of ``match_end``.
        default: the value in the game RRRummy.
    """

    name: str
    group: str
    kind: Literal["integer", "optional_integer", "switch", "choice"]
    label: str
    help: str
    low: int | None
    high: int | None
    unit: Literal["tiles", "points", "seconds", "players", "turns", "pairs", ""]
    choices: list[Choice]
    ranges: dict[str, list[int]]
    default: str | int | bool | None


class RuleGroup(Message, frozen=True):
    """A group of rules: its key and its title in the user's language."""

    name: str
    title: str


class Game(Message, frozen=True):
    """A named game: its rules, and what sets it apart in one line."""

    name: str
    title: str
    rules: Rules
    summary: str


class ComputerLevel(Message, frozen=True):
    """A computer player that can be given a seat.

    Attributes:
        player: its text name.
        label: its name for people.
        description: how it plays, in a few words; empty for one that is no level of people's
            play, which a form for people leaves out as long as there are others.
        usual: whether it is the one for somebody new to the game.
    """

    player: str
    label: str
    description: str = ""
    usual: bool = False


class GamesPage(Message, frozen=True):
    """Everything that a setup form is made of.

    Attributes:
        games: the named games, in the order to show them.
        groups: the groups of rules, in order.
        fields: the rules, in order.
        joker_levels: the values of the joker flags for each level J0 to J4.
        computers: the computer players, the weakest first.
        phrases: the quick phrases of the chat.
    """

    games: list[Game]
    groups: list[RuleGroup]
    fields: list[RuleField]
    joker_levels: list[dict[str, str | int | bool | None]]
    computers: list[ComputerLevel]
    phrases: list[str]


class DescribeRules(Request, frozen=True):
    """Asks for the rules in words: a game, and the fields that differ from it."""

    game: ShortText = "rrrummy"
    rules: RulesChanges = msgspec.field(default_factory=dict)


class RulesSectionText(Message, frozen=True):
    """A part of the rules in words."""

    title: str
    sentences: list[str]


class RulesPage(Message, frozen=True):
    """Rules, checked, with their text in one line of notation and in words."""

    rules: Rules
    text: str
    sections: list[RulesSectionText]


class Mine(Request, frozen=True, tag="mine"):
    """A seat for the user who creates the table; ``name`` tells several apart."""

    name: Name | None = None


class OpenSeatPlan(Request, frozen=True, tag="open"):
    """A seat for whoever comes."""


class ComputerSeat(Request, frozen=True, tag="computer"):
    """A seat for a computer player."""

    player: PlayerText


NewSeat: TypeAlias = Mine | OpenSeatPlan | ComputerSeat


class CreateTable(Request, frozen=True):
    """Creates a table.

    Attributes:
        id: an idempotency key: the same key gives the same table.
        seats: who sits where, clockwise.
        settings: what differs from the defaults: RRRummy, private, spectators allowed,
            drafts hidden, hints allowed, all chat, natural pace.
        start: whether to start at once; needs all seats taken.
    """

    id: Key
    seats: Annotated[list[NewSeat], Meta(min_length=2, max_length=6)]
    settings: TableChanges = TableChanges()
    start: bool = False


class SummarySeat(Message, frozen=True):
    """A seat in a list of tables."""

    kind: Literal["free", "person", "computer"]
    name: str
    player: str | None


class Summary(Message, frozen=True):
    """A table in a list.

    Attributes:
        id: the table's id: its address is ``/api/v1/tables/{id}``.
        title: what it is called; may be empty.
        game_title: the game.
        rules_text: the rules in one line of notation.
        timer: seconds for a turn; None without a limit.
        status: waiting for people, playing, paused, over, or closed.
        seats: the seats, clockwise.
        private: whether it is kept off the public list.
        spectators: whether people without a seat may watch.
        host: the host's name.
        since: when it was created.
        changed: when something last happened.
        mine: the seats that the user holds.
        my_turn: whether it is the turn of one of them.
    """

    id: str
    title: str
    game_title: str
    rules_text: str
    timer: int | None
    status: Literal["waiting", "playing", "paused", "over", "closed"]
    seats: list[SummarySeat]
    private: bool
    spectators: bool
    host: str
    since: Millis
    changed: Millis
    mine: list[int]
    my_turn: bool


class LobbyPage(Message, frozen=True):
    """The public tables that wait or can be watched, and the user's own tables."""

    open: list[Summary]
    mine: list[Summary]
    now: Millis


class TablePage(Message, frozen=True):
    """A table by its id or its invite code; the code only for those who hold a seat."""

    table: Summary
    code: str | None
    settings: Settings


class DealReport(Message, frozen=True):
    """Whether a round's tiles are those that its revealed seeds give.

    Attributes:
        number: the number of the round, from 1.
        commitment: what the server committed to before the deal, in 64 hex digits.
        server: the revealed seed in 64 hex digits; None while the round goes on.
        players: what each seat added.
        committed: whether the seed is the one that was committed to.
        first: who began.
        hands: the dealt hands, recomputed from the seeds.
        good: whether the deal that was played is the one recomputed.
    """

    number: int
    commitment: str
    server: str | None
    players: list[str]
    committed: bool
    first: int | None
    hands: list[list[str]]
    good: bool


class ShufflePage(Message, frozen=True):
    """The check of a match's shuffles: the algorithm and its rounds so far."""

    algorithm: str
    rounds: list[DealReport]


class RecordText(Request, frozen=True):
    """A record to be read, as text."""

    text: Annotated[str, Meta(max_length=2_000_000)]


class RecordFault(Message, frozen=True):
    """Something wrong in a record: where, what, and a sentence."""

    line: int | None
    code: str
    message: str


class ReplayStep(Message, frozen=True):
    """One step of a finished match with everything laid open.

    Attributes:
        action: the action as a line of the record; empty for the beginning of a round.
        events: what happened.
        state: the state after it, with all hands.
        stock: the stock after it, the next tile first.
    """

    action: str
    events: list[Event]
    state: TableState
    stock: list[str]


class ReplayPage(Message, frozen=True):
    """A finished match, step by step; ``faults`` says where an uploaded record breaks off."""

    game_title: str
    rules: Rules
    rules_text: str
    names: list[str]
    steps: list[ReplayStep]
    faults: list[RecordFault]


class ServerPage(Message, frozen=True):
    """What server this is.

    Attributes:
        name: always ``meldwise``.
        version: the program's version.
        protocol: the version of the protocol.
        now: the server's time.
        languages: the languages that its sentences come in.
        most_seats: the most seats of a table.
        most_tables: how many unfinished tables a guest may have.
    """

    name: str
    version: str
    protocol: int
    now: Millis
    languages: list[str]
    most_seats: int
    most_tables: int


class Health(Message, frozen=True):
    """Whether the server works: ``ok``, or what is amiss."""

    status: str
