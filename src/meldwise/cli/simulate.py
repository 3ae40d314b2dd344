"""``meldwise simulate``: the game itself in numbers."""

from __future__ import annotations

import time
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from meldwise.cli.arena import check_players
from meldwise.cli.exits import CliError, Exit
from meldwise.cli.options import chosen_rules, complete_level, examples, rules_options
from meldwise.cli.workers import Meter, output_options, work_options, workers_of, write_results

if TYPE_CHECKING:
    from collections.abc import Callable

    from meldwise.arena.results import Data, Key
    from meldwise.arena.simulation import FullWork, Simulation

__all__ = ["command"]

KIND: Final = "simulation"

EPILOG: Final = examples(
    "meldwise simulate",
    "meldwise simulate --hands 1000000 --deals 0 --set jokers=0",
    "meldwise simulate greedy --players 4 --game tiles-50 --html game.html",
)


@click.command("simulate", epilog=EPILOG)
@click.argument("player", default="greedy", metavar="[PLAYER]", shell_complete=complete_level)
@rules_options
@click.option(
    "--players", "-p", type=click.IntRange(2, 6), help="How many sit at a table. [default: 2]"
)
@click.option(
    "--hands",
    type=click.IntRange(0, 100_000_000),
    default=20_000,
    show_default=True,
    help="How many random hands are looked at.",
)
@click.option(
    "--deals",
    type=click.IntRange(0, 10_000_000),
    default=500,
    show_default=True,
    help="How many deals are played, each once for every seat that begins.",
)
@work_options
@click.option(
    "--store",
    "--resume",
    "store_file",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Keep results in a file, and go on with what is in it.",
)
@output_options
def command(
    player: str,
    game: str | None,
    rules_file: Path | None,
    settings: tuple[str, ...],
    rounds: int | None,
    players: int | None,
    hands: int,
    deals: int,
    seed: str,
    jobs: int | None,
    dask: str | None,
    store_file: Path | None,
    json_file: Path | None,
    html_file: Path | None,
    quiet: bool,
) -> None:
    """Measure the game itself: openings, length, who begins, and the worth of a joker.

    PLAYER sits in every seat. [default: greedy]
    """
    from meldwise.arena.openings import BATCH, OpeningWork
    from meldwise.arena.simulation import HANDS, ROUNDS, FullWork, SimulationWork
    from meldwise.arena.simulation_report import simulation_data, simulation_page

    title, rules = chosen_rules(game, rules_file, settings, rounds)
    check_players([player])
    count = players or max(2, rules.min_players)
    rules.check_players(count)
    work = FullWork(OpeningWork(rules, seed), SimulationWork(player, rules, count, seed))
    batches = -(-hands // BATCH)
    wanted = [(HANDS, n) for n in range(batches)] + [(ROUNDS, n) for n in range(deals)]
    begun = time.perf_counter()
    found, code = _run(work, wanted, jobs, dask, store_file, quiet)
    seconds = time.perf_counter() - begun
    simulation = _sum_up(work, found)
    if str(json_file) != "-":
        _show(simulation, title, seconds)
    write_results(
        simulation_data(simulation, title, seconds),
        lambda: simulation_page(simulation, title, seconds),
        json_file,
        html_file,
    )
    if code is not Exit.FINE:
        hint = "" if store_file is None else "The same command goes on."
        raise CliError("Interrupted; the results are of what was played before.", code, hint=hint,
                       key="interrupted")  # fmt: skip


def _run(
    work: FullWork,
    wanted: list[Key],
    jobs: int | None,
    dask: str | None,
    store_file: Path | None,
    quiet: bool,
) -> tuple[dict[Key, Data], Exit]:
    """Does what is wanted; what came of it, and how it ended."""
    from meldwise.arena.run import run_work
    from meldwise.arena.store import Store
    from meldwise.cli.terminal import Stopped, stopping_signals

    found: dict[Key, Data] = {}
    with ExitStack() as stack:
        keep: Callable[[Key, Data], None] | None = None
        if store_file is not None:
            store_file.parent.mkdir(parents=True, exist_ok=True)
            store = stack.enter_context(Store(store_file, KIND, work.as_dict()))
            found = {key: store.results[key] for key in wanted if key in store.results}
            keep = store.add
        left = [key for key in wanted if key not in found]
        if not left:
            return found, Exit.FINE
        try:
            with (
                stopping_signals(),
                workers_of(jobs, dask) as workers,
                Meter("batches and deals", len(wanted), len(found), quiet=quiet) as meter,
            ):

                def done(key: Key, data: Data) -> bool:
                    if keep is not None:
                        keep(key, data)
                    found[key] = data
                    meter.step()
                    return True

                run_work(work, left, workers.executor, workers.jobs, done=done,
                         clock=time.perf_counter)  # fmt: skip
        except Stopped as stop:
            return found, stop.code
    return found, Exit.FINE


def _sum_up(work: FullWork, found: dict[Key, Data]) -> Simulation:
    from meldwise.arena.openings import Openings
    from meldwise.arena.simulation import HANDS, ROUNDS, SimulatedDeal, Simulation

    batches = [data for key, data in sorted(found.items()) if key[0] == HANDS]
    openings = Openings.from_data(work.hands.rules, batches)
    deals = [
        SimulatedDeal.from_data(key[1], data)
        for key, data in sorted(found.items())
        if key[0] == ROUNDS
    ]
    return Simulation.of(work.rounds, openings, deals)


def _show(simulation: Simulation, title: str, seconds: float) -> None:
    from meldwise.arena.simulation_report import simulation_grids
    from meldwise.arena.wording import as_seconds
    from meldwise.cli.tables import show_grids, show_lines

    work = simulation.work
    show_grids(simulation_grids(simulation))
    lines = [
        f"{title}, {work.players} players, {work.player} in every seat; seed {work.seed}; "
        f"{as_seconds(seconds)}; intervals are of 95 %."
    ]
    if simulation.incidents:
        lines.append(f"The player did something wrong {simulation.incidents} times.")
    show_lines(lines)
