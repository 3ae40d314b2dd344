"""Melds: text, roles, values, readings, and every code of what can be wrong."""

from __future__ import annotations

import pickle
from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meldwise.game.codes import Code
from meldwise.game.errors import NotationError
from meldwise.game.melds import Kind, Meld, read_meld, readings
from meldwise.game.tiles import JOKER, Colour, Tile, format_tiles, parse_tiles
from tests import strategies as our


@pytest.mark.parametrize(
    "text",
    [
        "r4-5-6",
        "r*-5-6",
        "k10-*-*-13",
        "7ryk",
        "13rykb",
        "7*rb",
        "7r**",
        "r12-13-*",
        "r4-4",
        "r9",
        "7r",
        "run(r4,b5)",
        "run(*,*,*)",
        "set(*)",
        "set(r7,b8,k7)",
        "run()",
        "set()",
    ],
)
def test_text_round_trips(text: str) -> None:
    assert str(Meld.parse(text)) == text
    assert eval(repr(Meld.parse(text)), {"Meld": Meld}) == Meld.parse(text)


@given(our.any_melds)
def test_text_of_any_meld_round_trips(meld: Meld) -> None:
    assert Meld.parse(str(meld)) == meld
    assert pickle.loads(pickle.dumps(meld)) == meld
    assert hash(Meld.parse(str(meld))) == hash(meld)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("R4-5-6", "r4-5-6"),
        (" 7RYK ", "7ryk"),
        ("r4-j-6", "r4-*-6"),
        ("7rJ*", "7r**"),
        ("RUN(r4,r5,r6)", "r4-5-6"),
        ("set(r7 k7 *)", "7rk*"),
    ],
)
def test_reads_tolerantly_and_writes_strictly(text: str, canonical: str) -> None:
    assert str(Meld.parse(text)) == canonical


@pytest.mark.parametrize(
    "text",
    ["", "x", "r", "7", "***", "r4-", "r4--5", "r0-1-2", "r13-14", "14ryk", "0ryk", "7rxk", "7***",
     "r4 5 6", "run(r4", "run(x)", "bag(r4)", "r4-b5", "7ryk 8ryk"],
)  # fmt: skip
def test_refuses_what_is_not_a_meld(text: str) -> None:
    with pytest.raises(NotationError) as caught:
        Meld.parse(text)
    assert caught.value.code in (Code.NOTATION_MELD, Code.NOTATION_TILE)


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        # code, cell, wrong tiles, wanted tiles, have, need
        ("run()", [(Code.MELD_EMPTY, None, "", "", 0, 3)]),
        ("set()", [(Code.MELD_EMPTY, None, "", "", 0, 3)]),
        ("r4-5", [(Code.MELD_TOO_SHORT, None, "", "", 2, 3)]),
        ("7r*", [(Code.MELD_TOO_SHORT, None, "", "", 2, 3)]),
        ("7rykb*", [(Code.MELD_TOO_LONG, None, "", "", 5, 4)]),
        ("run(*,*,*)", [(Code.MELD_NO_REAL_TILE, None, "", "", None, None)]),
        ("run(r4,b5,r6)", [(Code.MELD_MIXED_COLOURS, 1, "b5", "r5", None, None)]),
        ("r4-5-6-8", [(Code.MELD_NOT_CONSECUTIVE, 3, "r8", "r7", None, None)]),
        ("r*-1-2", [(Code.MELD_BELOW_ONE, 0, "*", "", None, None)]),
        ("r12-13-*", [(Code.MELD_ABOVE_THIRTEEN, 2, "*", "", None, None)]),
        ("set(r7,k7,b8)", [(Code.MELD_MIXED_NUMBERS, 2, "b8", "y7 b7", None, None)]),
        ("7rkr", [(Code.MELD_DUPLICATE_COLOUR, 2, "r7", "y7 b7", None, None)]),
    ],
)
def test_every_fault_of_a_meld(
    text: str, faults: list[tuple[Code, int | None, str, str, int | None, int | None]]
) -> None:
    meld = Meld.parse(text)
    assert not meld.is_valid
    assert meld.value == 0
    assert [
        (p.code, p.cell, format_tiles(p.tiles), format_tiles(sorted(p.wanted)), p.have, p.need)
        for p in meld.problems
    ] == faults
    assert all(problem.meld == meld for problem in meld.problems)
    assert all(problem.place is None for problem in meld.problems)


def test_several_faults_are_all_named() -> None:
    assert {p.code for p in Meld.parse("run(r4,b9)").problems} == {
        Code.MELD_TOO_SHORT,
        Code.MELD_MIXED_COLOURS,
        Code.MELD_NOT_CONSECUTIVE,
    }


@pytest.mark.parametrize(
    ("text", "value", "start", "colour"),
    [
        ("r4-5-6", 15, 4, Colour.RED),
        ("k*-*-3", 6, 1, Colour.BLACK),
        ("b11-*-*", 36, 11, Colour.BLUE),
        ("y1-2-3-4-5-6-7-8-9-10-11-12-13", 91, 1, Colour.YELLOW),
        ("7ryk", 21, 7, None),
        ("7r**", 21, 7, None),
        ("13rykb", 52, 13, None),
        ("1*rb*", 4, 1, None),
    ],
)
def test_value_start_and_colour(text: str, value: int, start: int, colour: Colour | None) -> None:
    meld = Meld.parse(text)
    assert (meld.value, meld.start, meld.colour) == (value, start, colour)


def test_key_forgets_the_order_of_a_set_only() -> None:
    keys = {Meld.set(order).key for order in permutations(parse_tiles("r7 y7 *"))}
    assert len(keys) == 1
    assert Meld.parse("r*-5-6").key != Meld.parse("r5-6-*").key
    assert Meld.parse("r7-*-*").key != Meld.parse("7r**").key


@given(our.valid_melds())
def test_roles_of_a_valid_meld(meld: Meld) -> None:
    assert meld.is_valid
    for cell, tile in enumerate(meld.cells):
        role = meld.roles[cell]
        assert (role is not None) is tile.is_joker
        if role is None:
            continue
        assert role.kind is meld.kind
        assert role.tiles
        # Any tile of the role in the joker's place leaves a valid meld.
        for other in role.tiles:
            cells = (*meld.cells[:cell], other, *meld.cells[cell + 1 :])
            assert Meld(meld.kind, cells).is_valid
        others = {Tile.of(colour, role.number) for colour in Colour} - set(role.tiles)
        for other in others:
            cells = (*meld.cells[:cell], other, *meld.cells[cell + 1 :])
            assert not Meld(meld.kind, cells).is_valid


@given(our.valid_melds())
def test_value_is_the_sum_of_what_the_jokers_stand_for(meld: Meld) -> None:
    numbers = [
        tile.number if role is None else role.number
        for tile, role in zip(meld.cells, meld.roles, strict=True)
    ]
    assert meld.value == sum(numbers)
    assert meld.joker_cells == tuple(c for c, tile in enumerate(meld.cells) if tile.is_joker)


def _valid_by_the_rules(meld: Meld) -> bool:
    """Section 1 word for word, by trying what the jokers could stand for."""
    real = [tile for tile in meld.cells if not tile.is_joker]
    if len(meld.cells) < 3 or not real:
        return False
    if meld.kind is Kind.SET:
        one_number = len({tile.number for tile in real}) == 1
        return one_number and len({t.colour for t in real}) == len(real) and len(meld.cells) <= 4
    return any(
        start + len(meld.cells) - 1 <= 13
        and all(
            cell.is_joker or cell == Tile.of(colour, start + place)
            for place, cell in enumerate(meld.cells)
        )
        for colour in Colour
        for start in range(1, 14)
        if start + len(meld.cells) - 1 <= 13
    )


@given(our.any_melds)
def test_validity_is_that_of_the_rules(meld: Meld) -> None:
    assert meld.is_valid is _valid_by_the_rules(meld)


@given(
    st.sampled_from(Kind),
    st.lists(st.sampled_from([*parse_tiles("r1 r2 r3 y2 r13 r12"), JOKER]), max_size=5),
)
def test_validity_of_near_misses(kind: Kind, cells: list[Tile]) -> None:
    meld = Meld(kind, tuple(cells))
    assert meld.is_valid is _valid_by_the_rules(meld)


@given(
    st.lists(st.sampled_from([*parse_tiles("r1 r2 r3 r4 y2 k2 r13 r12 r11"), JOKER]), max_size=5)
)
def test_readings_are_all_valid_arrangements(tiles: list[Tile]) -> None:
    found = readings(tiles)
    expected = {
        meld.key
        for kind in Kind
        for order in set(permutations(tiles))
        if (meld := Meld(kind, order)).is_valid
    }
    assert {meld.key for meld in found} == expected
    assert len(found) == len(expected)
    assert all(Counter(meld.cells) == Counter(tiles) for meld in found)


@pytest.mark.parametrize(
    ("tiles", "texts"),
    [
        ("r7 * *", ["r*-*-7", "r*-7-*", "r7-*-*", "7r**"]),
        ("* r5 r6", ["r*-5-6", "r5-6-*"]),
        ("* r12 r13", ["r*-12-13"]),
        ("* r1 r2", ["r1-2-*"]),
        ("k7 * r7", ["7rk*"]),
        ("", []),
        ("*", []),
        ("* * *", []),
    ],
)
def test_readings_runs_first_and_lowest_first(tiles: str, texts: list[str]) -> None:
    assert [str(meld) for meld in readings(parse_tiles(tiles))] == texts


def test_readings_of_the_longest_run() -> None:
    tiles = [Tile.of(Colour.BLUE, number) for number in range(13, 0, -1)]
    (meld,) = readings(tiles)
    assert meld.value == 91
    assert readings([*tiles, JOKER]) == ()


@pytest.mark.parametrize(
    "text", ["r04-05-06", "07ryk", "r\u0664-\u0665-\u0666", "r14-15-16", "r0-1-2"]
)
def test_numbers_are_written_plainly(text: str) -> None:
    with pytest.raises(NotationError) as error:
        Meld.parse(text)
    assert error.value.code is Code.NOTATION_MELD


def test_section_3_what_a_person_types_is_read_where_one_reading_exists() -> None:
    assert str(read_meld("r6 r4 r5")) == "r4-5-6"
    assert str(read_meld("b7 r7 *")) == "7rb*"
    assert str(read_meld("r4-6-5")) == "r4-6-5"  # The notation is taken as it is.
    with pytest.raises(NotationError) as several:
        read_meld("r5 6 *")
    assert several.value.code is Code.NOTATION_AMBIGUOUS
    found = several.value.fields["readings"]
    assert isinstance(found, tuple)
    assert [str(meld) for meld in found] == ["r*-5-6", "r5-6-*"]
    with pytest.raises(NotationError) as none:
        read_meld("r5 b6 k7")
    assert none.value.code is Code.NOTATION_NO_READING
