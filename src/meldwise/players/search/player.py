"""The player that searches: candidates, worlds, and playouts shared out among them."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from meldwise.game.actions import AskRedeal, Play, RoundAction
from meldwise.game.rules import MatchEnd, Rules
from meldwise.game.tiles import FACES, JOKER, count_tiles
from meldwise.game.view import View
from meldwise.players.base import Means
from meldwise.players.search.allot import Budget, allot
from meldwise.players.search.belief import Hidden, Ledger, imagine, read_history
from meldwise.players.search.candidates import Candidate, Search, find_candidates
from meldwise.players.search.engine import Engine, State
from meldwise.players.search.settings import Settings
from meldwise.players.turns import idle, must_play, turn_of

__all__ = ["SearchPlayer"]

_CANDIDATE_TIME: Final = 0.2
"""The part of the time in which plays are looked for."""

_BELIEF_TIME: Final = 0.35
"""The part of the time after which no more is worked out of past tables."""

_KNOWN: Final = 4096
"""Past tables of which the playable faces are kept."""

_TILE: Final = 0.005
"""What each tile played is expected to be worth before any playout, in rounds won."""

_JOKER: Final = -0.03
"""What each joker played before the last turn is expected to be worth."""

_LOW_STOCK: Final = 8
"""With fewer tiles a seat left to draw the round is played out to its end."""


@dataclass(slots=True)
class _Turn:
    """One choice, and what it may spend."""

    view: View
    seat: int
    random: Random
    passed: Callable[[], float]


class SearchPlayer:
    """Tries each candidate by playing on many times; see ``docs/search.md``.

    It remembers which tiles could be played onto past tables, and nothing else.
    """

    def __init__(self, settings: Settings, means: Means) -> None:
        """Makes a player.

        Args:
            settings: how it searches.
            means: its seed, and its clock if a time is set.
        """
        self._settings = settings
        self._seed = means.seed
        self._clock = means.clock
        self._engine: Engine | None = None
        self._known: dict[tuple[int, ...], int] = {}

    @property
    def seconds(self) -> float | None:
        """The time that a choice may take, in seconds; None if playouts are counted only."""
        return self._settings.seconds

    def choose(self, view: View) -> RoundAction:
        """Chooses what to do; see :class:`~meldwise.players.base.Player`."""
        passed = self._watch()
        seat, state = turn_of(view)
        random = Random(f"{self._seed} {state.number} {state.turn} {seat}")
        turn = _Turn(view, seat, random, passed)
        search = Search(self._clock, self._settings.seconds, lambda: passed() < _CANDIDATE_TIME)
        plays = find_candidates(
            view.position,
            view.rules,
            self._settings.candidates,
            random,
            search,
            must_play(view),
            self._settings.keeps_jokers,
        )
        if not plays:
            return AskRedeal(seat) if state.may_redeal else idle(view)
        if len(plays[0].played) < len(view.hand) and not must_play(view):
            plays.append(Candidate(None))
        if self._settings.keeps_jokers:
            plays.sort(key=_jokers)
        chosen = plays[self._search(turn, plays)] if len(plays) > 1 else plays[0]
        return idle(view) if chosen.table is None else Play(seat, chosen.table)

    def _watch(self) -> Callable[[], float]:
        """Tells which part of the time is over, from now on."""
        clock, seconds = self._clock, self._settings.seconds
        if clock is None or seconds is None:
            return lambda: 0.0
        began = clock()
        return lambda: (clock() - began) / seconds

    def _search(self, turn: _Turn, plays: list[Candidate]) -> int:
        """The place of the candidate that does best."""
        view = turn.view
        rules = view.rules
        _, state = turn_of(view)
        engine = self._engine
        if engine is None or engine.rules != rules:
            engine = self._engine = Engine(rules, fixed=bool(self._settings.fixed))
        players = len(view.players)
        ledger = read_history(state.history, players, rules, engine.board_of)
        depth = self._settings.depth * players
        if state.turns_left is not None or state.stock < _LOW_STOCK * players:
            depth = 0
        keep = self._settings.keeps_jokers
        engine.begin(_state_of(turn, ledger, keep), _aim(turn, self._settings), depth)
        for place, candidate in enumerate(plays):
            hand = list(count_tiles(view.hand))
            for tile in candidate.played:
                hand[tile.index] -= 1
            table = state.table if candidate.table is None else candidate.table
            engine.set_candidate(place, engine.board_of(table), hand, idle=candidate.table is None)
        loose = self._believe(engine, turn, ledger)
        engine.set_pool(_unseen(view, rules))
        engine.worlds.seed(turn.random.randrange(1 << 30))

        def draw(first: int, last: int) -> None:
            engine.draw(first, last, turn.seat, players, loose)

        # Three others differ more from world to world than one does.
        playouts = self._settings.playouts * (players - 1)
        budget = Budget(playouts, turn.passed)
        joker = _JOKER if keep else 0.0
        worth = [_TILE * len(play.played) + joker * _jokers(play) for play in plays]
        expected = [gain - worth[0] for gain in worth]
        return allot(engine, expected, draw, budget, self._settings.margin)

    def _believe(self, engine: Engine, turn: _Turn, ledger: Ledger) -> int:
        """Tells the engine what is known of the other hands.

        Returns:
            How many of a thousand worlds are to respect the counts only.
        """
        infer = self._settings.infer if engine.compiled else 0
        surprises = played = 0
        for other, player in enumerate(turn.view.players):
            if other == turn.seat:
                continue
            hidden = Hidden([0] * player.tiles)
            if infer:
                told = imagine(ledger, other, turn.random, self._playable(engine, turn))
                if len(told.slots) == player.tiles:
                    hidden = told
            surprises += hidden.surprises
            played += hidden.plays
            engine.set_hidden(other, hidden)
        # Who held back what could have been played is not read like one who never does.
        doubt = 10 * surprises * infer // (played + 6)
        return 1000 - 10 * infer + min(doubt, 8 * infer)

    def _playable(self, engine: Engine, turn: _Turn) -> Callable[[tuple[int, ...]], int]:
        """Tells which faces could be played alone onto a past table, as bits, while time lasts."""

        def playable(table: tuple[int, ...]) -> int:
            known = self._known.get(table)
            if known is None:
                if turn.passed() >= _BELIEF_TIME:
                    return 0
                if len(self._known) >= _KNOWN:
                    self._known.clear()
                known = self._known[table] = engine.worlds.playable(array("i", table))
            return known

        return playable


def _jokers(play: Candidate) -> int:
    """How many jokers a play takes from the hand."""
    return play.played.count(JOKER)


def _state_of(turn: _Turn, ledger: Ledger, keep: bool) -> State:
    _, state = turn_of(turn.view)
    players = turn.view.players
    return State(
        players=len(players),
        seat=turn.seat,
        stock=state.stock,
        passes=state.passes,
        turns_left=-1 if state.turns_left is None else state.turns_left,
        turn=state.turn,
        opened=tuple(player.opened for player in players),
        last_played=tuple(ledger.last_played),
        last_turn=tuple(ledger.last_turn),
        skips=tuple(player.skips for player in players),
        totals=tuple(player.total for player in players),
        keeps=tuple(keep and seat == turn.seat for seat in range(len(players))),
    )


def _aim(turn: _Turn, settings: Settings) -> tuple[float, float, float]:
    """What winning the round, a point, and having most points after it are worth.

    In the last round of a match, and once a seat is near the target, the match counts; before,
    a round is worth what it is by itself.
    """
    view = turn.view
    rules = view.rules
    _, state = turn_of(view)
    point = settings.points / 100
    if rules.match_end is MatchEnd.ROUNDS and 1 < rules.match_length == state.number:
        return 0.1, point / 10, 1.0
    if rules.match_end is MatchEnd.TARGET:
        # A round is worth some forty points: two of them may end the match.
        near = max(player.total for player in view.players) + 80 >= rules.match_length
        if near:
            return 0.5, point, 0.5
    return 1.0, point, 0.0


def _unseen(view: View, rules: Rules) -> Sequence[int]:
    """The faces of all tiles that lie neither in the viewer's hand nor on the table."""
    left = [rules.copies] * FACES + [rules.jokers]
    for tile in view.hand:
        left[tile.index] -= 1
    for meld in view.position.table:
        for index in meld.key[1]:
            left[index] -= 1
    return [face for face, count in enumerate(left) for _ in range(count)]
