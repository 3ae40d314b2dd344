"""How much sooner batches of best plays are done by two threads than by one.

    python bench/batches.py [--positions N] [--repeat N]

Runs with one and with two threads take turns, and the least time of each counts. How much two
threads can give depends on the machine and on what else it does: so a control runs in turns
with them that needs no Python at all, hashing with the interpreter's lock released. *Without
lock* is the share of a batch's processor time that is spent searching, the lock released.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import perf_counter, thread_time
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from meldwise.game.position import Position  # noqa: E402
from meldwise.game.rules import Rules  # noqa: E402
from meldwise.solver import MOST_TILES, ahead, best_play, best_plays, kernel_info  # noqa: E402
from meldwise.solver.several import solve_together  # noqa: E402
from meldwise.solver.workspace import borrow  # noqa: E402

SETS = {"synthetic": 0, "games": 0, **{f"games-j{level}": level for level in range(5)}}
BLOCK = bytes(1 << 20)


def published(name: str, count: int) -> list[Position]:
    text = (ROOT / "bench" / "positions" / f"{name}.jsonl").read_text(encoding="utf-8")
    found = [Position.parse(json.loads(line)["position"]) for line in text.splitlines()[:count]]
    return found * (count // len(found))


def hashed(threads: int, blocks: int) -> None:
    """The control: so many blocks hashed over threads."""
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(lambda _: hashlib.sha256(BLOCK).digest(), range(blocks)))


def timed(call: Callable[[], object]) -> float:
    start = perf_counter()
    call()
    return perf_counter() - start


class Measured:
    """A batch that measures the processor time of its searches."""

    spent = 0.0

    def __init__(self, batch: Any) -> None:
        self.batch = batch

    def run(self, count: int) -> None:
        start = thread_time()
        self.batch.run(count)
        Measured.spent += thread_time() - start


def share(positions: list[Position], rules: Rules) -> float:
    """The share of batches' processor time that is spent without the lock."""
    solve_together(positions[: ahead.MOST], rules, MOST_TILES, 0)
    rows = borrow().rows
    batch = rows.batch
    rows.batch, Measured.spent = Measured(batch), 0.0
    start = thread_time()
    for place in range(0, len(positions), ahead.MOST):
        solve_together(positions[place : place + ahead.MOST], rules, MOST_TILES, 0)
    rows.batch = batch
    return Measured.spent / (thread_time() - start)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=2000)
    parser.add_argument("--repeat", type=int, default=7)
    options = parser.parse_args()
    print(f"kernel: {kernel_info().reason}")
    for name, level in SETS.items():
        rules = Rules().with_joker_level(level)
        some = published(name, options.positions)
        one = [best_play(position, rules) for position in some]
        assert list(best_plays(some, rules, threads=2)) == one
        least = dict.fromkeys(("single", "one", "two", "control one", "control two"), 1e9)
        for _ in range(options.repeat):
            for kind, call in (
                ("single", lambda s=some, r=rules: [best_play(p, r) for p in s]),
                ("one", lambda s=some, r=rules: list(best_plays(s, r, threads=1))),
                ("two", lambda s=some, r=rules: list(best_plays(s, r, threads=2))),
                ("control one", lambda: hashed(1, 200)),
                ("control two", lambda: hashed(2, 200)),
            ):
                least[kind] = min(least[kind], timed(call))
        each = {kind: 1e6 * taken / len(some) for kind, taken in least.items()}
        print(
            f"{name:10} J{level}: µs a position: calls {each['single']:7.1f}  one thread "
            f"{each['one']:7.1f}  two {each['two']:7.1f}  ratio {least['one'] / least['two']:.2f}"
            f"  control {least['control one'] / least['control two']:.2f}"
            f"  without lock {share(some, rules):.0%}"
        )


if __name__ == "__main__":
    main()
