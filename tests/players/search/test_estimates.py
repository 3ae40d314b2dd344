"""Estimates are made at quiet moments, know more than a guess, and are computed as learned."""

from __future__ import annotations

from array import array
from math import log

import numpy as np
import pytest

from bench.common.starts import start_of
from meldwise.game.presets import GAMES
from meldwise.game.round import Round, start_round
from meldwise.game.tiles import count_tiles
from meldwise.players.search import estimates as interpreted
from meldwise.players.search.engine import BOARD, TILES, Engine
from meldwise.players.search.weights import (
    HIDDEN,
    INPUTS,
    KINDS,
    OF_HAND,
    WEIGHTS,
    kind_of,
    weights_for,
)
from scripts.learn_estimates import BATCH, Dealer, Examples, Network, _looked_at, learn
from tests.rounds import seeds

GAME = {"free": "pup-rummy", "fixed": "rrrummy"}


def begin(engine: Engine, state: Round, depth: int, stray: int = 0, until: int = 0) -> None:
    """Makes a round that begins, after a draw, the only candidate of the only world."""
    engine.begin(start_of(state), (1.0, 0.0, 0.0), depth)
    engine.stray(stray, until)
    hands = [count_tiles(hand) for hand in state.hands]
    engine.set_candidate(0, [0] * BOARD, hands[state.seat], idle=True)
    engine.set_world(0, hands, [tile.index for tile in state.stock])


@pytest.mark.parametrize("jokers", GAME)
@pytest.mark.parametrize("players", [2, 3])
def test_a_playout_ends_with_an_estimate_after_two_turns_without_a_play(
    jokers: str, players: int
) -> None:
    rules = GAMES.find(GAME[jokers]).rules
    engine = Engine(rules)
    estimated = 0
    for number in range(6):
        state, _ = start_round(rules, players, 1, seeds(players, number))
        for depth in (10, 30, 50):
            begin(engine, state, depth)
            winner, turn = engine.playouts.play_out(0, 0)
            if winner >= 0:
                continue
            estimated += 1
            assert turn > depth
            table = engine.arrays.table
            mover = next(s for s in range(players) if engine.arrays.features[s * OF_HAND] == 1.0)
            for seat in ((mover - 1) % players, (mover - 2) % players):
                if not engine.arrays.opened[seat]:
                    continue
                # Only what it drew at its last turn may have a place.
                hand = engine.arrays.hands[seat * TILES : (seat + 1) * TILES]
                hand[engine.arrays.fresh[seat]] -= 1
                assert not engine.turns.best(table, hand, 0, True)
    assert estimated > 6


def test_seats_that_hold_back_play_nothing_that_they_keep() -> None:
    rules = GAMES.find("pup-rummy").rules
    engine = Engine(rules)
    state, _ = start_round(rules, 2, 1, seeds(2, 3))
    tiles = len(state.hands[0])
    ends = set()
    for stray in (0, 500, 1000):
        begin(engine, state, 24, stray, 24)
        winner, turn = engine.playouts.play_out(0, 0)
        assert winner < 0
        sizes = engine.arrays.sizes[:2]
        drawn = len(state.stock) - round(40 * engine.arrays.common[0])
        on_table = sum(engine.arrays.table[:TILES])
        # No tile is lost or made.
        assert sum(sizes) + on_table == 2 * tiles + drawn
        assert [sum(engine.arrays.hands[at : at + TILES]) for at in (0, TILES)] == list(sizes)
        assert min(engine.arrays.hands[: 2 * TILES]) >= 0
        ends.add((turn, on_table))
    assert len(ends) == 3
    # The same again is the same.
    begin(engine, state, 24, 500, 24)
    assert (engine.playouts.play_out(0, 0)[1], sum(engine.arrays.table[:TILES])) in ends


@pytest.mark.parametrize("kind", KINDS)
def test_estimates_know_more_than_a_guess(kind: str) -> None:
    number, jokers = kind.split("-")
    players = 2 if number == "two" else 3
    assert kind == kind_of(players, free=jokers == "free")
    assert len(weights_for(players, free=jokers == "free")) == WEIGHTS
    dealer = Dealer(GAMES.find(GAME[jokers]).rules, players, "not learned from")
    # The last moment of each round: so they have nothing to do with each other.
    found = [moment for _ in range(800) for moment in dealer.moments()[-1:]]
    some = _looked_at(found, players, players)
    network = with_weights(kind)
    chances = network.look(some)[2][np.arange(len(some.winners)), some.winners]
    gains = np.log(chances) + log(players)
    assert gains.mean() > 2 * gains.std() / len(gains) ** 0.5
    # And they neither promise too much nor too little.
    first = network.look(some)[2][:, 0]
    assert abs(first.mean() - (some.winners == 0).mean()) < 0.12


def with_weights(kind: str) -> Network:
    """The network that the file holds."""
    number, jokers = kind.split("-")
    row = np.array(weights_for(2 if number == "two" else 3, free=jokers == "free"), np.float32)
    inner, inner_own, outer, outer_own = np.split(
        row, [INPUTS * HIDDEN, (INPUTS + 1) * HIDDEN, (INPUTS + 1) * HIDDEN + 2 * HIDDEN]
    )
    return Network(
        inner.reshape(INPUTS, HIDDEN), inner_own, outer.reshape(2, HIDDEN).T.copy(), outer_own
    )


@pytest.mark.parametrize("players", [2, 3])
def test_the_estimate_is_what_was_learned(players: int) -> None:
    rules = GAMES.find("rrrummy").rules
    engine = Engine(rules)
    own = interpreted.Estimates(engine.arrays)
    kind = kind_of(players, free=False)
    compared = 0
    for number in range(8):
        state, _ = start_round(rules, players, 1, seeds(players, number))
        begin(engine, state, 20)
        winner, _ = engine.playouts.play_out(0, 0)
        if winner >= 0:
            continue
        compared += 1
        arrays = engine.arrays
        moment = (arrays.features[: players * OF_HAND], arrays.common[:], 0, [0.0] * players)
        _, _, chances, costs = with_weights(kind).look(_looked_at([moment], players, players))
        engine.playouts.run(0, 0, 1)
        (value,) = engine.values(0, 1)
        assert list(arrays.chances[:players]) == pytest.approx(list(chances[0]), abs=1e-4)
        assert list(arrays.costs[:players]) == pytest.approx(list(costs[0]), abs=1e-3)
        assert value == pytest.approx(chances[0][state.seat], abs=1e-4)
        # The same source, interpreted, says the same.
        described = list(arrays.features[: players * OF_HAND])
        arrays.features[:] = array("f", bytes(4 * len(arrays.features)))
        mover = next(s for s in range(players) if described[s * OF_HAND] == 1.0)
        own._describe(mover, round(40 * arrays.common[0]))
        assert list(arrays.features[: players * OF_HAND]) == pytest.approx(described, abs=1e-6)
        assert own._estimate() == pytest.approx(value, abs=1e-4)
    assert compared >= 4


def test_learning_follows_the_slope_of_the_loss() -> None:
    random = np.random.default_rng(3)
    some = made_up(6, random)
    network = Network.random(5)
    slopes = network.slopes(some)

    def loss() -> float:
        _, _, chances, costs = network.look(some)
        each = np.arange(len(some.winners))
        wrong = np.where(some.present, costs - some.costs, 0.0)
        wrong[each, some.winners] = 0
        squares = 0.01 * (wrong**2).sum()
        return float((-np.log(chances[each, some.winners]).sum() + squares) / len(each))

    for layer, slope in zip(network.layers, slopes, strict=True):
        for place in list(np.ndindex(layer.shape))[:: max(1, layer.size // 7)]:
            kept = layer[place]
            layer[place] = kept + 1e-2
            above = loss()
            layer[place] = kept - 1e-2
            below = loss()
            layer[place] = kept
            assert (above - below) / 2e-2 == pytest.approx(slope[place], abs=2e-3)


def test_what_can_be_learned_is_learned() -> None:
    random = np.random.default_rng(4)
    some = made_up(40 * BATCH, random)
    # The seat whose hand has the greater first number wins.
    some.inputs[~some.present] = -9
    some.winners[:] = some.inputs[:, :, 0].argmax(axis=1)
    assert learn(some).loss(some) < 0.5


def made_up(count: int, random: np.random.Generator) -> Examples:
    """Moments of two or three players that mean nothing."""
    inputs = random.standard_normal((count, 3, INPUTS)).astype(np.float32)
    present = np.ones((count, 3), np.bool_)
    present[::2, 2] = False
    winners = random.integers(0, 2, count)
    costs = random.uniform(0, 9, (count, 3)).astype(np.float32)
    return Examples(inputs, present, winners, costs)
