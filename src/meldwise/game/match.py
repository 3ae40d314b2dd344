"""A match: rounds, their scores, how it ends, and who sits where (rules, section 2).

A :class:`Match` is an immutable value, like :class:`~meldwise.game.round.Round`, and takes
all actions. Before each round the host commits to a seed; after it the seed is revealed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, assert_never

from meldwise.game.actions import (
    Action,
    AskRedeal,
    CommitShuffle,
    Draw,
    EndMatch,
    Leave,
    Pass,
    Play,
    PlayOracle,
    Return,
    StandIn,
    StartRound,
    TimeOut,
)
from meldwise.game.codes import Code
from meldwise.game.errors import ActionError, GameError, SeatError, ShuffleError
from meldwise.game.events import (
    Event,
    MatchEnded,
    MatchResult,
    SeatLeft,
    SeatReturned,
    SeatTakenOver,
    SeedRevealed,
    ShuffleCommitted,
)
from meldwise.game.round import Round, start_round
from meldwise.game.rules import Direction, FirstPlayer, MatchEnd, Rules
from meldwise.game.scores import RoundResult
from meldwise.game.shuffle import check_commitment
from meldwise.game.values import quickly_made

__all__ = ["Match", "Seat", "start_match"]

_PLAYER_TEXT: Final = re.compile(r"""[^\s#"'\\>]{1,200}""")
"""A computer player's text name is one word, since it stands in a line of a record."""


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sits at a place of the table.

    Attributes:
        name: the name that is shown; the result of the match stays with it.
        computer: the text name of the computer player; None for a person.
        left: whether the player has gone.
        stand_in: the computer player that sits in for one who has gone.

    Raises:
        SeatError: on a name that cannot be written to a file.
    """

    name: str
    computer: str | None = None
    left: bool = False
    stand_in: str | None = None

    def __post_init__(self) -> None:
        for text in (self.name, self.computer or "", self.stand_in or ""):
            _check_text(text)

    @property
    def played_by(self) -> str | None:
        """The computer player that plays the seat now; None for a person, or nobody."""
        return self.stand_in if self.left else self.computer


@quickly_made
@dataclass(frozen=True, slots=True)
class Match:
    """The whole state of a match, hidden tiles included; players see a view of it.

    Attributes:
        rules: the rules of the table.
        seats: the players, clockwise.
        round: the running round, or the last one; None before the first.
        results: the outcomes of the finished rounds.
        firsts: who began each round so far.
        commitment: the commitment for the next round, or for the running one; None before.
        clock: the latest clock reading in seconds.
        result: the outcome; None while the match goes on.
    """

    rules: Rules
    seats: tuple[Seat, ...]
    round: Round | None = None
    results: tuple[RoundResult, ...] = ()
    firsts: tuple[int, ...] = ()
    commitment: str | None = None
    clock: int = 0
    result: MatchResult | None = None

    @property
    def running(self) -> Round | None:
        """The round that is being played; None between rounds."""
        return self.round if self.round is not None and self.round.result is None else None

    @property
    def totals(self) -> tuple[int, ...]:
        """The points of the finished rounds, by seat."""
        if not self.results:
            return (0,) * len(self.seats)
        return tuple(
            [sum(points) for points in zip(*[r.scores for r in self.results], strict=True)]
        )

    @property
    def next_round(self) -> int:
        """The number of the round that would begin next."""
        return len(self.firsts) + 1

    def verify(self, action: Action, oracle: PlayOracle | None = None) -> None:
        """Asks whether an action can be taken now.

        Args:
            action: an action of the match or of the running round.
            oracle: tells whether one can play; needed only under ``must_play``.

        Raises:
            ActionError: with the reason.
            ShuffleError: for a round whose seed is not the one committed to.
            SeatError: for a stand-in whose name is not one word.
        """
        if self.result is not None:
            raise ActionError(Code.ACTION_MATCH_OVER)
        match action:
            case Play() | Draw() | Pass() | TimeOut() | AskRedeal():
                self._round().verify(action, oracle)
            case CommitShuffle():
                self._verify_commit(action)
            case StartRound():
                self._verify_start(action)
            case EndMatch():
                self._verify_end(action)
            case Leave():
                self._verify_seat(action.seat, Code.ACTION_SEAT_LEFT, left=False)
            case Return():
                self._verify_seat(action.seat, Code.ACTION_SEAT_NOT_LEFT, left=True)
            case StandIn():
                self._verify_seat(action.seat, Code.ACTION_SEAT_NOT_LEFT, left=True)
                if self.seats[action.seat].stand_in is not None:
                    raise ActionError(Code.ACTION_SEAT_TAKEN_OVER, seat=action.seat)
                _check_text(action.player)
                if not _PLAYER_TEXT.fullmatch(action.player):
                    raise SeatError(Code.SEAT_BAD_TEXT, value=ascii(action.player))
            case _:
                assert_never(action)

    def can(self, action: Action, oracle: PlayOracle | None = None) -> bool:
        """Whether :meth:`verify` passes."""
        try:
            self.verify(action, oracle)
        except GameError:
            return False
        return True

    def apply(
        self, action: Action, oracle: PlayOracle | None = None
    ) -> tuple[Match, tuple[Event, ...]]:
        """The state after an action, and what happened.

        Raises:
            ActionError: as :meth:`verify`; this value is unchanged in any case.
            ShuffleError: as :meth:`verify`.
        """
        if isinstance(action, (Play, Draw, Pass, TimeOut, AskRedeal)):
            if self.result is not None:
                raise ActionError(Code.ACTION_MATCH_OVER)
            state, events = self._round().apply(action, oracle)
            # Not replace(): it looks up every field by its name, each turn.
            after = Match(
                self.rules,
                self.seats,
                state,
                self.results,
                self.firsts,
                self.commitment,
                self.clock,
                self.result,
            )
            return after._finish_round(events) if state.result is not None else (after, events)
        self.verify(action, oracle)
        match action:
            case CommitShuffle():
                commitment = action.commitment.lower()
                event = ShuffleCommitted(self.next_round, commitment)
                return replace(self, commitment=commitment), (event,)
            case StartRound():
                return self._start(action)
            case EndMatch():
                return replace(self, clock=action.clock)._end()
            case Leave():
                return self._with_seat(action.seat, left=True), (SeatLeft(action.seat),)
            case Return():
                after = self._with_seat(action.seat, left=False, stand_in=None)
                return after, (SeatReturned(action.seat),)
            case StandIn():
                after = self._with_seat(action.seat, left=True, stand_in=action.player)
                return after, (SeatTakenOver(action.seat, action.player),)
            case _:
                assert_never(action)

    def _round(self) -> Round:
        if self.round is None:
            raise ActionError(Code.ACTION_NO_ROUND)
        return self.round

    def _verify_seat(self, seat: int, code: Code, *, left: bool) -> None:
        if not 0 <= seat < len(self.seats):
            raise ActionError(Code.ACTION_NO_SUCH_SEAT, seat=seat, seats=len(self.seats))
        if self.seats[seat].left is not left:
            raise ActionError(code, seat=seat)

    def _verify_between(self) -> None:
        if self.running is not None:
            raise ActionError(Code.ACTION_ROUND_RUNNING, number=self.running.number)

    def _verify_commit(self, action: CommitShuffle) -> None:
        self._verify_between()
        if self.commitment is not None:
            raise ActionError(Code.ACTION_COMMITTED, number=self.next_round)
        text = action.commitment.lower()
        if len(text) != 64 or set(text) - set("0123456789abcdef"):
            raise ShuffleError(Code.SHUFFLE_BAD_SEED, have=len(text), need=64, unit="hex digits")

    def _verify_start(self, action: StartRound) -> None:
        self._verify_between()
        if self.commitment is None:
            raise ActionError(Code.ACTION_NO_COMMITMENT, number=self.next_round)
        check_commitment(self.commitment, action.seeds.server)
        if len(action.seeds.players) != len(self.seats):
            raise ShuffleError(
                Code.SHUFFLE_BAD_SEED,
                have=len(action.seeds.players),
                need=len(self.seats),
                unit="seeds of players",
            )
        self._verify_clock(action.clock)
        if (
            self.rules.match_end is MatchEnd.TIME
            and action.clock is not None
            and action.clock >= self.rules.match_length
            and self.results
        ):
            raise ActionError(
                Code.ACTION_TIME_UP, clock=action.clock, length=self.rules.match_length
            )

    def _verify_end(self, action: EndMatch) -> None:
        self._verify_between()
        self._verify_clock(action.clock)
        by_time = self.rules.match_end is MatchEnd.TIME
        if not by_time or not self.results or action.clock < self.rules.match_length:
            raise ActionError(
                Code.ACTION_TIME_LEFT, clock=action.clock, length=self.rules.match_length
            )

    def _verify_clock(self, clock: int | None) -> None:
        if clock is None:
            if self.rules.match_end is MatchEnd.TIME:
                raise ActionError(Code.ACTION_CLOCK_WANTED)
        elif clock < self.clock:
            raise ActionError(Code.ACTION_CLOCK_BACKWARDS, clock=clock, before=self.clock)

    def _with_seat(self, seat: int, *, left: bool, stand_in: str | None = None) -> Match:
        changed = replace(self.seats[seat], left=left, stand_in=stand_in)
        return replace(
            self, seats=tuple(changed if s == seat else old for s, old in enumerate(self.seats))
        )

    def _start(self, action: StartRound) -> tuple[Match, tuple[Event, ...]]:
        state, events = start_round(
            self.rules, len(self.seats), self.next_round, action.seeds, self._first()
        )
        clock = self.clock if action.clock is None else action.clock
        after = replace(self, round=state, firsts=(*self.firsts, state.first), clock=clock)
        return after, events

    def _first(self) -> int | None:
        """Who begins the next round; None where it is drawn for."""
        if not self.results or self.rules.first_player is FirstPlayer.DRAW:
            return None
        if self.rules.first_player is FirstPlayer.WINNER:
            return self.results[-1].winner
        step = 1 if self.rules.direction is Direction.CLOCKWISE else -1
        return (self.firsts[-1] + step) % len(self.seats)

    def _finish_round(self, events: tuple[Event, ...]) -> tuple[Match, tuple[Event, ...]]:
        """Counts a round that has just ended, and ends the match if it was the last."""
        state = self._round()
        assert state.result is not None
        after = replace(self, results=(*self.results, state.result), commitment=None)
        events = (*events, SeedRevealed(state.number, state.seeds))
        totals = after.totals
        ends = False
        if self.rules.match_end is MatchEnd.ROUNDS:
            ends = len(after.results) >= self.rules.match_length
        elif self.rules.match_end is MatchEnd.TARGET:
            best = max(totals)
            ends = best >= self.rules.match_length and totals.count(best) == 1
        if not ends:
            return after, events
        ended, more = after._end()
        return ended, events + more

    def _end(self) -> tuple[Match, tuple[Event, ...]]:
        totals = self.totals
        winners = tuple(seat for seat, total in enumerate(totals) if total == max(totals))
        result = MatchResult(totals, winners)
        return replace(self, result=result), (MatchEnded(result),)


def start_match(rules: Rules, seats: Sequence[Seat]) -> Match:
    """A match before its first round.

    Raises:
        RulesError: if the rules do not allow that many players.
    """
    rules.check_players(len(seats))
    return Match(rules, tuple(seats))


def _check_text(text: str) -> None:
    """Refuses text that no file can hold."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise SeatError(Code.SEAT_BAD_TEXT, value=ascii(text)) from None
