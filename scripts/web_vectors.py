"""Writes melds with all that the rules engine says of them, for the web client's tests.

python scripts/web_vectors.py            # writes web/src/board/vectors.json
python scripts/web_vectors.py --check    # fails if the file is not up to date
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path

from meldwise.game.melds import Kind, Meld, readings
from meldwise.game.tiles import JOKER, TILES, Colour, Tile

TARGET = Path(__file__).resolve().parents[1] / "web" / "src" / "board" / "vectors.json"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    arguments = parser.parse_args()
    text = vectors_text()
    if not arguments.check:
        TARGET.write_text(text, encoding="utf-8")
        return 0
    if not TARGET.exists() or TARGET.read_text(encoding="utf-8") != text:
        print(f"{TARGET.name} is out of date: run python scripts/web_vectors.py", file=sys.stderr)
        return 1
    return 0


def vectors_text() -> str:
    """The file's text: a meld a line, so that a change can be read."""
    lines = ",\n".join(json.dumps(_vector(meld), separators=(",", ":")) for meld in _melds())
    return f"[\n{lines}\n]\n"


def _vector(meld: Meld) -> dict[str, object]:
    return {
        "kind": str(meld.kind),
        "text": str(meld),
        "cells": [tile.index for tile in meld.cells],
        "faults": [
            {key: value for key, value in problem.as_dict().items() if key != "meld"}
            for problem in meld.problems
        ],
        "roles": [
            None if role is None else [tile.index for tile in role.tiles] for role in meld.roles
        ],
        "value": meld.value,
        "start": meld.start,
        "readings": [str(reading) for reading in readings(meld.cells)],
    }


def _melds() -> Iterator[Meld]:
    for text in (
        "run()", "set()", "run(*)", "set(*,*)", "r7-*-*", "7r**", "r12-13-*", "r*-1-2", "r1-2",
        "7rykb", "7rykb*", "7rrk", "run(r4,b5,r6)", "set(r7,y7,k8)", "r4-*-6", "r*-*-3-4",
        "r1-2-3-4-5-6-7-8-9-10-11-12-13", "r4-6-8", "run(r13,r1,r2)", "set(*,*,k9)", "r3-*-*-6",
    ):  # fmt: skip
        yield Meld.parse(text)
    source = random.Random(1)
    for _ in range(160):
        yield Meld(source.choice(list(Kind)), _cells(source))


def _cells(source: random.Random) -> tuple[Tile, ...]:
    """Mostly near a meld: a run or set with a tile or two replaced, left out or moved."""
    length = source.randint(2, 8)
    if source.random() < 0.5:
        start = source.randint(0, 14 - length)
        colour = source.choice(list(Colour))
        cells = [
            Tile.of(colour, number) if 1 <= number <= 13 else JOKER
            for number in range(start, start + length)
        ]
    else:
        number = source.randint(1, 13)
        cells = [Tile.of(colour, number) for colour in Colour][: min(length, 4)]
        source.shuffle(cells)
    for _ in range(source.choice((0, 0, 1, 1, 2, 3))):
        place = source.randrange(len(cells))
        kind = source.random()
        if kind < 0.4:
            cells[place] = JOKER
        elif kind < 0.75:
            cells[place] = source.choice(TILES)
        else:
            cells.insert(source.randrange(len(cells)), cells.pop(place))
    return tuple(cells)


if __name__ == "__main__":
    sys.exit(main())
