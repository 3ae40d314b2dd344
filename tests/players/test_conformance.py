"""The conformance suite: every own player passes it, and each kind of bad player fails it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from meldwise.game.actions import AskRedeal, Draw, Pass, Play, RoundAction
from meldwise.game.tiles import TILES
from meldwise.game.view import View
from meldwise.players import Means, Player, create_player
from meldwise.players.greedy import GreedyPlayer
from meldwise.players.turns import idle
from meldwise.testing import (
    ConformanceError,
    PlayerConformance,
    check_budget,
    check_legal,
    check_player,
    check_repeatable,
    check_unseen_views,
    check_untouched_views,
)


class TestGreedy(PlayerConformance):
    def make_player(self, means: Means) -> Player:
        return create_player("greedy", means)


class TestBeginner(PlayerConformance):
    def make_player(self, means: Means) -> Player:
        return create_player("beginner", means)


class TestCasual(PlayerConformance):
    def make_player(self, means: Means) -> Player:
        return create_player("casual", means)


class Bad:
    """Plays like greedy, but for what a test gives it to do."""

    seconds: float | None = None

    def __init__(self, act: Callable[[View], RoundAction | None]) -> None:
        self.act = act
        self.good = GreedyPlayer()

    def choose(self, view: View) -> RoundAction:
        return self.act(view) or self.good.choose(view)


def bad(act: Callable[[View], RoundAction | None]) -> Callable[[Means], Player]:
    return lambda _means: Bad(act)


def test_one_call_runs_all_checks() -> None:
    assert check_player("greedy") > 500


def _fail(_view: View) -> RoundAction:
    raise ZeroDivisionError


ILLEGAL: list[Callable[[Any], Any]] = [
    lambda view: Pass(view.seat) if view.round.stock else None,
    lambda view: Draw(view.seat),
    lambda view: Draw(1 - min(view.seat, 1)),
    lambda view: AskRedeal(view.seat) if view.round.turn > 20 else None,
    lambda view: Play(view.seat, ()) if view.round.table else None,
    lambda view: Play(view.seat, view.round.table),
    lambda _view: "draw",
    _fail,
]


@pytest.mark.parametrize("act", ILLEGAL)
def test_illegal_actions_are_found(act: Callable[[View], RoundAction | None]) -> None:
    with pytest.raises(ConformanceError):
        check_legal(bad(act))


def test_a_player_that_never_plays_is_legal_where_nobody_must() -> None:
    assert check_legal(bad(idle), games=[], seats=(2,)) == 0
    with pytest.raises(ConformanceError, match=r"turn\.must_play"):
        check_legal(bad(idle))


def test_chance_of_its_own_is_found() -> None:
    count = 0

    def act(view: View) -> RoundAction | None:
        nonlocal count
        count += 1
        return idle(view) if count % 3 else None

    with pytest.raises(ConformanceError, match="same seed"):
        check_repeatable(bad(act))
    # Going by which object a view is, is chance too.
    with pytest.raises(ConformanceError, match="same seed"):
        check_repeatable(bad(lambda view: idle(view) if id(view) % 64 > 16 else None))


def test_a_player_that_has_to_see_the_start_is_found() -> None:
    seen = False

    def act(view: View) -> RoundAction | None:
        nonlocal seen
        assert view.round is not None
        seen = seen or view.round.turn < 4
        if not seen:
            raise RuntimeError("which round is this?")
        return None

    with pytest.raises(ConformanceError, match="which round"):
        check_unseen_views(bad(act))


def test_a_changed_view_is_found() -> None:
    def act(view: View) -> None:
        object.__setattr__(view, "hand", (*view.hand[1:], TILES[0]))

    with pytest.raises(ConformanceError, match="changed its view"):
        check_untouched_views(bad(act))


def test_an_exceeded_budget_is_found() -> None:
    now = 0.0

    def clock() -> float:
        return now

    class Slow(Bad):
        seconds = 1.0

        def choose(self, view: View) -> RoundAction:
            nonlocal now
            now += self.takes
            return super().choose(view)

        takes = 1.1

    assert check_budget(lambda _means: Slow(lambda _view: None), clock=clock) > 50
    Slow.takes = 1.3
    with pytest.raises(ConformanceError, match=r"1\.300 s of 1\.000 s"):
        check_budget(lambda _means: Slow(lambda _view: None), clock=clock)


THIRD_PARTY = """
from meldwise.game.actions import Draw, Pass

class Lazy:
    seconds = None

    def choose(self, view):
        return Draw(view.seat) if view.round.stock else Pass(view.seat)

def make(options, means):
    return Lazy()
"""


def test_a_player_of_another_distribution(tmp_path: Path) -> None:
    """A distribution is laid out as an installer would, and found by its entry point."""
    (tmp_path / "lazy_player.py").write_text(THIRD_PARTY)
    info = tmp_path / "lazy_player-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: lazy-player\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[meldwise.players]\nlazy = lazy_player:make\n")
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "from meldwise.players import create_player, player_names\n"
        "from meldwise.game.presets import GAMES\n"
        "from meldwise.testing import check_legal\n"
        "assert 'lazy' in list(player_names())\n"
        "print(check_legal('lazy', games=[GAMES.find('rrrummy')], seats=[2]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    # All the stock is drawn, then both pass.
    assert done.stdout.strip() == str(106 - 28 + 2)


def test_views_are_compared_by_value() -> None:
    """What the suite relies on: a view with another hand is another view."""
    views: list[View] = []

    def act(view: View) -> None:
        views.append(view)

    check_untouched_views(bad(act))
    assert replace(views[0], hand=()) != views[0]
