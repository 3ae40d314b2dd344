"""The command line: ``meldwise`` and its commands, each in a module that is loaded when used."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["main"]


def main(args: Sequence[str] | None = None) -> None:
    """Runs the command line and exits with its code.

    Args:
        args: the words of the command line; those of the process if None.
    """
    from meldwise.cli.app import cli

    cli.main(args=None if args is None else list(args), prog_name="meldwise")
