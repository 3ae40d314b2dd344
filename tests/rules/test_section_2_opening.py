"""Section 2 of the rules: what the judge decides of the opening and of a turn's end."""

from __future__ import annotations

from dataclasses import replace

import pytest

from meldwise.game.codes import Code
from meldwise.game.position import Position, parse_table
from meldwise.game.presets import GAMES
from meldwise.game.rules import Rules
from meldwise.game.tiles import Tile, parse_tiles
from meldwise.game.turn import Verdict, judge

CLOSED = Rules()
MOVES = Rules(opening_table_moves=True)


def _opening(table: str, hand: str, end: str, rules: Rules = CLOSED) -> Verdict:
    return judge(Position(parse_table(table), parse_tiles(hand), False), parse_table(end), rules)


def _tiles(text: str) -> tuple[Tile, ...]:
    return parse_tiles(text)


def test_section_2_opening_from_the_own_hand() -> None:
    verdict = _opening("r4-5-6", "b9 b10 b11 k1", "r4-5-6 b9-10-11")
    assert verdict.legal
    assert verdict.opening_total == 30
    assert verdict.played == _tiles("b9 b10 b11")


@pytest.mark.parametrize(
    ("game", "end", "legal"),
    [
        ("pup-rummy", "b9-10-11", True),
        ("rrrummy", "b9-10-11", True),
        ("royal-200", "b9-10-11", True),
        ("sabra", "b9-10-11", True),
        ("tiles-50", "b9-10-11", False),
        ("tiles-50", "b9-10-11-12", False),
        ("tiles-50", "b9-10-11 7ryk", True),
        ("tiles-50", "b9-10-11-12-13", True),
        ("rrrummy", "7ryk", False),
    ],
)
def test_section_2_opening_minimum(game: str, end: str, legal: bool) -> None:
    hand = "b9 b10 b11 b12 b13 r7 y7 k7"
    verdict = _opening("", hand, end, GAMES.find(game).rules)
    assert verdict.legal is legal
    assert verdict.opening_total == sum(meld.value for meld in parse_table(end))


def test_section_2_opening_of_exactly_the_minimum_is_enough() -> None:
    assert _opening("", "r9 r10 r11", "r9-10-11").legal
    verdict = _opening("", "r8 y8 b8 r1 r2", "8ryb")
    assert verdict.codes == (Code.TURN_OPENING_BELOW_MINIMUM,)
    assert (verdict.problems[0].have, verdict.problems[0].need) == (24, 30)
    rules = replace(CLOSED, opening_minimum=31)
    assert _opening("", "r9 r10 r11", "r9-10-11", rules).codes == (Code.TURN_OPENING_BELOW_MINIMUM,)


def test_section_2_opening_melds_add_up_and_further_ones_are_fine() -> None:
    hand = "r1 r2 r3 b4 b5 b6 r7 y7 k7 y3"
    assert not _opening("", hand, "r1-2-3 7ryk").legal
    assert _opening("", hand, "b4-5-6 7ryk").legal
    verdict = _opening("", hand, "r1-2-3 b4-5-6 7ryk")
    assert verdict.legal
    assert verdict.opening_total == 6 + 15 + 21


def test_section_2_opening_jokers_count_as_what_they_stand_for() -> None:
    assert _opening("", "r9 * r11", "r9-*-11").opening_total == 30
    assert _opening("", "r9 * r11", "r9-*-11").legal
    assert _opening("", "r10 y10 *", "10ry*").legal
    assert _opening("", "r11 * *", "r11-*-*").opening_total == 36
    assert _opening("", "r11 * *", "r*-*-11").opening_total == 30
    assert not _opening("", "r10 * *", "r*-*-10").legal


def test_section_2_opening_needs_a_meld_whatever_the_minimum() -> None:
    rules = replace(CLOSED, opening_minimum=0)
    assert _opening("", "r1 r2 r3", "r1-2-3", rules).legal
    assert Code.TURN_NOTHING_PLAYED in _opening("r4-5-6", "r1", "r4-5-6", rules).codes
    assert not _opening("r4-5-6", "r7", "r4-5-6-7", rules).legal


@pytest.mark.parametrize("changed", ["r4-5-6-7", "r3-4-5-6", "r4-5-6-*"])
def test_section_2_before_opening_no_table_tile_is_added_to(changed: str) -> None:
    table, hand = "k1-2-3 r4-5-6", "r3 r7 * b9 b10 b11"
    verdict = _opening(table, hand, f"k1-2-3 {changed} b9-10-11")
    (problem,) = verdict.problems
    assert problem.code is Code.TURN_TABLE_BEFORE_OPENING
    assert str(problem.meld) == "r4-5-6"
    assert problem.place == 1
    assert _opening(table, hand, "k1-2-3 r4-5-6 b9-10-11").legal


def test_section_2_before_opening_no_table_tile_is_used_or_moved() -> None:
    used = _opening("r4-5-6-7", "b7 k7 b9 b10 b11", "r4-5-6 7rbk b9-10-11")
    assert used.codes == (Code.TURN_TABLE_BEFORE_OPENING,)
    assert used.problems[0].place == 0
    split = _opening("r1-2-3-4-5-6", "b9 b10 b11", "r1-2-3 r4-5-6 b9-10-11")
    assert split.codes == (Code.TURN_TABLE_BEFORE_OPENING,)
    shifted = _opening("r4-5-*", "b9 b10 b11", "r*-4-5 b9-10-11")
    assert shifted.codes == (Code.TURN_TABLE_BEFORE_OPENING,)


def test_section_2_before_opening_no_joker_is_replaced() -> None:
    verdict = _opening("r4-*-6", "r5 b10 b11 b12", "r4-5-6 b10-11-12-*", CLOSED)
    assert verdict.codes[0] is Code.TURN_TABLE_BEFORE_OPENING


def test_section_2_order_of_a_set_and_of_melds_is_not_a_move() -> None:
    verdict = _opening("7ryk r1-2-3", "b9 b10 b11", "b9-10-11 r1-2-3 7kry")
    assert verdict.legal
    assert verdict.opening_total == 30


def test_section_2_twin_of_a_table_meld_is_a_new_meld() -> None:
    verdict = _opening("b9-10-11", "b9 b10 b11", "b9-10-11 b9-10-11")
    assert verdict.legal
    assert verdict.opening_total == 30


def test_section_2_table_moves_in_the_opening_turn_are_a_flag() -> None:
    table, hand, end = "r4-5-6", "b9 b10 b11 r7", "r4-5-6-7 b9-10-11"
    assert not _opening(table, hand, end, CLOSED).legal
    assert _opening(table, hand, end, MOVES).legal
    assert _opening(table, hand, end, GAMES.find("sabra").rules).legal
    assert not _opening(table, hand, end, GAMES.find("world championship style").rules).legal


def test_section_2_table_moves_come_after_the_minimum_is_down() -> None:
    verdict = _opening("r4-5-6", "b9 b10 b12 r7", "r4-5-6-7", MOVES)
    assert verdict.codes == (Code.TURN_OPENING_BELOW_MINIMUM,)
    assert verdict.problems[0].have == 0
    # The value of what is added to the table does not count.
    verdict = _opening("r9-10-11", "r12 r13 b1 b2 b3", "r9-10-11-12-13 b1-2-3", MOVES)
    assert verdict.codes == (Code.TURN_OPENING_BELOW_MINIMUM,)
    assert (verdict.problems[0].have, verdict.problems[0].need) == (6, 30)


def test_section_2_tiles_of_the_opening_may_be_rearranged_after_it() -> None:
    # b9-10-11 opens; then its 11 goes to a set and the 8 of the table joins the rest.
    verdict = _opening("b5-6-7-8 11ryk", "b9 b10 b11", "b5-6-7 b8-9-10 11rykb", MOVES)
    assert verdict.legal


def test_section_2_tiles_of_the_opening_are_table_tiles_by_then() -> None:
    table, hand, end = "r4-*-6", "r5 r10 y10 k10", "r4-5-6 10ryk*"
    assert _opening(table, hand, end, MOVES).legal
    verdict = _opening(table, hand, end, MOVES.with_joker_level(4))
    assert not verdict.legal
    assert set(verdict.codes) <= {Code.JOKER_NOT_IN_OWN_MELD, Code.TURN_OPENING_BELOW_MINIMUM}
    # With two more own tiles the freed joker has a new meld of its own.
    end = "r4-5-6 10ryk k1-2-*"
    assert _opening(table, f"{hand} k1 k2", end, MOVES.with_joker_level(4)).legal


@pytest.mark.parametrize("level", range(5))
def test_section_2_own_joker_of_the_opening_may_still_move(level: int) -> None:
    rules = MOVES.with_joker_level(level)
    # r10-11-* or r*-10-11 opens; in the end the joker stands for the red 6.
    assert _opening("r7-8-9", "r10 r11 *", "r*-7-8-9-10-11", rules).legal


def test_section_2_replacing_tile_is_not_one_of_the_opening() -> None:
    table, hand = "r9-*-11", "r10 b10 k10 y4"
    # Opening with r10 b10 k10 leaves no tile from the hand to free the joker.
    end = "r9-10-11 10bk*"
    assert not _opening(table, hand, end, MOVES).legal
    anywhere = replace(MOVES.with_joker_level(1), opening_table_moves=True)
    assert _opening(table, hand, end, anywhere).legal


def test_section_2_opening_alone_is_a_play_where_table_moves_are_allowed() -> None:
    verdict = _opening("r4-5-6", "b9 b10 b11", "r4-5-6 b9-10-11", MOVES)
    assert verdict.legal
    assert verdict.opening_total is not None
    assert verdict.opening_total >= 30


def test_section_2_opened_player_has_no_minimum() -> None:
    position = Position((), parse_tiles("r1 r2 r3"), True)
    verdict = judge(position, parse_table("r1-2-3"), CLOSED)
    assert verdict.legal
    assert verdict.opening_total is None


def test_section_2_every_tile_lies_in_a_valid_meld_at_the_end() -> None:
    position = Position(parse_table("r4-5-6-7"), parse_tiles("b7 k7"), True)
    verdict = judge(position, parse_table("r4-5 7rbk"), CLOSED)
    assert Code.MELD_TOO_SHORT in verdict.codes
    assert Code.TURN_TABLE_TILE_MISSING in verdict.codes
    assert verdict.missing == _tiles("r6")


def test_section_2_going_out_in_the_opening_turn_and_with_a_joker_count() -> None:
    assert _opening("", "r9 r10 *", "r9-10-*").legal
    position = Position(parse_table("r4-5-6"), parse_tiles("*"), True)
    verdict = judge(position, parse_table("r4-5-6-*"), CLOSED)
    assert verdict.legal
    assert verdict.played == _tiles("*")


def test_section_2_only_rearranging_is_not_a_play() -> None:
    position = Position(parse_table("r1-2-3-4-5-6"), parse_tiles("b1"), True)
    verdict = judge(position, parse_table("r1-2-3 r4-5-6"), CLOSED)
    assert verdict.codes == (Code.TURN_NOTHING_PLAYED,)


def test_section_2_two_jokers_flag_holds_in_the_opening() -> None:
    rules = replace(CLOSED, two_jokers_in_meld=False)
    assert not _opening("", "r11 * *", "r11-*-*", rules).legal
    assert _opening("", "r11 r12 * r10 y10 *", "r11-12-* 10ry*", rules).legal
