"""``meldwise games``: the named games, and the user's own mixtures."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import click

from meldwise.cli.exits import CliError, nearest
from meldwise.cli.options import chosen_rules, examples, json_option, rules_options
from meldwise.cli.store import games_file, load_games, own_games, save_own_games

if TYPE_CHECKING:
    from meldwise.game.presets import Preset

__all__ = ["command"]


@click.group(
    "games",
    invoke_without_command=True,
    epilog=examples(
        "meldwise games",
        "meldwise games save friday --game tiles-50 --set timer=60",
        "meldwise games remove friday",
    ),
)
@json_option
@click.pass_context
def command(ctx: click.Context, as_json: bool) -> None:
    """List the named games and what sets them apart; save a mixture of your own."""
    if ctx.invoked_subcommand is not None:
        return
    games = list(load_games())
    own = {preset.name for preset in own_games()}
    if as_json:
        import json

        click.echo(json.dumps([_data(game, game.name in own) for game in games], indent=2))
        return
    _table(games, own)


def _data(preset: Preset, own: bool) -> dict[str, object]:
    from meldwise.i18n import game_difference

    return {
        "name": preset.name,
        "title": preset.title,
        "aliases": list(preset.aliases),
        "own": own,
        "joker_level": preset.rules.joker_level,
        "difference": game_difference(preset),
        "rules": preset.rules.as_dict(),
    }


def _table(games: list[Preset], own: set[str]) -> None:
    from meldwise.i18n import game_difference

    width = max(30, min(100, shutil.get_terminal_size().columns))
    column = max(len(game.name) for game in games) + 2
    wide = width >= column + 40
    for game in games:
        text = game_difference(game)
        title = f"{game.title}{' (yours)' if game.name in own else ''}"
        if wide:
            lines = click.wrap_text(f"{title}. {text}.", width - column).splitlines()
            click.echo(click.style(game.name.ljust(column), bold=True) + lines[0])
            for line in lines[1:]:
                click.echo(" " * column + line)
        else:
            click.secho(game.name, bold=True)
            click.echo(click.wrap_text(f"{title}. {text}.", width, "  ", "  "))


@command.command(
    "save",
    epilog=examples(
        'meldwise games save friday --game tiles-50 --set timer=60 --title "Friday night"'
    ),
)
@click.argument("name")
@click.option("--title", help="The name as it is shown. [default: NAME]")
@rules_options
@click.option("--replace", is_flag=True, help="Replace your own game of that name.")
def save(
    name: str,
    title: str | None,
    game: str | None,
    rules_file: Path | None,
    settings: tuple[str, ...],
    rounds: int | None,
    replace: bool,
) -> None:
    """Save a mixture of rules under a NAME, which --game then finds."""
    _, rules = chosen_rules(game, rules_file, settings, rounds)
    from meldwise.game.presets import Preset

    preset = Preset(name, title or name, rules)
    own = own_games()
    if any(other.name == name for other in own):
        if not replace:
            raise CliError(
                f"You have a game named “{name}” already.", hint="Add --replace to replace it."
            )
        own = tuple(other for other in own if other.name != name)
    games = load_games()
    for word in (name, preset.title):
        try:
            taken = games.find(word)
        except Exception:
            continue
        if taken.name != name or all(other.name != name for other in own_games()):
            raise CliError(
                f"The name “{word}” belongs to the game {taken.title}.",
                hint="Choose another.",
                key="rules.name_taken",
            )
    save_own_games((*own, preset))
    click.echo(f"Saved “{name}” in {games_file()}. Play it: meldwise play --game {name}")


@command.command("remove", epilog=examples("meldwise games remove friday"))
@click.argument("name")
def remove(name: str) -> None:
    """Remove your own game NAME."""
    own = own_games()
    if all(preset.name != name for preset in own):
        near = nearest(name, [preset.name for preset in own])
        hint = f"Did you mean “{near}”?" if near else ""
        raise CliError(
            f"You have no game of your own named “{name}”.", hint=hint, key="rules.unknown_game"
        )
    save_own_games(tuple(preset for preset in own if preset.name != name))
    click.echo(f"Removed “{name}”.")
