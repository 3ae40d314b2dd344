"""The levels: who sees what, and that nobody does anything illegal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pytest

from meldwise.game.actions import Draw, Play
from meldwise.game.codes import Code
from meldwise.game.melds import Kind, Meld
from meldwise.game.presets import GAMES
from meldwise.game.rules import MustPlay, Rules
from meldwise.game.session import Session
from meldwise.game.turn import judge
from meldwise.game.view import View, view_of
from meldwise.i18n import describe_level, level_name
from meldwise.players import DEFAULT_LEVEL, LEVELS, Means, PlayerError, create_player, player_names
from meldwise.players.habits import PERSONS, Habits, Person
from meldwise.players.person import PersonPlayer
from meldwise.solver import SolverOracle
from meldwise.testing import check_legal
from tests.rounds import a_match, a_round, begun, finish_round, seeds, with_round

SHARP = Habits(sees_taking=1.0, group=2, groups=40, sees_group=1.0)
"""Somebody who overlooks nothing that takes two melds or fewer apart."""


def who(habits: Habits, seed: int = 0) -> PersonPlayer:
    return PersonPlayer(Person.always(habits), seed)


def view_at(
    table: str, hand: str, other: str = "r1 r2 r9 k9 b13", opened: bool = True, **rules: object
) -> View:
    setting = Rules.from_dict(rules)
    state = a_round(hand, other, table=table, stock="y9 y8", rules=setting, opened=opened)
    return view_of(with_round(begun(a_match(setting)), state), 0)


def placed(player: PersonPlayer, view: View) -> str:
    """What a player places, in the order of a hand; nothing if it draws."""
    action = player.choose(view)
    if isinstance(action, Draw):
        return ""
    assert isinstance(action, Play)
    verdict = judge(view.position, action.table, view.rules)
    assert verdict.legal
    return " ".join(map(str, verdict.played))


# --- the list of levels ---------------------------------------------------------------------


def test_levels_are_players_in_order_with_words_for_people() -> None:
    assert [level.rank for level in LEVELS] == list(range(1, len(LEVELS) + 1))
    names = [level.name for level in LEVELS]
    assert names[:4] == ["beginner", "casual", "regular", "skilled"]
    assert DEFAULT_LEVEL in names
    assert set(names) <= set(player_names())
    for name in names:
        assert level_name(name) != name
        assert describe_level(name)
    assert (level_name("plain"), describe_level("plain")) == ("plain", "")


@pytest.mark.parametrize("name", PERSONS)
def test_levels_take_no_options(name: str) -> None:
    assert create_player(name).seconds is None
    with pytest.raises(PlayerError) as caught:
        create_player(f"{name}:depth=3")
    assert caught.value.code is Code.PLAYER_BAD_OPTION


def test_levels_see_more_as_they_rise() -> None:
    for lower, higher in pairwise(PERSONS.values()):
        for name in ("sees_taking", "sees_group", "group", "groups", "reach", "melds_in_sight"):
            assert getattr(lower.attentive, name) <= getattr(higher.attentive, name)
            assert getattr(lower.absent, name) <= getattr(higher.absent, name)
            for person in (lower, higher):
                assert getattr(person.absent, name) <= getattr(person.attentive, name)


@pytest.mark.parametrize("game", ["pup-rummy", "rrrummy", "tiles-50"])
def test_a_beginner_takes_nothing_from_the_table(game: str) -> None:
    rules = GAMES.find(game).rules
    names = ["beginner", "skilled"]
    plays = 0
    for number in range(6):
        session = Session.new("any", rules, a_match(rules).seats)
        session.start_round(seeds(2, number))
        players = [create_player(name, Means(number)) for name in names]
        while (state := session.match.running) is not None:
            action = players[state.seat].choose(view_of(session.match, state.seat))
            if state.seat == 0 and isinstance(action, Play):
                plays += 1
                assert grown(state.table, action.table)
            session.apply(action)
    assert plays > 20


def grown(before: Sequence[Meld], after: Sequence[Meld]) -> bool:
    """Whether every meld still lies there in one piece, each within another one."""
    left = list(after)
    for meld in before:
        within = [other for other in left if lies_in(meld, other)]
        if not within:
            return False
        left.remove(min(within, key=lambda other: len(other.cells)))
    return True


def lies_in(meld: Meld, other: Meld) -> bool:
    if meld.kind is not other.kind:
        return False
    if meld.kind is Kind.SET:
        return not Counter(meld.cells) - Counter(other.cells)
    size = len(meld.cells)
    starts = range(len(other.cells) - size + 1)
    return any(other.cells[start : start + size] == meld.cells for start in starts)


def test_attention_is_a_matter_of_the_round() -> None:
    view = view_at("r3-4-5-6", "y6 k6 b12 b1")
    assert view.round is not None
    person = Person(Habits(sees_taking=1.0), Habits(), 0.4)
    attentive = 0
    for number in range(1, 301):
        state = replace(view.round, number=number)
        numbered = replace(view, round=state)
        later = replace(view, round=replace(state, turn=31))
        player = PersonPlayer(person, 5)
        seen = placed(player, numbered)
        assert seen in ("y6 k6", "")
        assert placed(player, later) == seen
        attentive += bool(seen)
    assert 90 <= attentive <= 150


# --- what is seen ---------------------------------------------------------------------------


def test_new_melds_are_laid_one_at_a_time_by_who_does_so() -> None:
    view = view_at("", "r1 r2 r3 k7 b7 y7 b12 r12")
    assert placed(who(Habits()), view) == "r1 r2 r3 y7 k7 b7"
    assert placed(who(Habits(new_melds=1)), view) == "y7 k7 b7"


def test_who_sees_no_places_adds_nothing() -> None:
    view = view_at("r3-4-5 7ryk", "r6 b7 k1 b12")
    assert placed(who(Habits()), view) == "r6 b7"
    assert placed(who(Habits(sees_addition=0.0)), view) == ""


def test_only_melds_in_sight_are_added_to() -> None:
    view = view_at("r3-4-5 7ryk", "r6 b7 k1 b12")
    # What lies last was laid last.
    assert placed(who(Habits(melds_in_sight=1)), view) == "b7"


@pytest.mark.parametrize(
    ("table", "hand", "expected"),
    [
        ("r3-4-5-6", "y6 k6 b12 b1", "y6 k6"),  # a run gives its end
        ("6ryk b6-7-8-9", "y7 k7 r12 r1", ""),  # b7 is in the middle: the run would break
        ("7rykb", "r8 r9 b12 b1", "r8 r9"),  # a set of four gives a tile
        ("r3-4-5-6-7", "r5 b12 b1", "r5"),  # a run is split
        ("r4-*-6", "r5 k9 k10 b1", "r5 k9 k10"),  # a joker is replaced, and used
    ],
)
def test_one_meld_taken_apart(table: str, hand: str, expected: str) -> None:
    view = view_at(table, hand)
    assert placed(who(Habits(sees_taking=1.0)), view) == expected
    assert placed(who(Habits()), view) == ""


def test_two_melds_taken_apart_together() -> None:
    # One 6 from each run makes a set with the one in hand.
    view = view_at("r3-4-5-6 y6-7-8-9", "k6 b12 b1")
    assert placed(who(Habits(sees_taking=1.0)), view) == ""
    assert placed(who(SHARP), view) == "k6"


def test_a_thorough_search_stops_at_its_reach() -> None:
    deep = view_at("r3-4-5-6 y6-7-8-9 12ryk", "k6 b1 b13")
    assert placed(who(Habits(reach=2)), deep) == "k6"
    assert placed(who(Habits(reach=1)), deep) == ""


def test_what_is_overlooked_is_overlooked_again() -> None:
    view = view_at("r3-4-5-6", "y6 k6 b12 b1")
    assert view.round is not None
    later = replace(view, round=replace(view.round, turn=31))
    seen = 0
    for seed in range(300):
        player = who(Habits(sees_taking=0.3), seed)
        first = placed(player, view)
        assert placed(player, later) == first
        seen += bool(first)
    assert 60 <= seen <= 120


# --- jokers ---------------------------------------------------------------------------------


def test_jokers_are_kept_with_many_tiles_in_hand_and_played_with_few() -> None:
    many = view_at("", "k9 k10 * r1 b3 y5 r12 b11", other="r1 r2 r3 r4 r5 r6")
    assert placed(who(Habits(keeps_jokers=5)), many) == ""
    assert placed(who(Habits(keeps_jokers=9)), many) == "k9 k10 *"


def test_jokers_go_when_the_round_may_end_soon() -> None:
    few = view_at("r4-5-6", "* k9 b3 y5 r12 b11 y1", other="r1 r2")
    assert placed(who(Habits(keeps_jokers=0)), few) == "*"
    many = view_at("r4-5-6", "* k9 b3 y5 r12 b11 y1")
    assert placed(who(Habits(keeps_jokers=0)), many) == ""


# --- opening --------------------------------------------------------------------------------


def test_opening_of_few_melds() -> None:
    view = view_at("k1-2-3", "r1 r2 r3 k4 b4 y4 b8 b9 b10 r13", opened=False)
    assert placed(who(Habits()), view) == "r1 r2 r3 y4 k4 b4 b8 b9 b10"
    assert placed(who(Habits(opening_melds=1)), view) == ""


def test_nothing_on_the_table_is_touched_while_opening() -> None:
    view = view_at("r4-5-6", "r7 k10 b10 y10 k3", opened=False)
    assert placed(who(SHARP), view) == "y10 k10 b10"
    both = view_at("r4-5-6", "r7 k10 b10 y10 k3", opened=False, opening_table_moves=True)
    assert placed(who(SHARP), both) == "r7 y10 k10 b10"


def test_a_joker_helps_to_open_whoever_sees_it() -> None:
    view = view_at("", "k11 k12 * r3 b4 y6 b9", opened=False)
    assert placed(who(Habits()), view) == "k11 k12 *"
    assert placed(who(Habits(sees_joker_meld=0.0)), view) == ""


# --- the rules ------------------------------------------------------------------------------


def test_whoever_must_play_is_told_of_a_play() -> None:
    view = view_at("r3-4-5-6 y6-7-8-9", "k6 b12 b1", must_play="always")
    assert placed(who(Habits()), view) == "k6"


@pytest.mark.parametrize("name", PERSONS)
def test_no_illegal_move(name: str) -> None:
    games = [GAMES.find(game) for game in ("pup-rummy", "tiles-50", "sabra")]
    assert check_legal(name, games=games, seats=(2,)) > 100


def test_every_game_at_mixed_tables() -> None:
    for number, preset in enumerate(GAMES):
        rules = replace(preset.rules, must_play=MustPlay.STOCK_EMPTY)
        count = min(4, rules.max_players)
        names: Sequence[str] = ["skilled", "regular", "casual", "beginner"][:count]
        session = Session.new("any", rules, a_match(rules, count).seats, SolverOracle())
        session.start_round(seeds(count, number))
        finish_round(session, [create_player(name, Means(7)) for name in names])
        verbs = [line.verb for line in session.record.rounds[0].actions]
        assert "play" in verbs
