"""How many rounds a second are played out, beside rounds of greedy players by the solver."""

from __future__ import annotations

import hashlib
import time

from bench.common.starts import start_of
from meldwise.game import GAMES, Seeds
from meldwise.game.actions import Draw, Pass, Play
from meldwise.game.round import Round, start_round
from meldwise.game.tiles import count_tiles
from meldwise.players.search.engine import Engine
from meldwise.solver import best_play

ROUNDS = 20
TIMES = 5


def dealt(game: str, players: int, number: int) -> Round:
    """A round before its first turn."""
    digest = hashlib.sha256(f"bench playouts {number}".encode()).digest()
    return start_round(GAMES.find(game).rules, players, 1, Seeds(digest, ("",) * players))[0]


def played_out(engine: Engine, state: Round, depth: int) -> None:
    """Plays the round out from a draw, or a few turns of it."""
    engine.begin(start_of(state), (1.0, 0.0, 0.0), depth)
    hands = [count_tiles(hand) for hand in state.hands]
    engine.set_candidate(0, engine.board_of(()), hands[state.seat], idle=True)
    engine.set_world(0, hands, [tile.index for tile in state.stock])
    for _ in range(TIMES):
        engine.playouts.run(0, 0, 1)


def played(state: Round) -> None:
    """Plays the round by the solver, from a draw."""
    state, _ = state.apply(Draw(state.seat))
    while state.result is None:
        play = best_play(state.position, state.rules).play
        idle = Draw(state.seat) if state.stock else Pass(state.seat)
        state, _ = state.apply(idle if play is None else Play(state.seat, play.table))


def main() -> None:
    """Prints the table."""
    print(f"{'game':20} {'players':>7} {'rounds/s':>9} {'by solver':>9} {'ratio':>6}")
    for game in ("pup-rummy", "dutch-rummy", "rrrummy", "tiles-50"):
        for players in (2, 4):
            deals = [dealt(game, players, number) for number in range(ROUNDS)]
            engine = Engine(GAMES.find(game).rules)
            begin = time.perf_counter()
            for state in deals:
                played_out(engine, state, 0)
            quick = ROUNDS * TIMES / (time.perf_counter() - begin)
            begin = time.perf_counter()
            for state in deals:
                played(state)
            slow = ROUNDS / (time.perf_counter() - begin)
            print(f"{game:20} {players:7} {quick:9.0f} {slow:9.0f} {quick / slow:6.1f}")


if __name__ == "__main__":
    main()
