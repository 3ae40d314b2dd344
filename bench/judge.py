"""How long judging an end of turn takes, beside reading the same table from text.

Prints microseconds and the ratio to the baseline, all from one run. The positions go from a
small table to one of 80 tiles; the joker levels differ in what is searched.
"""

from __future__ import annotations

import timeit
from collections.abc import Callable
from dataclasses import replace

from meldwise.game import Meld, Position, Rules, format_table, judge, parse_table, parse_tiles

ORDINARY = (
    "r1-2-3-4 k1-2-3-4 y5-6-7 b8-9-10-11 7rb* r9-10-11 12ryk 13ryb k5-6-*-8 y1-2-3 4ykb",
    "y8 b12 k7 b2 k2 r5 r13 y13 k1 b1 b4 b5 y9",
    "r1-2-3-4 k1-2-3-4 y5-6-7-8 b8-9-10-11 7rb* r9-10-11 12rykb 13ryb k5-6-7-8 y1-2-3 4ykb 2bk*",
)
SMALL = ("r4-*-6 3bky", "r5 b9 k9 r7", "r4-5-6-7 3bky 9bk*")
LONG = (
    "r1-2-3-4-5-6-7-8-9-10-11-12-13 y1-2-3-4-5-6-7-8-9-10-11-12-13 "
    "k1-2-3-4-5-6-7-8-9-10-11-12-13 b1-2-3-4-5-6-7-8-9-10-11-12-* "
    "1rykb 2rykb 3rykb 4rykb 5rykb 6rykb 7rk*",
    "b13 b10 k10 y7",
    "r1-2-3-4-5-6-7-8-9-10-11-12-13 y1-2-3-4-5-6-7-8-9-10-11-12-13 "
    "k1-2-3-4-5-6-7-8-9-10-11-12-13 b1-2-3-4-5-6-7-8-9-10-11-12-13 "
    "1rykb 2rykb 3rykb 4rykb 5rykb 6rykb 7rk* 10bk*",
)
REPEATS = 7


def best_of(call: Callable[[], object]) -> float:
    """The best time of several series, in microseconds a call."""
    timer = timeit.Timer(call)
    number = max(1, timer.autorange()[0] // 4)
    return min(timer.repeat(REPEATS, number)) / number * 1e6


def main() -> None:
    """Prints the table."""
    print(f"{'position':10} {'level':6} {'µs':>8}  ratio to reading the proposal's text")
    for name, (table, hand, proposal) in (
        ("small", SMALL),
        ("ordinary", ORDINARY),
        ("long", LONG),
    ):
        position = Position(parse_table(table), parse_tiles(hand))
        end: tuple[Meld, ...] = parse_table(proposal)
        text = format_table(end)
        baseline = best_of(lambda text=text: parse_table(text))  # type: ignore[misc]
        print(f"{name:10} {'text':6} {baseline:8.1f}  1.00")
        for level in range(5):
            rules = Rules().with_joker_level(level)
            assert judge(position, end, rules).legal
            taken = best_of(lambda p=position, e=end, r=rules: judge(p, e, r))  # type: ignore[misc]
            print(f"{name:10} {'J' + str(level):6} {taken:8.1f}  {taken / baseline:.2f}")
    position = Position((), parse_tiles("r10 r11 r12 r13 b2 b3 b4 k7 y7 r1 k5"), opened=False)
    end = parse_table("r10-11-12-13 b2-3-4")
    for reading in (False, True):
        rules = replace(Rules(), opening_table_moves=reading)
        taken = best_of(lambda r=rules: judge(position, end, r))  # type: ignore[misc]
        print(f"{'opening':10} {'moves' if reading else 'plain':6} {taken:8.1f}")


if __name__ == "__main__":
    main()
