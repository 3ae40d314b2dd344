"""Reading and writing what is kept, in terms of users and tables."""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Delete, delete, func, insert, or_, select, text, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from meldwise.server.store import schema
from meldwise.server.store.database import is_sqlite
from meldwise.server.store.reader import LogReader
from meldwise.server.store.writer import Append, DraftPut, Notify, Writer
from meldwise.server.tables.entries import Logged, decode_entry, encode_entry

__all__ = ["Beat", "Store", "StoredUser"]

_MOST_LISTED: Final = 100


@dataclass(frozen=True, slots=True)
class StoredUser:
    """A user as kept; ``token_hash`` is the SHA-256 of the token's secret part, in hex."""

    id: str
    name: str
    language: str
    token_hash: str
    account: str | None
    created: int


@dataclass(frozen=True, slots=True)
class Beat:
    """What a process learns at a heartbeat.

    Attributes:
        orphaned: the tables to which dead processes had connections.
        first: whether the process was not on the list of those that live.
    """

    orphaned: list[str]
    first: bool


def event_row(table: str, logged: Logged) -> dict[str, Any]:
    """The row of an entry."""
    return {
        "table_id": table,
        "seq": logged.seq,
        "at": logged.at,
        "user_id": logged.user,
        "key": logged.key,
        "data": encode_entry(logged.entry),
    }


class Store:
    """The database of one process.

    Attributes:
        engine: the connection.
        writer: what writes; see :mod:`meldwise.server.store.writer`.
        process: the name of this process among those on the same database.
    """

    def __init__(self, engine: AsyncEngine, process: str, notify: Notify | None = None) -> None:
        self.engine = engine
        self.writer = Writer(engine, notify)
        self._reader = None if is_sqlite(engine.url) else LogReader(engine)
        self._notify = notify
        self.process = process

    async def close(self) -> None:
        """Writes what was asked for, and ends."""
        await self.writer.stop()
        if self._reader is not None:
            await self._reader.close()

    async def ping(self) -> None:
        """Asks whether the database answers.

        Raises:
            SQLAlchemyError: if it does not; so may OSError be raised.
        """
        async with self.engine.connect() as connection:
            await connection.execute(text("SELECT 1"))

    # --- users --------------------------------------------------------------

    async def add_user(self, user: StoredUser) -> None:
        """Keeps a new user."""
        row = {
            "id": user.id,
            "name": user.name,
            "language": user.language,
            "token_hash": user.token_hash,
            "account": user.account,
            "created": user.created,
            "seen": user.created,
        }

        async def job(connection: AsyncConnection) -> None:
            await connection.execute(insert(schema.users), [row])

        await self.writer.run(job)

    async def user(self, id: str) -> StoredUser | None:
        """The user of an id."""
        query = select(
            schema.users.c.id,
            schema.users.c.name,
            schema.users.c.language,
            schema.users.c.token_hash,
            schema.users.c.account,
            schema.users.c.created,
        ).where(schema.users.c.id == id)
        async with self.engine.connect() as connection:
            row = (await connection.execute(query)).first()
        return None if row is None else StoredUser(*row)

    async def change_user(self, id: str, **values: str) -> None:
        """Changes a user's name, language or token hash."""

        async def job(connection: AsyncConnection) -> None:
            await connection.execute(
                update(schema.users).where(schema.users.c.id == id).values(**values)
            )

        await self.writer.run(job)

    async def secret(self, name: str) -> str:
        """A secret of the server's own, made at its first use: 64 hex digits."""
        query = select(schema.secrets.c.value).where(schema.secrets.c.name == name)
        async with self.engine.connect() as connection:
            value = (await connection.execute(query)).scalar()
        if value is not None:
            return str(value)

        async def job(connection: AsyncConnection) -> None:
            row = {"name": name, "value": secrets.token_hex(32)}
            await connection.execute(insert(schema.secrets), [row])

        with contextlib.suppress(IntegrityError):  # Another process was quicker.
            await self.writer.run(job)
        return await self.secret(name)

    # --- tables -------------------------------------------------------------

    async def add_table(
        self, id: str, code: str, host: str, key: str, first: Sequence[Logged], row: dict[str, Any]
    ) -> str:
        """Keeps a new table with its first entries.

        Args:
            id: its id.
            code: its invite code.
            host: who created it.
            key: an idempotency key, unique to the host.
            first: its first entries.
            row: its row: status, private, summary, changed, due; and ``members``.

        Returns:
            The id of the table: another one if the host has used the key before.
        """
        members = row.pop("members")

        async def job(connection: AsyncConnection) -> None:
            values = {"id": id, "code": code, "host": host, "create_key": key, **row}
            await connection.execute(insert(schema.tables), [{**values, "created": first[0].at}])
            await connection.execute(
                insert(schema.events), [event_row(id, logged) for logged in first]
            )
            if members:
                await connection.execute(
                    insert(schema.members),
                    [{"table_id": id, "user_id": user} for user in sorted(members)],
                )

        try:
            await self.writer.run(job)
        except IntegrityError:
            query = select(schema.tables.c.id).where(
                schema.tables.c.host == host, schema.tables.c.create_key == key
            )
            async with self.engine.connect() as connection:
                found = (await connection.execute(query)).scalar()
            if found is None:
                raise
            return str(found)
        return id

    async def append(self, append: Append) -> None:
        """Adds entries to the log of a table; see :meth:`Writer.append`."""
        await self.writer.append(append)

    async def log(self, table: str, after: int = 0) -> list[Logged]:
        """The entries of a table's log after a number; none for an unknown table."""
        events = schema.events.c
        query = (
            select(events.seq, events.at, events.user_id, events.key, events.data)
            .where(events.table_id == table, events.seq > after)
            .order_by(events.seq)
        )
        async with self.engine.connect() as connection:
            rows = (await connection.execute(query)).all()
        return [
            Logged(seq=seq, at=at, user=user, key=key, entry=decode_entry(data))
            for seq, at, user, key, data in rows
        ]

    async def newer(self, table: str, after: int) -> list[Logged]:
        """What has been added to a known table's log after a number."""
        if self._reader is None:
            return await self.log(table, after)
        return await self._reader.newer(table, after)

    async def table_by_code(self, code: str) -> str | None:
        """The id of the table with an invite code."""
        query = select(schema.tables.c.id).where(schema.tables.c.code == code)
        async with self.engine.connect() as connection:
            return (await connection.execute(query)).scalar()

    async def listed(self) -> list[str]:
        """The summaries of the public tables that wait or are played, newest first."""
        columns = schema.tables.c
        query = (
            select(columns.summary)
            .where(columns.private.is_(False), columns.status.in_(("waiting", "playing", "paused")))
            .order_by(columns.changed.desc())
            .limit(_MOST_LISTED)
        )
        async with self.engine.connect() as connection:
            return list((await connection.execute(query)).scalars())

    async def tables_of(self, user: str) -> list[str]:
        """The summaries of a user's tables, newest first: all unfinished, and the last ones."""
        columns = schema.tables.c
        query = (
            select(columns.summary)
            .join(schema.members, schema.members.c.table_id == columns.id)
            .where(schema.members.c.user_id == user, columns.status != "closed")
            .order_by(columns.changed.desc())
            .limit(_MOST_LISTED)
        )
        async with self.engine.connect() as connection:
            return list((await connection.execute(query)).scalars())

    async def unfinished_of(self, user: str) -> int:
        """How many unfinished tables a user has a seat at, or hosts."""
        columns = schema.tables.c
        seats = select(schema.members.c.table_id).where(schema.members.c.user_id == user)
        query = select(func.count()).where(
            columns.status.in_(("waiting", "playing", "paused")),
            or_(columns.host == user, columns.id.in_(seats)),
        )
        async with self.engine.connect() as connection:
            return int((await connection.execute(query)).scalar() or 0)

    async def overdue(self, now: int, limit: int = 200) -> list[str]:
        """The tables that should have done something by a time, the longest due first."""
        columns = schema.tables.c
        query = select(columns.id).where(columns.due < now).order_by(columns.due).limit(limit)
        async with self.engine.connect() as connection:
            return list((await connection.execute(query)).scalars())

    async def record(self, table: str) -> str | None:
        """The record of a finished match."""
        query = select(schema.records.c.text).where(schema.records.c.table_id == table)
        async with self.engine.connect() as connection:
            return (await connection.execute(query)).scalar()

    # --- drafts -------------------------------------------------------------

    async def put_draft(self, table: str, seat: int, data: str) -> None:
        """Keeps the draft of a seat."""
        await self.writer.put_draft(DraftPut(table, seat, data))

    async def drafts(self, table: str) -> dict[int, str]:
        """The drafts of a table by seat."""
        columns = schema.drafts.c
        query = select(columns.seat, columns.data).where(columns.table_id == table)
        async with self.engine.connect() as connection:
            rows = (await connection.execute(query)).all()
        return {row.seat: row.data for row in rows}

    # --- who is there -------------------------------------------------------

    async def arrive(self, table: str, user: str) -> None:
        """Notes that a user has a connection to a table in this process, and tells the others."""
        row = {"table_id": table, "user_id": user, "process": self.process}

        async def job(connection: AsyncConnection) -> None:
            await connection.execute(self._row_of(table, user))
            await connection.execute(insert(schema.presence), [row])
            await self._tell(connection, [f"{table} w"])

        await self.writer.run(job)

    async def depart(self, table: str, user: str) -> None:
        """Notes that a user has no connection to a table in this process any more."""

        async def job(connection: AsyncConnection) -> None:
            await connection.execute(self._row_of(table, user))
            await self._tell(connection, [f"{table} w"])

        await self.writer.run(job)

    def _row_of(self, table: str, user: str) -> Delete:
        columns = schema.presence.c
        return delete(schema.presence).where(
            columns.table_id == table, columns.user_id == user, columns.process == self.process
        )

    async def present(self, table: str) -> set[str]:
        """The users who have a connection to a table, in any process."""
        query = select(schema.presence.c.user_id).where(schema.presence.c.table_id == table)
        async with self.engine.connect() as connection:
            return set((await connection.execute(query)).scalars())

    async def elsewhere(self, table: str) -> frozenset[str]:
        """The users who have a connection to a table in another process."""
        columns = schema.presence.c
        query = select(columns.user_id).where(
            columns.table_id == table, columns.process != self.process
        )
        async with self.engine.connect() as connection:
            return frozenset((await connection.execute(query)).scalars())

    async def beat(self, now: int, dead_before: int) -> Beat:
        """Says that this process lives, and clears up after those that no longer do."""
        columns = schema.presence.c

        async def job(connection: AsyncConnection) -> Beat:
            changed = await connection.execute(
                update(schema.processes)
                .where(schema.processes.c.id == self.process)
                .values(beat=now)
            )
            if not changed.rowcount:
                row = {"id": self.process, "beat": now}
                await connection.execute(insert(schema.processes), [row])
            await connection.execute(
                delete(schema.processes).where(schema.processes.c.beat < dead_before)
            )
            alive = select(schema.processes.c.id)
            gone = columns.process.not_in(alive)
            query = select(columns.table_id).where(gone).distinct()
            found = list((await connection.execute(query)).scalars())
            if found:
                await connection.execute(delete(schema.presence).where(gone))
                await self._tell(connection, [f"{table} w" for table in found])
            return Beat(found, not changed.rowcount)

        return await self.writer.run(job)

    async def sign_off(self) -> None:
        """Takes this process off the list, with its connections, and tells the others."""
        mine = schema.presence.c.process == self.process

        async def job(connection: AsyncConnection) -> None:
            query = select(schema.presence.c.table_id).where(mine).distinct()
            tables = list((await connection.execute(query)).scalars())
            await connection.execute(delete(schema.presence).where(mine))
            if tables:
                await self._tell(connection, [f"{table} p" for table in tables])
            await connection.execute(
                delete(schema.processes).where(schema.processes.c.id == self.process)
            )

        await self.writer.run(job)

    async def _tell(self, connection: AsyncConnection, notices: Sequence[str]) -> None:
        if self._notify is not None:
            await self._notify(connection, notices)
