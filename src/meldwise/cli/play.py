"""``meldwise play``, and ``meldwise`` alone: a match at this terminal."""

from __future__ import annotations

import contextlib
import os
import shlex
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

import click

from meldwise.cli.exits import CliError, Exit, nearest, silence
from meldwise.cli.options import chosen_rules, complete_level, examples, rules_options
from meldwise.cli.store import data_folder, load_answers, load_games, save_answers

if TYPE_CHECKING:
    from meldwise.cli.host import Host, SeedSource
    from meldwise.game.match import Seat
    from meldwise.game.rules import Rules
    from meldwise.players.pace import Pace

__all__ = ["ask_and_play", "command"]

T = TypeVar("T")

OPPONENTS: Final = ("Beto", "Carla", "Dino", "Elif", "Femi", "Greta")


@click.command(
    "play",
    epilog=examples(
        "meldwise play",
        "meldwise play --game tiles-50 --players 3 --rounds 1",
        "meldwise play --game dutch --set timer=60 --set invalid_end=refuse",
        "meldwise play --seed monday --name Ana --record ana.toml",
        "meldwise play --resume ana.toml",
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
@click.option("--name", help="Your name.")
@click.option(
    "--seed", metavar="TEXT", help="Shuffle by a text, so that the match can be repeated."
)
@click.option("--my-seed", metavar="TEXT", help="Your own part of each shuffle. [default: random]")
@click.option(
    "--record",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Where to write the record. [default: in your data folder]",
)
@click.option(
    "--resume",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Go on with the match of a record.",
)
@click.option("--color/--no-color", "--colour/--no-colour", "colour", default=None, help="Colours.")
@click.option(
    "--pace",
    type=click.Choice(["none", "fast", "natural", "slow"]),
    help="How much time computer players take; MELDWISE_PACE sets it for good. "
    "[default: fast at a terminal, else none]",
)
def command(
    game: str | None,
    rules_file: Path | None,
    settings: tuple[str, ...],
    rounds: int | None,
    players: int | None,
    levels: tuple[str, ...],
    name: str | None,
    seed: str | None,
    my_seed: str | None,
    record: Path | None,
    resume: Path | None,
    colour: bool | None,
    pace: str | None,
) -> None:
    """Play a match against computer players.

    Type “help” in your turn for what can be typed. Stopping, Ctrl-C and a lost terminal
    leave a record, which --resume goes on with.
    """
    from meldwise.cli.host import Host, SeedSource

    own = _own_seed(my_seed)
    seeds = SeedSource(seed, own)
    if resume is not None:
        given = {
            "--game": game,
            "--rules-file": rules_file,
            "--set": settings,
            "--rounds": rounds,
            "--players": players,
            "--level": levels,
            "--name": name,
            "--record": record,
        }
        clash = [option for option, value in given.items() if value]
        if clash:
            raise CliError(
                f"{clash[0]} does not go with --resume: the record says all that.",
                hint="Only --seed, --my-seed and --color do.",
            )
        host = Host.resume(resume, seeds)
        _ask_not_over(host, resume)
        _play(host, colour, _pace(pace))
        return
    title, rules = chosen_rules(game, rules_file, settings, rounds)
    count = players or max(2, rules.min_players)
    seats = seats_for(_clean_name(name or _default_name()), count, levels)
    _start(title, rules, seats, record, seeds, colour, _pace(pace))


def ask_and_play() -> None:
    """Asks for a name, a game and opponents, and starts a match.

    Enter accepts what stands in brackets: the answers of last time.
    """
    from meldwise.cli.host import SeedSource
    from meldwise.cli.terminal import InputEnded, Stopped, Terminal, stopping_signals, style_of
    from meldwise.i18n import describe_level
    from meldwise.players.levels import DEFAULT_LEVEL, LEVELS

    terminal = Terminal(style_of(None))
    games = load_games()
    answers = load_answers()
    try:
        with stopping_signals():
            terminal.say("Meldwise. Enter accepts what stands in brackets; Ctrl-C stops.")
            name = _question(terminal.ask, "Your name", _default_name(), _clean_name)
            terminal.say("Games: " + ", ".join(preset.name for preset in games))
            last = str(answers.get("game", "rrrummy"))
            default = last if any(last == preset.name for preset in games) else "rrrummy"
            chosen = _question(
                terminal.ask, "Game", default, lambda text: chosen_rules(text, None, (), None)
            )
            title, rules = chosen
            low, high = rules.min_players - 1, rules.max_players - 1
            wanted = answers.get("opponents", 1)
            count = wanted if isinstance(wanted, int) and low <= wanted <= high else low
            opponents = _question(
                terminal.ask,
                f"Opponents, {low} to {high}" if low < high else "Opponents",
                str(count),
                lambda text: _number(text, low, high),
            )
            known = answers.get("level")
            names = [level.name for level in LEVELS]
            for each in names:
                terminal.say(f"  {each}: {describe_level(each)}")
            level = _question(
                terminal.ask,
                "Level",
                known if isinstance(known, str) and known in names else DEFAULT_LEVEL,
                lambda text: _level(text, names),
            )
    except InputEnded:
        sys.stdout.write("\n")
        click.echo("The input has ended, so no match was begun. Run meldwise in a terminal.")
        return
    except Stopped as stop:
        with contextlib.suppress(OSError):
            click.echo("\nNo match was begun.", err=True)
        sys.exit(stop.code)
    preset = next((p.name for p in games if p.rules == rules and p.title == title), default)
    save_answers({"name": name, "game": preset, "opponents": opponents, "level": level})
    seats = seats_for(name, opponents + 1, (level,))
    _start(title, rules, seats, None, SeedSource(None), None, _pace(None))


def _question(ask: Callable[[str], str], text: str, default: str, read: Callable[[str], T]) -> T:
    while True:
        answer = ask(f"{text} [{default}]: ").strip() or default
        try:
            return read(answer)
        except CliError as error:
            click.echo(f"{error.message} {error.hint}".strip())


def _number(text: str, low: int, high: int) -> int:
    if not text.isascii() or not text.isdigit() or not low <= int(text[:4]) <= high:
        raise CliError(f"Type a number from {low} to {high}.")
    return int(text)


def _level(text: str, names: Sequence[str]) -> str:
    found = [name for name in names if name.startswith(text.strip().lower())]
    if len(found) != 1:
        raise CliError(f"Type one of {', '.join(names)}.")
    return found[0]


def _clean_name(name: str) -> str:
    from meldwise.i18n import clean_text

    plain = clean_text(name)
    if not plain or len(plain) > 30:
        raise CliError("A name has 1 to 30 characters.")
    return plain


def _default_name() -> str:
    known = load_answers().get("name")
    if isinstance(known, str) and 0 < len(known) <= 30:
        return known
    user = os.environ.get("USER") or os.environ.get("USERNAME") or ""
    return user.capitalize() if user and user != "root" else "You"


def _own_seed(text: str | None) -> str | None:
    from meldwise.game.errors import ShuffleError
    from meldwise.game.shuffle import Seeds

    if text is not None:
        try:
            Seeds(bytes(32), (text,))
        except ShuffleError:
            raise CliError(
                "--my-seed takes at most 200 bytes of text.", key="shuffle.bad_seed"
            ) from None
    return text


def seats_for(name: str, count: int, levels: Sequence[str], *, person: bool = True) -> list[Seat]:
    """The seats of a table: the person's first if there is one, then computer players.

    Raises:
        CliError: if there is no such computer player, or there are more levels than seats.
    """
    from meldwise.game.match import Seat
    from meldwise.players import DEFAULT_LEVEL, PlayerError, create_player, player_names

    names = [other for other in OPPONENTS if other.casefold() != name.casefold()]
    wanted = list(levels or (DEFAULT_LEVEL,))
    others = count - person
    if len(wanted) > others:
        raise CliError(
            f"There are {len(wanted)} --level for {others} computer players.",
            hint="Give one for all, or one for each.",
        )
    for level in wanted:
        try:
            create_player(level)
        except PlayerError as error:
            from meldwise.i18n import explain_error

            near = nearest(level.partition(":")[0], list(player_names()))
            hint = f"Did you mean “{near}”?" if near and near != level else ""
            raise CliError(explain_error(error), hint=hint, key=str(error.code)) from None
    if not person:
        names.insert(0, "Ana")
    seats = [Seat(name)] if person else []
    return seats + [Seat(names[i], wanted[i % len(wanted)]) for i in range(others)]


def _start(
    title: str,
    rules: Rules,
    seats: Sequence[Seat],
    record: Path | None,
    seeds: SeedSource,
    colour: bool | None,
    pace: Pace,
) -> None:
    from meldwise.cli.host import Host
    from meldwise.game.errors import RulesError
    from meldwise.i18n import explain_error

    if record is not None and record.exists():
        raise CliError(
            f"{record} exists already.",
            Exit.FILE,
            hint=f"Go on with it: meldwise play --resume {shlex.quote(str(record))}",
            key="file",
        )
    try:
        host = Host.new(title, rules, seats, record or _record_path(), seeds)
    except RulesError as error:
        raise CliError(explain_error(error), key=str(error.code)) from None
    host.save()
    _play(host, colour, pace)


def _record_path() -> Path:
    """A new file in the user's data folder, named by the day and the time."""
    import datetime

    folder = data_folder() / "records"
    stamp = datetime.datetime.now().strftime("%Y-%m-%d-%H%M%S")
    path = folder / f"{stamp}.toml"
    number = 1
    while path.exists():
        number += 1
        path = folder / f"{stamp}-{number}.toml"
    return path


def _ask_not_over(host: Host, path: Path) -> None:
    match = host.session.match
    people = [seat.name for seat in match.seats if seat.computer is None]
    if len(people) > 1:
        raise CliError(
            f"{path} is a match of {len(people)} people, and a terminal seats one.",
            hint=f"See it: meldwise record show {shlex.quote(str(path))}",
        )
    if not people:
        raise CliError(
            f"{path} is a match of computer players only.",
            hint=f"See it: meldwise record show {shlex.quote(str(path))}",
        )
    if match.result is not None:
        raise CliError(
            f"The match of {path} is over.",
            hint=f"See it: meldwise record show {shlex.quote(str(path))}",
        )


def _pace(text: str | None) -> Pace:
    """The pace that is asked for; without a person at a terminal nobody has to follow."""
    from meldwise.players.pace import Pace

    text = text or os.environ.get("MELDWISE_PACE", "").strip().lower()
    if text in Pace.__members__.values():
        return Pace(text)
    return Pace.FAST if sys.stdin.isatty() and sys.stdout.isatty() else Pace.NONE


def _play(host: Host, colour: bool | None, pace: Pace) -> None:
    """Plays a match to its end, or until it is stopped; the record is kept in any case."""
    from meldwise.cli.loop import Quit, Table
    from meldwise.cli.person import HandOrder
    from meldwise.cli.terminal import InputEnded, Stopped, Terminal, stopping_signals, style_of

    terminal = Terminal(style_of(colour))
    seats = host.session.match.seats
    person = next(place for place, seat in enumerate(seats) if seat.computer is None)
    mode = load_answers().get("sort")
    order = HandOrder(mode if mode == "number" else "colour")
    table = Table(host, terminal, person, order, pace)
    code, text = Exit.FINE, ""
    try:
        with stopping_signals():
            try:
                table.run()
            except Quit:
                text = "Stopped."
            except InputEnded:
                text = "\nThe input has ended, and the match has not."
    except Stopped as stop:
        code, text = stop.code, "\nInterrupted."
    host.save()
    with contextlib.suppress(OSError):
        _say_goodbye(host, text, code)
    if code is Exit.HANGUP:
        silence()
    sys.exit(code)


def _say_goodbye(host: Host, text: str, code: Exit) -> None:
    if code is Exit.HANGUP:
        return
    path = shlex.quote(str(host.path))
    lines = [text] if text else []
    if host.session.match.result is None:
        lines += [f"The match is kept in {host.path}", f"Go on: meldwise play --resume {path}"]
        if host.seeds.text is not None:
            lines[-1] += f" --seed {shlex.quote(host.seeds.text)}"
    else:
        lines += [
            f"The match is kept in {host.path}",
            f"See it again: meldwise record show {path}",
            "Play again: meldwise",
        ]
    click.echo("\n".join(lines))
