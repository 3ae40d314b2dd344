"""Work for workers to do, some of it deadly; other processes import it from here."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from meldwise.arena.results import Data, Key

Clock = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Squares:
    """Squares the second number of a key."""

    def do(self, key: Key, clock: Clock | None) -> Data:
        return {"square": key[1] ** 2}


@dataclass(frozen=True, slots=True)
class KillsOnce:
    """Kills its worker the first time that it meets one key, and notes that it did."""

    mark: Path
    key: Key

    def do(self, key: Key, clock: Clock | None) -> Data:
        if key == self.key:
            with contextlib.suppress(FileExistsError):
                self.mark.touch(exist_ok=False)
                os.kill(os.getpid(), signal.SIGKILL)
        return {"square": key[1] ** 2}


@dataclass(frozen=True, slots=True)
class KillsAlways:
    """Kills its worker whenever it meets one key."""

    key: Key

    def do(self, key: Key, clock: Clock | None) -> Data:
        if key == self.key:
            os.kill(os.getpid(), signal.SIGKILL)
        return {"square": key[1] ** 2}


@dataclass(frozen=True, slots=True)
class Raises:
    """Raises for one key."""

    key: Key

    def do(self, key: Key, clock: Clock | None) -> Data:
        if key == self.key:
            raise ValueError("no such square")
        return {"square": key[1] ** 2}
