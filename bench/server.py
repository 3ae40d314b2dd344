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
  sends it back. Messages are counted at the server and in both directions on either side: an
  echo is two, a move six, namely a command, a reply and an update for each of four people.

Where others work on the machine too, messages a second say little. So the time of the
processor that the server and the echo take for a message is printed as well.

The people move as a greedy player with a bounded search would, thought out before the clock
of a move begins; drafts and chat are not sent. Shares of the processor are of one core. A
stall is the longest time that the load itself did not get to its work; it makes round trips
look longer. All of it goes over loopback, and the database is thrown away.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import resource
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path

from websockets.asyncio.client import connect

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.common.processes import Watch, answers, child, free_port, new_database, servers
from bench.common.tables import SEATS, Load
from meldwise import protocol
from meldwise.server.run import loop_factory

LIMIT = 0.1
"""The 99th percentile that must not be reached, in seconds."""
MESSAGES_A_MOVE = 2 + SEATS


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
        ws_per_message_deflate=False,  # Nor does the server compress.
        loop="auto",  # uvloop where it is installed, as the server does.
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
            async with connect(f"ws://127.0.0.1:{port}/", proxy=None, compression=None) as ws:
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
    cost = {"server": shares["server"] / served, "echo": echo.used["echo"] / echoed}
    print(
        f"Bare echo of {len(text)} bytes, {some} connections: {echoed:.0f} messages/s;"
        f" {shares_text(echo.used)}"
    )
    print(f"Messages a second beside the echo's: {served / echoed:.2f}")
    print(
        f"Processor time a message: server {cost['server'] * 1e6:.0f} us, echo"
        f" {cost['echo'] * 1e6:.0f} us; for the same time {cost['echo'] / cost['server']:.2f}"
        " of the echo's messages"
    )


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
    parser.add_argument("--flat-tables", type=int, default=50, help="tables that play flat out")
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
    if min(*arguments.tables, arguments.flat_tables) < 1:
        parser.error("there has to be a table")
    if min(arguments.pace, arguments.seconds) <= 0:
        parser.error("pace and seconds are above zero")
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
            f" a page is on disk after {sync_seconds(folder) * 1e3:.1f} ms;"
            f" event loop: {'asyncio' if loop_factory() is None else 'uvloop'}"
        )
        with new_database(arguments.database, folder) as (database, postgres):
            asyncio.run(measure(arguments, database, postgres))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
