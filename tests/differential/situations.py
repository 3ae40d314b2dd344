"""Random situations, and the comparison of the judge with turns played step by step.

``python -m tests.differential.situations --count 100000 --seed 1`` plays many situations;
the exit code is 1 if there is any disagreement.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import pairwise
from random import Random

from meldwise.game.melds import Kind
from meldwise.game.position import format_table
from meldwise.game.rules import FreedJokerGoes, JokerPickup, ReplacementFrom, Rules
from meldwise.game.tiles import JOKER_INDEX, NUMBERS
from meldwise.game.turn import judge
from tests.differential.layouts import (
    COLOURS,
    Face,
    Faces,
    Layout,
    Plain,
    layouts,
    role_of,
    to_melds,
)
from tests.differential.steps import Situation, parts, reached


@dataclass
class Tally:
    """What has been compared, and how much of it mattered."""

    situations: int = 0
    with_joker: int = 0
    candidates: int = 0
    compared: int = 0
    accepted: int = 0
    undecided: int = 0
    level_pairs: Counter[str] = field(default_factory=Counter)
    level_situations: Counter[str] = field(default_factory=Counter)
    disagreements: list[str] = field(default_factory=list)

    def report(self) -> str:
        """Lines for people."""
        lines = [
            f"situations          {self.situations}",
            f"  with a joker      {self.with_joker} on the table",
            f"end tables          {self.candidates}",
            f"comparisons         {self.compared}, {self.accepted} of them accepted",
            f"undecided           {self.undecided} (new_meld: twins of a replacing tile)",
            f"disagreements       {len(self.disagreements)}",
        ]
        lines += [
            f"{pair} differ         on {self.level_pairs[pair]} end tables"
            f" of {self.level_situations[pair]} situations"
            for pair in sorted(self.level_pairs)
        ]
        return "\n".join([*lines, *self.disagreements[:20]])


def compare(situation: Situation, rule_sets: dict[str, Rules], tally: Tally) -> None:
    """Compares all end tables of a situation under each of the rules."""
    on_table = [face for _, faces in situation.table for face in faces]
    tally.situations += 1
    tally.with_joker += JOKER_INDEX in on_table
    position = situation.position
    differing: set[str] = set()
    for placed in parts(situation.hand):
        ends = sorted(layouts([*on_table, *placed]))
        tally.candidates += len(ends)
        if not ends:
            continue
        answers: dict[str, list[bool]] = {}
        for name, rules in rule_sets.items():
            allowed = [
                end
                for end in ends
                if rules.two_jokers_in_meld or all(f.count(JOKER_INDEX) < 2 for _, f in end)
            ]
            expected = dict(zip(allowed, reached(situation, placed, allowed, rules), strict=True))
            answers[name] = []
            for end in ends:
                strict, lenient = expected.get(end, (False, False))
                legal = judge(position, to_melds(end), rules).legal
                answers[name].append(legal)
                tally.compared += 1
                tally.accepted += legal
                if strict is not lenient:
                    tally.undecided += 1
                elif legal is not strict:
                    tally.disagreements.append(
                        f"{situation} -> {format_table(to_melds(end))} [{name}]:"
                        f" judge {legal}, steps {strict}"
                    )
        levels = [name for name in answers if name in LEVELS]
        for one, two in pairwise(levels):
            different = sum(a != b for a, b in zip(answers[one], answers[two], strict=True))
            if different:
                tally.level_pairs[f"{one} and {two}"] += different
                differing.add(f"{one} and {two}")
    tally.level_situations.update(differing)


LEVELS = {f"J{level}": Rules().with_joker_level(level) for level in range(5)}


def random_flags(random: Random) -> Rules:
    """Any possible mixture of the joker flags."""
    pickup = random.choice([JokerPickup.ALWAYS] + [JokerPickup.AFTER_REPLACEMENT] * 4)
    free = pickup is JokerPickup.ALWAYS
    anywhere = free or random.random() < 0.5
    return replace(
        Rules(),
        joker_pickup=pickup,
        replacement_from=ReplacementFrom.ANYWHERE if anywhere else ReplacementFrom.HAND,
        closed_joker_melds=not free and random.random() < 0.6,
        freed_joker_goes=random.choice(list(FreedJokerGoes)),
        both_colours=not free and random.random() < 0.5,
        two_jokers_in_meld=random.random() < 0.8,
    )


def describe(rules: Rules) -> str:
    """The rules by what differs from the defaults."""
    return " ".join(f"{k}={v}" for k, v in rules.differences(Rules()).items()) or "defaults"


# --- random situations --------------------------------------------------------------------


@dataclass(frozen=True)
class Universe:
    """Colours, numbers and how often each tile is there."""

    colours: tuple[int, ...]
    numbers: tuple[int, ...]
    copies: int
    jokers: int


def random_universe(random: Random) -> Universe:
    """A small one, sometimes at the end of the numbers."""
    size = random.choice((2, 3, 3, 3, 4))
    length = random.choice((3, 4, 5, 5, 6))
    first = random.choice((1, 1, 4, NUMBERS + 1 - length))
    return Universe(
        tuple(sorted(random.sample(range(COLOURS), size))),
        tuple(range(first, first + length)),
        random.choice((2, 2, 2, 3)),
        random.choice((2, 2, 2, 3, 4)),
    )


def _random_meld(random: Random, world: Universe, jokers: int) -> Plain | None:
    colour = random.choice(world.colours)
    if random.random() < 0.55:
        length = random.choice((3, 3, 4, 5))
        if length > len(world.numbers):
            return None
        first = random.choice(world.numbers[: len(world.numbers) - length + 1])
        cells = [colour * NUMBERS + first - 1 + step for step in range(length)]
        kind = Kind.RUN
    else:
        length = random.choice((3, 3, 4))
        real = min(length - jokers, len(world.colours))
        if real < 1 or real + jokers < 3:
            return None
        number = random.choice(world.numbers)
        colours = random.sample(world.colours, real)
        faces = sorted(one * NUMBERS + number - 1 for one in colours)
        return Kind.SET, (*faces, *[JOKER_INDEX] * jokers)
    if jokers >= length:
        return None
    for cell in random.sample(range(length), jokers):
        cells[cell] = JOKER_INDEX
    return kind, tuple(cells)


def random_table(random: Random, world: Universe, most: int) -> Layout:
    """One to three melds, most of them with a joker or two."""
    left = Counter(
        {c * NUMBERS + n - 1: world.copies for c in world.colours for n in world.numbers}
    )
    left[JOKER_INDEX] = world.jokers
    jokers = random.choice((0, 1, 1, 1, 2, 2, 2, 3))
    melds: list[Plain] = []
    for _ in range(random.choice((1, 2, 2, 2, 3, 3))):
        some = min(jokers, random.choice((0, 1, 1, 2)))
        meld = _random_meld(random, world, some)
        if meld is None or sum(len(m[1]) for m in melds) + len(meld[1]) > most:
            continue
        need = Counter(meld[1])
        if all(count <= left[face] for face, count in need.items()):
            left.subtract(need)
            melds.append(meld)
            jokers -= some
    return tuple(sorted(melds))


def random_hand(random: Random, world: Universe, table: Layout, size: int) -> Faces:
    """Tiles that tend to replace jokers, and others."""
    used = Counter(face for _, faces in table for face in faces)
    box = [
        face
        for c in world.colours
        for n in world.numbers
        for face in [c * NUMBERS + n - 1] * world.copies
    ] + [JOKER_INDEX] * world.jokers
    left = list((Counter(box) - used).elements())
    matching = [
        face
        for place, (_, faces) in enumerate(table)
        for cell, joker in enumerate(faces)
        if joker == JOKER_INDEX
        for face in role_of(table[place], cell)[1]
    ]
    hand: list[Face] = []
    for _ in range(size):
        wanted = [face for face in matching if face in left]
        if wanted and random.random() < 0.45:
            face = random.choice(wanted)
        elif JOKER_INDEX in left and random.random() < 0.1:
            face = JOKER_INDEX
        elif left:
            face = random.choice(left)
        else:
            break
        left.remove(face)
        hand.append(face)
    return tuple(sorted(hand))


def random_case(seed: str, most_ends: int = 250) -> tuple[Situation, dict[str, Rules]]:
    """A situation in which something can be played, and rules to judge it by.

    One with more end tables than ``most_ends`` is thrown away: they take the time.
    """
    random = Random(seed)
    opened = random.random() < 0.75
    while True:
        world = random_universe(random)
        table = random_table(random, world, 11 if opened else 8)
        size = random.randint(1, 4) if opened else random.randint(3, 6)
        hand = random_hand(random, world, table, size)
        with_joker = any(JOKER_INDEX in faces for _, faces in table)
        if not hand or (not with_joker and random.random() < 0.9):
            continue
        situation = Situation(table, hand, opened)
        on_table = [face for _, faces in table for face in faces]
        ends = sum(len(layouts([*on_table, *placed])) for placed in parts(hand))
        if 2 <= ends <= most_ends:
            break
    rule_sets = dict(LEVELS) if opened else {}
    for _ in range(4):
        rules = random_flags(random)
        if not opened:
            base = random.choice([rules, *LEVELS.values()])
            rules = replace(
                base,
                opening_minimum=random.choice((0, 6, 9, 12, 15, 20)),
                opening_table_moves=random.random() < 0.85,
            )
        rule_sets.setdefault(describe(rules), rules)
    return situation, rule_sets


def play(count: int, seed: int, seconds: float = float("inf"), most_ends: int = 250) -> Tally:
    """Compares that many random situations, or as many as the time allows."""
    tally = Tally()
    end = time.monotonic() + seconds
    for number in range(count):
        if time.monotonic() > end:
            break
        situation, rule_sets = random_case(f"{seed}:{number}", most_ends)
        compare(situation, rule_sets, tally)
    return tally


def main() -> int:
    """Plays from the command line; 1 if there are disagreements."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--count", type=int, default=1_000, help="how many situations")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after these")
    parser.add_argument("--most-ends", type=int, default=250, help="of a situation")
    options = parser.parse_args()
    tally = play(options.count, options.seed, options.seconds, options.most_ends)
    print(tally.report())
    return 1 if tally.disagreements else 0


if __name__ == "__main__":
    raise SystemExit(main())
