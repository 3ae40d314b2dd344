"""Writes the sets of this folder that are made here: see README.md.

python bench/positions/make.py [POSITIONS_PER_LEVEL]
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from itertools import islice
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from bench.common import adversarial, selfplay  # noqa: E402
from meldwise.game.position import Position  # noqa: E402
from meldwise.game.rules import Rules  # noqa: E402
from meldwise.solver import (  # noqa: E402
    HIGHEST_VALUE,
    MOST_TILES_THEN_VALUE,
    best_play,
)


def solved(kind: str, position: Position, rules: Rules) -> dict[str, object]:
    """A position with its optima; None where nothing can be played."""
    tiles = best_play(position, rules, MOST_TILES_THEN_VALUE)
    value = best_play(position, rules, HIGHEST_VALUE)
    assert tiles.proven
    assert value.proven
    return {
        "set": kind,
        "position": str(position),
        "tiles": tiles.play and tiles.play.value[0],
        "value_at_tiles": tiles.play and tiles.play.value[1],
        "value": value.play and value.play.value[0],
    }


def write(name: str, lines: Iterable[dict[str, object]]) -> None:
    path = Path(__file__).with_name(name)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    print(path.name)


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 5000
    for level in range(5):
        rules = Rules().with_joker_level(level)
        games = islice(selfplay.positions(rules, seed=level), count)
        write(f"games-j{level}.jsonl", (solved(f"J{level}", p, rules) for p in games))
    rules = Rules().with_joker_level(0)
    hard = adversarial.positions(seed=1, each=20)
    write("adversarial.jsonl", (solved(kind, p, rules) for kind, p in hard))


if __name__ == "__main__":
    main()
