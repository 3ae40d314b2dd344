"""Section 3 of the rules: what a turn is, judged from its end alone."""

from __future__ import annotations

import json

import pytest

from meldwise.game.codes import Code
from meldwise.game.melds import Kind, Meld, readings
from meldwise.game.position import Position, parse_table
from meldwise.game.rules import Rules
from meldwise.game.tiles import parse_tiles
from meldwise.game.turn import Verdict, judge, settled_table

LEVELS = range(5)


def _turn(table: str, hand: str, end: str, level: int = 3) -> Verdict:
    position = Position(parse_table(table), parse_tiles(hand), True)
    return judge(position, parse_table(end), Rules().with_joker_level(level))


def test_section_3_only_the_end_is_judged() -> None:
    table = "r1-2-3-4 y1-2-3-4 k1-2-3-4"
    verdict = _turn(table, "b1", "1rykb 2ryk 3ryk 4ryk")
    assert verdict.legal
    assert verdict.played == parse_tiles("b1")
    assert verdict.missing == ()
    assert verdict.opening_total is None


def test_section_3_each_meld_is_valid() -> None:
    verdict = _turn("r4-5-6", "r8 b1", "r4-5-6-8")
    (problem,) = verdict.problems
    assert problem.code is Code.MELD_NOT_CONSECUTIVE
    assert problem.meld == Meld.parse("r4-5-6-8")
    assert (problem.place, problem.cell) == (0, 3)
    assert problem.tiles == parse_tiles("r8")
    assert problem.wanted == parse_tiles("r7")


def test_section_3_place_is_that_of_the_proposal() -> None:
    verdict = _turn("r4-5-6 7ryk", "b1 b2 b4", "r4-5-6 7ryk b1-2-4")
    (problem,) = verdict.problems
    assert (problem.code, problem.place, problem.cell) == (Code.MELD_NOT_CONSECUTIVE, 2, 2)


def test_section_3_no_table_tile_goes_to_a_hand() -> None:
    verdict = _turn("r4-5-6-7", "r3", "r3-4-5-6")
    (problem,) = verdict.problems
    assert problem.code is Code.TURN_TABLE_TILE_MISSING
    assert problem.tiles == parse_tiles("r7")
    assert verdict.missing == parse_tiles("r7")


@pytest.mark.parametrize("level", LEVELS)
def test_section_3_no_table_joker_goes_to_a_hand(level: int) -> None:
    verdict = _turn("r4-*-6", "r5", "r4-5-6", level)
    assert verdict.codes == (Code.TURN_TABLE_TILE_MISSING,)
    assert verdict.missing == parse_tiles("*")


def test_section_3_played_tiles_come_from_the_hand() -> None:
    verdict = _turn("r4-5-6", "r8 b1", "r4-5-6-7")
    (problem,) = verdict.problems
    assert problem.code is Code.TURN_TILE_NOT_HELD
    assert problem.tiles == parse_tiles("r7")
    verdict = _turn("", "r1 r2 r3 *", "r1-2-3 r1-2-3")
    assert verdict.codes == (Code.TURN_TILE_NOT_HELD,)
    assert verdict.problems[0].tiles == parse_tiles("r1 r2 r3")


def test_section_3_joker_not_in_hand_cannot_be_played() -> None:
    verdict = _turn("r4-5-6", "r7", "r4-5-6-*")
    assert verdict.codes == (Code.TURN_TILE_NOT_HELD,)
    assert verdict.problems[0].tiles == parse_tiles("*")


@pytest.mark.parametrize("end", ["r4-5-6 r7-8-9", "r4-5-6-7-8-9"])
def test_section_3_something_is_played(end: str) -> None:
    verdict = _turn("r4-5-6 r7-8-9", "b1", end)
    assert verdict.codes == (Code.TURN_NOTHING_PLAYED,)
    assert verdict.played == ()


def test_section_3_all_that_is_wrong_is_named() -> None:
    verdict = _turn("r4-5-6-7", "b1", "r4-5 b1-2-3")
    assert set(verdict.codes) == {
        Code.MELD_TOO_SHORT,
        Code.TURN_TABLE_TILE_MISSING,
        Code.TURN_TILE_NOT_HELD,
    }
    assert not verdict.legal
    assert verdict.jokers == ()


def test_section_3_twin_tiles_are_interchangeable() -> None:
    verdict = _turn("r4-5-6 r6-7-8", "r5 r7", "r5-6-7 r4-5-6-7-8")
    assert verdict.legal
    assert verdict.played == parse_tiles("r5 r7")


@pytest.mark.parametrize("level", LEVELS)
def test_section_3_jokers_are_interchangeable(level: int) -> None:
    # Whichever joker is the one from the hand: some pairing works.
    assert _turn("r4-*-6", "* b2 k2", "2bk* r4-*-6", level).legal
    assert _turn("7rb*", "*", "7rb**", level).legal


def test_section_3_order_of_melds_does_not_matter() -> None:
    for end in ("r4-5-6-7 7rykb", "7rykb r4-5-6-7", "7bkyr r4-5-6-7"):
        assert _turn("7ryk r4-5-6", "r7 b7", end).legal


def test_section_3_kind_is_declared_in_a_proposal() -> None:
    # The same three tiles as a run: the joker's kind changes.
    assert _turn("7r**", "b1 b2 b3", "7r** b1-2-3").legal
    assert not _turn("7r**", "b1 b2 b3", "r7-*-* b1-2-3").legal
    assert _turn("7r**", "b1 b2 b3", "r7-*-* b1-2-3", level=0).legal


def test_section_3_empty_meld_is_refused() -> None:
    position = Position(parse_table("r4-5-6"), parse_tiles("r7"), True)
    for kind in Kind:
        proposal = (*parse_table("r4-5-6-7"), Meld(kind, ()))
        (problem,) = judge(position, proposal, Rules()).problems
        assert problem.code is Code.MELD_EMPTY
        assert problem.place == 1
        assert (problem.have, problem.need) == (0, 3)


def test_section_3_empty_proposal() -> None:
    position = Position((), parse_tiles("r7"), True)
    assert judge(position, (), Rules()).codes == (Code.TURN_NOTHING_PLAYED,)


@pytest.mark.parametrize(
    ("tiles", "melds"),
    [
        ("r6 r4 r5", "r4-5-6"),
        ("k7 r7 y7", "7ryk"),
        ("r6 * r4", "r4-*-6"),
        ("b13 * b11", "b11-*-13"),
        ("r7 * b7", "7rb*"),
        ("* r6 r5", "r*-5-6 r5-6-*"),
        ("r1 r2 *", "r1-2-*"),
        ("r13 r12 *", "r*-12-13"),
        ("r7 * *", "r*-*-7 r*-7-* r7-*-* 7r**"),
        ("r1 * *", "r1-*-* 1r**"),
        ("r13 * *", "r*-*-13 13r**"),
        ("r4 * * r6", "r*-4-*-6 r4-*-6-*"),
        ("r4 * * r7", "r4-*-*-7"),
        ("r4 r5 r7", ""),
        ("r4 r4 *", ""),
        ("* * *", ""),
        ("r7 b8 *", ""),
        ("r7 *", ""),
        ("r7 y7", ""),
    ],
)
def test_section_3_reader_lists_the_readings_of_bare_tiles(tiles: str, melds: str) -> None:
    found = readings(parse_tiles(tiles))
    assert sorted(map(str, found)) == sorted(melds.split())
    assert all(meld.is_valid for meld in found)


def test_section_3_refusal_is_data() -> None:
    verdict = _turn("r4-*-6 7rbk*", "b2 k2 r5", "r4-5-6 7rbk 2bk* b1-*", 3)
    assert verdict.problems
    for problem in verdict.problems:
        data = problem.as_dict()
        assert json.loads(json.dumps(data)) == data
        assert data["code"] == problem.code.value
    (problem,) = _turn("r4-5-6", "r8", "r4-5-6-8").problems
    assert problem.as_dict() == {
        "code": "meld.not_consecutive",
        "meld": "r4-5-6-8",
        "tiles": ["r8"],
        "wanted": ["r7"],
        "place": 0,
        "cell": 3,
    }


def test_section_3_what_each_joker_does() -> None:
    verdict = _turn("r4-*-6", "r5 b3 k3", "r4-5-6 3bk*", 4)
    (use,) = verdict.jokers
    assert (use.place, use.cell, use.origin, use.freed) == (1, 2, (0, 1), True)
    assert use.replaced_by == parse_tiles("r5")
    assert use.role is not None
    assert set(use.role.tiles) == set(parse_tiles("r3 y3"))
    verdict = _turn("r4-*-6", "* b2 k2", "r4-*-6 2bk*", 4)
    kept, own = verdict.jokers
    assert (kept.origin, kept.freed, kept.replaced_by) == ((0, 1), False, ())
    assert (own.origin, own.freed) == (None, False)


def test_section_3_settled_table_keeps_untouched_melds_in_place() -> None:
    start = parse_table("r4-5-6 7ryk b1-2-3")
    end = parse_table("k1-2-3 b1-2-3 r4-5-6-7 7kyr")
    assert settled_table(start, end) == parse_table("7ryk b1-2-3 k1-2-3 r4-5-6-7")
