"""Text of a record that comes from elsewhere cannot steer the reader's terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from meldwise.game import GAMES, Seat, Seeds, Session, format_record
from tests.cli.conftest import Run
from tests.rounds import finish_round

ESCAPE = "\x1b[2J\x07\nB\x9b31m"


@pytest.fixture
def record(tmp_path: Path) -> Path:
    rules = GAMES.find("rrrummy").rules
    session = Session.new(ESCAPE, rules, [Seat("A" + ESCAPE, "plain"), Seat("B", "plain")])
    session.start_round(Seeds(bytes(32), (ESCAPE, "")))
    finish_round(session)
    path = tmp_path / "match.toml"
    path.write_text(format_record(session.record), encoding="utf-8")
    return path


@pytest.mark.parametrize("command", ["show", "check", "verify"])
def test_names_and_seeds_are_shown_without_control_characters(
    run: Run, record: Path, command: str
) -> None:
    result = run("record", command, str(record))
    assert result.exit_code == 0
    plain = result.output.replace("\n", "")
    assert plain.isprintable()
    assert "[2J" in plain or command == "check"


def test_lines_that_are_no_actions_are_told_without_control_characters(
    run: Run, record: Path
) -> None:
    text = record.read_text(encoding="utf-8")
    broken = text.replace("1 draw", "1 d\\u001b[2Jraw", 1).replace('base = "rrr', 'base = "\\u009b')
    record.write_text(broken, encoding="utf-8")
    result = run("record", "check", str(record))
    assert result.exit_code == 1
    assert result.output.replace("\n", "").isprintable()
    assert result.stderr.replace("\n", "").isprintable()


def test_resumed_match_shows_no_control_characters(run: Run, record: Path, tmp_path: Path) -> None:
    rules = GAMES.find("rrrummy").rules
    session = Session.new(ESCAPE, rules, [Seat("Me" + ESCAPE), Seat("B" + ESCAPE, "plain")])
    session.start_round(Seeds(bytes(32), ("", "")))
    path = tmp_path / "mine.toml"
    path.write_text(format_record(session.record), encoding="utf-8")
    result = run("play", "--no-color", "--resume", str(path), text="log\nquit\n")
    assert "Me" in result.output
    assert result.output.replace("\n", "").isprintable()
