"""The named games of section 2, their registry and their text forms."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meldwise.game.codes import Code
from meldwise.game.errors import RulesError
from meldwise.game.presets import (
    BUILT_IN,
    GAMES,
    Preset,
    Registry,
    format_presets,
    format_rules,
    parse_presets,
    parse_rules,
)
from meldwise.game.rules import Rules
from tests import strategies as our

# The table of section 2: joker level, opening minimum, match end, its length, players.
TABLE = {
    "Pup Rummy": (0, 30, "rounds", 5, 2, 4),
    "Easy Rummy": (0, 30, "rounds", 5, 2, 4),
    "Dutch Rummy": (2, 30, "rounds", 5, 2, 4),
    "RRRummy": (3, 30, "rounds", 5, 2, 4),
    "Tiles 50": (4, 50, "rounds", 5, 2, 4),
    "Royal 200": (0, 30, "target", 200, 2, 4),
}


@pytest.mark.parametrize("title", TABLE)
def test_section_2_named_games(title: str) -> None:
    rules = GAMES.find(title).rules
    assert (
        rules.joker_level,
        rules.opening_minimum,
        rules.match_end,
        rules.match_length,
        rules.min_players,
        rules.max_players,
    ) == TABLE[title]
    assert GAMES.find(title).title == title


@pytest.mark.parametrize("title", [*TABLE, "Sabra", "World Championship style"])
def test_section_2_common_to_all(title: str) -> None:
    rules = GAMES.find(title).rules
    assert (rules.copies, rules.jokers, rules.box_size) == (2, 2, 106)
    assert rules.hand_size == 14
    assert rules.first_player == "draw"
    assert rules.direction == "clockwise"
    assert rules.two_jokers_in_meld
    assert rules.invalid_end == "penalty"
    assert rules.penalty_tiles == 3
    assert rules.blocked_score == "rrrummy"
    # House rules are off.
    assert rules.must_play == "never"
    assert not rules.last_turns
    assert not rules.both_colours
    assert rules.redeal_pairs == 0
    assert rules.penalty_skips == 0
    if title in TABLE:
        assert not rules.opening_table_moves
        assert rules.joker_in_hand == 30
        assert rules.unopened_surcharge == 0


def test_section_2_further_presets() -> None:
    sabra = GAMES.find("Sabra").rules
    assert (sabra.joker_level, sabra.opening_minimum, sabra.opening_table_moves) == (3, 30, True)
    world = GAMES.find("World Championship style").rules
    assert (world.min_players, world.max_players) == (2, 2)
    assert not world.opening_table_moves
    assert (world.joker_in_hand, world.unopened_surcharge) == (50, 100)


def test_section_2_j1_belongs_to_no_named_game() -> None:
    assert all(preset.rules.joker_level != 1 for preset in BUILT_IN)


def test_defaults_are_those_of_rrrummy() -> None:
    assert GAMES.find("rrrummy").rules == Rules()


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("tiles-50", "Tiles 50"),
        ("Tiles 50", "Tiles 50"),
        ("TILES_50", "Tiles 50"),
        ("tiles50", "Tiles 50"),
        ("50", "Tiles 50"),
        ("pup", "Pup Rummy"),
        ("easy", "Easy Rummy"),
        ("dutch", "Dutch Rummy"),
        ("RRR", "RRRummy"),
        ("standard", "RRRummy"),
        ("royal-200", "Royal 200"),
        ("Royal", "Royal 200"),
        ("200", "Royal 200"),
        ("sabra", "Sabra"),
        ("world championship", "World Championship style"),
        ("championship", "World Championship style"),
    ],
)
def test_games_are_found_by_name_title_and_alias(name: str, title: str) -> None:
    assert GAMES.find(name).title == title


def test_every_name_finds_its_game() -> None:
    assert len(GAMES) == len(BUILT_IN) == 8
    assert tuple(GAMES) == BUILT_IN
    for preset in BUILT_IN:
        for name in (preset.name, preset.title, *preset.aliases):
            assert GAMES.find(name) is preset


@pytest.mark.parametrize("name", ["", "chess", "tiles-51", "J3"])
def test_unknown_game(name: str) -> None:
    with pytest.raises(RulesError) as caught:
        GAMES.find(name)
    assert caught.value.code is Code.RULES_UNKNOWN_GAME
    assert "rrrummy" in caught.value.fields["known"]  # type: ignore[operator]


def test_register() -> None:
    registry = Registry()
    friday = Preset("friday", "Friday night", Rules(timer=60), ("fr",))
    registry.register(friday)
    registry.register(friday)
    assert len(registry) == 9
    assert registry.find("FRIDAY night") is friday
    assert registry.name_of(Rules(timer=60)) == "friday"
    assert registry.name_of(Rules(timer=61)) is None
    assert registry.name_of(Rules()) == "rrrummy"
    with pytest.raises(RulesError):
        GAMES.find("friday")


@pytest.mark.parametrize(
    "preset",
    [
        Preset("tiles-50", "Other", Rules()),
        Preset("other", "Tiles 50", Rules()),
        Preset("other", "Other", Rules(), ("DUTCH",)),
        Preset("tiles50", "Other", Rules()),
    ],
    ids=["name", "title", "alias", "dashes"],
)
def test_register_refuses_a_name_that_is_taken(preset: Preset) -> None:
    registry = Registry()
    with pytest.raises(RulesError) as caught:
        registry.register(preset)
    assert caught.value.code is Code.RULES_NAME_TAKEN
    assert tuple(registry) == BUILT_IN
    assert registry.find("tiles50") == GAMES.find("tiles50")


@pytest.mark.parametrize("name", ["", "Friday", "fri day", "-x", "x-", "a--b", "ä"])
def test_names_are_plain(name: str) -> None:
    with pytest.raises(RulesError) as caught:
        Preset(name, "Title", Rules())
    assert caught.value.code is Code.RULES_BAD_VALUE


@given(our.rules())
def test_text_of_rules_round_trips(rules: Rules) -> None:
    text = format_rules(rules)
    assert "\n" not in text
    assert parse_rules(text) == rules


@pytest.mark.parametrize("preset", BUILT_IN, ids=lambda preset: preset.name)
def test_text_of_a_named_game_gives_its_rules(preset: Preset) -> None:
    assert parse_rules(preset.name) == preset.rules
    assert parse_rules(format_rules(preset.rules)) == preset.rules


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("", Rules()),
        ("timer=60", Rules(timer=60)),
        ("joker_level=J2", Rules().with_joker_level(2)),
        ("dutch timer=60 both-colours=yes", replace(
            Rules().with_joker_level(2), timer=60, both_colours=True)),
        ("  tiles50   OPENING_MINIMUM=30 ", Rules().with_joker_level(4)),
        ("rrr timer=off", Rules()),
    ],
)  # fmt: skip
def test_reads_rules_tolerantly(text: str, rules: Rules) -> None:
    assert parse_rules(text) == rules


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("chess", Code.RULES_UNKNOWN_GAME),
        ("rrrummy colour=red", Code.RULES_UNKNOWN_FIELD),
        ("rrrummy timer", Code.RULES_UNKNOWN_FIELD),
        ("rrrummy timer=soon", Code.RULES_BAD_VALUE),
        ("rrrummy timer=5", Code.RULES_OUT_OF_RANGE),
        ("rrrummy joker_level=J7", Code.RULES_BAD_VALUE),
        ("rrrummy joker_pickup=always", Code.RULES_CLOSED_PICKUP),
        ("rrrummy max_players=6", Code.RULES_BOX_PLAYERS),
    ],
)
def test_refuses_rules_that_cannot_be(text: str, code: Code) -> None:
    with pytest.raises(RulesError) as caught:
        parse_rules(text)
    assert caught.value.code is code


names = st.from_regex(r"[a-z][a-z0-9]{0,8}(-[a-z0-9]{1,5})?", fullmatch=True)
titles = st.text(min_size=1, max_size=20).filter(lambda text: text.strip() != "")


@given(
    st.lists(st.builds(Preset, names, titles, our.rules()), max_size=4, unique_by=lambda p: p.name)
)
def test_own_mixtures_round_trip_as_toml(presets: list[Preset]) -> None:
    assert parse_presets(format_presets(tuple(presets))) == tuple(presets)


def test_reads_own_mixtures() -> None:
    text = """
    [friday]
    title = "Friday night"
    game = "tiles-50"
    timer = 60

    [mild]
    joker_level = "J1"
    """
    friday, mild = parse_presets(text)
    assert (friday.name, friday.title) == ("friday", "Friday night")
    assert friday.rules == replace(GAMES.find("tiles-50").rules, timer=60)
    assert (mild.title, mild.rules) == ("mild", Rules().with_joker_level(1))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("[friday", Code.RULES_FILE),
        ("timer = 60", Code.RULES_UNKNOWN_FIELD),
        ("[Friday Night]", Code.RULES_FILE),
        ("[Friday]", Code.RULES_BAD_VALUE),
        ("[friday]\ngame = 'chess'", Code.RULES_UNKNOWN_GAME),
        ("[friday]\ngame = 3", Code.RULES_BAD_VALUE),
        ("[friday]\ntitle = ''", Code.RULES_BAD_VALUE),
        ("[friday]\ntimer = 5", Code.RULES_OUT_OF_RANGE),
        ("[friday]\ntimer = 60.5", Code.RULES_BAD_VALUE),
        ("[friday]\ncolour = 'red'", Code.RULES_UNKNOWN_FIELD),
    ],
)
def test_refuses_a_file_of_mixtures(text: str, code: Code) -> None:
    with pytest.raises(RulesError) as caught:
        parse_presets(text)
    assert caught.value.code is code


def test_refusal_names_the_game() -> None:
    with pytest.raises(RulesError) as caught:
        parse_presets("[good]\n[bad]\ntimer = 5")
    assert caught.value.fields["game"] == "bad"
    assert caught.value.fields["field"] == "timer"
