"""Writing to a file of SQLite in one go.

The engine hands every statement, and the beginning and the end of a transaction, to a thread
and waits for each, a dozen times a commit. Here the thread gets the whole transaction.
"""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeAlias

from sqlalchemy import Executable
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import IntegrityError, OperationalError

from meldwise.server.store.database import set_pragmas

__all__ = ["DirectWriter", "Statements"]

Statements: TypeAlias = Sequence[tuple[Executable, Sequence[Mapping[str, Any]]]]
"""Statements in order, each with the rows for which it is done."""


class DirectWriter:
    """A connection of its own to a file of SQLite, in a thread of its own.

    Args:
        path: the file.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="writer")
        self._connection: sqlite3.Connection | None = None
        self._texts: dict[Executable, str] = {}

    async def commit(self, statements: Statements) -> None:
        """Does all of them in one transaction; returns when it is on disk.

        Raises:
            IntegrityError: if a row is there already.
            OperationalError: if the file cannot be written to.
        """
        work = [(self._text(statement, rows[0]), rows) for statement, rows in statements]
        loop = asyncio.get_running_loop()
        try:
            await loop.run_in_executor(self._thread, self._commit, work)
        except sqlite3.IntegrityError as error:
            raise IntegrityError(None, None, error) from error
        except sqlite3.Error as error:
            raise OperationalError(None, None, error) from error

    def _text(self, statement: Executable, row: Mapping[str, Any]) -> str:
        """The SQL of a statement, which is always done for rows with the same columns."""
        if (text := self._texts.get(statement)) is None:
            dialect = sqlite.dialect(paramstyle="named")
            compiled = statement.compile(dialect=dialect, column_keys=list(row))  # type: ignore[attr-defined]
            text = self._texts[statement] = str(compiled)
        return text

    def _commit(self, work: Sequence[tuple[str, Sequence[Mapping[str, Any]]]]) -> None:
        if self._connection is None:
            self._connection = sqlite3.connect(self._path, isolation_level=None)
            set_pragmas(self._connection)
        cursor = self._connection.cursor()
        try:
            cursor.execute("BEGIN IMMEDIATE")
            for text, rows in work:
                cursor.executemany(text, rows)
            cursor.execute("COMMIT")
        except BaseException:
            with contextlib.suppress(sqlite3.Error):
                cursor.execute("ROLLBACK")
            raise
        finally:
            cursor.close()

    async def close(self) -> None:
        """Closes the file."""
        loop = asyncio.get_running_loop()
        if self._connection is not None:
            await loop.run_in_executor(self._thread, self._connection.close)
            self._connection = None
        self._thread.shutdown(wait=False)
