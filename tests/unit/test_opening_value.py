"""What own tiles alone are worth, against all ways to lay them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meldwise.game.opening import opening_value
from meldwise.game.tiles import JOKER, NUMBERS, Colour, Tile, count_tiles, parse_tiles
from tests import strategies as our
from tests.differential.layouts import layouts, value_of

MUCH = 10_000
"""More than any hand is worth."""


def _all_values(tiles: list[Tile], two_jokers: bool) -> set[int]:
    """The value of every choice of disjoint valid melds; the rest stays in hand."""
    values = {0}
    seen: set[tuple[int, ...]] = set()
    for chosen in range(1 << len(tiles)):
        part = tuple(sorted(tile.index for place, tile in enumerate(tiles) if chosen >> place & 1))
        if part not in seen:
            seen.add(part)
            values |= {sum(map(value_of, layout)) for layout in layouts(part, two_jokers)}
    return values


@st.composite
def small_hands(draw: st.DrawFn) -> list[Tile]:
    colours = draw(st.integers(1, 4))
    first = draw(st.integers(1, NUMBERS - 3))
    world = [Tile.of(Colour(c), first + n) for c in range(colours) for n in range(4)]
    hand = draw(st.lists(st.sampled_from(world * 2 + [JOKER]), max_size=8))
    return [tile for place, tile in enumerate(hand) if hand[:place].count(tile) < 2]


@pytest.mark.parametrize("two_jokers", [True, False])
@given(hand=small_hands())
def test_highest_value_of_a_small_hand(two_jokers: bool, hand: list[Tile]) -> None:
    best = max(_all_values(hand, two_jokers))
    assert opening_value(count_tiles(hand), MUCH, two_jokers) == best


@pytest.mark.parametrize("two_jokers", [True, False])
@given(hand=small_hands(), need=st.integers(1, 60))
def test_value_that_reaches_the_minimum(two_jokers: bool, hand: list[Tile], need: int) -> None:
    values = _all_values(hand, two_jokers)
    value = opening_value(count_tiles(hand), need, two_jokers)
    if max(values) >= need:
        assert value in values
        assert value >= need
    else:
        assert value == max(values)


@pytest.mark.parametrize(
    ("hand", "value", "without_two"),
    [
        ("", 0, 0),
        ("* *", 0, 0),
        ("r1 *", 0, 0),
        ("r1 * *", 6, 0),
        ("r13 * *", 39, 0),
        ("r12 r13 * *", 52 - 6, 36),
        ("r9 r10 r11", 30, 30),
        ("r9 r11 *", 30, 30),
        ("r10 y10 k10 b10", 40, 40),
        ("r10 y10 k10 b10 *", 40, 40),
        ("r10 r10 y10 y10 *", 30, 30),
        ("r10 r10 y10 y10 * *", 60, 60),
        ("r1 r2 r3 y3 k3", 9, 9),
        ("r1 r2 r3 r4 y4 k4", 18, 18),
        ("r1 r2 r3 r4 r5 r6 r7 r8 r9 r10 r11 r12 r13", 91, 91),
        ("r1 r1 r2 r2 r3 r3", 12, 12),
    ],
)
def test_known_hands(hand: str, value: int, without_two: int) -> None:
    counts = count_tiles(parse_tiles(hand))
    assert opening_value(counts, MUCH) == value
    assert opening_value(counts, MUCH, two_jokers=False) == without_two


@given(st.lists(our.tiles, max_size=14))
def test_counts_are_left_alone(hand: list[Tile]) -> None:
    counts = count_tiles(hand)
    before = list(counts)
    first = opening_value(counts, 30)
    assert counts == before
    assert opening_value(counts, 30) == first
