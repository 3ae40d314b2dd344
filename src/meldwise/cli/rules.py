"""``meldwise rules``: the rules of a game in words."""

from __future__ import annotations

from pathlib import Path

import click

from meldwise.cli.options import chosen_rules, examples, json_option, rules_options

__all__ = ["command"]


@click.command(
    "rules",
    epilog=examples(
        "meldwise rules --game tiles-50",
        "meldwise rules --set joker_level=J1 --set timer=60",
        "meldwise rules --fields",
    ),
)
@rules_options
@click.option("--fields", is_flag=True, help="List the rules that can be set, and their values.")
@json_option
def command(
    game: str | None,
    rules_file: Path | None,
    settings: tuple[str, ...],
    rounds: int | None,
    fields: bool,
    as_json: bool,
) -> None:
    """Explain the rules of a game in words."""
    title, rules = chosen_rules(game, rules_file, settings, rounds)
    from meldwise.i18n import describe_field, describe_rules, value_name

    values = rules.as_dict()
    if fields:
        names = [*values, "joker_level"]
        if as_json:
            _write({name: describe_field(name) for name in names})
            return
        for name in names:
            click.echo(f"{name}={_text(values[name])}" if name in values else f"{name}=…")
            click.echo(click.wrap_text(describe_field(name), _width(), "    ", "    "))
        return
    sections = describe_rules(rules)
    if as_json:
        _write(
            {
                "game": title,
                "rules": values,
                "joker_level": rules.joker_level,
                "sections": [
                    {"title": part.title, "sentences": list(part.sentences)} for part in sections
                ],
                "values": {name: value_name(name, value) for name, value in values.items()},
            }
        )
        return
    click.secho(title, bold=True)
    for part in sections:
        click.echo()
        click.secho(part.title, bold=True)
        for sentence in part.sentences:
            click.echo(click.wrap_text(sentence, _width(), "  - ", "    "))


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "off" if value is None else str(value)


def _write(data: object) -> None:
    import json

    click.echo(json.dumps(data, ensure_ascii=False, indent=2))


def _width() -> int:
    import shutil

    return max(30, min(100, shutil.get_terminal_size().columns))
