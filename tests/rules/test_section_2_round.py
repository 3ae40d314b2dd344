"""Section 2 of the rules: the course of a round from the draw to a penalty, row by row."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import replace

import pytest

from meldwise.game.actions import Draw, Pass, Play, TimeOut
from meldwise.game.codes import Code
from meldwise.game.errors import ActionError
from meldwise.game.events import (
    Cause,
    Dealt,
    Drew,
    DrewForStart,
    Passed,
    Penalised,
    Played,
    RoundStarted,
    Skipped,
    StockEmptied,
    TurnBegan,
)
from meldwise.game.melds import Kind, Meld
from meldwise.game.presets import GAMES
from meldwise.game.round import start_round
from meldwise.game.rules import Rules
from meldwise.game.shuffle import Seeds, box_of
from meldwise.game.tiles import Tile
from tests.rounds import (
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

TIMED = Rules(timer=120)
REFUSING = Rules(invalid_end="refuse")  # type: ignore[arg-type]
LAST_TURNS = Rules(last_turns=True)
SIX = Rules(max_players=6, copies=3, jokers=4)

BAD = "r1-2 k5-6-7"
"""A table with a meld that is too short; the tiles are those of HAND."""
HAND = "r1 r2 k5 k6 k7 y9"


def _number_of(tile: Tile) -> int:
    return 0 if tile.is_joker else tile.number


# --- hand ---------------------------------------------------------------------------


@pytest.mark.parametrize("preset", [preset.name for preset in GAMES])
def test_section_2_hand_of_fourteen(preset: str) -> None:
    rules = GAMES.find(preset).rules
    for players in range(rules.min_players, rules.max_players + 1):
        state, events = start_round(rules, players, 1, seeds(players))
        assert [len(hand) for hand in state.hands] == [14] * players
        assert len(state.stock) == 106 - 14 * players
        assert state.table == ()
        dealt = only(events, Dealt)
        assert (dealt.count, dealt.stock, dealt.deal) == (14, 106 - 14 * players, 1)
        assert dealt.hands == state.hands
        assert box_is_whole(state)
        assert not any(state.opened)


def test_section_2_hand_of_another_size() -> None:
    state, _ = start_round(Rules(hand_size=7), 3, 1, seeds(3))
    assert [len(hand) for hand in state.hands] == [7, 7, 7]
    assert len(state.stock) == 106 - 21


# --- who begins ---------------------------------------------------------------------


def _order(given: Seeds, label: str) -> list[Tile]:
    """The shuffle, written again from its description (see tests/unit/test_shuffle.py)."""
    key = given.key(1)
    order = list(box_of(Rules()))
    words: list[int] = []
    block = 0
    for last in range(len(order) - 1, 0, -1):
        if not words:
            digest = hmac.new(
                key, label.encode() + b"/" + block.to_bytes(4, "big"), hashlib.sha256
            ).digest()
            words = [int.from_bytes(digest[at : at + 8], "big") for at in range(0, 32, 8)]
            block += 1
        chosen = words.pop(0) % (last + 1)
        order[last], order[chosen] = order[chosen], order[last]
    return order


def test_section_2_who_begins_highest_tile_ties_redraw_and_joker_is_zero() -> None:
    redraws = jokers = partial = 0
    for number in range(150):
        players = 2 + number % 3
        given = seeds(players, number)
        state, events = start_round(Rules(), players, 1, given)
        drawing = list(range(players))
        draws = [event for event in events if isinstance(event, DrewForStart)]
        for attempt, event in enumerate(draws, start=1):
            seats = [seat for seat, _ in event.draws]
            assert seats == drawing  # Only the tied draw again.
            order = _order(given, f"draw-{attempt}")
            assert [tile for _, tile in event.draws] == order[: len(drawing)]
            numbers = {seat: _number_of(tile) for seat, tile in event.draws}
            best = max(numbers.values())
            jokers += 0 in numbers.values()
            partial += 1 < len([n for n in numbers.values() if n == best]) < players
            drawing = [seat for seat in seats if numbers[seat] == best]
        assert drawing == [state.first]
        redraws += len(draws) > 1
        started = only(events, RoundStarted)
        assert (started.number, started.first) == (1, state.first)
        assert state.seat == state.first
        assert events[-1] == TurnBegan(state.first, 1)
    assert redraws > 5
    assert jokers > 3
    assert partial > 1


def test_section_2_who_begins_tiles_go_back_before_the_deal() -> None:
    for number in range(20):
        state, _ = start_round(Rules(), 4, 1, seeds(4, number))
        assert box_is_whole(state)


def test_section_2_who_begins_can_be_given() -> None:
    state, events = start_round(Rules(), 3, 4, seeds(3), 2)
    assert (state.first, state.seat, state.number) == (2, 2, 4)
    assert not any(isinstance(event, DrewForStart) for event in events)
    for seat in (-1, 3):
        with pytest.raises(ActionError) as caught:
            start_round(Rules(), 3, 1, seeds(3), seat)
        assert caught.value.code is Code.ACTION_NO_SUCH_SEAT


# --- order --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("direction", "order"), [("clockwise", [1, 2, 0, 1]), ("anticlockwise", [1, 0, 2, 1])]
)
def test_section_2_order_of_turns(direction: str, order: list[int]) -> None:
    rules = Rules.from_dict({"direction": direction})
    state = a_round("r1", "r2", "r3", rules=rules, stock="b1 b2 b3 b4", seat=1, turn=1)
    seen: list[int] = []
    turns: list[int] = []
    for _ in range(4):
        seen.append(state.seat)
        turns.append(state.turn)
        state = steps(state, Draw(state.seat))
    assert seen == order
    assert turns == [1, 2, 3, 4]


def test_section_2_order_is_clockwise_unless_set() -> None:
    state = a_round("r1", "r2", "r3", stock="b1 b2")
    _, events = state.apply(Draw(0))
    assert events[-1] == TurnBegan(1, 10)


# --- a turn -------------------------------------------------------------------------


def test_section_2_turn_places_own_tiles_and_rearranges() -> None:
    # r4-5-6-7 gives its 7 to a set with two own 7s: a play of two tiles.
    state = a_round("y7 k7 b1", "r1", table="r4-5-6-7 b9-10-11", stock="b2 b3")
    after, events = state.apply(Play(0, table("r4-5-6 7ryk b9-10-11")))
    assert after.hands == (tiles("b1"), tiles("r1"))
    assert after.stock == state.stock  # A draw and a play never happen in one turn.
    assert sorted(map(str, after.table)) == ["7ryk", "b9-10-11", "r4-5-6"]
    played = only(events, Played)
    assert (played.seat, played.tiles, played.left) == (0, tiles("y7 k7"), 1)
    assert list(map(str, played.before)) == ["r4-5-6-7"]
    assert sorted(map(str, played.after)) == ["7ryk", "r4-5-6"]
    assert (played.opening, played.cause) == (None, Cause.CHOICE)
    assert not any(isinstance(event, Drew) for event in events)
    assert (after.seat, after.turn) == (1, 10)
    assert after.last_played == (9, 0)


def test_section_2_turn_tile_of_the_table_never_goes_to_a_hand() -> None:
    # The red 7 would come to the hand: invalid, so three tiles and all as it was.
    state = a_round("y9 k1", "r1", table="r4-5-6-7 9rk*", stock="b2 b3 b4 b5")
    after, events = state.apply(Play(0, table("r4-5-6 9ryk*")))
    assert after.table == state.table
    assert after.hands[0] == tiles("y9 k1 b2 b3 b4")
    codes = [problem.code for problem in only(events, Penalised).problems]
    assert codes == [Code.TURN_TABLE_TILE_MISSING]


def test_section_2_opening_of_a_round_marks_the_seat_opened() -> None:
    state = a_round("r9 r10 r11 b1", "r1", stock="b2", opened=False)
    after, events = state.apply(Play(0, table("r9-10-11")))
    assert after.opened == (True, False)
    assert only(events, Played).opening == 30


def test_section_2_opening_below_the_minimum_is_penalised_and_leaves_unopened() -> None:
    state = a_round("r8 r9 r10 b1", "r1", stock="b2 b3 b4 b5", opened=False)  # 27 points
    after, events = state.apply(Play(0, table("r8-9-10")))
    assert after.opened == (False, False)
    assert after.table == ()
    assert len(after.hands[0]) == 7
    problem = only(events, Penalised).problems[0]
    assert problem.code is Code.TURN_OPENING_BELOW_MINIMUM
    assert (problem.have, problem.need) == (27, 30)


def test_section_2_before_opening_a_table_tile_may_not_be_added_to() -> None:
    state = a_round("r9 r10 r11 r7 b1", "r1", table="r4-5-6", stock="b2 b3 b4", opened=False)
    after, _ = state.apply(Play(0, table("r4-5-6-7 r9-10-11")))
    assert after.hands[0] == tiles("r9 r10 r11 r7 b1 b2 b3 b4")
    assert after.opened == (False, False)
    both = Rules(opening_table_moves=True)
    after, _ = replace(state, rules=both).apply(Play(0, table("r4-5-6-7 r9-10-11")))
    assert after.hands[0] == tiles("b1")
    assert after.opened == (True, False)


# --- nothing played -----------------------------------------------------------------


def test_section_2_nothing_played_draws_one_and_the_turn_ends() -> None:
    state = a_round("r1 r2", "r3", stock="b5 b6 b7")
    after, events = state.apply(Draw(0))
    assert after.hands == (tiles("r1 r2 b5"), tiles("r3"))
    assert after.stock == tiles("b6 b7")
    assert only(events, Drew) == Drew(0, tiles("b5"), 1, 2, Cause.CHOICE)
    assert (after.seat, after.turn) == (1, 10)
    # The drawn tile waits: nothing can be played with it before the next own turn.
    assert refusal(after, Play(0, table("r1-2-3"))) is Code.ACTION_NOT_YOUR_TURN


def test_section_2_declining_a_possible_play_is_allowed() -> None:
    state = a_round("r4 r5 r6", "r1", stock="b1")
    after, _ = state.apply(Draw(0))
    assert len(after.hands[0]) == 4


def test_section_2_only_rearranged_draws_one_without_penalty() -> None:
    rules = Rules(penalty_skips=2)
    state = a_round("r1", "r2", rules=rules, table="r3-4-5-6-7-8", stock="b5 b6 b7")
    after, events = state.apply(Play(0, table("r3-4-5 r6-7-8")))
    assert after.table == state.table
    assert after.hands[0] == tiles("r1 b5")
    assert only(events, Drew).cause is Cause.NOTHING_PLAYED
    assert after.skips == (0, 0)
    unchanged, _ = state.apply(Play(0, state.table))
    assert unchanged.hands[0] == tiles("r1 b5")


def test_section_2_only_rearranged_draws_one_also_where_invalid_ends_are_refused() -> None:
    state = a_round("r1", "r2", rules=REFUSING, table="r3-4-5-6-7-8", stock="b5 b6 b7")
    after, _ = state.apply(Play(0, table("r3-4-5 r6-7-8")))
    assert after.table == state.table
    assert after.hands[0] == tiles("r1 b5")


def test_section_2_only_rearranged_passes_with_an_empty_stock() -> None:
    state = a_round("r1", "r2", table="r3-4-5-6-7-8")
    after, events = state.apply(Play(0, table("r3-4-5 r6-7-8")))
    assert after.table == state.table
    assert only(events, Passed) == Passed(0, Cause.NOTHING_PLAYED)
    assert after.passes == 1


# --- invalid end of turn ------------------------------------------------------------


def test_section_2_invalid_end_restores_and_draws_three() -> None:
    state = a_round(HAND, "r1", table="b1-2-3", stock="b5 b6 b7 b8")
    after, events = state.apply(Play(0, table("b1-2-3 " + BAD)))
    assert after.table == table("b1-2-3")
    assert after.hands[0] == tiles(HAND + " b5 b6 b7")
    assert after.stock == tiles("b8")
    penalty = only(events, Penalised)
    assert (penalty.count, penalty.stock, penalty.cause) == (3, 1, Cause.INVALID)
    assert penalty.tiles == tiles("b5 b6 b7")
    assert Code.MELD_TOO_SHORT in [problem.code for problem in penalty.problems]
    assert (after.seat, after.turn) == (1, 10)
    assert after.last_played == (0, 0)


@pytest.mark.parametrize("left", [1, 2])
def test_section_2_penalty_takes_what_is_left(left: int) -> None:
    stock = " ".join(["b5", "b6"][:left])
    state = a_round(HAND, "r1", stock=stock)
    after, events = state.apply(Play(0, table(BAD)))
    assert after.hands[0] == tiles(HAND + " " + stock)
    assert after.stock == ()
    assert only(events, Penalised).count == left
    assert only(events, StockEmptied) == StockEmptied(None)
    # It drew, so it is no pass: both seats still have to pass.
    assert after.passes == 0
    assert after.result is None


def test_section_2_penalty_of_another_size() -> None:
    state = a_round(HAND, "r1", rules=Rules(penalty_tiles=1), stock="b5 b6")
    after, _ = state.apply(Play(0, table(BAD)))
    assert after.hands[0] == tiles(HAND + " b5")


def test_section_2_invalid_end_refused_goes_on_with_the_reason() -> None:
    state = a_round(HAND, "r1", rules=REFUSING, stock="b5 b6 b7")
    error = refused(state, Play(0, table(BAD)))
    assert error.code is Code.ACTION_ILLEGAL_PLAY
    assert error.verdict is not None
    assert Code.MELD_TOO_SHORT in error.verdict.codes
    # The turn goes on: the same seat plays.
    after, _ = state.apply(Play(0, table("k5-6-7")))
    assert after.hands[0] == tiles("r1 r2 y9")


@pytest.mark.parametrize("invalid_end", ["penalty", "refuse"])
@pytest.mark.parametrize(
    ("proposal", "code"),
    [
        (table("k5-6-7-8"), Code.TURN_TILE_NOT_HELD),
        (table("r1-1-1"), Code.TURN_TILE_NOT_HELD),
        (table("5k**"), Code.TURN_TILE_NOT_HELD),
        ((*table("k5-6-7"), Meld(Kind.RUN, ())), Code.MELD_EMPTY),
        ((Meld(Kind.SET, ()),), Code.MELD_EMPTY),
    ],
)
def test_section_2_impossible_proposals_are_refused_and_never_penalised(
    invalid_end: str, proposal: tuple[Meld, ...], code: Code
) -> None:
    rules = Rules.from_dict({"invalid_end": invalid_end})
    state = a_round(HAND, "r1", rules=rules, stock="b5 b6 b7")
    error = refused(state, Play(0, proposal))
    assert error.code is Code.ACTION_ILLEGAL_PLAY
    assert error.verdict is not None
    assert code in error.verdict.codes


def test_section_2_impossible_draft_of_a_time_out_is_refused() -> None:
    state = a_round(HAND, "r1", rules=TIMED, stock="b5 b6 b7")
    assert refusal(state, TimeOut(0, table("k5-6-7-8"))) is Code.ACTION_ILLEGAL_PLAY


def test_section_2_skipping_turns_as_a_further_penalty() -> None:
    rules = Rules(penalty_skips=2)
    state = a_round(HAND, "y1", "y2", rules=rules, stock="b1 b2 b3 b4 b5 b6 b7 b8 b9")
    state, _ = state.apply(Play(0, table(BAD)))
    assert state.skips == (2, 0, 0)
    state = steps(state, Draw(1))
    state, events = state.apply(Draw(2))
    assert only(events, Skipped) == Skipped(0, 1)
    assert (state.seat, state.skips) == (1, (1, 0, 0))
    state = steps(state, Draw(1))
    state, events = state.apply(Draw(2))
    assert only(events, Skipped) == Skipped(0, 0)
    state = steps(state, Draw(1), Draw(2))
    assert (state.seat, state.skips) == (0, (0, 0, 0))


def test_section_2_skipping_when_every_seat_is_to_be_skipped() -> None:
    rules = Rules(penalty_skips=1, penalty_tiles=0)
    state = a_round(HAND, HAND, rules=rules, stock="b1 b2 b3")
    state = steps(state, Play(0, table(BAD)), Play(1, table(BAD)))
    # 0 and 1 are both skipped once; then it is 0's turn.
    assert (state.seat, state.skips) == (0, (0, 0))


def test_section_2_skipped_player_has_not_passed() -> None:
    # Seat 1 draws the last tile as a penalty, which is no pass, and is skipped once. It
    # could add r8; the round ends "when every player passes in a row", and it never did.
    rules = Rules(penalty_skips=1)
    state = a_round("k1 k3", "r8 y1", rules=rules, table="r4-5-6-7", stock="b1", seat=1)
    state = steps(state, Play(1, (*state.table, Meld(Kind.RUN, tiles("y1")))))
    assert (state.stock, state.passes, state.skips) == ((), 0, (0, 1))
    state = steps(state, Pass(0))
    assert state.result is None
    assert (state.seat, state.skips) == (0, (0, 0))
