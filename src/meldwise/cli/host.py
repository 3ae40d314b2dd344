"""The host of a match at one terminal: it deals, asks the computer players, and records.

Everything that happens is in the record file before anybody is told of it.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from meldwise.cli.exits import CliError, Exit
from meldwise.cli.store import read_text, write_text
from meldwise.game.actions import (
    Action,
    CommitShuffle,
    Draw,
    EndMatch,
    Pass,
    PlayOracle,
    StartRound,
)
from meldwise.game.codes import Code
from meldwise.game.errors import ActionError, GameError
from meldwise.game.events import Event
from meldwise.game.match import Seat
from meldwise.game.record import Record
from meldwise.game.record_text import format_record, read_record
from meldwise.game.rules import MatchEnd, MustPlay, Rules
from meldwise.game.session import Session
from meldwise.game.shuffle import Seeds, commitment_of
from meldwise.game.view import View, view_of
from meldwise.i18n import clean_text, explain_error, explain_fault
from meldwise.players import (
    Means,
    Pace,
    PlayerError,
    create_player,
    problem_count,
    problem_since,
    think_time,
)

if TYPE_CHECKING:
    from meldwise.players import Player

__all__ = ["Host", "SeedSource", "load_oracle", "read_match"]

ELAPSED = "elapsed"
"""The field of a record that keeps the clock of a match by time, in seconds."""


class SeedSource:
    """Where the seeds of the rounds come from: chance, or a text that gives them all.

    Attributes:
        text: the text; None for chance.
    """

    def __init__(self, text: str | None, own: str | None = None) -> None:
        self.text = text
        self._own = own

    def server(self, number: int) -> bytes:
        """The host's 32 bytes for a round, by its number from 1."""
        if self.text is None:
            return secrets.token_bytes(32)
        return hashlib.sha256(f"meldwise --seed\n{self.text}\n{number}".encode()).digest()

    def player(self, seat: int) -> int:
        """What the choices of a seat's computer player follow from."""
        if self.text is None:
            return secrets.randbits(64)
        digest = hashlib.sha256(f"meldwise player seed\n{self.text}\n{seat}".encode()).digest()
        return int.from_bytes(digest[:8], "big")

    def own(self, number: int) -> str:
        """The person's own seed for a round: as given, or derived, or by chance."""
        if self._own is not None:
            return self._own
        if self.text is None:
            return secrets.token_hex(8)
        return hashlib.sha256(f"meldwise own seed\n{self.text}\n{number}".encode()).hexdigest()[:16]


def load_oracle(rules: Rules) -> PlayOracle | None:
    """What tells whether one can play; None where the rules never ask."""
    if rules.must_play is MustPlay.NEVER:
        return None
    from meldwise.solver import SolverOracle

    return SolverOracle()


def read_match(path: Path) -> Record:
    """The record of a file, whole and ready to be replayed.

    Raises:
        CliError: if it cannot be read; with the first fault if it is no proper record.
    """
    reading = read_record(read_text(path))
    if reading.record is None:
        first = explain_fault(reading.faults[0])
        raise CliError(
            f"{path}: {first}",
            Exit.FILE,
            hint=f"See all: meldwise record check {path}",
            key=str(reading.faults[0].code),
        )
    return reading.record


class Host:
    """A running match, its record file, and the computer players at its table.

    Attributes:
        session: the match and its record.
        path: where the record is written; None to keep none.
        seeds: where the seeds come from.
        problems: what went wrong with players in programs of their own and was not told yet,
            by seat; each kind of problem of a player is there once.
    """

    def __init__(self, session: Session, path: Path | None, seeds: SeedSource) -> None:
        self.session = session
        self.path = path
        self.seeds = seeds
        self.problems: list[tuple[int, PlayerError]] = []
        self._known: set[tuple[int, Code]] = set()
        self._players: list[Player | None] = [
            None
            if seat.computer is None
            else create_player(seat.computer, Means(seeds.player(place), time.monotonic))
            for place, seat in enumerate(session.match.seats)
        ]
        elapsed = session.record.extra.get(ELAPSED, 0)
        base = elapsed if isinstance(elapsed, int) and elapsed > 0 else 0
        self._begun = time.monotonic() - max(base, session.match.clock)

    @classmethod
    def new(
        cls,
        game: str,
        rules: Rules,
        seats: Sequence[Seat],
        path: Path | None,
        seeds: SeedSource,
    ) -> Host:
        """A match that has not begun.

        Raises:
            GameError: if the rules do not allow that many players, or there is no such
                computer player.
        """
        return cls(Session.new(game, rules, seats, load_oracle(rules)), path, seeds)

    @classmethod
    def resume(cls, path: Path, seeds: SeedSource) -> Host:
        """Goes on with the match of a record file.

        Raises:
            CliError: if the file cannot be read, or does not replay.
        """
        record = read_match(path)
        if record.rounds and record.rounds[-1].seeds is None:
            # Nobody knows the seed that was committed to; the round is committed to anew.
            record = replace(record, rounds=record.rounds[:-1])
        try:
            session = Session.resume(record, load_oracle(record.rules))
            return cls(session, path, seeds)
        except GameError as error:
            raise CliError(
                f"{path} cannot be continued: {explain_error(error)}",
                Exit.FAULTS,
                hint=f"See: meldwise record check {path}",
                key=str(error.code),
            ) from None

    @property
    def rules(self) -> Rules:
        """The rules of the table."""
        return self.session.match.rules

    @property
    def names(self) -> list[str]:
        """The players' names by seat."""
        return [clean_text(seat.name) for seat in self.session.match.seats]

    @property
    def clock(self) -> int:
        """Seconds since the match began, not counting the time between two sittings."""
        return int(time.monotonic() - self._begun)

    def view(self, seat: int | None) -> View:
        """The match as a seat may know it."""
        return view_of(self.session.match, seat)

    def save(self) -> None:
        """Writes the record, if it is kept in a file and a round has begun.

        Raises:
            CliError: if it cannot be written.
        """
        record = self.session.record
        if self.path is None or (record.rounds and record.rounds[-1].seeds is None):
            return
        if self.rules.match_end is MatchEnd.TIME:
            record = replace(record, extra={**record.extra, ELAPSED: self.clock})
        write_text(self.path, format_record(record))

    def act(self, action: Action) -> tuple[Event, ...]:
        """Takes an action, and writes it down.

        Raises:
            ActionError: if it cannot be taken; nothing has changed then.
        """
        events = self.session.apply(action)
        self.save()
        return events

    def commit(self) -> tuple[str, bytes]:
        """The commitment of the next round, published before its deal, and its seed."""
        server = self.seeds.server(self.session.match.next_round)
        commitment = commitment_of(server)
        self.session.apply(CommitShuffle(commitment))
        return commitment, server

    def deal(self, server: bytes) -> tuple[Event, ...]:
        """Begins the round that was committed to; the person's own seed is mixed in."""
        number = self.session.match.next_round
        texts = tuple(
            self.seeds.own(number) if seat.computer is None else ""
            for seat in self.session.match.seats
        )
        clock = self.clock if self.rules.match_end is MatchEnd.TIME else None
        return self.act(StartRound(Seeds(server, texts), clock))

    @property
    def time_is_up(self) -> bool:
        """Whether a match by time has to end now, between two rounds."""
        match = self.session.match
        by_time = self.rules.match_end is MatchEnd.TIME
        return by_time and bool(match.results) and self.clock >= self.rules.match_length

    def end_by_time(self) -> tuple[Event, ...]:
        """Ends a match whose time is up."""
        return self.act(EndMatch(self.clock))

    def new_problems(self) -> list[str]:
        """What went wrong with players in programs of their own since this was asked."""
        told = [f"{self.names[seat]}: {explain_error(error)}" for seat, error in self.problems]
        self.problems.clear()
        return told

    def computer_turn(
        self, pace: Pace = Pace.NONE, wait: Callable[[float], None] = time.sleep
    ) -> tuple[Event, ...]:
        """Lets the computer player whose turn it is do something.

        One that proposes what the rules refuse draws or passes instead.

        Args:
            pace: how much time it takes for people to follow.
            wait: waits for some seconds.
        """
        state = self.session.match.running
        assert state is not None
        player = self._players[state.seat]
        assert player is not None
        view = self.view(state.seat)
        begun = time.monotonic()
        before = problem_count(player)
        action = player.choose(view)
        problem = problem_since(player, before)
        if problem is not None and (state.seat, problem.code) not in self._known:
            self._known.add((state.seat, problem.code))
            self.problems.append((state.seat, problem))
        if pace is not Pace.NONE:
            wait(max(0.0, think_time(view, action, pace) - (time.monotonic() - begun)))
        try:
            return self.act(action)
        except ActionError:
            return self.act(Draw(state.seat) if state.stock else Pass(state.seat))
