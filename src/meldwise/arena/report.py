"""The results of a contest as plain data for JSON, and as a page."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

from meldwise.arena.estimates import Estimate
from meldwise.arena.page import Grid, Section, render_page
from meldwise.arena.plots import histogram, intervals
from meldwise.arena.results import Timing
from meldwise.arena.summary import EntrantSummary, PairSummary, Summary
from meldwise.arena.wording import as_number, as_percent, as_seconds, number, percent
from meldwise.game.presets import format_rules

__all__ = [
    "FORMAT",
    "VERSION",
    "contest_data",
    "contest_page",
    "estimate_data",
    "pair_name",
    "timing_cells",
]

FORMAT: Final = "meldwise-arena-results"
"""What the data says it is."""

VERSION: Final = 1
"""The version of the data's form; ``docs/arena.md`` describes it."""

MOST_INCIDENTS: Final = 1_000
"""So many incidents are told in full."""


def pair_name(summary: Summary, pair: PairSummary) -> str:
    """Who meets whom, in words."""
    labels = summary.results.plan.labels
    first, *others = (labels[entrant] for entrant in pair.entrants)
    return f"{first} against {', '.join(others)}"


# --- plain data ---------------------------------------------------------------


def estimate_data(estimate: Estimate | None) -> dict[str, Any] | None:
    """An estimate as plain data; ends that are not known are null."""
    if estimate is None:
        return None
    low, high = (_rounded(end) for end in (estimate.low, estimate.high))
    return {"value": _rounded(estimate.value), "low": low, "high": high, "of": estimate.count}


def _rounded(value: float) -> float | None:
    return round(value, 6) if math.isfinite(value) else None


def contest_data(summary: Summary, seconds: float | None = None) -> dict[str, Any]:
    """All that is said of a contest, as plain data.

    Everything but what is under ``times`` follows from the plan alone.

    Args:
        summary: what is said.
        seconds: the time that the machine took; None if it is not known.
    """
    results = summary.results
    standing = results.standing
    return {
        "format": FORMAT,
        "version": VERSION,
        "plan": {**results.plan.as_dict(), "game": results.plan.game},
        "deals": results.deals,
        "first_deal": results.first_deal,
        "complete": results.complete,
        "games": summary.games,
        "rounds": summary.rounds,
        "anchor": summary.anchor,
        "pairs": [_pair_data(pair) for pair in summary.pairs],
        "entrants": [_entrant_data(entrant) for entrant in summary.entrants],
        "turns": estimate_data(summary.turns),
        "blocked": estimate_data(summary.blocked),
        "first_player_wins": estimate_data(summary.first_wins),
        "round_lengths": _text_keys(summary.lengths),
        "unfinished_matches": summary.unfinished,
        "sequential": None
        if standing is None
        else {
            "decision": standing.decision.value,
            "deals": standing.deals,
            "ratio": _rounded(standing.ratio),
            "lower": _rounded(standing.lower),
            "upper": _rounded(standing.upper),
        },
        "incidents": [
            {
                "kind": noted.incident.kind.value,
                "entrant": noted.entrant,
                "deal": noted.deal,
                "seats": list(noted.seats),
                "seat": noted.incident.seat,
                "round": noted.incident.number,
                "turn": noted.incident.turn,
                "detail": noted.incident.detail,
            }
            for noted in summary.incidents[:MOST_INCIDENTS]
        ],
        "failed": [
            {"pairing": pairing, "deal": deal, "reason": reason}
            for (pairing, deal), reason in results.failed.items()
        ],
        "times": {
            "seconds": None if seconds is None else round(seconds, 3),
            "losses": results.losses,
            "entrants": [_timing_data(entrant.timing) for entrant in summary.entrants],
        },
    }


def _pair_data(pair: PairSummary) -> dict[str, Any]:
    return {
        "entrants": list(pair.entrants),
        "deals": pair.deals,
        "games": pair.games,
        "fair": _rounded(pair.fair),
        "wins": estimate_data(pair.wins),
        "score": estimate_data(pair.score),
        "ahead": estimate_data(pair.ahead),
        "blocked": estimate_data(pair.blocked),
        "turns": estimate_data(pair.turns),
    }


def _entrant_data(entrant: EntrantSummary) -> dict[str, Any]:
    return {
        "name": entrant.name,
        "games": entrant.games,
        "fair": _rounded(entrant.fair),
        "wins": estimate_data(entrant.wins),
        "score": estimate_data(entrant.score),
        "elo": estimate_data(entrant.elo),
        "rating": {"mu": _rounded(entrant.skill.mu), "sigma": _rounded(entrant.skill.sigma)},
        "turns_when_winning": estimate_data(entrant.turns),
        "opening_turn": estimate_data(entrant.opened),
        "never_opened": estimate_data(entrant.never_opened),
        "tiles_left_when_losing": estimate_data(entrant.left),
        "opening_turns": _text_keys(entrant.openings),
        "tiles_left": _text_keys(entrant.tiles_left),
        "scores": _text_keys(entrant.scores),
        "incidents": {kind.value: count for kind, count in entrant.incidents.items()},
    }


def _timing_data(timing: Timing | None) -> dict[str, Any] | None:
    if timing is None:
        return None
    return {
        "moves": timing.moves,
        "mean": _rounded(timing.mean),
        "p95": _rounded(timing.quantile(0.95)),
        "worst": _rounded(timing.worst),
        "budget": timing.budget,
        "overruns": timing.overruns,
    }


def _text_keys(counts: Mapping[int, int]) -> dict[str, int]:
    return {str(value): count for value, count in counts.items()}


# --- the page -----------------------------------------------------------------


def timing_cells(timing: Timing | None) -> tuple[str, ...]:
    """Moves, mean, 95 % and worst time, budget and overruns, as texts."""
    if timing is None:
        return ("–",) * 6
    return (
        str(timing.moves),
        as_seconds(timing.mean),
        as_seconds(timing.quantile(0.95)),
        as_seconds(timing.worst),
        "–" if timing.budget is None else as_seconds(timing.budget),
        str(timing.overruns),
    )


def contest_page(summary: Summary, seconds: float | None = None) -> str:
    """A page that shows a contest: plots, and the same in tables.

    Args:
        summary: what is said.
        seconds: the time that the machine took; None if it is not known.
    """
    results, plan = summary.results, summary.results.plan
    facts = [
        ("Players", ", ".join(plan.labels)),
        ("Game", plan.game or format_rules(plan.rules)),
        ("Rules", format_rules(plan.rules)),
        ("At a table", f"{plan.players}, seated: {plan.seating.value}"),
        ("Unit", "matches" if plan.matches else "rounds"),
        ("Deals", f"{results.deals} of each pairing, from number {results.first_deal}"),
        ("Played", f"{summary.games} games, {summary.rounds} rounds"),
        ("Seed", plan.seed),
        ("Complete", "yes" if results.complete else "no"),
    ]
    if seconds is not None:
        facts.append(("Machine time", as_seconds(seconds)))
    sections = [
        _pairs_section(summary),
        _ratings_section(summary),
        _scores_section(summary),
        _rounds_section(summary),
        _openings_section(summary),
        _left_section(summary),
        _times_section(summary),
        _incidents_section(summary),
    ]
    title = f"Arena: {', '.join(plan.labels)}"
    return render_page(title, facts, [section for section in sections if section is not None])


def _pairs_section(summary: Summary) -> Section:
    rows = [(pair_name(summary, pair), pair.wins) for pair in summary.pairs]
    fairs = {pair.fair for pair in summary.pairs}
    fair = fairs.pop() if len(fairs) == 1 else None
    said = "; ".join(f"{name}: {as_percent(wins)}" for name, wins in rows)
    return Section(
        "Wins",
        "How much of the wins the first of each pairing took, with 95 % intervals from whole "
        "deals. The broken line is the share of equals.",
        [intervals("wins", "Share of the wins", said, rows, percent, fair)],
        [
            Grid(
                "Each pairing",
                ("Pairing", "Deals", "Games", "Wins", "Fair", "Points a round", "Points ahead",
                 "Blocked", "Turns a round"),
                [
                    (
                        pair_name(summary, pair),
                        str(pair.deals),
                        str(pair.games),
                        as_percent(pair.wins),
                        percent(pair.fair),
                        as_number(pair.score),
                        as_number(pair.ahead),
                        as_percent(pair.blocked),
                        as_number(pair.turns),
                    )
                    for pair in summary.pairs
                ],
            )
        ],
    )  # fmt: skip


def _ratings_section(summary: Summary) -> Section:
    rows = [(entrant.name, entrant.elo) for entrant in summary.entrants]
    anchor = summary.entrants[summary.anchor].name
    said = "; ".join(f"{name}: {as_number(elo)}" for name, elo in rows)
    return Section(
        "Ratings",
        f"Elo above {anchor}, with 95 % intervals, and the rating of openskill's Plackett–Luce "
        "model.",
        [intervals("elo", "Elo", said, rows, number, 0.0)],
        [
            Grid(
                "Each player",
                ("Player", "Games", "Wins", "Fair", "Elo", "μ", "σ"),
                [
                    (
                        entrant.name,
                        str(entrant.games),
                        as_percent(entrant.wins),
                        percent(entrant.fair),
                        as_number(entrant.elo),
                        number(entrant.skill.mu),
                        f"{entrant.skill.sigma:.2f}",
                    )
                    for entrant in summary.entrants
                ],
            )
        ],
    )


def _histograms(
    name: str, summary: Summary, what: str, counts: Mapping[str, Mapping[int, int]], step: int
) -> list[str]:
    plots = []
    for place, entrant in enumerate(summary.entrants):
        if counts[entrant.name]:
            title = f"{what}, {entrant.name}"
            said = _distribution(counts[entrant.name], step)
            axis = f"{entrant.name}: {what.lower()}"
            plots.append(
                histogram(f"{name}-{place}", title, said, counts[entrant.name], step, axis)
            )
    return plots


def _distribution(counts: Mapping[int, int], step: int) -> str:
    total = sum(counts.values())
    return "; ".join(
        f"{_bin(value, step)}: {percent(count / total)}" for value, count in sorted(counts.items())
    )


def _bin(value: int, step: int) -> str:
    return str(value) if step == 1 else f"{value} to {value + step - 1}"


def _distribution_grid(
    summary: Summary, caption: str, head: str, counts: Mapping[str, Mapping[int, int]], step: int
) -> Grid:
    names = [entrant.name for entrant in summary.entrants]
    values = sorted({value for name in names for value in counts[name]})
    totals = {name: sum(counts[name].values()) or 1 for name in names}
    return Grid(
        caption,
        (head, *names),
        [
            (
                _bin(value, step),
                *[percent(counts[name].get(value, 0) / totals[name]) for name in names],
            )
            for value in values
        ],
    )


def _scores_section(summary: Summary) -> Section:
    counts = {entrant.name: entrant.scores for entrant in summary.entrants}
    return Section(
        "Points",
        "Points a round and seat.",
        _histograms("scores", summary, "Points in a round", counts, 10),
        [
            Grid(
                "Points a round",
                ("Player", "Points a round"),
                [(entrant.name, as_number(entrant.score)) for entrant in summary.entrants],
            ),
            _distribution_grid(summary, "How often each score came", "Points", counts, 10),
        ],
    )


def _rounds_section(summary: Summary) -> Section:
    total = sum(summary.lengths.values()) or 1
    said = _distribution(summary.lengths, 5)
    facts = [
        ("Turns a round", as_number(summary.turns)),
        ("Blocked rounds", as_percent(summary.blocked)),
        ("Rounds won by who began", as_percent(summary.first_wins)),
        ("Matches without an end", str(summary.unfinished)),
    ]
    return Section(
        "Length of a round",
        "Turns of all players together.",
        [histogram("lengths", "Turns in a round", said, summary.lengths, 5, "turns in a round")],
        [
            Grid("Rounds", ("", ""), facts),
            Grid(
                "How often each length came",
                ("Turns", "Rounds"),
                [(_bin(v, 5), percent(n / total)) for v, n in summary.lengths.items()],
            ),
        ],
    )


def _openings_section(summary: Summary) -> Section:
    counts = {
        entrant.name: {turn: count for turn, count in entrant.openings.items() if turn}
        for entrant in summary.entrants
    }
    return Section(
        "Opening",
        "At which of its own turns a player opened.",
        _histograms("openings", summary, "Turn of the opening", counts, 1),
        [
            Grid(
                "The opening",
                ("Player", "Turn", "Never"),
                [
                    (entrant.name, as_number(entrant.opened), as_percent(entrant.never_opened))
                    for entrant in summary.entrants
                ],
            ),
            _distribution_grid(summary, "How often each turn came", "Turn", counts, 1),
        ],
    )


def _left_section(summary: Summary) -> Section:
    counts = {entrant.name: entrant.tiles_left for entrant in summary.entrants}
    return Section(
        "Tiles left",
        "Tiles in the hand of who lost a round.",
        _histograms("left", summary, "Tiles left when losing", counts, 1),
        [
            Grid(
                "Tiles left",
                ("Player", "Tiles left when losing"),
                [(entrant.name, as_number(entrant.left)) for entrant in summary.entrants],
            ),
            _distribution_grid(summary, "How often each number came", "Tiles", counts, 1),
        ],
    )


def _times_section(summary: Summary) -> Section | None:
    timed = [entrant for entrant in summary.entrants if entrant.timing is not None]
    if not timed:
        return None
    rows = [
        (
            entrant.name,
            Estimate(
                entrant.timing.mean,
                entrant.timing.mean,
                entrant.timing.quantile(0.95),
                entrant.timing.moves,
            ),
        )
        for entrant in timed
        if entrant.timing is not None
    ]
    said = "; ".join(
        f"{name}: mean {as_seconds(e.value)}, 95 % {as_seconds(e.high)}" for name, e in rows
    )
    return Section(
        "Time a move",
        "The mean, with a line to the time that 95 % of all moves stay below. An overrun is a "
        "move that took over 20 % more than the player's budget.",
        [intervals("times", "Time a move", said, rows, as_seconds)],
        [
            Grid(
                "Times",
                ("Player", "Moves", "Mean", "95 %", "Worst", "Budget", "Overruns"),
                [(entrant.name, *timing_cells(entrant.timing)) for entrant in summary.entrants],
            )
        ],
    )


def _incidents_section(summary: Summary) -> Section | None:
    failed = summary.results.failed
    if not summary.incidents and not failed:
        return None
    labels = summary.results.plan.labels
    grids = []
    if summary.incidents:
        grids.append(
            Grid(
                f"The first {min(len(summary.incidents), 100)} of {len(summary.incidents)}",
                ("Player", "What", "Deal", "Seats", "Seat", "Round", "Turn", "Detail"),
                [
                    (
                        labels[noted.entrant],
                        noted.incident.kind.value,
                        str(noted.deal),
                        " ".join(labels[entrant] for entrant in noted.seats),
                        str(noted.incident.seat + 1),
                        str(noted.incident.number),
                        str(noted.incident.turn),
                        noted.incident.detail,
                    )
                    for noted in summary.incidents[:100]
                ],
            )
        )
    if failed:
        grids.append(
            Grid(
                "Deals that could not be played",
                ("Pairing", "Deal", "Reason"),
                [
                    (pair_name(summary, summary.pairs[pairing]), str(deal), reason)
                    for (pairing, deal), reason in failed.items()
                ],
            )
        )
    return Section(
        "Incidents",
        "Whoever errs loses the turn, and the game goes on. The deal and the seats, with the "
        "seed, play it again.",
        grids=grids,
    )
