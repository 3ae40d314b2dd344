"""The loop of a match with a scripted terminal: time-outs, questions, and how rounds end."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Iterable
from pathlib import Path

import pytest

from meldwise.cli.host import Host, SeedSource, load_oracle, read_match
from meldwise.cli.loop import Quit, Table
from meldwise.cli.person import HandOrder
from meldwise.cli.play import seats_for
from meldwise.cli.screen import Style, wrap
from meldwise.cli.terminal import InputEnded, Terminal, TimeUp
from meldwise.game.actions import Draw, Leave, Pass, Play, RoundAction
from meldwise.game.events import Drew, Passed, Penalised
from meldwise.game.position import Position
from meldwise.game.record_text import format_record
from meldwise.game.replay import replay
from meldwise.game.rules import InvalidEnd, MatchEnd, MustPlay, Rules
from meldwise.game.tiles import parse_tiles
from meldwise.game.view import View
from tests.cli.conftest import Run

TIME_UP = "(the time runs out)"


class Script(Terminal):
    """A terminal at which a script is typed; the input ends after it."""

    def __init__(self, lines: Iterable[str], style: Style | None = None) -> None:
        super().__init__(style or Style())
        self.lines = list(lines)
        self.text = ""
        self.columns = 79

    @property
    def width(self) -> int:
        return self.columns

    def say(self, text: str = "", end: str = "\n") -> None:
        self.text += text + end

    def ask(self, prompt: str, deadline: float | None = None) -> str:
        self.text += prompt
        if not self.lines:
            raise InputEnded
        line = self.lines.pop(0)
        self.text += line + "\n"
        if line == TIME_UP:
            assert deadline is not None
            raise TimeUp
        return line


def sit(
    tmp_path: Path, rules: Rules, *lines: str, seed: str = "s476", style: Style | None = None
) -> tuple[Table, Script]:
    host = Host.new("Test", rules, seats_for("Ana", 2, ()), tmp_path / "x.toml", SeedSource(seed))
    script = Script(lines, style)
    return Table(host, script, 0, HandOrder()), script


def play(table: Table) -> type[Exception] | None:
    try:
        table.run()
    except (InputEnded, Quit) as end:
        return type(end)
    return None


def mine(table: Table, kind: type) -> list[object]:
    state = table.host.session.match.round
    assert state is not None
    return [e for e in state.history if isinstance(e, kind) and getattr(e, "seat", None) == 0]


def test_a_timer_that_runs_out_draws_a_tile(tmp_path: Path) -> None:
    table, script = sit(tmp_path, Rules(timer=20), TIME_UP)
    assert play(table) is InputEnded
    assert len(mine(table, Drew)) == 1
    assert "Ana ({left} s)> " in script.text
    assert "The time ran out: Ana drew" in script.text


def test_a_timer_that_runs_out_on_an_unfinished_table_costs_a_penalty(tmp_path: Path) -> None:
    table, _ = sit(tmp_path, Rules(timer=20), "r4 5", TIME_UP)
    assert play(table) is InputEnded
    assert len(mine(table, Penalised)) == 1


def test_a_timer_that_runs_out_while_a_question_is_open(tmp_path: Path) -> None:
    table, _ = sit(tmp_path, Rules(timer=20), "r4", "draw", TIME_UP)
    assert play(table) is InputEnded
    assert len(mine(table, Penalised)) == 1


def test_a_refused_end_goes_on(tmp_path: Path) -> None:
    rules = Rules(invalid_end=InvalidEnd.REFUSE)
    table, script = sit(tmp_path, rules, "r4 5", "done", "quit")
    assert play(table) is Quit
    assert "The turn cannot end like this:" in script.text
    assert not mine(table, Penalised)


def test_drawing_with_a_draft_asks(tmp_path: Path) -> None:
    table, script = sit(tmp_path, Rules(), "r4 5", "draw", "", "draw", "y")
    assert play(table) is InputEnded
    assert "You have placed 2 tiles: take back what you laid, and draw?" in script.text
    assert len(mine(table, Drew)) == 1


def test_an_empty_stock_is_passed(tmp_path: Path) -> None:
    rules = Rules(hand_size=20, max_players=2, copies=2)
    table, script = sit(tmp_path, rules, *["draw"] * 80, "pass", "draw")
    play(table)
    assert "There is nothing left to draw: “pass” ends the turn." in script.text
    assert mine(table, Passed)


def test_what_can_be_looked_at(tmp_path: Path) -> None:
    lines = ("help", "rules", "log", "check", "show", "", "sort n", "sort own", "sort x")
    table, script = sit(tmp_path, Rules(), *lines, "arrange b9", "arrange zz", "redo", "reset")
    play(table)
    for text in (
        "swap r5 3",
        "A run is three or more tiles",
        "Round 1: ",
        "No tile of the hand was placed",
        "by number",
        "your order",
        "Sort by colour or by number",
        "You do not hold all these tiles.",
        "“zz” is not a tile",
        "nothing to redo",
        "Nothing has been moved",
    ):
        assert text in script.text, text


def test_a_second_round_begins_and_the_match_ends(tmp_path: Path, run: Run) -> None:
    rules = Rules(match_length=2)
    table, script = sit(tmp_path, rules)

    def ask(prompt: str, deadline: float | None = None) -> str:
        if prompt.startswith("Enter"):
            return ""
        state = table.host.session.match.running
        assert state is not None
        return "draw" if state.stock else "pass"

    script.ask = ask  # type: ignore[method-assign]
    assert play(table) is None
    result = table.host.session.match.result
    assert result is not None
    assert "Round 2: " in script.text
    assert "The match is over" in script.text
    assert "The seed of round 1 was" in script.text
    assert "Beto had" in script.text or "Ana had" in script.text
    assert run("record", "check", str(tmp_path / "x.toml")).exit_code == 0
    assert run("record", "verify", str(tmp_path / "x.toml")).exit_code == 0


def test_a_right_to_a_new_deal(tmp_path: Path) -> None:
    rules = Rules(redeal_pairs=1)
    for number in range(30):
        table, script = sit(tmp_path, rules, "y", "redeal", seed=f"pairs{number}")
        play(table)
        state = table.host.session.match.round
        assert state is not None
        if state.deal > 1:
            assert "asked for a new deal" in script.text
            assert "You may ask for a new deal" in script.text
            return
    raise AssertionError("nobody was dealt a pair")


def test_a_match_by_time_carries_its_clock_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    rules = Rules(match_end=MatchEnd.TIME, match_length=60)
    table, _ = sit(tmp_path, rules, "draw")
    now[0] += 10
    play(table)
    assert table.host.clock == 10
    table.host.save()
    now[0] += 500
    again = Host.resume(tmp_path / "x.toml", SeedSource("s476"))
    assert again.clock == 10
    now[0] += 60
    other = Table(again, Script(["draw"] * 60 + ["pass"] * 9), 0, HandOrder())
    while again.session.match.running is not None:
        state = again.session.match.running
        if state.seat == 0:
            other._act(Draw(0) if state.stock else Pass(0))
        else:
            again.computer_turn()
    assert again.time_is_up
    assert play(other) is None
    assert again.session.match.result is not None
    assert replay(read_match(tmp_path / "x.toml")).faults == ()


def test_a_computer_player_that_errs_draws(tmp_path: Path) -> None:
    class Wrong:
        seconds: None = None

        def choose(self, view: View) -> RoundAction:
            assert view.seat is not None
            return Play(view.seat, Position.parse("r1-2-3 /").table)

    table, _ = sit(tmp_path, Rules(invalid_end=InvalidEnd.REFUSE), *["draw"] * 3)
    table.host._players[1] = Wrong()
    assert play(table) is InputEnded
    state = table.host.session.match.round
    assert state is not None
    assert len(state.hands[1]) >= 16


def test_a_player_who_left_is_back_after_a_resume(tmp_path: Path) -> None:
    table, _ = sit(tmp_path, Rules(), "draw")
    play(table)
    table.host.act(Leave(0))
    again = Host.resume(tmp_path / "x.toml", SeedSource(None))
    script = Script(["quit"])
    assert play(Table(again, script, 0, HandOrder())) is Quit
    assert not again.session.match.seats[0].left
    assert "Hand (15" in script.text


def test_a_commitment_without_a_round_is_made_anew(tmp_path: Path) -> None:
    table, _ = sit(tmp_path, Rules())
    table.host.save()
    saved = (tmp_path / "x.toml").read_text(encoding="utf-8")
    table.host.commit()
    table.host.save()
    assert (tmp_path / "x.toml").read_text(encoding="utf-8") == saved
    record = table.host.session.record
    (tmp_path / "x.toml").write_text(format_record(record), encoding="utf-8")
    again = Host.resume(tmp_path / "x.toml", SeedSource(None))
    assert again.session.match.commitment is None
    assert play(Table(again, Script(["quit"]), 0, HandOrder())) is Quit


def test_seeds_by_text_are_the_same_again() -> None:
    assert SeedSource("a").server(1) == SeedSource("a").server(1)
    assert SeedSource("a").server(1) != SeedSource("a").server(2)
    assert SeedSource(None).server(1) != SeedSource(None).server(1)
    assert SeedSource("a", "mine").own(1) == "mine"
    assert SeedSource("a").own(1) == SeedSource("a").own(1)
    assert len(SeedSource(None).own(1)) == 16


def test_the_solver_is_asked_only_where_the_rules_ask() -> None:
    assert load_oracle(Rules()) is None
    oracle = load_oracle(Rules(must_play=MustPlay.STOCK_EMPTY))
    assert oracle is not None
    assert oracle.can_play(Position.parse("r4-5-6 / r7"), Rules())
    assert not oracle.can_play(Position.parse("r4-5-6 / r8"), Rules())


def test_a_hand_keeps_its_own_order() -> None:
    order = HandOrder()
    hand = parse_tiles("r1 b1 r2 *")
    assert [str(tile) for tile in order.ordered(hand)] == ["r1", "r2", "b1", "*"]
    order.mode = "number"
    assert [str(tile) for tile in order.ordered(hand)] == ["r1", "b1", "r2", "*"]
    order.arrange(hand, parse_tiles("* b1"))
    more = parse_tiles("r1 b1 r2 * k9")
    order.remember(more)
    assert [str(tile) for tile in order.ordered(more)] == ["*", "b1", "r1", "r2", "k9"]
    assert [str(tile) for tile in order.ordered(parse_tiles("k9 b1"))] == ["b1", "k9"]
    with pytest.raises(ValueError, match="not in list"):
        order.arrange(hand, parse_tiles("k9"))


@pytest.mark.parametrize("columns", [24, 40, 79, 110])
@pytest.mark.parametrize("shapes", [False, True])
@pytest.mark.parametrize("colours", [0, 8, 256])
def test_nothing_is_wider_than_the_screen(
    tmp_path: Path, columns: int, shapes: bool, colours: int
) -> None:
    table, script = sit(
        tmp_path,
        Rules(),
        "r4 5",
        "help",
        "check",
        "rules",
        "draw",
        "y",
        style=Style(colours, shapes),
    )
    script.columns = columns
    play(table)
    plain = re.sub(r"\033\[[0-9;]*[mHJ]", "", script.text)
    lines = [line for line in plain.splitlines() if not line.startswith("Ana> ")]
    assert max(map(len, lines)) <= columns
    assert ("◆" in plain) is shapes
    assert ("\033[" in script.text) is bool(colours)
    for face in ("r4", "r5", "k7", "b13", "y11"):
        assert face in plain


def test_long_words_are_broken() -> None:
    assert wrap("a " + "x" * 25, 10, 2) == ["a xxxxxxxx", "  xxxxxxxx", "  xxxxxxxx", "  x"]


def test_a_deadline_that_has_passed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    reading, writing = os.pipe()
    with os.fdopen(reading, encoding="utf-8") as source:
        monkeypatch.setattr(sys, "stdin", source)
        terminal = Terminal(Style())
        with pytest.raises(TimeUp):
            terminal.ask("> ", deadline=0.0)
        os.write(writing, "one\ntwo\r\nthree ◆".encode())
        os.close(writing)
        deadline = time.monotonic() + 1000
        assert terminal.ask("Ana ({left} s)> ", deadline) == "one"
        assert "Ana (1000 s)> " in capsys.readouterr().out
        assert terminal.ask("> ") == "two"
        assert terminal.ask("> ") == "three ◆"
        with pytest.raises(InputEnded):
            terminal.ask("> ")
