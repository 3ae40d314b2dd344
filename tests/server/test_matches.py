"""Whole matches over the network: people, computer players, spectators, in all ways."""

from __future__ import annotations

from pathlib import Path

from meldwise.client import ComputerSeat, Mine
from meldwise.protocol import commands as ask
from tests.server.support import asynchronous, person, play_to_the_end, serving, settings_for


@asynchronous
async def test_match_alone(tmp_path: Path) -> None:
    async with (
        serving(settings_for(tmp_path / "a.sqlite3")) as served,
        person(served.url, "Ana") as ana,
    ):
        rules = ask.TableChanges(pace="none", rules={"match_length": 2})
        page = await ana.create_table(
            [Mine(), ComputerSeat(player="plain")], settings=rules, start=True
        )
        async with ana.table(page.table.id) as table:
            await play_to_the_end(table)
            assert table.state.status == "over"
            print(table.state.seq)
        print(await ana.record(page.table.id))
