"""The players that search: always legal, within their budget, and the same for a seed."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from meldwise.game.actions import AskRedeal, Draw, Pass, Play
from meldwise.game.codes import Code
from meldwise.game.errors import ActionError
from meldwise.game.presets import GAMES
from meldwise.game.round import Round, start_round
from meldwise.game.rules import JOKER_LEVELS, FreedJokerGoes, MustPlay, Rules
from meldwise.game.tiles import JOKER
from meldwise.game.turn import judge
from meldwise.game.view import View, view_of
from meldwise.players import Means, PlayerError, create_player
from meldwise.players.search.allot import Budget
from meldwise.solver import SolverOracle, engine
from tests.rounds import a_match, a_round, begun, seeds, with_round

FREE = GAMES.find("pup-rummy").rules


def view(state: Round) -> View:
    match = with_round(begun(a_match(state.rules, state.players)), state)
    return view_of(match, state.seat)


def play_on(state: Round, text: str, turns: int) -> Round:
    """Some turns of the player in every seat; each is accepted, and no play is illegal."""
    players = [create_player(text, Means(seat)) for seat in range(state.players)]
    oracle = SolverOracle()
    for _ in range(turns):
        if state.result is not None:
            break
        action = players[state.seat].choose(view(state))
        assert action.seat == state.seat
        assert not isinstance(action, AskRedeal) or state.rules.redeal_pairs
        if isinstance(action, Play):
            verdict = judge(state.position, action.table, state.rules)
            assert verdict.legal
            assert verdict.played
        state.verify(action, oracle)
        state, _ = state.apply(action, oracle)
    return state


@pytest.mark.parametrize("game", [preset.name for preset in GAMES])
@pytest.mark.parametrize("players", [2, 4])
def test_every_game_is_played_legally(game: str, players: int) -> None:
    rules = GAMES.find(game).rules
    seats = min(players, rules.max_players)
    state, _ = start_round(rules, seats, 1, seeds(seats, 5))
    ended = play_on(state, "search:playouts=24,candidates=5,depth=1", 200)
    assert ended.result is not None


_MIXTURES: st.SearchStrategy[dict[str, object]] = st.builds(
    dict,
    joker_level=st.sampled_from(sorted(JOKER_LEVELS)),
    must_play=st.sampled_from(MustPlay),
    opening_table_moves=st.booleans(),
    two_jokers_in_meld=st.booleans(),
    last_turns=st.booleans(),
    opening_minimum=st.sampled_from([0, 30, 50]),
    hand_size=st.sampled_from([7, 14]),
    redeal_pairs=st.sampled_from([0, 2]),
    max_players=st.just(6),
    copies=st.just(3),
    jokers=st.sampled_from([0, 2, 4]),
)


@settings(max_examples=8, deadline=None)
@given(_MIXTURES, st.integers(2, 6), st.integers(0, 99))
def test_every_mixture_of_rules_is_played_legally(
    changes: dict[str, object], players: int, number: int
) -> None:
    rules = Rules.from_dict(changes)
    state, _ = start_round(rules, players, 1, seeds(players, number))
    play_on(state, "search:playouts=12,candidates=4,depth=1", 30)


def test_freed_jokers_may_go_to_any_new_meld() -> None:
    rules = replace(
        GAMES.find("tiles-50").rules, freed_joker_goes=FreedJokerGoes.NEW_MELD, opening_minimum=0
    )
    state, _ = start_round(rules, 3, 1, seeds(3, 8))
    assert play_on(state, "search:playouts=12,candidates=4,depth=1", 200).result is not None


def test_goes_out_when_it_can() -> None:
    state = a_round("r4 r8", "k1 k2", rules=FREE, table="r5-6-7", stock="b1 b2")
    action = create_player("search:playouts=10", Means()).choose(view(state))
    assert isinstance(action, Play)
    assert len(judge(state.position, action.table, FREE).played) == 2


def test_playouts_count_for_each_other_player(monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[int] = []

    def first(_engine: object, _expected: object, _draw: object, budget: Budget, _: float) -> int:
        found.append(budget.playouts)
        return 0

    monkeypatch.setattr("meldwise.players.search.player.allot", first)
    for others in (1, 2, 3):
        hands = ["r4 r9", *["k1 k2"] * others]
        state = a_round(*hands, rules=FREE, table="r5-6-7", stock="b1 b2 b3 b4")
        create_player("search:playouts=30", Means()).choose(view(state))
    assert found == [30, 60, 90]


def test_a_joker_is_kept_where_nothing_else_is_known() -> None:
    """One playout tells nothing: the joker stays for the last turn, unless that is now."""
    held = a_round("r8 * k2", "k1 k2 b9", rules=FREE, table="r5-6-7", stock="b1 b2")
    alone = a_round("* k2 y9", "k1 k2 b9", rules=FREE, table="r5-6-7", stock="b1 b2")
    for text, state, jokers in (
        ("search:playouts=1", held, 0),
        ("search:playouts=1,keep=0", held, 1),
        ("expert:playouts=1", held, 1),
    ):
        action = create_player(text, Means()).choose(view(state))
        assert isinstance(action, Play)
        played = judge(state.position, action.table, FREE).played
        assert played.count(JOKER) == jokers
    assert create_player("search:playouts=1", Means()).choose(view(alone)) == Draw(0)
    last = a_round("r8 *", "k1 k2 b9", rules=FREE, table="r5-6-7", stock="b1 b2")
    action = create_player("search:playouts=1", Means()).choose(view(last))
    assert isinstance(action, Play)
    assert len(judge(last.position, action.table, FREE).played) == 2


def test_without_a_play_it_draws_or_passes() -> None:
    state = a_round("r1 b9", "k1 k2", rules=FREE, table="r5-6-7", stock="b1 b2")
    player = create_player("search:playouts=10", Means())
    assert player.choose(view(state)) == Draw(0)
    assert player.choose(view(replace(state, stock=()))) == Pass(0)


def test_the_same_seed_chooses_the_same() -> None:
    state, _ = start_round(FREE, 2, 1, seeds(2, 3))
    state = play_on(state, "search:playouts=12,candidates=4,depth=1", 12)
    text = "search:playouts=200"
    chosen = {str(create_player(text, Means(5)).choose(view(state))) for _ in range(2)}
    assert len(chosen) == 1


def test_a_spectator_is_not_answered() -> None:
    match = begun(a_match(FREE, 2))
    player = create_player("search:playouts=5", Means())
    with pytest.raises(ActionError) as caught:
        player.choose(view_of(match, None))
    assert caught.value.code is Code.ACTION_NO_SUCH_SEAT


# --- budgets ----------------------------------------------------------------


def test_time_is_kept_by_the_clock() -> None:
    """Every look at the clock costs a hundredth of the budget, whatever it is for."""
    state, _ = start_round(FREE, 2, 1, seeds(2, 3))
    state = play_on(state, "search:playouts=12,candidates=4,depth=1", 20)
    ticks = count()
    player = create_player("search:ms=1000", Means(1, lambda: next(ticks) * 0.01))
    assert player.seconds == 1.0
    for _ in range(4):
        began = next(ticks)
        action = player.choose(view(state))
        assert next(ticks) - began <= 120
        state, _ = state.apply(action)


def test_without_a_clock_no_time_can_be_kept() -> None:
    for text in ("master", "search", "search:ms=20", "master:ms=20"):
        with pytest.raises(PlayerError) as caught:
            create_player(text, Means())
        assert caught.value.code is Code.PLAYER_NO_CLOCK
    assert create_player("expert", Means()).seconds is None
    assert create_player("master:playouts=9", Means()).seconds is None
    assert create_player("master:ms=250", Means(clock=float)).seconds == 0.25
    assert create_player("master", Means(clock=float)).seconds == 1.0


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("master:depth=3", Code.PLAYER_BAD_OPTION),
        ("search:colour=3", Code.PLAYER_BAD_OPTION),
        ("search:ms=0", Code.PLAYER_BAD_VALUE),
        ("search:playouts=-1", Code.PLAYER_BAD_VALUE),
        ("search:playouts=many", Code.PLAYER_BAD_VALUE),
        ("search:candidates=400", Code.PLAYER_BAD_VALUE),
        ("search:points=nan", Code.PLAYER_BAD_VALUE),
        ("expert:playouts=0", Code.PLAYER_BAD_VALUE),
    ],
)
def test_bad_options_are_refused(text: str, code: Code) -> None:
    with pytest.raises(PlayerError) as caught:
        create_player(text, Means(clock=float))
    assert caught.value.code is code


def test_the_sources_play_where_nothing_is_compiled() -> None:
    script = """
import sys
sys.modules["cython"] = None
from meldwise.game.presets import GAMES
from meldwise.game.view import view_of
from meldwise.players import Means, create_player
from tests.players.search.test_player import view
from tests.rounds import a_round
free = GAMES.find("pup-rummy").rules
state = a_round("r4 r8 k13", "r9", rules=free, table="r5-6-7", stock="")
print(create_player("search:playouts=12,infer=0", Means(3)).choose(view(state)).table[0])
"""
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, engine.VARIABLE: "pure", "PYTHONPATH": str(Path.cwd())},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "r4-5-6-7-8\n"
