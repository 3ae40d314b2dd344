"""Section 4 of the rules: the joker levels, each of their flags, and mixtures of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from meldwise.game.codes import Code
from meldwise.game.melds import Meld
from meldwise.game.position import Position, parse_table
from meldwise.game.problems import Problem
from meldwise.game.rules import FreedJokerGoes, JokerPickup, ReplacementFrom, Rules
from meldwise.game.tiles import parse_tiles
from meldwise.game.turn import Verdict, judge

J = [Rules().with_joker_level(level) for level in range(5)]


def _turn(text: str, rules: Rules) -> Verdict:
    """Judges ``table / hand -> end`` for a player who has opened."""
    start, end = text.split("->")
    return judge(Position.parse(start), parse_table(end), rules)


def _levels(text: str) -> str:
    return "".join("Y" if _turn(text, rules).legal else "-" for rules in J)


def _one_problem(text: str, rules: Rules) -> Problem:
    (problem,) = _turn(text, rules).problems
    return problem


def _flags(**flags: Any) -> Rules:
    """J1 with other flags: replace first, from anywhere, nothing closed, goes anywhere."""
    return replace(J[1], **flags)


# --- J0 -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "r5-6-*-8 / b5 k5 -> r6-*-8 5rbk",  # taken from the end
        "7rbk* / r5 r6 -> 7bk* r5-6-7",  # taken from a set
        "r3-4-5-*-7-8 / r5 -> r3-4-5 r5-*-7-8",  # split
        "r4-*-6-7 / b4 k4 -> r*-6-7 4rbk",
    ],
)
def test_section_4_j3_nothing_is_taken_from_or_split_off_a_joker_meld(text: str) -> None:
    assert _levels(text) == "YYY--"
    problem = _one_problem(text, J[3])
    table = Position.parse(text.split("->", maxsplit=1)[0]).table
    assert problem.code is Code.JOKER_MELD_CLOSED
    assert (problem.meld, problem.place) == (table[0], 0)
    assert problem.cell == table[0].joker_cells[0]


def test_section_4_j3_a_joker_meld_is_not_shifted() -> None:
    # Moved along by one: at the other end the joker would stand for something else.
    assert _levels("r4-5-* / r7 -> r4-5-*-7") == "YYYYY"
    assert _levels("r4-5-* / r6 -> r*-4-5-6") == "YYYY-"
    assert _levels("r4-5-* / b1 b2 b3 -> r*-4-5 b1-2-3") == "Y----"


@pytest.mark.parametrize(
    "text",
    [
        "r4-*-6 / r7 -> r4-*-6-7",
        "r4-*-6 / r3 r7 -> r3-4-*-6-7",
        "r4-*-6 / * -> r4-*-6-*",
        "7rb* / k7 -> 7rbk*",
        "r1-*-3 r*-5-6 / r7 -> r1-*-3-*-5-6-7",
        "r1-2-3 r4-*-6 / r7 -> r1-2-3-4-*-6-7",
        "r1-2-3-4 r5-*-7 / r8 -> r1-2-3 r4-5-*-7-8",
        "7yk* 7rb* / b1 b2 b3 -> 7ky* 7*rb b1-2-3",
    ],
)
def test_section_4_j3_adding_and_joining_whole_melds_is_allowed(text: str) -> None:
    assert _levels(text) == "YYYYY"


def test_section_4_j3_two_joker_melds_do_not_share_a_tile() -> None:
    assert _levels("r3-*-5 r5-*-7 / b5 k5 -> r3-*-5-*-7 5rbk") == "YYY--"
    assert _levels("7rb* 7rb* / r8 r9 b8 b9 -> 7rb** r7-8-9 b7-8-9") == "YYY--"


def test_section_4_j3_replaced_meld_is_open() -> None:
    assert _levels("r4-5-*-7-8 / r6 b8 k8 -> r4-5-6-7 8rbk*") == "YYYY-"
    assert _levels("r4-5-*-7-8 / r6 b6 k6 b8 k8 -> r4-5-*-7 8rbk 6rbk") == "YYYY-"
    assert _levels("r4-5-*-7-8 / r6 b8 k8 y1 y2 -> r4-5-6-7 8rbk y1-2-*") == "YYYYY"


def test_section_4_j3_meld_with_a_kept_joker_keeps_the_tile_of_the_freed_one() -> None:
    assert _levels("r4-*-*-7 / r5 b2 k2 -> r4-5-*-7 2bk*") == "YYYYY"
    # The red 5 moves on, but the meld still has a joker.
    assert _levels("r3-4-*-*-7-8-9 / r5 b5 k5 r2 -> r2-3-4 r*-7-8-9 5rbk*") == "YYY--"
    # In a set: blue frees one joker and has to stay beside the other.
    assert _levels("7r** / b7 b2 k2 -> 7rb* 2bk*") == "YYYYY"
    text = "7r** y7-8-9-10 / b7 b8 b9 k1 k2 -> 7ry* y8-9-10 b7-8-9 k1-2-*"
    assert _levels(text) == "YYY--"


def test_section_4_j3_a_joker_meld_stays_in_one_meld() -> None:
    assert _levels("7r** / r8 r9 b7 -> r7-8-9 7b**") == "YYY--"
    assert _levels("r4-*-*-7 / r3 r8 -> r3-4-* r*-7-8") == "YYY--"


# --- J4 -----------------------------------------------------------------------------------


def test_section_4_j4_freed_joker_goes_to_a_new_meld_of_own_tiles() -> None:
    assert _levels("r6-*-8 / r7 b3 k3 -> r6-7-8 3bk*") == "YYYYY"


@pytest.mark.parametrize(
    "text",
    [
        "r4-*-6 b3-4-5 / r5 b7 -> r4-5-6 b3-4-5-*-7",  # an old meld
        "r*-5-6 / r4 -> r4-5-6-*",  # its own old meld
        "r4-*-6 3rbky / r5 k4 -> r4-5-6 3rby k3-4-*",  # one table tile
        "r4-5-*-7-8 / r6 b8 k8 -> r4-5-6-7 8rbk*",
    ],
)
def test_section_4_j4_not_with_table_tiles(text: str) -> None:
    assert _levels(text) == "YYYY-"
    problem = _one_problem(text, J[4])
    table = Position.parse(text.split("->", maxsplit=1)[0]).table
    assert problem.code is Code.JOKER_NOT_IN_OWN_MELD
    assert (problem.meld, problem.place) == (table[0], 0)
    assert problem.cell == table[0].joker_cells[0]
    role = table[0].roles[table[0].joker_cells[0]]
    assert role is not None
    assert problem.wanted == role.tiles


def test_section_4_j4_no_second_freed_joker_in_the_meld() -> None:
    text = "r4-*-6 b8-*-10 / r5 b9 k3 k5 -> r4-5-6 b8-9-10 k3-*-5-*"
    assert _levels(text) == "YYYY-"
    assert {problem.code for problem in _turn(text, J[4]).problems} == {Code.JOKER_NOT_IN_OWN_MELD}


def test_section_4_j4_joker_from_the_hand_is_an_own_tile() -> None:
    assert _levels("r4-*-6 / r5 * k3 -> r4-5-6 k3-*-*") == "YYYYY"


def test_section_4_j4_kept_joker_is_not_an_own_tile() -> None:
    assert _levels("r4-*-6 3b*k / r5 -> r4-5-6 3b*k*") == "YYYY-"
    # A kept joker that has come to the new meld, where melds with jokers are not closed.
    text = "r4-*-6 b2-*-4-5-6 2ryk / r5 b1 -> r4-5-6 b4-5-6 2rykb b1-*-*"
    assert _turn(text, J[2]).legal
    assert _turn(
        text,
        _flags(replacement_from=ReplacementFrom.HAND, freed_joker_goes=FreedJokerGoes.NEW_MELD),
    ).legal
    own = _flags(
        replacement_from=ReplacementFrom.HAND, freed_joker_goes=FreedJokerGoes.NEW_OWN_MELD
    )
    assert not _turn(text, own).legal


def test_section_4_j4_replacing_tile_does_not_count_as_own() -> None:
    # The red 5 frees the joker and then lies beside it; a second red 5 mends it.
    assert _levels("r2-3-4-*-6-7-8 / r5 k5 -> r2-3-4 r6-7-8 5rk*") == "YYYY-"
    assert _levels("r2-3-4-*-6-7-8 / r5 r5 k5 -> r2-3-4-5 r6-7-8 5rk*") == "YYYYY"


# --- the flags ----------------------------------------------------------------------------


def test_section_4_levels_are_settings_of_the_flags() -> None:
    settings = [
        (
            rules.joker_pickup,
            rules.replacement_from,
            rules.closed_joker_melds,
            rules.freed_joker_goes,
            rules.both_colours,
        )
        for rules in J
    ]
    assert settings == [
        ("always", "anywhere", False, "anywhere", False),
        ("after_replacement", "anywhere", False, "anywhere", False),
        ("after_replacement", "hand", False, "anywhere", False),
        ("after_replacement", "hand", True, "anywhere", False),
        ("after_replacement", "hand", True, "new_own_meld", False),
    ]


def test_section_4_flag_joker_pickup() -> None:
    text = "7rbk* / b2 k2 -> 7rbk 2bk*"
    assert _turn(text, _flags(joker_pickup=JokerPickup.ALWAYS)).legal
    assert _turn(text, _flags()).codes == (Code.JOKER_NOT_REPLACED,)


def test_section_4_flag_replacement_from() -> None:
    text = "r6-*-8 7rbky / b2 b4 -> r6-7-8 7bky b2-*-4"
    assert _turn(text, _flags(replacement_from=ReplacementFrom.ANYWHERE)).legal
    assert _turn(text, _flags(replacement_from=ReplacementFrom.HAND)).codes == (
        Code.JOKER_NOT_FROM_HAND,
    )


def test_section_4_flag_closed_joker_melds() -> None:
    text = "r5-6-*-8 / b5 k5 -> r6-*-8 5rbk"
    assert _turn(text, _flags(closed_joker_melds=False)).legal
    assert _turn(text, _flags(closed_joker_melds=True)).codes == (Code.JOKER_MELD_CLOSED,)


@pytest.mark.parametrize(
    ("text", "anywhere", "new_meld", "new_own_meld"),
    [
        ("r4-*-6 b3-4-5 / r5 b7 -> r4-5-6 b3-4-5-*-7", True, False, False),
        ("r*-5-6 / r4 -> r4-5-6-*", True, False, False),
        ("r4-*-6 3rbky / r5 k4 -> r4-5-6 3rby k3-4-*", True, True, False),
        ("r4-*-6 b8-*-10 / r5 b9 k3 -> r4-5-6 b8-9-10 k3-*-*", True, True, False),
        ("r4-*-6 / r5 b3 k3 -> r4-5-6 3bk*", True, True, True),
        ("r4-*-6 / r5 * k3 -> r4-5-6 k3-*-*", True, True, True),
    ],
)
def test_section_4_flag_freed_joker_goes(
    text: str, anywhere: bool, new_meld: bool, new_own_meld: bool
) -> None:
    for base in (J[2], J[3], J[1]):
        assert (
            _turn(text, replace(base, freed_joker_goes=FreedJokerGoes.ANYWHERE)).legal is anywhere
        )
        verdict = _turn(text, replace(base, freed_joker_goes=FreedJokerGoes.NEW_MELD))
        assert verdict.legal is new_meld
        assert set(verdict.codes) <= {Code.JOKER_NOT_IN_NEW_MELD}
        verdict = _turn(text, replace(base, freed_joker_goes=FreedJokerGoes.NEW_OWN_MELD))
        assert verdict.legal is new_own_meld
        assert set(verdict.codes) <= {Code.JOKER_NOT_IN_OWN_MELD}


@pytest.mark.parametrize("level", [1, 2, 3, 4])
def test_section_4_flag_both_colours(level: int) -> None:
    one = "7rb* / y7 b2 k2 -> 7rby 2bk*"
    both = "7rb* / y7 k7 b2 k2 -> 7rbyk 2bk*"
    rules = replace(J[level], both_colours=True)
    assert _turn(one, J[level]).legal
    problem = _one_problem(one, rules)
    assert problem.code is Code.JOKER_BOTH_COLOURS
    assert (problem.meld, problem.place, problem.cell) == (Meld.parse("7rb*"), 0, 2)
    assert set(problem.wanted) == set(parse_tiles("y7 k7"))
    assert _turn(both, rules).legal
    # Keeping the joker and adding the fourth colour frees nothing.
    assert _turn("7rb* / y7 -> 7rby*", rules).legal
    # A set of four and a run lack one tile only.
    assert _turn("7rbk* / y7 b2 k2 -> 7rbky 2bk*", rules).legal
    assert _turn("r4-*-6 / r5 b2 k2 -> r4-5-6 2bk*", rules).legal


def test_section_4_flag_two_jokers_in_a_meld() -> None:
    rules = replace(J[3], two_jokers_in_meld=False)
    text = "r4-*-6 / r7 * -> r4-*-6-7-*"
    assert _turn(text, J[3]).legal
    problem = _one_problem(text, rules)
    assert (problem.code, problem.place) == (Code.MELD_TWO_JOKERS, 0)


# --- mixtures -----------------------------------------------------------------------------


def test_section_4_both_colours_from_the_hand_or_from_anywhere() -> None:
    text = "7rb* k5-6-7-8 / y7 k9 b2 k2 -> 7rby k5-6-7-8-9 2bk*"
    assert _turn(text, _flags(both_colours=True)).legal
    verdict = _turn(text, replace(J[2], both_colours=True))
    assert verdict.codes == (Code.JOKER_NOT_FROM_HAND,)
    assert set(verdict.problems[0].wanted) == set(parse_tiles("y7 k7"))


def test_section_4_both_colours_with_new_own_meld() -> None:
    rules = replace(J[4], both_colours=True)
    assert _turn("7rb* / y7 k7 b2 k2 -> 7rbyk 2bk*", rules).legal
    # k7 is bound by the replacement and cannot lie beside the freed joker.
    text = "7rb* / y7 k7 k8 -> 7rby k7-8-*"
    assert not _turn(text, rules).legal
    assert _turn(text, J[4]).legal
    assert _turn(text, replace(J[3], both_colours=True)).legal
    # A second black 7 is free to.
    assert _turn("7rb* / y7 k7 k7 k8 -> 7rbyk k7-8-*", rules).legal


def test_section_4_closed_without_replacement_from_the_hand_tries_the_orders() -> None:
    rules = replace(J[3], replacement_from=ReplacementFrom.ANYWHERE)
    # r5 from the hand opens the first meld; its r6 then opens the second.
    text = "r3-4-*-6 r*-7-8 / r5 k1 k2 y1 y2 -> r3-4-5 r6-7-8 k1-2-* y1-2-*"
    assert _turn(text, rules).legal
    assert not _turn(text, J[3]).legal
    # And so on, whatever the order on the table.
    text = "8kb* r*-7-8 r3-4-*-6 / r5 k1 k2 y1 y2 b1 b2 -> r3-4-5-6-7 8rkb k1-2-* y1-2-* b1-2-*"
    assert _turn(text, rules).legal
    assert not _turn(text, J[3]).legal
    # Each of two closed melds has what the other wants.
    circle = "r4-5-6-* r*-7-8-9 / k1 k2 y1 y2 -> r4-5-6-7-8-9 k1-2-* y1-2-*"
    assert _turn(circle, _flags()).legal
    verdict = _turn(circle, rules)
    assert not verdict.legal
    assert set(verdict.codes) == {Code.JOKER_MELD_CLOSED}


def test_section_4_closed_from_anywhere_takes_from_open_melds_only() -> None:
    rules = replace(J[3], replacement_from=ReplacementFrom.ANYWHERE)
    assert _turn("r6-*-8 7rbky / b2 b4 -> r6-7-8 7bky b2-*-4", rules).legal
    closed = "r6-*-8 7rbk* / b2 b4 -> r6-7-8 7bk* b2-*-4"
    assert _turn(closed, J[1]).legal
    assert _turn(closed, rules).codes == (Code.JOKER_MELD_CLOSED,)
    # A yellow 7 from the hand opens the set.
    assert _turn("r6-*-8 7rbk* / y7 b2 b4 -> r6-7-8 7bky b2-*-4-*", rules).legal


def test_section_4_always_pickup_with_a_place_for_the_joker() -> None:
    own = replace(J[0], freed_joker_goes=FreedJokerGoes.NEW_OWN_MELD)
    new = replace(J[0], freed_joker_goes=FreedJokerGoes.NEW_MELD)
    into_own = "7rbk* / b2 k2 -> 7rbk 2bk*"
    into_new = "7rbk* 2rbyk / k3 -> 7rbk 2rby k2-3-*"
    into_old = "7rbk* b2-3-4 / b1 -> 7rbk b1-2-3-4-*"
    assert [_turn(text, own).legal for text in (into_own, into_new, into_old)] == [
        True,
        False,
        False,
    ]
    assert [_turn(text, new).legal for text in (into_own, into_new, into_old)] == [
        True,
        True,
        False,
    ]
    assert [_turn(text, J[0]).legal for text in (into_own, into_new, into_old)] == [True] * 3


def test_section_4_new_meld_and_closed() -> None:
    rules = replace(J[3], freed_joker_goes=FreedJokerGoes.NEW_MELD)
    assert _turn("r4-*-6 3rbky / r5 k4 -> r4-5-6 3rby k3-4-*", rules).legal
    # A closed meld is an old one whatever is added to it.
    verdict = _turn("r4-*-6 b8-*-10 / r5 b7 -> r4-5-6 b*-7-8-*-10", rules)
    assert set(verdict.codes) == {Code.JOKER_NOT_IN_NEW_MELD}
    assert 0 in {problem.place for problem in verdict.problems}


def test_section_4_new_meld_twins_bound_in_a_closed_meld_do_not_help() -> None:
    rules = replace(J[3], freed_joker_goes=FreedJokerGoes.NEW_MELD)
    # Both red 5s and 6s: those beside the kept joker cannot be exchanged for the others.
    text = "r4-5-6 r*-5-6 b1-*-3 / b2 -> r4-5-6-* r*-5-6 b1-2-3"
    assert _turn(text, rules).codes == (Code.JOKER_NOT_IN_NEW_MELD,)
    # In an open meld a twin can be exchanged: then no old meld lies whole in the new one.
    text = "r4-5-6 r5-6-7 b1-*-3 / b2 -> r4-5-6-* r5-6-7 b1-2-3"
    assert _turn(text, rules).legal


def test_section_4_new_meld_tile_that_replaced_in_a_closed_meld_stays_there() -> None:
    rules = replace(J[3], jokers=4, freed_joker_goes=FreedJokerGoes.NEW_MELD)
    # Blue 9 from the hand replaces one joker of the set that keeps another; the freed one
    # is added to 9rkb, whose blue 9 can be told from the one in the closed set.
    text = "9*y* 9rkb / b9 -> 9rkb* 9yb*"
    assert set(_turn(text, rules).codes) == {Code.JOKER_NOT_IN_NEW_MELD}
    # From anywhere the blue 9 of the open set can replace, and the own one join the others.
    anywhere = replace(rules, replacement_from=ReplacementFrom.ANYWHERE)
    assert _turn(text, anywhere).legal


def test_section_4_new_meld_of_a_part_of_an_old_one() -> None:
    rules = replace(J[2], freed_joker_goes=FreedJokerGoes.NEW_MELD)
    assert _turn("r4-*-6 r1-2-3-4 / r5 y4 k4 -> r4-5-6 r1-2-3-* 4ryk", rules).legal
    assert not _turn("r4-*-6 r1-2-3 / r5 -> r4-5-6 r1-2-3-*", rules).legal


def test_section_4_levels_hold_for_any_number_of_jokers() -> None:
    rules = [replace(each, copies=3, jokers=4, max_players=6) for each in J]
    start = "r4-*-6 b4-*-6 y4-*-6 / r5 b5 y5 * k1 k2 k9 k10 y1 y2 -> r4-5-6 b4-5-6 y4-5-6 "
    good = start + "k1-2-* k9-10-* y1-2-*-*"
    assert [_turn(good, each).legal for each in rules] == [True] * 5
    # Two freed jokers in one meld.
    bad = start.replace(" y1 y2", " *") + "k1-2-*-* k9-10-*-*"
    assert [_turn(bad, each).legal for each in rules] == [True] * 4 + [False]
    four = "7r*** / b7 k7 y7 b2 k2 r3 y3 k9 k10 -> 7rbky 2bk* 3ry* k9-10-*"
    assert [_turn(four, each).legal for each in rules] == [True] * 5
