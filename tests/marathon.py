"""Many matches of computer players: ``python -m tests.marathon --preset rrrummy``.

Two, three and four players in turn, with seeds that follow from ``--seed``. Nothing may
raise, and nobody may propose what the rules would refuse or punish; the records of a sample
are written, read, replayed and verified. ``--player`` says who plays, and may be repeated:
then they take the seats in turn, in another order for each match. Plain players block most
rounds, so that a match for a target score need not end.
"""

from __future__ import annotations

import argparse
import hashlib
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from meldwise.game.actions import Play
from meldwise.game.match import Seat
from meldwise.game.presets import GAMES, Preset
from meldwise.game.record_text import format_record, read_record
from meldwise.game.replay import check_deals, replay
from meldwise.game.rules import MatchEnd
from meldwise.game.session import Session
from meldwise.game.shuffle import Seeds
from meldwise.game.view import view_of
from meldwise.players import Means, create_player
from meldwise.solver import SolverOracle
from tests.rounds import box_is_whole

MOST_ROUNDS: Final = 400
GRACE: Final = 1.2
"""By what factor a choice may exceed its budget."""


@dataclass
class Tally:
    """What was played."""

    matches: int = 0
    stopped: int = 0
    rounds: int = 0
    turns: int = 0
    checked: int = 0
    late: int = 0
    slowest: float = 0.0
    ends: Counter[str] = field(default_factory=Counter)
    players: Counter[int] = field(default_factory=Counter)
    seconds: float = 0.0


def play_match(preset: Preset, names: Sequence[str], name: str, tally: Tally) -> Session:
    """Plays one match to its end, or to its 400th round."""
    seats = [Seat(f"Player {number + 1}", text) for number, text in enumerate(names)]
    seed = int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big")
    players = [
        create_player(text, Means(seed + seat, time.monotonic)) for seat, text in enumerate(names)
    ]
    session = Session.new(preset.title, preset.rules, seats, SolverOracle())
    clock = 0 if preset.rules.match_end is MatchEnd.TIME else None
    while session.match.result is None:
        number = session.match.next_round
        if number > MOST_ROUNDS:
            tally.stopped += 1
            break
        server = hashlib.sha256(f"{name} round {number}".encode()).digest()
        session.start_round(Seeds(server, ("",) * len(players)), clock)
        while (state := session.match.running) is not None:
            view = view_of(session.match, state.seat)
            begun = time.perf_counter()
            action = players[state.seat].choose(view)
            taken = time.perf_counter() - begun
            tally.slowest = max(tally.slowest, taken)
            seconds = players[state.seat].seconds
            if seconds is not None and taken > GRACE * seconds:
                tally.late += 1
            assert action.seat == state.seat
            if isinstance(action, Play):
                assert state.check_draft(state.seat, action.table).legal, (view.position, action)
            session.apply(action)
            tally.turns += 1
        last = session.match.round
        assert last is not None
        assert last.result is not None
        assert box_is_whole(last)
        assert all(meld.is_valid for meld in last.table)
        tally.rounds += 1
        tally.ends[last.result.end] += 1
    tally.matches += 1
    tally.players[len(players)] += 1
    return session


def check(session: Session) -> None:
    """Writes, reads, replays and verifies the record of a match."""
    text = format_record(session.record)
    reading = read_record(text)
    assert reading.record is not None, reading.faults
    assert reading.record == session.record
    found = replay(reading.record)
    assert found.faults == ()
    assert found.match == session.match
    assert all(deal.good for deal in check_deals(reading.record))


def run(preset: Preset, matches: int, seed: int, every: int, names: Sequence[str]) -> Tally:
    """Plays matches and checks the record of one in ``every``."""
    tally = Tally()
    low, high = preset.rules.min_players, min(4, preset.rules.max_players)
    sizes = range(low, high + 1)
    for number in range(matches):
        start = time.perf_counter()
        name = f"marathon {preset.name} {seed} {number}"
        size = sizes[number % len(sizes)]
        seated = [names[(number + seat) % len(names)] for seat in range(size)]
        session = play_match(preset, seated, name, tally)
        tally.seconds += time.perf_counter() - start
        if number % every == 0:
            check(session)
            tally.checked += 1
    return tally


def main() -> int:
    """Runs the marathon of one preset, or of all in turn."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=1_000)
    parser.add_argument("--preset", default="rrrummy", help="a game's name, or all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--every", type=int, default=20, help="check one record in so many")
    parser.add_argument("--player", action="append", help="who plays; may be repeated")
    options = parser.parse_args()
    presets = list(GAMES) if options.preset == "all" else [GAMES.find(options.preset)]
    for preset in presets:
        names = options.player or ["plain"]
        tally = run(preset, options.matches, options.seed, options.every, names)
        by_players = ", ".join(f"{count} of {n}" for n, count in sorted(tally.players.items()))
        print(
            f"{preset.name}: {tally.matches} matches ({by_players} players; "
            f"{tally.stopped} stopped after {MOST_ROUNDS} rounds), "
            f"{tally.rounds} rounds ({tally.ends['won']} won, {tally.ends['blocked']} blocked), "
            f"{tally.turns} turns, {tally.checked} records checked, "
            f"{tally.late} choices late, the slowest {tally.slowest:.2f} s, "
            f"{tally.rounds / tally.seconds:.1f} rounds/s",
            flush=True,
        )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
