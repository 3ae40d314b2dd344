"""``meldwise solve``: the best play from a position, with its proof."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from meldwise.cli.exits import CliError, Exit
from meldwise.cli.options import chosen_rules, examples, json_option, rules_options

if TYPE_CHECKING:
    from meldwise.game.melds import Meld
    from meldwise.game.position import Position
    from meldwise.game.rules import Rules
    from meldwise.game.tiles import Tile
    from meldwise.solver import Answer, Arrangement, NoPlay, Objective, Play

__all__ = ["command", "solve"]

SEE: Final = "See: meldwise solve --help"

OBJECTIVES: Final = ("tiles", "value", "tiles-value", "value-tiles", "out")

EPILOG: Final = (
    examples(
        'meldwise solve "r5-6-7 8ryk / r8 b8 b9"',
        'meldwise solve --objective value --plays 3 "r5-6-7 / r8 r4 b9"',
        """meldwise solve --weight '*=-20' --steps "r5-6-7 / r9 *\"""",
        'meldwise solve --json "r4-*-6 7ryk / r7 * / unopened"',
    )
    + """

A position is the table, the hand, and unopened for a player who has not opened. A file has
one a line; what follows a # is not read."""
)


@click.command("solve", epilog=EPILOG)
@click.argument("positions", nargs=-1, metavar="[POSITION]...")
@click.option(
    "--file",
    "files",
    multiple=True,
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False, allow_dash=True),
    help="Read positions from a file, one a line; - for standard input.",
)
@rules_options
@click.option(
    "--objective",
    type=click.Choice(OBJECTIVES),
    default="tiles-value",
    show_default=True,
    help="What the play is to be best at.",
)
@click.option(
    "--weight",
    "weights",
    multiple=True,
    metavar="TILE=N",
    help="What a tile counts instead, such as '*=-20' to keep a joker; may be repeated.",
)
@click.option(
    "--plays",
    "count",
    type=click.IntRange(1, 1000),
    default=1,
    help="Show so many of the best plays that differ in the tiles played.",
)
@click.option("--steps", is_flag=True, help="Disturb the table least, and tell the steps.")
@click.option(
    "--nodes",
    type=click.IntRange(0),
    default=0,
    help="Look into so many states at most, and say how good a play could be.",
)
@json_option
def solve(
    positions: tuple[str, ...],
    files: tuple[Path, ...],
    game: str | None,
    rules_file: Path | None,
    settings: tuple[str, ...],
    rounds: int | None,
    objective: str,
    weights: tuple[str, ...],
    count: int,
    steps: bool,
    nodes: int,
    as_json: bool,
) -> None:
    """Find the best play from a position, and prove it."""
    from meldwise.game.errors import GameError

    _, rules = chosen_rules(game, rules_file, settings, rounds)
    aim = _objective(objective, weights)
    if not positions and not files:
        if sys.stdin.isatty():
            raise CliError("Give a position, or --file with positions.", hint=SEE)
        files = (Path("-"),)
    asked = [*((text, f"argument {n}") for n, text in enumerate(positions, 1)), *_read(files)]
    first = True
    for text, where in _with_progress(asked):
        position = _position(text, where)
        if not as_json and not first:
            click.echo()
        first = False
        try:
            _solve_one(position, rules, aim, count, steps, nodes, as_json, many=len(asked) > 1)
        except GameError as error:
            from meldwise.i18n import explain_error

            raise CliError(f"{where}: {explain_error(error)}", key=str(error.code)) from None


def _solve_one(
    position: Position,
    rules: Rules,
    aim: Objective,
    count: int,
    steps: bool,
    nodes: int,
    as_json: bool,
    *,
    many: bool,
) -> None:
    from meldwise.solver import arrange, best_play, plays, why_no_play

    answer = best_play(position, rules, aim, nodes=nodes)
    found = [answer.play] if answer.play else []
    if count > 1 and answer.play:
        found = list(plays(position, rules, count, aim))
    arranged = [arrange(position, rules, play.played) if steps else None for play in found]
    why = why_no_play(position, rules) if not found and answer.proven else None
    if as_json:
        _write_json(position, answer, found, arranged, why)
        return
    if many:
        click.secho(str(position), dim=True)
    if not found:
        click.echo(_no_play(answer, why))
    for place, (play, arrangement) in enumerate(zip(found, arranged, strict=True), 1):
        _write_play(position, answer, play, arrangement, place if count > 1 else None)


# --- reading ----------------------------------------------------------------


def _objective(name: str, weights: tuple[str, ...]) -> Objective:
    from meldwise import solver
    from meldwise.game.tiles import Tile

    chosen = {
        "tiles": solver.MOST_TILES,
        "value": solver.HIGHEST_VALUE,
        "tiles-value": solver.MOST_TILES_THEN_VALUE,
        "value-tiles": solver.VALUE_THEN_MOST_TILES,
        "out": solver.GOING_OUT,
    }[name]
    if not weights:
        return chosen
    first = list(chosen.tiers[0])
    for text in weights:
        tile, _, number = text.rpartition("=")
        try:
            first[Tile.parse(tile).index] = int(number)
        except ValueError:
            raise CliError(f"“{text}” is not a weight: write TILE=N.", hint=SEE) from None
    return solver.Objective((tuple(first), *chosen.tiers[1:]), chosen.going_out)


def _read(files: Iterable[Path]) -> Iterator[tuple[str, str]]:
    for path in files:
        name = "standard input" if str(path) == "-" else str(path)
        try:
            with click.open_file(str(path), encoding="utf-8") as file:
                text = file.read()
        except (OSError, UnicodeDecodeError) as error:
            raise CliError(f"{name}: {error}.", Exit.FILE, key="file") from None
        for number, line in enumerate(text.splitlines(), 1):
            asked = line.partition("#")[0].strip()
            if asked:
                yield asked, f"{name}, line {number}"


def _position(text: str, where: str) -> Position:
    from meldwise.game.errors import NotationError
    from meldwise.game.position import Position

    try:
        return Position.parse(text)
    except NotationError as error:
        from meldwise.i18n import explain_error

        raise CliError(f"{where}: {explain_error(error)}", key=str(error.code)) from None


def _with_progress(asked: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """The positions, with a bar on standard error where many take a while."""
    if len(asked) < 100 or not sys.stderr.isatty() or sys.stdout.isatty():
        yield from asked
        return
    from rich.console import Console
    from rich.progress import track

    yield from track(asked, "Solving", console=Console(stderr=True), transient=True)


# --- writing ----------------------------------------------------------------

_INKS: Final = ("red", "yellow", "white", "blue")


def _tile_text(tile: Tile, *, fresh: bool) -> str:
    text = str(tile)
    colour = "magenta" if tile.colour is None else _INKS[tile.colour]
    return click.style(text, fg=colour, bold=True, underline=fresh)


def _meld_text(meld: Meld, fresh: list[int]) -> str:
    """The tiles of a meld; those from the hand are underlined and have a plus."""
    parts = []
    for tile in meld.cells:
        new = fresh[tile.index] > 0
        fresh[tile.index] -= new
        parts.append(("+" if new else "") + _tile_text(tile, fresh=new))
    return " ".join(parts)


def _write_play(
    position: Position,
    answer: Answer,
    play: Play,
    arrangement: Arrangement | None,
    place: int | None,
) -> None:
    from meldwise.game.tiles import count_tiles

    table = arrangement.table if arrangement else play.table
    head = f"{place}. " if place else ""
    tiles = " ".join(_tile_text(tile, fresh=False) for tile in play.played)
    proof = "proven" if answer.proven else f"at most {answer.gap} short of the best"
    what = "tile" if len(play.played) == 1 else "tiles"
    value = " ".join(map(str, play.value))
    said = f"{len(play.played)} {what}: {tiles} (value {value}"
    click.echo(f"{head}{said}, {proof})" if place in (None, 1) else f"{head}{said})")
    old = [meld.key for meld in position.table]
    changed: list[Meld] = []
    for meld in table:
        if meld.key in old:
            old.remove(meld.key)
        else:
            changed.append(meld)
    # Which of two twins is new cannot be told: the one in a changed meld is shown as new.
    fresh = count_tiles(play.played)
    for meld in changed:
        click.echo(f"  {_meld_text(meld, fresh)}")
    kept = len(table) - len(changed)
    if kept:
        click.echo(f"  and {kept} {'meld' if kept == 1 else 'melds'} as before")
    if arrangement:
        for number, step in enumerate(arrangement.steps, 1):
            click.echo(f"  {number}) {step}")
        if not arrangement.proven:
            click.echo("  There may be a table that disturbs less.")


def _no_play(answer: Answer, why: NoPlay | None) -> str:
    from meldwise.solver import Reason

    if why is None:
        return (
            "None was found within the budget." if not answer.proven else "Nothing can be played."
        )
    texts = {
        Reason.EMPTY_HAND: "The hand is empty.",
        Reason.NO_MELD: "Nothing can be played: the hand holds no meld to open with.",
        Reason.OPENING_TOO_LOW: (
            f"Nothing can be played: the melds in hand are worth {why.have} at most, "
            f"and an opening needs {why.need}."
        ),
        Reason.JOKER_RULES: (
            "Nothing can be played under the joker rules; with free jokers something could."
        ),
        Reason.NOTHING_FITS: (
            "Nothing can be played: no tile of the hand fits, however the table is rearranged."
        ),
    }
    return texts[why.reason]


def _write_json(
    position: Position,
    answer: Answer,
    found: list[Play],
    arranged: list[Arrangement | None],
    why: NoPlay | None,
) -> None:
    import json

    data: dict[str, Any] = {
        "position": str(position),
        "proven": answer.proven,
        "gap": answer.gap,
        "nodes": answer.nodes,
        "plays": [
            {
                "played": [str(tile) for tile in play.played],
                "value": list(play.value),
                "table": [str(m) for m in (arrangement.table if arrangement else play.table)],
                **(_arrangement_data(arrangement) if arrangement else {}),
            }
            for play, arrangement in zip(found, arranged, strict=True)
        ],
    }
    if why is not None:
        data["why"] = {"reason": why.reason.value}
        if why.need is not None:
            data["why"] |= {"have": why.have, "need": why.need}
    click.echo(json.dumps(data, ensure_ascii=False))


def _arrangement_data(arrangement: Arrangement) -> dict[str, Any]:
    return {
        "steps": [str(step) for step in arrangement.steps],
        "melds_kept": len(arrangement.kept),
        "jokers_moved": arrangement.jokers_moved,
        "tiles_moved": arrangement.tiles_moved,
        "least_moved_proven": arrangement.proven,
    }


command = solve
