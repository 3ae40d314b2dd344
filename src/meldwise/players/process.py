"""A player in a program of its own, which talks in lines of JSON (``docs/players.md``).

The program may do what it likes: end, hang, answer nonsense, talk without being asked or
write without end. It loses its turn then, which is played by :func:`give_up`, and is started
anew for the next one, a bounded number of times. That these are used up is a problem of its
own, noted once.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import threading
import tomllib
import weakref
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import IO, Any, Final

from meldwise.game.actions import AskRedeal, Draw, Pass, Play, RoundAction
from meldwise.game.codes import Code
from meldwise.game.errors import GameError
from meldwise.game.plaindata import action_from_data, plain_data
from meldwise.game.turn import judge
from meldwise.game.view import View
from meldwise.players.errors import PlayerError
from meldwise.players.turns import give_up, must_play, turn_of

__all__ = ["PROTOCOL", "ProcessPlayer", "Program", "read_program"]

PROTOCOL: Final = 1
"""The version of the protocol that is spoken."""

_LONGEST_LINE: Final = 1 << 20
_LINES_AHEAD: Final = 4
_TAIL: Final = 2_000
"""So many bytes of what a program last wrote to its standard error are kept."""

_FAREWELL: Final = 0.5
"""Seconds that a program has to end by itself once its input is closed."""


@dataclass(frozen=True, slots=True)
class Program:
    """How a player's program is run.

    Attributes:
        command: the program and its arguments.
        folder: where it runs.
        seconds: how long it may take for a choice.
        startup: how long it may take to start and to answer the first line.
        restarts: how often it is started anew after a failure.
    """

    command: tuple[str, ...]
    folder: Path | None = None
    seconds: float = 5.0
    startup: float = 10.0
    restarts: int = 3


def read_program(path: Path) -> Program:
    """Reads the TOML file that describes a program; it runs in the file's folder.

    Raises:
        PlayerError: if there is no such file, or it does not say what it should.
    """

    def refuse(reason: object) -> PlayerError:
        return PlayerError(Code.PLAYER_FILE, file=str(path), reason=str(reason)[:200])

    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise refuse(error.strerror or error) from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise refuse(error) from None
    known = {spec.name for spec in fields(Program)} - {"folder"}
    if unknown := set(data) - known:
        raise refuse(f"unknown field {min(unknown)}")
    command = data.pop("command", None)
    words = isinstance(command, list) and all(isinstance(word, str) for word in command)
    if not command or not words:
        raise refuse("command is to be a list of words")
    for name, value in data.items():
        whole = name == "restarts"
        kinds = (int,) if whole else (int, float)
        least, most = (0, 1_000) if whole else (0.01, 3_600)
        if type(value) not in kinds or not least <= value <= most:
            raise refuse(f"{name} is to be a number from {least} to {most}")
    return Program(tuple(command), path.resolve().parent, **data)


class ProcessPlayer:
    """A player that asks a program what to do.

    Attributes:
        program: the program.
        seconds: how long a choice may take.
        problems: how often each problem occurred, by its code.
        last_problem: the last of them; None while there is none.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self.problems: Counter[Code] = Counter()
        self.last_problem: PlayerError | None = None
        self._starts = 0
        self._talk: _Conversation | None = None

    @property
    def seconds(self) -> float:
        """The time that a choice may take, in seconds."""
        return self.program.seconds

    def choose(self, view: View) -> RoundAction:
        """Chooses what to do; see :class:`~meldwise.players.base.Player`."""
        seat, _ = turn_of(view)
        try:
            talk = self._running()
            if talk is None:
                if not self.problems[Code.PLAYER_GIVEN_UP]:
                    self._note(
                        PlayerError(Code.PLAYER_GIVEN_UP, program=self._name, have=self._starts)
                    )
                return give_up(view)
            question = {"type": "choose", "view": plain_data(view)}
            action = _action_of(talk.ask(question, self.program.seconds), seat)
            if not _allowed(view, action):
                raise PlayerError(Code.PLAYER_ILLEGAL, program=self._name)
        except _Failed as failure:
            self._note(PlayerError(failure.code, program=self._name, reason=failure.reason))
        except PlayerError as error:
            self._note(error, alive=True)
        else:
            return action
        return give_up(view)

    def close(self) -> None:
        """Ends the program; a later choice starts it again."""
        if self._talk is not None:
            self._talk.end(_FAREWELL)
            self._talk = None

    @property
    def _name(self) -> str:
        return self.program.command[0]

    def _running(self) -> _Conversation | None:
        """The conversation with the program, begun if need be; None if it failed too often."""
        if self._talk is None:
            if self._starts > self.program.restarts:
                return None
            self._starts += 1
            self._talk = _Conversation(self.program)
            answer = self._talk.ask({"type": "hello", "meldwise": PROTOCOL}, self.program.startup)
            if answer.get("meldwise") != PROTOCOL:
                raise _Failed(Code.PLAYER_NONSENSE, f"protocol {answer.get('meldwise')!r:.40}")
        return self._talk

    def _note(self, error: PlayerError, *, alive: bool = False) -> None:
        """Counts a problem, and ends the program unless it only chose badly."""
        self.problems[error.code] += 1
        self.last_problem = error
        if not alive and self._talk is not None:
            self._talk.end(0)
            self._talk = None


class _Failed(Exception):  # noqa: N818 - what a program did, turned into an error above
    """The program cannot be talked to any longer."""

    def __init__(self, code: Code, reason: str = "") -> None:
        super().__init__(code, reason)
        self.code = code
        self.reason = reason


def _action_of(answer: Mapping[str, Any], seat: int) -> RoundAction:
    try:
        return action_from_data(answer, seat)
    except GameError as error:
        raise _Failed(Code.PLAYER_NONSENSE, str(error)[:200]) from None


def _allowed(view: View, action: RoundAction) -> bool:
    """Whether the rules allow an action, as far as a view tells; penalties are not sought."""
    _, state = turn_of(view)
    if isinstance(action, Play):
        return judge(view.position, action.table, view.rules).legal
    if isinstance(action, AskRedeal):
        return state.may_redeal
    if isinstance(action, Draw) is not bool(state.stock):
        return False
    # Whoever has to play is played for, which also tells whether that was so.
    return not must_play(view) or isinstance(give_up(view), Draw | Pass)


class _Conversation:
    """A running program and the threads that read from it and write to it."""

    def __init__(self, program: Program) -> None:
        try:
            self._process = subprocess.Popen(
                program.command,
                cwd=program.folder,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                # A group of its own, so that what the program started ends with it.
                start_new_session=sys.platform != "win32",
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise _Failed(Code.PLAYER_START, reason) from None
        self._answers: queue.Queue[bytes] = queue.Queue(_LINES_AHEAD)
        self._questions: queue.Queue[bytes | None] = queue.Queue()
        self._tail = bytearray()
        self._stop = threading.Event()
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        _start(_write_lines, process.stdin, self._questions)
        _start(_read_lines, process.stdout, self._answers, self._stop)
        self._listener = _start(_keep_tail, process.stderr, self._tail)
        self._end = weakref.finalize(self, _kill, process, self._questions, self._stop, 0)

    def ask(self, question: dict[str, object], seconds: float) -> dict[str, Any]:
        """Sends a line and waits for the answer.

        Raises:
            _Failed: if there is none in time, or it is no object of JSON.
        """
        with contextlib.suppress(queue.Empty):
            if self._answers.get_nowait():
                raise _Failed(Code.PLAYER_NONSENSE, "a line that nobody asked for")
            raise _Failed(Code.PLAYER_ENDED, self._last_words())
        self._questions.put(json.dumps(question, separators=(",", ":")).encode() + b"\n")
        try:
            line = self._answers.get(timeout=seconds)
        except queue.Empty:
            raise _Failed(Code.PLAYER_SILENT) from None
        if not line:
            raise _Failed(Code.PLAYER_ENDED, self._last_words())
        if not line.endswith(b"\n"):
            raise _Failed(Code.PLAYER_NONSENSE, "an endless line, or an unfinished one")
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            raise _Failed(Code.PLAYER_NONSENSE, repr(line[:80])) from None
        if not isinstance(answer, dict):
            raise _Failed(Code.PLAYER_NONSENSE, repr(line[:80]))
        return answer

    def end(self, patience: float) -> None:
        """Ends the program and all that it started."""
        self._end.detach()
        _kill(self._process, self._questions, self._stop, patience)

    def _last_words(self) -> str:
        """How the program ended, with the last line of its standard error."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_FAREWELL)
        self._listener.join(_FAREWELL)
        lines = bytes(self._tail).decode(errors="replace").strip().splitlines()
        words = [f"exit code {self._process.returncode}", *lines[-1:]]
        return ": ".join(words)[:200]


def _kill(
    process: subprocess.Popen[bytes],
    questions: queue.Queue[bytes | None],
    stop: threading.Event,
    patience: float,
) -> None:
    questions.put(None)
    if patience:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(patience)
    stop.set()
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if sys.platform != "win32":
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()


def _start(target: Callable[..., None], *arguments: object) -> threading.Thread:
    thread = threading.Thread(target=target, args=arguments, daemon=True)
    thread.start()
    return thread


def _write_lines(stream: IO[bytes], lines: queue.Queue[bytes | None]) -> None:
    with contextlib.suppress(OSError, ValueError), stream:
        while (line := lines.get()) is not None:
            rest = memoryview(line)
            while rest:
                rest = rest[stream.write(rest) :]


def _read_lines(stream: IO[bytes], lines: queue.Queue[bytes], stop: threading.Event) -> None:
    """Reads lines as long as somebody wants them; an empty one stands for the end."""
    line = b""
    with contextlib.suppress(OSError, ValueError), stream:
        buffered = open(stream.fileno(), "rb", closefd=False)  # noqa: SIM115 - shares the stream
        while line := buffered.readline(_LONGEST_LINE):
            if not _put(lines, line, stop):
                return
    _put(lines, b"", stop)


def _put(lines: queue.Queue[bytes], line: bytes, stop: threading.Event) -> bool:
    while not stop.is_set():
        with contextlib.suppress(queue.Full):
            lines.put(line, timeout=0.1)
            return True
    return False


def _keep_tail(stream: IO[bytes], tail: bytearray) -> None:
    with contextlib.suppress(OSError, ValueError), stream:
        while chunk := stream.read(1 << 16):
            tail += chunk
            del tail[:-_TAIL]
