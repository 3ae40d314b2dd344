"""What of a table stands in lists and files: its row, its summary, and its record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from meldwise.game.record_text import format_record
from meldwise.game.session import Session
from meldwise.protocol import http
from meldwise.server.tables import entries as log
from meldwise.server.tables import state as states
from meldwise.server.tables.state import TableState
from meldwise.server.tables.tasks import Task
from meldwise.server.tables.views import game_title, rules_text

__all__ = ["StoredSummary", "read_summary", "record_text", "summary_for", "summary_of", "table_row"]


class StoredSummary(msgspec.Struct, frozen=True, kw_only=True):
    """A summary as kept: with the users of the seats, and whose turn it is."""

    id: str
    title: str
    game_title: str
    rules_text: str
    timer: int | None
    status: Any
    seats: list[http.SummarySeat]
    users: list[str | None]
    turn: int | None
    private: bool
    spectators: bool
    host: str
    since: int
    changed: int


_decoder = msgspec.json.Decoder(StoredSummary)
_encoder = msgspec.json.Encoder()


def read_summary(text: str) -> StoredSummary:
    """Reads a summary as kept."""
    return _decoder.decode(text)


def summary_of(state: TableState) -> StoredSummary:
    """The summary of a table."""
    running = state.match.running if state.match is not None else None
    host = next((seat.name for seat in state.seats if seat.user == state.host), "")
    return StoredSummary(
        id=state.id,
        title=state.settings.title,
        game_title=game_title(state.rules, state.settings.game),
        rules_text=rules_text(state.rules),
        timer=state.rules.timer,
        status=state.status,
        seats=[
            http.SummarySeat(
                kind="free" if seat.free else "computer" if seat.user is None else "person",
                name=seat.name,
                player=seat.player,
            )
            for seat in state.seats
        ],
        users=[seat.user for seat in state.seats],
        turn=None if running is None else running.seat,
        private=state.settings.private,
        spectators=state.settings.spectators,
        host=host,
        since=state.created,
        changed=state.at,
    )


def summary_for(stored: StoredSummary, user: str | None) -> http.Summary:
    """The summary as one user sees it."""
    mine = [seat for seat, who in enumerate(stored.users) if who is not None and who == user]
    return http.Summary(
        id=stored.id,
        title=stored.title,
        game_title=stored.game_title,
        rules_text=stored.rules_text,
        timer=stored.timer,
        status=stored.status,
        seats=stored.seats,
        private=stored.private,
        spectators=stored.spectators,
        host=stored.host,
        since=stored.since,
        changed=stored.changed,
        mine=mine,
        my_turn=stored.turn in mine,
    )


def table_row(state: TableState, task: Task | None) -> dict[str, Any]:
    """The row of a table in the database.

    Args:
        state: the table.
        task: what it does next by itself.
    """
    return {
        "status": state.status,
        "private": state.settings.private,
        "summary": _encoder.encode(summary_of(state)).decode(),
        "changed": state.at,
        "due": None if task is None else task.due,
    }


def record_text(entries: Sequence[log.Logged]) -> str:
    """The record of a match, from the log of its table."""
    state = states.beginning("", entries[0])
    session: Session | None = None
    for logged in entries[1:]:
        before = state
        state, _ = states.apply(state, logged)
        if isinstance(logged.entry, log.Started):
            assert state.match is not None
            oracle = states.oracle_for(state.rules)
            title = summary_of(state).game_title
            session = Session.new(title, state.rules, state.match.seats, oracle)
        elif session is not None and state.match is not before.match:
            session.apply(states.action_of(before, logged.entry))
    assert session is not None
    return format_record(session.record)
