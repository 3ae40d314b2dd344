"""Tiles and their text."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meldwise.game.codes import Code
from meldwise.game.errors import NotationError
from meldwise.game.tiles import (
    FACES,
    JOKER,
    JOKER_INDEX,
    TILES,
    Colour,
    Tile,
    count_tiles,
    format_tiles,
    parse_tiles,
)
from tests import strategies as our


def test_there_are_52_faces_and_a_joker() -> None:
    assert (FACES, JOKER_INDEX, len(TILES)) == (52, 52, 53)
    assert len(set(TILES)) == 53
    assert [tile.index for tile in TILES] == list(range(53))


@pytest.mark.parametrize("tile", TILES, ids=str)
def test_text_round_trips(tile: Tile) -> None:
    assert Tile.parse(str(tile)) == tile
    assert eval(repr(tile), {"Tile": Tile}) == tile
    assert pickle.loads(pickle.dumps(tile)) == tile


@pytest.mark.parametrize(
    ("text", "colour", "number"),
    [
        ("r1", Colour.RED, 1),
        ("y13", Colour.YELLOW, 13),
        ("k10", Colour.BLACK, 10),
        ("b7", Colour.BLUE, 7),
        ("R7", Colour.RED, 7),
        (" K12 ", Colour.BLACK, 12),
    ],
)
def test_reads_a_tile(text: str, colour: Colour, number: int) -> None:
    tile = Tile.parse(text)
    assert (tile.colour, tile.number, tile.is_joker) == (colour, number, False)
    assert Tile.of(colour, number) == tile


@pytest.mark.parametrize("text", ["*", "j", "J", " * "])
def test_reads_a_joker(text: str) -> None:
    assert Tile.parse(text) == JOKER
    assert (JOKER.colour, JOKER.number, JOKER.is_joker) == (None, 0, True)


@pytest.mark.parametrize(
    "text", ["", " ", "r", "7", "r0", "r14", "r100", "x7", "7r", "r7 r8", "r7*", "**", "r-1", "r٣"]
)
def test_refuses_what_is_not_a_tile(text: str) -> None:
    with pytest.raises(NotationError) as caught:
        Tile.parse(text)
    assert caught.value.code is Code.NOTATION_TILE


@pytest.mark.parametrize("number", [-1, 0, 14])
def test_refuses_a_number_that_is_not_there(number: int) -> None:
    with pytest.raises(NotationError) as caught:
        Tile.of(Colour.RED, number)
    assert caught.value.code is Code.NOTATION_TILE


@pytest.mark.parametrize("index", [-1, 53])
def test_refuses_an_index_that_is_not_there(index: int) -> None:
    with pytest.raises(NotationError):
        Tile(index)


def test_colours() -> None:
    assert [Colour.parse(letter) for letter in "rykb"] == list(Colour)
    assert Colour.parse("K") is Colour.BLACK
    for text in ("", "x", "ry", "red"):
        with pytest.raises(NotationError):
            Colour.parse(text)


def test_order_is_by_colour_then_number_joker_last() -> None:
    tiles = parse_tiles("* b1 k13 r2 y1 r1")
    assert format_tiles(sorted(tiles)) == "r1 r2 y1 k13 b1 *"


@pytest.mark.parametrize(
    ("text", "tiles"),
    [
        ("", ""),
        ("  ", ""),
        ("r4 b13 *", "r4 b13 *"),
        ("r4b13*", "r4 b13 *"),
        ("r4,b13,*", "r4 b13 *"),
        ("R4 B13 J", "r4 b13 *"),
        ("r4-5-6", "r4 r5 r6"),
        ("r4 5 6 k1 2", "r4 r5 r6 k1 k2"),
        ("r4-*-6", "r4 * r6"),
        ("r1\tr2\nr3", "r1 r2 r3"),
        ("r12 13", "r12 r13"),
        ("**", "* *"),
    ],
)
def test_reads_tiles_tolerantly(text: str, tiles: str) -> None:
    assert format_tiles(parse_tiles(text)) == tiles


@pytest.mark.parametrize(
    ("text", "column"),
    [("x", 1), ("r4 x", 4), ("r4 b14", 4), ("r4 r0", 4), ("7", 1), ("* 7", 3), ("r4 b", 4)],
)
def test_says_where_the_text_is_wrong(text: str, column: int) -> None:
    with pytest.raises(NotationError) as caught:
        parse_tiles(text)
    assert caught.value.code is Code.NOTATION_TILE
    assert caught.value.fields["column"] == column


def test_bare_number_after_a_colour_is_one_number() -> None:
    with pytest.raises(NotationError):
        parse_tiles("r4 14")


@given(st.lists(our.tiles))
def test_text_of_tiles_round_trips(tiles: list[Tile]) -> None:
    assert parse_tiles(format_tiles(tiles)) == tuple(tiles)
    assert parse_tiles("".join(map(str, tiles))) == tuple(tiles)


@given(st.text(alphabet="rykbRYKBj*0123456789 ,-x", max_size=20))
def test_any_text_is_read_or_refused(text: str) -> None:
    refused: NotationError | None = None
    try:
        tiles = parse_tiles(text)
    except NotationError as error:
        refused = error
    else:
        assert parse_tiles(format_tiles(tiles)) == tiles
    if refused is not None:
        column = refused.fields["column"]
        assert refused.code is Code.NOTATION_TILE
        assert isinstance(column, int)
        assert 1 <= column <= len(text) + 1


@given(st.lists(our.tiles))
def test_counts(tiles: list[Tile]) -> None:
    counts = count_tiles(tiles)
    assert len(counts) == 53
    assert sum(counts) == len(tiles)
    assert all(counts[tile.index] == tiles.count(tile) for tile in tiles)
