"""How strong the computer players are: all of them against each other, measured in pieces.

Results are kept in a folder of stores, so that the work can be stopped at any time and gone on
with; every unfinished pair gets a slice of time in turn, the most important ones first. With
``--write`` the page of the docs is written from what the stores hold. Without arguments it
measures for a minute and prints the tables.
"""

from __future__ import annotations

import argparse
import contextlib
import re
import shutil
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Final

from meldwise.arena import (
    ArenaError,
    Estimate,
    LocalPool,
    Plan,
    Seating,
    Store,
    Unit,
    available_cores,
)
from meldwise.arena.contest import KIND, Contest, Results
from meldwise.arena.ratings import elo_ratings
from meldwise.arena.summary import PairSummary, Summary, summarise
from meldwise.arena.wording import as_number, as_percent, as_seconds
from meldwise.game.codes import Code
from meldwise.game.presets import GAMES
from meldwise.players import player_names

ROOT: Final = Path(__file__).resolve().parent.parent
PAGE: Final = ROOT / "docs" / "strength.md"
STORES: Final = ROOT / ".strength"

LEVELS: Final = ("beginner", "casual", "regular", "skilled", "expert", "master")
YARDSTICK: Final = "greedy"
GAME_NAMES: Final = ("pup-rummy", "rrrummy")
SIZES: Final = (2, 4)


@dataclass(frozen=True, slots=True)
class Cell:
    """A pair in one setting.

    Attributes:
        plan: what is played.
        rounds: how many rounds are wanted.
        rank: how soon it is measured: lower ones first.
    """

    plan: Plan
    rounds: int
    rank: int

    @property
    def deals(self) -> int:
        """How many deals make the rounds."""
        return -(-self.rounds // self.plan.games_a_deal)

    @property
    def name(self) -> str:
        """A name for the store's file."""
        plan = self.plan
        joker_level = plan.rules.joker_level
        words = (
            *plan.entrants,
            f"{plan.players}p",
            plan.seating.value,
            f"J{joker_level}",
            plan.seed,
        )
        return re.sub(r"[^\w.=-]+", "_", "-".join(words)) + ".jsonl"

    def open(self, folder: Path) -> Store:
        """The store of its results."""
        folder.mkdir(parents=True, exist_ok=True)
        return Store(folder / self.name, KIND, self.plan.as_dict())

    def results(self, folder: Path) -> Results:
        """What has been measured, perhaps by another process that goes on with it."""
        if not (folder / self.name).exists():
            return Results(self.plan, self.deals, 0, ())
        with tempfile.TemporaryDirectory() as copies:
            shutil.copy(folder / self.name, copies)
            with self.open(Path(copies)) as store:
                return Contest(self.plan, self.deals, store=store).results()

    def play(self, folder: Path, jobs: int, seconds: float) -> bool:
        """Measures for about some seconds; says whether it is finished.

        It finishes the deals that it begins, since those of slow players are dear.
        """
        with self.open(folder) as store:
            contest = Contest(self.plan, self.deals, store=store)
            known = contest.results()
            each = thinking(summarise(known)) / len(known.units) if known.units else None
            most = jobs if not each else max(jobs, int(seconds * jobs / each))
            contest.play(lambda: LocalPool(jobs), jobs, clock=time.perf_counter, most=most)
            return not contest.left


def thinking(summary: Summary) -> float:
    """How many seconds all players thought."""
    return sum(e.timing.total for e in summary.entrants if e.timing is not None)


def cells_of(
    players: Sequence[str], games: Iterable[str], sizes: Iterable[int], rounds: int, seed: str
) -> list[Cell]:
    """All that is to be measured, the most important first."""
    cells = []
    order = [name for name in players if name != YARDSTICK]
    for size in sizes:
        for game in games:
            preset = GAMES.find(game)
            plan = Plan((order[0], YARDSTICK), preset.rules, preset.title, size, seed)
            for one, two in combinations(players, 2):
                near = {one, two} <= set(order) and abs(order.index(one) - order.index(two)) == 1
                rank = 0 if YARDSTICK in (one, two) else 1 if near else 3
                pair = (two, one) if one == YARDSTICK else (one, two)
                cells.append(Cell(replace(plan, entrants=pair), rounds, rank))
            for name in order if size > 2 else ():
                alone = replace(plan, entrants=(name, YARDSTICK), seating=Seating.ALONE)
                cells.append(Cell(alone, rounds, 2))
    return sorted(cells, key=lambda cell: (cell.rank, cell.plan.players))


def measure(cells: Sequence[Cell], folder: Path, jobs: int, minutes: float, piece: float) -> None:
    """Gives every unfinished cell a slice of time in turn, until all is done or time is up."""
    end = time.perf_counter() + 60 * minutes if minutes else float("inf")
    left = list(cells)
    while left:
        for cell in list(left):
            begun = now = time.perf_counter()
            if now >= end:
                return
            until = min(end, begun + piece)
            try:
                while now < until and cell in left:
                    if cell.play(folder, jobs, until - now):
                        left.remove(cell)
                    now = time.perf_counter()
            except ArenaError as error:
                if error.code is not Code.ARENA_STORE_BUSY:
                    raise
                print(f"{cell.name} is being measured by another process.", flush=True)
                left.remove(cell)
                continue
            done = len(cell.results(folder).units)
            names = " against ".join(cell.plan.entrants)
            size, seating = cell.plan.players, cell.plan.seating.value
            print(f"{cell.plan.game}, {size} players, {seating}: {names}: "
                  f"{done} of {cell.deals} deals", flush=True)  # fmt: skip


# --- the page -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Measured:
    """A cell with what is known of it."""

    cell: Cell
    summary: Summary

    @property
    def pair(self) -> PairSummary:
        """The pair."""
        return self.summary.pairs[0]

    @property
    def complete(self) -> bool:
        """Whether all rounds that were wanted have been played."""
        return self.summary.results.complete

    @property
    def seconds(self) -> float:
        """How long the players thought, in all."""
        return thinking(self.summary)

    @property
    def state(self) -> str:
        """What is said of how far it is."""
        if self.complete:
            return f"{self.pair.games:,}"
        return f"{self.pair.games:,} of {self.cell.rounds:,}"

    def value(self, text: str) -> str:
        """A value, marked where it is no claim yet."""
        return text if self.complete else f"({text})"


INTRODUCTION: Final = """\
# How strong the computer players are

This page is written by `bench/strength.py`; [the arena](arena.md) says how its numbers come
about. Every deal is played in each seating, so that its luck cancels out; intervals are of
95 % and take whole deals as what is independent. A value in parentheses is of a pair that has
not been measured in full yet: it is no claim. Pairs that have not been measured say so.
"""


def page(measured: Sequence[Measured], players: Sequence[str], command: str) -> str:
    """The text of the page."""
    parts = [INTRODUCTION]
    seeds = ", ".join(dict.fromkeys(f"`{m.cell.plan.seed}`" for m in measured))
    done = sum(m.complete for m in measured)
    rounds = sum(m.summary.rounds for m in measured)
    seconds = sum(m.seconds for m in measured)
    parts.append(
        f"{done} of {len(measured)} pairs are measured in full, {rounds:,} rounds in all; the "
        f"players thought for {as_seconds(seconds)}.\nThe seed is {seeds}. Reproduce it with\n\n"
        f"    {command}\n\nPlayers with a budget in time play by the speed of the machine, so "
        "that their rounds\nare not repeated move by move.\n"
    )
    for game in dict.fromkeys(m.cell.plan.game for m in measured):
        for size in dict.fromkeys(m.cell.plan.players for m in measured):
            own = [m for m in measured if m.cell.plan.game == game and m.cell.plan.players == size]
            if own:
                level = own[0].cell.plan.rules.joker_level
                parts.append(f"\n## {game} (J{level}), {size} players")
                parts += _setting(own, players)
    parts.append(_times(measured, players))
    return "\n".join(parts).rstrip() + "\n"


def _setting(own: Sequence[Measured], players: Sequence[str]) -> Iterable[str]:
    pairs = [m for m in own if m.cell.plan.seating is Seating.PAIRS]
    alone = [m for m in own if m.cell.plan.seating is Seating.ALONE]
    yield from _elo(pairs, players)
    yield from _table(
        "Each two against each other" + (", in every other seat" if alone else ""), pairs
    )
    if alone:
        yield from _table(
            f"Alone against {alone[0].cell.plan.players - 1} {YARDSTICK} (fair: 25 %)", alone
        )


def _table(title: str, rows: Sequence[Measured]) -> Iterable[str]:
    yield f"\n### {title}\n"
    missing = [" and ".join(m.cell.plan.entrants) for m in rows if not m.pair.games]
    rows = [m for m in rows if m.pair.games]
    if missing:
        yield f"Not measured: {'; '.join(missing)}.\n"
    if not rows:
        return
    yield "| player | against | rounds | wins | points a round | points ahead | time |"
    yield "| --- | --- | ---: | ---: | ---: | ---: | ---: |"
    for m in rows:
        first, second = m.cell.plan.entrants
        cells = (
            m.value(as_percent(m.pair.wins)),
            m.value(as_number(m.pair.score)),
            m.value(as_number(m.pair.ahead)),
            as_seconds(m.seconds),
        )
        yield f"| {first} | {second} | {m.state} | {' | '.join(cells)} |"


def _elo(pairs: Sequence[Measured], players: Sequence[str]) -> Iterable[str]:
    """Elo above the yardstick, from all pairs together."""
    units: list[Unit] = []
    for m in pairs:
        who = [players.index(name) for name in m.cell.plan.entrants]
        for unit in m.summary.results.units:
            games = tuple(
                replace(game, seats=tuple(who[seat] for seat in game.seats)) for game in unit.games
            )
            units.append(replace(unit, games=games))
    if not units:
        return
    ratings = elo_ratings(units, len(players), players.index(YARDSTICK))
    complete = all(m.complete for m in pairs)
    yield f"\n### Elo above {YARDSTICK}\n"
    yield "| player | Elo |"
    yield "| --- | ---: |"
    known: list[tuple[str, Estimate | None]] = list(zip(players, ratings, strict=True))
    for name, rating in sorted(known, key=lambda pair: -(pair[1].value if pair[1] else -9e9)):
        text = as_number(rating)
        yield f"| {name} | {text if complete or rating is None else f'({text})'} |"


def _times(measured: Sequence[Measured], players: Sequence[str]) -> str:
    lines = [
        "\n## Time a move, and what went wrong\n",
        "An overrun is a move that took over 20 % more than the player's budget. Times are those\n"
        "of a clock on the wall: where the measurement was suspended, or the machine had other\n"
        "work, a move counts with the whole pause. `bench/conduct.py` measures by itself.\n",
        "| player | moves | mean | worst | budget | overruns | incidents |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for name in players:
        entrants = [e for m in measured for e in m.summary.entrants if e.name == name]
        timings = [entrant.timing for entrant in entrants if entrant.timing is not None]
        if not timings:
            continue
        moves = sum(timing.moves for timing in timings)
        mean = sum(timing.total for timing in timings) / moves
        budget = next((t.budget for t in timings if t.budget is not None), None)
        lines.append(
            f"| {name} | {moves:,} | {as_seconds(mean)} | "
            f"{as_seconds(max(timing.worst for timing in timings))} | "
            f"{'–' if budget is None else as_seconds(budget)} | "
            f"{sum(timing.overruns for timing in timings)} | "
            f"{sum(sum(entrant.incidents.values()) for entrant in entrants)} |"
        )
    return "\n".join(lines)


def wanted_players(named: Sequence[str] | None) -> list[str]:
    """The players to measure, the yardstick always among them."""
    known = set(player_names())
    found = list(named or [name for name in LEVELS if name in known])
    return found if YARDSTICK in found else [*found, YARDSTICK]


def main(words: Sequence[str] | None = None) -> None:
    """Measures, prints the tables, and writes the page if that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--player", action="append", help="a player; repeat it (default: all levels)"
    )
    parser.add_argument("--pairs", nargs="*", help="only these, such as master:greedy, by name")
    parser.add_argument(
        "--seating", choices=[kind.value for kind in Seating], help="only such pairs"
    )
    parser.add_argument("--game", action="append", help=f"default: {', '.join(GAME_NAMES)}")
    parser.add_argument("--players", type=int, action="append", help="at a table; default: 2 and 4")
    parser.add_argument("--rounds", type=int, default=1000, help="of each pair")
    parser.add_argument("--budget-minutes", type=float, default=1.0, help="0: until all is done")
    parser.add_argument("--slice-seconds", type=float, default=60.0, help="for a pair at a time")
    parser.add_argument("--jobs", type=int, default=available_cores())
    parser.add_argument("--seed", default="strength")
    parser.add_argument("--store", type=Path, default=STORES, help="a folder")
    parser.add_argument("--report-only", action="store_true", help="measure nothing")
    parser.add_argument("--write", type=Path, nargs="?", const=PAGE, help="write the page")
    options = parser.parse_args(words)
    players = wanted_players(options.player)
    cells = cells_of(
        players, options.game or GAME_NAMES, options.players or SIZES, options.rounds, options.seed
    )
    if not options.report_only:
        chosen = cells
        if options.pairs:
            names = [set(pair.split(":", 1)) for pair in options.pairs]
            chosen = [
                cell
                for cell in cells
                if {entrant.partition(":")[0] for entrant in cell.plan.entrants} in names
            ]
        if options.seating:
            chosen = [cell for cell in chosen if cell.plan.seating.value == options.seating]
        with contextlib.suppress(KeyboardInterrupt):  # What is measured is kept and shown.
            measure(
                chosen, options.store, options.jobs, options.budget_minutes, options.slice_seconds
            )
    measured = [Measured(cell, summarise(cell.results(options.store))) for cell in cells]
    named = "".join(f" --player {name}" for name in options.player or ())
    rounds = "" if options.rounds == 1000 else f" --rounds {options.rounds}"
    command = f".venv/bin/python bench/strength.py --budget-minutes 0 --write{named}{rounds}"
    text = page(measured, players, command)
    if options.write is not None:
        options.write.write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
