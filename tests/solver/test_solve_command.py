"""The command line's ``solve``."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner, Result

from meldwise.cli.exits import CliError
from meldwise.cli.solve import solve


def run(*words: str, text: str | None = None) -> Result:
    return CliRunner().invoke(solve, list(words), input=text)


def test_a_play_is_shown_with_its_proof() -> None:
    result = run("r5-6-7 8ryk / r8 b9 r4")
    assert result.exit_code == 0
    assert result.output.splitlines() == [
        "2 tiles: r4 r8 (value 2 12, proven)",
        "  +r4 r5 r6 r7 +r8",
        "  and 1 meld as before",
    ]


def test_several_plays_and_steps() -> None:
    result = run("--plays", "2", "--steps", "r5-6-7 / r8 r4")
    assert result.exit_code == 0
    assert "1. 2 tiles: r4 r8" in result.output
    assert "2. 1 tile: r8" in result.output
    assert "  1) r4-5-6-7-8: keep r5 r6 r7 from meld 1, r4 r8 from hand" in result.output


def test_why_nothing_can_be_played() -> None:
    for position, game, text in (
        ("r5-6-7 /", "rrrummy", "The hand is empty."),
        ("r5-6-7 / b1 k9", "rrrummy", "no tile of the hand fits"),
        ("/ r5 r6 r7 / unopened", "rrrummy", "worth 18 at most, and an opening needs 30"),
        ("/ r5 b6 r7 / unopened", "rrrummy", "no meld to open with"),
        ("r1-2-3-* / b9 b10", "rrrummy", "with free jokers something could"),
    ):
        result = run("--game", game, position)
        assert result.exit_code == 0
        assert text in result.output, result.output


def test_json_from_a_file_with_many_positions(tmp_path: Path) -> None:
    path = tmp_path / "positions.txt"
    path.write_text("r5-6-7 / r8  # one\n\n/ r5 / unopened\n", encoding="utf-8")
    result = run("--json", "--file", str(path), "r5-6-7 / r4 r8")
    assert result.exit_code == 0
    first, second, third = map(json.loads, result.output.splitlines())
    assert first["plays"][0]["played"] == ["r4", "r8"]
    assert second["plays"][0]["table"] == ["r5-6-7-8"]
    assert third["plays"] == []
    assert third["why"] == {"reason": "no_meld", "have": 0, "need": 30}


def test_json_tells_what_moves() -> None:
    result = run("--json", "--steps", "r5-6-7-8 b8-9-10-11 k1-2-3 / k8")
    (play,) = json.loads(result.output)["plays"]
    assert play["steps"][2] == "8rkb: r8 from meld 1, b8 from meld 2, k8 from hand"
    assert (play["melds_kept"], play["jokers_moved"], play["tiles_moved"]) == (1, 0, 2)
    assert play["least_moved_proven"] is True


def test_standard_input_weights_and_rules() -> None:
    result = run(
        "--weight",
        "r8=-3",
        "--objective",
        "tiles",
        "--set",
        "joker-level=J0",
        text="r5-6-7 / r8 r4\n",
    )
    assert result.exit_code == 0
    assert result.output.startswith("1 tile: r4 (value 1, proven)")


def test_wrong_words_are_told() -> None:
    for words, text in (
        (("--set", "timer", "/ r5"), "is not a setting"),
        (("--weight", "r5=x", "/ r5"), "is not a weight"),
        (("--file", "-"), "standard input, line 2"),
        (("--file", "nowhere.txt"), "nowhere.txt"),
    ):
        result = run(*words, text="r5-6-7 / r8\nr5-6 / x\n")
        assert isinstance(result.exception, CliError)
        assert text in result.exception.message


def test_a_position_that_cannot_be_is_named() -> None:
    result = run("--file", "-", text="r5-6-7 / r8\n\nr5-6-7 / r8 r8 r8\n")
    assert isinstance(result.exception, CliError)
    assert "standard input, line 3" in result.exception.message
    assert "holds red 8 more often than its box: 3 times instead of 2" in result.exception.message


def test_a_budget_tells_what_is_missing() -> None:
    result = run("--nodes", "1", "--set", "joker-level=J0", "r5-6-7 r8-9-10 / r4 b4 k4 r11")
    assert result.exit_code == 0
    assert "None was found" in result.output or "short of the best" in result.output
