"""The state of a table: what follows from its log, and nothing else.

:func:`apply` is pure: the same entries give the same state in every process, at any time.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal, TypeAlias

import msgspec
from msgspec.structs import replace

from meldwise.game.actions import (
    Action,
    AskRedeal,
    CommitShuffle,
    Draw,
    EndMatch,
    Leave,
    Pass,
    Play,
    PlayOracle,
    Return,
    StandIn,
    StartRound,
    TimeOut,
)
from meldwise.game.events import Event as GameEvent
from meldwise.game.match import Match, Seat, start_match
from meldwise.game.melds import Meld
from meldwise.game.position import Position, Table, parse_table
from meldwise.game.rules import MustPlay, Rules
from meldwise.game.shuffle import Seeds, commitment_of
from meldwise.protocol import events as told
from meldwise.server.tables import entries as log

__all__ = [
    "Person",
    "StepEvent",
    "TableSeat",
    "TableState",
    "action_of",
    "apply",
    "beginning",
    "oracle_for",
]

FIRST_WAIT: Final = 5_000
"""How long the first round waits for the players' seeds, in milliseconds."""

NEXT_WAIT: Final = 60_000
"""How long later rounds wait for everybody to be ready, in milliseconds."""

RETURN_TIME: Final = 10_000
"""What somebody who comes back has at least for the running turn, in milliseconds."""

StepEvent: TypeAlias = GameEvent | told.Event
"""What a step tells: events of the rules, to be told by seat, or events that all may know."""


@dataclass(frozen=True, slots=True)
class TableSeat:
    """A seat of a table; ``user`` for a person, ``player`` for a computer player."""

    name: str = ""
    user: str | None = None
    player: str | None = None

    @property
    def free(self) -> bool:
        """Whether nobody sits there."""
        return self.user is None and self.player is None


class Person(msgspec.Struct, frozen=True):
    """A user who holds seats.

    Attributes:
        connected: whether a connection is open.
        away_since: when the last one closed, or the match began without one.
        chose_to_leave: whether the user has left by an own command.
        left_at: when the user left.
    """

    connected: bool = False
    away_since: int | None = None
    chose_to_leave: bool = False
    left_at: int | None = None


class TableState(msgspec.Struct, frozen=True, kw_only=True):
    """A table after a number of entries.

    Each entry makes a few of them, which msgspec does in a tenth of a dataclass' time.

    Attributes:
        id: the id of the table.
        seq: how many entries led here.
        at: the time of the last one.
        created: the time of the first.
        host: the user who may change and start the table.
        code: the invite code.
        secret: what the choices of the computer players follow from.
        settings: the settings.
        seats: the seats, clockwise.
        people: the users who hold seats.
        banned: users who were sent away.
        started: whether the match has begun.
        closed: why the table was closed; None if it was not.
        match: the match; None before it began.
        match_seq: the number of the last entry that changed the tiles or the turn.
        begun_at: when the match began.
        seed: the secret seed of the round that is committed to, or played.
        ready: what each ready seat adds to the shuffle.
        wants_pause: the users who ask for a pause.
        paused: why the clock stands; None while it runs.
        paused_at: when it was stopped.
        paused_for: how long it has stood in all, in milliseconds.
        since: when the turn, or the wait for a round, began or went on.
        deadline: when it ends by itself.
        left: what was left of it when the clock was stopped.
        rematch: the table of the rematch.
    """

    id: str
    seq: int
    at: int
    created: int
    host: str
    code: str
    secret: str
    settings: log.StoredSettings
    seats: tuple[TableSeat, ...]
    people: dict[str, Person]
    banned: frozenset[str] = frozenset()
    started: bool = False
    closed: Literal["host", "abandoned"] | None = None
    match: Match | None = None
    match_seq: int = 0
    begun_at: int = 0
    seed: str | None = None
    ready: tuple[tuple[int, str], ...] = ()
    wants_pause: frozenset[str] = frozenset()
    paused: Literal["agreed", "absent"] | None = None
    paused_at: int = 0
    paused_for: int = 0
    since: int = 0
    deadline: int | None = None
    left: int | None = None
    rematch: str | None = None

    @property
    def rules(self) -> Rules:
        """The rules of the table."""
        return self.settings.rules

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return self.match is not None and self.match.result is not None

    @property
    def status(self) -> Literal["waiting", "playing", "paused", "over", "closed"]:
        """What the table is doing."""
        if self.closed:
            return "closed"
        if not self.started:
            return "waiting"
        if self.over:
            return "over"
        return "paused" if self.paused else "playing"

    @property
    def solo(self) -> bool:
        """Whether only one person plays, so that nobody waits for anybody else."""
        return len(self.people) == 1

    @property
    def awaiting_round(self) -> bool:
        """Whether a round is committed to and has not begun."""
        match = self.match
        return match is not None and match.running is None and match.commitment is not None

    def seats_of(self, user: str | None) -> tuple[int, ...]:
        """The seats that a user holds."""
        if user is None:
            return ()
        return tuple([place for place, seat in enumerate(self.seats) if seat.user == user])

    def has_left(self, seat: int) -> bool:
        """Whether the player of a seat has left the match."""
        return self.match is not None and self.match.seats[seat].left

    def played_by(self, seat: int) -> str | None:
        """The computer player that plays a seat now; None for a person, or nobody."""
        return self.match.seats[seat].played_by if self.match is not None else None

    def clock(self, now: int) -> int:
        """Seconds since the match began, pauses left out."""
        paused = self.paused_for + (now - self.paused_at if self.paused else 0)
        return max(0, now - self.begun_at - paused) // 1000


def beginning(table: str, first: log.Logged) -> TableState:
    """The state after the first entry, which creates the table."""
    entry = first.entry
    assert isinstance(entry, log.Created)
    seats = tuple(TableSeat(plan.name, plan.user, plan.player) for plan in entry.seats)
    return TableState(
        id=table,
        seq=first.seq,
        at=first.at,
        created=first.at,
        host=entry.host,
        code=entry.code,
        secret=entry.secret,
        settings=entry.settings,
        seats=seats,
        people={seat.user: Person() for seat in seats if seat.user is not None},
    )


def apply(state: TableState, logged: log.Logged) -> tuple[TableState, tuple[StepEvent, ...]]:
    """The state after one more entry, and what happened.

    Raises:
        GameError: if the entry cannot follow; a log that was written by verified commands
            holds none such.
    """
    assert logged.seq == state.seq + 1
    state = replace(state, seq=logged.seq, at=logged.at)
    entry, at = logged.entry, logged.at
    match entry:
        case log.Created():
            raise AssertionError("a table is created once")
        case log.Configured():
            return replace(state, settings=entry.settings), (told.SettingsChanged(),)
        case log.Sat() | log.ComputerSat() | log.Freed() | log.HostPassed():
            return _change_seats(state, entry)
        case log.Started():
            return _start(state, at)
        case log.Came() | log.WentAway():
            return _presence(state, entry, at)
        case log.MadeReady():
            ready = (*((s, t) for s, t in state.ready if s != entry.seat), (entry.seat, entry.seed))
            return replace(state, ready=ready), (told.Ready(seat=entry.seat, seed=entry.seed),)
        case log.WantedPause():
            wants = state.wants_pause - {entry.user}
            if entry.want:
                wants |= {entry.user}
            return replace(state, wants_pause=wants), tuple(
                told.PauseWanted(seat=seat, want=entry.want) for seat in state.seats_of(entry.user)
            )
        case log.PausedNow():
            left = None if state.deadline is None else max(0, state.deadline - at)
            after = replace(state, paused=entry.reason, paused_at=at, left=left, deadline=None)
            return replace(after, wants_pause=frozenset()), (told.Paused(reason=entry.reason),)
        case log.ResumedNow():
            return _resume(state, at), (told.Resumed(),)
        case log.SaidLine():
            line = told.Said(
                user=entry.user,
                name=entry.name,
                seat=entry.seat,
                text=entry.text,
                phrase=entry.phrase,
            )
            return state, (line,)
        case log.Rematch():
            return replace(state, rematch=entry.table), (told.Rematched(table=entry.table),)
        case log.ClosedTable():
            return replace(state, closed=entry.reason), (told.Closed(reason=entry.reason),)
        case _:
            return _play(state, entry, at)


def _change_seats(
    state: TableState, entry: log.Sat | log.ComputerSat | log.Freed | log.HostPassed
) -> tuple[TableState, tuple[StepEvent, ...]]:
    if isinstance(entry, log.HostPassed):
        return replace(state, host=entry.user), (told.HostChanged(user=entry.user),)
    event: told.Event
    banned = state.banned
    if isinstance(entry, log.Sat):
        seat = TableSeat(entry.name, user=entry.user)
        event = told.Seated(seat=entry.seat, user=entry.user, name=entry.name)
    elif isinstance(entry, log.ComputerSat):
        seat = TableSeat(entry.name, player=entry.player)
        event = told.ComputerSeated(seat=entry.seat, name=entry.name, player=entry.player)
    else:
        user = state.seats[entry.seat].user
        if entry.kicked and user is not None:
            banned |= {user}
        seat = TableSeat()
        event = told.SeatOpened(seat=entry.seat, kicked=entry.kicked)
    seats = (*state.seats[: entry.seat], seat, *state.seats[entry.seat + 1 :])
    users = {place.user for place in seats if place.user is not None}
    people = {user: person for user, person in state.people.items() if user in users}
    people |= {user: Person() for user in users if user not in people}
    return replace(state, seats=seats, people=people, banned=banned), (event,)


def _start(state: TableState, at: int) -> tuple[TableState, tuple[StepEvent, ...]]:
    seats = tuple(seat for seat in state.seats if not seat.free)
    match = start_match(state.rules, [Seat(seat.name, seat.player) for seat in seats])
    people = {
        user: person if person.connected else replace(person, away_since=at)
        for user, person in state.people.items()
    }
    after = replace(state, started=True, seats=seats, match=match, match_seq=state.seq, begun_at=at)
    return replace(after, people=people), (told.MatchStarted(),)


def _presence(
    state: TableState, entry: log.Came | log.WentAway, at: int
) -> tuple[TableState, tuple[StepEvent, ...]]:
    person = state.people.get(entry.user)
    if person is None:
        return state, ()
    seats = state.seats_of(entry.user)
    if isinstance(entry, log.Came):
        after = replace(person, connected=True, away_since=None)
        events: tuple[StepEvent, ...] = tuple(told.Back(seat=seat) for seat in seats)
    else:
        after = replace(person, connected=False, away_since=at)
        playing = state.started and not state.over
        until = at + state.rules.leaver_grace * 1000 if playing and not state.solo else None
        events = tuple(told.Away(seat=seat, until=until) for seat in seats)
    return replace(state, people={**state.people, entry.user: after}), events


def _resume(state: TableState, at: int) -> TableState:
    return replace(
        state,
        paused=None,
        paused_for=state.paused_for + at - state.paused_at,
        since=at,
        deadline=None if state.left is None else at + state.left,
        left=None,
    )


def _play(state: TableState, entry: log.Entry, at: int) -> tuple[TableState, tuple[StepEvent, ...]]:
    """Takes an action of the match and sets the clock for what comes next."""
    before = state.match
    assert before is not None
    action = action_of(state, entry)
    match, events = before.apply(action, oracle_for(state.rules))
    after = replace(state, match=match)
    steps: list[StepEvent] = list(events)
    if isinstance(entry, log.Committed):
        number = before.next_round
        wait = FIRST_WAIT if number == 1 else NEXT_WAIT
        deadline = None if state.solo and number > 1 else at + wait
        return replace(after, seed=entry.seed, ready=(), since=at, deadline=deadline), events
    if isinstance(entry, log.Left | log.CameBack | log.StoodIn):
        after = _seat_changed(after, entry, at)
        if isinstance(entry, log.Left):
            steps = [told.SeatLeft(seat=entry.seat, chosen=entry.chosen)]
        return after, tuple(steps)
    after = replace(after, match_seq=state.seq)
    return _set_turn_clock(after, before, at), events


def action_of(state: TableState, entry: log.Entry) -> Action:
    """The action of the match that an entry stands for, at the state before it."""
    match entry:
        case log.PlayedTable():
            return Play(entry.seat, _table(entry.table))
        case log.DrewTile():
            return Draw(entry.seat)
        case log.Passed():
            return Pass(entry.seat)
        case log.TimedOut():
            draft = None if entry.draft is None else _table(entry.draft)
            return TimeOut(entry.seat, draft)
        case log.AskedRedeal():
            return AskRedeal(entry.seat)
        case log.Committed():
            return CommitShuffle(commitment_of(bytes.fromhex(entry.seed)))
        case log.Began():
            assert state.seed is not None
            texts = dict(state.ready)
            players = tuple(texts.get(seat, "") for seat in range(len(state.seats)))
            return StartRound(Seeds(bytes.fromhex(state.seed), players), entry.clock)
        case log.TimeEnded():
            return EndMatch(entry.clock)
        case log.Left():
            return Leave(entry.seat)
        case log.StoodIn():
            return StandIn(entry.seat, entry.player)
        case log.CameBack():
            return Return(entry.seat)
        case _:
            raise AssertionError(entry)


# A table is written, read and played again, in that order, when a move is made; and most of
# its melds are those of the moves before.
_read_meld = lru_cache(maxsize=8192)(Meld.parse)


def _table(text: str) -> Table:
    """The melds of a table."""
    return parse_table(text) if "(" in text else tuple(map(_read_meld, text.split()))


def _seat_changed(
    state: TableState, entry: log.Left | log.CameBack | log.StoodIn, at: int
) -> TableState:
    user = state.seats[entry.seat].user
    if user is None or user not in state.people:
        return state
    person = state.people[user]
    if isinstance(entry, log.Left):
        person = replace(person, chose_to_leave=entry.chosen, left_at=at)
    elif isinstance(entry, log.CameBack):
        person = replace(person, chose_to_leave=False, left_at=None)
    state = replace(state, people={**state.people, user: person})
    running = state.match.running if state.match is not None else None
    due = state.deadline
    mine = running is not None and running.seat == entry.seat
    if mine and due is not None and isinstance(entry, log.CameBack):
        state = replace(state, deadline=max(due, at + RETURN_TIME))
    return state


def _set_turn_clock(state: TableState, before: Match, at: int) -> TableState:
    match = state.match
    assert match is not None
    running, last = match.running, before.running
    if running is None:
        return replace(state, since=at, deadline=None)
    if last is not None and (last.number, last.turn) == (running.number, running.turn):
        return state
    timer = state.rules.timer
    deadline = None if timer is None else at + timer * 1000
    return replace(state, since=at, deadline=deadline)


class _Oracle:
    """Tells whether one can play; the solver is loaded when a table's rules first ask."""

    def can_play(self, position: Position, rules: Rules) -> bool:
        from meldwise.solver import SolverOracle

        return SolverOracle().can_play(position, rules)


_ORACLE: Final = _Oracle()


def oracle_for(rules: Rules) -> PlayOracle | None:
    """What tells whether one can play; None where the rules never ask."""
    return None if rules.must_play is MustPlay.NEVER else _ORACLE
