"""Tables and positions as text."""

from __future__ import annotations

import pytest
from hypothesis import given

from meldwise.game.codes import Code
from meldwise.game.errors import NotationError
from meldwise.game.position import Position, Table, format_table, parse_table
from meldwise.game.tiles import parse_tiles
from tests import strategies as our


@given(our.positions())
def test_text_round_trips(position: Position) -> None:
    assert Position.parse(str(position)) == position


@given(our.tables())
def test_text_of_a_table_round_trips(table: Table) -> None:
    assert parse_table(format_table(table)) == table


@pytest.mark.parametrize(
    "text",
    [
        "r4-*-6 7ryk / r7 * / unopened",
        "r4-*-6 / r7 / opened",
        "/  / opened",
        "/ r7 / unopened",
        "run(r4,b5) set(*) / * / opened",
    ],
)
def test_canonical_texts(text: str) -> None:
    assert str(Position.parse(text)) == text


@pytest.mark.parametrize(
    ("text", "opened"),
    [
        ("r4-5-6 / r7", True),
        ("r4-5-6 / r7 /", True),
        ("r4-5-6/r7/opened", True),
        ("R4-5-6 / R7 / OPENED", True),
        ("  r4-5-6  /  r7  /  Unopened  ", False),
        ("r4-5-6, / r7 / unopened", False),
    ],
)
def test_reads_tolerantly(text: str, opened: bool) -> None:
    assert Position.parse(text) == Position(parse_table("r4-5-6"), parse_tiles("r7"), opened)


def test_opened_unless_said() -> None:
    assert Position((), ()).opened


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", Code.NOTATION_POSITION),
        ("r4-5-6", Code.NOTATION_POSITION),
        ("r4-5-6 / r7 / perhaps", Code.NOTATION_POSITION),
        ("r4-5-6 / r7 / opened / more", Code.NOTATION_POSITION),
        ("x / r7", Code.NOTATION_MELD),
        ("r4-5-6 / x", Code.NOTATION_TILE),
    ],
)
def test_refuses_what_is_not_a_position(text: str, code: Code) -> None:
    with pytest.raises(NotationError) as caught:
        Position.parse(text)
    assert caught.value.code is code


@pytest.mark.parametrize(
    ("text", "column", "word"),
    [
        ("x", 1, "x"),
        ("r4-5-6 bad", 8, "bad"),
        ("7ryk   r4-", 8, "r4-"),
        ("run(r4,r5 7ryk", 1, None),
    ],
)
def test_says_where_a_table_is_wrong(text: str, column: int, word: str | None) -> None:
    with pytest.raises(NotationError) as caught:
        parse_table(text)
    assert caught.value.code is Code.NOTATION_MELD
    assert caught.value.fields["column"] == column
    if word is not None:
        assert caught.value.fields["text"] == word


def test_empty_table() -> None:
    assert parse_table("  ") == ()
    assert format_table(()) == ""


def test_spaces_inside_brackets() -> None:
    assert format_table(parse_table("run(r4, r5, b6) 7ryk")) == "run(r4,r5,b6) 7ryk"
