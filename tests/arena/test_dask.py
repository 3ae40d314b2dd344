"""The same table from a Dask cluster, one of whose two workers is killed in the middle."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.arena.conftest import Run
from tests.arena.test_commands import GAME, lines_in, meldwise, table, wait_for


@dataclass
class Cluster:
    """A scheduler and two workers, each a process of its own.

    Attributes:
        address: the scheduler's.
        workers: the workers.
    """

    address: str
    workers: list[subprocess.Popen[str]]


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    file = tmp_path / "scheduler.json"
    environment = os.environ | {
        # Seconds after which a silent worker is given up; it is a second connection that tells.
        "DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL": "10s",
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
    }

    def start(*words: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "dask", *words],
            env=environment, cwd=tmp_path, text=True,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip

    with contextlib.ExitStack() as stack:

        def started(*words: str) -> subprocess.Popen[str]:
            process = start(*words)
            stack.callback(process.wait, 20)
            stack.callback(process.kill)
            return process

        scheduler = started(
            "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard",
            "--scheduler-file", str(file),
        )  # fmt: skip
        wait_for(file.exists, scheduler)
        workers = [
            started(
                "worker", "--scheduler-file", str(file), "--nthreads", "1", "--no-nanny",
                "--no-dashboard", "--host", "127.0.0.1", "--name", name,
                "--local-directory", str(tmp_path / name),
            )
            for name in ("one", "two")
        ]  # fmt: skip
        wait_for(lambda: file.read_text("utf-8").strip().endswith("}"), scheduler)
        yield Cluster(json.loads(file.read_text("utf-8"))["address"], workers)


def test_a_worker_killed_in_the_middle_changes_nothing(
    cluster: Cluster, run: Run, tmp_path: Path
) -> None:
    store = tmp_path / "store.jsonl"
    games = 160
    words = ("arena", "greedy", "plain", *GAME, "--json", "-", "--games", str(games))
    away = meldwise(*words, "--dask", cluster.address, "--store", str(store))
    # Each worker has had its part before one goes.
    wait_for(lambda: lines_in(store) >= 12, away)
    victim = cluster.workers[0]
    victim.send_signal(signal.SIGKILL)
    victim.wait(20)
    there = lines_in(store) - 1
    assert there < games // 4, "it was over before the worker was killed"
    out, err = away.communicate(timeout=120)
    assert away.returncode == 0, err
    assert cluster.workers[1].poll() is None
    here = run(*words, "--jobs", "2")
    assert here.exit_code == 0, here.output
    assert table(out) == table(here.stdout)
    assert table(out)["games"] == games
    assert table(out)["failed"] == []
