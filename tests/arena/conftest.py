"""What the tests of the arena share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from meldwise.cli.app import cli
from meldwise.players import Means, registry
from meldwise.players.base import Player

Run = Callable[..., Result]
AddPlayer = Callable[[str, Callable[[Means], Player]], None]


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's data folder of the test's own, and a terminal that nobody has set up."""
    folder = tmp_path / "data"
    monkeypatch.setenv("MELDWISE_DATA", str(folder))
    for name in ("NO_COLOR", "MELDWISE_DEBUG", "COLORTERM"):
        monkeypatch.delenv(name, raising=False)
    return folder


@pytest.fixture
def run() -> Run:
    """Runs a command line: ``run("arena", "greedy", "plain")``."""

    def invoke(*words: str) -> Result:
        return CliRunner().invoke(cli, list(words), prog_name="meldwise")

    return invoke


@pytest.fixture
def add_player(monkeypatch: pytest.MonkeyPatch) -> AddPlayer:
    """Makes a player known by a name, in this process and for this test."""

    def add(name: str, make: Callable[[Means], Player]) -> None:
        def factory(_options: Mapping[str, str], means: Means) -> Player:
            return make(means)

        monkeypatch.setitem(registry._BUILT_IN, name, factory)

    return add
