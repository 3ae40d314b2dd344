"""``meldwise arena`` and ``meldwise simulate``, as they are typed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.arena.conftest import AddPlayer, Run
from tests.arena.test_games import Wrong
from tests.arena.test_pages import read

GAME = ("--game", "pup-rummy", "--quiet")


def table(text: str) -> dict[str, Any]:
    """The results without what depends on the machine."""
    data: dict[str, Any] = json.loads(text)
    del data["times"]
    return data


def test_an_arena_of_one_process_and_of_two_is_the_same(run: Run) -> None:
    words = ("arena", "greedy", "plain", "--games", "16", "--json", "-", *GAME)
    one, two = run(*words, "--jobs", "1"), run(*words, "--jobs", "2")
    assert one.exit_code == two.exit_code == 0, one.output
    assert table(one.stdout) == table(two.stdout)
    data = json.loads(one.stdout)
    assert data["complete"]
    assert (data["games"], data["deals"]) == (16, 8)
    assert data["pairs"][0]["wins"]["value"] > 0.5
    assert data["times"]["entrants"][0]["moves"] > 16
    other = run(*words, "--jobs", "1", "--seed", "other")
    assert table(other.stdout)["pairs"] != data["pairs"]


def test_an_arena_goes_on_where_it_was(run: Run, tmp_path: Path) -> None:
    store, page = tmp_path / "new" / "store.jsonl", tmp_path / "page.html"
    words = ("arena", "greedy", "plain", *GAME, "--jobs", "1")
    first = run(*words, "--games", "6", "--store", str(store), "--json", "-")
    assert first.exit_code == 0, first.output
    assert len(store.read_text("utf-8").splitlines()) == 4
    more = run(*words, "--games", "10", "--resume", str(store), "--json", "-", "--html", str(page))
    direct = run(*words, "--games", "10", "--json", "-")
    assert table(more.stdout) == table(direct.stdout)
    assert len(store.read_text("utf-8").splitlines()) == 6
    read(page.read_text("utf-8"))
    again = run(*words, "--games", "10", "--store", str(store), "--json", "-")
    assert table(again.stdout) == table(direct.stdout)
    refused = run(*words, "--seed", "x", "--store", str(store))
    assert refused.exit_code == 2
    assert "differ in seed" in refused.stderr


def test_an_arena_shows_tables(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "results.json"
    found = run("arena", "greedy", "plain", "--games", "4", "--jobs", "1", *GAME,
                "--anchor", "plain", "--json", str(file))  # fmt: skip
    assert found.exit_code == 0, found.output
    for text in ("greedy against plain", "Elo above plain", "4 games, 4 rounds", "Seed meldwise"):
        assert text in found.stdout
    assert json.loads(file.read_text("utf-8"))["anchor"] == 1


def test_an_arena_of_more_than_two(run: Run) -> None:
    words = ("arena", "greedy", "plain", "greedy", "--jobs", "1", *GAME, "--json", "-")
    together = table(run(*words, "--games", "3", "--players", "3").stdout)
    assert together["plan"]["seating"] == "together"
    assert [pair["entrants"] for pair in together["pairs"]] == [[0, 1, 2]]
    pairs = table(run(*words, "--games", "2", "--players", "2").stdout)
    assert [pair["entrants"] for pair in pairs["pairs"]] == [[0, 1], [0, 2], [1, 2]]
    alone = table(run(*words, "--games", "4", "--players", "4", "--seating", "alone").stdout)
    assert [pair["fair"] for pair in alone["pairs"]] == [0.25, 0.25]


def test_matches_are_played_whole(run: Run) -> None:
    found = run("arena", "greedy", "greedy", "--games", "2", "--matches", "--rounds", "2",
                "--jobs", "1", *GAME, "--json", "-")  # fmt: skip
    data = table(found.stdout)
    assert (data["games"], data["rounds"]) == (2, 4)
    assert data["entrants"][1]["name"] == "greedy (2)"


def test_a_sequential_test_stops_early(run: Run) -> None:
    found = run("arena", "greedy", "plain", "--games", "2000", "--sequential", "--elo", "0:200",
                "--jobs", "2", *GAME, "--json", "-")  # fmt: skip
    data = table(found.stdout)
    assert data["sequential"]["decision"] == "stronger"
    assert data["games"] == 2 * data["sequential"]["deals"] < 400
    assert data["complete"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("greedy",), "needs 2 computer players"),
        (("greedy", "grady"), "Did you mean “greedy”?"),
        (("greedy", "greedy:x=1"), "has no option “x”"),
        (("greedy", "plain", "--players", "3", "--seating", "together"), "needs 3"),
        (("greedy", "plain", "--anchor", "other"), "“other” is not among the players"),
        (("greedy", "plain", "--sequential", "--elo", "5"), "write LOW:HIGH"),
        (("greedy", "plain", "--sequential", "--elo", "9:3"), "a lower and a higher"),
        (("greedy", "plain", "plain", "--sequential"), "between two players"),
        (("greedy", "plain", "--matches", "--set", "match_end=time", "--set", "match_length=600"),
         "end by time"),
        (("greedy", "plain", "--players", "6"), "2 to 4 players"),
        (("greedy", "plain", "--dask", "nonsense://x"), "cannot be reached"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_in_one_line(run: Run, words: tuple[str, ...], said: str) -> None:
    found = run("arena", *words, "--games", "2", "--jobs", "1", *GAME)
    assert found.exit_code in (2, 3)
    assert said in found.stderr
    assert found.stderr.count("\n") == 1


def test_a_file_that_is_no_store_is_left_alone(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "precious.txt"
    file.write_text("precious\n", "utf-8")
    found = run("arena", "greedy", "plain", "--store", str(file), *GAME)
    assert found.exit_code == 2
    assert "no store of results" in found.stderr
    assert file.read_text("utf-8") == "precious\n"
    folder = run("arena", "greedy", "plain", "--store", str(tmp_path), *GAME)
    assert folder.exit_code == 2


def test_errors_of_players_are_told(run: Run, add_player: AddPlayer, monkeypatch: Any) -> None:
    from meldwise.arena import Inline

    add_player("wrong", lambda _: Wrong(None))
    # A player that only this process knows has to play in it.
    monkeypatch.setattr("meldwise.arena.executors.LocalPool", lambda _: Inline())
    found = run("arena", "greedy", "wrong", "--games", "2", "--jobs", "1", *GAME)
    assert found.exit_code == 0, found.output
    assert "nonsense" in found.stdout
    assert "Incident: wrong nonsense in deal 0" in found.stdout


def test_that_dask_is_not_installed_is_told(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    found = run("arena", "greedy", "plain", "--games", "2", "--dask", "tcp://127.0.0.1:1", *GAME)
    assert found.exit_code == 2
    assert found.stderr == (
        "meldwise: Dask is not installed. Install it: pip install meldwise[dask]\n"
    )


def test_progress_is_told_in_lines_where_there_is_no_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from meldwise.cli.workers import Meter

    now = [0.0]
    monkeypatch.setattr("meldwise.cli.workers.time.monotonic", lambda: now[0])
    with Meter("deals", 100, 20, quiet=False) as meter:
        for _ in range(40):
            now[0] += 1.0
            meter.step(lambda: "so far so good")
    lines = capsys.readouterr().err.splitlines()
    assert lines == [
        "35 of 100 deals, about 65 s left; so far so good",
        "50 of 100 deals, about 50 s left; so far so good",
    ]


def test_a_simulation_is_the_same_in_any_number_of_processes(run: Run, tmp_path: Path) -> None:
    page, store = tmp_path / "game.html", tmp_path / "game.jsonl"
    words = ("simulate", "--hands", "1000", "--deals", "4", *GAME, "--json", "-")
    one = run(*words, "--jobs", "1", "--html", str(page), "--store", str(store))
    two = run(*words, "--jobs", "2")
    assert one.exit_code == two.exit_code == 0, one.output
    assert table(one.stdout) == table(two.stdout)
    data = table(one.stdout)
    assert data["hands"]["count"] == 1000
    assert data["rounds"]["count"] == 8
    assert 0.4 < data["hands"]["can_open_at_once"]["value"] < 0.6
    read(page.read_text("utf-8"))
    again = run(*words, "--store", str(store))
    assert table(again.stdout) == data
    tables = run("simulate", "--hands", "500", "--deals", "1", *GAME, "--jobs", "1")
    for text in ("Can open with the tiles dealt", "Wins of who begins (fair: 50.0 %)", "Pup Rummy"):
        assert text in tables.stdout


def meldwise(*words: str, **options: Any) -> subprocess.Popen[str]:
    """The command as a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "meldwise", *words],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options,
    )  # fmt: skip


def lines_in(store: Path) -> int:
    return len(store.read_bytes().splitlines()) if store.exists() else 0


def wait_for(reached: Any, process: subprocess.Popen[str], seconds: float = 60) -> None:
    """Waits until something is so while a process is running."""
    end = time.monotonic() + seconds
    while not reached():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_stopped_arena_keeps_what_is_done_and_goes_on(
    run: Run, tmp_path: Path, number: int, code: int
) -> None:
    store = tmp_path / "store.jsonl"
    words = ("arena", "greedy", "plain", "--jobs", "1", *GAME, "--store", str(store))
    endless = meldwise(*words, "--games", "100000", start_new_session=True)
    wait_for(lambda: lines_in(store) >= 4, endless)
    # As a terminal does it: to the command and its workers at once.
    os.killpg(endless.pid, number)
    out, err = endless.communicate(timeout=30)
    assert endless.returncode == code
    assert "greedy against plain" in out
    assert err == (
        "meldwise: Interrupted; the results are of what was played before. "
        "The same command goes on.\n"
    )
    done = lines_in(store) - 1
    games = str(2 * (done + 2))
    resumed = run(*words, "--games", games, "--json", "-")
    direct = run(*words[:-2], "--games", games, "--json", "-")
    assert resumed.exit_code == direct.exit_code == 0
    assert table(resumed.stdout) == table(direct.stdout)
    assert lines_in(store) == done + 3


def test_workers_end_when_their_parent_is_killed(tmp_path: Path) -> None:
    store = tmp_path / "store.jsonl"
    words = ("arena", "greedy", "plain", "--jobs", "1", *GAME, "--games", "100000")
    endless = meldwise(*words, "--store", str(store), start_new_session=True)
    wait_for(lambda: lines_in(store) >= 2, endless)
    endless.kill()
    endless.communicate(timeout=30)
    end = time.monotonic() + 30
    while True:
        try:
            os.killpg(endless.pid, 0)
        except ProcessLookupError:
            break
        assert time.monotonic() < end, "a worker lives on"
        time.sleep(0.05)
