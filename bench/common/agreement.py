"""Counts disagreements between the solver and the integer program at J0.

    python -m bench.common.agreement [POSITIONS [SEED]]

Half of the positions are from games, half are made at random; each is asked for the most
tiles, for the highest value, or with random weights, some of them negative.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from random import Random

from bench.common import selfplay
from bench.common.integer_program import IntegerProgram
from meldwise.game.position import Position
from meldwise.game.rules import Rules
from meldwise.game.tiles import FACES, JOKER_INDEX, TILES
from meldwise.solver import HIGHEST_VALUE, MOST_TILES, Objective, best_play

RULES = Rules().with_joker_level(0)


def synthetic(random: Random) -> Iterator[Position]:
    """Tables of melds drawn at random from a box, and hands from what is left."""
    while True:
        box = [index for index in range(FACES) for _ in range(2)] + [JOKER_INDEX] * 2
        random.shuffle(box)
        size = random.randint(0, 60)
        table = best_play(Position((), tuple(TILES[i] for i in box[:size])), RULES).play
        rest = box[size:]
        if table is None and size:
            continue
        melds = table.table if table else ()
        hand = tuple(TILES[i] for i in rest[: random.randint(1, 22)])
        yield Position(melds, hand, opened=random.random() < 0.8)


def asked(random: Random) -> Objective:
    """An objective at random; only the first tier is compared."""
    kind = random.randrange(3)
    if kind < 2:
        return (MOST_TILES, HIGHEST_VALUE)[kind]
    return Objective((tuple(random.randint(-4, 8) for _ in TILES),))


def disagreements(count: int, seed: int) -> tuple[Counter[str], list[str]]:
    """Compares so many positions; returns counts by kind and the disagreements."""
    random = Random(seed)
    program = IntegerProgram()
    counts: Counter[str] = Counter()
    wrong: list[str] = []
    games = islice(selfplay.positions(RULES, seed), count // 2)
    made = islice(synthetic(random), count - count // 2)
    for kind, positions in (("games", games), ("random", made)):
        for position in positions:
            objective = asked(random)
            answer = best_play(position, RULES, objective)
            got = answer.play.value[0] if answer.play else None
            counts[kind] += 1
            counts["playable"] += got is not None
            want = program.best(position, objective)
            if got != want:
                # HiGHS has been seen to stop short of a better play that it finds, and that
                # the judge accepts, when it does not simplify the program first.
                counts["asked again"] += 1
                want = program.best(position, objective, presolve=False)
            if got != want or not answer.proven:
                wrong.append(f"{position}: {got}, program {want}")
    return counts, wrong


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    counts, wrong = disagreements(count, seed)
    print(dict(counts), f"disagreements: {len(wrong)}")
    for line in wrong[:20]:
        print(line)


if __name__ == "__main__":
    main()
