"""A lock beside a file of SQLite: one server at a time, since servers share no memory."""

from __future__ import annotations

import os
from pathlib import Path

from meldwise.game.codes import Code
from meldwise.server.errors import ServerError

__all__ = ["FileLock"]


class FileLock:
    """Held while a server uses the file; the system lets go of it when the process ends.

    Args:
        database: the file of SQLite; nothing is locked for one in memory.
    """

    def __init__(self, database: str | None) -> None:
        in_memory = not database or database == ":memory:"
        self._path = None if in_memory else Path(f"{database}.lock")
        self._handle: int | None = None

    def take(self) -> None:
        """Takes the lock.

        Raises:
            ServerError: if another process holds it.
        """
        if self._path is None:
            return
        try:
            import fcntl
        except ImportError:  # Where there is no flock, nothing can be asked.
            return
        self._path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(handle)
            raise ServerError(
                Code.SERVER_UNREACHABLE,
                what="the database file",
                reason="another server uses it",
            ) from None
        self._handle = handle

    def release(self) -> None:
        """Lets go of the lock."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None
