"""The hub of PostgreSQL: LISTEN and NOTIFY, one short notice a committed change.

A notice names the process, the table and the sequence number, and nothing else: whoever
has the table loaded reads the log. When the connection was lost, notices may have been
too, and every loaded table is read anew.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import Any, Final

import asyncpg
from sqlalchemy import text
from sqlalchemy.engine import URL
from sqlalchemy.ext.asyncio import AsyncConnection

from meldwise.server.hub.hub import Listener

__all__ = ["PostgresHub"]

logger = logging.getLogger(__name__)

CHANNEL: Final = "meldwise"
_RETRY: Final = 1.0
_NOTIFY: Final = text(
    "SELECT count(pg_notify(:channel, notice)) FROM unnest(CAST(:notices AS text[])) AS notice"
)


class PostgresHub:
    """Speaks and listens on one channel.

    Args:
        url: the address of the database.
        process: the name of this process, whose own notices are passed over.
    """

    shared = True

    def __init__(self, url: URL, process: str) -> None:
        self._dsn = url.set(drivername="postgresql").render_as_string(hide_password=False)
        self._process = process
        self._task: asyncio.Task[None] | None = None
        self._notices: asyncio.Queue[tuple[str, str]] = asyncio.Queue()

    async def notify(self, connection: AsyncConnection, notices: Sequence[str]) -> None:
        """Tells of changes, within the transaction that makes them."""
        named = [f"{self._process} {notice}" for notice in notices]
        await connection.execute(_NOTIFY, {"channel": CHANNEL, "notices": named})

    async def start(self, listener: Listener) -> None:
        """Begins to listen; returns once it hears."""
        ready = asyncio.Event()
        self._task = asyncio.create_task(self._run(listener, ready), name="hub")
        await ready.wait()

    async def stop(self) -> None:
        """Listens no more."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None

    async def _run(self, listener: Listener, ready: asyncio.Event) -> None:
        while True:
            connection: Any = None
            try:
                connection = await asyncpg.connect(self._dsn, timeout=10)
                lost = asyncio.Event()
                connection.add_termination_listener(lambda _connection, lost=lost: lost.set())
                await connection.add_listener(CHANNEL, self._heard)
                if ready.is_set():
                    self._notices.put_nowait(("", "?"))
                ready.set()
                await self._pass_on(listener, lost)
            except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, TimeoutError):
                logger.warning("the database's notices cannot be heard; trying again")
            finally:
                if connection is not None:
                    connection.terminate()
            ready.set()
            await asyncio.sleep(_RETRY)

    def _heard(self, _connection: Any, _pid: int, _channel: str, payload: str) -> None:
        process, _, rest = payload.partition(" ")
        table, _, what = rest.partition(" ")
        if process != self._process and table and what:
            self._notices.put_nowait((table, what))

    async def _pass_on(self, listener: Listener, lost: asyncio.Event) -> None:
        gone = asyncio.create_task(lost.wait())
        try:
            while not lost.is_set():
                heard = asyncio.create_task(self._notices.get())
                await asyncio.wait({gone, heard}, return_when=asyncio.FIRST_COMPLETED)
                if heard.done():
                    await listener(*heard.result())
                    while not self._notices.empty():
                        await listener(*self._notices.get_nowait())
                else:
                    heard.cancel()
        finally:
            gone.cancel()
