"""``meldwise arena``: computer players against each other in numbers."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from meldwise.cli.exits import CliError, Exit, nearest
from meldwise.cli.options import chosen_rules, complete_level, examples, rules_options
from meldwise.cli.workers import Meter, output_options, work_options, workers_of, write_results

if TYPE_CHECKING:
    from collections.abc import Sequence

    from meldwise.arena.contest import Contest
    from meldwise.arena.plan import Plan, Seating
    from meldwise.arena.sequential import Sequential
    from meldwise.arena.store import Store

__all__ = ["check_players", "command", "open_store"]

SEATINGS: Final = ("pairs", "alone", "together")

EPILOG: Final = (
    examples(
        "meldwise arena greedy plain --games 2000",
        "meldwise arena greedy plain --players 4 --seating alone --game rrrummy",
        "meldwise arena greedy plain --store duel.jsonl --html duel.html --json duel.json",
        "meldwise arena greedy plain --sequential --elo 0:50 --games 20000",
    )
    + """

Every deal is played once in each seating, so that its luck cancels out. Stopped with Ctrl-C,
an arena with a --store goes on where it was."""
)


@click.command("arena", epilog=EPILOG)
@click.argument(
    "players_named", nargs=-1, required=True, metavar="PLAYER...", shell_complete=complete_level
)
@rules_options
@click.option(
    "--players", "-p", type=click.IntRange(2, 6), help="How many sit at a table. [default: 2]"
)
@click.option(
    "--games",
    "-n",
    type=click.IntRange(1, 10_000_000),
    default=1000,
    show_default=True,
    help="How many games of each pairing, in whole deals.",
)
@click.option(
    "--seating",
    type=click.Choice(SEATINGS),
    help="Each two in every other seat; the first alone against each of the others; "
    "or all together. [default: together if there is a seat for each, else pairs]",
)
@click.option("--matches", is_flag=True, help="Play whole matches, not single rounds.")
@click.option(
    "--from-deal",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    help="The number of the first deal.",
)
@click.option(
    "--sequential",
    is_flag=True,
    help="Stop as soon as it is clear whether the first of two is stronger.",
)
@click.option(
    "--elo",
    default="0:30",
    show_default=True,
    metavar="LOW:HIGH",
    help="The two Elo differences that --sequential decides between.",
)
@click.option(
    "--error",
    type=click.FloatRange(0, 0.5, min_open=True, max_open=True),
    default=0.05,
    show_default=True,
    help="How often --sequential may err, either way.",
)
@click.option(
    "--anchor",
    metavar="PLAYER",
    shell_complete=complete_level,
    help="Whom Elo is measured from. [default: greedy, or the first]",
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
    players_named: tuple[str, ...],
    game: str | None,
    rules_file: Path | None,
    settings: tuple[str, ...],
    rounds: int | None,
    players: int | None,
    games: int,
    seating: str | None,
    matches: bool,
    from_deal: int,
    sequential: bool,
    elo: str,
    error: float,
    anchor: str | None,
    seed: str,
    jobs: int | None,
    dask: str | None,
    store_file: Path | None,
    json_file: Path | None,
    html_file: Path | None,
    quiet: bool,
) -> None:
    """Let computer players meet in numbers, and say how strong they are."""
    from meldwise.arena.contest import Contest
    from meldwise.arena.plan import Plan, Seating

    title, rules = chosen_rules(game, rules_file, settings, rounds)
    check_players(players_named)
    count = players or max(2, rules.min_players)
    how = Seating(seating) if seating else _usual_seating(len(players_named), count)
    plan = Plan(players_named, rules, title, count, seed, how, matches)
    if anchor is not None and anchor not in plan.entrants:
        raise CliError(f"“{anchor}” is not among the players.", hint="See: meldwise arena --help")
    test = _test(plan, elo, error) if sequential else None
    deals = -(-games // len(plan.pairings[0].arrangements))
    begun = time.perf_counter()
    code = Exit.FINE
    with contextlib.ExitStack() as stack:
        store = open_store(stack, store_file, plan)
        contest = Contest(plan, deals, first_deal=from_deal, store=store, sequential=test)
        if contest.left:
            code = _play(contest, jobs, dask, quiet)
    _tell(contest, plan, anchor, time.perf_counter() - begun, json_file, html_file)
    if code is not Exit.FINE:
        hint = "" if store_file is None else "The same command goes on."
        raise CliError("Interrupted; the results are of what was played before.", code, hint=hint,
                       key="interrupted")  # fmt: skip


def check_players(names: Sequence[str]) -> None:
    """Makes each player once, so that a wrong name is told at once.

    Raises:
        CliError: if there is no such player, or it does not take its options.
    """
    from meldwise.i18n import explain_error
    from meldwise.players import Means, PlayerError, create_player, player_names

    for name in names:
        try:
            player = create_player(name, Means(0, time.perf_counter))
        except PlayerError as error:
            near = nearest(name.partition(":")[0], list(player_names()))
            hint = f"Did you mean “{near}”?" if near and near != name.partition(":")[0] else ""
            raise CliError(explain_error(error), hint=hint, key=str(error.code)) from None
        close = getattr(player, "close", None)
        if callable(close):
            close()


def open_store(stack: contextlib.ExitStack, path: Path | None, plan: Plan) -> Store | None:
    """Opens the store of a plan for the length of a block; None if there is none.

    Raises:
        ArenaError: if the file does not fit.
        OSError: if it cannot be read or written.
    """
    if path is None:
        return None
    from meldwise.arena.contest import KIND
    from meldwise.arena.store import Store

    path.parent.mkdir(parents=True, exist_ok=True)
    return stack.enter_context(Store(path, KIND, plan.as_dict()))


def _usual_seating(entrants: int, players: int) -> Seating:
    from meldwise.arena.plan import Seating

    return Seating.TOGETHER if entrants == players > 2 else Seating.PAIRS


def _test(plan: Plan, elo: str, error: float) -> Sequential:
    from meldwise.arena.sequential import Sequential

    if len(plan.entrants) != 2:
        raise CliError("--sequential decides between two players.", hint="Name two.")
    low, colon, high = elo.partition(":")
    try:
        ends = float(low), float(high)
    except ValueError:
        ends = None
    if ends is None or not colon:
        raise CliError(f"“{elo}” is no pair of Elo differences: write LOW:HIGH, such as 0:30.")
    return Sequential(*ends, alpha=error, beta=error)


def _play(contest: Contest, jobs: int | None, dask: str | None, quiet: bool) -> Exit:
    """Plays what is left; says how it ended."""
    from meldwise.arena.results import Unit
    from meldwise.cli.terminal import Stopped, stopping_signals

    total = contest.deals * len(contest.plan.pairings)
    won = played = 0.0

    def said() -> str:
        standing = contest.standing
        text = f"{contest.plan.labels[0]} won {won / played:.1%} of its games" if played else ""
        return text if standing is None else f"{text}, test at {standing.ratio:+.2f}"

    try:
        with (
            stopping_signals(),
            workers_of(jobs, dask) as workers,
            Meter("deals", total, contest.units_done, quiet=quiet) as meter,
        ):

            def progress(unit: Unit) -> bool:
                nonlocal won, played
                for game in unit.games:
                    if 0 in game.seats:
                        won += game.share(0)
                        played += 1
                meter.step(said)
                return True

            contest.play(workers.executor, workers.jobs, clock=time.perf_counter, progress=progress)
    except Stopped as stop:
        return stop.code
    return Exit.FINE


def _tell(
    contest: Contest,
    plan: Plan,
    anchor: str | None,
    seconds: float,
    json_file: Path | None,
    html_file: Path | None,
) -> None:
    from meldwise.arena.report import contest_data, contest_page
    from meldwise.arena.summary import summarise
    from meldwise.cli.tables import show_contest

    summary = summarise(contest.results(), None if anchor is None else plan.entrants.index(anchor))
    if str(json_file) != "-":
        show_contest(summary, seconds)
    write_results(
        contest_data(summary, seconds), lambda: contest_page(summary, seconds), json_file, html_file
    )
