"""Where work is done: in this process, or in a pool of processes of this machine.

Any other :class:`concurrent.futures.Executor` will do as well.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from multiprocessing.connection import wait
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import Any, ParamSpec, TypeVar

__all__ = ["Inline", "LocalPool", "available_cores"]

P = ParamSpec("P")
T = TypeVar("T")


def available_cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Inline(Executor):
    """Does everything at once in the process that asks for it."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Calls the function, and gives what came of it as a future."""
        future: Future[T] = Future()
        future.set_running_or_notify_cancel()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


class _Noting(SpawnContext):
    """Starts processes afresh, and remembers them."""

    def __init__(self) -> None:
        super().__init__()
        self.started: list[SpawnProcess] = []

    def Process(self, *args: Any, **kwargs: Any) -> SpawnProcess:  # type: ignore[override]  # noqa: N802
        process = SpawnProcess(*args, **kwargs)
        self.started.append(process)
        return process


class LocalPool(ProcessPoolExecutor):
    """A pool of processes that stops at once when it is asked to.

    Its processes leave Ctrl-C to the one that started them, and end when that one is gone.
    """

    def __init__(self, jobs: int) -> None:
        self._context = _Noting()
        super().__init__(jobs, self._context, _begin_worker)

    def stop(self) -> None:
        """Ends the processes, whatever they are doing."""
        for process in self._context.started:
            with contextlib.suppress(ValueError):  # Closed already.
                process.terminate()
        self.shutdown(wait=True, cancel_futures=True)


def _begin_worker() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)
