"""The bench of the players' strength: its cells, its stores, and what its page claims."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import bench.conduct as conduct
from bench.strength import Cell, cells_of, main, wanted_players
from meldwise.arena import Plan, Seating
from meldwise.game.presets import GAMES

EASY = GAMES.find("pup-rummy").rules


def test_everybody_meets_everybody_in_every_setting() -> None:
    players = ["casual", "skilled", "greedy"]
    cells = cells_of(players, ("pup-rummy", "rrrummy"), (2, 4), 1000, "s")
    pairs = [cell for cell in cells if cell.plan.seating is Seating.PAIRS]
    alone = [cell for cell in cells if cell.plan.seating is Seating.ALONE]
    assert len(pairs) == 3 * 2 * 2
    assert len({frozenset(cell.plan.entrants) for cell in pairs}) == 3
    assert {cell.plan.rules.joker_level for cell in cells} == {0, 3}
    # Alone against three greedy, at tables of four.
    assert sorted(cell.plan.entrants for cell in alone) == [
        ("casual", "greedy"), ("casual", "greedy"), ("skilled", "greedy"), ("skilled", "greedy"),
    ]  # fmt: skip
    assert {cell.plan.players for cell in alone} == {4}
    assert {cell.deals for cell in pairs} == {500}
    assert {cell.deals for cell in alone} == {250}
    assert len({cell.name for cell in cells}) == len(cells)
    assert cells[0].plan.entrants[1] == "greedy"


def test_files_of_players_with_options_have_names_that_any_system_takes() -> None:
    cell = Cell(Plan(("process:file=a/b.toml", "search:ms=5,x=y"), EASY), 10, 0)
    assert set(cell.name) <= set(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.=-"
    )


def test_the_yardstick_is_always_there() -> None:
    assert wanted_players(["plain"]) == ["plain", "greedy"]
    assert wanted_players(["greedy", "plain"]) == ["greedy", "plain"]
    assert wanted_players(None)[-1] == "greedy"


def test_the_page_claims_nothing_that_was_not_measured(tmp_path: Path) -> None:
    page, store = tmp_path / "strength.md", tmp_path / "stores"
    words = ["--player", "beginner", "--player", "casual", "--game", "pup-rummy", "--players", "2",
             "--jobs", "1", "--store", str(store), "--write", str(page)]  # fmt: skip
    main([*words, "--rounds", "8", "--report-only"])
    text = page.read_text("utf-8")
    assert "0 of 3 pairs are measured in full, 0 rounds in all" in text
    assert "Not measured: beginner and greedy; casual and greedy; beginner and casual." in text
    assert "| player | against |" not in text
    assert "Elo" not in text

    main([*words, "--rounds", "8", "--budget-minutes", "0", "--pairs", "greedy:beginner"])
    text = page.read_text("utf-8")
    assert "1 of 3 pairs are measured in full, 8 rounds in all" in text
    assert re.search(r"^\| beginner \| greedy \| 8 \| \d+\.\d % \(\d", text, re.MULTILINE)
    assert "Not measured: casual and greedy; beginner and casual." in text
    assert text.count("| 8 |") == 1

    main([*words, "--rounds", "12", "--report-only"])
    text = page.read_text("utf-8")
    row = r"^\| beginner \| greedy \| 8 of 12 \| \(\d+\.\d % \(\d.*\)\) \| \(-?\d"
    assert re.search(row, text, re.MULTILINE)

    main([*words, "--rounds", "8", "--budget-minutes", "0"])
    text = page.read_text("utf-8")
    assert "3 of 3 pairs are measured in full, 24 rounds in all" in text
    assert "Not measured" not in text
    assert not re.search(r"\| \(", text)
    before = text
    main([*words, "--rounds", "8", "--report-only"])
    assert page.read_text("utf-8") == before


def test_a_pair_that_another_process_measures_is_left_to_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--player", "plain", "--player", "greedy", "--game", "pup-rummy", "--players", "2",
             "--rounds", "8", "--jobs", "1", "--store", str(tmp_path)]  # fmt: skip
    main([*words, "--budget-minutes", "0"])
    (cell,) = cells_of(["plain", "greedy"], ("pup-rummy",), (2,), 12, "strength")
    with cell.open(tmp_path):
        main([*words, "--rounds", "12", "--budget-minutes", "0"])
    said = capsys.readouterr().out
    assert f"{cell.name} is being measured by another process." in said
    # What it has come to so far is told all the same.
    assert re.search(r"^\| plain \| greedy \| 8 of 12 \|", said, re.MULTILINE)


# --- conduct ------------------------------------------------------------------


def test_conduct_is_looked_at_in_every_game_and_at_every_size_of_table() -> None:
    plans = list(conduct.plans_of("plain", "s"))
    sizes = {(plan.game, plan.players) for plan in plans}
    assert len(sizes) == len(plans)
    assert {game for game, _ in sizes} == {preset.title for preset in GAMES}
    assert ("World Championship style", 4) not in sizes
    assert {("RRRummy", 2), ("RRRummy", 3), ("RRRummy", 4)} <= sizes


def test_conduct_tells_what_went_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # A program that is not there: every game has its incident.
    program = tmp_path / "absent.toml"
    program.write_text('command = ["no-such-program"]\n', encoding="utf-8")
    bad = f"process:file={program}"
    monkeypatch.setattr(conduct, "plans_of", lambda player, _: [Plan((player, "greedy"), EASY)])
    assert conduct.main(["--player", bad, "--rounds", "2", "--jobs", "1"]) == 1
    assert "crash in " in capsys.readouterr().out
    assert conduct.main(["--player", "plain", "--rounds", "2", "--jobs", "1"]) == 0
    line = capsys.readouterr().out.splitlines()[1].split()
    assert line[:2] == ["plain", "2"]
    assert line[-2:] == ["0", "0"]
