"""Playouts on counts end as rounds of greedy players do, for the same deal."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bench.common.starts import start_of
from meldwise.game.actions import Draw, Pass, Play
from meldwise.game.presets import GAMES
from meldwise.game.round import Round, start_round
from meldwise.game.rules import BlockedScore, Direction, Rules
from meldwise.game.scores import RoundEnd
from meldwise.game.tiles import JOKER, count_tiles
from meldwise.players.search.engine import Engine
from meldwise.solver import Play as SolvedPlay
from meldwise.solver import best_play
from tests.rounds import seeds

FREE = GAMES.find("pup-rummy").rules


def with_rules(**changes: object) -> Rules:
    return Rules.from_dict(changes, FREE)


def chosen(state: Round, keep: bool) -> SolvedPlay | None:
    """The most tiles by the solver; a seat that keeps jokers does so but for its last turn."""
    position = state.position
    play = best_play(position, state.rules).play
    whole = play is not None and len(play.played) == len(position.hand) and position.opened
    if not keep or whole or JOKER not in position.hand:
        return play
    hand = tuple(tile for tile in position.hand if tile != JOKER)
    return best_play(replace(position, hand=hand), state.rules).play


def played_on(state: Round, keeps: tuple[bool, ...] = (False,) * 6) -> Round:
    """A draw, and then the most tiles by the solver until the round is over."""
    state, _ = state.apply(Draw(state.seat))
    while state.result is None:
        play = chosen(state, keeps[state.seat])
        if play is not None:
            state, _ = state.apply(Play(state.seat, play.table))
        else:
            state, _ = state.apply(Draw(state.seat) if state.stock else Pass(state.seat))
    return state


def begin(engine: Engine, state: Round, depth: int = 0, keeps: tuple[bool, ...] = ()) -> None:
    """Makes the round, from before a draw, the only world and its only candidate."""
    engine.begin(start_of(state, keeps), (1.0, 0.0, 0.0), depth)
    hands = [count_tiles(hand) for hand in state.hands]
    engine.set_candidate(0, engine.board_of(state.table), hands[state.seat], idle=True)
    engine.set_world(0, hands, [tile.index for tile in state.stock])


@pytest.mark.parametrize(
    ("rules", "players", "numbers"),
    [
        (FREE, 2, range(6)),
        (FREE, 3, range(3)),
        (FREE, 4, range(3)),
        (with_rules(direction=Direction.ANTICLOCKWISE, unopened_surcharge=40), 3, range(3)),
        (with_rules(copies=3, jokers=4, max_players=5), 5, range(1)),
    ],
)
def test_playouts_end_as_rounds_do(rules: Rules, players: int, numbers: range) -> None:
    engine = Engine(rules)
    for number in numbers:
        state, _ = start_round(rules, players, 1, seeds(players, number))
        begin(engine, state)
        winner, length = engine.playouts.play_out(0, 0)
        ended = played_on(state)
        assert ended.result is not None
        assert (winner, length) == (ended.result.winner, ended.turn)
        assert tuple(engine.arrays.scores[:players]) == ended.result.scores


@pytest.mark.parametrize("keeps", [(True, False), (False, True), (True, True)])
def test_seats_that_keep_their_jokers_play_them_with_the_last_tiles(
    keeps: tuple[bool, ...],
) -> None:
    engine = Engine(FREE)
    others = 0
    for number in range(12):
        state, _ = start_round(FREE, 2, 1, seeds(2, number))
        begin(engine, state, keeps=keeps)
        winner, length = engine.playouts.play_out(0, 0)
        ended = played_on(state, keeps)
        assert ended.result is not None
        assert (winner, length) == (ended.result.winner, ended.turn)
        assert tuple(engine.arrays.scores[:2]) == ended.result.scores
        others += ended.turn != played_on(state).turn
    assert others


@pytest.mark.parametrize("blocked", BlockedScore)
@pytest.mark.parametrize("last_turns", [False, True])
def test_blocked_rounds_are_scored_by_the_rules(blocked: BlockedScore, last_turns: bool) -> None:
    # An opening of a hundred points is out of reach for most hands.
    rules = with_rules(blocked_score=blocked, last_turns=last_turns, opening_minimum=100)
    engine = Engine(rules)
    ends = set()
    for number in range(4):
        state, _ = start_round(rules, 4, 1, seeds(4, number))
        begin(engine, state)
        winner, length = engine.playouts.play_out(0, 0)
        ended = played_on(state)
        assert ended.result is not None
        ends.add(ended.result.end)
        assert (winner, length) == (ended.result.winner, ended.turn)
        assert tuple(engine.arrays.scores[:4]) == ended.result.scores
    assert RoundEnd.BLOCKED in ends


def test_an_estimate_is_a_chance_that_falls_with_the_hand() -> None:
    engine = Engine(FREE)
    state, _ = start_round(FREE, 2, 1, seeds(2, 1))
    begin(engine, state, depth=4)
    engine.playouts.run(0, 0, 1)
    (even,) = engine.values(0, 1)
    assert 0.0 < even < 1.0
    # With a single tile left to the other, it is less.
    few = [0] * 53
    few[state.hands[1 - state.seat][0].index] = 1
    hands = [count_tiles(hand) for hand in state.hands]
    hands[1 - state.seat] = few
    engine.set_world(0, hands, [tile.index for tile in state.stock])
    engine.playouts.run(0, 0, 1)
    (late,) = engine.values(0, 1)
    assert late < even
