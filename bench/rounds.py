"""How many rounds a second players play, in the arena and at a table that keeps a record.

The ratio to the replay of the records says what the players' own choices cost: a replay judges,
applies and records the same turns without them. Times are of this process on one core.
"""

from __future__ import annotations

import hashlib
import time

from meldwise.arena import Plan
from meldwise.arena.games import play_game
from meldwise.game import GAMES, Record, Seat, Seeds, Session, replay, view_of
from meldwise.players import create_player

MATCHES = {"greedy": 60, "plain": 6, "casual": 6, "skilled": 3}


def play(game: str, name: str, number: int, players: int) -> tuple[Record, int]:
    """One match of one round; the record and its turns."""
    preset = GAMES.find(game)
    player = create_player(name)
    seats = [Seat(f"Player {seat + 1}", name) for seat in range(players)]
    session = Session.new(preset.title, preset.rules, seats)
    digest = hashlib.sha256(f"bench {game} {number}".encode()).digest()
    session.start_round(Seeds(digest, ("",) * players))
    while (running := session.match.running) is not None:
        session.apply(player.choose(view_of(session.match, running.seat)))
    assert session.match.round is not None
    return session.record, session.match.round.turn


def contest(game: str, name: str, matches: int, players: int) -> None:
    """As many rounds in the arena, which keeps no record."""
    preset = GAMES.find(game)
    plan = Plan((name, name), preset.rules, preset.title, players, "bench rounds")
    for deal in range(matches):
        play_game(plan, [seat % 2 for seat in range(players)], deal)


def main() -> None:
    """Prints the table."""
    print(
        f"{'player':8} {'game':12} {'players':>7} {'arena/s':>9} {'rounds/s':>9} {'turns/s':>9}"
        "  ratio to replaying"
    )
    for name, matches in MATCHES.items():
        for game in ("pup-rummy", "dutch-rummy", "rrrummy", "tiles-50"):
            for players in (2, 4):
                begin = time.process_time()
                contest(game, name, matches, players)
                in_arena = time.process_time() - begin
                begin = time.process_time()
                played = [play(game, name, number, players) for number in range(matches)]
                taken = time.process_time() - begin
                begin = time.process_time()
                for record, _ in played:
                    assert not replay(record).faults
                baseline = time.process_time() - begin
                turns = sum(count for _, count in played)
                print(
                    f"{name:8} {game:12} {players:7} {matches / in_arena:9.1f}"
                    f" {matches / taken:9.1f}"
                    f" {turns / taken:9.0f}  {taken / baseline:.2f}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
