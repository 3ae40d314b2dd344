"""The game in numbers: openings, who begins, and jokers."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meldwise.arena.openings import BATCH, Openings, OpeningWork, tiles_to_open
from meldwise.arena.simulation import (
    HANDS,
    ROUNDS,
    FullWork,
    SimulatedDeal,
    Simulation,
    SimulationWork,
    with_joker,
)
from meldwise.arena.simulation_report import simulation_data, simulation_grids, simulation_page
from meldwise.game.opening import opening_value
from meldwise.game.presets import GAMES
from meldwise.game.round import start_round
from meldwise.game.shuffle import Seeds, box_of, shuffled
from meldwise.game.tiles import JOKER, Tile, count_tiles, parse_tiles
from tests.arena.test_pages import read
from tests.rounds import seeds

EASY = GAMES.find("pup-rummy").rules


def order_of(start: str) -> tuple[Tile, ...]:
    """The whole box, some tiles first."""
    first = parse_tiles(start)
    rest = list(box_of(EASY))
    for tile in first:
        rest.remove(tile)
    return (*first, *rest)


NOTHING = "r1 r1 y3 y3 k5 k5 b7 b7 r9 r9 y11 y11 k13"


@pytest.mark.parametrize(
    ("start", "tiles"),
    [
        # 13 black, red and yellow are 39 points.
        (f"{NOTHING} r13 y13", 15),
        (f"{NOTHING} r13 r5 y13", 16),
        # The hand alone: a set of 10s.
        ("r10 y10 k10 r1 r1 y3 y3 k5 k5 b7 b7 r9 y11 k13", 14),
        # With a joker: 13, 13 and the joker for one.
        (f"{NOTHING} r13 *", 15),
        # 29 points are not enough; the 30th comes with a set of ones a tile later.
        ("r8 r9 r10 r1 y1 b4 b4 y3 y3 k5 k5 b7 b7 r4 k1", 15),
    ],
)
def test_tiles_needed_to_open(start: str, tiles: int) -> None:
    assert tiles_to_open(order_of(start), EASY) == tiles


def test_an_opening_that_nothing_reaches() -> None:
    rules = replace(EASY, jokers=0)
    order = tuple(tile for tile in box_of(rules) if tile.number <= 2)
    assert tiles_to_open(order, rules) == 0


@given(st.integers(0, 10_000))
def test_tiles_needed_are_those_that_one_after_the_other_shows(number: int) -> None:
    order = shuffled(box_of(EASY), number.to_bytes(32, "big"), "test")
    need = EASY.opening_minimum
    by_hand = next(
        count
        for count in range(EASY.hand_size, len(order) + 1)
        if opening_value(count_tiles(order[:count]), need) >= need
    )
    assert tiles_to_open(order, EASY) == by_hand


def test_openings_are_counted() -> None:
    found = Openings(14, {(0, 14): 30, (0, 15): 20, (0, 17): 10, (1, 14): 38, (2, 0): 2})
    assert found.hands == 100
    assert found.tiles == {0: 2, 14: 68, 15: 20, 17: 10}
    assert found.at_once is not None
    assert found.at_once.value == 0.68
    assert found.within(16) is not None
    assert found.within(16).value == 0.88  # type: ignore[union-attr]
    assert found.draws is not None
    assert found.draws.value == pytest.approx((20 + 30) / 98)
    assert found.draws_of_others is not None
    assert found.draws_of_others.value == pytest.approx(50 / 30)
    assert {jokers: hands for jokers, (hands, _) in found.by_jokers.items()} == {0: 60, 1: 38, 2: 2}
    assert (found.quantile(0.5), found.quantile(0.9), found.quantile(0.99)) == (14, 17, None)


def test_batches_of_hands_are_reproducible_and_differ() -> None:
    work = OpeningWork(EASY, "s")
    first = work.do((HANDS, 0), None)
    assert first == work.do((HANDS, 0), None)
    assert first != work.do((HANDS, 1), None)
    assert first != OpeningWork(EASY, "t").do((HANDS, 0), None)
    assert Openings.from_data(EASY, [first]).hands == BATCH


def test_chances_without_jokers_are_those_known_from_a_million_hands() -> None:
    """34.9 % of hands without jokers can open; see docs/arena.md."""
    rules = replace(EASY, jokers=0)
    work = OpeningWork(rules, "known")
    found = Openings.from_data(rules, [work.do((HANDS, n), None) for n in range(6)])
    # 3,000 hands have a standard error of 0.87 %.
    assert found.at_once is not None
    assert found.at_once.value == pytest.approx(0.349, abs=0.026)


def test_a_joker_is_swapped_for_one_tile() -> None:
    for number in range(40):
        state, _ = start_round(EASY, 2, 1, seeds(2, number), 0)
        given_joker = with_joker(state, 1)
        able = JOKER not in state.hands[1] and JOKER in state.stock
        assert (given_joker is not None) is able
        if given_joker is None:
            continue
        assert given_joker.hands[0] == state.hands[0]
        assert given_joker.hands[1].count(JOKER) == 1
        assert list(given_joker.hands[1]) == sorted(given_joker.hands[1])
        changed = [
            place
            for place, (new, old) in enumerate(zip(given_joker.stock, state.stock, strict=True))
            if new != old
        ]
        assert changed == [state.stock.index(JOKER)]
        before = sorted((*state.hands[1], *state.stock))
        assert sorted((*given_joker.hands[1], *given_joker.stock)) == before


WORK = SimulationWork("greedy", EASY, 2, "sim")


def test_a_deal_is_played_once_for_each_seat_that_begins() -> None:
    for players in (2, 3):
        work = SimulationWork("greedy", EASY, players, "sim")
        deal = SimulatedDeal.from_data(4, json.loads(json.dumps(work.do((ROUNDS, 4), None))))
        assert [outcome.first for outcome in deal.rounds] == list(range(players))
        assert len(deal.dealt) == players
        assert deal == SimulatedDeal.from_data(4, work.do((ROUNDS, 4), None))


def test_a_joker_is_given_to_every_seat_in_turn() -> None:
    deals = [SimulatedDeal.from_data(n, WORK.do((ROUNDS, n), None)) for n in range(10)]
    swapped = [deal for deal in deals if deal.swapped is not None]
    assert {deal.swapped.seat for deal in swapped if deal.swapped} == {0, 1}
    for deal in swapped:
        assert deal.swapped is not None
        assert deal.swapped.seat == deal.deal % 2
        assert deal.dealt[deal.swapped.seat] == 0
        assert deal.swapped.without == deal.rounds[deal.deal // 2 % 2]
        assert deal.swapped.joker.first == deal.swapped.without.first


def test_a_simulation_sums_up() -> None:
    work = FullWork(OpeningWork(EASY, "sim"), WORK)
    deals = [SimulatedDeal.from_data(n, work.do((ROUNDS, n), None)) for n in range(8)]
    openings = Openings.from_data(EASY, [work.do((HANDS, 0), None)])
    simulation = Simulation.of(WORK, openings, deals)
    assert simulation.rounds == 16
    rounds = [outcome for deal in deals for outcome in deal.rounds]
    assert simulation.turns is not None
    assert simulation.turns.value == pytest.approx(sum(r.turns for r in rounds) / 16)
    assert simulation.first_wins is not None
    assert simulation.first_wins.value == sum(r.first == r.winner for r in rounds) / 16
    assert sum(dealt.seats for dealt in simulation.jokers_dealt) == 16
    assert sum(simulation.openings_played.values()) == 32
    assert sum(simulation.tiles_left.values()) == 16
    gains = [
        deal.swapped.joker.scores[deal.swapped.seat]
        - deal.swapped.without.scores[deal.swapped.seat]
        for deal in deals
        if deal.swapped is not None
    ]
    assert simulation.joker_score is not None
    assert simulation.joker_score.value == pytest.approx(sum(gains) / len(gains))
    data = simulation_data(simulation, "Pup <Rummy>", 1.0)
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    assert data["hands"]["count"] == BATCH
    assert data["rounds"]["count"] == 16
    page = simulation_page(simulation, "Pup <Rummy>", 1.0)
    read(page)
    assert "Pup &lt;Rummy&gt;" in page
    assert [grid.caption for grid in simulation_grids(simulation)][:2] == [
        "Being able to open",
        "Rounds",
    ]


def test_hands_or_rounds_alone_can_be_told() -> None:
    nothing = Openings(14, {})
    empty = Simulation.of(WORK, nothing, [])
    assert simulation_grids(empty) == []
    read(simulation_page(empty, "x"))
    hands = Openings.from_data(EASY, [OpeningWork(EASY, "s").do((HANDS, 0), None)])
    read(simulation_page(Simulation.of(WORK, hands, []), "x"))
    deals = [SimulatedDeal.from_data(0, WORK.do((ROUNDS, 0), None))]
    read(simulation_page(Simulation.of(WORK, nothing, deals), "x"))


def test_seeds_of_hands_are_not_those_of_deals() -> None:
    """Else the hands looked at would be the hands played."""
    key = Seeds(bytes(32), ()).key(1)
    assert shuffled(box_of(EASY), key, "hand-0") != shuffled(box_of(EASY), key, "deal-1")
