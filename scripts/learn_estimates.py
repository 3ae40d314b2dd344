"""Learns what a round that goes on is worth, from rounds that are played out.

    python -m scripts.learn_estimates [--seconds N] [--kind KIND]... [--seed TEXT]

For each kind of table, rounds are dealt and played out; in the first turns of most, seats hold
tiles back now and then, so that hands occur which greedy players do not have. From then on
everybody plays the most tiles. Up to four quiet moments of each round are described, with who
won and what each hand cost in the end. To these a network is fitted (cross-entropy of the
winner, squared error of the cost; Adam: Kingma and Ba, 2015), and written to
``src/meldwise/players/search/estimates.json``. Needs the compiled kernel.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from meldwise.game.presets import GAMES
from meldwise.game.rules import Rules
from meldwise.game.tiles import FACES
from meldwise.players.search.engine import BOARD, TILES, WORLDS, Engine, State
from meldwise.players.search.weights import (
    HIDDEN,
    INPUTS,
    KINDS,
    OF_HAND,
    OF_TABLE,
    WEIGHTS,
)

ROOT: Final = Path(__file__).resolve().parents[1]
FILE: Final = ROOT / "src" / "meldwise" / "players" / "search" / "estimates.json"

SIZES: Final = {"two": (2,), "more": (3, 4)}
GAME_NAMES: Final = {"free": "pup-rummy", "fixed": "rrrummy"}

STRAY: Final = (0, 60, 150, 300)
"""In how many of a thousand turns a seat holds tiles back at first."""

KEEP: Final = 0.5
"""How many of the seats keep their jokers to the end."""

COST: Final = 0.02
"""What the squared error of the cost, in tens, counts beside the cross-entropy."""

BATCH: Final = 1024
ROUNDS: Final = 12
RATE: Final = 2e-3
HELD_OUT: Final = 10
"""One of so many examples is not learned from."""

Numbers = NDArray[np.float32]

Moment = tuple[Any, Any, int, Any]
"""What describes the hands and the table, who won, and what each hand cost, in tens."""


@dataclass(slots=True)
class Examples:
    """Quiet moments, and what became of them.

    Attributes:
        inputs: what the network sees of each seat.
        present: which seats there are.
        winners: who won.
        costs: what each hand cost in the end, in tens.
    """

    inputs: Numbers
    present: NDArray[np.bool_]
    winners: NDArray[np.int64]
    costs: Numbers

    def part(self, chosen: Any) -> Examples:
        """Some of the examples."""
        return Examples(
            self.inputs[chosen], self.present[chosen], self.winners[chosen], self.costs[chosen]
        )


class Dealer:
    """Deals rounds of a game and plays them out."""

    def __init__(self, rules: Rules, players: int, seed: str) -> None:
        self.engine = Engine(rules)
        if not self.engine.compiled:
            raise SystemExit("The kernel is not compiled; `make setup` says why.")
        self.rules = rules
        self.players = players
        self.random = Random(seed)
        self.deck = [face for face in range(FACES) for _ in range(rules.copies)]
        self.deck += [FACES] * rules.jokers
        self.worth = np.array([face % 13 + 1 for face in range(FACES)] + [rules.joker_in_hand])

    def moments(self) -> list[Moment]:
        """Quiet moments of one round: of the hands, of the table, the winner, the costs."""
        engine, random, players = self.engine, self.random, self.players
        random.shuffle(self.deck)
        size = self.rules.hand_size
        hands = [[0] * TILES for _ in range(players)]
        for place, face in enumerate(self.deck[: size * players]):
            hands[place // size][face] += 1
        stock = self.deck[size * players :]
        world = random.randrange(WORLDS)
        stray = random.choice(STRAY)
        until = random.randrange(1, 44)
        nobody = (0,) * players
        keeps = tuple(random.random() < KEEP for _ in range(players))
        start = State(
            players=players,
            seat=0,
            stock=len(stock),
            passes=0,
            turns_left=-1,
            turn=1,
            opened=(False,) * players,
            last_played=nobody,
            last_turn=nobody,
            skips=nobody,
            totals=nobody,
            keeps=keeps,
        )

        def play(depth: int) -> tuple[int, int]:
            engine.begin(start, (1.0, 0.0, 0.0), depth)
            engine.stray(stray, until)
            engine.set_candidate(0, [0] * BOARD, hands[0], idle=True)
            engine.set_world(world, hands, stock)
            winner, turn = engine.playouts.play_out(0, world)
            return int(winner), int(turn)

        winner, length = play(0)
        ended = np.array(engine.arrays.hands[: players * TILES]).reshape(players, TILES)
        costs = ended @ self.worth / 10
        found: list[Moment] = []
        depth = until
        while depth < length - 1 and len(found) < 4:
            goes_on, turn = play(depth)
            if goes_on >= 0:
                break
            arrays = engine.arrays
            found.append((arrays.features[: players * OF_HAND], arrays.common[:], winner, costs))
            depth = max(depth, turn) + random.randrange(3, 8) * players
        return found


def examples(kind: str, seconds: float, seed: str) -> Examples:
    """Plays rounds for some seconds."""
    number, jokers = kind.split("-")
    rules = GAMES.find(GAME_NAMES[jokers]).rules
    made = []
    for players in SIZES[number]:
        dealer = Dealer(rules, players, f"{seed} {kind} {players}")
        end = perf_counter() + seconds / len(SIZES[number])
        found: list[Moment] = []
        while perf_counter() < end:
            found += dealer.moments()
        made.append(_looked_at(found, players, max(SIZES[number])))
        print(f"{kind}, {players} players: {len(found)} moments", flush=True)
    every = Examples(
        np.concatenate([some.inputs for some in made]),
        np.concatenate([some.present for some in made]),
        np.concatenate([some.winners for some in made]),
        np.concatenate([some.costs for some in made]),
    )
    order = np.random.default_rng(1).permutation(len(every.winners))
    return every.part(order)


def _looked_at(found: list[Moment], players: int, room: int) -> Examples:
    """What the network sees of each seat: its hand, its rival's, and the table."""
    count = len(found)
    hands = np.array([hand for hand, _, _, _ in found], np.float32)
    hands = hands.reshape(count, players, OF_HAND)
    tables = np.array([table for _, table, _, _ in found], np.float32)
    inputs = np.zeros((count, room, INPUTS), np.float32)
    costs = np.zeros((count, room), np.float32)
    present = np.zeros((count, room), np.bool_)
    for seat in range(players):
        sizes = hands[:, :, 2].copy()
        sizes[:, seat] = np.inf
        rival = sizes.argmin(axis=1)
        inputs[:, seat, :OF_HAND] = hands[:, seat]
        inputs[:, seat, OF_HAND : 2 * OF_HAND] = hands[np.arange(count), rival]
        inputs[:, seat, 2 * OF_HAND :] = tables[:, :OF_TABLE]
        costs[:, seat] = [cost[seat] for _, _, _, cost in found]
        present[:, seat] = True
    winners = np.array([winner for _, _, winner, _ in found])
    return Examples(inputs, present, winners, costs)


@dataclass(slots=True)
class Network:
    """The weights by layer: see :mod:`meldwise.players.search.weights`."""

    inner: Numbers
    inner_own: Numbers
    outer: Numbers
    outer_own: Numbers

    @classmethod
    def random(cls, seed: int) -> Network:
        """A network that has learned nothing."""
        random = np.random.default_rng(seed)
        return cls(
            (random.standard_normal((INPUTS, HIDDEN)) * (2 / INPUTS) ** 0.5).astype(np.float32),
            np.zeros(HIDDEN, np.float32),
            (0.1 * random.standard_normal((HIDDEN, 2))).astype(np.float32),
            np.array([0, 3], np.float32),
        )

    @property
    def layers(self) -> tuple[Numbers, ...]:
        """All weights."""
        return self.inner, self.inner_own, self.outer, self.outer_own

    def row(self) -> list[float]:
        """The weights in the order of the file."""
        flat = [self.inner.ravel(), self.inner_own, self.outer.T.ravel(), self.outer_own]
        return [round(float(value), 4) for value in np.concatenate(flat)]

    def look(self, some: Examples) -> tuple[Any, Any, Any, Any]:
        """The hidden layer before and after its bend, the chances, and the costs."""
        count, room, _ = some.inputs.shape
        before = some.inputs.reshape(-1, INPUTS) @ self.inner + self.inner_own
        hidden = np.maximum(before, 0)
        out = (hidden @ self.outer + self.outer_own).reshape(count, room, 2)
        scores = np.where(some.present, out[:, :, 0], -np.inf)
        chances = np.exp(scores - scores.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        return before, hidden, chances, out[:, :, 1]

    def slopes(self, some: Examples) -> tuple[Any, ...]:
        """How the loss grows with each weight."""
        count = len(some.winners)
        before, hidden, chances, costs = self.look(some)
        each = np.arange(count)
        slope = np.zeros((*chances.shape, 2), np.float32)
        slope[:, :, 0] = chances
        slope[each, some.winners, 0] -= 1
        slope[:, :, 1] = COST * np.where(some.present, costs - some.costs, 0)
        # What the winner would have paid is not known.
        slope[each, some.winners, 1] = 0
        flat = slope.reshape(-1, 2) / count
        back = flat @ self.outer.T
        back[before <= 0] = 0
        return some.inputs.reshape(-1, INPUTS).T @ back, back.sum(0), hidden.T @ flat, flat.sum(0)

    def loss(self, some: Examples) -> float:
        """The cross-entropy of the winner, in nats."""
        chances = self.look(some)[2]
        return float(-np.log(chances[np.arange(len(some.winners)), some.winners] + 1e-9).mean())


def learn(every: Examples) -> Network:
    """Fits a network, and says how well it does on examples that it was not shown."""
    held = len(every.winners) // HELD_OUT
    seen, unseen = every.part(slice(held, None)), every.part(slice(held))
    network = Network.random(0)
    layers = network.layers
    means = [np.zeros_like(layer) for layer in layers]
    squares = [np.zeros_like(layer) for layer in layers]
    random = np.random.default_rng(0)
    count = len(seen.winners)
    steps = ROUNDS * (count // BATCH)
    step = 0
    for _ in range(ROUNDS):
        order = random.permutation(count)
        for begin in range(0, count - BATCH + 1, BATCH):
            slopes = network.slopes(seen.part(order[begin : begin + BATCH]))
            step += 1
            rate = RATE * 0.5 * (1 + np.cos(np.pi * step / steps))
            for layer, mean, square, slope in zip(layers, means, squares, slopes, strict=True):
                mean += 0.1 * (slope - mean)
                square += 0.001 * (slope * slope - square)
                size = np.sqrt(square / (1 - 0.999**step)) + 1e-8
                layer -= (rate * mean / (1 - 0.9**step) / size).astype(np.float32)
    guess = np.log(every.present[:held].sum(axis=1)).mean()
    print(
        f"nats a round: seen {network.loss(seen):.4f}, not seen {network.loss(unseen):.4f}, "
        f"a guess {guess:.4f}",
        flush=True,
    )
    return network


def main() -> None:
    """Learns, and writes the file."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=float, default=240, help="of play for each kind")
    parser.add_argument("--kind", action="append", choices=KINDS, help="only this kind")
    parser.add_argument("--seed", default="estimates")
    options = parser.parse_args()
    learned = json.loads(FILE.read_text("utf-8")) if FILE.exists() else {}
    if any(len(learned.get(kind, ())) != WEIGHTS for kind in KINDS):
        # The network has another shape now; while rounds are played it says nothing anyway.
        learned = {kind: [0.0] * WEIGHTS for kind in KINDS}
        FILE.write_text(json.dumps(learned), encoding="utf-8")
    for kind in options.kind or KINDS:
        learned[kind] = learn(examples(kind, options.seconds, options.seed)).row()
        FILE.write_text(json.dumps(learned, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
