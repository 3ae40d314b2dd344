"""The greedy player: the most tiles, by the solver, and never anything illegal."""

from __future__ import annotations

from dataclasses import replace

import pytest

from meldwise.game.actions import AskRedeal, Draw, Pass, Play
from meldwise.game.codes import Code
from meldwise.game.errors import ActionError
from meldwise.game.match import Match
from meldwise.game.presets import GAMES
from meldwise.game.round import Round
from meldwise.game.rules import MustPlay, Rules
from meldwise.game.session import Session
from meldwise.game.turn import judge
from meldwise.game.view import View, view_of
from meldwise.players import PlayerError, create_player
from meldwise.players.greedy import GreedyPlayer
from meldwise.solver import SolverOracle
from tests.rounds import a_match, a_round, begun, finish_round, seeds, with_round

FORCED = Rules(must_play=MustPlay.ALWAYS)


def view(state: Round) -> View:
    match = with_round(begun(a_match(state.rules, state.players)), state)
    return view_of(match, state.seat)


def played(state: Round, text: str = "greedy") -> str:
    """The tiles that a player places, in the order of a hand."""
    action = create_player(text).choose(view(state))
    assert isinstance(action, Play)
    verdict = judge(state.position, action.table, state.rules)
    assert verdict.legal
    return " ".join(map(str, verdict.played))


def test_most_tiles_also_by_rearranging() -> None:
    state = a_round("r4 y4 b4 r8 k13", "r1", table="r5-6-7", stock="r2")
    assert played(state) == "r4 r8 y4 b4"


def test_value_prefers_points_to_tiles() -> None:
    # k2 and b2 need the table's r2, b5 needs the run whole but for its red 5: only one can be.
    state = a_round("k2 b2 b5 k13 y13", "r1", table="r2-3-4-5 y5-6-7-8-9", stock="r2")
    assert played(state) == "k2 b2"
    assert played(state, "greedy:objective=tiles-value") == "k2 b2"
    assert played(state, "greedy:objective=value") == "b5"


def test_ties_are_broken_by_value() -> None:
    state = a_round("r1 r2 y3 k3", "r9", table="r3-4-5-6", stock="r2")
    assert played(state, "greedy:objective=tiles-value") == "y3 k3"


def test_draws_and_passes_without_a_play() -> None:
    state = a_round("r1 b9", "r1", table="k5-6-7", stock="r2")
    assert GreedyPlayer().choose(view(state)) == Draw(0)
    assert GreedyPlayer().choose(view(replace(state, stock=()))) == Pass(0)


def test_jokers_are_kept_for_the_last_turn_if_asked_for() -> None:
    keeping = "greedy:jokers=keep"
    state = a_round("r8 * k2 b9", "r1", table="r5-6-7", stock="r2")
    assert played(state, keeping) == "r8"
    last = a_round("r8 * k2", "r1", table="r5-6-7 y2-3-4", stock="r2")
    assert played(last, keeping) == "r8"
    assert played(a_round("r9 *", "r1", table="r5-6-7", stock="r2"), keeping) == "r9 *"
    # With nothing but the joker to play it draws, unless the rules ask for a play.
    alone = a_round("r1 * b9", "r1", table="k5-6-7", stock="r2")
    assert create_player(keeping).choose(view(alone)) == Draw(0)
    forced = a_round("r1 * b9", "r1", table="k5-6-7", stock="r2", rules=FORCED)
    assert played(forced, keeping) == "*"


def test_asks_for_a_new_deal_only_without_a_play() -> None:
    rules = Rules(redeal_pairs=3)
    poor = a_round("r1 r1 k5 k5 b9 b9", "r1", rules=rules, stock="r2", turn=1, opened=False)
    assert GreedyPlayer().choose(view(poor)) == AskRedeal(0)
    rich = a_round("r10 r10 r11 r11 r12 r12", "r1", rules=rules, stock="r2", turn=1, opened=False)
    assert isinstance(GreedyPlayer().choose(view(rich)), Play)


def test_a_spectator_has_no_turn() -> None:
    match = begun(a_match())
    with pytest.raises(ActionError) as caught:
        GreedyPlayer().choose(view_of(match, None))
    assert caught.value.code is Code.ACTION_NO_SUCH_SEAT
    with pytest.raises(ActionError) as caught:
        GreedyPlayer().choose(view_of(a_match(), 0))
    assert caught.value.code is Code.ACTION_NO_ROUND


def test_options_are_checked() -> None:
    with pytest.raises(PlayerError) as caught:
        create_player("greedy:objective=luck")
    assert caught.value.code is Code.PLAYER_BAD_VALUE
    assert caught.value.fields["allowed"] == "tiles, tiles-value, value"
    with pytest.raises(PlayerError) as caught:
        create_player("greedy:jokers=lose")
    assert caught.value.fields["allowed"] == "play, keep"
    with pytest.raises(PlayerError) as caught:
        create_player("greedy:depth=2")
    assert caught.value.code is Code.PLAYER_BAD_OPTION


TABLES = [
    (preset.name, players)
    for preset in GAMES
    for players in range(preset.rules.min_players, preset.rules.max_players + 1)
]


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_plays_whole_rounds_of_every_game(preset: str, players: int) -> None:
    rules = GAMES.find(preset).rules
    session = session_of(a_match(rules, players))
    session.start_round(seeds(players, 7))
    finish_round(session, [GreedyPlayer()] * players)
    assert session.match.results[0].end == "won"


def session_of(match: Match) -> Session:
    return Session.new("any", match.rules, match.seats, SolverOracle())


def test_honours_must_play() -> None:
    rules = Rules(must_play=MustPlay.ALWAYS)
    session = session_of(a_match(rules, 3))
    session.start_round(seeds(3, 5))
    finish_round(session, [GreedyPlayer()] * 3)
    assert session.match.results
