"""One open connection to a table, as the table sees it."""

from __future__ import annotations

import asyncio
from typing import Final

from meldwise.server.tables.commands import User

__all__ = ["TableClient"]

MOST_WAITING: Final = 400
"""How many messages may wait for a client; one that takes fewer is closed."""


class TableClient:
    """A connection: the user, and the messages that wait to be sent.

    Attributes:
        user: whose it is.
        slow: set when messages were dropped, since the client did not take them.
    """

    def __init__(self, user: User) -> None:
        self.user = user
        self.slow = asyncio.Event()
        self._waiting: asyncio.Queue[bytes | None] = asyncio.Queue()

    def send(self, message: bytes) -> None:
        """Puts a message in the queue; ends the connection if too many wait."""
        if self.slow.is_set():
            return
        if self._waiting.qsize() >= MOST_WAITING:
            self.slow.set()
            return
        self._waiting.put_nowait(message)

    def end(self) -> None:
        """Ends the connection, after what waits to be sent."""
        self._waiting.put_nowait(None)

    async def next(self) -> bytes | None:
        """The next message to be sent; None at the end."""
        return await self._waiting.get()
