"""The one writer of a process: it commits many tables' entries together.

A commit waits for the disk. Whatever is asked for while one commit is under way goes into
the next, so that a busy server needs few of them; nothing waits for more to come.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from sqlalchemy import Executable, bindparam, delete, insert, update
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from meldwise.server.store import schema
from meldwise.server.store.database import is_sqlite
from meldwise.server.store.direct import DirectWriter, Statements
from meldwise.server.store.kept import KeptConnection

__all__ = ["Append", "ClashError", "DraftPut", "Writer"]

_T = TypeVar("_T")

_MOST: Final = 500
"""How many writes go into one commit at most."""


class ClashError(Exception):
    """Somebody else has written the next entry of the table in the meantime."""


@dataclass(slots=True)
class Append:
    """Entries to be added to the log of a table.

    Attributes:
        table: the id of the table.
        rows: rows of ``events``.
        row: the table's own row after them: status, private, summary, changed, due.
        joined: users who became members.
        parted: users who no longer are.
        record: the record of the match, if it is over by this.
    """

    table: str
    rows: list[dict[str, Any]]
    row: dict[str, Any]
    joined: Sequence[str] = ()
    parted: Sequence[str] = ()
    record: str | None = None


@dataclass(slots=True)
class DraftPut:
    """The draft of a seat, replacing the one before."""

    table: str
    seat: int
    data: str


@dataclass(slots=True)
class _Job:
    what: Append | DraftPut | Callable[[AsyncConnection], Awaitable[Any]]
    done: asyncio.Future[Any] = field(compare=False)


Notify = Callable[[AsyncConnection, Sequence[str]], Awaitable[None]]

_UPDATE_TABLE = (
    update(schema.tables)
    .where(schema.tables.c.id == bindparam("b_id"))
    .values(
        status=bindparam("b_status"),
        private=bindparam("b_private"),
        summary=bindparam("b_summary"),
        changed=bindparam("b_changed"),
        due=bindparam("b_due"),
    )
)
_INSERT_EVENT = insert(schema.events)
_INSERT_MEMBER = insert(schema.members)
_DELETE_MEMBER = delete(schema.members).where(
    schema.members.c.table_id == bindparam("b_table"),
    schema.members.c.user_id == bindparam("b_user"),
)
_INSERT_RECORD = insert(schema.records)
_INSERT_DRAFT = insert(schema.drafts)
_DELETE_DRAFT = delete(schema.drafts).where(
    schema.drafts.c.table_id == bindparam("b_table"), schema.drafts.c.seat == bindparam("b_seat")
)


class Writer:
    """Takes writes from everywhere in the process, in order, and commits them in batches.

    Args:
        engine: the database.
        notify: tells other processes of what changed, within the transaction; the notices
            are texts.
    """

    def __init__(self, engine: AsyncEngine, notify: Notify | None = None) -> None:
        self._notify = notify
        path = engine.url.database
        self._direct = DirectWriter(path) if is_sqlite(engine.url) and path else None
        self._kept = KeptConnection(engine)
        self._queue: asyncio.Queue[_Job | None] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None
        self.batches = 0
        self.writes = 0

    def start(self) -> None:
        """Begins to write."""
        self._task = asyncio.create_task(self._run(), name="writer")

    async def stop(self) -> None:
        """Writes what was asked for, and ends."""
        if self._task is not None:
            await self._queue.put(None)
            await self._task
            self._task = None
        if self._direct is not None:
            await self._direct.close()
        await self._kept.close()

    async def append(self, append: Append) -> None:
        """Adds entries; returns when they are on disk.

        Raises:
            ClashError: if the log has other entries in their place.
            SQLAlchemyError: if the database cannot be reached; so may OSError be raised.
        """
        await self._ask(append)

    async def put_draft(self, draft: DraftPut) -> None:
        """Keeps a draft; returns when it is on disk."""
        await self._ask(draft)

    async def run(self, job: Callable[[AsyncConnection], Awaitable[_T]]) -> _T:
        """Runs other writes in a transaction of their own."""
        result: _T = await self._ask(job)
        return result

    async def _ask(
        self, what: Append | DraftPut | Callable[[AsyncConnection], Awaitable[Any]]
    ) -> Any:
        job = _Job(what, asyncio.get_running_loop().create_future())
        self._queue.put_nowait(job)
        # Whoever gives up waiting does not undo what is under way: only this is cancelled.
        return await job.done

    async def _run(self) -> None:
        stopping = False
        while not stopping:
            jobs: list[_Job] = []
            first = await self._queue.get()
            if first is None:
                return
            jobs.append(first)
            while len(jobs) < _MOST and not self._queue.empty():
                more = self._queue.get_nowait()
                if more is None:
                    stopping = True
                    break
                jobs.append(more)
            bulk = [job for job in jobs if isinstance(job.what, Append | DraftPut)]
            if bulk:
                await self._commit(bulk)
            for job in jobs:
                if not isinstance(job.what, Append | DraftPut):
                    await self._commit_one(job, job.what)

    async def _commit(self, jobs: list[_Job]) -> None:
        """All in one transaction; if they cannot be, each in its own."""
        try:
            await self._write([job.what for job in jobs if not callable(job.what)])
        except IntegrityError as error:
            if len(jobs) > 1:
                for job in jobs:
                    await self._commit([job])
            else:
                clash = ClashError()
                clash.__cause__ = error
                _fail(jobs[0], clash)
            return
        except Exception as error:
            retry = isinstance(error, DBAPIError) and not error.connection_invalidated
            if len(jobs) > 1 and retry:
                for job in jobs:
                    await self._commit([job])
                return
            for job in jobs:
                _fail(job, error)
            return
        self.batches += 1
        self.writes += len(jobs)
        for job in jobs:
            if not job.done.done():
                job.done.set_result(None)

    async def _write(self, items: Sequence[Append | DraftPut]) -> None:
        statements = statements_for(items)
        if self._direct is not None:
            await self._direct.commit(statements)
            return
        async with self._kept.used() as connection, connection.begin():
            for statement, rows in statements:
                await connection.execute(statement, rows)
            if self._notify is not None:
                await self._notify(connection, notices_of(items))

    async def _commit_one(
        self, job: _Job, what: Callable[[AsyncConnection], Awaitable[Any]]
    ) -> None:
        try:
            async with self._kept.used() as connection, connection.begin():
                result = await what(connection)
        except Exception as error:
            _fail(job, error)
            return
        self.batches += 1
        self.writes += 1
        if not job.done.done():
            job.done.set_result(result)


def _fail(job: _Job, error: Exception) -> None:
    if not job.done.done():
        job.done.set_exception(error)


def statements_for(items: Sequence[Append | DraftPut]) -> Statements:
    """What is written for some items, in the same order in every process.

    So no two processes wait for each other.
    """
    appends = sorted((i for i in items if isinstance(i, Append)), key=lambda i: i.table)
    drafts = {(i.table, i.seat): i for i in items if isinstance(i, DraftPut)}
    newest = {item.table: item.row for item in appends}
    tables = [
        {"b_id": table, **{f"b_{name}": value for name, value in row.items()}}
        for table, row in sorted(newest.items())
    ]
    found: list[tuple[Executable, list[dict[str, Any]]]] = [
        (_INSERT_EVENT, [row for item in appends for row in item.rows]),
        (_UPDATE_TABLE, tables),
    ]
    for item in appends:
        changed = [
            {"b_table": item.table, "b_user": user} for user in sorted({*item.joined, *item.parted})
        ]
        joined = [{"table_id": item.table, "user_id": user} for user in sorted(set(item.joined))]
        found += [(_DELETE_MEMBER, changed), (_INSERT_MEMBER, joined)]
        if item.record is not None:
            row = {"table_id": item.table, "text": item.record, "finished": item.row["changed"]}
            found.append((_INSERT_RECORD, [row]))
    keys = [{"b_table": table, "b_seat": seat} for table, seat in sorted(drafts)]
    puts = [
        {"table_id": item.table, "seat": item.seat, "data": item.data}
        for _, item in sorted(drafts.items())
    ]
    found += [(_DELETE_DRAFT, keys), (_INSERT_DRAFT, puts)]
    return [(statement, rows) for statement, rows in found if rows]


def notices_of(items: Sequence[Append | DraftPut]) -> list[str]:
    """What other processes are told of some items."""
    appends = sorted((i for i in items if isinstance(i, Append)), key=lambda i: i.table)
    drafts = {(i.table, i.seat) for i in items if isinstance(i, DraftPut)}
    notices = [f"{item.table} {item.rows[-1]['seq']}" for item in appends]
    return notices + [f"{table} d{seat}" for table, seat in sorted(drafts)]
