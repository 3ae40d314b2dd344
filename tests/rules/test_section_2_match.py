"""Section 2 of the rules: matches, who begins next, leavers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from meldwise.game.actions import (
    Action,
    AskRedeal,
    CommitShuffle,
    Draw,
    EndMatch,
    Leave,
    Pass,
    Play,
    Return,
    StandIn,
    StartRound,
    TimeOut,
)
from meldwise.game.codes import Code
from meldwise.game.errors import RulesError, ShuffleError
from meldwise.game.events import (
    DrewForStart,
    MatchEnded,
    MatchResult,
    RoundEnded,
    SeatLeft,
    SeatReturned,
    SeatTakenOver,
    SeedRevealed,
    ShuffleCommitted,
)
from meldwise.game.match import Match, Seat, start_match
from meldwise.game.presets import GAMES
from meldwise.game.rules import Rules
from meldwise.game.shuffle import Seeds, commitment_of
from tests.rounds import (
    Oracle,
    a_match,
    a_round,
    begun,
    only,
    refusal,
    seeds,
    table,
    tiles,
    with_round,
)


def _rules(**fields: object) -> Rules:
    return Rules.from_dict(fields)


def _won(
    match: Match, winner: int, *losers: str, number: int = 0, clock: int | None = None
) -> Match:
    """The match after a round that a seat wins, the others holding these hands in order."""
    match = begun(match, number, clock)
    hands = list(losers)
    hands.insert(winner, "r8")
    match = with_round(match, a_round(*hands, table="r5-6-7", stock="b1", seat=winner))
    match, _ = match.apply(Play(winner, table("r5-6-7-8")))
    return match


def _blocked(match: Match, *hands: str, number: int = 0, clock: int | None = None) -> Match:
    match = begun(match, number, clock)
    match = with_round(match, a_round(*hands))
    for seat in range(len(hands)):
        match, _ = match.apply(Pass(seat))
    return match


# --- the end of a match -------------------------------------------------------------


def test_section_2_match_of_a_number_of_rounds() -> None:
    match = a_match(_rules(match_length=3), 3)
    assert match.totals == (0, 0, 0)
    match = _won(match, 0, "r10", "r5")
    assert (match.totals, match.result) == ((15, -10, -5), None)
    match = _won(match, 1, "r3", "k13")
    assert (match.totals, match.result) == ((12, 6, -18), None)
    match = _blocked(match, "r9", "r9 r1", "r2")  # 9, 10, 2: the third wins 19 - 2.
    assert match.totals == (3, -4, -1)
    assert match.result == MatchResult((3, -4, -1), (0,))
    assert len(match.results) == 3


def test_section_2_match_events_at_the_end_of_a_round_and_of_the_match() -> None:
    match = begun(a_match(_rules(match_length=1)), 5)
    match = with_round(match, a_round("r8", "r2", table="r5-6-7"))
    match, events = match.apply(Play(0, table("r5-6-7-8")))
    assert only(events, RoundEnded).result.scores == (2, -2)
    assert only(events, SeedRevealed).number == 1
    assert events[-1] == MatchEnded(MatchResult((2, -2), (0,)))


def test_section_2_match_highest_score_wins_and_ties_share() -> None:
    match = a_match(_rules(match_length=2), 2)
    match = _won(match, 0, "r10")
    match = _won(match, 1, "k10")
    assert match.result == MatchResult((0, 0), (0, 1))


def test_section_2_match_by_target_score_is_checked_at_round_end() -> None:
    rules = _rules(match_end="target", match_length=20)
    match = _won(a_match(rules), 0, "r10 r9")
    assert (match.totals, match.result) == ((19, -19), None)
    match = _won(match, 0, "r1")
    assert match.totals == (20, -20)  # Exactly the target is enough.
    assert match.result == MatchResult((20, -20), (0,))


def test_section_2_match_by_target_score_the_leader_wins_whoever_reached_it_first() -> None:
    match = a_match(_rules(match_end="target", match_length=20), 3)
    match = _won(match, 0, "r2", "k13 k4")  # 19, -2, -17
    match = _won(match, 1, "r1", "k13 k9")  # -1, +23, -22
    assert match.result == MatchResult((18, 21, -39), (1,))


def test_section_2_match_by_target_score_a_tie_plays_on() -> None:
    # A joker in hand costs nothing here, so that a loser can pay nothing.
    rules = _rules(match_end="target", match_length=10, joker_in_hand=0)
    match = a_match(rules, 3)
    match = _won(match, 0, "*", "k8")  # 8, 0, -8
    match = _won(match, 1, "*", "k9")  # 8, 9, -17
    match = _won(match, 0, "*", "k1")  # 9, 9, -18: a tie below the target
    match = _won(match, 0, "r1", "*")  # 10, 8, -18
    assert match.result == MatchResult((10, 8, -18), (0,))

    match = a_match(rules, 3)
    match = _won(match, 0, "*", "k9")  # 9, 0, -9
    match = _won(match, 1, "*", "k9")  # 9, 9, -18
    level = replace(match, rules=replace(rules, match_length=9))
    # At a target of 9 both have reached it, but they are level, so a round is played;
    # it leaves them level.
    level = _won(level, 2, "*", "*")  # 9, 9, -18
    assert (level.totals, level.result) == ((9, 9, -18), None)
    # They fall below the target together: it goes on.
    below = _won(level, 2, "r1", "k1")  # 8, 8, -16
    assert (below.totals, below.result) == ((8, 8, -16), None)
    ended = _won(level, 1, "r3", "*")  # 6, 12, -18
    assert ended.result == MatchResult((6, 12, -18), (1,))


def test_section_2_match_royal_200() -> None:
    rules = GAMES.find("Royal 200").rules
    match = a_match(rules)
    hand = "k13 k12 k11 k10 k9"  # 55
    for _ in range(3):
        match = _won(match, 0, hand)
    assert (match.totals, match.result) == ((165, -165), None)
    match = _won(match, 0, hand)
    assert match.result == MatchResult((220, -220), (0,))


def test_section_2_match_by_time_finishes_the_running_round() -> None:
    rules = _rules(match_end="time", match_length=600)
    match = a_match(rules)
    assert refusal(match, EndMatch(600)) is Code.ACTION_TIME_LEFT  # No round yet.
    match = _won(match, 0, "r2", clock=0)
    assert match.result is None
    assert refusal(match, EndMatch(599)) is Code.ACTION_TIME_LEFT
    match = begun(match, 1, clock=599)
    # The time is up while the round runs: it is finished.
    assert refusal(match, EndMatch(700)) is Code.ACTION_ROUND_RUNNING
    match = with_round(match, a_round("r8", "r3", table="r5-6-7"))
    match, _ = match.apply(Play(0, table("r5-6-7-8")))
    assert match.result is None
    given = seeds(2, 2)
    match, _ = match.apply(CommitShuffle(commitment_of(given.server)))
    for late in (600, 700):
        assert refusal(match, StartRound(given, late)) is Code.ACTION_TIME_UP
        assert match.can(EndMatch(late))
    assert match.can(StartRound(given, 599))
    match, events = match.apply(EndMatch(700))
    assert events == (MatchEnded(MatchResult((5, -5), (0,))),)
    assert match.clock == 700


def test_section_2_match_by_time_needs_clock_readings_that_do_not_go_back() -> None:
    match = a_match(_rules(match_end="time", match_length=600))
    given = seeds(2)
    match, _ = match.apply(CommitShuffle(commitment_of(given.server)))
    assert refusal(match, StartRound(given)) is Code.ACTION_CLOCK_WANTED
    assert refusal(match, StartRound(given, -1)) is Code.ACTION_CLOCK_BACKWARDS
    match, _ = match.apply(StartRound(given, 100))
    match = with_round(match, a_round("r8", "r3", table="r5-6-7"))
    match, _ = match.apply(Play(0, table("r5-6-7-8")))
    match, _ = match.apply(CommitShuffle(commitment_of(given.server)))
    assert refusal(match, StartRound(given, 99)) is Code.ACTION_CLOCK_BACKWARDS
    assert refusal(match, EndMatch(99)) is Code.ACTION_CLOCK_BACKWARDS
    assert match.can(StartRound(given, 100))


def test_section_2_match_by_time_always_has_a_first_round() -> None:
    match = begun(a_match(_rules(match_end="time", match_length=60)), clock=1_000)
    assert match.running is not None


@pytest.mark.parametrize("end", ["rounds", "target"])
def test_section_2_match_by_rounds_or_target_is_not_ended_by_the_clock(end: str) -> None:
    match = _won(a_match(_rules(match_end=end, match_length=60)), 0, "r2")
    assert refusal(match, EndMatch(10_000)) is Code.ACTION_TIME_LEFT


# --- who begins next ----------------------------------------------------------------


def test_section_2_next_round_is_drawn_for_anew() -> None:
    match = a_match(_rules(match_length=60), 3)
    firsts: set[int] = set()
    for number in range(12):
        given = seeds(3, number)
        match, _ = match.apply(CommitShuffle(commitment_of(given.server)))
        match, events = match.apply(StartRound(given))
        assert any(isinstance(event, DrewForStart) for event in events)
        firsts.add(match.firsts[-1])
        match = with_round(match, a_round("r8", "r2", "r3", table="r5-6-7"))
        match, _ = match.apply(Play(0, table("r5-6-7-8")))
    assert firsts == {0, 1, 2}


def test_section_2_next_round_the_winner_begins() -> None:
    match = a_match(_rules(match_length=60, first_player="winner"), 3)
    for number, winner in enumerate((1, 0, 2, 2)):
        match = _won(match, winner, "r2", "r3", number=number)
        match = begun(match, number)
        assert match.firsts[-1] == winner
        match = with_round(match, a_round("r5", "r2", "r3"))
        for seat in range(3):
            match, _ = match.apply(Pass(seat))
        # The winner of a blocked round begins as well.
        given = begun(match, number)
        assert given.firsts[-1] == 1


@pytest.mark.parametrize(("direction", "step"), [("clockwise", 1), ("anticlockwise", -1)])
def test_section_2_next_round_rotates(direction: str, step: int) -> None:
    match = a_match(_rules(match_length=60, first_player="rotate", direction=direction), 3)
    match = _won(match, 0, "r2", "r3", number=3)
    first = match.firsts[0]
    for number in range(1, 5):
        match = _won(match, 2, "r2", "r3", number=number)
        assert match.firsts[-1] == (first + step * number) % 3


def test_section_2_first_round_is_drawn_for_under_every_flag() -> None:
    for flag in ("draw", "winner", "rotate"):
        match = a_match(_rules(first_player=flag), 4)
        given = seeds(4, 7)
        match, _ = match.apply(CommitShuffle(commitment_of(given.server)))
        _, events = match.apply(StartRound(given))
        assert any(isinstance(event, DrewForStart) for event in events)


# --- players ------------------------------------------------------------------------


@pytest.mark.parametrize("preset", [preset.name for preset in GAMES])
def test_section_2_players_two_to_four(preset: str) -> None:
    rules = GAMES.find(preset).rules
    most = 2 if preset == "world-championship" else 4
    for players in range(1, 7):
        seats = [Seat(str(number)) for number in range(players)]
        if 2 <= players <= most:
            assert start_match(rules, seats).rules == rules
        else:
            with pytest.raises(RulesError) as caught:
                start_match(rules, seats)
            assert caught.value.code is Code.RULES_PLAYER_COUNT


def test_section_2_players_six_with_160_tiles() -> None:
    match = begun(a_match(Rules(max_players=6, copies=3, jokers=4), 6))
    assert match.round is not None
    assert len(match.round.stock) == 160 - 84


# --- the leaver ---------------------------------------------------------------------


def test_section_2_leaver_is_taken_over_and_keeps_the_result() -> None:
    match = begun(a_match(_rules(match_length=1)))
    match = with_round(match, a_round("r8", "r3", table="r5-6-7", stock="b1"))
    assert refusal(match, StandIn(0, "plain")) is Code.ACTION_SEAT_NOT_LEFT
    assert refusal(match, Return(0)) is Code.ACTION_SEAT_NOT_LEFT
    match, events = match.apply(Leave(0))
    assert events == (SeatLeft(0),)
    assert match.seats[0] == Seat("A", left=True)
    assert match.seats[0].played_by is None
    assert refusal(match, Leave(0)) is Code.ACTION_SEAT_LEFT
    match, events = match.apply(StandIn(0, "plain"))
    assert events == (SeatTakenOver(0, "plain"),)
    assert match.seats[0].played_by == "plain"
    assert refusal(match, StandIn(0, "plain")) is Code.ACTION_SEAT_TAKEN_OVER
    match, _ = match.apply(Play(0, table("r5-6-7-8")))
    assert match.result == MatchResult((3, -3), (0,))
    assert match.seats[0].name == "A"


def test_section_2_leaver_returns() -> None:
    match = begun(a_match())
    before = match
    between: tuple[list[Action], ...] = ([], [StandIn(1, "plain")])
    for actions in between:
        match = before
        for action in (Leave(1), *actions):
            match, _ = match.apply(action)
        match, events = match.apply(Return(1))
        assert events == (SeatReturned(1),)
        assert match == before
        assert match.seats[1].played_by is None
    # And may leave again.
    match, _ = match.apply(Leave(1))
    assert match.seats[1].left


def test_section_2_leaver_between_rounds_and_before_the_first() -> None:
    match, _ = a_match().apply(Leave(0))
    match, _ = match.apply(StandIn(0, "plain"))
    match = _won(match, 1, "r4")
    assert match.seats[0].left
    match, _ = match.apply(Return(0))
    assert not match.seats[0].left


def test_section_2_leaver_may_be_a_computer_seat_too() -> None:
    match = start_match(Rules(), [Seat("A", "plain"), Seat("B")])
    assert match.seats[0].played_by == "plain"
    match, _ = match.apply(Leave(0))
    assert match.seats[0].played_by is None
    match, _ = match.apply(StandIn(0, "plain"))
    match, _ = match.apply(Return(0))
    assert match.seats[0] == Seat("A", "plain")


def test_section_2_leaver_grace_is_a_setting() -> None:
    assert {preset.rules.leaver_grace for preset in GAMES} == {60}
    assert Rules(leaver_grace=0).leaver_grace == 0


# --- the timer ----------------------------------------------------------------------


def test_section_2_timer_off_or_20_to_120_seconds() -> None:
    assert {preset.rules.timer for preset in GAMES} == {None}
    for seconds in (20, 60, 120):
        assert Rules(timer=seconds).timer == seconds
    for seconds in (0, 19, 121):
        with pytest.raises(RulesError) as caught:
            Rules(timer=seconds)
        assert caught.value.code is Code.RULES_OUT_OF_RANGE


# --- actions that cannot be taken ---------------------------------------------------

OF_ROUND: list[Action] = [Play(0, ()), Draw(0), Pass(0), TimeOut(0), AskRedeal(0)]


@pytest.mark.parametrize("action", OF_ROUND)
def test_section_2_refused_before_the_first_round(action: Action) -> None:
    assert refusal(a_match(_rules(timer=60)), action) is Code.ACTION_NO_ROUND


@pytest.mark.parametrize("action", OF_ROUND)
def test_section_2_refused_between_rounds(action: Action) -> None:
    match = _won(a_match(_rules(timer=60)), 0, "r2")
    assert refusal(match, action) is Code.ACTION_ROUND_OVER


@pytest.mark.parametrize(
    "action",
    [
        *OF_ROUND,
        CommitShuffle("0" * 64),
        StartRound(seeds(2)),
        EndMatch(10**6),
        Leave(0),
        Return(0),
        StandIn(0, "plain"),
    ],
)
def test_section_2_refused_after_the_match(action: Action) -> None:
    match = _won(a_match(_rules(match_length=1, timer=60)), 0, "r2")
    assert refusal(match, action) is Code.ACTION_MATCH_OVER


@pytest.mark.parametrize("make", [Leave, Return, lambda seat: StandIn(seat, "plain")])
@pytest.mark.parametrize("seat", [-1, 2])
def test_section_2_refused_for_no_such_seat_of_a_match(make: type[Leave], seat: int) -> None:
    assert refusal(a_match(), make(seat)) is Code.ACTION_NO_SUCH_SEAT
    assert refusal(begun(a_match()), make(seat)) is Code.ACTION_NO_SUCH_SEAT


def test_section_2_refused_while_a_round_runs() -> None:
    match = begun(a_match())
    for action in (CommitShuffle("0" * 64), StartRound(seeds(2)), EndMatch(1)):
        assert refusal(match, action) is Code.ACTION_ROUND_RUNNING


def test_section_2_refused_without_or_with_a_second_commitment() -> None:
    match = a_match()
    assert refusal(match, StartRound(seeds(2))) is Code.ACTION_NO_COMMITMENT
    commitment = commitment_of(seeds(2).server)
    match, events = match.apply(CommitShuffle(commitment.upper()))
    assert events == (ShuffleCommitted(1, commitment),)
    assert refusal(match, CommitShuffle(commitment)) is Code.ACTION_COMMITTED
    # The commitment of a finished round does not serve for the next.
    match, _ = match.apply(StartRound(seeds(2)))
    match = with_round(match, a_round("r8", "r2", table="r5-6-7"))
    match, _ = match.apply(Play(0, table("r5-6-7-8")))
    assert refusal(match, StartRound(seeds(2))) is Code.ACTION_NO_COMMITMENT


@pytest.mark.parametrize("text", ["", "0" * 63, "0" * 65, "g" * 64, "é" * 64, "0" * 62 + " 0"])
def test_section_2_refused_commitment_of_another_form(text: str) -> None:
    match = a_match()
    assert not match.can(CommitShuffle(text))
    with pytest.raises(ShuffleError) as caught:
        match.apply(CommitShuffle(text))
    assert caught.value.code is Code.SHUFFLE_BAD_SEED


def test_section_2_refused_seed_that_was_not_committed_to() -> None:
    match, _ = a_match().apply(CommitShuffle(commitment_of(seeds(2, 1).server)))
    assert not match.can(StartRound(seeds(2, 2)))
    with pytest.raises(ShuffleError) as caught:
        match.apply(StartRound(seeds(2, 2)))
    assert caught.value.code is Code.SHUFFLE_COMMITMENT
    assert match.can(StartRound(seeds(2, 1)))


@pytest.mark.parametrize("players", [0, 1, 3])
def test_section_2_refused_seeds_of_another_number_of_players(players: int) -> None:
    given = seeds(2)
    match, _ = a_match().apply(CommitShuffle(commitment_of(given.server)))
    with pytest.raises(ShuffleError) as caught:
        match.apply(StartRound(Seeds(given.server, ("",) * players)))
    assert caught.value.code is Code.SHUFFLE_BAD_SEED


def test_section_2_match_hands_the_oracle_on() -> None:
    match = begun(a_match(_rules(must_play="always")))
    match = with_round(match, a_round("r7", "r2", table="r4-5-6", stock="b1"))
    assert refusal(match, Draw(0)) is Code.ACTION_NEEDS_ORACLE
    assert refusal(match, Draw(0), Oracle(True)) is Code.TURN_MUST_PLAY
    match, _ = match.apply(Draw(0), Oracle(False))
    assert match.round is not None
    assert match.round.hands[0] == tiles("r7 b1")
