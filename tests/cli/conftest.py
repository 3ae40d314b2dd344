"""What the tests of the command line share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from meldwise.cli.app import cli

Run = Callable[..., Result]


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's data folder of the test's own, and a terminal that nobody has set up."""
    folder = tmp_path / "data"
    monkeypatch.setenv("MELDWISE_DATA", str(folder))
    monkeypatch.setenv("COLUMNS", "80")
    for name in ("NO_COLOR", "MELDWISE_DEBUG", "COLORTERM"):
        monkeypatch.delenv(name, raising=False)
    return folder


@pytest.fixture
def run() -> Run:
    """Runs a command line: ``run("games", "--json")``, with ``text`` as its input."""

    def invoke(*words: str, text: str = "") -> Result:
        return CliRunner().invoke(cli, list(words), input=text, prog_name="meldwise")

    return invoke
