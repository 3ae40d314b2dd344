"""Players in programs of their own: what they get, and what happens to those that go wrong."""

from __future__ import annotations

import gc
import json
import sys
import threading
import time
from collections import Counter
from pathlib import Path

import pytest

from meldwise.game.actions import Draw, Pass, Play
from meldwise.game.codes import Code
from meldwise.game.presets import GAMES
from meldwise.game.rules import MustPlay, Rules
from meldwise.game.session import Session
from meldwise.game.view import View, view_of
from meldwise.players import PlayerError, create_player
from meldwise.players.process import ProcessPlayer, Program, read_program
from meldwise.solver import SolverOracle
from tests.rounds import a_match, a_round, begun, finish_round, seeds, with_round

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "first_player.py"

HELLO = "import sys, json, time, os\ninput(); print('{\"meldwise\": 1}', flush=True)\n"


def player(
    code: str, seconds: float = 5.0, restarts: int = 3, startup: float = 20.0
) -> ProcessPlayer:
    command = (sys.executable, "-S", "-c", code)
    return ProcessPlayer(Program(command, None, seconds, startup, restarts))


def a_view(hand: str = "r4 r5 r6 b9", rules: Rules | None = None, stock: str = "k2") -> View:
    state = a_round(hand, "k1", table="7ryk", rules=rules, stock=stock)
    return view_of(with_round(begun(a_match(state.rules)), state), 0)


def answering(*lines: str) -> str:
    """A program that answers each question with the next of some lines, in Python."""
    return HELLO + "".join(f"input(); print({line!r}, flush=True)\n" for line in lines) + "input()"


def test_gets_the_view_and_answers_a_play() -> None:
    code = HELLO + (
        "question = json.loads(input())\n"
        "assert question['type'] == 'choose'\n"
        "view = question['view']\n"
        "assert view['hand'] == ['r4', 'r5', 'r6', 'b9'], view\n"
        "assert view['round']['table'] == ['7ryk'] and view['rules']['opening_minimum'] == 30\n"
        "print(json.dumps({'action': 'play', 'table': ['7ryk', 'r4-5-6']}), flush=True)\n"
        "input()"
    )
    asked = player(code)
    action = asked.choose(a_view())
    assert isinstance(action, Play), asked.last_problem
    assert [str(meld) for meld in action.table] == ["7ryk", "r4-5-6"]
    assert not asked.problems
    asked.close()


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ("nonsense", Code.PLAYER_NONSENSE),
        ("[1, 2]", Code.PLAYER_NONSENSE),
        ("[" * 100_000, Code.PLAYER_NONSENSE),
        ('{"action": "fly"}', Code.PLAYER_NONSENSE),
        ('{"action": "play", "table": ["r99"]}', Code.PLAYER_NONSENSE),
        ('{"action": "play", "table": [7]}', Code.PLAYER_NONSENSE),
        ('{"action": "play"}', Code.PLAYER_NONSENSE),
        ('{"action": "play", "table": "7ryk r4-5"}', Code.PLAYER_ILLEGAL),
        ('{"action": "play", "table": "7ryk k1-2-3"}', Code.PLAYER_ILLEGAL),
        ('{"action": "play", "table": "7ryk"}', Code.PLAYER_ILLEGAL),
        ('{"action": "pass"}', Code.PLAYER_ILLEGAL),
        ('{"action": "redeal"}', Code.PLAYER_ILLEGAL),
    ],
)
def test_an_answer_that_makes_no_sense_loses_the_turn(answer: str, code: Code) -> None:
    asked = player(answering(answer))
    assert asked.choose(a_view()) == Draw(0)
    assert asked.problems == Counter({code: 1})
    assert asked.last_problem is not None
    assert asked.last_problem.code is code
    asked.close()


def test_a_bad_choice_does_not_end_the_program() -> None:
    asked = player(answering('{"action": "pass"}', '{"action": "draw"}'), restarts=0)
    assert asked.choose(a_view()) == Draw(0)
    assert asked.choose(a_view()) == Draw(0)
    assert asked.problems == Counter({Code.PLAYER_ILLEGAL: 1})
    asked.close()


@pytest.mark.parametrize(
    ("code", "problem"),
    [
        ("", Code.PLAYER_ENDED),
        ("raise SystemExit('it hurts')", Code.PLAYER_ENDED),
        (HELLO + "input(); os._exit(3)", Code.PLAYER_ENDED),
        (HELLO + "input(); print('{}', end='', flush=True)", Code.PLAYER_NONSENSE),
        (HELLO + "print('{}\\n' * 3, flush=True); time.sleep(60)", Code.PLAYER_NONSENSE),
        (HELLO + "input()\nwhile True: print('x' * 9999, end='')", Code.PLAYER_NONSENSE),
        (HELLO + "input()\nwhile True: print('{}')", Code.PLAYER_NONSENSE),
        ("input(); print('{\"meldwise\": 99}', flush=True); input()", Code.PLAYER_NONSENSE),
    ],
)
def test_a_broken_program_loses_its_turns_and_is_started_again(code: str, problem: Code) -> None:
    asked = player(code, restarts=2)
    for _ in range(5):
        assert asked.choose(a_view()) == Draw(0)
    # Three starts in all; after them it is not asked any more, which is said once.
    assert asked.problems == Counter({problem: 3, Code.PLAYER_GIVEN_UP: 1})
    assert asked.last_problem is not None
    assert asked.last_problem.code is Code.PLAYER_GIVEN_UP
    assert asked.last_problem.fields["have"] == 3
    asked.close()


def test_last_words_are_reported() -> None:
    asked = player("raise SystemExit('it hurts')")
    asked.choose(a_view())
    assert asked.last_problem is not None
    assert asked.last_problem.fields["reason"] == "exit code 1: it hurts"


@pytest.mark.parametrize(
    "code",
    [
        HELLO + "input(); time.sleep(60)",
        HELLO + "time.sleep(60)",
        HELLO + "input()\nwhile True: sys.stderr.write('x' * 9999)",
        # Deaf to the polite way.
        HELLO + "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)",
    ],
)
def test_a_program_that_hangs_loses_its_turn(code: str) -> None:
    asked = player(code, seconds=0.3)
    assert asked.choose(a_view()) == Draw(0)
    assert asked.problems == Counter({Code.PLAYER_SILENT: 1})


def test_a_slow_start_has_its_own_limit() -> None:
    asked = player("import time; time.sleep(60)", startup=0.3)
    assert asked.choose(a_view()) == Draw(0)
    assert asked.problems == Counter({Code.PLAYER_SILENT: 1})


def test_a_large_view_does_not_block_a_deaf_program() -> None:
    asked = player(HELLO + "time.sleep(60)", seconds=0.3)
    view = a_view()
    for _ in range(2):
        assert asked.choose(view) == Draw(0)


def test_passes_when_the_stock_is_empty_and_plays_where_it_must() -> None:
    asked = player("", restarts=9)
    assert asked.choose(a_view(stock="")) == Pass(0)
    must = Rules(must_play=MustPlay.ALWAYS)
    assert isinstance(asked.choose(a_view(rules=must)), Play)
    assert asked.choose(a_view("r1 b9", rules=must)) == Draw(0)
    draws = player(answering('{"action": "draw"}', '{"action": "draw"}'))
    assert draws.choose(a_view("r1 b9", rules=must)) == Draw(0)
    assert not draws.problems
    assert isinstance(draws.choose(a_view(rules=must)), Play)
    assert draws.problems == Counter({Code.PLAYER_ILLEGAL: 1})
    draws.close()


def test_a_program_that_does_not_exist() -> None:
    asked = ProcessPlayer(Program(("/nowhere/at-all",)))
    assert asked.choose(a_view()) == Draw(0)
    assert asked.problems == Counter({Code.PLAYER_START: 1})


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="processes are looked up in /proc")
def test_no_process_and_no_thread_is_left(tmp_path: Path) -> None:
    before = threading.active_count()
    pids = tmp_path / "pids"
    code = (
        "import os, subprocess, sys\n"
        "child = subprocess.Popen([sys.executable, '-S', '-c', 'import time; time.sleep(99)'])\n"
        f"open({str(pids)!r}, 'a').write(f'{{os.getpid()}} {{child.pid}}\\n')\n"
    )
    ways = [
        player(code + HELLO + "input(); time.sleep(60)", seconds=0.5),
        player(code + answering('{"action": "draw"}')),
        player(code + HELLO + "input()\nwhile True: print('{}')"),
        player(code + answering('{"action": "draw"}')),
    ]
    for asked in ways:
        asked.choose(a_view())
    for asked in ways[:3]:
        asked.close()
    # The last one is not closed, only forgotten.
    del ways, asked
    gc.collect()
    lines = pids.read_text().splitlines()
    assert len(lines) == 4
    for line in lines:
        program, child = line.split()
        assert not Path(f"/proc/{program}").exists()
        # What it had started was killed with it, and is the system's to bury.
        for _ in range(1_000):
            if not _runs(child):
                break
            time.sleep(0.01)
        assert not _runs(child)
    for thread in threading.enumerate():
        if thread.daemon:
            thread.join(5)
    assert threading.active_count() <= before


def _runs(pid: str) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def test_the_example_plays_a_match(tmp_path: Path) -> None:
    file = tmp_path / "bot.toml"
    command = json.dumps([sys.executable, "-S", str(EXAMPLE)])
    file.write_text(f"command = {command}\nseconds = 20\nstartup = 30\n")
    asked = create_player(f"process:file={file}")
    assert isinstance(asked, ProcessPlayer)
    assert asked.seconds == 20
    rules = GAMES.find("pup-rummy").rules
    session = Session.new("any", rules, a_match(rules).seats, SolverOracle())
    for number in range(2):
        session.start_round(seeds(2, number))
        finish_round(session, [asked, create_player("greedy")])
    assert not asked.problems
    assert "play" in {
        action.verb
        for entry in session.record.rounds
        for action in entry.actions
        if action.seat == 0
    }
    asked.close()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (None, "No such file or directory"),
        ("command = ", "Invalid value"),
        ("command = 'x'", "command is to be a list of words"),
        ("command = []", "command is to be a list of words"),
        ("command = ['x', 1]", "command is to be a list of words"),
        ("command = ['x']\nfolder = '/'", "unknown field folder"),
        ("command = ['x']\nseconds = 'a'", "seconds is to be a number from 0.01 to 3600"),
        ("command = ['x']\nseconds = true", "seconds is to be a number from 0.01 to 3600"),
        ("command = ['x']\nrestarts = 1.5", "restarts is to be a number from 0 to 1000"),
        ("command = ['x']\nstartup = nan", "startup is to be a number from 0.01 to 3600"),
    ],
)
def test_a_file_that_describes_no_program(tmp_path: Path, text: str | None, reason: str) -> None:
    file = tmp_path / "bot.toml"
    if text is not None:
        file.write_text(text)
    with pytest.raises(PlayerError) as caught:
        read_program(file)
    assert caught.value.code is Code.PLAYER_FILE
    assert str(caught.value.fields["reason"]).startswith(reason)


def test_options_of_the_text_name() -> None:
    with pytest.raises(PlayerError) as caught:
        create_player("process")
    assert caught.value.code is Code.PLAYER_BAD_VALUE
    with pytest.raises(PlayerError) as caught:
        create_player("process:command=ls")
    assert caught.value.code is Code.PLAYER_BAD_OPTION
