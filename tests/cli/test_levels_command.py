"""``meldwise levels``, and the levels of a match."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from meldwise.cli.app import cli
from meldwise.cli.host import Host, SeedSource
from meldwise.game.match import Seat
from meldwise.game.presets import GAMES
from meldwise.players import DEFAULT_LEVEL, LEVELS, Pace


def test_levels_are_listed_in_order() -> None:
    result = CliRunner().invoke(cli, ["levels"])
    assert result.exit_code == 0
    lines = result.output.splitlines()
    assert [line.split()[0] for line in lines[:-1]] == [level.name for level in LEVELS]
    assert [line for line in lines if line.endswith("(default)")] == [
        line for line in lines if line.startswith(DEFAULT_LEVEL)
    ]
    assert "greedy" in lines[-1]


def test_levels_as_json() -> None:
    result = CliRunner().invoke(cli, ["levels", "--json"])
    data = json.loads(result.output)
    assert [level["rank"] for level in data["levels"]] == [level.rank for level in LEVELS]
    assert all(level["title"] and level["description"] for level in data["levels"])
    assert [level["name"] for level in data["levels"] if level["default"]] == [DEFAULT_LEVEL]
    assert "plain" in data["others"]


def a_host(seed: str) -> Host:
    rules = GAMES.find("pup-rummy").rules
    seats = [Seat("Ana", "casual"), Seat("Beto", "regular")]
    host = Host.new("Pup Rummy", rules, seats, None, SeedSource(seed))
    _, server = host.commit()
    host.deal(server)
    return host


def test_a_computer_player_takes_its_time() -> None:
    host = a_host("a")
    waited: list[float] = []
    view = host.view(host.session.match.round.seat if host.session.match.round else None)
    host.computer_turn(Pace.SLOW, waited.append)
    # What it took to choose counts as thinking.
    assert len(waited) == 1
    assert 0 <= waited[0] <= 15
    host.computer_turn(Pace.NONE, waited.append)
    assert len(waited) == 1
    assert view.my_turn


def test_a_seed_repeats_the_players_too() -> None:
    one, other = a_host("b"), a_host("b")
    for _ in range(20):
        assert one.computer_turn() == other.computer_turn()


def test_a_program_that_fails_is_told_of_once_for_each_kind(tmp_path: Path) -> None:
    program = tmp_path / "absent.toml"
    program.write_text('command = ["no-such-program"]\nrestarts = 1\n', encoding="utf-8")
    level = f"process:file={program}"
    words = ["watch", "--game", "pup-rummy", "--level", level, "--level", "greedy", "--quiet"]
    result = CliRunner().invoke(cli, words)
    assert result.exit_code == 0
    told = [line for line in result.stderr.splitlines() if "no-such-program" in line]
    assert len(told) == 2
    assert "cannot be started" in told[0]
    assert "failed each of the 2 times" in told[1]
    assert ".." not in result.stderr
    assert "no-such-program" not in result.stdout


@pytest.mark.parametrize(
    ("words", "variable", "expected"),
    [
        ([], None, Pace.NONE),  # nobody at a terminal
        ([], "slow", Pace.SLOW),
        ([], "hasty", Pace.NONE),
        (["--pace", "natural"], "slow", Pace.NATURAL),
    ],
)
def test_pace_of_a_match(
    words: list[str],
    variable: str | None,
    expected: Pace,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.delenv("MELDWISE_PACE", raising=False)
    monkeypatch.setenv("MELDWISE_DATA", str(tmp_path))
    if variable is not None:
        monkeypatch.setenv("MELDWISE_PACE", variable)
    seen: list[Pace] = []

    def computer_turn(self: Host, pace: Pace = Pace.NONE) -> tuple[()]:
        seen.append(pace)
        raise KeyboardInterrupt

    monkeypatch.setattr(Host, "computer_turn", computer_turn)
    for seed in ("1", "2", "3"):
        CliRunner().invoke(cli, ["play", "--seed", seed, *words], input="draw\ndraw\n")
    assert set(seen) == {expected}
