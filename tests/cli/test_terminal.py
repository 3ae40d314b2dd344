"""A scripted person plays in a real pseudo-terminal, makes mistakes, and is interrupted.

The person reads the record file, which is written before each prompt, and asks the plain
computer player what to do; what is typed goes through the terminal like anybody's.
"""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pexpect
import pyte
import pytest

from meldwise.cli.draft import Draft
from meldwise.cli.host import read_match
from meldwise.game.actions import Draw, Pass, Play, RoundAction
from meldwise.game.match import Match
from meldwise.game.record import RecordedAction
from meldwise.game.replay import replay
from meldwise.game.view import view_of
from meldwise.players import create_player
from tests.cli.conftest import Run

# Python 3.12 warns of a fork in a process with threads, which pytest-xdist has.
pytestmark = pytest.mark.filterwarnings("ignore:.*forkpty:DeprecationWarning")

PROMPT = "Ana> "
SEED = "s476"
"""Ana is dealt red 4, red 5 and a joker, and there are two players."""


class Person:
    """Somebody at a terminal of a size, playing Ana at seat 1."""

    def __init__(self, record: Path, words: list[str], columns: int, data: Path) -> None:
        self.record = record
        self.screen = pyte.Screen(columns, 24)
        self._stream = pyte.Stream(self.screen)
        environment = {
            **os.environ,
            "MELDWISE_DATA": str(data),
            "MELDWISE_PACE": "none",
            "TERM": "xterm-256color",
            "LC_ALL": "C.UTF-8",
            "COLUMNS": "",
            "INPUTRC": "/dev/null",
        }
        environment.pop("COLUMNS")
        self.child = pexpect.spawn(
            sys.executable,
            ["-m", "meldwise", *words],
            dimensions=(24, columns),
            env=environment,
            encoding="utf-8",
            timeout=20,
        )
        self.child.delaybeforesend = None
        self.widest = 0

    def expect(self, *texts: str) -> int:
        """Waits for one of several texts; which of them came."""
        found = self.child.expect_exact(list(texts))
        after = self.child.after
        assert isinstance(after, str)
        self._stream.feed((self.child.before or "") + after)
        return found

    def type(self, line: str, *texts: str) -> int:
        """Types a line and waits."""
        self.child.sendline(line)
        return self.expect(*(texts or (PROMPT,)))

    @property
    def shown(self) -> str:
        """What is on the screen, in one text with single spaces."""
        return " ".join(" ".join(self.screen.display).split())

    def end(self) -> int | None:
        """Waits for the process to end; how it exited."""
        self.child.expect(pexpect.EOF)
        self._stream.feed(self.child.before or "")
        self.child.close()
        return self.child.exitstatus

    @property
    def match(self) -> Match:
        """The match as the record has it."""
        found = replay(read_match(self.record))
        assert not found.faults
        return found.match

    def wish(self) -> RoundAction:
        """What the plain player would do."""
        return create_player("plain").choose(view_of(self.match, 0))


def lines_of(action: Play, match: Match, turn: int) -> list[str]:
    """A play as it is typed: by moves, or as a record writes it."""
    assert match.round is not None
    table = match.round.table
    changed = RecordedAction.of(action, table, ())
    if turn % 3 == 0 and changed.before:
        return [str(changed).removeprefix("1 ")]
    draft = Draft.start(match.round.position, match.rules)
    lines: list[str] = []
    for old in changed.before:
        number = next(row.number for row in draft.rows if row.meld.key == old.key)
        new = next(m for m in changed.after if set(old.cells) <= set(m.cells))
        more = [tile for tile in new.cells if tile not in old.cells]
        if any(tile.is_joker for tile in more) or len(more) != len(new.cells) - len(old.cells):
            return [str(changed).removeprefix("1 ")]
        lines.append(f"add {' '.join(map(str, more))} {number}")
        changed = RecordedAction.of(
            Play(0, tuple(m for m in action.table if m is not new)),
            tuple(m for m in table if m is not old),
            (),
        )
        if changed.before:
            return [str(RecordedAction.of(action, table, ())).removeprefix("1 ")]
    return lines + [str(meld) for meld in changed.after]


@pytest.fixture
def play(tmp_path: Path, data: Path) -> Iterator[type[Person]]:
    people: list[Person] = []

    class Here(Person):
        def __init__(self, *words: str, columns: int = 80) -> None:
            super().__init__(tmp_path / "ana.toml", list(words), columns, data)
            people.append(self)

    yield Here
    for person in people:
        person.child.close(force=True)


def begin(play: type[Person], record: Path, *more: str, columns: int = 80) -> Person:
    words = ["play", "--seed", SEED, "--name", "Ana", "--record", str(record), *more]
    person = play(*words, columns=columns)  # type: ignore[arg-type, misc]
    person.expect(PROMPT)
    return person


def finish_turn(person: Person) -> int:
    """Does what the plain player would; 0 if it is the person's turn again."""
    ends = (PROMPT, "Enter begins the next round", "Play again: meldwise")
    action = person.wish()
    if isinstance(action, Play):
        match = person.match
        assert match.round is not None
        for line in lines_of(action, match, match.round.turn):
            person.type(line, PROMPT, "Which one")
            assert "not" not in person.screen.display[-1]
        assert "Ready: “done” ends the turn." in person.shown
        return person.type("done", *ends)
    assert isinstance(action, Draw | Pass)
    return person.type("draw" if isinstance(action, Draw) else "pass", *ends)


def test_a_whole_round_with_mistakes(play: type[Person], tmp_path: Path, run: Run) -> None:
    record = tmp_path / "ana.toml"
    person = begin(play, record, "--rounds", "1")
    assert "RRRummy · round 1 of 1" in person.shown
    assert "Opening: 0 of 30 points" in person.shown
    assert "★*" in person.shown

    # Mistakes in typing are explained and change nothing.
    for line, reason in (
        ("r4 5 6 x", "“x” is not a tile"),
        ("k14", "is not a tile"),
        ("r4 5", "Laid r4-5"),
        ("undo", "Undone"),
        ("r4 5 9", "does not follow"),
        ("k13 13 13", "You do not hold"),
        ("add r4 9", "There is no meld"),
        ("frobnicate", "is not a tile"),
        ("undo", "nothing to undo"),
        ("pass", "There are tiles to draw still"),
        ("redeal", "no right to a new deal"),
        ("done", "You have not placed a tile"),
        ("help", "end the turn with the table as it lies"),
        ("sort number", "by number"),
        ("arrange k7 r4", "your order"),
        ("sort", "by colour"),
    ):
        person.type(line)
        assert reason in person.shown, line

    # A joker that could stand for two things is asked about.
    person.type("r4 5 *", "Which one, 1 to 2?")
    assert "the joker stands for red 3" in person.shown
    person.type("9")
    assert "Nothing was changed" in person.shown
    person.type("r4 5 *", "Which one, 1 to 2?")
    person.type("2")
    assert "r4-5-*" in person.shown
    assert "=r6" in person.shown
    person.type("undo")

    # An opening that is too small is told; drawing with a draft is asked about.
    person.type("r4")
    assert "too short" in person.shown
    person.type("check")
    assert "only 1 tile" in person.shown
    person.type("draw", "(y/N)")
    person.type("n")
    person.type("done", "(y/N)")
    assert "The table is not valid" in person.shown
    person.type("n")
    assert "The turn goes on" in person.shown
    person.type("done", "(y/N)")
    person.type("y")
    assert "as a penalty" in person.shown
    assert "17 tiles" in person.shown

    for _ in range(400):
        if finish_turn(person):
            break
    assert "The match is over" in person.shown
    assert person.end() == 0

    assert run("record", "check", str(record)).exit_code == 0
    assert "1 rounds" not in run("record", "check", str(record)).stdout
    assert run("record", "verify", str(record)).exit_code == 0
    found = replay(read_match(record))
    assert found.match.result is not None
    assert "penalty" in run("record", "show", str(record)).stdout


def test_forty_columns(play: type[Person], tmp_path: Path) -> None:
    person = begin(play, tmp_path / "ana.toml", "--players", "3", columns=40)
    for _ in range(12):
        # A line that were too wide would go on at the left edge of the next one.
        board = [line.rstrip() for line in person.screen.display]
        assert any(line.startswith(PROMPT.strip()) for line in board)
        assert all(len(line) < 40 for line in board)
        finish_turn(person)
    person.type("help")
    person.child.sendline("quit")
    assert person.end() == 0
    assert "--resume" in person.shown


@pytest.mark.parametrize(
    ("stop", "code"),
    [("ctrl-c", 130), ("term", 143), ("hup", 129), ("lost", 129), ("eof", 0), ("kill", None)],
)
def test_a_match_that_is_stopped_goes_on(
    play: type[Person], tmp_path: Path, run: Run, stop: str, code: int | None
) -> None:
    record = tmp_path / "ana.toml"
    person = begin(play, record)
    for _ in range(3):
        finish_turn(person)
    before = person.match
    person.type("sort number")
    child = person.child
    if stop == "ctrl-c":
        child.sendintr()
    elif stop == "eof":
        child.sendeof()
    elif stop == "lost":
        child.ptyproc.fileobj.close()  # type: ignore[attr-defined]
    else:
        child.kill({"term": signal.SIGTERM, "hup": signal.SIGHUP, "kill": signal.SIGKILL}[stop])
    if stop == "lost":
        assert child.wait() == code
    else:
        assert person.end() == code
    if stop in ("ctrl-c", "term", "eof"):
        shown = "".join(person.screen.display)
        assert re.search(rf"meldwise play --resume /\S+ *--seed {SEED}", shown)
    assert run("record", "check", str(record)).exit_code == 0
    assert person.match == before

    again = play("play", "--resume", str(record), "--seed", SEED)  # type: ignore[arg-type, call-arg]
    again.expect(PROMPT)
    assert "Hand (" in again.shown
    assert again.match == before
    finish_turn(again)
    assert again.match != before


def test_the_questions_of_a_bare_start(play: type[Person], data: Path) -> None:
    person = play()  # type: ignore[call-arg]
    person.expect("Your name [")
    person.type("Ana", "Game [rrrummy]: ")
    person.type("tiles", "Game [rrrummy]: ")
    assert "Did you mean “tiles-50”?" in person.shown
    person.type("50", "Opponents, 1 to 3 [1]: ")
    person.type("9", "[1]: ")
    person.type("", "Level [casual]: ")
    assert "beginner: lays new melds and adds to those on the table" in person.shown
    person.type("strong", "Type one of beginner, casual, regular, skilled")
    person.type("beg", PROMPT)
    assert "Tiles 50 · round 1 of 5" in person.shown
    person.child.sendline("quit")
    assert person.end() == 0
    again = play()  # type: ignore[call-arg]
    again.expect("Your name [Ana]: ")
    again.type("", "Game [tiles-50]: ")
    again.child.sendintr()
    assert again.end() == 130
    (record,) = (data / "records").iterdir()
    assert read_match(record).seats[1].computer == "beginner"
