"""What the commands that play in numbers share: workers, stores, progress and files of results."""

from __future__ import annotations

import contextlib
import json
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from meldwise.cli.exits import CliError, Exit
from meldwise.cli.store import write_text

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

__all__ = ["Meter", "Workers", "output_options", "work_options", "workers_of", "write_results"]

F = TypeVar("F", bound=Callable[..., Any])

_EVERY: Final = 15.0
"""Seconds between two lines of progress where there is no terminal."""


def work_options(function: F) -> F:
    """Adds --seed, --jobs and --dask to a command."""
    options = [
        click.option("--seed", metavar="TEXT", default="meldwise", show_default=True,
                     help="What all deals and random choices follow from."),
        click.option("--jobs", "-j", type=click.IntRange(1, 1024),
                     help="Play in so many processes. [default: one a core]"),
        click.option("--dask", metavar="tcp://HOST:PORT",
                     help="Play on the Dask cluster of this scheduler."),
    ]  # fmt: skip
    for option in reversed(options):
        function = option(function)
    return function


def output_options(function: F) -> F:
    """Adds --json, --html and --quiet to a command."""
    options = [
        click.option("--json", "json_file", metavar="FILE", type=click.Path(path_type=Path),
                     help="Write the results as JSON; - for standard output."),
        click.option("--html", "html_file", metavar="FILE", type=click.Path(path_type=Path),
                     help="Write the results as a page with plots."),
        click.option("--quiet", "-q", is_flag=True, help="No progress."),
    ]  # fmt: skip
    for option in reversed(options):
        function = option(function)
    return function


@dataclass(frozen=True, slots=True)
class Workers:
    """Whoever does the work.

    Attributes:
        executor: gives an executor, and a new one after it has broken.
        jobs: how many chunks can be worked on at once.
    """

    executor: Callable[[], Executor]
    jobs: int


@contextlib.contextmanager
def workers_of(jobs: int | None, dask: str | None) -> Iterator[Workers]:
    """The workers that the options of :func:`work_options` ask for.

    Raises:
        CliError: if Dask is not installed, or the cluster cannot be reached.
    """
    from meldwise.arena.executors import LocalPool, available_cores

    if dask is None:
        count = jobs or available_cores()
        yield Workers(lambda: LocalPool(count), count)
        return
    with _cluster(dask) as client:
        threads = sum(client.nthreads().values())
        yield Workers(client.get_executor, jobs or max(1, threads))


@contextlib.contextmanager
def _cluster(address: str) -> Iterator[Any]:
    """A client of a Dask cluster with at least one worker."""
    try:
        from distributed import Client
    except ImportError:
        raise CliError(
            "Dask is not installed.", hint="Install it: pip install meldwise[dask]", key="dask"
        ) from None
    _quieten()
    make: Any = Client  # Dask's own annotations stop here.
    try:
        client = make(address, timeout=10, set_as_default=False)
    except (OSError, ValueError) as error:
        raise CliError(
            f"The Dask cluster {address} cannot be reached: {error}.", Exit.FILE, key="dask"
        ) from None
    try:
        client.wait_for_workers(1, timeout=30)
    except TimeoutError:
        client.close()
        raise CliError(
            f"The Dask cluster {address} has no worker.", Exit.FILE, key="dask"
        ) from None
    try:
        yield client
    finally:
        with contextlib.suppress(Exception):
            client.close(timeout=5)


def _quieten() -> None:
    """Keeps Dask's notes of connections lost and found off the terminal."""
    import logging

    for name in ("distributed", "tornado", "asyncio"):
        logging.getLogger(name).setLevel(logging.CRITICAL)


class Meter:
    """Tells on standard error how far the work is: a bar on a terminal, else a line at times."""

    def __init__(self, what: str, total: int, done: int, *, quiet: bool) -> None:
        """Begins to tell.

        Args:
            what: what is done, such as ``deals``.
            total: how many there are.
            done: how many of them were done before.
            quiet: whether to tell nothing.
        """
        self._what = what
        self._total = total
        self._done = self._before = done
        self._quiet = quiet
        self._began = self._told = time.monotonic()
        self._bar: Progress | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> Meter:
        if not self._quiet and sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import (
                BarColumn,
                MofNCompleteColumn,
                Progress,
                TextColumn,
                TimeElapsedColumn,
                TimeRemainingColumn,
            )

            self._bar = Progress(
                TextColumn("{task.description}"),
                BarColumn(),
                MofNCompleteColumn(),
                TimeElapsedColumn(),
                TextColumn("left:"),
                TimeRemainingColumn(),
                TextColumn("{task.fields[said]}"),
                console=Console(stderr=True),
                transient=True,
            )
            self._bar.start()
            self._task = self._bar.add_task(
                self._what, total=self._total, completed=self._done, said=""
            )
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def step(self, said: Callable[[], str] | None = None) -> None:
        """Counts one more.

        Args:
            said: gives what is known so far; it is asked only when something is told.
        """
        self._done += 1
        if self._quiet:
            return
        now = time.monotonic()
        if self._bar is not None and self._task is not None:
            self._bar.advance(self._task)
            if said is not None and now - self._told >= 1.0:
                self._told = now
                self._bar.update(self._task, said=said())
        elif now - self._told >= _EVERY:
            self._told = now
            rate = (self._done - self._before) / (now - self._began)
            left = (self._total - self._done) / rate
            text = f"{self._done} of {self._total} {self._what}, about {_minutes(left)} left"
            click.echo(text + (f"; {said()}" if said is not None else ""), err=True)


def _minutes(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"


def write_results(
    data: dict[str, Any], page: Callable[[], str], json_file: Path | None, html_file: Path | None
) -> None:
    """Writes the results where the options of :func:`output_options` ask for them.

    Raises:
        CliError: if a file cannot be written.
    """
    if html_file is not None:
        write_text(html_file, page())
    if json_file is not None:
        text = json.dumps(data, ensure_ascii=True, indent=2) + "\n"
        if str(json_file) == "-":
            click.echo(text, nl=False)
        else:
            write_text(json_file, text)
