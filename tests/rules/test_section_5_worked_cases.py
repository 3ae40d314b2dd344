"""Section 5 of the rules: the worked cases at each joker level, as the table prints them."""

from __future__ import annotations

import re

import pytest

from meldwise.game.position import Position, format_table, parse_table
from meldwise.game.rules import Rules
from meldwise.game.tiles import parse_tiles
from meldwise.game.turn import judge

# The rows of the table as they are printed: number, table, hand, end, levels, why.
CASES = """
| 1 | `r5-6-*-8 8bky` | `r3` | `r3-*-5-6 8rbky` | Y---- | role moves from 7 to 4 |
| 2 | `r6-*-8 7rbky` | `b2 b4` | `r6-7-8 7bky b2-*-4` | YY--- | replaced by a table tile |
| 3 | `r5-6-*-8` | `b5 k5` | `r6-*-8 5rbk` | YYY-- | tile taken from a joker meld |
| 4 | `r4-*-6 b3-4-5` | `r5 b7` | `r4-5-6 b3-4-5-*-7` | YYYY- | reused in an old meld |
| 5 | `r6-*-8` | `r7 b3 k3` | `r6-7-8 3bk*` | YYYYY | new meld of own tiles |
| 6 | `r4-*-6` | `r7` | `r4-*-6-7` | YYYYY | extending |
| 7 | `7rb*` | `k7` | `7rbk*` | YYYYY | a fourth tile beside the joker |
| 8 | `7rb*` | `y7 b2 k2` | `7rby 2bk*` | YYYYY | either missing colour replaces |
| 9 | `7rbk*` | `b2 k2` | `7rbk 2bk*` | Y---- | not replaced |
| 10 | `r*-5-6` | `r4` | `r4-5-6-*` | YYYY- | freed, back into the old meld |
| 11 | `r3-4-5-*-7-8` | `r5` | `r3-4-5 r5-*-7-8` | YYY-- | split |
| 12 | `r1-2-3-4 r*-5-6-7` | `b9 b10` | `r1-2-3-4-5-6-7 b9-10-*` | YY--- | table tile replaces |
| 13 | `r1-2-3-4 k1-2-3-4 y1-2-3-4 b1-2-3-*` | `r9 r10` | `1rbky 2rbky 3rbky 4rky r9-10-*` | Y---- | no real blue 4 anywhere |
| 14 | `r1-2-3-4 k1-2-3-4 y1-2-3-4 b1-2-3-*` | `b9 k9 y9` | `1rbky 2rbky 3rbky 4rky* 9bky` | Y---- | the joker's kind changed |
| 15 | `r4-5-*-7-8` | `r6 b6 k6 b8 k8` | `r4-5-*-7 8rbk 6rbk` | YYYY- | freed by r6; r6 moved on |
| 16 | `r4-5-*-7-8` | `b8 k8` | `r4-5-*-7 8rbk` | YYY-- | case 15 without r6 |
| 17 | `r4-*-*-7` | `r5 b2 k2` | `r4-5-*-7 2bk*` | YYYYY | one of two freed |
| 18 | `7r**` | `b7 b2 k2` | `7rb* 2bk*` | YYYYY | declared set |
| 19 | `r4-*-6 b8-*-10` | `r5 b9 k3` | `r4-5-6 b8-9-10 k3-*-*` | YYYY- | two freed jokers in one meld |
| 20 | `r4-*-6` | `r5 * k3` | `r4-5-6 k3-*-*` | YYYYY | a joker from the hand is an own tile |
| 21 | `r4-*-6 3rbky` | `r5 k4` | `r4-5-6 3rby k3-4-*` | YYYY- | a table tile in the new meld |
| 22 | `r4-*-6 r4-*-6 4bky 6bky` | `r5 k9 k10 b1 b2` | `r4-5-6 4rbky 6rbky k9-10-* b1-2-*` | YY--- | one r5 for two jokers |
| 23 | `7rbk*` | `r5 r6` | `7bk* r5-6-7` | YYY-- | set reduced |
| 24 | `r4-*-6` | `* b2 k2` | `r4-*-6 2bk*` | YYYYY | jokers interchangeable |
| 25 | `r1-*-3 r*-5-6` | `r7` | `r1-*-3-*-5-6-7` | YYYYY | whole melds joined |
| 26 | `r4-*-6` | `r5` | `r4-5-6` | ----- | joker pocketed |
| 27 | `r6-7-8-9 r10-11-12` | `r1` | `r6-7-8 r9-10-11-12` | ----- | nothing played |
| 28 | `r11-12-13 7rb*` | `* r1` | `r11-12-13-* 7rb*` | ----- | no 14 |
"""  # noqa: E501

ROWS = [
    tuple(cell.strip().strip("`") for cell in line.strip("|").split("|"))
    for line in CASES.strip().splitlines()
]


def _name(row: tuple[str, ...]) -> str:
    return f"{row[0]}-{re.sub('[^a-z0-9]+', '_', row[5].lower())}"


def test_section_5_has_28_cases_at_5_levels() -> None:
    assert [int(row[0]) for row in ROWS] == list(range(1, 29))
    assert all(re.fullmatch("[Y-]{5}", row[4]) for row in ROWS)


@pytest.mark.parametrize("level", range(5), ids="J{}".format)
@pytest.mark.parametrize("row", ROWS, ids=map(_name, ROWS))
def test_section_5_worked_case(row: tuple[str, ...], level: int) -> None:
    _, table, hand, end, accepted, _ = row
    rules = Rules().with_joker_level(level)
    verdict = judge(Position(parse_table(table), parse_tiles(hand), True), parse_table(end), rules)
    assert verdict.legal == (accepted[level] == "Y"), verdict.codes


@pytest.mark.parametrize("row", ROWS, ids=map(_name, ROWS))
def test_section_5_texts_round_trip(row: tuple[str, ...]) -> None:
    for text in (row[1], row[3]):
        assert format_table(parse_table(text)) == text
