"""Nothing hidden hangs on what a player is given, nor on a player that has chosen."""

from __future__ import annotations

import pytest

from meldwise.game.match import Match, Seat
from meldwise.game.presets import GAMES
from meldwise.game.record import Record
from meldwise.game.round import Round
from meldwise.game.session import Session
from meldwise.game.shuffle import Seeds
from meldwise.game.view import view_of
from meldwise.players import LEVELS, Means, create_player
from meldwise.solver import SolverOracle
from tests.property.test_views import reachable
from tests.rounds import seeds

HIDDEN = (Match, Round, Session, Record, Seeds)


@pytest.mark.parametrize("preset", [preset.name for preset in GAMES])
def test_nothing_hidden_is_reachable(preset: str) -> None:
    rules = GAMES.find(preset).rules
    count = rules.max_players
    names = [level.name for level in LEVELS[:3]] + ["greedy"]
    players = [create_player(names[seat % len(names)], Means(seat)) for seat in range(count)]
    session = Session.new("any", rules, [Seat("A")] * count, SolverOracle())
    session.start_round(seeds(count, 11))
    looked = 0
    while (state := session.match.running) is not None:
        view = view_of(session.match, state.seat)
        player = players[state.seat]
        action = player.choose(view)
        if state.turn % 7 == 1:
            looked += 1
            found = [*reachable(view), *reachable(player)]
            assert not [item for item in found if isinstance(item, HIDDEN)]
            there = {id(item) for item in found}
            others = [hand for seat, hand in enumerate(state.hands) if seat != state.seat]
            for hidden in (*others, state.stock, state.hands, state.seeds.server):
                # An empty tuple is one object for everybody.
                assert not hidden or id(hidden) not in there
            assert state.seeds.server not in [item for item in found if isinstance(item, bytes)]
        session.apply(action)
    assert looked > 3


def test_the_walk_finds_what_is_hidden() -> None:
    """The walk goes through slots, so that it would notice a round that hangs somewhere."""
    session = Session.new("any", GAMES.find("rrrummy").rules, [Seat("A"), Seat("B")])
    session.start_round(seeds(2, 1))
    kinds = {type(item) for item in reachable([[session.match]])}
    assert {Match, Round, Seeds} <= kinds
