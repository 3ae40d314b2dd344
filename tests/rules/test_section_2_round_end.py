"""Section 2 of the rules: how a round ends, time-outs and refused actions."""

from __future__ import annotations

from dataclasses import replace

import pytest

from meldwise.game.actions import AskRedeal, Draw, Pass, Play, TimeOut
from meldwise.game.codes import Code
from meldwise.game.errors import ActionError
from meldwise.game.events import (
    Cause,
    Drew,
    Event,
    Passed,
    Penalised,
    Played,
    RoundEnded,
    StockEmptied,
    TurnBegan,
)
from meldwise.game.rules import Rules
from meldwise.game.scores import RoundEnd
from meldwise.game.tiles import Tile
from tests.rounds import a_round, only, refusal, refused, steps, table, tiles

TIMED = Rules(timer=120)
REFUSING = Rules(invalid_end="refuse")  # type: ignore[arg-type]
LAST_TURNS = Rules(last_turns=True)

BAD = "r1-2 k5-6-7"
"""A table with a meld that is too short; the tiles are those of HAND."""
HAND = "r1 r2 k5 k6 k7 y9"


def _number_of(tile: Tile) -> int:
    return 0 if tile.is_joker else tile.number


# --- stock empty --------------------------------------------------------------------


def test_section_2_stock_empty_nothing_played_passes() -> None:
    state = a_round("r1", "r2", "r3")
    assert refusal(state, Draw(0)) is Code.ACTION_STOCK_EMPTY
    after, events = state.apply(Pass(0))
    assert events[0] == Passed(0, Cause.CHOICE)
    assert after.hands == state.hands
    assert (after.passes, after.seat) == (1, 1)


def test_section_2_no_pass_while_there_is_stock() -> None:
    assert refusal(a_round("r1", "r2", stock="b1"), Pass(0)) is Code.ACTION_STOCK_NOT_EMPTY


def test_section_2_last_tile_drawn_is_told() -> None:
    state = a_round("r1", "r2", stock="b1")
    after, events = state.apply(Draw(0))
    assert only(events, StockEmptied) == StockEmptied(None)
    assert (after.passes, after.result) == (0, None)
    _, events = steps(after, Pass(1)).apply(Pass(0))
    assert not any(isinstance(event, StockEmptied) for event in events)


def test_section_2_blocked_when_every_player_passes_in_a_row() -> None:
    state = a_round("r7", "r2", "r9")
    state = steps(state, Pass(0), Pass(1))
    assert state.result is None
    state, events = state.apply(Pass(2))
    assert state.result is not None
    assert (state.result.end, state.result.winner) == (RoundEnd.BLOCKED, 1)
    assert only(events, RoundEnded).result == state.result
    assert not any(isinstance(event, TurnBegan) for event in events)


def test_section_2_blocked_is_never_computed_ahead() -> None:
    # Nobody can play a thing, and still all have to pass.
    state = a_round("r1", "y1")
    assert steps(state, Pass(0)).result is None


def test_section_2_blocked_only_by_passes_in_a_row() -> None:
    state = a_round("r1", "r7 b1", "r3", table="r4-5-6")
    state = steps(state, Pass(0))
    state = steps(state, Play(1, table("r4-5-6-7")))
    assert state.passes == 0
    state = steps(state, Pass(2), Pass(0))
    assert state.result is None
    state = steps(state, Pass(1))
    assert state.result is not None


def test_section_2_blocked_penalised_turn_with_an_empty_stock_counts_as_a_pass() -> None:
    state = a_round("r1", HAND)
    state, events = steps(state, Pass(0)).apply(Play(1, table(BAD)))
    assert only(events, Penalised).count == 0
    assert state.result is not None
    assert state.result.end is RoundEnd.BLOCKED
    assert state.hands[1] == tiles(HAND)


def test_section_2_blocked_refused_end_is_no_pass() -> None:
    state = steps(a_round("r1", HAND, rules=REFUSING), Pass(0))
    assert refusal(state, Play(1, table(BAD))) is Code.ACTION_ILLEGAL_PLAY
    assert (state.passes, state.result) == (1, None)


def test_section_2_blocked_penalty_that_empties_the_stock_is_no_pass() -> None:
    state = a_round(HAND, "r1", stock="b5")
    state = steps(state, Play(0, table(BAD)))
    assert (state.stock, state.passes) == ((), 0)
    state = steps(state, Pass(1))
    assert state.result is None
    state = steps(state, Pass(0))
    assert state.result is not None


def test_section_2_play_with_an_empty_stock_goes_on() -> None:
    state = a_round("r7 r8 r1", "r2", table="r4-5-6")
    state = steps(state, Play(0, table("r4-5-6-7")), Pass(1), Play(0, table("r4-5-6-7-8")))
    assert (state.passes, state.result) == (0, None)


# --- last turns ---------------------------------------------------------------------


def test_section_2_last_turns_one_each_after_the_last_tile() -> None:
    state = a_round("r9", "r2", "r8 r3", rules=LAST_TURNS, table="r5-6-7", stock="b13", seat=1)
    state, events = state.apply(Draw(1))
    assert only(events, StockEmptied) == StockEmptied(3)
    assert state.turns_left == 3
    state = steps(state, Play(2, table("r5-6-7-8")))
    state = steps(state, Pass(0))
    assert state.result is None
    assert (state.seat, state.turns_left) == (1, 1)  # Who drew the last has one as well.
    state = steps(state, Pass(1))
    assert state.result is not None
    # Hands: r9 = 9, r2 b13 = 15, r3 = 3.
    assert (state.result.end, state.result.winner) == (RoundEnd.BLOCKED, 2)
    assert state.result.scores == (-9, -15, 9 + 15 - 3)


def test_section_2_last_turns_can_still_be_won() -> None:
    state = a_round("r1", "r8", rules=LAST_TURNS, table="r5-6-7", stock="b13")
    state = steps(state, Draw(0), Play(1, table("r5-6-7-8")))
    assert state.result is not None
    assert (state.result.end, state.result.winner) == (RoundEnd.WON, 1)


def test_section_2_last_turns_begin_also_with_a_penalty() -> None:
    state = a_round(HAND, "r1", rules=LAST_TURNS, stock="b12 b13")
    state, events = state.apply(Play(0, table(BAD)))
    assert only(events, StockEmptied) == StockEmptied(2)
    state = steps(state, Pass(1), Play(0, table("k5-6-7")))
    assert state.result is not None


def test_section_2_without_last_turns_play_goes_on() -> None:
    state = a_round("r8 r1", "r2", table="r5-6-7", stock="b13", seat=1)
    state = steps(state, Draw(1), Play(0, table("r5-6-7-8")), Pass(1))
    assert state.result is None


# --- winning ------------------------------------------------------------------------


def test_section_2_round_won_with_an_empty_hand() -> None:
    state = a_round("r8", "r2 y11", "k3", table="r5-6-7", stock="b1")
    after, events = state.apply(Play(0, table("r5-6-7-8")))
    result = after.result
    assert result is not None
    assert (result.end, result.winner) == (RoundEnd.WON, 0)
    assert result.scores == (13 + 3, -13, -3)
    assert result.hands == ((), tiles("r2 y11"), tiles("k3"))
    assert events[-1] == RoundEnded(1, result)


def test_section_2_round_won_with_a_joker_as_last_tile() -> None:
    state = a_round("*", "r2", table="r5-6-7", stock="b1")
    after, _ = state.apply(Play(0, table("r5-6-7-*")))
    assert after.result is not None
    assert (after.result.end, after.result.winner) == (RoundEnd.WON, 0)


@pytest.mark.parametrize("last", ["r10", "*"])
def test_section_2_round_won_in_the_opening_turn(last: str) -> None:
    state = a_round(f"r9 {last} r11", "r2", stock="b1", opened=False)
    after, events = state.apply(Play(0, table("r9-10-11" if last == "r10" else "r9-*-11")))
    assert after.result is not None
    assert (after.result.end, after.result.winner) == (RoundEnd.WON, 0)
    assert after.result.scores == (2, -2)
    assert only(events, Played).opening == 30


def test_section_2_round_not_won_by_an_invalid_end() -> None:
    state = a_round("r1 r2", "r3", stock="b1 b2 b3 b4")
    after, _ = state.apply(Play(0, table("r1-2")))
    assert after.result is None
    assert len(after.hands[0]) == 5


# --- time-outs ----------------------------------------------------------------------


def test_section_2_time_out_legal_draft_stands() -> None:
    state = a_round(HAND, "r1", rules=TIMED, stock="b5 b6 b7")
    after, events = state.apply(TimeOut(0, table("k5-6-7")))
    assert after.table == table("k5-6-7")
    assert after.hands[0] == tiles("r1 r2 y9")
    assert after.stock == state.stock
    assert only(events, Played).cause is Cause.TIME_OUT


def test_section_2_time_out_legal_opening_stands() -> None:
    state = a_round("r9 r10 r11 b1", "r1", rules=TIMED, stock="b5 b6 b7", opened=False)
    after, events = state.apply(TimeOut(0, table("r9-10-11")))
    assert after.opened == (True, False)
    assert only(events, Played).opening == 30


def test_section_2_time_out_opening_below_the_minimum_is_penalised() -> None:
    state = a_round("r7 r8 r9 b1", "r1", rules=TIMED, stock="b5 b6 b7", opened=False)  # 24
    after, events = state.apply(TimeOut(0, table("r7-8-9")))
    assert after.opened == (False, False)
    assert after.hands[0] == tiles("r7 r8 r9 b1 b5 b6 b7")
    assert only(events, Penalised).cause is Cause.TIME_OUT


def test_section_2_time_out_that_empties_the_hand_wins() -> None:
    state = a_round("r8", "r2", rules=TIMED, table="r5-6-7", stock="b1")
    after, _ = state.apply(TimeOut(0, table("r5-6-7-8")))
    assert after.result is not None
    assert (after.result.end, after.result.winner) == (RoundEnd.WON, 0)


@pytest.mark.parametrize("draft", [None, "r3-4-5-6-7-8", "r3-4-5 r6-7-8", "r3-4 r5-6-7-8", ""])
def test_section_2_time_out_nothing_placed_draws_one(draft: str | None) -> None:
    state = a_round("r1", "r2", rules=TIMED, table="r3-4-5-6-7-8", stock="b5 b6 b7")
    action = TimeOut(0, None if draft is None else table(draft))
    after, events = state.apply(action)
    assert after.table == state.table
    assert after.hands[0] == tiles("r1 b5")
    assert only(events, Drew).cause is Cause.TIME_OUT


def test_section_2_time_out_otherwise_restores_and_draws_three() -> None:
    state = a_round(HAND, "r1", rules=TIMED, table="b1-2-3", stock="b5 b6 b7 b8")
    after, events = state.apply(TimeOut(0, table("b1-2-3 " + BAD)))
    assert after.table == state.table
    assert after.hands[0] == tiles(HAND + " b5 b6 b7")
    assert only(events, Penalised).cause is Cause.TIME_OUT


def test_section_2_time_out_otherwise_draws_three_also_where_invalid_ends_are_refused() -> None:
    rules = replace(REFUSING, timer=20)
    state = a_round(HAND, "r1", rules=rules, stock="b5 b6 b7 b8")
    after, _ = state.apply(TimeOut(0, table(BAD)))
    assert after.hands[0] == tiles(HAND + " b5 b6 b7")
    assert after.seat == 1


def test_section_2_time_out_with_an_empty_stock() -> None:
    state = a_round(HAND, "r1", rules=TIMED)
    idle, events = state.apply(TimeOut(0))
    assert only(events, Passed) == Passed(0, Cause.TIME_OUT)
    assert idle.passes == 1
    invalid, events = state.apply(TimeOut(0, table(BAD)))
    assert only(events, Penalised).count == 0
    assert (invalid.passes, invalid.hands[0]) == (1, tiles(HAND))
    legal, _ = state.apply(TimeOut(0, table("k5-6-7")))
    assert legal.passes == 0
    assert steps(invalid, TimeOut(1)).result is not None


def test_section_2_time_out_needs_a_timer() -> None:
    state = a_round("r1", "r2", stock="b1")
    assert refusal(state, TimeOut(0)) is Code.ACTION_NO_TIMER


# --- draw while own tiles lie in the draft ------------------------------------------


def test_section_2_draw_gives_the_draft_up() -> None:
    # A draft is no part of the state: Draw is one tile, whatever was moved about.
    state = a_round(HAND, "r1", table="b1-2-3", stock="b5 b6")
    verdict = state.check_draft(0, table("b1-2-3 " + BAD))
    assert not verdict.legal
    after, _ = state.apply(Draw(0))
    assert after.hands[0] == tiles(HAND + " b5")
    assert after.table == state.table


def test_section_2_check_of_a_draft_has_no_consequence_and_is_free_for_all() -> None:
    state = a_round(HAND, "r1 r2 r3", stock="b5 b6")
    assert state.check_draft(1, table("r1-2-3")).legal
    for seat in (-1, 2):
        with pytest.raises(ActionError) as caught:
            state.check_draft(seat, ())
        assert caught.value.code is Code.ACTION_NO_SUCH_SEAT


# --- actions that cannot be taken ---------------------------------------------------

ANY_ACTION = [
    lambda seat: Play(seat, ()),
    Draw,
    Pass,
    TimeOut,
]


@pytest.mark.parametrize("make", ANY_ACTION)
def test_section_2_refused_out_of_turn(make: type[Draw]) -> None:
    for stock in ("", "b1"):
        state = a_round("r1", "r2", "r3", rules=TIMED, stock=stock)
        error = refused(state, make(1))
        assert error.code is Code.ACTION_NOT_YOUR_TURN
        assert error.fields == {"seat": 1, "turn": 0}


@pytest.mark.parametrize("make", [*ANY_ACTION, AskRedeal])
@pytest.mark.parametrize("seat", [-1, 3, 99])
def test_section_2_refused_for_no_such_seat(make: type[Draw], seat: int) -> None:
    state = a_round("r1", "r2", "r3", rules=TIMED, stock="b1")
    assert refusal(state, make(seat)) is Code.ACTION_NO_SUCH_SEAT


@pytest.mark.parametrize("make", [*ANY_ACTION, AskRedeal])
def test_section_2_refused_after_the_round(make: type[Draw]) -> None:
    state = steps(a_round("r1", "r2", rules=TIMED), Pass(0), Pass(1))
    assert state.result is not None
    for seat in (0, 1):
        assert refusal(state, make(seat)) is Code.ACTION_ROUND_OVER


# --- history ------------------------------------------------------------------------


def test_section_2_history_tells_a_spectator_what_happened() -> None:
    state = a_round(HAND, "r1", stock="b5 b6 b7 b8")
    start = len(state.history)
    all_events: list[Event] = []
    for action in (Play(0, table(BAD)), Draw(1), Play(0, table("k5-6-7"))):
        state, events = state.apply(action)
        all_events += events
    told = state.history[start:]
    assert len(told) == len(all_events)
    penalty = only(told, Penalised)
    assert (penalty.tiles, penalty.problems, penalty.count) == ((), (), 3)
    assert only(told, Drew).tiles == ()
    assert only(told, Played) == only(all_events, Played)
