"""Servers as processes of their own, which tests kill, and a proxy before them."""

from __future__ import annotations

import asyncio
import http.client
import os
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, closing, contextmanager, suppress

__all__ = ["Proxy", "free_port", "process", "process_beside"]


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _ready(port: int) -> bool:
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=10)) as connection:
        try:
            connection.request("GET", "/readyz")
            return connection.getresponse().status == 200
        except (OSError, http.client.HTTPException):
            return False


@contextmanager
def process(database: str, port: int, *more: str) -> Iterator[subprocess.Popen[str]]:
    """``meldwise serve`` as a process of its own; killed at the end if it is still there."""
    words = ["--database", database, "--port", str(port), "--away-after", "0.2", *more]
    server = subprocess.Popen(
        [sys.executable, "-m", "meldwise", "serve", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "MELDWISE_REQUESTS_AT_ONCE": "10000"},
    )
    try:
        end = time.monotonic() + 60
        while True:
            if _ready(port):
                break
            assert server.poll() is None, server.communicate()[0]
            assert time.monotonic() < end
            time.sleep(0.05)
        yield server
    finally:
        if server.poll() is None:
            server.kill()
        server.communicate(timeout=30)


@asynccontextmanager
async def process_beside(
    database: str, port: int, *more: str
) -> AsyncIterator[subprocess.Popen[str]]:
    """The same, while others on the event loop go on."""
    manager = process(database, port, *more)
    server = await asyncio.to_thread(manager.__enter__)
    try:
        yield server
    finally:
        await asyncio.to_thread(manager.__exit__, None, None, None)


class Proxy:
    """Sends each connection to the next server that takes it, as a proxy before several does.

    Args:
        ports: the ports of the servers.

    Attributes:
        url: the address for clients.
        open: how many connections are open to each port.
    """

    def __init__(self, ports: Sequence[int]) -> None:
        self.open: Counter[int] = Counter()
        self.url = ""
        self._ports = list(ports)
        self._next = 0
        self._listener: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Proxy:
        self._listener = await asyncio.start_server(self._carry, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._listener.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._listener is not None
        self._listener.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for _ in self._ports:
            port = self._ports[self._next % len(self._ports)]
            self._next += 1
            with suppress(OSError):
                there = await asyncio.open_connection("127.0.0.1", port)
                break
        else:
            writer.close()
            return
        self.open[port] += 1
        pumps = [asyncio.create_task(_pump(reader, there[1]))]
        pumps.append(asyncio.create_task(_pump(there[0], writer)))
        self._tasks.update(pumps)
        try:
            # When one end closes, so does the other.
            await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self.open[port] -= 1
            for pump in pumps:
                pump.cancel()
            await asyncio.gather(*pumps, return_exceptions=True)
            self._tasks.difference_update(pumps)
            for end in (writer, there[1]):
                end.close()


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()
