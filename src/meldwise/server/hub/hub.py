"""What a hub is, and the one for a single process, which has nobody to tell."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

from sqlalchemy.ext.asyncio import AsyncConnection

__all__ = ["Hub", "Listener", "LocalHub"]

Listener = Callable[[str, str], Awaitable[None]]
"""Takes the id of a table and what changed: a sequence number, ``d`` and a seat for a draft,
``w`` for who is connected, ``p`` for connections that have ended with their process, or ``?``
for anything, when notices may have been lost."""


class Hub(Protocol):
    """Tells other processes of changes, and hears of theirs."""

    @property
    def shared(self) -> bool:
        """Whether there may be other processes."""
        ...

    async def notify(self, connection: AsyncConnection, notices: Sequence[str]) -> None:
        """Tells of changes, within the transaction that makes them."""
        ...

    async def start(self, listener: Listener) -> None:
        """Begins to listen."""
        ...

    async def stop(self) -> None:
        """Listens no more."""
        ...


class LocalHub:
    """The hub of the only process."""

    shared = False

    async def notify(self, connection: AsyncConnection, notices: Sequence[str]) -> None:
        """Tells nobody."""

    async def start(self, listener: Listener) -> None:
        """Hears nothing."""

    async def stop(self) -> None:
        """Has nothing to end."""
