"""What a table does by itself, and when: it follows from the state alone.

Any process may do it, also one that has just started: what is due is due by the log.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from meldwise.game.rules import MatchEnd
from meldwise.server.tables import entries as log
from meldwise.server.tables.state import TableState

__all__ = ["LAG", "Task", "TaskKind", "entries_of", "next_task", "tasks"]

LAG: Final = 750
"""How much later than the deadline a turn is ended, for moves that are under way."""

ABANDONED: Final = 2 * 3_600_000
"""After how long a table closes at which nobody has been while it waited."""

PACES: Final = {"none": (0, 0), "quick": (250, 600), "natural": (1_200, 2_800)}
"""The shortest and the longest pause before a computer player's move, in milliseconds."""


class TaskKind(Enum):
    """What there is to do."""

    COMMIT = auto()
    END_BY_TIME = auto()
    BEGIN_ROUND = auto()
    TIME_OUT = auto()
    THINK = auto()
    LEAVE = auto()
    STAND_IN = auto()
    PAUSE = auto()
    CLOSE = auto()


@dataclass(frozen=True, slots=True)
class Task:
    """Something to do at a time.

    Attributes:
        due: when, in milliseconds since 1970; 0 for at once.
        kind: what.
        seat: for which seat, where it is about one.
        user: for which user, where it is about one.
    """

    due: int
    kind: TaskKind
    seat: int | None = None
    user: str | None = None


def tasks(state: TableState) -> Iterator[Task]:
    """All that the table will do by itself, as the state stands."""
    if state.closed or state.over:
        return
    if not state.started:
        if not any(person.connected for person in state.people.values()):
            yield Task(state.at + ABANDONED, TaskKind.CLOSE)
        return
    if state.paused:
        return
    yield from _absences(state)
    match = state.match
    assert match is not None
    running = match.running
    if running is not None:
        seat = running.seat
        if state.played_by(seat) is not None:
            yield Task(state.since + pause_of(state), TaskKind.THINK, seat=seat)
        elif state.deadline is not None:
            yield Task(state.deadline + LAG, TaskKind.TIME_OUT, seat=seat)
    elif match.commitment is None:
        if time_is_up(state, state.at):
            yield Task(0, TaskKind.END_BY_TIME)
        else:
            yield Task(0, TaskKind.COMMIT)
    elif _all_ready(state):
        yield Task(0, TaskKind.BEGIN_ROUND)
    elif state.deadline is not None:
        yield Task(state.deadline, TaskKind.BEGIN_ROUND)


def next_task(state: TableState) -> Task | None:
    """What the table does next by itself; None if it waits for somebody."""
    return min(tasks(state), key=lambda task: task.due, default=None)


def entries_of(task: Task, state: TableState, now: int, seed: str, sitter: str) -> list[log.Entry]:
    """The entries that a task amounts to, but for thinking and time-outs.

    Args:
        task: the task, which is due.
        state: the state.
        now: the time in milliseconds.
        seed: 64 random hex digits, for a commitment.
        sitter: the computer player that sits in for people.
    """
    match task.kind:
        case TaskKind.COMMIT:
            return [log.Committed(seed=seed)]
        case TaskKind.BEGIN_ROUND:
            return [log.Began(clock=clock_of(state, now))]
        case TaskKind.END_BY_TIME:
            return [log.TimeEnded(clock=state.clock(now))]
        case TaskKind.LEAVE:
            seats = state.seats_of(task.user)
            found: list[log.Entry] = [log.Left(seat=seat, chosen=False) for seat in seats]
            return found + [log.StoodIn(seat=seat, player=sitter) for seat in seats]
        case TaskKind.STAND_IN:
            return [
                log.StoodIn(seat=seat, player=sitter)
                for seat in state.seats_of(task.user)
                if state.played_by(seat) is None
            ]
        case TaskKind.PAUSE:
            return [log.PausedNow(reason="absent")]
        case TaskKind.CLOSE:
            return [log.ClosedTable(reason="abandoned")]
        case _:
            return []


def clock_of(state: TableState, now: int) -> int | None:
    """The clock reading for a round's beginning; None where the rules ask for none."""
    return state.clock(now) if state.rules.match_end is MatchEnd.TIME else None


def time_is_up(state: TableState, now: int) -> bool:
    """Whether a match by time has to end now, between two rounds."""
    match = state.match
    return (
        match is not None
        and state.rules.match_end is MatchEnd.TIME
        and bool(match.results)
        and state.clock(now) >= state.rules.match_length
    )


def pause_of(state: TableState) -> int:
    """The pause before a computer player's move: the same for the same turn in any process."""
    low, high = PACES[state.settings.pace]
    digest = hashlib.sha256(f"{state.secret} {state.match_seq} {state.since}".encode()).digest()
    return low + int.from_bytes(digest[:4], "big") % (high - low + 1)


def _all_ready(state: TableState) -> bool:
    """Whether all who are there are ready, and somebody is there."""
    ready = {seat for seat, _ in state.ready}
    waited = [
        seat
        for seat, place in enumerate(state.seats)
        if place.user is not None
        and state.people[place.user].connected
        and not state.has_left(seat)
    ]
    if not any(place.user for place in state.seats):
        return True
    if not waited:
        return all(state.has_left(seat) for seat, place in enumerate(state.seats) if place.user)
    return ready.issuperset(waited)


def _absences(state: TableState) -> Iterator[Task]:
    grace = state.rules.leaver_grace * 1000
    for user, person in state.people.items():
        if person.away_since is None and person.left_at is None:
            continue
        if all(state.has_left(seat) for seat in state.seats_of(user)):
            # The result stays with who left; somebody sits in after the same grace.
            if person.left_at is not None and any(
                state.played_by(seat) is None for seat in state.seats_of(user)
            ):
                yield Task(person.left_at + grace, TaskKind.STAND_IN, user=user)
        elif person.away_since is not None:
            kind = TaskKind.PAUSE if state.solo else TaskKind.LEAVE
            yield Task(person.away_since + grace, kind, user=user)
