"""A match as a text file that people can read: the seeds, and one line an action.

The format is TOML and described in ``docs/records.md``. What a turn did is written as the
melds it made and the melds it made them from; the tiles that were drawn stand behind an
arrow, and are checked like all else that follows from the seeds and the actions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

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
from meldwise.game.errors import GameError, RecordError
from meldwise.game.events import (
    Dealt,
    Drew,
    Event,
    MatchEnded,
    MatchResult,
    Penalised,
    Played,
    RoundEnded,
    RoundStarted,
)
from meldwise.game.match import Match, Seat
from meldwise.game.position import Table, format_table, parse_table
from meldwise.game.rules import Rules
from meldwise.game.shuffle import Seeds
from meldwise.game.tiles import Tile, format_tiles, parse_tiles
from meldwise.game.turn import compare_tables
from meldwise.game.values import quickly_made

__all__ = [
    "FORMAT",
    "Fault",
    "Record",
    "RecordedAction",
    "RoundRecord",
    "new_record",
    "parse_action",
]

FORMAT: Final = 1
"""The version of the record format that this program writes."""

_ACTION: Final = re.compile(r"([0-9]{1,2})\s+([A-Za-z-]+)\s*(.*)")
_FROM: Final = re.compile(r"(?:^|\s)from(?:\s|$)", re.IGNORECASE)
_VERBS: Final = ("play", "draw", "pass", "timeout", "redeal", "leave", "stand-in", "return")


@dataclass(frozen=True, slots=True)
class Fault:
    """Something wrong in a record.

    Attributes:
        code: what is wrong.
        line: the line, from 1; None where the file does not show it.
        fields: the particulars, by name.
        cause: the error that an action met, if that is the fault.
    """

    code: Code
    line: int | None = None
    fields: Mapping[str, object] = field(default_factory=dict)
    cause: GameError | None = None


@quickly_made
@dataclass(frozen=True, slots=True)
class RecordedAction:
    """One line of a record: an action by what it changed.

    Attributes:
        seat: who acted, from 0 (from 1 in text).
        verb: ``play``, ``draw``, ``pass``, ``timeout``, ``redeal``, ``leave``, ``stand-in``
            or ``return``.
        after: for a play or a time-out, the melds that were made.
        before: and the melds of the table that they were made from.
        player: for a stand-in, the computer player.
        drawn: the tiles that were drawn in consequence; None if not noted.
        line: where it stands in the file, from 1; 0 if it comes from no file.
    """

    seat: int
    verb: str
    after: Table = ()
    before: Table = ()
    player: str = ""
    drawn: tuple[Tile, ...] | None = None
    line: int = field(default=0, compare=False)

    def __str__(self) -> str:
        words = [str(self.seat + 1), self.verb]
        if self.after:
            words.append(format_table(self.after))
        if self.before:
            words += ["from", format_table(self.before)]
        if self.player:
            words.append(self.player)
        if self.drawn:
            words += ["->", format_tiles(self.drawn)]
        return " ".join(words)

    @classmethod
    def of(cls, action: Action, table: Table, events: Sequence[Event]) -> RecordedAction:
        """The line for an action taken at a table, from what happened."""
        drawn: tuple[Tile, ...] | None = None
        for event in events:
            if isinstance(event, (Drew, Penalised)):
                drawn = event.tiles or None
                break
        match action:
            case Play(seat, proposal) | TimeOut(seat, proposal):
                verb = "play" if isinstance(action, Play) else "timeout"
                if proposal is None:
                    return cls(seat, verb, drawn=drawn)
                for event in events:
                    if isinstance(event, Played):
                        return cls(seat, verb, event.after, event.before, drawn=drawn)
                compared = compare_tables(table, proposal)
                return cls(seat, verb, compared.new, compared.gone, drawn=drawn)
            case Draw(seat):
                return cls(seat, "draw", drawn=drawn)
            case Pass(seat):
                return cls(seat, "pass")
            case AskRedeal(seat):
                return cls(seat, "redeal")
            case Leave(seat):
                return cls(seat, "leave")
            case StandIn(seat, player):
                return cls(seat, "stand-in", player=player)
            case Return(seat):
                return cls(seat, "return")
            case _:
                raise TypeError(f"{type(action).__name__} is not written as a line")

    def action(self, table: Table) -> Action:
        """The action that the line stands for, at a table.

        Raises:
            RecordError: if it changes a meld that is not on the table.
        """
        match self.verb:
            case "play":
                return Play(self.seat, self._proposal(table))
            case "timeout":
                draft = self._proposal(table) if self.after or self.before else None
                return TimeOut(self.seat, draft)
            case "draw":
                return Draw(self.seat)
            case "pass":
                return Pass(self.seat)
            case "redeal":
                return AskRedeal(self.seat)
            case "leave":
                return Leave(self.seat)
            case "stand-in":
                return StandIn(self.seat, self.player)
            case _:
                return Return(self.seat)

    def _proposal(self, table: Table) -> Table:
        left = list(table)
        for meld in self.before:
            place = next((i for i, other in enumerate(left) if other.key == meld.key), None)
            if place is None:
                raise RecordError(Code.RECORD_ILLEGAL_ACTION, meld=str(meld), table=table)
            del left[place]
        return (*left, *self.after)


def parse_action(text: str, line: int = 0) -> RecordedAction:
    """Reads one line, such as ``2 play r3-4-5 8rbky from 8bky`` or ``1 draw -> r7``.

    Raises:
        GameError: with the code of what cannot be read.
    """
    words, _, tiles = text.partition("->")
    match = _ACTION.fullmatch(words.strip())
    if match is None or match[2].lower() not in _VERBS or int(match[1]) < 1:
        raise RecordError(Code.RECORD_ACTION_SYNTAX, text=text.strip()[:80])
    seat, verb, rest = int(match[1]) - 1, match[2].lower(), match[3].strip()
    drawn = parse_tiles(tiles) if tiles.strip() else None
    if verb in ("play", "timeout"):
        after, *more = _FROM.split(rest, maxsplit=1)
        before = more[0] if more else ""
        return RecordedAction(
            seat, verb, parse_table(after), parse_table(before), drawn=drawn, line=line
        )
    if verb == "stand-in":
        if not rest or len(rest.split()) != 1:
            raise RecordError(Code.RECORD_ACTION_SYNTAX, text=text.strip()[:80])
        return RecordedAction(seat, verb, player=rest, drawn=drawn, line=line)
    if rest:
        raise RecordError(Code.RECORD_ACTION_SYNTAX, text=text.strip()[:80])
    return RecordedAction(seat, verb, drawn=drawn, line=line)


@dataclass(frozen=True, slots=True)
class RoundRecord:
    """One round of a record.

    Attributes:
        commitment: what the host committed to, in 64 hex digits.
        seeds: the seeds; None for a round that is committed to and not begun.
        clock: the clock reading at its start in seconds, for a match by time.
        first: the seat that began, from 0; None if not noted.
        hands: the dealt hands, by seat; None if not noted.
        actions: what was done, also after the round's end.
        scores: the points of the round; None if not noted or not over.
        extra: fields that this program does not know.
        lines: where its fields stand in the file, from 1; the round itself under ``""``.
    """

    commitment: str
    seeds: Seeds | None = None
    clock: int | None = None
    first: int | None = None
    hands: tuple[tuple[Tile, ...], ...] | None = None
    actions: tuple[RecordedAction, ...] = ()
    scores: tuple[int, ...] | None = None
    extra: Mapping[str, object] = field(default_factory=dict)
    lines: Mapping[str, int] = field(default_factory=dict, compare=False, repr=False)

    def line(self, name: str = "") -> int | None:
        """The line of a field, or of the round if the field shows none."""
        return self.lines.get(name, self.lines.get(""))


@dataclass(frozen=True, slots=True)
class Record:
    """A whole match, finished or not.

    Attributes:
        game: the title of the game, as shown to people.
        rules: the rules.
        seats: the players as they sat down.
        actions: what was done before the first round.
        rounds: the rounds.
        result: the outcome; None if not noted or not over.
        clock: the clock reading that ended a match by time.
        extra: fields that this program does not know.
        seat_extras: such fields of each player, by seat; empty if there are none.
        result_extra: such fields of the result.
        lines: where the fields of the result stand in the file, from 1.
    """

    game: str
    rules: Rules
    seats: tuple[Seat, ...]
    actions: tuple[RecordedAction, ...] = ()
    rounds: tuple[RoundRecord, ...] = ()
    result: MatchResult | None = None
    clock: int | None = None
    extra: Mapping[str, object] = field(default_factory=dict)
    seat_extras: tuple[Mapping[str, object], ...] = ()
    result_extra: Mapping[str, object] = field(default_factory=dict)
    lines: Mapping[str, int] = field(default_factory=dict, compare=False, repr=False)

    def extended(self, before: Match, action: Action, events: Sequence[Event]) -> Record:
        """The record with one more action.

        Args:
            before: the match in which the action was taken.
            action: the action.
            events: what happened.
        """
        if isinstance(action, CommitShuffle):
            rounds = (*self.rounds, RoundRecord(action.commitment.lower()))
            return replace(self, rounds=rounds)
        after = self
        if isinstance(action, EndMatch):
            after = replace(after, clock=action.clock)
        elif isinstance(action, StartRound):
            after = after._with_last_round(seeds=action.seeds, clock=action.clock)
            for event in events:
                if isinstance(event, RoundStarted):
                    after = after._with_last_round(first=event.first)
                elif isinstance(event, Dealt):
                    hands = tuple(hand or () for hand in event.hands)
                    after = after._with_last_round(hands=hands)
        else:
            table = before.round.table if before.round is not None else ()
            line = RecordedAction.of(action, table, events)
            if not self.rounds or self.rounds[-1].seeds is None:
                after = self._with_line_between(line)
            else:
                after = self.with_actions((line,))
        for event in events:
            if isinstance(event, RoundEnded):
                after = after._with_last_round(scores=event.result.scores)
            elif isinstance(event, MatchEnded):
                after = replace(after, result=event.result)
        return after

    def with_actions(self, lines: Iterable[RecordedAction]) -> Record:
        """The record with further lines of its last round, which goes on after them."""
        last = self.rounds[-1]
        entry = RoundRecord(
            last.commitment,
            last.seeds,
            last.clock,
            last.first,
            last.hands,
            (*last.actions, *lines),
            last.scores,
            last.extra,
            last.lines,
        )
        return Record(
            self.game,
            self.rules,
            self.seats,
            self.actions,
            (*self.rounds[:-1], entry),
            self.result,
            self.clock,
            self.extra,
            self.seat_extras,
            self.result_extra,
            self.lines,
        )

    def _with_last_round(self, **changes: object) -> Record:
        last = replace(self.rounds[-1], **changes)  # type: ignore[arg-type]
        return replace(self, rounds=(*self.rounds[:-1], last))

    def _with_line_between(self, line: RecordedAction) -> Record:
        """Adds a line while no round has begun, or the next is only committed to."""
        if len(self.rounds) < 2:
            return replace(self, actions=(*self.actions, line))
        last = self.rounds[-2]
        rounds = (*self.rounds[:-2], replace(last, actions=(*last.actions, line)), self.rounds[-1])
        return replace(self, rounds=rounds)


def new_record(match: Match, game: str) -> Record:
    """The record of a match that has not begun."""
    seats = tuple(Seat(seat.name, seat.computer) for seat in match.seats)
    return Record(game, match.rules, seats)
