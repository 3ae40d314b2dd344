"""The tables that a process has loaded, and the sweeper that does what nobody else does."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable, Coroutine
from typing import Any, Final, TypeVar

from meldwise.game.codes import Code
from meldwise.players import create_player
from meldwise.players.base import Means
from meldwise.protocol import http
from meldwise.server.config import Settings
from meldwise.server.errors import ServerError
from meldwise.server.hub import Hub
from meldwise.server.metrics import Metrics
from meldwise.server.store.errors import DATABASE_ERRORS
from meldwise.server.store.store import Store, event_row
from meldwise.server.tables import entries as log
from meldwise.server.tables.actor import TableActor
from meldwise.server.tables.commands import (
    User,
    changed_settings,
    clean_line,
    computer_name,
)
from meldwise.server.tables.computers import check_offered, computer_players, default_sitter
from meldwise.server.tables.state import TableState, apply, beginning
from meldwise.server.tables.summary import table_row
from meldwise.server.tables.tasks import next_task
from meldwise.server.tables.thinking import Thinkers

__all__ = ["Keeper"]

logger = logging.getLogger(__name__)

_T = TypeVar("_T")

_ALPHABET: Final = "23456789abcdefghjkmnpqrstuvwxyz"
_CODE_ALPHABET: Final = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
_SWEEP: Final = 2.0
_BEAT: Final = 5.0
_DEAD_AFTER: Final = 20_000
_SLACK: Final = 2_500
_BROKEN_FOR: Final = 60_000


class Keeper:
    """Loads tables on demand, and lets go of those that are idle.

    Attributes:
        settings: the settings of the server.
        store: the database.
        shared: whether other processes may be at the same tables.
        thinkers: where computer players think.
        metrics: what is counted.
        now: gives the time, in milliseconds since 1970.
        computers: the computer players on offer, the weakest first.
        sitter: the one that sits in for people.
    """

    def __init__(
        self,
        settings: Settings,
        store: Store,
        hub: Hub,
        metrics: Metrics,
        clock: Callable[[], int],
    ) -> None:
        self.settings = settings
        self.store = store
        self.shared = hub.shared
        self.thinkers = Thinkers(settings.workers)
        self.metrics = metrics
        self.now = clock
        self.computers = computer_players(settings.computers)
        self.sitter = settings.sitter or default_sitter(self.computers)
        create_player(self.sitter, Means(0, lambda: 0.0))
        self._hub = hub
        self._loading: dict[str, asyncio.Task[TableActor]] = {}
        self._actors: dict[str, TableActor] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._broken: dict[str, int] = {}
        self._stopping = False

    def row_of(self, table: str, logged: log.Logged) -> dict[str, Any]:
        """The row of an entry."""
        return event_row(table, logged)

    def spawn(self, work: Coroutine[Any, Any, _T]) -> asyncio.Task[_T]:
        """Runs something beside; what goes wrong in it is logged."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            if not isinstance(error, (*DATABASE_ERRORS, ServerError)):
                self.metrics.errors.inc()
            logger.error("work on a table failed", exc_info=error)

    async def start(self) -> None:
        """Begins to listen and to sweep."""
        # The only process on a file of SQLite: whatever is noted of others is of the dead.
        now = self.now()
        await self.store.beat(now, now - _DEAD_AFTER if self.shared else now)
        await self._hub.start(self._heard)
        self.spawn(self._sweep())
        self.spawn(self._live())

    def say_bye(self) -> None:
        """Ends all connections, after what waits to be sent."""
        for actor in self._actors.values():
            for client in actor.audience.clients:
                client.end()

    async def stop(self) -> None:
        """Finishes what is being written, and does nothing more."""
        self._stopping = True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._hub.stop()
        await asyncio.gather(*(actor.stop() for actor in self._actors.values()))
        self.thinkers.close()
        try:
            await self.store.sign_off()
        except DATABASE_ERRORS:
            logger.warning("the database could not be told of the end")

    # --- tables -------------------------------------------------------------

    async def table(self, id: str) -> TableActor:
        """The table of an id, loaded.

        Raises:
            ServerError: if there is no such table, or it cannot be loaded.
        """
        if (actor := self._actors.get(id)) is not None:
            return actor
        if self._stopping:
            raise ServerError(Code.SERVER_STOPPING)
        if (loading := self._loading.get(id)) is None:
            loading = asyncio.create_task(self._load(id))
            self._loading[id] = loading
            loading.add_done_callback(lambda _: self._loading.pop(id, None))
        return await asyncio.shield(loading)

    async def _load(self, id: str) -> TableActor:
        try:
            actor = await TableActor.load(self, id)
        except (ServerError, *DATABASE_ERRORS):
            raise
        except Exception:
            # A log that this program cannot replay is for its makers to look at.
            logger.exception("a table cannot be loaded", extra={"table": id})
            self._broken[id] = self.now()
            self.metrics.errors.inc()
            raise ServerError(Code.SERVER_ERROR) from None
        self._actors[id] = actor
        self.metrics.tables.set(len(self._actors))
        return actor

    async def create(self, user: User, wanted: http.CreateTable) -> TableActor:
        """Opens a table; the same one for the same idempotency key.

        Raises:
            GameError: if the rules or a computer player refuse it.
            ServerError: if the user has as many tables as allowed.
        """
        if await self.store.unfinished_of(user.id) >= self.settings.most_tables:
            raise ServerError(Code.LIMIT_TABLES, most=self.settings.most_tables)
        settings = changed_settings(log.StoredSettings(), wanted.settings)
        settings.rules.check_players(max(len(wanted.seats), settings.rules.min_players))
        plans: list[log.SeatPlan] = []
        for seat in wanted.seats:
            match seat:
                case http.Mine():
                    name = clean_line(seat.name or user.name, 40) or user.name
                    plans.append(log.SeatPlan(name=name, user=user.id))
                case http.ComputerSeat():
                    check_offered(seat.player, self.computers)
                    taken = [plan.name for plan in plans]
                    name = computer_name(seat.player, taken)
                    plans.append(log.SeatPlan(name=name, player=seat.player))
                case http.OpenSeatPlan():
                    plans.append(log.SeatPlan())
        if wanted.start and any(plan.user is None and plan.player is None for plan in plans):
            settings.rules.check_players(
                sum(plan.user is not None or plan.player is not None for plan in plans)
            )
        more: list[log.Entry] = [log.Started()] if wanted.start else []
        table = await self._add(user, f"k:{wanted.id}", settings, plans, more)
        actor = await self.table(table)
        await asyncio.shield(self.spawn(actor.tick()))
        return actor

    async def rematch(self, state: TableState, user: User) -> str:
        """Opens a table with the same seats and settings; the id."""
        plans = [
            log.SeatPlan(name=seat.name, user=seat.user, player=seat.player) for seat in state.seats
        ]
        return await self._add(user, f"r:{state.id}", state.settings, plans, [])

    async def _add(
        self,
        user: User,
        key: str,
        settings: log.StoredSettings,
        plans: list[log.SeatPlan],
        more: list[log.Entry],
    ) -> str:
        id = "".join(secrets.choice(_ALPHABET) for _ in range(14))
        code = "".join(secrets.choice(_CODE_ALPHABET) for _ in range(7))
        created = log.Created(
            host=user.id, code=code, secret=secrets.token_hex(16), settings=settings, seats=plans
        )
        now = self.now()
        entries = [
            log.Logged(seq=seq, at=now, user=user.id, key=None, entry=entry)
            for seq, entry in enumerate([created, *more], start=1)
        ]
        state = beginning(id, entries[0])
        for logged in entries[1:]:
            state, _ = apply(state, logged)
        row = {**table_row(state, next_task(state)), "members": set(state.people)}
        return await self.store.add_table(id, code, user.id, key, entries, row)

    # --- beside -------------------------------------------------------------

    async def _heard(self, table: str, what: str) -> None:
        """Another process has changed a table, or notices were lost."""
        if what == "?":
            for actor in list(self._actors.values()):
                self.spawn(actor.refresh())
                actor.presence.count_soon()
        elif (known := self._actors.get(table)) is not None:
            if what == "w":
                known.presence.count_soon()
            elif what == "p":
                known.presence.count_soon()
                known.presence.check_soon()
            elif what.startswith("d"):
                self.spawn(known.refresh_draft(int(what[1:])))
            elif int(what) > known.state.seq:
                self.spawn(known.refresh())

    async def _sweep(self) -> None:
        """Does what is overdue at tables that nobody has loaded, and lets go of idle ones."""
        while True:
            try:
                for id in await self.store.overdue(self.now() - _SLACK):
                    if self.now() - self._broken.get(id, 0) < _BROKEN_FOR:
                        continue
                    try:
                        actor = await self.table(id)
                        await actor.refresh()
                        await actor.tick()
                    except ServerError:
                        continue
            except DATABASE_ERRORS:
                logger.warning("the database does not answer the sweeper")
            for id, actor in list(self._actors.items()):
                if actor.idle:
                    del self._actors[id]
                    await actor.stop()
            self.metrics.tables.set(len(self._actors))
            await asyncio.sleep(_SWEEP)

    async def _live(self) -> None:
        """Says again and again that this process lives, and clears up after dead ones."""
        while True:
            await asyncio.sleep(_BEAT)
            now = self.now()
            try:
                beat = await self.store.beat(now, now - _DEAD_AFTER)
                for id in beat.orphaned:
                    actor = await self.table(id)
                    actor.presence.count_soon()
                    self.spawn(actor.presence.check())
                if beat.first:
                    # It was so long without a beat that others took it for dead.
                    for actor in list(self._actors.values()):
                        self.spawn(actor.presence.announce())
            except (*DATABASE_ERRORS, ServerError):
                logger.warning("the database does not answer the heartbeat")
