"""One open connection to a table, as the table sees it."""

from __future__ import annotations

import asyncio
from collections import deque
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
        # Not a Queue, which does more than a single reader needs, for every message.
        self._waiting: deque[bytes | None] = deque()
        self._reader: asyncio.Future[None] | None = None

    def send(self, message: bytes) -> None:
        """Puts a message in the queue; ends the connection if too many wait."""
        if self.slow.is_set():
            return
        if len(self._waiting) >= MOST_WAITING:
            self.slow.set()
            return
        self._put(message)

    def end(self) -> None:
        """Ends the connection, after what waits to be sent."""
        self._put(None)

    async def next(self) -> bytes | None:
        """The next message to be sent, for the one that sends them; None at the end."""
        while not self._waiting:
            self._reader = asyncio.get_running_loop().create_future()
            await self._reader
        return self._waiting.popleft()

    def _put(self, message: bytes | None) -> None:
        self._waiting.append(message)
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)
