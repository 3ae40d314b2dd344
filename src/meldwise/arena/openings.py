"""How soon a player can open: exactly, for each of many random hands.

Tiles are drawn from a whole box one after the other, and the solver says from how many on an
opening is possible. More tiles never make it impossible, so the number is found by halving.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from statistics import NormalDist
from typing import Final

from meldwise.arena.estimates import CONFIDENCE, Estimate, wilson
from meldwise.arena.plan import deal_seed
from meldwise.arena.results import Data, Key
from meldwise.game.position import Position
from meldwise.game.rules import Rules
from meldwise.game.shuffle import Seeds, box_of, shuffled
from meldwise.game.tiles import Tile
from meldwise.solver import can_play

__all__ = ["BATCH", "OpeningWork", "Openings", "tiles_to_open"]

BATCH: Final = 500
"""How many hands make a unit of work."""

_NEVER: Final = 0
"""What stands for a box in which no opening can be made at all."""


def tiles_to_open(order: tuple[Tile, ...], rules: Rules) -> int:
    """With how many tiles, drawn in this order, a player can open; 0 if never.

    Args:
        order: the tiles in the order in which they are drawn; the first ones are the hand.
        rules: the rules of the table.
    """

    def opens(count: int) -> bool:
        return can_play(Position((), tuple(sorted(order[:count])), False), rules)

    low = rules.hand_size
    if opens(low):
        return low
    # Most hands open a few tiles later, so the range is doubled until it holds the number.
    step = 1
    high = low + step
    while high < len(order) and not opens(high):
        low, step = high, 2 * step
        high = low + step
    high = min(high, len(order))
    if high == len(order) and not opens(high):
        return _NEVER
    while high - low > 1:
        middle = (low + high) // 2
        if opens(middle):
            high = middle
        else:
            low = middle
    return high


@dataclass(frozen=True, slots=True)
class OpeningWork:
    """The work of looking at hands; the second number of a key says which :data:`BATCH`.

    Attributes:
        rules: the rules of the table.
        seed: what all hands follow from.
    """

    rules: Rules
    seed: str

    def do(self, key: Key, clock: Callable[[], float] | None) -> Data:  # noqa: ARG002
        """Looks at a batch of hands: how often which jokers were dealt and tiles were needed."""
        box = box_of(self.rules)
        counts: Counter[tuple[int, int]] = Counter()
        seeds = Seeds(deal_seed(f"{self.seed} hands", key[1]), ())
        batch = seeds.key(1)
        for number in range(BATCH):
            order = shuffled(box, batch, f"hand-{number}")
            jokers = sum(tile.is_joker for tile in order[: self.rules.hand_size])
            counts[jokers, tiles_to_open(order, self.rules)] += 1
        return {"counts": [[*kind, count] for kind, count in sorted(counts.items())]}


@dataclass(frozen=True, slots=True)
class Openings:
    """What was found about hands.

    Attributes:
        hand_size: how many tiles a hand has.
        counts: how many hands there were by the jokers dealt, and the tiles needed; 0 for
            never.
    """

    hand_size: int
    counts: Mapping[tuple[int, int], int]

    @classmethod
    def from_data(cls, rules: Rules, batches: Iterable[Data]) -> Openings:
        """Adds up what :class:`OpeningWork` gave."""
        counts: Counter[tuple[int, int]] = Counter()
        for batch in batches:
            for jokers, tiles, count in batch["counts"]:
                counts[jokers, tiles] += count
        return cls(rules.hand_size, dict(sorted(counts.items())))

    @property
    def hands(self) -> int:
        """How many hands were looked at."""
        return sum(self.counts.values())

    @property
    def tiles(self) -> dict[int, int]:
        """How many hands needed each number of tiles; 0 for never."""
        tiles: Counter[int] = Counter()
        for (_, needed), count in self.counts.items():
            tiles[needed] += count
        return dict(sorted(tiles.items()))

    def within(self, tiles: int) -> Estimate | None:
        """The chance to be able to open with so many tiles."""
        opened = sum(n for (_, needed), n in self.counts.items() if 0 < needed <= tiles)
        return wilson(opened, self.hands)

    @property
    def at_once(self) -> Estimate | None:
        """The chance to be able to open with the tiles dealt."""
        return self.within(self.hand_size)

    @property
    def by_jokers(self) -> dict[int, tuple[int, Estimate | None]]:
        """How many hands were dealt so many jokers, and the chance to open at once with them."""
        found = {}
        for jokers in sorted({jokers for jokers, _ in self.counts}):
            of = {needed: n for (dealt, needed), n in self.counts.items() if dealt == jokers}
            total = sum(of.values())
            found[jokers] = total, wilson(of.get(self.hand_size, 0), total)
        return found

    @property
    def draws(self) -> Estimate | None:
        """How many tiles have to be drawn before an opening; none for who can open at once."""
        return self._draws(self.hand_size)

    @property
    def draws_of_others(self) -> Estimate | None:
        """How many tiles a hand that cannot open at once has to draw."""
        return self._draws(self.hand_size + 1)

    def _draws(self, least: int) -> Estimate | None:
        drawn = {needed - self.hand_size: n for needed, n in self.tiles.items() if needed >= least}
        hands = sum(drawn.values())
        if hands < 2:
            return None
        mean = sum(draws * n for draws, n in drawn.items()) / hands
        squares = sum(n * (draws - mean) ** 2 for draws, n in drawn.items())
        margin = NormalDist().inv_cdf((1 + CONFIDENCE) / 2) * math.sqrt(
            squares / (hands - 1) / hands
        )
        return Estimate(mean, mean - margin, mean + margin, hands)

    def quantile(self, share: float) -> int | None:
        """With how many tiles that share of all hands can open; None if it never is."""
        left = share * self.hands
        for needed, count in self.tiles.items():
            left -= count if needed else 0
            if needed and left <= 0:
                return needed
        return None
