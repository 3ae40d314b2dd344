"""How many instructions the best plays of a fixed set take: steadier than seconds.

    python bench/callgrind.py [POSITIONS [SET...]]

Runs itself under ``valgrind --tool=callgrind`` with one pass and with two passes over the
set; the difference is one pass, without start-up. The same binary, set and environment give
nearly the same number, whatever else the machine does. A set takes about a minute; by default
two of them are run, and the names of the others are those of `bench/positions/`.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LEVELS = {"synthetic": 0, "games": 0, **{f"games-j{level}": level for level in range(5)}}


def child(name: str, level: int, count: int, passes: int) -> None:
    from meldwise.game.position import Position
    from meldwise.game.rules import Rules
    from meldwise.solver import best_play

    rules = Rules().with_joker_level(level)
    lines = (ROOT / "bench" / "positions" / f"{name}.jsonl").read_text().splitlines()
    step = max(1, len(lines) // count)
    positions = [Position.parse(json.loads(line)["position"]) for line in lines[::step][:count]]
    for _ in range(1 + passes):
        for position in positions:
            best_play(position, rules)


def instructions(name: str, level: int, count: int, passes: int) -> int:
    command = [
        "valgrind",
        "--tool=callgrind",
        "--callgrind-out-file=/dev/null",
        sys.executable,
        __file__,
        "--child",
        name,
        str(level),
        str(count),
        str(passes),
    ]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": "0"},
    )
    found = re.search(r"Collected : (\d+)", done.stderr)
    if found is None:
        raise RuntimeError(done.stderr[-500:])
    return int(found[1])


def main() -> None:
    if not shutil.which("valgrind"):
        print("There is no valgrind here: apt-get install valgrind")
        return
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    for name in sys.argv[2:] or ("games", "games-j3"):
        level = LEVELS[name]
        one = instructions(name, level, count, 1)
        two = instructions(name, level, count, 2)
        print(f"{name:10} J{level}: {(two - one) // count:>12,} instructions a position")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        child(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), int(sys.argv[5]))
    else:
        main()
