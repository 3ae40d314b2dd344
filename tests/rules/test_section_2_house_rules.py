"""Section 2 of the rules: the house rules."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from meldwise.game.actions import AskRedeal, Draw, Pass, Play, RoundAction, TimeOut
from meldwise.game.codes import Code
from meldwise.game.events import Dealt, RedealAsked, TurnBegan
from meldwise.game.melds import Kind, Meld
from meldwise.game.presets import GAMES
from meldwise.game.round import Round, dealt_pairs, start_round
from meldwise.game.rules import Rules
from meldwise.game.shuffle import box_of
from tests.rounds import (
    Oracle,
    a_round,
    box_is_whole,
    only,
    refusal,
    refused,
    seeds,
    steps,
    table,
    tiles,
)

SIX = Rules(max_players=6, copies=3, jokers=4)

BAD = "r1-2 k5-6-7"
"""A table with a meld that is too short; the tiles are those of HAND."""
HAND = "r1 r2 k5 k6 k7 y9"


# --- must play ---------------------------------------------------------

ALWAYS = Rules.from_dict({"must_play": "always", "timer": 60})
EMPTY = Rules.from_dict({"must_play": "stock_empty", "timer": 60})


@pytest.mark.parametrize("action", [Draw(0), Play(0, table("r4-5-6"))])
def test_section_2_must_play_who_can(action: RoundAction) -> None:
    state = a_round("r7", "r2", rules=ALWAYS, table="r4-5-6", stock="b1 b2")
    able, unable = Oracle(True), Oracle(False)
    assert refusal(state, action, able) is Code.TURN_MUST_PLAY
    assert able.asked[0] == state.position
    after, _ = state.apply(action, unable)
    assert after.hands[0] == tiles("r7 b1")
    assert refusal(state, action) is Code.ACTION_NEEDS_ORACLE


def test_section_2_must_play_with_an_empty_stock() -> None:
    state = a_round("r7", "r2", rules=EMPTY, table="r4-5-6", stock="b1")
    after, _ = state.apply(Draw(0), Oracle(True))  # There is stock: no duty.
    assert after.hands[0] == tiles("r7 b1")
    assert steps(state, Draw(0)).seat == 1
    empty = replace(state, stock=())
    assert refusal(empty, Pass(0), Oracle(True)) is Code.TURN_MUST_PLAY
    assert refusal(empty, Play(0, empty.table), Oracle(True)) is Code.TURN_MUST_PLAY
    assert refusal(empty, Pass(0)) is Code.ACTION_NEEDS_ORACLE
    assert steps(empty, Pass(0), oracle=Oracle(False)).passes == 1


def test_section_2_must_play_holds_for_always_with_an_empty_stock_too() -> None:
    state = a_round("r7", "r2", rules=ALWAYS, table="r4-5-6")
    assert refusal(state, Pass(0), Oracle(True)) is Code.TURN_MUST_PLAY


def test_section_2_must_play_asks_nobody_for_plays_and_time_outs() -> None:
    state = a_round(HAND, "r2", rules=ALWAYS, stock="b1 b2 b3 b4")
    oracle = Oracle(True)
    assert steps(state, Play(0, table("k5-6-7")), oracle=oracle).hands[0] == tiles("r1 r2 y9")
    assert len(steps(state, Play(0, table(BAD)), oracle=oracle).hands[0]) == 9
    assert len(steps(state, TimeOut(0), oracle=oracle).hands[0]) == 7
    assert oracle.asked == []


def test_section_2_must_play_is_off_in_the_presets() -> None:
    for preset in GAMES:
        state = a_round("r7", "r2", rules=preset.rules, table="r4-5-6", stock="b1")
        assert steps(state, Draw(0), oracle=Oracle(True)).seat == 1


# --- new deal ----------------------------------------------------------

PAIRS = Rules(redeal_pairs=3, hand_size=7)


def _with_pairs(count: int, seat: int) -> Round:
    """A fresh round in which a seat holds some pairs, the first that the seeds give."""
    for number in range(20_000):
        state, _ = start_round(PAIRS, 2, 1, seeds(2, number), 0)
        if sum(n == 2 for n in Counter(state.hands[seat]).values()) == count:
            return state
    raise AssertionError


def test_section_2_redeal_for_three_dealt_pairs() -> None:
    state = _with_pairs(3, 1)
    after, events = state.apply(AskRedeal(1))  # Although it is seat 0's turn.
    assert events[0] == RedealAsked(1)
    dealt = only(events, Dealt)
    assert (dealt.deal, dealt.count, dealt.stock) == (2, 7, 92)
    assert dealt.hands == after.hands
    assert after.hands != state.hands
    assert (after.first, after.seat, after.turn, after.deal) == (0, 0, 1, 2)
    assert box_is_whole(after)
    assert events[-1] == TurnBegan(0, 1)


def test_section_2_redeal_only_before_the_first_turn() -> None:
    state = _with_pairs(3, 1)
    begun = steps(state, Draw(0))
    error = refused(begun, AskRedeal(1))
    assert error.code is Code.ACTION_NO_REDEAL


def test_section_2_redeal_needs_the_pairs_and_the_rule() -> None:
    state = _with_pairs(2, 1)
    assert refusal(state, AskRedeal(1)) is Code.ACTION_NO_REDEAL
    without = replace(_with_pairs(3, 1), rules=Rules(hand_size=7))
    assert refusal(without, AskRedeal(1)) is Code.ACTION_NO_REDEAL
    assert refusal(state, AskRedeal(2)) is Code.ACTION_NO_SUCH_SEAT


def test_section_2_redeal_pairs_are_of_equal_tiles() -> None:
    assert dealt_pairs(tiles("r1 r1 y5 y5 k7 k7 b1")) == 3
    assert dealt_pairs(tiles("r1 b1 r2 b2 r3 b3")) == 0
    assert dealt_pairs(tiles("* * r1")) == 1


# --- five and six players ----------------------------------------------


@pytest.mark.parametrize("players", [5, 6])
def test_section_2_five_or_six_players_with_160_tiles(players: int) -> None:
    state, _ = start_round(SIX, players, 1, seeds(players))
    assert SIX.box_size == 160
    assert len(state.stock) == 160 - 14 * players
    assert box_is_whole(state)
    there = Counter(box_of(SIX))
    assert (len(there), set(there.values())) == (53, {3, 4})
    assert there[tiles("*")[0]] == 4
    for seat in range(players):
        assert state.seat == (state.first + seat) % players
        state = steps(state, Draw(state.seat))
    assert state.seat == state.first


def test_section_2_meld_of_four_jokers_still_needs_a_real_tile() -> None:
    state = a_round("* * * * r5", "r1", rules=SIX, stock="b1 b2 b3 b4")
    jokers = Meld(Kind.SET, tiles("* * * *"))
    after, _ = state.apply(Play(0, (jokers,)))
    assert len(after.hands[0]) == 8
    after, _ = state.apply(Play(0, table("r*-*-*-*-5")))
    assert after.result is not None


def test_section_2_blocked_by_six_passes() -> None:
    state = a_round("r6", "r5", "r4", "r3", "r2", "r1", rules=SIX)
    for seat in range(6):
        assert state.result is None
        state = steps(state, Pass(seat))
    assert state.result is not None
    assert state.result.winner == 5
    assert state.result.scores == (-6, -5, -4, -3, -2, 20 - 1)
