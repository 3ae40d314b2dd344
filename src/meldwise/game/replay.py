"""Replaying a record, and checking its deals.

An action that cannot be taken is reported and not applied, and the replay ends there, since
all that follows depends on it. Nothing that a record states is believed.
"""

from __future__ import annotations

from dataclasses import dataclass

from meldwise.game.actions import Action, CommitShuffle, EndMatch, PlayOracle, StartRound
from meldwise.game.codes import Code
from meldwise.game.errors import GameError, RecordError, ShuffleError
from meldwise.game.events import Dealt, Drew, Event, Penalised
from meldwise.game.match import Match, start_match
from meldwise.game.record import Fault, Record, RecordedAction, RoundRecord
from meldwise.game.round import start_round
from meldwise.game.shuffle import check_commitment
from meldwise.game.tiles import Tile, format_tiles

__all__ = ["DealCheck", "Replay", "Step", "check_deals", "replay"]


@dataclass(frozen=True, slots=True)
class Step:
    """One action of a replay: the match before it, the action, and what happened."""

    before: Match
    action: Action
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Replay:
    """What a record leads to.

    Attributes:
        match: the state after the last action that could be taken.
        steps: the actions taken, in order.
        faults: all that is wrong.
    """

    match: Match
    steps: tuple[Step, ...]
    faults: tuple[Fault, ...]


@dataclass(frozen=True, slots=True)
class DealCheck:
    """Whether a round's tiles are those that its seeds give.

    Attributes:
        number: the number of the round, from 1.
        revealed: whether the seeds are there to be checked.
        commitment: whether the seed is the one that was committed to.
        hands: whether the noted hands follow from the seeds; None if none are noted.
        first: whether the noted beginner does; None if it is not noted or was not drawn for.
    """

    number: int
    revealed: bool
    commitment: bool
    hands: bool | None
    first: bool | None

    @property
    def good(self) -> bool:
        """Whether everything that could be checked was right, and the seeds are there."""
        return (
            self.revealed
            and self.commitment
            and self.hands is not False
            and self.first is not False
        )


def replay(record: Record, oracle: PlayOracle | None = None) -> Replay:
    """Takes all the actions of a record in order, checking what it states beside them.

    Args:
        record: the record.
        oracle: tells whether one can play; needed only under ``must_play``.

    Raises:
        RulesError: if the rules do not allow the number of players.
    """
    player = _Player(start_match(record.rules, record.seats), oracle)
    player.run(record)
    return Replay(player.match, tuple(player.steps), tuple(player.faults))


def check_deals(record: Record) -> tuple[DealCheck, ...]:
    """Recomputes every deal of a record from its seeds, whatever its actions are."""
    checks: list[DealCheck] = []
    drawn_for = record.rules.first_player == "draw"
    for number, entry in enumerate(record.rounds, start=1):
        if entry.seeds is None:
            checks.append(DealCheck(number, False, False, None, None))
            continue
        try:
            check_commitment(entry.commitment, entry.seeds.server)
            committed = True
        except ShuffleError:
            committed = False
        hands = first = None
        if len(entry.seeds.players) == len(record.seats):
            state, _ = start_round(record.rules, len(record.seats), number, entry.seeds)
            if entry.hands is not None:
                hands = tuple(tuple(sorted(hand)) for hand in entry.hands) == state.hands
            if entry.first is not None and (drawn_for or number == 1):
                first = entry.first == state.first
        else:
            hands = False
        checks.append(DealCheck(number, True, committed, hands, first))
    return tuple(checks)


class _StopError(Exception):
    """The replay cannot go on."""


class _Player:
    def __init__(self, match: Match, oracle: PlayOracle | None) -> None:
        self.match = match
        self.oracle = oracle
        self.steps: list[Step] = []
        self.faults: list[Fault] = []

    def run(self, record: Record) -> None:
        try:
            self._lines(record.actions)
            for number, entry in enumerate(record.rounds, start=1):
                self._round(number, entry)
            if record.clock is not None:
                self._take(EndMatch(record.clock), None)
        except _StopError:
            return
        if record.result is not None and record.result != self.match.result:
            totals = self.match.totals
            self._fault(
                Code.RECORD_RESULT,
                record.lines.get("totals", record.lines.get("")),
                stated=record.result.totals,
                actual=totals,
            )

    def _round(self, number: int, entry: RoundRecord) -> None:
        if self.match.running is not None:
            self._fault(Code.RECORD_UNFINISHED, entry.line(), number=number - 1)
            raise _StopError
        self._take(CommitShuffle(entry.commitment), entry.line("commitment"))
        if entry.seeds is None:
            if entry.actions:
                self._fault(Code.RECORD_MISSING_FIELD, entry.line(), field="server_seed")
                raise _StopError
            if entry.scores is not None:
                self._fault(
                    Code.RECORD_RESULT, entry.line("scores"), number=number, stated=entry.scores
                )
            return
        events = self._take(StartRound(entry.seeds, entry.clock), entry.line("commitment"))
        self._check_deal(entry, events)
        self._lines(entry.actions)
        state = self.match.round
        result = None if state is None else state.result
        if entry.scores is not None and (result is None or result.scores != entry.scores):
            self._fault(
                Code.RECORD_RESULT,
                entry.line("scores"),
                number=number,
                stated=entry.scores,
                actual=None if result is None else result.scores,
            )

    def _check_deal(self, entry: RoundRecord, events: tuple[Event, ...]) -> None:
        for event in events:
            if isinstance(event, Dealt) and entry.hands is not None:
                stated = tuple(tuple(sorted(hand)) for hand in entry.hands)
                for seat, hand in enumerate(event.hands):
                    if seat >= len(stated) or stated[seat] != hand:
                        self._fault(
                            Code.RECORD_TILES_DIFFER,
                            entry.line("hands"),
                            seat=seat,
                            stated=format_tiles(stated[seat]) if seat < len(stated) else "",
                            actual=format_tiles(hand or ()),
                        )
        if entry.first is not None and entry.first != self.match.firsts[-1]:
            self._fault(
                Code.RECORD_RESULT,
                entry.line("first"),
                field="first",
                stated=entry.first + 1,
                actual=self.match.firsts[-1] + 1,
            )

    def _lines(self, lines: tuple[RecordedAction, ...]) -> None:
        for line in lines:
            state = self.match.round
            try:
                action = line.action(state.table if state is not None else ())
            except RecordError as error:
                self._fault(error.code, line.line, cause=error, text=str(line))
                raise _StopError from None
            events = self._take(action, line.line, str(line))
            self._check_drawn(line, events)

    def _check_drawn(self, line: RecordedAction, events: tuple[Event, ...]) -> None:
        if line.drawn is None:
            return
        drawn: tuple[Tile, ...] = next(
            (event.tiles for event in events if isinstance(event, Drew | Penalised)), ()
        )
        if line.drawn != drawn:
            self._fault(
                Code.RECORD_TILES_DIFFER,
                line.line,
                seat=line.seat,
                stated=format_tiles(line.drawn),
                actual=format_tiles(drawn),
            )

    def _take(self, action: Action, line: int | None, text: str = "") -> tuple[Event, ...]:
        before = self.match
        try:
            self.match, events = before.apply(action, self.oracle)
        except ShuffleError as error:
            self._fault(Code.RECORD_COMMITMENT, line, cause=error)
            raise _StopError from None
        except GameError as error:
            self._fault(Code.RECORD_ILLEGAL_ACTION, line, cause=error, text=text)
            raise _StopError from None
        self.steps.append(Step(before, action, events))
        return events

    def _fault(
        self, code: Code, line: int | None, cause: GameError | None = None, **fields: object
    ) -> None:
        self.faults.append(Fault(code, line or None, fields, cause))
