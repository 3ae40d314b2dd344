"""Sections 3 and 4: the judge agrees with turns played step by step."""

from __future__ import annotations

import pytest

from meldwise.game.position import format_table, parse_table
from meldwise.game.tiles import parse_tiles
from tests.differential.layouts import Layout, layouts, to_melds
from tests.differential.situations import LEVELS, Tally, compare, play, random_case
from tests.differential.steps import Situation, reached
from tests.rules.test_section_5_worked_cases import ROWS

CHUNK = 30


def _situation(table: str, hand: str) -> Situation:
    melds = tuple(sorted(meld.key for meld in parse_table(table)))
    return Situation(melds, tuple(sorted(tile.index for tile in parse_tiles(hand))))


@pytest.mark.parametrize("chunk", range(40))
def test_section_4_judge_accepts_what_steps_reach(chunk: int) -> None:
    tally = play(CHUNK, seed=1_000 + chunk)
    assert tally.disagreements == []
    assert tally.situations == CHUNK
    assert 0 < tally.accepted < tally.compared
    assert tally.with_joker > CHUNK // 2


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_section_5_steps_reach_the_worked_cases(row: tuple[str, ...]) -> None:
    _, table, hand, end, accepted, _ = row
    situation = _situation(table, hand)
    target = tuple(sorted(meld.key for meld in parse_table(end)))
    faces = [face for _, cells in target for face in cells]
    for _, cells in situation.table:
        for face in cells:
            if face in faces:
                faces.remove(face)
    placed = tuple(sorted(faces))
    candidates = layouts([face for _, cells in target for face in cells])
    for rules, letter in zip(LEVELS.values(), accepted, strict=True):
        yes = False
        if placed and target in candidates and _keeps_all(situation, target):
            yes = reached(situation, placed, [target], rules) == [(True, True)]
        assert yes == (letter == "Y")


def _keeps_all(situation: Situation, target: Layout) -> bool:
    """Whether the end has all the tiles of the table; the model assumes that it has."""
    before = [face for _, cells in situation.table for face in cells]
    after = [face for _, cells in target for face in cells]
    return all(before.count(face) <= after.count(face) for face in before)


def test_section_1_layouts_are_all_valid_partitions() -> None:
    tiles = [tile.index for tile in parse_tiles("r1 r2 r3 y1 k1 *")]
    texts = {format_table(to_melds(layout)) for layout in layouts(tiles)}
    assert texts == {"r*-2-3 1ryk", "r2-3-* 1ryk", "r1-2-3 1yk*"}


def test_situations_are_the_same_for_the_same_seed() -> None:
    assert str(random_case("5:3")[0]) == str(random_case("5:3")[0])


def test_section_4_every_level_differs_from_the_next() -> None:
    tally = play(60, seed=2)
    assert set(tally.level_pairs) == {"J0 and J1", "J1 and J2", "J2 and J3", "J3 and J4"}


def test_compare_counts_every_end_table() -> None:
    tally = Tally()
    compare(_situation("r4-*-6", "r5 r7"), LEVELS, tally)
    assert tally.situations == 1
    assert tally.candidates * 5 == tally.compared
    assert tally.disagreements == []
