"""The person's terminal: reading lines with or without a time limit, and what it can show."""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import signal
import sys
import time
from collections.abc import Iterator
from types import FrameType
from typing import Final

from meldwise.cli.encoding import knows_shapes
from meldwise.cli.exits import Exit
from meldwise.cli.screen import Style

__all__ = ["InputEnded", "Stopped", "Terminal", "TimeUp", "stopping_signals", "style_of"]

_WARNINGS: Final = (30.0, 10.0)
"""Seconds before the end of a turn's time at which it is said."""


class InputEnded(Exception):  # noqa: N818 - what happened, not an error
    """There is nothing more to read."""


class TimeUp(Exception):  # noqa: N818
    """The time to answer is over."""


class Stopped(BaseException):
    """The process was asked to stop; not an ``Exception``, so that nothing swallows it.

    Attributes:
        code: how the process is to exit.
    """

    def __init__(self, code: Exit) -> None:
        super().__init__(code)
        self.code = code


@contextlib.contextmanager
def stopping_signals() -> Iterator[None]:
    """Turns a hang-up, a termination and Ctrl-C into :class:`Stopped` within a block."""
    codes = {signal.SIGINT: Exit.INTERRUPTED, signal.SIGTERM: Exit.TERMINATED}
    if hasattr(signal, "SIGHUP"):
        codes[signal.SIGHUP] = Exit.HANGUP

    def stop(number: int, _frame: FrameType | None) -> None:
        for other in codes:
            signal.signal(other, signal.SIG_IGN)
        raise Stopped(codes[signal.Signals(number)])

    old = {number: signal.signal(number, stop) for number in codes}
    try:
        yield
    finally:
        for number, handler in old.items():
            signal.signal(number, handler)


def style_of(colour: bool | None) -> Style:
    """What standard output can show.

    Args:
        colour: what an option asks for; None to look at ``NO_COLOR``, ``TERM`` and whether
            there is a terminal.
    """
    term = os.environ.get("TERM", "")
    if colour is None:
        colour = sys.stdout.isatty() and term != "dumb" and not os.environ.get("NO_COLOR")
    many = "256" in term or os.environ.get("COLORTERM", "") in ("truecolor", "24bit")
    return Style((256 if many else 8) if colour else 0, knows_shapes(sys.stdout))


class Terminal:
    """Standard input and output, as a person at a terminal, or a script, uses them."""

    def __init__(self, style: Style) -> None:
        self.style = style
        self._waiting = b""
        self._ended = False
        self._interactive = sys.stdin.isatty() and sys.stdout.isatty()
        if self._interactive:
            # The line editor of input(): arrow keys, and earlier lines.
            with contextlib.suppress(ImportError):
                import readline  # noqa: F401

    @property
    def width(self) -> int:
        """How many columns a line may take."""
        return max(20, min(110, shutil.get_terminal_size((80, 24)).columns - 1))

    @property
    def clears(self) -> bool:
        """Whether each drawing begins on a clear screen."""
        return self._interactive and os.environ.get("TERM", "dumb") != "dumb"

    def clear(self) -> None:
        """Begins on a clear screen, or after an empty line where there is none."""
        self.say("\033[2J\033[H" if self.clears else "", end="" if self.clears else "\n")

    def say(self, text: str = "", end: str = "\n") -> None:
        """Writes a text."""
        try:
            sys.stdout.write(text + end)
            sys.stdout.flush()
        except BrokenPipeError:
            raise
        except OSError:
            raise Stopped(Exit.HANGUP) from None

    def ask(self, prompt: str, deadline: float | None = None) -> str:
        """Reads a line.

        Args:
            prompt: what stands before it; ``{left}`` in it becomes the seconds that are left.
            deadline: until when, as a reading of :func:`time.monotonic`.

        Raises:
            InputEnded: at the end of the input.
            TimeUp: when the deadline has passed.
        """
        if deadline is None and self._interactive and not self._waiting:
            try:
                return input(prompt)
            except EOFError:
                raise InputEnded from None
            except OSError:
                raise Stopped(Exit.HANGUP) from None
        self._prompt(prompt, deadline)
        line = self._read(prompt, deadline)
        if not sys.stdin.isatty():
            self.say(line)
        return line

    def _prompt(self, prompt: str, deadline: float | None) -> None:
        if deadline is not None:
            left = max(0, round(deadline - time.monotonic()))
            prompt = prompt.replace("{left}", str(left))
        self.say(prompt, end="")

    def _read(self, prompt: str, deadline: float | None) -> str:
        """Reads from the file descriptor, so that nothing waits in a buffer unseen."""
        try:
            source = sys.stdin.fileno()
        except OSError:  # No file, as in tests.
            text = sys.stdin.readline()
            if not text:
                raise InputEnded from None
            return text.rstrip("\r\n")
        while b"\n" not in self._waiting and not self._ended:
            if deadline is not None:
                self._wait(source, prompt, deadline)
            try:
                data = os.read(source, 4096)
            except OSError:
                raise Stopped(Exit.HANGUP) from None
            self._waiting += data
            self._ended = not data
        if not self._waiting:
            raise InputEnded
        line, _, self._waiting = self._waiting.partition(b"\n")
        return line.decode(sys.stdin.encoding or "utf-8", "replace").rstrip("\r")

    def _wait(self, source: int, prompt: str, deadline: float) -> None:
        while True:
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeUp
            until = min((left - mark for mark in _WARNINGS if left > mark + 0.5), default=left)
            if select.select([source], [], [], until)[0]:
                return
            left = deadline - time.monotonic()
            if left > 0.5:
                self.say(f"\n{round(left)} seconds left.")
                self._prompt(prompt, deadline)
