"""Playing one game: a table of players that may err, crash or dawdle, and never stop it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from meldwise.arena.plan import Plan, deal_seed, player_seed
from meldwise.arena.results import (
    Data,
    Game,
    Incident,
    IncidentKind,
    Key,
    RoundOutcome,
    Timing,
)
from meldwise.game.actions import (
    AskRedeal,
    CommitShuffle,
    Draw,
    Pass,
    Play,
    PlayOracle,
    RoundAction,
    StartRound,
)
from meldwise.game.codes import Code
from meldwise.game.errors import GameError
from meldwise.game.events import Event, Penalised, Played
from meldwise.game.match import Match, Seat, start_match
from meldwise.game.round import Round
from meldwise.game.rules import MatchEnd, MustPlay, Rules
from meldwise.game.scores import RoundEnd
from meldwise.game.shuffle import Seeds, commitment_of
from meldwise.game.view import view_of
from meldwise.players import Means, Player, create_player, problem_count, problem_since
from meldwise.solver import SolverOracle, best_play

__all__ = ["MOST_ROUNDS", "ArenaWork", "Clock", "Host", "play_game"]

Clock = Callable[[], float]

MOST_ROUNDS: Final = 400
"""A match that nobody wins is stopped after so many rounds."""

_MOST_REDEALS: Final = 100
"""A player that asks for more new deals in a round than any honest one loses its turn."""

_LONGEST_DETAIL: Final = 200


@dataclass(frozen=True, slots=True)
class ArenaWork:
    """The work of an arena, as other processes get it: the unit of a key is a deal.

    Attributes:
        plan: what is played.
    """

    plan: Plan

    def do(self, key: Key, clock: Clock | None) -> Data:
        """Plays a deal of a pairing in all its arrangements."""
        pairing, deal = key
        arrangements = self.plan.pairings[pairing].arrangements
        games = [play_game(self.plan, seats, deal, clock) for seats in arrangements]
        return {"games": [game.as_data() for game in games]}


def play_game(plan: Plan, seats: Sequence[int], deal: int, clock: Clock | None = None) -> Game:
    """Plays a deal, or the match that begins with it.

    Args:
        plan: what is played.
        seats: the entrants by seat.
        deal: the number of the deal, from 0.
        clock: gives the time in seconds; None to keep no time.
    """
    host = Host(plan.rules, [plan.entrants[entrant] for entrant in seats], clock)
    with host.players_for(plan.seed, deal):
        unfinished = False
        while True:
            server = deal_seed(plan.seed, deal, host.match.next_round)
            host.play_round(server)
            if not plan.matches or host.match.result is not None:
                break
            if len(host.rounds) >= MOST_ROUNDS:
                unfinished = True
                break
    totals = host.match.totals
    winners: tuple[int, ...] = (host.rounds[-1].winner,)
    if plan.matches:
        winners = tuple(seat for seat, total in enumerate(totals) if total == max(totals))
    return Game(
        tuple(seats),
        winners,
        tuple(host.rounds),
        tuple(host.incidents),
        tuple(host.timings) if clock is not None else (),
        unfinished,
    )


class Host:
    """A table of computer players and what happens at it.

    Attributes:
        match: the state.
        rounds: how the finished rounds went.
        incidents: what players did wrong.
        timings: how long choices took, by seat.
    """

    def __init__(self, rules: Rules, names: Sequence[str], clock: Clock | None) -> None:
        self.match: Match = start_match(
            rules, [Seat(f"Seat {seat + 1}") for seat in range(len(names))]
        )
        self.rounds: list[RoundOutcome] = []
        self.incidents: list[Incident] = []
        self.timings = [Timing() for _ in names]
        self._names = names
        self._clock = clock
        self._players: list[Player | None] = [None] * len(names)
        self._oracle: PlayOracle | None = (
            None if rules.must_play is MustPlay.NEVER else SolverOracle()
        )

    def players_for(self, seed: str, deal: int) -> _Seated:
        """Makes the players of a deal, for the length of a ``with`` block."""
        for seat, name in enumerate(self._names):
            try:
                player = create_player(name, Means(player_seed(seed, deal, seat), self._clock))
            except Exception as error:
                self._note(_kind_of(error), seat, 1, 0, error)
                continue
            self._players[seat] = player
            self.timings[seat].budget = player.seconds
        return _Seated(self._players)

    def play_round(self, server: bytes, change: Callable[[Round], Round] | None = None) -> None:
        """Plays a round.

        Args:
            server: the 32 bytes that its tiles follow from.
            change: what is done to the round once it is dealt, for experiments.
        """
        by_time = self.match.rules.match_end is MatchEnd.TIME
        self._apply(CommitShuffle(commitment_of(server)))
        self._apply(StartRound(Seeds(server, ("",) * len(self._names)), 0 if by_time else None))
        if change is not None:
            assert self.match.round is not None
            self.match = replace(self.match, round=change(self.match.round))
        turns = [0] * len(self._names)
        opened = [0] * len(self._names)
        redeals = 0
        while (state := self.match.running) is not None:
            events = self._turn(state, may_redeal=redeals < _MOST_REDEALS)
            after = self.match.round
            assert after is not None
            if after.deal != state.deal:
                redeals += 1
                continue
            turns[state.seat] += 1
            for event in events:
                if isinstance(event, Played) and event.opening is not None:
                    opened[event.seat] = turns[event.seat]
        self._finish(opened)

    def _finish(self, opened: list[int]) -> None:
        state = self.match.round
        assert state is not None
        result = state.result
        assert result is not None
        outcome = RoundOutcome(
            state.first,
            result.winner,
            result.end is RoundEnd.BLOCKED,
            state.turn,
            result.scores,
            tuple(opened),
            tuple(len(hand) for hand in result.hands),
        )
        self.rounds.append(outcome)

    def _apply(self, action: CommitShuffle | StartRound | RoundAction) -> tuple[Event, ...]:
        self.match, events = self.match.apply(action, self._oracle)
        return events

    def _turn(self, state: Round, *, may_redeal: bool) -> tuple[Event, ...]:
        """Lets the player to move do something; whoever errs loses the turn."""
        seat, player = state.seat, self._players[state.seat]
        if player is None:
            return self._lose_turn(state)
        view = view_of(self.match, seat)
        before = problem_count(player)
        began = 0.0 if self._clock is None else self._clock()
        try:
            action = player.choose(view)
        except Exception as error:
            self._time(seat, began)
            return self._err(_kind_of(error), state, error)
        self._time(seat, began)
        problem = problem_since(player, before)
        if problem is not None:
            # A program of its own went wrong, and its adapter has given up the turn for it.
            self._note(_kind_of(problem), seat, state.number, state.turn, problem)
        if not isinstance(action, Play | Draw | Pass | AskRedeal) or action.seat != seat:
            return self._err(IncidentKind.NONSENSE, state, type(action).__name__)
        if isinstance(action, AskRedeal) and not may_redeal:
            return self._err(IncidentKind.STALLED, state, type(action).__name__)
        try:
            events = self._apply(action)
        except GameError as error:
            return self._err(IncidentKind.REFUSED, state, error)
        except Exception as error:
            # An action whose fields are not what they should be; the state is unchanged.
            return self._err(IncidentKind.NONSENSE, state, error)
        for event in events:
            if isinstance(event, Penalised):
                codes = ", ".join(dict.fromkeys(problem.code.value for problem in event.problems))
                self._note(IncidentKind.ILLEGAL, seat, state.number, state.turn, codes)
        return events

    def _time(self, seat: int, began: float) -> None:
        if self._clock is not None:
            self.timings[seat].add(self._clock() - began)

    def _err(self, kind: IncidentKind, state: Round, detail: Exception | str) -> tuple[Event, ...]:
        self._note(kind, state.seat, state.number, state.turn, detail)
        return self._lose_turn(state)

    def _note(
        self, kind: IncidentKind, seat: int, number: int, turn: int, detail: Exception | str
    ) -> None:
        if isinstance(detail, GameError):
            detail = str(detail.code)
        elif isinstance(detail, Exception):
            detail = f"{type(detail).__name__}: {detail}"
        text = ascii(detail)[1:-1][:_LONGEST_DETAIL]
        self.incidents.append(Incident(kind, seat, number, turn, text))

    def _lose_turn(self, state: Round) -> tuple[Event, ...]:
        """Draws or passes for the player; where the rules forbid it, plays what can be played."""
        idle = Draw(state.seat) if state.stock else Pass(state.seat)
        if self.match.can(idle, self._oracle):
            return self._apply(idle)
        play = best_play(state.position, self.match.rules).play
        assert play is not None, "the oracle found a play"
        return self._apply(Play(state.seat, play.table))


class _Seated:
    """Closes players that hold something, such as another process, at the end of a game."""

    def __init__(self, players: Sequence[Player | None]) -> None:
        self._players = players

    def __enter__(self) -> None:
        return None

    def __exit__(self, *_: object) -> None:
        for player in self._players:
            close = getattr(player, "close", None)
            if callable(close):
                close()


_KINDS: Final = {
    Code.PLAYER_SILENT: IncidentKind.TIMEOUT,
    Code.PLAYER_NONSENSE: IncidentKind.NONSENSE,
    Code.PLAYER_ILLEGAL: IncidentKind.REFUSED,
    Code.PLAYER_GIVEN_UP: IncidentKind.GIVEN_UP,
}
"""What the errors of a player in a program of its own are; any other one is a crash."""


def _kind_of(error: Exception) -> IncidentKind:
    if isinstance(error, TimeoutError):
        return IncidentKind.TIMEOUT
    code = error.code if isinstance(error, GameError) else None
    return IncidentKind.CRASH if code is None else _KINDS.get(code, IncidentKind.CRASH)
