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
        queue: the messages in order; None ends the connection.
        slow: set when messages were dropped, since the client did not take them.
    """

    def __init__(self, user: User) -> None:
        self.user = user
        self.queue: asyncio.Queue[bytes | None] = asyncio.Queue()
        self.slow = asyncio.Event()

    def send(self, message: bytes) -> None:
        """Puts a message in the queue; ends the connection if too many wait."""
        if self.slow.is_set():
            return
        if self.queue.qsize() >= MOST_WAITING:
            self.slow.set()
            return
        self.queue.put_nowait(message)
