"""``meldwise record``: show, check and verify the record of a match."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from meldwise.cli.exits import CliError, Exit
from meldwise.cli.options import examples, json_option
from meldwise.cli.store import read_text

if TYPE_CHECKING:
    from meldwise.game.record import Fault, Record
    from meldwise.game.replay import DealCheck

__all__ = ["command"]

FILE = click.argument("file", type=click.Path(path_type=Path, dir_okay=False))


@click.group(
    "record",
    epilog=examples(
        "meldwise record show match.toml --round 2",
        "meldwise record check match.toml",
        "meldwise record verify match.toml",
    ),
)
def command() -> None:
    """Show, check and verify records of matches."""


@command.command("show", epilog=examples("meldwise record show match.toml --round 1"))
@FILE
@click.option("--round", "number", type=click.IntRange(1), help="Only this round.")
@json_option
def show(file: Path, number: int | None, as_json: bool) -> None:
    """Tell a recorded match turn by turn."""
    from meldwise.cli.host import load_oracle, read_match
    from meldwise.game.replay import replay

    record = read_match(file)
    found = replay(record, load_oracle(record.rules))
    if number is not None and number > len(found.match.firsts):
        raise CliError(
            f"{file} has no round {number}; it has {len(found.match.firsts)}.",
            key="record.no_round",
        )
    events = [(step, event) for step in found.steps for event in step.events]
    if as_json:
        _show_json(record, events, number, found.faults)
    else:
        _show_words(record, events, number)
        for fault in found.faults:
            click.echo(_fault_line(file, fault), err=True)
    if found.faults:
        sys.exit(Exit.FAULTS)


def _numbered(events: list[tuple[Any, Any]]) -> list[tuple[int, Any]]:
    """The events with their rounds; what comes while a round begins belongs to it."""
    from meldwise.game.actions import CommitShuffle, StartRound

    return [
        (
            len(step.before.firsts) + 1
            if isinstance(step.action, CommitShuffle | StartRound)
            else max(1, len(step.before.firsts)),
            event,
        )
        for step, event in events
    ]


def _show_json(
    record: Record, events: list[tuple[Any, Any]], number: int | None, faults: tuple[Fault, ...]
) -> None:
    import json

    from meldwise.cli.jsondata import fault_data, plain_data
    from meldwise.i18n import tell_event

    names = [seat.name for seat in record.seats]
    data = {
        "game": record.game,
        "players": [{"name": seat.name, "computer": seat.computer} for seat in record.seats],
        "rules": record.rules.as_dict(),
        "events": [
            {"round": place, "text": tell_event(event, names), "event": plain_data(event)}
            for place, event in _numbered(events)
            if number in (None, place)
        ],
        "faults": [fault_data(fault) for fault in faults],
    }
    click.echo(json.dumps(data, ensure_ascii=False, indent=2))


def _show_words(record: Record, events: list[tuple[Any, Any]], number: int | None) -> None:
    import shutil

    from meldwise.cli.screen import wrap
    from meldwise.game.events import RoundStarted, TurnBegan
    from meldwise.i18n import clean_text, tell_event

    width = max(30, min(100, shutil.get_terminal_size().columns - 1))
    names = [clean_text(seat.name) for seat in record.seats]
    players = [
        f"{seat.name} ({seat.computer})" if seat.computer else seat.name for seat in record.seats
    ]
    title = clean_text(f"{record.game}: {', '.join(players)}")
    click.echo("\n".join(wrap(title, width, 2)))
    turn = ""
    for place, event in _numbered(events):
        if number not in (None, place):
            continue
        if isinstance(event, TurnBegan):
            turn = f"{event.turn:>3}. "
            continue
        if isinstance(event, RoundStarted):
            click.echo()
        lead = turn or "     "
        turn = ""
        lines = wrap(tell_event(event, names), width - 5)
        for line in lines:
            click.echo(lead + line)
            lead = "     "


@command.command("check", epilog=examples("meldwise record check match.toml"))
@FILE
@json_option
def check(file: Path, as_json: bool) -> None:
    """Report every fault of a record with its line; exit with 1 if there is any."""
    from meldwise.cli.host import load_oracle
    from meldwise.game.record_text import read_record
    from meldwise.game.replay import replay

    reading = read_record(read_text(file))
    faults = reading.faults
    rounds = actions = 0
    finished = False
    if reading.record is not None:
        found = replay(reading.record, load_oracle(reading.record.rules))
        faults = found.faults
        rounds, actions = len(found.match.firsts), len(found.steps)
        finished = found.match.result is not None
    if as_json:
        import json

        from meldwise.cli.jsondata import fault_data

        data = {
            "file": str(file),
            "good": not faults,
            "rounds": rounds,
            "actions": actions,
            "finished": finished,
            "faults": [fault_data(fault) for fault in faults],
        }
        click.echo(json.dumps(data, ensure_ascii=False, indent=2))
    elif faults:
        for fault in faults:
            click.echo(_fault_line(file, fault))
    else:
        state = "finished" if finished else "not finished"
        noun = "round" if rounds == 1 else "rounds"
        click.echo(f"{file}: good; {rounds} {noun}, {actions} actions replayed, {state}.")
    if faults:
        sys.exit(Exit.FAULTS)


def _fault_line(file: Path, fault: Fault) -> str:
    from dataclasses import replace

    from meldwise.i18n import explain_fault

    place = f"{file}:{fault.line}" if fault.line is not None else str(file)
    return f"{place}: {explain_fault(replace(fault, line=None))} [{fault.code}]"


@command.command("verify", epilog=examples("meldwise record verify match.toml"))
@FILE
@json_option
def verify(file: Path, as_json: bool) -> None:
    """Recompute every deal from its seeds; exit with 1 if one is not as recorded."""
    from meldwise.cli.host import read_match
    from meldwise.game.replay import check_deals

    record = read_match(file)
    checks = check_deals(record)
    good = bool(checks) and all(deal.good for deal in checks if deal.revealed)
    revealed = sum(deal.revealed for deal in checks)
    if as_json:
        import json

        from meldwise.cli.jsondata import plain_data

        data = {
            "file": str(file),
            "good": good and revealed > 0,
            "rounds": [_check_data(plain_data(deal), deal.good) for deal in checks],
        }
        click.echo(json.dumps(data, indent=2))
    else:
        for deal in checks:
            click.echo("\n".join(_deal_lines(record, deal)))
        if not revealed:
            click.echo(f"{file}: no round has begun, so there is nothing to verify.")
        elif good:
            click.echo(f"{file}: every deal is what its seeds give.")
        else:
            click.echo(f"{file}: NOT every deal is what its seeds give.")
    if not (good and revealed):
        sys.exit(Exit.FAULTS)


def _check_data(data: object, good: bool) -> dict[str, object]:
    assert isinstance(data, dict)
    return {**{key: value for key, value in data.items() if key != "type"}, "good": good}


def _deal_lines(record: Record, deal: DealCheck) -> list[str]:
    from meldwise.game.shuffle import commitment_of
    from meldwise.i18n import clean_text

    entry = record.rounds[deal.number - 1]
    lines = [f"Round {deal.number}"]
    if entry.seeds is None:
        return [*lines, "  Its seed is not revealed yet."]
    actual = commitment_of(entry.seeds.server)
    verdict = "the same" if deal.commitment else "NOT the same"
    lines.append(f"  SHA-256 of the host's seed:  {actual}")
    lines.append(f"  commitment before the deal:  {entry.commitment}  ({verdict})")
    texts = ", ".join(
        clean_text(f"{seat.name} “{text}”" if text else f"{seat.name} none")
        for seat, text in zip(record.seats, entry.seeds.players, strict=False)
    )
    lines.append(f"  seeds of the players:        {texts}")
    if deal.hands is None:
        lines.append("  dealt hands:                 not noted in the record")
    else:
        same = "the same" if deal.hands else "NOT the same"
        count = sum(len(hand) for hand in entry.hands or ())
        lines.append(
            f"  dealt hands:                 {count} tiles in {len(entry.hands or ())} hands "
            f"compared with the shuffle of the seeds: {same}"
        )
    if deal.first is None:
        lines.append("  who begins:                  not drawn for in this round, or not noted")
    else:
        who = _seat_name(record, entry.first)
        lines.append(
            f"  who begins:                  {who}: "
            f"{'as the tiles drawn say' if deal.first else 'NOT as the tiles drawn say'}"
        )
    return lines


def _seat_name(record: Record, seat: int | None) -> str:
    from meldwise.i18n import clean_text

    if seat is None or seat >= len(record.seats):
        return "?"
    return clean_text(record.seats[seat].name)
