"""Section 1 of the rules: tiles and melds, one test or more a paragraph."""

from __future__ import annotations

from collections import Counter

import pytest

from meldwise.game.codes import Code
from meldwise.game.melds import Kind, Meld, Role
from meldwise.game.position import Position
from meldwise.game.rules import Rules
from meldwise.game.tiles import NUMBERS, TILES, Colour, Tile
from meldwise.game.turn import judge

RED, YELLOW, BLACK, BLUE = Colour


def _tiles(text: str) -> tuple[Tile, ...]:
    return tuple(Tile.parse(word) for word in text.split())


def _faults(text: str) -> set[Code]:
    return {problem.code for problem in Meld.parse(text).problems}


def test_section_1_box_has_106_tiles() -> None:
    assert Rules().box_size == 106
    real = [tile for tile in TILES if not tile.is_joker]
    assert Counter(tile.colour for tile in real) == dict.fromkeys(Colour, 13)
    assert {tile.number for tile in real} == set(range(1, 14))
    assert NUMBERS == 13
    assert len(real) * Rules().copies + Rules().jokers == 106
    assert (Rules().copies, Rules().jokers) == (2, 2)


@pytest.mark.parametrize(
    "text",
    [
        "r1-2-3",
        "k11-12-13",
        "b1-2-3-4-5-6-7-8-9-10-11-12-13",
        "y4-*-6",
        "y*-2-3",
        "y11-12-*",
        "r*-*-3",
        "r11-*-*",
        "b*-2-3-4-5-6-7-8-9-10-11-12-*",
    ],
)
def test_section_1_run(text: str) -> None:
    meld = Meld.parse(text)
    assert meld.kind is Kind.RUN
    assert meld.is_valid
    assert meld.problems == ()


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("r1-2", Code.MELD_TOO_SHORT),
        ("run(r1)", Code.MELD_TOO_SHORT),
        ("r4-5-7", Code.MELD_NOT_CONSECUTIVE),
        ("r6-5-4", Code.MELD_NOT_CONSECUTIVE),
        ("r4-5-5", Code.MELD_NOT_CONSECUTIVE),
        ("run(r4,r5,b6)", Code.MELD_MIXED_COLOURS),
        ("run(r4,*,b6)", Code.MELD_MIXED_COLOURS),
    ],
)
def test_section_1_run_is_three_or_more_of_one_colour_in_order(text: str, code: Code) -> None:
    assert code in _faults(text)


@pytest.mark.parametrize("text", ["r12-13-1", "r13-1-2", "r11-12-13-1", "r12-13-*", "r13-*-*"])
def test_section_1_one_stands_only_before_two_and_nothing_follows_thirteen(text: str) -> None:
    assert not Meld.parse(text).is_valid
    assert Meld.parse(text).value == 0


def test_section_1_nothing_follows_thirteen_names_the_cell() -> None:
    (problem,) = Meld.parse("r12-13-*").problems
    assert problem.code is Code.MELD_ABOVE_THIRTEEN
    assert problem.meld == Meld.parse("r12-13-*")
    assert problem.cell == 2
    assert problem.tiles == _tiles("*")
    assert problem.wanted == ()


@pytest.mark.parametrize("text", ["r*-1-2", "r*-*-2", "r*-1-2-3"])
def test_section_1_nothing_stands_before_one(text: str) -> None:
    (problem,) = Meld.parse(text).problems
    assert problem.code is Code.MELD_BELOW_ONE
    assert problem.cell == 0


def test_section_1_wrong_tile_in_a_run_names_what_would_mend_it() -> None:
    (problem,) = Meld.parse("r4-5-6-9").problems
    assert problem.code is Code.MELD_NOT_CONSECUTIVE
    assert (problem.cell, problem.tiles, problem.wanted) == (3, _tiles("r9"), _tiles("r7"))
    (problem,) = Meld.parse("run(r4,r5,b6)").problems
    assert problem.code is Code.MELD_MIXED_COLOURS
    assert (problem.cell, problem.tiles, problem.wanted) == (2, _tiles("b6"), _tiles("r6"))


@pytest.mark.parametrize("text", ["7ryk", "1rykb", "13kb*", "7r**", "7*r*", "4rb**"])
def test_section_1_set(text: str) -> None:
    meld = Meld.parse(text)
    assert meld.kind is Kind.SET
    assert meld.is_valid


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("7ry", Code.MELD_TOO_SHORT),
        ("7r*", Code.MELD_TOO_SHORT),
        ("7rrb", Code.MELD_DUPLICATE_COLOUR),
        ("7rr*", Code.MELD_DUPLICATE_COLOUR),
        ("7rykb*", Code.MELD_TOO_LONG),
        ("7ryk**", Code.MELD_TOO_LONG),
        ("set(r7,b7,k8)", Code.MELD_MIXED_NUMBERS),
    ],
)
def test_section_1_set_is_three_or_four_of_one_number_all_colours_different(
    text: str, code: Code
) -> None:
    assert code in _faults(text)


def test_section_1_wrong_tile_in_a_set_names_what_would_mend_it() -> None:
    (problem,) = Meld.parse("7rbr").problems
    assert problem.code is Code.MELD_DUPLICATE_COLOUR
    assert (problem.cell, problem.tiles) == (2, _tiles("r7"))
    assert set(problem.wanted) == set(_tiles("y7 k7"))
    (problem,) = Meld.parse("set(r7,b7,k8)").problems
    assert problem.code is Code.MELD_MIXED_NUMBERS
    assert (problem.cell, problem.tiles) == (2, _tiles("k8"))
    assert set(problem.wanted) == set(_tiles("y7 k7"))


@pytest.mark.parametrize("text", ["run(*,*,*)", "set(*,*,*)", "set(*,*,*,*)"])
def test_section_1_meld_holds_a_real_tile(text: str) -> None:
    assert _faults(text) == {Code.MELD_NO_REAL_TILE}


def test_section_1_two_jokers_in_a_meld_are_allowed_with_a_flag_to_forbid() -> None:
    end = (Meld.parse("r4-*-*-7"),)
    position = Position((), _tiles("r4 r7 * *"), True)
    assert judge(position, end, Rules()).legal
    verdict = judge(position, end, Rules(two_jokers_in_meld=False))
    (problem,) = verdict.problems
    assert problem.code is Code.MELD_TWO_JOKERS
    assert (problem.meld, problem.place) == (end[0], 0)
    assert problem.cell in (1, 2)
    assert (problem.have, problem.need) == (2, 1)
    one_each = (Meld.parse("r4-*-6"), Meld.parse("7rb*"))
    hand = _tiles("r4 r6 r7 b7 * *")
    assert judge(Position((), hand), one_each, Rules(two_jokers_in_meld=False)).legal


def test_section_1_meld_is_its_kind_and_ordered_cells() -> None:
    assert Meld.parse("r4-*-6").value == 4 + 5 + 6
    assert Meld.parse("r5-6-*").value == 5 + 6 + 7
    assert Meld.parse("r*-5-6").value == 4 + 5 + 6
    assert Meld.parse("r5-6-*") != Meld.parse("r*-5-6")


def test_section_1_kind_is_declared() -> None:
    run, one_set = Meld.run(_tiles("r7 * *")), Meld.set(_tiles("r7 * *"))
    assert run.is_valid
    assert one_set.is_valid
    assert (run.value, one_set.value) == (7 + 8 + 9, 21)
    assert (str(run), str(one_set)) == ("r7-*-*", "7r**")


def test_section_1_role_in_a_run_is_one_tile() -> None:
    assert Meld.parse("r4-*-6").roles == (None, Role(Kind.RUN, 5, (RED,)), None)
    assert Meld.parse("b*-*-6").roles[0] == Role(Kind.RUN, 4, (BLUE,))
    assert Role(Kind.RUN, 5, (RED,)).tiles == _tiles("r5")


def test_section_1_role_in_a_set_is_its_number_and_the_colours_lacking() -> None:
    assert Meld.parse("7rb*").roles == (None, None, Role(Kind.SET, 7, (YELLOW, BLACK)))
    assert Meld.parse("7*r*").roles[0] == Role(Kind.SET, 7, (YELLOW, BLACK, BLUE))
    assert Meld.parse("7ryk*").roles[3] == Role(Kind.SET, 7, (BLUE,))
    assert Role(Kind.SET, 7, (YELLOW, BLACK)).tiles == _tiles("y7 k7")


def test_section_1_joker_may_stand_for_a_tile_that_is_on_the_table_twice() -> None:
    table = (Meld.parse("r4-5-6"), Meld.parse("5ryk"))
    position = Position(table, _tiles("r3 r4 * r6"), True)
    for level in range(5):
        rules = Rules().with_joker_level(level)
        assert judge(position, (*table, Meld.parse("r4-*-6")), rules).legal


@pytest.mark.parametrize(
    ("text", "tiles"),
    [
        ("r4-5-6", "r4 r5 r6"),
        ("7ryk", "r7 y7 k7"),
        ("7rb*", "r7 b7 *"),
        ("k10-*-12", "k10 * k12"),
        ("13ykb", "y13 k13 b13"),
    ],
)
def test_section_1_notation(text: str, tiles: str) -> None:
    meld = Meld.parse(text)
    assert meld.cells == _tiles(tiles)
    assert str(meld) == text


def test_section_1_colours_are_r_y_k_b() -> None:
    assert [colour.letter for colour in Colour] == ["r", "y", "k", "b"]
    assert [colour.name for colour in Colour] == ["RED", "YELLOW", "BLACK", "BLUE"]
    assert str(Tile.of(BLACK, 4)) == "k4"
