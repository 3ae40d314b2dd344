"""``meldwise serve``: the port, the addresses and the QR code that it prints."""

from __future__ import annotations

import asyncio
import socket
import sys
import time
import types
from collections.abc import Callable
from typing import Any

import pytest
from click.testing import CliRunner

from meldwise.cli.app import cli
from meldwise.game.codes import Code
from meldwise.server.config import Settings
from meldwise.server.errors import ServerError
from meldwise.server.run import bind, loop_factory


def test_another_port_if_the_usual_one_is_taken() -> None:
    first, settings = bind(Settings(port=0), any_port=False)
    with first:
        first.listen()
        taken = Settings(port=settings.port)
        second, other = bind(taken, any_port=True)
        second.close()
        assert other.port not in (0, settings.port)
        with pytest.raises(ServerError) as caught:
            bind(taken, any_port=False)
        assert caught.value.code is Code.SERVER_UNREACHABLE
    with pytest.raises(ServerError):
        bind(Settings(host="192.0.2.1"), any_port=True)


@pytest.mark.parametrize(
    ("words", "shows"),
    [(["--qr"], True), (["--no-qr"], False), ([], False)],
)
def test_what_is_printed(monkeypatch: pytest.MonkeyPatch, words: list[str], shows: bool) -> None:
    opened: list[str] = []

    def serve(settings: Settings, listener: socket.socket, ready: Callable[[], None]) -> None:
        with listener:
            ready()

    monkeypatch.setattr("meldwise.server.run.serve", serve)
    monkeypatch.setattr("webbrowser.open", opened.append)
    public = "https://play.example"
    more: list[Any] = ["serve", "--port", "0", "--public-url", public, "--open", *words]
    found = CliRunner().invoke(cli, more)
    assert found.exit_code == 0, found.output
    assert "Meldwise is at http://127.0.0.1:" in found.output
    assert f"Meldwise is at {public}/" in found.output
    assert ("█" in found.output or "▄" in found.output) == shows
    for _ in range(500):
        if opened:
            break
        time.sleep(0.01)
    assert len(opened) == 1
    assert opened[0].startswith("http://127.0.0.1:")


def test_a_bad_setting_is_one_line() -> None:
    found = CliRunner().invoke(cli, ["serve", "--port", "99999"])
    assert found.exit_code == 2
    assert found.stderr == "meldwise: The setting port cannot be “99999”: it takes 0 to 65535.\n"


def test_uvloop_is_used_if_it_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "uvloop", None)
    assert loop_factory() is None
    there = types.SimpleNamespace(new_event_loop=asyncio.new_event_loop)
    monkeypatch.setitem(sys.modules, "uvloop", there)
    assert loop_factory() is asyncio.new_event_loop
