"""How long the best play takes, beside two other solvers on the same positions in one run.

    python bench/solver.py [--games N] [--compared N] [--hard N] [--repeat N] [--limit SECONDS]
                           [--no-baselines]

The others are the PyPI package ``rummikub-solver`` 1.0.0 and an integer program of our own
solved by HiGHS. Both only know free jokers (J0), so at the other levels only Meldwise runs.
They run in a process of their own and give up a position after the limit, which then counts
as their time. Times are milliseconds through the public call, the least of the repeats;
*slower* counts the positions on which Meldwise was not the quickest, *differ* those with
another number of tiles, *given up* those that reached the limit.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from time import perf_counter
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from bench.common import adversarial, selfplay  # noqa: E402
from bench.common.limited import Limited, Solver  # noqa: E402
from meldwise.game.position import Position  # noqa: E402
from meldwise.game.rules import Rules  # noqa: E402
from meldwise.solver import best_play, kernel_info  # noqa: E402

Times = list[float]
Counts = list[int | None]


def published(name: str) -> list[Position]:
    text = (ROOT / "bench" / "positions" / f"{name}.jsonl").read_text(encoding="utf-8")
    return [Position.parse(json.loads(line)["position"]) for line in text.splitlines()]


def timed(ask: Callable[[Any], int | None], asked: list[Any], repeat: int) -> tuple[Times, Counts]:
    """The least time for each question, and its answer."""
    times: Times = []
    counts: Counts = []
    for question in asked:
        least = float("inf")
        count = None
        for _ in range(repeat):
            start = perf_counter()
            count = ask(question)
            least = min(least, perf_counter() - start)
        times.append(1000 * least)
        counts.append(count)
    return times, counts


def quantiles(times: Times) -> tuple[float, float, float]:
    """Median, 95th percentile and worst."""
    order = sorted(times)
    last = len(order) - 1
    return order[last // 2], order[round(0.95 * last)], order[last]


def row(name: str, times: Times, more: str = "") -> None:
    median, late, worst = quantiles(times)
    print(f"  {name:16} median {median:9.3f}  95% {late:9.3f}  worst {worst:9.3f}  {more}")


def ours(rules: Rules) -> Callable[[Position], int | None]:
    def ask(position: Position) -> int | None:
        answer = best_play(position, rules)
        assert answer.proven
        return len(answer.play.played) if answer.play else None

    return ask


class Compared:
    """The other solvers, and on how many positions each was quicker in the whole run."""

    def __init__(self, limit: float) -> None:
        self.others = {
            "rummikub-solver": Limited(package, limit),
            "HiGHS program": Limited(program, limit),
        }
        self.quicker = dict.fromkeys(self.others, 0)
        self.asked = 0

    def run(self, positions: list[Position], mine: Times, counts: Counts, repeat: int) -> None:
        """Times the others on positions whose own times are given, in a row for each."""
        self.asked += len(positions)
        for name, other in self.others.items():
            found = [other.timed(position, repeat) for position in positions]
            times = [taken for taken, _, _ in found]
            ratios = sorted(b / a for a, b in zip(mine, times, strict=True))
            slower = sum(ratio < 1 for ratio in ratios)
            self.quicker[name] += slower
            differ = sum(
                answer != own and not over
                for own, (_, answer, over) in zip(counts, found, strict=True)
            )
            ratio = quantiles(times)[0] / quantiles(mine)[0]
            row(
                name,
                times,
                f"ratio of medians {ratio:.0f}, median ratio {ratios[len(ratios) // 2]:.0f}, "
                f"least {ratios[0]:.1f}, slower {slower}, differ {differ}, "
                f"given up {sum(over for _, _, over in found)}",
            )

    def close(self) -> None:
        for other in self.others.values():
            other.close()


def package() -> Solver:
    from bench.common.baseline import Package

    made = Package()
    return made.state, made.most_tiles


def program() -> Solver:
    from bench.common.integer_program import IntegerProgram
    from meldwise.solver import MOST_TILES

    made = IntegerProgram()
    return (lambda position: position), (lambda position: made.best(position, MOST_TILES))


def compare(
    title: str,
    positions: list[Position],
    rules: Rules,
    repeat: int,
    others: Compared | None = None,
    most: int | None = None,
    others_repeat: int | None = None,
) -> None:
    print(f"{title}: {len(positions)} positions, J{rules.joker_level}", flush=True)
    mine, counts = timed(ours(rules), positions, repeat)
    row("meldwise", mine)
    if others is not None:
        if most is not None and most < len(positions):
            row(f"  the first {most}", mine[:most])
        others.run(positions[:most], mine[:most], counts[:most], others_repeat or repeat)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=5000, help="positions a joker level")
    parser.add_argument("--compared", type=int, default=300, help="of them, for the baselines")
    parser.add_argument("--hard", type=int, default=20, help="of each hard kind, likewise")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--limit", type=float, default=10.0, help="seconds for the baselines")
    parser.add_argument("--no-baselines", action="store_true")
    options = parser.parse_args()
    repeat = options.repeat
    info = kernel_info()
    print(f"kernel: {'compiled' if info.compiled else 'interpreted'} ({info.reason})")
    others = None if options.no_baselines else Compared(options.limit)
    free = Rules().with_joker_level(0)
    for name in ("synthetic", "games"):
        compare(f"{name}.jsonl", published(name), free, repeat, others)
    if others is not None:
        games = list(islice(selfplay.positions(free, seed=0), 40 * options.compared))
        opened = [position for position in games if position.opened][: options.compared]
        compare("games of players, opened", opened, free, repeat, others)
    for level in range(5):
        rules = Rules().with_joker_level(level)
        games = list(islice(selfplay.positions(rules, seed=level), options.games))
        compare("games of players", games, rules, repeat)
    hard: dict[str, list[Position]] = {}
    for kind, position in adversarial.positions(seed=1, each=20):
        hard.setdefault(kind, []).append(position)
    for kind, positions in hard.items():
        compare(kind, positions, free, repeat, others, most=options.hard, others_repeat=1)
    everything = [position for positions in hard.values() for position in positions]
    for level in range(1, 5):
        compare("adversarial", everything, Rules().with_joker_level(level), repeat)
    if others is not None:
        for name, quicker in others.quicker.items():
            print(f"{name} was quicker on {quicker} of {others.asked} positions")
        others.close()


if __name__ == "__main__":
    main()
