"""Computer players and hints: in workers that may die, and whatever a player does."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from meldwise.game.actions import Draw, Play, RoundAction
from meldwise.game.match import Match
from meldwise.game.melds import Meld
from meldwise.game.position import Position
from meldwise.game.rules import InvalidEnd, MustPlay, Rules
from meldwise.game.view import View
from meldwise.players import create_player
from meldwise.server.tables import thinking
from meldwise.server.tables.state import oracle_for
from meldwise.server.tables.thinking import Thinkers, seed_of
from tests.rounds import a_match, begun
from tests.server.support import asynchronous, eventually

POSITION = Position.parse("r5-6-7 / r8 b9")


@asynchronous
async def test_hints_in_a_worker_that_dies() -> None:
    thinkers = Thinkers(1)
    try:
        tiles = await thinkers.hint("tiles", POSITION, Rules())
        assert [(str(tile), able) for tile, able in tiles.playable] == [("r8", True), ("b9", False)]
        assert tiles.most == 1
        pool = thinkers._processes
        assert pool is not None
        (worker,) = pool._processes
        assert worker != os.getpid()
        os.kill(worker, signal.SIGKILL)
        play = await thinkers.hint("play", POSITION, Rules())
        assert [str(meld) for meld in play.table] == ["r5-6-7-8"]
        assert [str(tile) for tile in play.played] == ["r8"]
        assert play.proven
        (other,) = thinkers._processes._processes  # type: ignore[union-attr]
        assert other != worker
    finally:
        thinkers.close()


def test_a_hint_where_nothing_can_be_played() -> None:
    found = thinking.hint_for("play", Position.parse("r5-6-7 / b9"), Rules())
    assert (found.table, found.most, found.proven) == (None, 0, True)


class _Player:
    """A player that does what it is told to, however wrong."""

    seconds = None

    def __init__(self, does: Any) -> None:
        self.does = does

    def choose(self, view: View) -> RoundAction:
        if isinstance(self.does, Exception):
            raise self.does
        return self.does  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    "does",
    [
        ValueError("broken"),
        "no action",
        Draw(1),
        Play(0, (Meld.parse("r1-2-3"), Meld.parse("r1-2-3"), Meld.parse("r1-2-3"))),
    ],
)
@pytest.mark.parametrize(
    "rules", [Rules(), Rules(must_play=MustPlay.ALWAYS, invalid_end=InvalidEnd.REFUSE)]
)
def test_a_bad_player_is_replaced(
    monkeypatch: pytest.MonkeyPatch, does: object, rules: Rules
) -> None:
    """A table goes on whatever a third party's player does."""
    match = _first_turn_of_seat_0(rules)
    real = create_player

    def create(text: str, *means: Any) -> Any:
        return _Player(does) if text == "bad" else real(text, *means)

    monkeypatch.setattr(thinking, "create_player", create)
    thinking._player.cache_clear()
    thinking._is_quick.cache_clear()

    @asynchronous
    async def check() -> None:
        thinkers = Thinkers(0)
        action = await thinkers.choose("bad", 1, match, 0)
        thinkers.close()
        match.verify(action, oracle_for(rules))

    check()
    thinking._player.cache_clear()
    thinking._is_quick.cache_clear()


def test_what_goes_wrong_with_a_program_is_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    program = tmp_path / "absent.toml"
    program.write_text('command = ["no-such-program"]\nrestarts = 0\n', encoding="utf-8")
    match = _first_turn_of_seat_0(Rules())

    @asynchronous
    async def check() -> None:
        thinkers = Thinkers(0)
        for _ in range(3):
            assert await thinkers.choose(f"process:file={program}", 1, match, 0) == Draw(0)
        thinkers.close()

    check()
    told = [record.__dict__["problem"] for record in caplog.records]
    assert [line.split()[0].rstrip(":") for line in told] == ["player.start", "player.given_up"]


def _first_turn_of_seat_0(rules: Rules) -> Match:
    for number in range(50):
        match = begun(a_match(rules), number)
        assert match.running is not None
        if match.running.seat == 0:
            return match
    raise AssertionError


def test_chance_differs_by_table_and_seat() -> None:
    assert seed_of("a", 0) == seed_of("a", 0)
    assert len({seed_of("a", 0), seed_of("a", 1), seed_of("b", 0)}) == 3


@asynchronous
async def test_workers_end_with_their_server() -> None:
    """A worker whose parent was killed does not stay behind."""
    program = (
        "import asyncio, os, signal\n"
        "from meldwise.game.position import Position\n"
        "from meldwise.game.rules import Rules\n"
        "from meldwise.server.tables.thinking import Thinkers\n"
        "async def main():\n"
        "    thinkers = Thinkers(1)\n"
        "    await thinkers.hint('tiles', Position.parse('/ r1'), Rules())\n"
        "    print(*thinkers._processes._processes, flush=True)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
        "if __name__ == '__main__':\n"
        "    asyncio.run(main())\n"
    )
    found = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False
    )
    worker = int(found.stdout)

    def is_gone() -> bool:
        try:
            os.kill(worker, 0)
        except ProcessLookupError:
            return True
        stat = Path(f"/proc/{worker}/stat").read_text(encoding="utf-8")
        return stat.rpartition(")")[2].split()[0] == "Z"

    await eventually(is_gone, 30)
