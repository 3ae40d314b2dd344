"""A table as one process holds it: the state, who listens, and what is due.

The state in memory is a cache of the log. Whoever wants to change the table verifies
against it, writes the next entries, and begins again if somebody else was quicker.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import deque
from collections.abc import Coroutine, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

from meldwise import protocol
from meldwise.game.codes import Code
from meldwise.protocol import commands as ask
from meldwise.protocol import messages
from meldwise.protocol.values import Draft
from meldwise.server.errors import ServerError
from meldwise.server.languages import speaking
from meldwise.server.security.limits import Limits
from meldwise.server.store.errors import DATABASE_ERRORS, reason_of
from meldwise.server.store.writer import Append, ClashError
from meldwise.server.tables import entries as log
from meldwise.server.tables import views
from meldwise.server.tables.audience import Audience
from meldwise.server.tables.commands import User, decide
from meldwise.server.tables.drafts import DraftBook
from meldwise.server.tables.hints import HintDesk
from meldwise.server.tables.history import History
from meldwise.server.tables.presence import Presence
from meldwise.server.tables.state import StepEvent, TableState, apply, beginning
from meldwise.server.tables.summary import record_text, table_row
from meldwise.server.tables.tasks import Task, TaskKind, entries_of, next_task
from meldwise.server.tables.thinking import entry_of, seed_of

if TYPE_CHECKING:
    from meldwise.server.store.store import Store
    from meldwise.server.tables.client import TableClient
    from meldwise.server.tables.keeper import Keeper

__all__ = ["Answer", "TableActor"]

logger = logging.getLogger(__name__)

_T = TypeVar("_T")

Answer: TypeAlias = messages.Reply | messages.Verdicted | messages.Hinted

_TRIES: Final = 12
_CHAT_RATE: Final = 1.0
_CHAT_SIZE: Final = 20
"""Lines of chat of one user: a second in the long run, and at once."""

_OTHERS: Final = 2_000
"""How much later, in milliseconds, a process does what another one is about to do."""


class TableActor:
    """A loaded table. Made by :meth:`load`.

    Attributes:
        state: the state after the newest known entry.
        audience: the open connections.
        presence: who is connected, here and elsewhere.
        lock: held by whoever changes the table.
        stopped: whether nothing is to be done any more.
        used: when it was last used, in milliseconds.
    """

    def __init__(self, keeper: Keeper, state: TableState, drafts: DraftBook) -> None:
        self.keeper = keeper
        self.state = state
        self.drafts = drafts
        self.audience = Audience()
        self.used = keeper.now()
        self.lock = asyncio.Lock()
        self.presence = Presence(self)
        self._history = History()
        self._hints = HintDesk(keeper.thinkers)
        self._timer: asyncio.TimerHandle | None = None
        self._thinking: tuple[int, asyncio.Task[None]] | None = None
        self.stopped = False
        self._works: set[asyncio.Task[Any]] = set()
        self._talkers = Limits(_CHAT_RATE, _CHAT_SIZE)

    @classmethod
    async def load(cls, keeper: Keeper, table: str) -> TableActor:
        """Replays the log of a table.

        Raises:
            ServerError: if there is no such table.
        """
        entries = await keeper.store.log(table)
        if not entries:
            raise ServerError(Code.TABLE_UNKNOWN)
        drafts = DraftBook(await keeper.store.drafts(table))
        actor = cls(keeper, beginning(table, entries[0]), drafts)
        for count, logged in enumerate(entries[1:]):
            actor._keep(logged, *apply(actor.state, logged))
            if count % 50 == 49:
                await asyncio.sleep(0)  # A long log is not to hold up everybody else.
        actor._schedule(next_task(actor.state), own=True)
        actor.presence.check_soon()
        return actor

    @property
    def _store(self) -> Store:
        return self.keeper.store

    # --- commands -----------------------------------------------------------

    async def command(
        self, user: User, command: ask.Command, sender: TableClient | None = None
    ) -> Answer:
        """Does what a user asks for; returns when it is on disk.

        Raises:
            GameError: if it is refused.
        """
        self.used = self.keeper.now()
        await self._not_behind(command.seen)
        match command:
            case ask.KeepDraft():
                return await self.drafts.keep(self, user, command, sender)
            case ask.Check():
                return self.drafts.check(self.state, user, command)
            case ask.Hint():
                return await self._hints.ask(self.state, user, command)
            case _:
                return await self._whole(self._change(user, command))

    async def _whole(self, work: Coroutine[Any, Any, _T]) -> _T:
        """Does something to its end, also if whoever asked for it has gone meanwhile.

        What is on disk and not in memory would be known to nobody here.
        """
        task = asyncio.create_task(work)
        self._works.add(task)
        task.add_done_callback(self._works.discard)
        task.add_done_callback(lambda done: done.cancelled() or done.exception())
        return await asyncio.shield(task)

    async def _change(self, user: User, command: ask.Command) -> messages.Reply:
        async with self.lock:
            for attempt in range(_TRIES):
                try:
                    if (seq := self._history.done(user.id, command.id)) is not None:
                        return messages.Reply(to=command.id, seq=seq, repeated=True)
                    entries = await self._entries(user, command)
                    if not entries:
                        seq = self.state.seq
                        return messages.Reply(to=command.id, seq=seq, repeated=False)
                    seq = await self.append(entries, user.id, command.id)
                    await self.presence.note_arrivals()
                    return messages.Reply(to=command.id, seq=seq, repeated=False)
                except ClashError:
                    await self.catch_up()
                except DATABASE_ERRORS as error:
                    await self._wait_for_database(attempt, error)
            raise ServerError(Code.SERVER_UNREACHABLE, what="the database", reason="too busy")

    async def _entries(self, user: User, command: ask.Command) -> list[log.Entry]:
        if isinstance(command, ask.Rematch):
            state = self.state
            if not state.seats_of(user.id):
                raise ServerError(Code.TABLE_NO_SEAT)
            if not state.over:
                raise ServerError(Code.TABLE_NOT_OVER)
            if state.rematch is not None:
                return []
            return [log.Rematch(table=await self.keeper.rematch(state, user))]
        if isinstance(command, ask.Say):
            self._talkers.check(user.id)
        entries = decide(self.state, user, command, self.keeper.computers)
        if any(isinstance(entry, log.PlayedTable | log.DrewTile) for entry in entries):
            self.keeper.metrics.moves.inc()
        return entries

    # --- the log ------------------------------------------------------------

    async def append(
        self, entries: Sequence[log.Entry], user: str | None = None, key: str | None = None
    ) -> int:
        """Writes entries and what follows from them at once; the number of the first.

        The lock is held.

        Raises:
            ClashError: if the log has gone on in the meantime.
        """
        state, now = self.state, max(self.keeper.now(), self.state.at)
        taken: list[tuple[log.Logged, TableState, tuple[StepEvent, ...]]] = []
        waiting, task = deque(entries), None
        while waiting:
            logged = log.Logged(
                seq=state.seq + 1,
                at=now,
                user=user,
                key=key if not taken else None,
                entry=waiting.popleft(),
            )
            state, events = apply(state, logged)
            taken.append((logged, state, events))
            task = None if waiting else next_task(state)
            if task is not None and task.due == 0:
                sitter = self.keeper.sitter
                waiting.extend(entries_of(task, state, now, secrets.token_hex(32), sitter))
        before = self.state
        record = None
        if state.over and not before.over:
            earlier = await self._store.log(state.id)
            record = record_text([*earlier, *(logged for logged, _, _ in taken)])
        append = Append(
            table=state.id,
            rows=[self.keeper.row_of(state.id, logged) for logged, _, _ in taken],
            row=table_row(state, task),
            joined=sorted(set(state.people) - set(before.people)),
            parted=sorted(set(before.people) - set(state.people)),
            record=record,
        )
        await self._store.append(append)
        for logged, after, events in taken:
            self._advance(logged, after, events)
        self._schedule(task, own=True)
        return taken[0][0].seq

    async def _not_behind(self, seen: int) -> None:
        """Reads the log if the user has seen more of it than this process."""
        if seen > self.state.seq and self.keeper.shared:
            await self.refresh()

    async def refresh(self) -> None:
        """Takes over what other processes have written."""
        async with self.lock:
            await self.catch_up()

    async def catch_up(self) -> None:
        """Takes over what other processes have written; the lock is held."""
        for logged in await self._store.newer(self.state.id, self.state.seq):
            state, events = apply(self.state, logged)
            self._advance(logged, state, events)
        self._schedule(next_task(self.state), own=False)

    async def refresh_draft(self, seat: int) -> None:
        """Takes over a draft that another process has kept."""
        self.drafts.renew(await self._store.drafts(self.state.id))
        draft = self.drafts.get(seat)
        if draft is not None:
            self.show_draft(draft, None)

    def _keep(self, logged: log.Logged, state: TableState, events: tuple[StepEvent, ...]) -> None:
        self.state = state
        self._history.keep(logged, events)

    def _advance(
        self, logged: log.Logged, state: TableState, events: tuple[StepEvent, ...]
    ) -> None:
        seats = self.state.seats
        self._keep(logged, state, events)
        self.audience.tell(logged, state, events, self.keeper.now())
        if state.seats is not seats:
            self.audience.tell_watchers(state)

    async def _wait_for_database(self, attempt: int, error: Exception) -> None:
        """Waits, since the database may be back in a moment; then reads what was written."""
        logger.warning("the database does not answer", extra={"table": self.state.id})
        if attempt >= _TRIES - 1:
            raise ServerError(
                Code.SERVER_UNREACHABLE, what="the database", reason=reason_of(error)
            ) from error
        await asyncio.sleep(min(2.0, 0.1 * 2**attempt))
        try:
            await self.catch_up()
        except DATABASE_ERRORS:
            return

    # --- what is due --------------------------------------------------------

    def _schedule(self, task: Task | None, own: bool) -> None:
        """Sets the timer for what is due next; later if another process is about to do it."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if task is None or self.stopped:
            return
        due = task.due if own else max(task.due, self.state.at) + _OTHERS
        if task.kind is TaskKind.THINK and own:
            self._begin_thinking(task)
            return
        delay = max(0, due - self.keeper.now()) / 1000
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(min(delay, 3600), self._fire)

    def _fire(self) -> None:
        self._timer = None
        if not self.stopped:
            self.keeper.spawn(self.tick())

    async def tick(self) -> None:
        """Does what is due."""
        async with self.lock:
            for attempt in range(_TRIES):
                task = next_task(self.state)
                if task is None or self.stopped or task.due > self.keeper.now():
                    break
                if task.kind is TaskKind.THINK:
                    break
                try:
                    await self.append(await self._due_entries(task))
                except ClashError:
                    await self.catch_up()
                except DATABASE_ERRORS as error:
                    await self._wait_for_database(attempt, error)
            self._schedule(next_task(self.state), own=True)

    async def _due_entries(self, task: Task) -> list[log.Entry]:
        state, now = self.state, self.keeper.now()
        if task.kind is not TaskKind.TIME_OUT:
            seed, sitter = secrets.token_hex(32), self.keeper.sitter
            return entries_of(task, state, now, seed, sitter)
        assert task.seat is not None
        if self.keeper.shared:
            self.drafts.renew(await self._store.drafts(state.id))
        return [self.drafts.time_out(state, task.seat)]

    def _begin_thinking(self, task: Task) -> None:
        if self._thinking is not None:
            seq, running = self._thinking
            if seq == self.state.match_seq and not running.done():
                return
            running.cancel()
        work = self.keeper.spawn(self._think(task, self.state.match_seq))
        self._thinking = (self.state.match_seq, work)

    async def _think(self, task: Task, match_seq: int) -> None:
        """Lets a computer player choose, waits like a person would, and moves."""
        state, seat = self.state, task.seat
        assert state.match is not None
        assert seat is not None
        player = state.played_by(seat)
        assert player is not None
        seed = seed_of(state.secret, seat)
        action = await self.keeper.thinkers.choose(player, seed, state.match, seat)
        await asyncio.sleep(max(0, task.due - self.keeper.now()) / 1000)
        async with self.lock:
            for attempt in range(_TRIES):
                now_due = next_task(self.state)
                if self.state.match_seq != match_seq or now_due is None or self.stopped:
                    return
                if now_due.kind is not TaskKind.THINK:
                    break
                try:
                    await self.append([entry_of(action)])
                    return
                except ClashError:
                    await self.catch_up()
                except DATABASE_ERRORS as error:
                    await self._wait_for_database(attempt, error)
        self._schedule(next_task(self.state), own=True)

    # --- who is there -------------------------------------------------------

    async def welcome(self, client: TableClient, seen: int | None) -> None:
        """Tells a client everything, and everything that happens from now on.

        Raises:
            ServerError: if the user may not watch.
        """
        self.used = self.keeper.now()
        await self._not_behind(seen or 0)
        await self.presence.prepare()
        async with self.lock:
            self.check_may_watch(client.user)
            client.send(protocol.encode(self.welcome_message(client.user, seen)))
            self.audience.clients.add(client)
        self.used = self.keeper.now()
        self.audience.tell_watchers(self.state)
        await self._whole(self.presence.arrived(client.user.id))

    def check_may_watch(self, user: User) -> None:
        """Asks whether a user may see the table.

        Raises:
            ServerError: if not.
        """
        state = self.state
        if state.seats_of(user.id) or state.host == user.id:
            return
        if user.id in state.banned:
            raise ServerError(Code.TABLE_KICKED)
        if state.started and not state.settings.spectators:
            raise ServerError(Code.TABLE_NO_SPECTATORS)

    def welcome_message(self, user: User, seen: int | None) -> messages.Welcome:
        """Everything that a client needs to show the table."""
        state = self.state
        mine = state.seats_of(user.id)
        with speaking(user.language):
            return messages.Welcome(
                table=state.id,
                code=state.code if mine or state.host == user.id else None,
                user=user.id,
                settings=views.settings_data(state.settings),
                state=views.state_data(state, mine, self.keeper.now()),
                drafts=self.drafts.shown_to(state, mine),
                history=self._history.told(mine, seen),
                chat=self._history.chat(mine),
                watchers=self.audience.watchers(state),
            )

    def show_draft(self, draft: Draft, sender: TableClient | None) -> None:
        """Shows a draft to those who may see it, but for the connection that sent it."""
        self.audience.show_draft(self.drafts, draft, self.state, sender)

    # --- the end ------------------------------------------------------------

    @property
    def idle(self) -> bool:
        """Whether nobody would miss it: no connection, and nothing due in the next minute."""
        task = next_task(self.state)
        now = self.keeper.now()
        soon = task is not None and task.due < now + 60_000
        busy = self.lock.locked() or self._hints.busy
        return not self.audience.clients and not soon and not busy and now - self.used > 30_000

    async def stop(self) -> None:
        """Finishes what is being written, and does nothing more."""
        self.stopped = True
        if self._timer is not None:
            self._timer.cancel()
        if self._thinking is not None:
            self._thinking[1].cancel()
        await asyncio.gather(*self._works, return_exceptions=True)
        async with self.lock:
            pass
