"""A connection that is kept, for work that comes all the time."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

__all__ = ["KeptConnection"]

_IDLE: Final = 1.0
"""After how many seconds it is asked first whether the connection still works."""


class KeptConnection:
    """A connection for one user at a time, made anew when the old one is lost.

    The pool asks the database each time whether the connection that it hands out still works,
    and tidies up after it: six trips to PostgreSQL for one query.

    Args:
        engine: the database.
    """

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._connection: AsyncConnection | None = None
        self._used = 0.0

    @asynccontextmanager
    async def used(self) -> AsyncIterator[AsyncConnection]:
        """The connection; whatever goes wrong with it ends it.

        Raises:
            SQLAlchemyError: if the database cannot be reached; so may OSError be raised.
        """
        connection = await self._working()
        try:
            yield connection
        except BaseException:
            await self.close()
            raise
        self._used = time.monotonic()

    async def close(self) -> None:
        """Gives the connection up."""
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()

    async def _working(self) -> AsyncConnection:
        if self._connection is not None and time.monotonic() - self._used > _IDLE:
            try:
                async with self._connection.begin():
                    await self._connection.execute(text("SELECT 1"))
            except (SQLAlchemyError, OSError):
                await self.close()
        if self._connection is None:
            self._connection = await self._engine.connect()
        return self._connection
