"""Exit codes, and errors that a command tells its user in one line."""

from __future__ import annotations

import contextlib
import os
import sys
from enum import IntEnum

__all__ = ["CliError", "Exit", "nearest", "silence"]


class Exit(IntEnum):
    """What the process says at its end; ``docs/command-line.md`` lists these."""

    FINE = 0
    FAULTS = 1
    USAGE = 2
    FILE = 3
    BUG = 70
    HANGUP = 129
    INTERRUPTED = 130
    BROKEN_PIPE = 141
    TERMINATED = 143


class CliError(Exception):
    """Something that keeps a command from its work, told in one line and without a trace.

    Attributes:
        message: what is wrong, a sentence.
        code: how the process exits.
        hint: what the user can do about it; empty if there is nothing to say.
        key: a stable name of what is wrong, for programs.
    """

    def __init__(
        self, message: str, code: Exit = Exit.USAGE, *, hint: str = "", key: str = "usage"
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.hint = hint
        self.key = key


def silence() -> None:
    """Sends what is still to be written nowhere, so that flushing it at exit cannot fail."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError):  # No file, as in tests.
            os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def nearest(word: str, known: list[str]) -> str:
    """The known word that is most like another, for a suggestion; empty if none is near."""
    from difflib import get_close_matches

    found = get_close_matches(word.casefold(), [name.casefold() for name in known], 1, 0.55)
    return next((name for name in known if found and name.casefold() == found[0]), "")
