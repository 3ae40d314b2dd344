"""How many rounds a second plain players play, beside replaying the same rounds.

The ratio to the replay says what the players' own choices cost: a replay judges, applies and
records the same turns without them.
"""

from __future__ import annotations

import hashlib
import time

from meldwise.game import GAMES, Record, Seat, Seeds, Session, replay, view_of
from meldwise.players import create_player

MATCHES = 6


def play(game: str, number: int, players: int) -> tuple[Record, int]:
    """One match of one round; the record and its turns."""
    preset = GAMES.find(game)
    player = create_player("plain")
    seats = [Seat(f"Plain {seat + 1}", "plain") for seat in range(players)]
    session = Session.new(preset.title, preset.rules, seats)
    digest = hashlib.sha256(f"bench {game} {number}".encode()).digest()
    session.start_round(Seeds(digest, ("",) * players))
    while (running := session.match.running) is not None:
        session.apply(player.choose(view_of(session.match, running.seat)))
    assert session.match.round is not None
    return session.record, session.match.round.turn


def main() -> None:
    """Prints the table."""
    print(f"{'game':20} {'players':>7} {'rounds/s':>9} {'turns/s':>9}  ratio to replaying")
    for game in ("pup-rummy", "dutch-rummy", "rrrummy", "tiles-50"):
        for players in (2, 4):
            begin = time.perf_counter()
            played = [play(game, number, players) for number in range(MATCHES)]
            taken = time.perf_counter() - begin
            begin = time.perf_counter()
            for record, _ in played:
                assert not replay(record).faults
            baseline = time.perf_counter() - begin
            turns = sum(count for _, count in played)
            print(
                f"{game:20} {players:7} {MATCHES / taken:9.1f} {turns / taken:9.0f}"
                f"  {taken / baseline:.2f}"
            )


if __name__ == "__main__":
    main()
