"""The Python client: the example of its page, and what it does when things go wrong."""

from __future__ import annotations

import asyncio
import textwrap
from pathlib import Path
from typing import Any

import pytest

from meldwise.client import Client, ConnectionLostError, Mine, OpenSeatPlan, RefusedError
from meldwise.client.table import drafted
from meldwise.game.position import parse_table
from meldwise.protocol import values
from tests.server.support import asynchronous, person, serving, settings_for

PAGE = Path(__file__).resolve().parent.parent.parent / "docs" / "client.md"


@asynchronous
async def test_the_example_of_the_page(sqlite: str) -> None:
    """A whole match alone, by the code of the page; its computer player without pauses."""
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    code = textwrap.dedent("\n".join(line for line in lines if line[:4] in ("    ", "")))
    async with serving(settings_for(sqlite)) as served:
        code = code.replace("http://127.0.0.1:8765", served.url)
        code = code.replace("start=True", "CHANGES, start=True")
        code = code.replace("asyncio.run(main())", "")
        from meldwise.protocol.commands import TableChanges

        changes = TableChanges(pace="none", rules={"match_length": 1})
        names: dict[str, Any] = {"CHANGES": changes}
        exec(code, names)
        await names["main"]()
        async with Client(served.url) as other:
            await other.sign_in("Eva")
            assert not (await other.lobby()).mine
        statuses = [actor.state.status for actor in served.context.keeper._actors.values()]
        assert statuses == ["over"]


@asynchronous
async def test_no_server_and_no_table(sqlite: str) -> None:
    async with Client("http://127.0.0.1:1") as nowhere:
        with pytest.raises(ConnectionLostError, match="ConnectError"):
            await nowhere.server()
        table = nowhere.table("t")
        table._patience = 0.2
        with pytest.raises(ConnectionLostError, match="cannot be reached"):
            await table.__aenter__()
    async with serving(settings_for(sqlite)) as served, person(served.url, "Ana") as ana:
        with pytest.raises(ConnectionLostError) as caught:
            await ana.table("nosuchtable").__aenter__()
        assert caught.value.code == 4404
        with pytest.raises(RefusedError, match=r"table\.unknown"):
            await ana.table_page("nosuchtable")
        await ana.sign_out()
        with pytest.raises(RefusedError, match=r"account\.no_session") as refused:
            await ana.me()
        assert refused.value.status == 401


@asynchronous
async def test_who_waits_hears_of_the_end(sqlite: str) -> None:
    """Closing the stream wakes everybody who waits for something on it."""
    async with serving(settings_for(sqlite)) as served, person(served.url, "Ana") as ana:
        page = await ana.create_table([Mine(), OpenSeatPlan()])
        async with ana.table(page.table.id) as table:
            waiting = [
                asyncio.create_task(table.attention()),
                asyncio.create_task(table.until(lambda _state: False)),
            ]
            await asyncio.sleep(0.05)
        results = await asyncio.gather(*waiting, return_exceptions=True)
        assert [type(result) for result in results] == [ConnectionLostError] * 2
        with pytest.raises(ConnectionLostError):
            await table.draw()


def test_melds_as_groups() -> None:
    melds = parse_table("r4-*-6 7ryk")
    told = values.Meld(kind="run", tiles=["r4", "*", "r6"], jokers=[])
    assert drafted(melds)[0] == drafted([told])[0]
    assert drafted(melds)[1] == values.DraftMeld(kind="set", tiles=["r7", "y7", "k7"])
