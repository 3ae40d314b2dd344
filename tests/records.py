"""A record of a real match, and the faults that reading a changed one finds."""

from __future__ import annotations

from meldwise.game.actions import Leave, StandIn
from meldwise.game.codes import Code
from meldwise.game.match import Seat
from meldwise.game.record import Fault
from meldwise.game.record_text import format_record, read_record
from meldwise.game.replay import replay
from meldwise.game.rules import Rules
from meldwise.game.session import Session
from tests.rounds import finish_round, seeds


def _session() -> Session:
    rules = Rules(hand_size=5, match_length=2, opening_minimum=10)
    session = Session.new("Friday", rules, [Seat("Ann"), Seat("Bo", "plain")])
    session.apply(Leave(1))
    session.apply(StandIn(1, "plain"))
    for number in range(2):
        session.start_round(seeds(2, 30 + number))
        finish_round(session)
    return session


SESSION = _session()
TEXT = format_record(SESSION.record)


def line_of(text: str, start: str, nth: int = 0) -> int:
    """The number of the nth line that begins so."""
    found = [n for n, line in enumerate(text.split("\n"), start=1) if line.startswith(start)]
    return found[nth]


def without(text: str, start: str) -> str:
    lines = text.split("\n")
    del lines[line_of(text, start) - 1]
    return "\n".join(lines)


def faults_of(text: str) -> list[tuple[Code, int | None]]:
    """Code and line of all faults, of reading or else of the replay."""
    reading = read_record(text)
    found: tuple[Fault, ...] = reading.faults
    if reading.record is not None:
        assert found == ()
        found = replay(reading.record).faults
    return [(fault.code, fault.line) for fault in found]
