"""``meldwise completion``: the text that makes a shell complete commands and options."""

from __future__ import annotations

import click

from meldwise.cli.options import examples

__all__ = ["command"]


@click.command(
    "completion",
    epilog=examples(
        "meldwise completion bash >> ~/.bashrc",
        "meldwise completion zsh >> ~/.zshrc",
        "meldwise completion fish > ~/.config/fish/completions/meldwise.fish",
    ),
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Print shell completion for bash, zsh or fish."""
    from click.shell_completion import get_completion_class

    from meldwise.cli.app import cli

    found = get_completion_class(shell)
    assert found is not None
    click.echo(found(cli, {}, "meldwise", "_MELDWISE_COMPLETE").source())
