"""Whether players keep to the rules and to their time: rounds over all games and sizes of table.

Each player meets ``greedy`` in every seat. Every incident and every move that takes over 20 %
more than the player's budget is counted; with any, the exit code is 1. Without arguments it
plays a few rounds; ``--rounds 10000`` is the whole measure.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from typing import Final

from meldwise.arena import LocalPool, Plan, Timing, available_cores
from meldwise.arena.contest import Contest
from meldwise.arena.summary import NotedIncident, summarise
from meldwise.arena.wording import as_seconds
from meldwise.game.presets import GAMES
from meldwise.players import LEVELS, Means, create_player, player_names

MEANS: Final = Means(clock=time.perf_counter)


def plans_of(player: str, seed: str) -> Iterator[Plan]:
    """A plan for every game and size of table."""
    for preset in GAMES:
        for players in range(preset.rules.min_players, min(4, preset.rules.max_players) + 1):
            yield Plan((player, "greedy"), preset.rules, preset.title, players, seed)


def conduct(
    player: str, rounds: int, jobs: int, seed: str
) -> tuple[int, Timing, list[tuple[Plan, NotedIncident]]]:
    """Plays a player; how many rounds it was, how long its moves took, and what went wrong."""
    plans = list(plans_of(player, seed))
    timing, found, played = Timing(), [], 0
    for plan in plans:
        games = len(plan.pairings[0].arrangements)
        contest = Contest(plan, -(-rounds // (len(plans) * games)))
        contest.play(lambda: LocalPool(jobs), jobs, clock=time.perf_counter)
        summary = summarise(contest.results())
        played += summary.rounds
        own = summary.entrants[0].timing
        if own is not None:
            timing.include(own)
        found += [(plan, noted) for noted in summary.incidents if noted.entrant == 0]
        assert not contest.results().failed, contest.results().failed
    return played, timing, found


def main(words: Sequence[str] | None = None) -> int:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--player", action="append", help="default: all levels there are")
    parser.add_argument("--rounds", type=int, default=60, help="of each player")
    parser.add_argument("--jobs", type=int, default=available_cores())
    parser.add_argument("--seed", default="conduct")
    options = parser.parse_args(words)
    known = set(player_names())
    levels = [level.name for level in LEVELS if level.name in known]
    slow = [name for name in levels if create_player(name, MEANS).seconds is not None]
    players = options.player or [name for name in levels if name not in slow]
    if slow and not options.player:
        print(f"Left out, since their moves take their time: name them with --player: {slow}")
    faults = 0
    print(f"{'player':20} {'rounds':>8} {'moves':>9} {'mean':>9} {'worst':>9} {'budget':>9} "
          f"{'overruns':>9} {'incidents':>9}")  # fmt: skip
    for player in players:
        rounds, timing, found = conduct(player, options.rounds, options.jobs, options.seed)
        budget = "-" if timing.budget is None else as_seconds(timing.budget)
        print(f"{player:20} {rounds:8} {timing.moves:9} {as_seconds(timing.mean):>9} "
              f"{as_seconds(timing.worst):>9} {budget:>9} {timing.overruns:9} {len(found):9}",
              flush=True)  # fmt: skip
        for plan, noted in found[:5]:
            print(f"  {noted.incident.kind.value} in {plan.game}, {plan.players} players, deal "
                  f"{noted.deal}, turn {noted.incident.turn}: {noted.incident.detail}")  # fmt: skip
        faults += timing.overruns + len(found)
    return 1 if faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
