"""Rules as a value: what each field takes, impossible mixtures, plain data."""

from __future__ import annotations

import dataclasses
import json
import pickle
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given

from meldwise.game.codes import Code
from meldwise.game.errors import RulesError
from meldwise.game.rules import (
    JOKER_LEVELS,
    RANGES,
    BlockedScore,
    Direction,
    FirstPlayer,
    FreedJokerGoes,
    InvalidEnd,
    JokerPickup,
    MatchEnd,
    MustPlay,
    ReplacementFrom,
    Rules,
)
from tests import strategies as our

SWITCHES = [
    "opening_table_moves",
    "closed_joker_melds",
    "both_colours",
    "two_jokers_in_meld",
    "last_turns",
]
ENUMS = {
    "first_player": FirstPlayer,
    "direction": Direction,
    "joker_pickup": JokerPickup,
    "replacement_from": ReplacementFrom,
    "freed_joker_goes": FreedJokerGoes,
    "must_play": MustPlay,
    "invalid_end": InvalidEnd,
    "blocked_score": BlockedScore,
    "match_end": MatchEnd,
}
# What the other fields have to be for the limits of a field to be possible.
ROOM: dict[str, dict[str, Any]] = {
    "min_players": {"max_players": 6, "copies": 3, "jokers": 4},
    "max_players": {"copies": 3, "jokers": 4},
    "hand_size": {"max_players": 3},
    "jokers": {"max_players": 2},
}


def _refused(**values: Any) -> RulesError:
    with pytest.raises(RulesError) as caught:
        Rules(**values)
    return caught.value


def test_every_field_is_tested_here() -> None:
    names = {spec.name for spec in dataclasses.fields(Rules)}
    assert names == {*RANGES, *ENUMS, *SWITCHES, "match_length"}


@pytest.mark.parametrize("name", RANGES)
def test_numbers_have_a_least_and_a_greatest_value(name: str) -> None:
    low, high = RANGES[name]
    room = ROOM.get(name, {})
    for value in (low, high):
        assert getattr(Rules(**{**room, name: value}), name) == value
    for value in (low - 1, high + 1, -1_000_000, 1_000_000):
        error = _refused(**{**room, name: value})
        assert error.code is Code.RULES_OUT_OF_RANGE
        assert error.fields == {"field": name, "value": value, "low": low, "high": high}


def test_ranges_that_the_rules_state() -> None:
    assert RANGES["timer"] == (20, 120)
    assert RANGES["copies"][0] == 2
    assert RANGES["copies"][1] == 3
    assert RANGES["max_players"][1] == 6
    assert RANGES["jokers"][1] == 4


@pytest.mark.parametrize("name", [*RANGES, "match_length"])
@pytest.mark.parametrize("value", ["3", 3.0, True, [], object])
def test_numbers_are_whole_numbers(name: str, value: object) -> None:
    error = _refused(**{name: value})
    assert (error.code, error.fields["field"]) == (Code.RULES_BAD_VALUE, name)


@pytest.mark.parametrize("name", [name for name in [*RANGES, "match_length"] if name != "timer"])
def test_only_the_timer_may_be_off(name: str) -> None:
    assert Rules(timer=None).timer is None
    assert _refused(**{name: None}).code is Code.RULES_BAD_VALUE


@pytest.mark.parametrize("name", SWITCHES)
@pytest.mark.parametrize("value", [0, 1, "yes", None])
def test_switches_are_true_or_false(name: str, value: object) -> None:
    error = _refused(**{name: value})
    assert (error.code, error.fields["field"]) == (Code.RULES_BAD_VALUE, name)


@pytest.mark.parametrize("name", ENUMS)
@pytest.mark.parametrize("value", ["", "nonsense", None, 0, True])
def test_choices(name: str, value: object) -> None:
    error = _refused(**{name: value})
    assert (error.code, error.fields["field"]) == (Code.RULES_BAD_VALUE, name)
    assert all(choice.value in str(error.fields["allowed"]) for choice in ENUMS[name])


@pytest.mark.parametrize("name", ENUMS)
def test_choices_are_understood_as_text(name: str) -> None:
    base = replace(Rules().with_joker_level(1), match_length=60)
    for choice in ENUMS[name]:
        changed = Rules.from_dict({name: choice.value}, base)
        assert getattr(changed, name) is choice


@pytest.mark.parametrize(
    ("end", "low", "high"), [("rounds", 1, 1_000), ("time", 60, 86_400), ("target", 1, 100_000)]
)
def test_match_length_counts_rounds_seconds_or_points(end: str, low: int, high: int) -> None:
    for value in (low, high):
        assert Rules(match_end=MatchEnd(end), match_length=value).match_length == value
    for value in (low - 1, high + 1):
        error = _refused(match_end=MatchEnd(end), match_length=value)
        assert error.code is Code.RULES_OUT_OF_RANGE
        assert error.fields["field"] == "match_length"


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ({"min_players": 4, "max_players": 3}, Code.RULES_PLAYERS_RANGE),
        ({"max_players": 5}, Code.RULES_BOX_PLAYERS),
        ({"max_players": 6}, Code.RULES_BOX_PLAYERS),
        ({"hand_size": 27}, Code.RULES_BOX_TOO_SMALL),
        ({"hand_size": 28, "max_players": 6, "copies": 3}, Code.RULES_BOX_TOO_SMALL),
        ({"joker_pickup": "always"}, Code.RULES_CLOSED_PICKUP),
        (
            {"joker_pickup": "always", "closed_joker_melds": False},
            Code.RULES_PICKUP_NEEDS_NO_REPLACEMENT,
        ),
        (
            {
                "joker_pickup": "always",
                "closed_joker_melds": False,
                "replacement_from": "anywhere",
                "both_colours": True,
            },
            Code.RULES_PICKUP_NEEDS_NO_REPLACEMENT,
        ),
    ],
)
def test_impossible_mixtures(values: dict[str, Any], code: Code) -> None:
    assert _refused(**values).code is code
    with pytest.raises(RulesError) as caught:
        Rules.from_dict(values)
    assert caught.value.code is code


def test_the_box_must_hold_every_hand() -> None:
    assert Rules(hand_size=26).hand_size == 26  # 104 of 106
    error = _refused(hand_size=27)
    assert (error.fields["have"], error.fields["need"]) == (106, 108)


def test_box_for_five_or_six_players() -> None:
    rules = Rules(max_players=6, copies=3, jokers=4)
    assert rules.box_size == 160
    rules.check_players(6)
    assert Rules(jokers=0).box_size == 104


def test_check_players() -> None:
    rules = Rules()
    for players in (2, 3, 4):
        rules.check_players(players)
    for players in (-1, 0, 1, 5):
        with pytest.raises(RulesError) as caught:
            rules.check_players(players)
        assert caught.value.code is Code.RULES_PLAYER_COUNT
        assert (caught.value.fields["low"], caught.value.fields["high"]) == (2, 4)


def test_joker_levels() -> None:
    assert sorted(JOKER_LEVELS) == [0, 1, 2, 3, 4]
    for level in range(5):
        assert Rules().with_joker_level(level).joker_level == level
    assert Rules().joker_level == 3
    assert replace(Rules(), both_colours=True).joker_level is None
    assert replace(Rules(), freed_joker_goes=FreedJokerGoes.NEW_MELD).joker_level is None
    # Flags that are no joker flags leave the level alone.
    assert replace(Rules(), two_jokers_in_meld=False, timer=60).joker_level == 3


@pytest.mark.parametrize("level", [-1, 5, 100])
def test_no_such_joker_level(level: int) -> None:
    with pytest.raises(RulesError) as caught:
        Rules().with_joker_level(level)
    assert caught.value.code is Code.RULES_OUT_OF_RANGE


@given(our.rules())
def test_plain_data_round_trips(rules: Rules) -> None:
    data = json.loads(json.dumps(rules.as_dict()))
    assert Rules.from_dict(data) == rules
    assert pickle.loads(pickle.dumps(rules)) == rules
    assert hash(Rules.from_dict(data)) == hash(rules)


@given(our.rules(), our.rules())
def test_differences_rebuild(rules: Rules, base: Rules) -> None:
    changes = rules.differences(base)
    assert Rules.from_dict(changes, base) == rules
    assert rules.differences(rules) == {}


def test_from_dict_takes_a_base() -> None:
    base = Rules(timer=60)
    assert Rules.from_dict({"hand_size": 7}, base) == replace(base, hand_size=7)
    assert Rules.from_dict({}) == Rules()


@pytest.mark.parametrize("level", ["J2", "j2", "2", 2])
def test_from_dict_understands_a_joker_level(level: object) -> None:
    assert Rules.from_dict({"joker_level": level}) == Rules().with_joker_level(2)


def test_joker_flags_beside_a_level_come_after_it() -> None:
    mixed = {"both_colours": True, "joker_level": "J1", "freed_joker_goes": "new_meld"}
    assert Rules.from_dict(mixed) == replace(
        Rules().with_joker_level(1),
        both_colours=True,
        freed_joker_goes=FreedJokerGoes.NEW_MELD,
    )


@pytest.mark.parametrize("level", ["J5", "", "x", "J", 5, -1, True, 2.0, [], "22"])
def test_from_dict_refuses_other_levels(level: object) -> None:
    with pytest.raises(RulesError) as caught:
        Rules.from_dict({"joker_level": level})
    assert caught.value.code is Code.RULES_BAD_VALUE
    assert caught.value.fields["field"] == "joker_level"


def test_from_dict_refuses_unknown_fields() -> None:
    with pytest.raises(RulesError) as caught:
        Rules.from_dict({"colour": "red"})
    assert caught.value.code is Code.RULES_UNKNOWN_FIELD
    assert caught.value.fields["field"] == "colour"


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("timer", "off", None),
        ("timer", "60", 60),
        ("hand_size", " 7 ", 7),
        ("both_colours", "yes", True),
        ("both_colours", "TRUE", True),
        ("both_colours", "on", True),
        ("both_colours", "no", False),
        ("both_colours", "off", False),
        ("freed_joker_goes", "new-own-meld", "new_own_meld"),
        ("joker_level", "j4", "J4"),
    ],
)
def test_parse_value(name: str, text: str, value: object) -> None:
    assert Rules.parse_value(name, text) == value


@pytest.mark.parametrize(
    ("name", "text", "code"),
    [
        ("colour", "red", Code.RULES_UNKNOWN_FIELD),
        ("both_colours", "maybe", Code.RULES_BAD_VALUE),
        ("hand_size", "seven", Code.RULES_BAD_VALUE),
        ("hand_size", "off", Code.RULES_BAD_VALUE),
        ("hand_size", "7.5", Code.RULES_BAD_VALUE),
    ],
)
def test_parse_value_refuses(name: str, text: str, code: Code) -> None:
    with pytest.raises(RulesError) as caught:
        Rules.parse_value(name, text)
    assert caught.value.code is code


def test_rules_are_frozen() -> None:
    rules = Rules()
    with pytest.raises(dataclasses.FrozenInstanceError):
        rules.timer = 60  # type: ignore[misc]


def test_errors_keep_code_and_fields_when_pickled() -> None:
    error = _refused(hand_size=99)
    copy = pickle.loads(pickle.dumps(error))
    assert (copy.code, copy.fields) == (error.code, error.fields)
    assert "hand_size" in str(error)
