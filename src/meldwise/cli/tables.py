"""Results in numbers as tables on the terminal."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from meldwise.i18n import clean_text

if TYPE_CHECKING:
    from meldwise.arena.page import Grid
    from meldwise.arena.summary import Summary

__all__ = ["show_contest", "show_grids", "show_lines"]

_WIDE = 150
"""Columns of a line where nothing shows how wide the reader's are."""


def show_grids(grids: Sequence[Grid]) -> None:
    """Writes tables to standard output."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    width = None if sys.stdout.isatty() else _WIDE
    console = Console(markup=False, highlight=False, emoji=False, width=width, file=sys.stdout)
    for grid in grids:
        table = Table(
            title=clean_text(grid.caption), box=SIMPLE_HEAD, title_justify="left",
            title_style="bold", show_header=any(grid.heads),
        )  # fmt: skip
        for number, head in enumerate(grid.heads):
            table.add_column(clean_text(head), justify="right" if number else "left")
        for row in grid.rows:
            table.add_row(*map(clean_text, row))
        console.print(table)


def show_lines(lines: Sequence[str]) -> None:
    """Writes lines to standard output."""
    import click

    for line in lines:
        click.echo(clean_text(line))


def show_contest(summary: Summary, seconds: float) -> None:
    """Writes what is said of a contest to standard output."""
    from meldwise.arena.page import Grid
    from meldwise.arena.report import pair_name, timing_cells
    from meldwise.arena.wording import as_number, as_percent, as_seconds, number, percent

    results = summary.results
    plan = results.plan
    pairs = Grid(
        "Pairings: wins and points of the first",
        ("Pairing", "Games", "Wins", "Fair", "Points a round", "Points ahead"),
        [
            (
                pair_name(summary, pair),
                str(pair.games),
                as_percent(pair.wins),
                percent(pair.fair),
                as_number(pair.score),
                as_number(pair.ahead),
            )
            for pair in summary.pairs
        ],
    )
    entrants = Grid(
        f"Players: Elo above {summary.entrants[summary.anchor].name}",
        ("Player", "Wins", "Elo", "Rating", "Opens at turn", "Never", "Tiles left"),
        [
            (
                entrant.name,
                as_percent(entrant.wins),
                as_number(entrant.elo),
                f"{number(entrant.skill.mu)} ± {entrant.skill.sigma:.1f}",
                as_number(entrant.opened),
                "–" if entrant.never_opened is None else percent(entrant.never_opened.value),
                as_number(entrant.left),
            )
            for entrant in summary.entrants
        ],
    )
    times = Grid(
        "Time a move",
        ("Player", "Moves", "Mean", "95 %", "Worst", "Budget", "Overruns", "Incidents"),
        [
            (
                entrant.name,
                *timing_cells(entrant.timing),
                ", ".join(f"{n} {kind.value}" for kind, n in entrant.incidents.items()) or "0",
            )
            for entrant in summary.entrants
        ],
    )
    show_grids([pairs, entrants, times])
    lines = [
        f"{summary.games} games, {summary.rounds} rounds of {as_number(summary.turns)} turns; "
        f"blocked: {as_percent(summary.blocked)}; "
        f"won by who began: {as_percent(summary.first_wins)}",
        f"Seed {plan.seed}, {results.deals} deals from {results.first_deal}, "
        f"{as_seconds(seconds)}; intervals are of 95 %.",
    ]
    standing = results.standing
    if standing is not None:
        lines.append(
            f"Sequential test: {standing.decision.value.replace('_', ' ')} after {standing.deals} "
            f"deals, at {standing.ratio:.2f} between {standing.lower:.2f} and {standing.upper:.2f}."
        )
    if summary.unfinished:
        lines.append(f"{summary.unfinished} matches were stopped without an end.")
    if results.losses:
        lines.append(f"Workers were lost {results.losses} times, and their work was done again.")
    if results.failed:
        lines.append(f"{len(results.failed)} deals killed whoever played them and are left out.")
    for noted in summary.incidents[:5]:
        lines.append(
            f"Incident: {plan.labels[noted.entrant]} {noted.incident.kind.value} in deal "
            f"{noted.deal}, turn {noted.incident.turn}, seat {noted.incident.seat + 1}: "
            f"{noted.incident.detail}"
        )
    if len(summary.incidents) > 5:
        lines.append(f"… and {len(summary.incidents) - 5} incidents more; --json tells them.")
    show_lines(lines)
