"""Options that several commands share: which game, and which rules differ from it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from meldwise.cli.exits import CliError, Exit, nearest
from meldwise.cli.store import load_games, read_text

if TYPE_CHECKING:
    from meldwise.game.errors import GameError
    from meldwise.game.rules import Rules

__all__ = [
    "chosen_rules",
    "complete_game",
    "complete_level",
    "examples",
    "json_option",
    "rules_options",
]

F = TypeVar("F", bound=Callable[..., Any])

DEFAULT_GAME: Final = "rrrummy"


def examples(*lines: str) -> str:
    """The end of a command's help: lines that can be typed as they are."""
    return "\b\nExamples:\n  " + "\n  ".join(lines)


def complete_game(_ctx: click.Context, _param: click.Parameter, start: str) -> list[str]:
    """The names of games that begin with a text, for shell completion."""
    return [preset.name for preset in load_games() if preset.name.startswith(start)]


def complete_level(_ctx: click.Context, _param: click.Parameter, start: str) -> list[str]:
    """The names of computer players that begin with a text, for shell completion."""
    from meldwise.players import player_names

    return [name for name in player_names() if name.startswith(start)]


def _complete_set(_ctx: click.Context, _param: click.Parameter, start: str) -> list[str]:
    from dataclasses import fields

    from meldwise.game.rules import Rules

    names = [*(spec.name for spec in fields(Rules)), "joker_level"]
    return [f"{name}=" for name in names if name.startswith(start)]


def rules_options(function: F) -> F:
    """Adds --game, --rules-file, --set and --rounds to a command."""
    options = [
        click.option(
            "--game",
            "-g",
            metavar="NAME",
            shell_complete=complete_game,
            help="Which game; `meldwise games` lists them. [default: rrrummy]",
        ),
        click.option(
            "--rules-file",
            type=click.Path(path_type=Path, dir_okay=False),
            help="A TOML file with the rules that differ from the game.",
        ),
        click.option(
            "--set",
            "settings",
            multiple=True,
            metavar="FIELD=VALUE",
            shell_complete=_complete_set,
            help="Change one rule, such as --set timer=60; may be repeated.",
        ),
        click.option(
            "--rounds", type=click.IntRange(1, 1000), help="The match lasts this many rounds."
        ),
    ]
    for option in reversed(options):
        function = option(function)
    return function


def json_option(function: F) -> F:
    """Adds --json to a command."""
    return click.option("--json", "as_json", is_flag=True, help="Write JSON, also for errors.")(
        function
    )


def chosen_rules(
    game: str | None, rules_file: Path | None, settings: tuple[str, ...], rounds: int | None
) -> tuple[str, Rules]:
    """The title and the rules that the options of :func:`rules_options` ask for.

    Later ones win: the game, the file, each ``--set``, ``--rounds``.

    Raises:
        CliError: on anything that is wrong with them.
    """
    from meldwise.game.errors import RulesError

    games = load_games()
    changes: dict[str, object] = {}
    where = ""
    if rules_file is not None:
        changes, file_game = _read_rules_file(rules_file)
        game = game or file_game
        where = f"{rules_file}: "
    try:
        preset = games.find(game or DEFAULT_GAME)
    except RulesError as error:
        raise _unknown_game(game or "", list(error.fields.get("known", ())), where) from None  # type: ignore[call-overload]
    try:
        from meldwise.game.rules import Rules

        if not settings and not rounds:
            rules = Rules.from_dict(changes, preset.rules)
        else:
            if changes:
                Rules.from_dict(changes, preset.rules)
            where = ""
            for text in settings:
                field, value = _setting(text)
                changes.pop(field, None)
                changes[field] = value
            if rounds:
                changes |= {"match_end": "rounds", "match_length": rounds}
            rules = Rules.from_dict(changes, preset.rules)
    except RulesError as error:
        raise _rules_error(error, where) from None
    name = games.name_of(rules)
    if not set(rules.differences(preset.rules)) - {"match_end", "match_length", "timer"}:
        return preset.title, rules
    return games.find(name).title if name else f"{preset.title}, changed", rules


def _setting(text: str) -> tuple[str, object]:
    from meldwise.game.errors import RulesError
    from meldwise.game.rules import Rules

    name, equals, value = text.partition("=")
    name = name.strip().replace("-", "_").lower()
    if not equals or not name:
        raise CliError(
            f"“{text}” is not a setting: write FIELD=VALUE, such as timer=60.",
            hint="See: meldwise rules --fields",
        )
    try:
        return name, Rules.parse_value(name, value)
    except RulesError as error:
        raise _rules_error(error, "") from None


def _read_rules_file(path: Path) -> tuple[dict[str, object], str | None]:
    from meldwise.game import toml
    from meldwise.game.codes import Code
    from meldwise.game.errors import RulesError
    from meldwise.game.rules import Rules

    text = read_text(path)
    try:
        data: dict[str, object] = toml.read(text)
    except toml.TomlError as error:
        raise CliError(
            f"{path}: this is not valid TOML: {error.reason}.",
            Exit.USAGE,
            key=str(Code.RULES_FILE),
        ) from None
    data.pop("title", None)
    game = data.pop("game", None)
    if game is not None and not isinstance(game, str):
        raise CliError(f"{path}: game must be the name of a game.", key=str(Code.RULES_BAD_VALUE))
    if data.get("timer") in ("off", "none", False):
        data["timer"] = None
    lines = toml.field_lines(text)
    for name, value in data.items():
        try:
            # Each field alone, for its line; what the mixture allows is asked afterwards.
            if name not in ("match_length", "joker_level"):
                Rules.from_dict({name: value})
        except RulesError as error:
            if (
                error.code
                in (
                    Code.RULES_UNKNOWN_FIELD,
                    Code.RULES_BAD_VALUE,
                    Code.RULES_OUT_OF_RANGE,
                )
                and error.fields.get("field") == name
            ):
                line = lines.get((name,))
                raise _rules_error(error, f"{path}:{line}: " if line else f"{path}: ") from None
    return data, game


def _unknown_game(name: str, known: list[str], where: str) -> CliError:
    near = nearest(name, known)
    hint = f"Did you mean “{near}”?" if near else "See: meldwise games"
    return CliError(f"{where}There is no game named “{name}”.", hint=hint, key="rules.unknown_game")


def _rules_error(error: GameError, where: str) -> CliError:
    from dataclasses import fields

    from meldwise.game.codes import Code
    from meldwise.game.rules import Rules
    from meldwise.i18n import explain_error

    hint = ""
    if error.code is Code.RULES_UNKNOWN_FIELD:
        names = [*(spec.name for spec in fields(Rules)), "joker_level"]
        near = nearest(str(error.fields.get("field", "")), names)
        hint = f"Did you mean “{near}”?" if near else "See: meldwise rules --fields"
    return CliError(f"{where}{explain_error(error)}", hint=hint, key=str(error.code))
