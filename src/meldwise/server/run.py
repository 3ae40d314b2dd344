"""Running the server: the socket, what is printed, and a graceful end."""

from __future__ import annotations

import asyncio
import errno
import gc
import importlib
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import uvicorn

from meldwise.game.codes import Code
from meldwise.server.api.context import Context
from meldwise.server.app import create_app, running
from meldwise.server.config import Settings
from meldwise.server.errors import ServerError
from meldwise.server.security import SecurityHeaders

__all__ = ["Running", "bind", "loop_factory", "serve", "start"]

_FAREWELL = 3.0
"""How long clients have to take their last messages, in seconds."""

_COLLECTIONS = (2_000, 1_000_000, 1_000_000)
"""After how many new objects Python looks through those for rings that nobody needs.

Few at a time, since no move is answered meanwhile; and never through the older ones by itself:
with a thousand tables these are a million. Moves leave no rings behind, connections few.
"""

_COLLECT_AFTER = 600.0
"""How often Python looks through all objects, in seconds; with a thousand tables it takes one."""


def bind(settings: Settings, any_port: bool) -> tuple[socket.socket, Settings]:
    """A listening socket, and the settings with the port that it got.

    Args:
        settings: the settings.
        any_port: whether a free port will do if the wanted one is taken.

    Raises:
        ServerError: if the address or the port cannot be had.
    """
    try:
        return _bind(settings)
    except OSError as error:
        if any_port and error.errno == errno.EADDRINUSE:
            return _bind(replace(settings, port=0))
        raise ServerError(
            Code.SERVER_UNREACHABLE,
            what=f"{settings.host}:{settings.port}",
            reason=error.strerror or str(error),
        ) from None


def _bind(settings: Settings) -> tuple[socket.socket, Settings]:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    # Only of a socket that is said to be TCP's does asyncio switch Nagle's algorithm off, for
    # which a reply and the update after it would wait forty milliseconds for each other.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.host, settings.port))
    except OSError:
        listener.close()
        raise
    listener.set_inheritable(False)
    return listener, replace(settings, port=listener.getsockname()[1])


class _Server(uvicorn.Server):
    """Tells clients of the end before connections are closed."""

    def __init__(self, config: uvicorn.Config, context: Context) -> None:
        super().__init__(config)
        self.context = context

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Takes SIGINT and SIGTERM for a wish to end, and does not raise them again after.

        uvicorn would: the process would then be gone before the database is closed.
        """
        loop = asyncio.get_running_loop()
        taken = []
        # Only the main thread hears signals; on another one somebody else asks for the end.
        main = threading.current_thread() is threading.main_thread()
        for number in (signal.SIGINT, signal.SIGTERM) if main else ():
            try:
                loop.add_signal_handler(number, self.handle_exit, number, None)
                taken.append(number)
            except (NotImplementedError, RuntimeError):
                signal.signal(number, self.handle_exit)
        try:
            yield
        finally:
            for number in taken:
                loop.remove_signal_handler(number)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Says bye to every client, then ends."""
        self.context.stopping = True
        self.context.keeper.say_bye()
        loop = asyncio.get_running_loop()
        end = loop.time() + _FAREWELL
        while self.context.connections and loop.time() < end:
            await asyncio.sleep(0.02)
        await super().shutdown(sockets)


class Running:
    """A server that answers at a socket.

    Args:
        server: the server.
        task: what it runs in.
    """

    def __init__(self, server: _Server, task: asyncio.Task[None]) -> None:
        self._server = server
        self._task = task

    async def wait(self) -> None:
        """Waits for the end."""
        await self._task

    async def stop(self) -> None:
        """Asks the server to end, and waits for that."""
        self._server.should_exit = True
        await self._task


async def start(context: Context, listener: socket.socket) -> Running:
    """Answers at a socket; returns once it does.

    Args:
        context: the parts of the server.
        listener: the bound socket.
    """
    settings = context.settings
    config = uvicorn.Config(
        SecurityHeaders(create_app(context), settings.https),
        log_config=None,
        access_log=False,
        ws="websockets-sansio",
        ws_max_size=settings.largest_message,
        ws_ping_interval=20,
        ws_ping_timeout=30,
        # A step is a few kilobytes, and a compressor for each connection costs more than that.
        ws_per_message_deflate=False,
        proxy_headers=bool(settings.trusted_proxies),
        forwarded_allow_ips=settings.trusted_proxies or None,
        server_header=False,
        timeout_graceful_shutdown=5,
        lifespan="off",
    )
    server = _Server(config, context)
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    while not server.started and not serving.done():
        await asyncio.sleep(0.005)
    if serving.done():
        await serving
    return Running(server, serving)


def serve(settings: Settings, listener: socket.socket, ready: Callable[[], None]) -> None:
    """Serves until SIGINT or SIGTERM.

    Args:
        settings: the settings.
        listener: the bound socket.
        ready: is called once requests are answered.

    Raises:
        ServerError: if the database cannot be used.
    """
    with listener, asyncio.Runner(loop_factory=loop_factory()) as runner:
        runner.run(_serve(settings, listener, ready))


def loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """What makes the event loop: uvloop if it is installed, or asyncio's own (None)."""
    try:
        found: Callable[[], asyncio.AbstractEventLoop] = importlib.import_module(
            "uvloop"
        ).new_event_loop
    except ImportError:
        return None
    return found


async def _serve(settings: Settings, listener: socket.socket, ready: Callable[[], None]) -> None:
    async with running(settings) as context:
        server = await start(context, listener)
        ready()
        gc.collect()
        gc.freeze()
        gc.set_threshold(*_COLLECTIONS)
        collecting = asyncio.create_task(_collect_now_and_then())
        try:
            await server.wait()
        finally:
            collecting.cancel()


async def _collect_now_and_then() -> None:
    while True:
        await asyncio.sleep(_COLLECT_AFTER)
        gc.collect()
