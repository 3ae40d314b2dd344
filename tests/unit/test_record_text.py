"""The text of records: whatever a record holds is written and read back."""

from __future__ import annotations

from datetime import date, datetime, time, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meldwise.game.actions import (
    Leave,
    Pass,
    Play,
    StandIn,
)
from meldwise.game.errors import GameError
from meldwise.game.events import MatchResult
from meldwise.game.match import Seat
from meldwise.game.record import Record, RecordedAction, RoundRecord, parse_action
from meldwise.game.record_text import format_record, read_record
from meldwise.game.rules import Rules
from meldwise.game.session import Session
from meldwise.game.shuffle import Seeds, commitment_of
from tests import strategies as our
from tests.rounds import a_round, seeds, table, with_round

# --- any record -------------------------------------------------------------------------

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
odd_names = st.sampled_from(
    [
        "",
        " ",
        'say "hi"',
        "back\\slash \\u0041 \\n",
        "tab\tnew\nline\r",
        '"""',
        "'''",
        "# no comment",
        "[[players]]",
        "a = 1",
        "Ωmega → 日本 🀄",
        "\x00\x1f\x7f\x85\u2028\u2029\ufeff",
        "e\u0301 \u202e right to left",
        "1 draw -> r7",
    ]
)
names = texts | odd_names
numbers = st.integers(-(10**9), 10**9)
words = st.from_regex(r"[a-z][a-z0-9._=,:-]{0,20}", fullmatch=True)
values: st.SearchStrategy[Any] = st.recursive(
    st.booleans()
    | st.integers(-(2**63), 2**63)
    | st.floats(allow_nan=False)
    | names
    | st.dates(min_value=date(1, 1, 1))
    | st.just(datetime(2026, 1, 2, 3, 4, 5, tzinfo=timezone.utc))  # noqa: UP017
    | st.just(time(1, 2, 3)),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=6,
)
KNOWN = {
    *("format", "shuffle", "game", "rules", "players", "actions", "rounds", "result"),
    *("commitment", "server_seed", "player_seeds", "clock", "first", "hands", "scores"),
}
extras = st.dictionaries(names.filter(lambda name: name not in KNOWN), values, max_size=3)
hands = st.lists(our.tiles, max_size=14).map(tuple)
drawn = st.none() | st.lists(our.tiles, min_size=1, max_size=3).map(tuple)


@st.composite
def lines(draw: st.DrawFn) -> RecordedAction:
    seat = draw(st.integers(0, 5))
    verb = draw(
        st.sampled_from(
            ["play", "draw", "pass", "timeout", "redeal", "leave", "stand-in", "return"]
        )
    )
    if verb in ("play", "timeout"):
        melds = st.lists(our.any_melds, max_size=4).map(tuple)
        after, before = draw(melds), draw(melds)
        return RecordedAction(seat, verb, after, before, drawn=draw(drawn))
    if verb == "stand-in":
        return RecordedAction(seat, verb, player=draw(words))
    return RecordedAction(seat, verb, drawn=draw(drawn))


action_lists = st.lists(lines(), max_size=6).map(tuple)


@st.composite
def round_records(draw: st.DrawFn) -> RoundRecord:
    server = draw(st.binary(min_size=32, max_size=32))
    own = texts.filter(lambda text: len(text.encode()) <= 200)
    given_seeds = st.builds(Seeds, st.just(server), st.lists(own, max_size=6).map(tuple))
    return RoundRecord(
        commitment=commitment_of(server),
        seeds=draw(st.none() | given_seeds),
        clock=draw(st.none() | st.integers(0, 10**9)),
        first=draw(st.none() | st.integers(0, 5)),
        hands=draw(st.none() | st.lists(hands, max_size=4).map(tuple)),
        actions=draw(action_lists),
        scores=draw(st.none() | st.lists(numbers, max_size=4).map(tuple)),
        extra=draw(extras),
    )


@st.composite
def records(draw: st.DrawFn) -> Record:
    rules = draw(our.rules())
    count = draw(st.integers(rules.min_players, rules.max_players))
    seats = st.builds(Seat, names, st.none() | words)
    results = st.builds(
        MatchResult,
        st.lists(numbers, max_size=4).map(tuple),
        st.lists(st.integers(0, 5), max_size=4).map(tuple),
    )
    return Record(
        game=draw(names),
        rules=rules,
        seats=tuple(draw(st.lists(seats, min_size=count, max_size=count))),
        actions=draw(action_lists),
        rounds=tuple(draw(st.lists(round_records(), max_size=2))),
        result=draw(st.none() | results),
        clock=draw(st.none() | st.integers(0, 10**9)),
        extra=draw(extras),
    )


@given(records())
def test_any_record_round_trips(record: Record) -> None:
    text = format_record(record)
    reading = read_record(text)
    assert reading.faults == ()
    assert reading.record == record
    assert format_record(reading.record) == text


@given(records(), st.sampled_from(["\n", "\r\n"]))
def test_line_ends_of_other_systems_are_read(record: Record, end: str) -> None:
    assert read_record(format_record(record).replace("\n", end)).record == record


@given(lines())
def test_any_line_round_trips(line: RecordedAction) -> None:
    assert parse_action(str(line)) == line


@given(odd_names | names, odd_names | names)
def test_odd_names_of_players_and_games(name: str, game: str) -> None:
    session = Session.new(game, Rules(), [Seat(name), Seat("B", "plain")])
    session.start_round(seeds(2))
    reading = read_record(format_record(session.record))
    assert reading.record == session.record


def test_name_that_is_no_text_is_refused_or_round_trips() -> None:
    """A lone surrogate cannot be written to a file: a typed error, or no such seat."""
    try:
        session = Session.new("X", Rules(), [Seat("\ud800"), Seat("B")])
        text = format_record(session.record)
    except GameError:
        return
    assert read_record(text).record == session.record


@pytest.mark.parametrize(
    "player",
    ["my bot", "", "a#b", "x -> r1", 'q"""', "a\\u0041", "a\nb", "plain:level=3", "'''", " a "],
)
def test_stand_in_of_any_text_is_refused_or_round_trips(player: str) -> None:
    session = Session.new("X", Rules(), [Seat("A"), Seat("B")])
    session.apply(Leave(0))
    try:
        session.apply(StandIn(0, player))
        text = format_record(session.record)
    except GameError:
        return
    reading = read_record(text)
    assert reading.faults == ()
    assert reading.record == session.record


@pytest.mark.parametrize("clock", [0, 10**9, 2 * 10**9, 10**12])
def test_any_clock_that_is_taken_round_trips(clock: int) -> None:
    rules = Rules.from_dict({"match_end": "time", "match_length": 60})
    session = Session.new("X", rules, [Seat("A"), Seat("B")])
    try:
        session.start_round(seeds(2), clock)
    except GameError:
        return
    reading = read_record(format_record(session.record))
    assert reading.faults == ()
    assert reading.record == session.record


def test_penalty_with_an_empty_stock_round_trips() -> None:
    session = Session.new("X", Rules(), [Seat("A"), Seat("B")])
    session.start_round(seeds(2))
    state = a_round("r1 r2", "y1")
    session.match = with_round(session.match, state)
    session.apply(Play(0, table("r1-2")))
    session.apply(Pass(1))
    reading = read_record(format_record(session.record))
    assert reading.faults == ()
    assert reading.record == session.record


@given(extras, extras)
def test_unknown_fields_are_kept_where_they_stood(
    top: dict[str, object], inner: dict[str, object]
) -> None:
    record = Record(
        "X",
        Rules(),
        (Seat("A"), Seat("B")),
        rounds=(RoundRecord("0" * 64, extra=inner), RoundRecord("1" * 64)),
        extra=top,
    )
    reading = read_record(format_record(record))
    assert reading.record is not None
    assert reading.record.extra == top
    assert [entry.extra for entry in reading.record.rounds] == [inner, {}]
