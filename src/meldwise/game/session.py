"""A match together with its record, kept in step while it is played."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from meldwise.game.actions import (
    Action,
    AskRedeal,
    CommitShuffle,
    Draw,
    Pass,
    Play,
    PlayOracle,
    StartRound,
    TimeOut,
)
from meldwise.game.errors import RecordError
from meldwise.game.events import Event
from meldwise.game.match import Match, Seat, start_match
from meldwise.game.record import Record, RecordedAction, new_record
from meldwise.game.replay import replay
from meldwise.game.rules import Rules
from meldwise.game.shuffle import Seeds, commitment_of

__all__ = ["Session"]

_TURNS: Final = (Play, Draw, Pass, TimeOut, AskRedeal)


class Session:
    """A match that is being played, and its record so far.

    Attributes:
        match: the state.
        record: what led to it.
        oracle: tells whether one can play; needed only under ``must_play``.
    """

    def __init__(self, match: Match, record: Record, oracle: PlayOracle | None = None) -> None:
        self.match = match
        self.oracle = oracle
        self._record = record
        self._lines: list[RecordedAction] = []

    @property
    def record(self) -> Record:
        """What led to the match's state."""
        if self._lines:
            self._record = self._record.with_actions(self._lines)
            self._lines.clear()
        return self._record

    @classmethod
    def new(
        cls, game: str, rules: Rules, seats: Sequence[Seat], oracle: PlayOracle | None = None
    ) -> Session:
        """A match that has not begun.

        Args:
            game: the title of the game, as shown to people.
            rules: its rules.
            seats: the players, clockwise.
            oracle: tells whether one can play; needed only under ``must_play``.

        Raises:
            RulesError: if the rules do not allow that many players.
        """
        match = start_match(rules, seats)
        return cls(match, new_record(match, game), oracle)

    @classmethod
    def resume(cls, record: Record, oracle: PlayOracle | None = None) -> Session:
        """Goes on where a record ends.

        Raises:
            RecordError: with the first fault, if the record does not replay.
            RulesError: if the rules do not allow the number of players.
        """
        found = replay(record, oracle)
        if found.faults:
            fault = found.faults[0]
            raise RecordError(fault.code, line=fault.line, **fault.fields) from fault.cause
        return cls(found.match, record, oracle)

    def apply(self, action: Action) -> tuple[Event, ...]:
        """Takes an action and notes it.

        Raises:
            ActionError: if it cannot be taken; nothing has changed then.
            ShuffleError: for a round whose seed is not the one committed to.
        """
        before = self.match
        match, events = before.apply(action, self.oracle)
        running = before.running
        if isinstance(action, _TURNS) and running is not None and match.running is not None:
            # Only noted: most turns are over before anybody asks for the record.
            self._lines.append(RecordedAction.of(action, running.table, events))
        else:
            self._record = self.record.extended(before, action, events)
        self.match = match
        return events

    def start_round(self, seeds: Seeds, clock: int | None = None) -> tuple[Event, ...]:
        """Begins the next round, committing to the seed first if that has not been done.

        Raises:
            ActionError: if no round can begin now.
            ShuffleError: if another seed was committed to.
        """
        events: tuple[Event, ...] = ()
        if self.match.running is not None or self.match.commitment is None:
            events = self.apply(CommitShuffle(commitment_of(seeds.server)))
        return events + self.apply(StartRound(seeds, clock))
