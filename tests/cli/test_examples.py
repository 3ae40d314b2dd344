"""The examples of the page on the command line, and of every help, work as they stand."""

from __future__ import annotations

import shlex
import socket
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from meldwise.cli.app import cli
from tests.cli.conftest import Run

PAGE = Path(__file__).resolve().parent.parent.parent / "docs" / "command-line.md"


def _of_page() -> list[str]:
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    return [line.strip() for line in lines if line.startswith("    meldwise")]


def _of_help(command: click.Command, context: click.Context) -> list[str]:
    lines = [line.strip() for line in (command.epilog or "").splitlines()]
    found = [line for line in lines if line == "meldwise" or line.startswith("meldwise ")]
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            found += _of_help(inner, context)
    return found


EXAMPLES = sorted({*_of_page(), *_of_help(cli, click.Context(cli))})


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 25


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_works(
    run: Run, example: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words = shlex.split(example.partition(">")[0])[1:]
    if "--resume" in words or words[0:1] == ["record"]:
        text = "draw\ndraw\nquit\n"
        kept = run("play", "--seed", "a", "--record", "FILE", "--rounds", "3", text=text)
        assert kept.exit_code == 0, kept.stderr
        for name in ("match.toml", "ana.toml"):
            Path(name).write_text(Path("FILE").read_text(encoding="utf-8"), encoding="utf-8")
        words = ["1" if word == "2" and "record" in words else word for word in words]
    if words[:2] == ["games", "remove"]:
        assert run("games", "save", words[2]).exit_code == 0
    if words[:1] == ["serve"]:
        # It would serve until somebody stops it; what it says before that is enough here.
        monkeypatch.setattr("meldwise.server.run.serve", _served)
        monkeypatch.setattr("webbrowser.open", lambda _address: True)
    words = ["2" if word in ("10", "100") else word for word in words]
    result = run(*words, text="Ana\n\n\nquit\n" if not words else "quit\n")
    assert result.exit_code == 0, result.output
    assert result.output


def _served(_settings: object, listener: socket.socket, ready: Callable[[], None]) -> None:
    with listener:
        ready()
