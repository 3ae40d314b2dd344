"""Views and actions as plain data."""

from __future__ import annotations

import json

import pytest

from meldwise.game.actions import AskRedeal, Draw, Pass, Play
from meldwise.game.codes import Code
from meldwise.game.errors import ActionError, NotationError
from meldwise.game.plaindata import action_data, action_from_data, plain_data
from meldwise.game.position import parse_table
from meldwise.game.view import view_of
from tests.rounds import a_match, a_round, begun, with_round

ACTIONS = [
    Play(1, parse_table("r4-*-6 7rbk set(*)")),
    Play(1, ()),
    Draw(1),
    Pass(1),
    AskRedeal(1),
]


@pytest.mark.parametrize("action", ACTIONS, ids=repr)
def test_actions_survive_json(action: Play | Draw | Pass | AskRedeal) -> None:
    data = json.loads(json.dumps(action_data(action)))
    assert "seat" not in data
    assert action_from_data(data, 1) == action


def test_a_table_may_be_one_text() -> None:
    data = {"action": "play", "table": "r4-5-6 7rbk", "more": 1}
    assert action_from_data(data, 0) == Play(0, parse_table("r4-5-6 7rbk"))


@pytest.mark.parametrize(
    "data",
    [
        None,
        "draw",
        ["draw"],
        {},
        {"action": "leave"},
        {"action": ["play"]},
        {"action": "play"},
        {"action": "play", "table": None},
        {"action": "play", "table": ["r4-5-6", 7]},
        {"action": "play", "table": ["r4-5-6"] * 61},
    ],
)
def test_what_is_no_action_is_refused(data: object) -> None:
    with pytest.raises(ActionError) as caught:
        action_from_data(data, 0)
    assert caught.value.code is Code.ACTION_NOT_UNDERSTOOD


def test_what_is_no_meld_is_refused() -> None:
    with pytest.raises(NotationError):
        action_from_data({"action": "play", "table": ["r4-5-x"]}, 0)


def test_a_view_is_data_with_the_fields_of_the_view() -> None:
    state = a_round("r4 * k1", "b9 b10", table="7ryk", stock="y1 y2", seat=1)
    view = view_of(with_round(begun(a_match()), state), 0)
    data = json.loads(json.dumps(plain_data(view)))
    assert data["type"] == "View"
    assert data["hand"] == ["r4", "k1", "*"]
    assert (data["seat"], data["round"]["seat"], data["round"]["stock"]) == (0, 1, 2)
    assert data["round"]["table"] == ["7ryk"]
    assert [player["tiles"] for player in data["players"]] == [3, 2]
    assert data["players"][0]["seat"]["name"] == "A"
    assert data["rules"]["joker_pickup"] == "after_replacement"
    assert data["round"]["seeds"] is None
    kinds = [event["type"] for event in data["round"]["history"]]
    assert kinds[-1] == "TurnBegan"
    assert "b9" not in json.dumps(data)
