"""Reading what other processes have written to logs, for many tables at once."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Final

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from meldwise.server.store.kept import KeptConnection
from meldwise.server.tables.entries import Logged, decode_entry

__all__ = ["LogReader"]

# PostgreSQL's: on SQLite there are no other processes.
_NEWER: Final = text(
    "SELECT events.table_id, seq, at, user_id, key, data FROM events"
    " JOIN unnest(CAST(:tables AS text[]), CAST(:after AS integer[])) AS known (table_id, after)"
    " ON events.table_id = known.table_id AND seq > known.after ORDER BY events.table_id, seq"
)


class LogReader:
    """Reads logs on one connection; what is asked for meanwhile is read together after it.

    Args:
        engine: a database of PostgreSQL.
    """

    def __init__(self, engine: AsyncEngine) -> None:
        # A single statement needs no transaction of the database around it.
        self._kept = KeptConnection(engine.execution_options(isolation_level="AUTOCOMMIT"))
        self._asked: list[tuple[str, int, asyncio.Future[list[Logged]]]] = []
        self._task: asyncio.Task[None] | None = None

    async def newer(self, table: str, after: int) -> list[Logged]:
        """The entries of a table's log after a number.

        Raises:
            SQLAlchemyError: if the database cannot be reached; so may OSError be raised.
        """
        answer: asyncio.Future[list[Logged]] = asyncio.get_running_loop().create_future()
        self._asked.append((table, after, answer))
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run(), name="reader")
        return await answer

    async def close(self) -> None:
        """Ends what is under way, and the connection."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        for _, _, answer in self._asked:
            answer.cancel()
        await self._kept.close()

    async def _run(self) -> None:
        while self._asked:
            asked, self._asked = self._asked, []
            known: dict[str, int] = {}
            for table, after, _ in asked:
                known[table] = min(after, known.get(table, after))
            try:
                found = await self._read(known)
            except asyncio.CancelledError:
                for _, _, answer in asked:
                    answer.cancel()
                raise
            except Exception as error:
                for _, _, answer in asked:
                    if not answer.done():
                        answer.set_exception(error)
                continue
            for table, after, answer in asked:
                if not answer.done():
                    logged = found.get(table, ())
                    answer.set_result([entry for entry in logged if entry.seq > after])

    async def _read(self, known: Mapping[str, int]) -> dict[str, list[Logged]]:
        values = {"tables": list(known), "after": list(known.values())}
        async with self._kept.used() as connection, connection.begin():
            rows = (await connection.execute(_NEWER, values)).all()
        found: dict[str, list[Logged]] = {}
        for table, seq, at, user, key, data in rows:
            entry = decode_entry(data)
            logged = Logged(seq=seq, at=at, user=user, key=key, entry=entry)
            found.setdefault(table, []).append(logged)
        return found
