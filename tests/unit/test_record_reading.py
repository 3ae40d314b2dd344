"""Reading records of a real match tolerantly."""

from __future__ import annotations

import pytest

from meldwise.game.actions import CommitShuffle, Draw, Leave, Return, StandIn, StartRound
from meldwise.game.match import Seat
from meldwise.game.record import RecordedAction, parse_action
from meldwise.game.record_text import format_record, read_record
from meldwise.game.replay import check_deals, replay
from meldwise.game.rules import Rules
from meldwise.game.session import Session
from meldwise.game.shuffle import commitment_of
from tests.records import SESSION, TEXT, faults_of, without
from tests.rounds import finish_round, seeds, table, tiles


def test_whole_match_reads_replays_and_verifies() -> None:
    reading = read_record(TEXT)
    assert reading.record == SESSION.record
    assert faults_of(TEXT) == []
    assert all(check.good for check in check_deals(reading.record))
    found = replay(reading.record)
    assert found.match == SESSION.match
    assert found.match.result is not None


def test_resumed_session_goes_on() -> None:
    session = Session.new("X", Rules(), [Seat("A"), Seat("B")])
    session.start_round(seeds(2))
    for _ in range(6):
        state = session.match.running
        assert state is not None
        session.apply(Draw(state.seat))
        read = read_record(format_record(session.record)).record
        assert read is not None
        resumed = Session.resume(read)
        assert resumed.match == session.match
        assert resumed.record == session.record
        session = resumed


def test_leaving_between_the_commitment_and_the_deal_round_trips() -> None:
    session = Session.new("X", Rules(hand_size=3, opening_minimum=0), [Seat("A"), Seat("B")])
    for number in range(3):
        given = seeds(2, number)
        session.apply(CommitShuffle(commitment_of(given.server)))
        for action in (Leave(0), StandIn(0, "plain"), Return(0), Leave(1)):
            session.apply(action)
            record = read_record(format_record(session.record)).record
            assert record == session.record
            assert Session.resume(record).match == session.match
        session.apply(StartRound(given))
        finish_round(session)
        session.apply(Return(1))
        record = read_record(format_record(session.record)).record
        assert record is not None
        assert Session.resume(record).match == session.match


# --- tolerant reading -----------------------------------------------------------------------


def test_comments_and_blank_lines_are_passed_over() -> None:
    text = TEXT.replace('actions = """\n', 'actions = """\n\n# the game\n   \n', 1)
    lines = []
    for line in text.split("\n"):
        extra = line[:1].isdigit()
        lines += ["", "  # a remark", f"   {line}   # and another"] if extra else [line]
    text = "# before\n\n" + "\n".join(lines) + "\n\n# after\n"
    assert read_record(text).record == SESSION.record


def test_capitals_and_spaces_in_tiles_are_read() -> None:
    line = parse_action("  1   play   R3-4-5  8RBKY  from  8bKy  ->  R7 , K1")
    assert line == RecordedAction(
        0, "play", table("r3-4-5 8rbky"), table("8bky"), drawn=tiles("r7 k1")
    )
    assert parse_action("1 draw->r7") == RecordedAction(0, "draw", drawn=tiles("r7"))


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("1 DRAW", "1 draw"),
        ("2 Play R3-4-5 From R3-4-5-6", "2 play r3-4-5 from r3-4-5-6"),
        ("1 Stand-In plain", "1 stand-in plain"),
    ],
)
def test_capitals_in_words_are_read(text: str, plain: str) -> None:
    assert parse_action(text) == parse_action(plain)


def test_commitment_and_seed_in_capitals_are_read() -> None:
    for entry in SESSION.record.rounds:
        assert entry.seeds is not None
        seed = entry.seeds.server.hex()
        text = TEXT.replace(entry.commitment, entry.commitment.upper())
        text = text.replace(seed, seed.upper())
        assert faults_of(text) == []


def test_order_of_the_tables_does_not_matter() -> None:
    start = TEXT.index("[[players]]")
    end = TEXT.index("[[rounds]]")
    text = TEXT[:start] + TEXT[end:] + "\n" + TEXT[start:end]
    assert read_record(text).record == SESSION.record


def test_what_is_only_noted_may_be_missing() -> None:
    record = read_record(TEXT).record
    assert record is not None
    text = TEXT[: TEXT.index("[result]")]
    for start in ("first", "scores"):
        while any(line.startswith(start) for line in text.split("\n")):
            text = without(text, start)
    assert faults_of(text) == []


def test_actions_on_one_line_and_in_other_quotes() -> None:
    base = TEXT[: TEXT.index("[[rounds]]")]
    for actions in ('"2 leave"', "'2 leave'", "'''2 leave'''", "'''\n2 leave\n'''"):
        start = base.index("actions")
        end = base.index('"""\n', base.index('"""') + 3) + 4
        text = base[:start] + f"actions = {actions}\n" + base[end:]
        record = read_record(text).record
        assert record is not None
        assert record.actions == (RecordedAction(1, "leave"),)
