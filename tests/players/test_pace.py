"""How long a person would think."""

from __future__ import annotations

from dataclasses import replace

import pytest

from meldwise.game.actions import Draw, Pass, Play, RoundAction
from meldwise.game.position import parse_table
from meldwise.game.rules import Rules
from meldwise.game.view import View, view_of
from meldwise.players import Pace, think_time
from tests.rounds import a_match, a_round, begun, with_round

TABLE = "r3-4-5-6 7ryk k10-11-12 b1-2-3"


def a_view(hand: str = "r7 b7 k3 k4 k5 y1", timer: int | None = None, turn: int = 9) -> View:
    rules = Rules(timer=timer)
    state = a_round(hand, "r1", table=TABLE, stock="y9", rules=rules, turn=turn)
    return view_of(with_round(begun(a_match(rules)), state), 0)


def play(table: str) -> RoundAction:
    return Play(0, parse_table(table))


def test_the_same_turn_takes_the_same_time() -> None:
    view = a_view()
    assert think_time(view, Draw(0), Pace.NATURAL, 3) == think_time(view, Draw(0), Pace.NATURAL, 3)
    times = {think_time(a_view(turn=turn), Draw(0), Pace.NATURAL) for turn in range(1, 40)}
    assert len(times) == 39


def test_without_a_pace_there_is_no_pause() -> None:
    assert think_time(a_view(), play(TABLE + " k3-4-5"), Pace.NONE) == 0


@pytest.mark.parametrize("seed", range(20))
def test_more_to_do_takes_longer(seed: int) -> None:
    view = a_view()
    one = play("r3-4-5-6-7 7ryk k10-11-12 b1-2-3")
    three = play(f"{TABLE} k3-4-5")
    apart = play("r3-4-5 r6-7-8 7ryk k10-11-12 b1-2-3")
    steps: list[RoundAction] = [Pass(0), Draw(0), one, three]
    times = [think_time(view, action, Pace.NATURAL, seed) for action in steps]
    assert times == sorted(times)
    assert think_time(view, apart, Pace.NATURAL, seed) > times[2]


def test_paces_are_in_order_and_within_bounds() -> None:
    view = a_view()
    action = play(f"{TABLE} k3-4-5")
    for seed in range(50):
        fast, natural, slow = (
            think_time(view, action, pace, seed) for pace in (Pace.FAST, Pace.NATURAL, Pace.SLOW)
        )
        assert 0.4 <= fast < natural < slow <= 15


def test_never_more_than_half_of_the_time_for_a_turn() -> None:
    much = play("r3-4-5 6rk 7ryk b7-1 k10-11 k12 b1-2 b3")
    for seed in range(50):
        assert think_time(a_view(timer=20), much, Pace.SLOW, seed) <= 10
        assert think_time(a_view(), much, Pace.SLOW, seed) <= 15


def test_before_the_opening_the_table_is_not_looked_at() -> None:
    opened = a_view()
    players = (replace(opened.players[0], opened=False), *opened.players[1:])
    closed = replace(opened, players=players)
    assert think_time(closed, Draw(0), Pace.NATURAL) < think_time(opened, Draw(0), Pace.NATURAL)
