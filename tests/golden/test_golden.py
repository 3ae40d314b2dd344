"""Golden transcripts: whole rounds, made anew and replayed, and what is special in each."""

from __future__ import annotations

from itertools import pairwise

import pytest

from meldwise.game.events import (
    Cause,
    Drew,
    DrewForStart,
    Event,
    MatchEnded,
    Passed,
    Penalised,
    Played,
    RoundEnded,
    RoundStarted,
    SeatLeft,
    SeatReturned,
    SeatTakenOver,
    StockEmptied,
    TurnBegan,
)
from meldwise.game.presets import GAMES
from meldwise.game.record import Record
from meldwise.game.record_text import format_record, read_record
from meldwise.game.replay import check_deals, replay
from meldwise.game.scores import RoundEnd
from tests.golden.make import GOLDEN, HERE, Golden, attempt, files, replayed, transcript
from tests.rounds import box_is_whole

NAMES = [golden.name for golden in GOLDEN]


def _record(name: str) -> Record:
    reading = read_record(files(name)[0].read_text(encoding="utf-8"))
    assert reading.faults == ()
    assert reading.record is not None
    return reading.record


def _events(name: str) -> list[Event]:
    return replayed(_record(name))


def test_there_is_a_transcript_for_every_preset_and_situation() -> None:
    presets = {name.removeprefix("preset-") for name in NAMES if name.startswith("preset-")}
    assert len(presets) == 8
    assert presets <= {preset.name for preset in GAMES}
    there = {path.name for path in HERE.iterdir() if path.suffix in (".toml", ".txt")}
    assert there == {path.name for name in NAMES for path in files(name)}


@pytest.mark.parametrize("name", NAMES)
def test_golden_record_leads_to_the_events(name: str) -> None:
    record = _record(name)
    assert format_record(record) == files(name)[0].read_text(encoding="utf-8")
    assert transcript(replayed(record)) == files(name)[1].read_text(encoding="utf-8")
    assert all(check.good for check in check_deals(record))
    found = replay(record)
    assert found.match.result is not None
    for step in found.steps:
        assert step.before.round is None or box_is_whole(step.before.round)


@pytest.mark.parametrize("golden", GOLDEN, ids=NAMES)
def test_golden_record_is_what_the_generator_plays(golden: Golden) -> None:
    """The players and the engine still play the same round from the same seed."""
    record = _record(golden.name)
    seeds = record.rounds[0].seeds
    assert seeds is not None
    session, events = attempt(golden, seeds.server)
    assert golden.wanted(session, events)
    assert format_record(session.record) == files(golden.name)[0].read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [name for name in NAMES if name.startswith("preset-")])
def test_golden_preset_round_is_of_its_game(name: str) -> None:
    rules = GAMES.find(name.removeprefix("preset-")).rules
    other = _record(name).rules.differences(rules)
    assert set(other) <= {"match_end", "match_length"}
    assert any(isinstance(event, Played) for event in _events(name))


def _only_end(events: list[Event]) -> RoundEnded:
    return next(event for event in events if isinstance(event, RoundEnded))


def test_golden_blocked_round() -> None:
    events = _events("blocked")
    end = _only_end(events)
    assert end.result.end is RoundEnd.BLOCKED
    assert all(end.result.hands)
    passes = [event for event in events if isinstance(event, Passed)]
    assert [event.seat for event in passes[-3:]] == [
        event.seat for event in events if isinstance(event, TurnBegan)
    ][-3:]
    assert len({event.seat for event in passes[-3:]}) == 3
    # The lowest hand wins, and gets the others' sum less its own (rrrummy).
    costs = [
        sum(30 if tile.is_joker else tile.number for tile in hand) for hand in end.result.hands
    ]
    winner = costs.index(min(costs))
    expected = [-cost for cost in costs]
    expected[winner] = sum(costs) - 2 * costs[winner]
    assert (end.result.winner, end.result.scores) == (winner, tuple(expected))


def test_golden_penalty_with_fewer_than_three_tiles_left() -> None:
    events = _events("short-penalty")
    penalty = next(event for event in events if isinstance(event, Penalised))
    assert (penalty.count, len(penalty.tiles), penalty.stock) == (2, 2, 0)
    after = events[events.index(penalty) + 1]
    assert after == StockEmptied(None)
    assert sum(isinstance(event, Penalised) for event in events) == 1


def test_golden_time_out_with_a_valid_table() -> None:
    plays = [event for event in _events("time-out-valid") if isinstance(event, Played)]
    assert {event.cause for event in plays} == {Cause.TIME_OUT}
    openings = [event for event in plays if event.opening is not None]
    assert 1 <= len(openings) <= 2
    assert all(event.opening is not None and event.opening >= 30 for event in openings)
    assert plays[-1].left == 0


def test_golden_time_out_with_an_invalid_table() -> None:
    events = _events("time-out-invalid")
    turns = [place for place, event in enumerate(events) if isinstance(event, TurnBegan)]
    penalty = events[turns[2] + 1]
    assert isinstance(penalty, Penalised)
    assert (penalty.count, penalty.cause) == (3, Cause.TIME_OUT)
    idle = events[turns[3] + 1]
    assert isinstance(idle, Drew)
    assert (idle.count, idle.cause) == (1, Cause.TIME_OUT)


def test_golden_joker_as_last_tile() -> None:
    events = _events("joker-last")
    last = [event for event in events if isinstance(event, Played)][-1]
    assert (last.left, {str(tile) for tile in last.tiles}) == (0, {"*"})
    end = _only_end(events)
    assert (end.result.end, end.result.winner) == (RoundEnd.WON, last.seat)
    assert end.result.hands[last.seat] == ()


def test_golden_going_out_in_the_opening_turn() -> None:
    events = _events("won-in-the-opening")
    last = [event for event in events if isinstance(event, Played)][-1]
    assert last.left == 0
    assert last.opening is not None
    assert last.opening >= 15
    assert not any(
        isinstance(event, Played) and event.seat == last.seat for event in events if event != last
    )
    assert _only_end(events).result.end is RoundEnd.WON


def test_golden_tie_in_the_opening_draw() -> None:
    events = _events("tie-in-the-draw")
    draws = [event.draws for event in events if isinstance(event, DrewForStart)]
    assert len(draws) >= 2
    for before, after in pairwise(draws):
        best = max(tile.number for _, tile in before)
        assert [seat for seat, _ in after] == [s for s, tile in before if tile.number == best]
    best = max(tile.number for _, tile in draws[-1])
    started = next(event for event in events if isinstance(event, RoundStarted))
    assert [seat for seat, tile in draws[-1] if tile.number == best] == [started.first]


def test_golden_leaver_with_stand_in_and_return() -> None:
    record = _record("leaver")
    events = replayed(record)
    kinds = (SeatLeft, SeatTakenOver, SeatReturned)
    told = [event for event in events if isinstance(event, kinds)]
    assert told == [SeatLeft(1), SeatTakenOver(1, "plain"), SeatReturned(1)]
    assert [seat.name for seat in record.seats] == ["Ann", "Bo", "Cy"]
    match = replay(record).match
    assert match.seats[1] == record.seats[1]
    assert any(isinstance(event, MatchEnded) for event in events)
