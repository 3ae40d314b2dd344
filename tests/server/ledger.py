"""What clients were told over whole matches, held against the log of the server."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from meldwise import protocol
from meldwise.client import TableStream
from meldwise.client.table import Answer
from meldwise.game.record_text import read_record
from meldwise.game.replay import replay
from meldwise.protocol import commands as ask
from meldwise.protocol import messages
from meldwise.server.store import Store, database_url, open_engine
from meldwise.server.tables import entries as log
from meldwise.server.tables import state as states
from meldwise.server.tables import views
from meldwise.server.tables.summary import record_text

__all__ = ["Ledger", "LedgerStream", "stored_logs"]


@dataclass
class Ledger:
    """What the clients of a match were told.

    Attributes:
        acknowledged: the answers to commands, by user and idempotency key.
        idle: keys of commands that may have found nothing to change.
        updates: what each connection was told, in order, with the user.
    """

    acknowledged: dict[tuple[str | None, str], int] = field(default_factory=dict)
    idle: set[tuple[str | None, str]] = field(default_factory=set)
    updates: list[tuple[str, list[messages.Update]]] = field(default_factory=list)

    def check(self, logged: Sequence[log.Logged]) -> None:
        """Compares all of it with the log of a match that is over."""
        assert [entry.seq for entry in logged] == list(range(1, len(logged) + 1))
        keys = [(entry.user, entry.key) for entry in logged if entry.key is not None]
        assert len(keys) == len(set(keys)), "a command was done twice"
        written = {(entry.user, entry.key): entry.seq for entry in logged if entry.key is not None}
        # All clients had their answers in the end: none is missing, and nothing else is there.
        assert written.keys() <= self.acknowledged.keys()
        assert self.acknowledged.keys() - written.keys() <= self.idle
        assert all(self.acknowledged[key] == seq for key, seq in written.items())
        state = states.beginning("", logged[0])
        steps: dict[int, tuple[states.TableState, Any]] = {}
        for entry in logged[1:]:
            state, events = states.apply(state, entry)
            steps[entry.seq] = (state, events)
        assert state.over
        for user, updates in self.updates:
            told_of = [update.seq for update in updates]
            assert told_of == list(range(told_of[0], state.seq + 1)), (told_of, logged[-2:])
            for update in updates:
                after, events = steps[update.seq]
                told = views.tell(events, after.seats_of(user))
                assert protocol.encode(told) == protocol.encode(update.events)
        reading = read_record(record_text(logged))
        assert reading.record is not None
        assert not replay(reading.record).faults


class LedgerStream(TableStream):
    """The stream of a table, which notes in a ledger what it is told."""

    def __init__(self, url: str, table: str, token: str | None, ledger: Ledger) -> None:
        # A server that is killed again and again is hard to find there for some.
        super().__init__(url, table, token, patience=120)
        self._ledger = ledger
        self._noting: asyncio.Task[None] | None = None

    async def __aenter__(self) -> LedgerStream:
        await super().__aenter__()
        begun = asyncio.Event()
        self._noting = asyncio.create_task(self._note(begun))
        await begun.wait()
        return self

    async def close(self) -> None:
        """Closes the connection; everything told before is noted."""
        await super().close()
        if self._noting is not None:
            await self._noting

    async def _note(self, begun: asyncio.Event) -> None:
        noted: list[messages.Update] = []
        self._ledger.updates.append((self.welcome.user, noted))
        begun.set()
        async for update in self.updates():
            noted.append(update)

    async def send(self, command: ask.Command) -> Answer:
        """Sends a command; that it was acknowledged is noted."""
        answer = await super().send(command)
        if isinstance(answer, messages.Reply):
            key = (self.welcome.user, command.id)
            self._ledger.acknowledged[key] = answer.seq
            if isinstance(command, ask.BeReady):
                self._ledger.idle.add(key)
        return answer


async def stored_logs(database: str, tables: Sequence[str]) -> dict[str, list[log.Logged]]:
    """The logs of tables, read from the database itself."""
    engine = open_engine(database_url(database))
    try:
        store = Store(engine, "test")
        return {table: await store.log(table) for table in tables}
    finally:
        await engine.dispose()
