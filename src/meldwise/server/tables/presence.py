"""Who is connected to a table, here and in other processes.

A row of the database says that a user has a connection to a table in a process. It is
written when the first of a user's connections here opens, and taken away some time after
the last one closed, so that a page that is loaded anew changes nothing. Others hear of it
and read the rows once, however many come at the same time. The rows of a process that was
killed are cleared up by another one, which misses its heartbeat.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from meldwise.server.store.errors import DATABASE_ERRORS
from meldwise.server.store.writer import ClashError
from meldwise.server.tables import entries as log
from meldwise.server.tables.commands import come_back

if TYPE_CHECKING:
    from meldwise.server.tables.actor import TableActor
    from meldwise.server.tables.client import TableClient

__all__ = ["Presence"]

COUNT_AFTER: Final = 0.2
"""How long, in seconds, a count waits for more that change it."""


class Presence:
    """Who is at a table.

    Args:
        actor: the table.
    """

    def __init__(self, actor: TableActor) -> None:
        self._actor = actor
        self._noted: set[str] = set()
        # Whether other processes may have told of something that was not read.
        self._stale = actor.keeper.shared
        self._counting: asyncio.Task[None] | None = None

    async def prepare(self) -> None:
        """Learns who is connected elsewhere, if nobody here has wanted to know it yet."""
        if self._stale:
            await self._count()

    async def arrived(self, user: str) -> None:
        """Notes a connection, and that somebody with a seat has come."""
        actor = self._actor
        seated = bool(actor.state.seats_of(user))
        if seated or actor.keeper.shared:
            await self._arrive(user)
        if seated:
            async with actor.lock:
                await self.note_arrivals()

    async def note_arrivals(self) -> None:
        """Writes down who is connected and was not; the lock is held."""
        actor = self._actor
        here = actor.audience.users
        for user, person in list(actor.state.people.items()):
            if user not in here or person.connected or actor.state.closed:
                continue
            entries: list[log.Entry] = [log.Came(user=user)]
            if not person.chose_to_leave and actor.state.started:
                entries += come_back(actor.state, user)
            try:
                await actor.append(entries)
            except ClashError:
                # Another process was quicker; what is left to write down is looked for again.
                await actor.catch_up()
                self.check_soon()
            await self._arrive(user)

    def gone(self, client: TableClient) -> None:
        """A connection has closed."""
        actor = self._actor
        actor.audience.clients.discard(client)
        actor.used = actor.keeper.now()
        actor.audience.tell_watchers(actor.state)
        user = client.user.id
        known = user in self._noted or user in actor.state.people
        if known and not actor.stopped and user not in actor.audience.users:
            self.check_soon()

    def check_soon(self) -> None:
        """Looks in a moment who has gone; a page that is loaded anew is back by then."""
        keeper = self._actor.keeper
        loop = asyncio.get_running_loop()
        loop.call_later(keeper.settings.away_after, lambda: keeper.spawn(self.check()))

    async def check(self) -> None:
        """Writes down who has come here, and who is connected in no process any more."""
        actor = self._actor
        async with actor.lock:
            if actor.stopped:
                return
            try:
                for user in sorted(self._noted - actor.audience.users):
                    await self._depart(user)
                # Looked at now: the match may have ended while others were writing.
                if actor.state.closed or actor.state.over:
                    return
                await self.note_arrivals()
                for user, person in list(actor.state.people.items()):
                    if not person.connected or user in actor.audience.users:
                        continue
                    if user not in await actor.keeper.store.present(actor.state.id):
                        await actor.append([log.WentAway(user=user)])
            except ClashError:
                await actor.catch_up()
                self.check_soon()
            except DATABASE_ERRORS:
                self.check_soon()

    async def announce(self) -> None:
        """Notes all connections anew, since others took this process for dead."""
        self._noted.clear()
        for user in sorted(self._actor.audience.users):
            await self.arrived(user)

    def count_soon(self) -> None:
        """Counts in a moment who is connected elsewhere, if anybody here is to be told."""
        self._stale = True
        if self._counting is None and self._actor.audience.clients:
            self._counting = self._actor.keeper.spawn(self._count_later())

    async def _count_later(self) -> None:
        await asyncio.sleep(COUNT_AFTER)
        self._counting = None
        if not self._actor.audience.clients:
            return
        try:
            await self._count()
        except DATABASE_ERRORS:
            self.count_soon()

    async def _count(self) -> None:
        # What is told of from now on is read by the next count.
        self._stale = False
        actor = self._actor
        try:
            elsewhere = await actor.keeper.store.elsewhere(actor.state.id)
        except BaseException:
            self._stale = True
            raise
        actor.audience.elsewhere = elsewhere
        actor.audience.tell_watchers(actor.state)
        anywhere = actor.audience.users | elsewhere
        people = actor.state.people.items()
        if any(person.connected and user not in anywhere for user, person in people):
            # A process that ended may have had no time to write down who went away.
            self.check_soon()

    async def _arrive(self, user: str) -> None:
        if user in self._noted:
            return
        # Before it is written: writes are done in the order in which they are asked for.
        self._noted.add(user)
        try:
            await self._actor.keeper.store.arrive(self._actor.state.id, user)
        except BaseException:
            self._noted.discard(user)
            raise

    async def _depart(self, user: str) -> None:
        self._noted.discard(user)
        try:
            await self._actor.keeper.store.depart(self._actor.state.id, user)
        except BaseException:
            self._noted.add(user)
            raise
