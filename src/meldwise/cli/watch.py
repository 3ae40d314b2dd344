"""``meldwise watch``: computer players against each other."""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import click

from meldwise.cli.exits import CliError, Exit
from meldwise.cli.options import (
    chosen_rules,
    complete_level,
    examples,
    json_option,
    rules_options,
)

if TYPE_CHECKING:
    from meldwise.cli.host import Host

__all__ = ["command"]


@dataclass
class Tally:
    """What a number of matches came to."""

    rounds: int = 0
    won: int = 0
    blocked: int = 0
    turns: int = 0
    seconds: float = 0.0
    matches: int = 0
    shared: int = 0
    match_wins: list[int] = field(default_factory=list)
    round_wins: list[int] = field(default_factory=list)
    points: list[int] = field(default_factory=list)


@click.command(
    "watch",
    epilog=examples(
        "meldwise watch --matches 10",
        "meldwise watch --game tiles-50 --players 4 --rounds 1 --seed a --records games/",
        "meldwise watch --matches 100 --quiet --json",
    ),
)
@rules_options
@click.option("--players", "-p", type=click.IntRange(2, 6), help="How many play. [default: 2]")
@click.option(
    "--level",
    "levels",
    multiple=True,
    metavar="NAME",
    shell_complete=complete_level,
    help="A level or player; repeat it for others in turn. `meldwise levels` lists them.",
)
@click.option("--matches", type=click.IntRange(1, 1_000_000), default=1, show_default=True)
@click.option("--seed", metavar="TEXT", help="Shuffle by a text, so that all can be repeated.")
@click.option(
    "--records",
    type=click.Path(path_type=Path, file_okay=False),
    help="A folder for the records, one file a match.",
)
@click.option("--quiet", "-q", is_flag=True, help="Only the summary.")
@json_option
def command(
    game: str | None,
    rules_file: Path | None,
    settings: tuple[str, ...],
    rounds: int | None,
    players: int | None,
    levels: tuple[str, ...],
    matches: int,
    seed: str | None,
    records: Path | None,
    quiet: bool,
    as_json: bool,
) -> None:
    """Let computer players play each other, keep the records, and sum up."""
    from meldwise.cli.host import Host, SeedSource
    from meldwise.cli.play import seats_for
    from meldwise.cli.terminal import Stopped, stopping_signals
    from meldwise.game.errors import RulesError
    from meldwise.i18n import explain_error

    title, rules = chosen_rules(game, rules_file, settings, rounds)
    count = players or max(2, rules.min_players)
    seats = seats_for("", count, levels, person=False)
    try:
        rules.check_players(count)
    except RulesError as error:
        raise CliError(explain_error(error), key=str(error.code)) from None
    text = seed if seed is not None else secrets.token_hex(8)
    names = [seat.name for seat in seats]
    tally = Tally(match_wins=[0] * count, round_wins=[0] * count, points=[0] * count)
    width = len(str(matches))
    code = Exit.FINE
    try:
        with stopping_signals():
            for number in range(1, matches + 1):
                path = (
                    None if records is None else records / f"match-{number:0{max(4, width)}}.toml"
                )
                if path is not None and path.exists():
                    raise CliError(
                        f"{path} exists already.",
                        Exit.FILE,
                        hint="Choose another folder for --records.",
                        key="file",
                    )
                # Each match is written once, at its end: only the computer is at play.
                host = Host.new(title, rules, seats, None, SeedSource(f"{text}/{number}", ""))
                begun = time.perf_counter()
                _play_match(host)
                tally.seconds += time.perf_counter() - begun
                host.path = path
                host.save()
                _count(host, tally)
                if not quiet and not as_json:
                    _tell_match(host, number, width, names)
    except Stopped as stop:
        code = stop.code
    if as_json:
        _write_json(tally, title, text, seats=[(s.name, s.computer) for s in seats])
    else:
        _write_summary(tally, names, [seat.computer or "" for seat in seats], records)
    if code is not Exit.FINE:
        raise CliError("Interrupted; the summary is of the matches before.", code)


def _play_match(host: Host) -> None:
    while host.session.match.result is None:
        if host.session.match.running is not None:
            host.computer_turn()
            for problem in host.new_problems():
                click.echo(problem, err=True)
        elif host.time_is_up:
            host.end_by_time()
        else:
            _, server = host.commit()
            host.deal(server)


def _count(host: Host, tally: Tally) -> None:
    match = host.session.match
    assert match.result is not None
    tally.matches += 1
    for result in match.results:
        tally.rounds += 1
        tally.round_wins[result.winner] += 1
        if result.end.value == "won":
            tally.won += 1
        else:
            tally.blocked += 1
    tally.turns += sum(len(entry.actions) for entry in host.session.record.rounds)
    for seat, total in enumerate(match.result.totals):
        tally.points[seat] += total
    if len(match.result.winners) == 1:
        tally.match_wins[match.result.winners[0]] += 1
    else:
        tally.shared += 1


def _tell_match(host: Host, number: int, width: int, names: list[str]) -> None:
    result = host.session.match.result
    assert result is not None
    scores = ", ".join(
        f"{name} {total:+d}" for name, total in zip(names, result.totals, strict=True)
    )
    winners = " and ".join(names[seat] for seat in result.winners)
    verb = "wins" if len(result.winners) == 1 else "tie"
    click.echo(f"Match {number:>{width}}: {winners} {verb}. {scores}")


def _write_summary(tally: Tally, names: list[str], levels: list[str], records: Path | None) -> None:
    rate = tally.rounds / tally.seconds if tally.seconds else 0
    click.echo(
        f"{_counted(tally.matches, 'match', 'matches')}, "
        f"{_counted(tally.rounds, 'round', 'rounds')}: {tally.won} won, {tally.blocked} blocked; "
        f"{_counted(tally.turns, 'turn', 'turns')}; {rate:.1f} rounds a second"
    )
    wide = max(len(name) for name in names)
    for seat, name in enumerate(names):
        click.echo(
            f"  {name.ljust(wide)}  {levels[seat]:<10} {tally.match_wins[seat]:>6} matches won "
            f"{tally.round_wins[seat]:>6} rounds won {tally.points[seat]:>+8} points"
        )
    if tally.shared:
        click.echo(f"  {_counted(tally.shared, 'match was a tie', 'matches were ties')}")
    if records is not None and tally.matches:
        click.echo(f"Records: {records}")


def _counted(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"


def _write_json(
    tally: Tally, title: str, seed: str, *, seats: list[tuple[str, str | None]]
) -> None:
    import json

    data = {
        "game": title,
        "seed": seed,
        "matches": tally.matches,
        "ties": tally.shared,
        "rounds": tally.rounds,
        "won": tally.won,
        "blocked": tally.blocked,
        "turns": tally.turns,
        "seconds": round(tally.seconds, 3),
        "rounds_per_second": round(tally.rounds / tally.seconds, 1) if tally.seconds else None,
        "players": [
            {
                "name": name,
                "level": level,
                "matches_won": tally.match_wins[seat],
                "rounds_won": tally.round_wins[seat],
                "points": tally.points[seat],
            }
            for seat, (name, level) in enumerate(seats)
        ],
    }
    click.echo(json.dumps(data, ensure_ascii=False, indent=2))
