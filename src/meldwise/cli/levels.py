"""``meldwise levels``: the computer players, the weakest first."""

from __future__ import annotations

import click

from meldwise.cli.options import examples, json_option

__all__ = ["command"]


@click.command(
    "levels",
    epilog=examples("meldwise levels", "meldwise play --level regular", "meldwise levels --json"),
)
@json_option
def command(as_json: bool) -> None:
    """List the levels of the computer players, and the other players there are."""
    from meldwise.i18n import describe_level, level_name
    from meldwise.players import DEFAULT_LEVEL, LEVELS, player_names

    names = [level.name for level in LEVELS]
    others = [name for name in player_names() if name not in names]
    if as_json:
        import json

        levels = [
            {
                "name": level.name,
                "rank": level.rank,
                "title": level_name(level.name),
                "description": describe_level(level.name),
                "default": level.name == DEFAULT_LEVEL,
            }
            for level in LEVELS
        ]
        click.echo(json.dumps({"levels": levels, "others": others}, indent=2))
        return
    wide = max(map(len, names))
    for name in names:
        mark = " (default)" if name == DEFAULT_LEVEL else ""
        click.echo(f"{name.ljust(wide)}  {describe_level(name)}{mark}")
    click.echo(f"Other players: {', '.join(others)}")
