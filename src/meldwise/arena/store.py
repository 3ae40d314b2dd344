"""A file that keeps results as they come, so that an arena can be stopped and gone on with.

Lines of JSON: the first says what is played and in which version of the format, each other
one is the result of a unit, ``[pairing, deal, data]``. Lines are only ever added. A last line
that was torn by a crash is cut off.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Final

from meldwise.arena.errors import ArenaError
from meldwise.arena.results import Data, Key
from meldwise.game.codes import Code

__all__ = ["FORMAT", "VERSION", "Store"]

FORMAT: Final = "meldwise-arena"
"""The name that a store begins with."""

VERSION: Final = 1
"""The version of the format."""


class Store:
    """An open store.

    Attributes:
        results: what is in it, by key.
    """

    def __init__(self, path: Path, kind: str, settings: Mapping[str, object]) -> None:
        """Opens a store, or begins one.

        Args:
            path: where it is.
            kind: what kind of work it holds, such as ``arena``.
            settings: what makes results belong together, as plain data.

        Raises:
            ArenaError: if the file is no store, is broken, holds results of other settings,
                or is in use.
            OSError: if it cannot be read or written.
        """
        self._path = path
        self.results: dict[Key, Data] = {}
        header = {"format": FORMAT, "version": VERSION, "kind": kind, "settings": dict(settings)}
        self._file = path.open("a+b")
        try:
            _lock(self._file, path)
            self._open(json.loads(json.dumps(header)))
        except BaseException:
            self._file.close()
            raise

    def _open(self, header: dict[str, Any]) -> None:
        self._file.seek(0)
        text = self._file.read()
        end = text.rfind(b"\n") + 1
        lines = text[:end].splitlines()
        if not lines:
            if not _encoded(header).startswith(text):
                raise ArenaError(Code.ARENA_STORE_BROKEN, file=str(self._path), line=1)
            self._file.truncate(0)
            self._write(header)
            return
        self._check_header(lines[0], header)
        for number, line in enumerate(lines[1:], 2):
            try:
                pairing, deal, data = json.loads(line)
                if not (isinstance(pairing, int) and isinstance(deal, int)):
                    raise TypeError
                self.results[pairing, deal] = dict(data)
            except (ValueError, TypeError):
                raise ArenaError(
                    Code.ARENA_STORE_BROKEN, file=str(self._path), line=number
                ) from None
        self._file.truncate(end)

    def _check_header(self, line: bytes, wanted: dict[str, Any]) -> None:
        try:
            header = json.loads(line)
            found = header["format"], header["version"], header["kind"], header["settings"]
        except (ValueError, TypeError, KeyError):
            found = None
        if found is None or found[0] != FORMAT:
            raise ArenaError(Code.ARENA_STORE_BROKEN, file=str(self._path), line=1)
        if found[1] != VERSION:
            raise ArenaError(
                Code.ARENA_STORE_VERSION, file=str(self._path), have=str(found[1]), need=VERSION
            )
        settings = found[3] if isinstance(found[3], dict) else {}
        others = [
            name
            for name, value in wanted["settings"].items()
            if name not in settings or settings[name] != value
        ]
        if found[2] != wanted["kind"]:
            others.insert(0, "kind")
        if others:
            raise ArenaError(Code.ARENA_STORE_SETTINGS, file=str(self._path), differ=tuple(others))

    def add(self, key: Key, data: Data) -> None:
        """Keeps a result; it is on the disk once :meth:`sync` has been called.

        Raises:
            OSError: if it cannot be written.
        """
        self.results[key] = data
        self._write([*key, data])

    def sync(self) -> None:
        """Has everything written to the disk.

        Raises:
            OSError: if it cannot be written.
        """
        os.fsync(self._file.fileno())

    def _write(self, value: object) -> None:
        # One call, so that a line is torn by nothing but a crash of the machine.
        self._file.write(_encoded(value) + b"\n")
        self._file.flush()

    def close(self) -> None:
        """Closes the file."""
        with contextlib.suppress(OSError):
            self.sync()
        self._file.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _encoded(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


def _lock(file: io.BufferedRandom, path: Path) -> None:
    """Keeps a second arena away from the file, where the system can."""
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise ArenaError(Code.ARENA_STORE_BUSY, file=str(path)) from None
    except OSError:
        return  # A file system that knows no locks.
