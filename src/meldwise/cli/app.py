"""The root command, which finds the others by name, and tells errors in one line."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any, Final, NoReturn

import click

from meldwise.cli.encoding import speak_plainly
from meldwise.cli.exits import CliError, Exit, nearest, silence

__all__ = ["LazyGroup", "cli"]

COMMANDS: Final[dict[str, tuple[str, str]]] = {
    "play": ("meldwise.cli.play", "Play a match against computer players."),
    "watch": ("meldwise.cli.watch", "Let computer players play each other."),
    "record": ("meldwise.cli.record", "Show, check and verify records of matches."),
    "solve": ("meldwise.cli.solve", "Find the best play from a position, with its proof."),
    "serve": ("meldwise.cli.serve", "Serve tables to browsers and other clients."),
    "db": ("meldwise.cli.db", "Look after the server's database."),
    "games": ("meldwise.cli.games", "List the named games; save a mixture of your own."),
    "rules": ("meldwise.cli.rules", "Explain the rules of a game in words."),
    "doctor": ("meldwise.cli.doctor", "Say what this installation is."),
    "completion": ("meldwise.cli.completion", "Print shell completion for bash, zsh or fish."),
}
"""The module and the short help of each command; the module's ``command`` is loaded on use."""


class _NobodyReadsError(Exception):
    """A broken pipe, out of reach of click, which would exit with 1."""


class LazyGroup(click.Group):
    """A group whose commands are imported only when they run."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """The names of the commands, in the order of the help."""
        return list(COMMANDS)

    def get_command(
        self,
        ctx: click.Context,  # noqa: ARG002
        cmd_name: str,
    ) -> click.Command | None:
        """Imports a command; None if there is no such one."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(COMMANDS[cmd_name][0]).command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Finds the command of the first word, suggesting the nearest for an unknown one."""
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            near = nearest(name, list(COMMANDS))
            hint = f"Did you mean “{near}”?" if near else "See: meldwise --help"
            raise CliError(f"There is no command “{name}”.", hint=hint)
        return super().resolve_command(ctx, args)

    def format_commands(
        self,
        ctx: click.Context,  # noqa: ARG002
        formatter: click.HelpFormatter,
    ) -> None:
        """Lists the commands for the help without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])

    def invoke(self, ctx: click.Context) -> Any:
        """Runs the command that was found; that nobody reads its output is told apart."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise _NobodyReadsError from None

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,  # noqa: ARG002
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        """Runs a command line; every error becomes one line on standard error."""
        words = list(sys.argv[1:] if args is None else args)
        for stream in (sys.stdout, sys.stderr):
            speak_plainly(stream)
        try:
            result = super().main(
                args=words,
                prog_name=prog_name,
                complete_var=complete_var,
                standalone_mode=False,
                windows_expand_args=windows_expand_args,
                **extra,
            )
            sys.stdout.flush()
        except (BrokenPipeError, _NobodyReadsError):
            silence()
            sys.exit(Exit.BROKEN_PIPE)
        except CliError as error:
            _fail(error, words)
        except click.UsageError as error:
            _fail(_from_click(error), words)
        except click.ClickException as error:
            _fail(CliError(error.format_message()), words)
        except (click.Abort, KeyboardInterrupt):
            _fail(CliError("Interrupted.", Exit.INTERRUPTED, key="interrupted"), words)
        except Exception as error:
            if os.environ.get("MELDWISE_DEBUG"):
                raise
            _fail(_from_any(error), words)
        sys.exit(result if isinstance(result, int) else Exit.FINE)


def _from_click(error: click.UsageError) -> CliError:
    message = " ".join(error.format_message().split())
    path = error.ctx.command_path if error.ctx is not None else "meldwise"
    return CliError(message, hint="" if "Did you mean" in message else f"See: {path} --help")


def _from_any(error: Exception) -> CliError:
    from meldwise.game.errors import GameError

    if isinstance(error, GameError):
        from meldwise.i18n import explain_error

        return CliError(explain_error(error), key=str(error.code))
    if isinstance(error, OSError):
        name = f"{error.filename}: " if error.filename else ""
        return CliError(f"{name}{error.strerror or error}.", Exit.FILE, key="file")
    return CliError(
        f"Meldwise met an error of its own: {type(error).__name__}: {error}",
        Exit.BUG,
        hint="Set MELDWISE_DEBUG=1 to see where, and please report it.",
        key="bug",
    )


def _fail(error: CliError, words: list[str]) -> NoReturn:
    """Tells an error on standard error, as JSON where JSON was asked for, and exits."""
    before_rest = words[: words.index("--")] if "--" in words else words
    if "--json" in before_rest:
        import json

        data: dict[str, object] = {"code": error.key, "message": error.message}
        if error.hint:
            data["hint"] = error.hint
        text = json.dumps({"error": data}, ensure_ascii=False)
    else:
        text = f"meldwise: {error.message}" + (f" {error.hint}" if error.hint else "")
    click.echo(text, err=True)
    sys.exit(error.code)


@click.group(
    cls=LazyGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="""Without a command, meldwise asks a few things and starts a match.

\b
Examples:
  meldwise
  meldwise play --game tiles-50 --players 3 --rounds 1
  meldwise record verify match.toml

\b
Exit codes: 0 fine; 1 faults were found; 2 wrong usage; 3 a file cannot be read or written;
129, 130, 143 hung up, interrupted, terminated; 141 nobody reads the output.""",
)
@click.version_option(None, "--version", package_name="meldwise", message="meldwise %(version)s")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Tile rummy: play it, let computer players play it, and check its records."""
    if ctx.invoked_subcommand is None:
        from meldwise.cli.play import ask_and_play

        ask_and_play()
