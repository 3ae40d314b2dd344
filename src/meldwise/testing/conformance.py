"""What is asked of a computer player, as checks that raise an error with the position."""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Callable, Iterable, Iterator
from time import perf_counter
from typing import Final, TypeAlias

from meldwise.game.actions import AskRedeal, Draw, Pass, Play, RoundAction
from meldwise.game.errors import GameError
from meldwise.game.match import Match, Seat
from meldwise.game.presets import GAMES, Preset
from meldwise.game.rules import MustPlay, Rules
from meldwise.game.session import Session
from meldwise.game.shuffle import Seeds
from meldwise.game.view import View, view_of
from meldwise.players import Means, Player, create_player
from meldwise.solver import SolverOracle

__all__ = [
    "ConformanceError",
    "Maker",
    "PlayerConformance",
    "check_budget",
    "check_legal",
    "check_player",
    "check_repeatable",
    "check_unseen_views",
    "check_untouched_views",
]

Maker: TypeAlias = str | Callable[[Means], Player]
"""A player to be checked: its text name, or what makes one from the means that it is given."""

SEATS: Final = (2, 3, 4)
"""With how many players rounds are played, where a game allows it."""

GRACE: Final = 1.2
"""By what factor a choice may exceed its budget."""

_MOST_TURNS: Final = 2_000
"""No round of sensible players is that long."""

_HOUSE_RULES: Final = (
    Preset("must-play", "Must play", Rules(must_play=MustPlay.ALWAYS)),
    Preset(
        "house-rules",
        "House rules",
        Rules(
            opening_table_moves=True,
            two_jokers_in_meld=False,
            last_turns=True,
            redeal_pairs=2,
            penalty_skips=1,
            must_play=MustPlay.STOCK_EMPTY,
            jokers=4,
        ),
    ),
)
"""Settings that no named game has."""


class ConformanceError(AssertionError):
    """A player does what a player must not do; the text says what, and where."""


def check_player(
    make: Maker,
    *,
    rounds: int = 1,
    seed: int = 0,
    clock: Callable[[], float] = perf_counter,
) -> int:
    """Runs all the checks on a player.

    Args:
        make: the player's text name, or what makes it.
        rounds: how many rounds are played of each game and number of players.
        seed: what the deals follow from.
        clock: gives the time in seconds; handed on to the player.

    Returns:
        How many choices were looked at.

    Raises:
        ConformanceError: on the first thing that is wrong.
    """
    choices = check_legal(make, rounds=rounds, seed=seed, clock=clock)
    choices += check_repeatable(make, seed=seed, clock=clock)
    choices += check_unseen_views(make, seed=seed, clock=clock)
    choices += check_untouched_views(make, seed=seed, clock=clock)
    choices += check_budget(make, seed=seed, clock=clock)
    return choices


def check_legal(
    make: Maker,
    *,
    rounds: int = 1,
    seed: int = 0,
    clock: Callable[[], float] = perf_counter,
    games: Iterable[Preset] | None = None,
    seats: Iterable[int] = SEATS,
) -> int:
    """Plays rounds of every game, the player in every seat, and looks for illegal actions.

    A proposal that the rules would punish is illegal too.

    Returns:
        How many choices were looked at.

    Raises:
        ConformanceError: on the first illegal action, or a round without end.
    """
    choices = 0
    for game in _games(games):
        for count in seats:
            if not game.rules.min_players <= count <= game.rules.max_players:
                continue
            for number in range(rounds):
                players = [_made(make, seed + place, clock) for place in range(count)]
                name = f"legal {game.name} {count} {number} {seed}"
                choices += _play_round(game.rules, players, name)
    return choices


def check_repeatable(
    make: Maker, *, seed: int = 0, clock: Callable[[], float] = perf_counter
) -> int:
    """Asks two players of the same seed the same; they have to answer the same.

    Players with a budget in time are let off, since a clock may end their search anywhere.

    Returns:
        How many choices were looked at.

    Raises:
        ConformanceError: on the first answer that differs.
    """
    choices = 0
    for game in GAMES:
        one, other = (_made(make, seed + 1, clock) for _ in range(2))
        if one.seconds is not None:
            return choices
        for view in _sample(game.rules, f"repeatable {game.name} {seed}"):
            # A copy: a player must not go by which object a view is.
            copy = pickle.loads(pickle.dumps(view))
            answers = one.choose(view), other.choose(copy)
            if answers[0] != answers[1]:
                raise ConformanceError(
                    f"Two players of the same seed answer differently: {answers[0]} and "
                    f"{answers[1]}; {_where(view)}"
                )
            choices += 1
    return choices


def check_unseen_views(
    make: Maker, *, seed: int = 0, clock: Callable[[], float] = perf_counter
) -> int:
    """Asks about turns of rounds that the player has not seen, the last ones first.

    Returns:
        How many choices were looked at.

    Raises:
        ConformanceError: on the first illegal answer.
    """
    choices = 0
    for game in _games(None):
        player = _made(make, seed, clock)
        for match, view in reversed(list(_states(game.rules, f"unseen {game.name} {seed}"))[::4]):
            _verify(match, view, _answer(player, view))
            choices += 1
    return choices


def check_untouched_views(
    make: Maker, *, seed: int = 0, clock: Callable[[], float] = perf_counter
) -> int:
    """Looks whether a view is the same after the player has chosen.

    Returns:
        How many choices were looked at.

    Raises:
        ConformanceError: on the first view that has changed.
    """
    choices = 0
    for game in GAMES:
        player = _made(make, seed, clock)
        for view in _sample(game.rules, f"untouched {game.name} {seed}"):
            before = pickle.dumps(view)
            _answer(player, view)
            if pickle.loads(before) != view:
                raise ConformanceError(f"The player has changed its view; {_where(view)}")
            choices += 1
    return choices


def check_budget(make: Maker, *, seed: int = 0, clock: Callable[[], float] = perf_counter) -> int:
    """Measures choices by the clock: none may take 1.2 times the player's budget.

    Players without a budget are let off.

    Returns:
        How many choices were looked at.

    Raises:
        ConformanceError: on the first choice that takes longer.
    """
    choices = 0
    player = _made(make, seed, clock)
    if player.seconds is None:
        return choices
    for game in GAMES:
        for view in _sample(game.rules, f"budget {game.name} {seed}"):
            begun = clock()
            _answer(player, view)
            taken = clock() - begun
            if taken > GRACE * player.seconds:
                raise ConformanceError(
                    f"A choice took {taken:.3f} s of {player.seconds:.3f} s; {_where(view)}"
                )
            choices += 1
    return choices


class PlayerConformance:
    """The checks as tests for pytest; a subclass named ``Test…`` says how the player is made.

    Its ``make_player`` takes the player's :class:`~meldwise.players.Means`.
    """

    rounds: int = 1

    def make_player(self, means: Means) -> Player:
        """Makes the player to be checked."""
        raise NotImplementedError

    def test_makes_no_illegal_move(self) -> None:
        """Rounds of every game, with two to four players."""
        check_legal(self.make_player, rounds=self.rounds)

    def test_same_seed_gives_same_actions(self) -> None:
        """Two players of one seed, asked the same."""
        check_repeatable(self.make_player)

    def test_answers_views_not_seen_before(self) -> None:
        """Turns from the middle of other players' rounds."""
        check_unseen_views(self.make_player)

    def test_leaves_the_view_as_it_was(self) -> None:
        """Views compared before and after."""
        check_untouched_views(self.make_player)

    def test_keeps_to_its_budget(self) -> None:
        """Choices by the clock."""
        check_budget(self.make_player)


def _games(games: Iterable[Preset] | None) -> Iterator[Preset]:
    if games is not None:
        yield from games
        return
    yield from GAMES
    yield from _HOUSE_RULES


def _made(make: Maker, seed: int, clock: Callable[[], float]) -> Player:
    means = Means(seed, clock)
    return create_player(make, means) if isinstance(make, str) else make(means)


def _answer(player: Player, view: View) -> RoundAction:
    try:
        return player.choose(view)
    except Exception as error:
        raise ConformanceError(f"The player raises {error!r}; {_where(view)}") from error


def _verify(match: Match, view: View, action: RoundAction) -> None:
    """Looks whether an action can be taken, and is a legal play if it is one."""
    state = match.round
    assert state is not None
    if not isinstance(action, _ACTIONS) or action.seat != view.seat:
        raise ConformanceError(f"This is no action of the seat: {action!r}; {_where(view)}")
    try:
        match.verify(action, _ORACLE)
        if isinstance(action, Play):
            verdict = state.check_draft(action.seat, action.table)
            if not verdict.legal:
                raise ConformanceError(
                    f"Illegal play ({', '.join(verdict.codes)}): "
                    f"{' '.join(map(str, action.table))}; {_where(view)}"
                )
    except GameError as error:
        raise ConformanceError(f"Illegal action {action} ({error}); {_where(view)}") from error


_ORACLE: Final = SolverOracle()
_ACTIONS: Final = (AskRedeal, Draw, Pass, Play)


def _where(view: View) -> str:
    number = 0 if view.round is None else view.round.turn
    return f"turn {number}, position {view.position}, joker level {view.rules.joker_level}"


def _session(rules: Rules, count: int, name: str) -> Session:
    session = Session.new(name, rules, [Seat(f"Seat {n + 1}") for n in range(count)], _ORACLE)
    seeds = Seeds(hashlib.sha256(name.encode()).digest(), ("",) * count)
    session.start_round(seeds, 0)
    return session


def _play_round(rules: Rules, players: list[Player], name: str) -> int:
    """Plays a round and verifies every action; tells how many there were."""
    choices = 0
    session = _session(rules, len(players), name)
    while (state := session.match.running) is not None:
        view = view_of(session.match, state.seat)
        action = _answer(players[state.seat], view)
        _verify(session.match, view, action)
        if state.turn > _MOST_TURNS:
            raise ConformanceError(f"A round without end; {_where(view)}")
        session.apply(action)
        choices += 1
    return choices


def _states(rules: Rules, name: str) -> Iterator[tuple[Match, View]]:
    """The turns of a round of other players, with what the one to move sees."""
    count = min(3, rules.max_players)
    session = _session(rules, count, name)
    others = [create_player(other) for other in ("greedy", "casual", "beginner")]
    while (state := session.match.running) is not None:
        view = view_of(session.match, state.seat)
        yield session.match, view
        session.apply(others[state.seat].choose(view))


def _sample(rules: Rules, name: str) -> Iterator[View]:
    """The views of one turn in five of such a round."""
    for number, (_, view) in enumerate(_states(rules, name)):
        if number % 5 == 0:
            yield view
