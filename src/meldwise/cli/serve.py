"""``meldwise serve``: tables for browsers and other clients."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from meldwise.server.config import Settings

__all__ = ["command"]


def _with_settings(function: Callable[..., None]) -> Callable[..., None]:
    """Adds an option for each setting of the server."""
    from meldwise.server.config import PREFIX, setting_help

    for name, text, default, kind in reversed(setting_help()):
        flag = f"--{name.replace('_', '-')}"
        shown = "" if default in (None, "") else f"; {_plain(default)} if not given"
        words = f"{text[:1].upper()}{text[1:]}{shown}. [{PREFIX}{name.upper()}]"
        if kind is bool:
            option = click.option(f"{flag}/--no-{flag[2:]}", name, default=None, help=words)
        else:
            option = click.option(flag, name, type=kind, metavar=_METAVARS[kind], help=words)
        function = option(function)
    return function


_METAVARS = {str: "TEXT", int: "N", float: "X"}


def _plain(default: object) -> str:
    if isinstance(default, bool):
        return "yes" if default else "no"
    return str(default)


@click.command(
    epilog="""\b
Examples:
  meldwise serve --open
  meldwise serve --host 0.0.0.0
  meldwise serve --database postgresql://meldwise@db.example/meldwise --port 8000

Every setting can be given as a flag, as an environment variable, or in a TOML file under the
name of the flag with underscores; flags come first, then the environment."""
)
@click.option(
    "--config",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A TOML file of settings. [MELDWISE_CONFIG]",
)
@click.option("--open", "open_browser", is_flag=True, help="Open the address in a browser.")
@click.option("--qr/--no-qr", default=None, help="Print a QR code of the address, or not.")
@_with_settings
def command(config: Path | None, open_browser: bool, qr: bool | None, **flags: Any) -> None:
    """Serve tables to browsers and other clients.

    Without options the server listens on this machine only and keeps everything in one file
    of SQLite in your data folder. With --host 0.0.0.0 others on the network can play; the
    addresses are printed, with a QR code to scan.
    """
    from meldwise.server.config import load_settings
    from meldwise.server.logs import set_up_logs

    settings = load_settings(flags, os.environ, config)
    set_up_logs(settings.log_level, settings.log_format)
    explicit = flags.get("port") is not None or "MELDWISE_PORT" in os.environ
    run(settings, any_port=not explicit and config is None, open_browser=open_browser, qr=qr)


def run(settings: Settings, *, any_port: bool, open_browser: bool, qr: bool | None) -> None:
    """Serves until the process is asked to end."""
    from meldwise.server.addresses import addresses_of
    from meldwise.server.run import bind, serve

    listener, settings = bind(settings, any_port)
    addresses = addresses_of(settings)

    def ready() -> None:
        for address in addresses:
            click.echo(f"Meldwise is at {address}")
        if qr or (qr is None and len(addresses) > 1 and sys.stdout.isatty()):
            _print_qr(addresses[-1])
        click.echo("Stop it with Ctrl-C.")
        if open_browser:
            import threading
            import webbrowser

            threading.Thread(target=webbrowser.open, args=(addresses[0],), daemon=True).start()

    serve(settings, listener, ready)


def _print_qr(address: str) -> None:
    import io

    import segno

    text = io.StringIO()
    segno.make(address, error="m").terminal(text, compact=True)
    try:
        click.echo(text.getvalue())
    except UnicodeEncodeError:
        click.echo("(This terminal cannot show a QR code.)")
