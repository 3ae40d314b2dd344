"""``meldwise doctor``: what this installation is, and what runs on it."""

from __future__ import annotations

import platform
import sys

import click

from meldwise.cli.encoding import knows_shapes
from meldwise.cli.options import examples, json_option
from meldwise.cli.store import data_folder, load_games

__all__ = ["command"]

_KERNELS = {
    "compiled": "compiled",
    "asked": "interpreted, because MELDWISE_KERNEL=pure asks for it",
    "absent": "interpreted: compiling it takes a C compiler and Python's headers",
    "stale": "interpreted, because the compiled one is of another source: install Meldwise again",
}


@click.command("doctor", epilog=examples("meldwise doctor", "meldwise doctor --json"))
@json_option
def command(as_json: bool) -> None:
    """Say what this installation is: versions, the solver's kernel, folders, players."""
    from meldwise import __version__
    from meldwise.players import player_names
    from meldwise.solver import kernel_info

    kernel = kernel_info()
    encoding = sys.stdout.encoding or "ascii"
    games = [preset.name for preset in load_games()]
    players = list(player_names())
    if as_json:
        import json

        data = {
            "version": __version__,
            "python": platform.python_version(),
            "kernel": {"compiled": kernel.compiled, "reason": kernel.reason},
            "data": str(data_folder()),
            "encoding": encoding,
            "games": games,
            "players": players,
        }
        click.echo(json.dumps(data, indent=2))
        return
    shapes = "shapes and letters" if knows_shapes(sys.stdout) else "letters only"
    for name, text in (
        ("Meldwise", __version__),
        ("Python", f"{platform.python_version()} on {platform.system()}"),
        ("solver", f"the kernel is {_KERNELS[kernel.reason]}"),
        ("data", str(data_folder())),
        ("output", f"{encoding}: {shapes} for the colours"),
        ("games", ", ".join(games)),
        ("players", ", ".join(players)),
    ):
        click.echo(f"{name:9}{text}")
