"""Limits and origins: what is too much, and from whose page a request may come."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from meldwise.client import Client, ComputerSeat, Mine, OpenSeatPlan, RefusedError
from meldwise.game.codes import Code
from meldwise.players import PlayerError
from meldwise.protocol import commands as ask
from meldwise.server.errors import ServerError
from meldwise.server.security import Bucket, Limits, check_origin
from meldwise.server.security import limits as module
from meldwise.server.tables.computers import computer_players, default_sitter
from tests.server.support import FAST, asynchronous, eventually, person, serving, settings_for


def test_bucket(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    bucket = Bucket(rate=2, size=3)
    assert [bucket.take() for _ in range(4)] == [0, 0, 0, 0.5]
    now += 0.5
    assert [bucket.take(), bucket.take()] == [0, 0.5]
    now += 100
    assert [bucket.take() for _ in range(4)] == [0, 0, 0, 0.5]


def test_each_client_has_a_bucket(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST_CLIENTS", 2)
    limits = Limits(rate=0.1, size=1)
    limits.check("a")
    limits.check("b")
    with pytest.raises(ServerError) as caught:
        limits.check("a")
    assert caught.value.code is Code.LIMIT_RATE
    assert caught.value.fields == {"seconds": 10}
    limits.check("c")  # The longest unused, b, is forgotten.
    limits.check("b")


@pytest.mark.parametrize(
    ("headers", "public", "good"),
    [
        ({}, "", True),
        ({"origin": "http://h:1", "host": "h:1"}, "", True),
        ({"origin": "http://H:1", "host": "h:1"}, "", True),
        ({"origin": "http://h:2", "host": "h:1"}, "", False),
        ({"origin": "http://h", "host": "h:1"}, "", False),
        ({"origin": "null", "host": "h"}, "", False),
        ({"origin": "http://h.evil", "host": "h"}, "", False),
        ({"origin": "http://[", "host": "h"}, "", False),
        ({"origin": "file://h", "host": "h"}, "", False),
        ({"origin": "https://play.example", "host": "h:1"}, "https://play.example/", True),
        ({"sec-fetch-site": "same-origin"}, "", True),
        ({"sec-fetch-site": "none"}, "", True),
        ({"sec-fetch-site": "same-site"}, "", False),
        ({"sec-fetch-site": "cross-site"}, "", False),
    ],
)
def test_origins(headers: dict[str, str], public: str, good: bool) -> None:
    if good:
        check_origin(headers, public)
    else:
        with pytest.raises(ServerError) as caught:
            check_origin(headers, public)
        assert caught.value.code is Code.REQUEST_ORIGIN


@asynchronous
async def test_requests_guests_and_tables_are_limited(sqlite: str) -> None:
    few = settings_for(
        sqlite, guests_an_hour=2, most_tables=2, requests_at_once=12, requests_a_second=0.1
    )
    async with (
        serving(few) as served,
        person(served.url, "Ana") as ana,
        person(served.url, "Beto"),
    ):
        with pytest.raises(RefusedError, match=r"limit\.rate"):
            await ana.sign_in("Carla")
        for _ in range(2):
            await ana.create_table([Mine(), ComputerSeat(player="plain")], FAST)
        with pytest.raises(RefusedError, match=r"limit\.tables"):
            await ana.create_table([Mine(), ComputerSeat(player="plain")], FAST)
        results = await asyncio.gather(*(ana.server() for _ in range(20)), return_exceptions=True)
        refused = [result for result in results if isinstance(result, RefusedError)]
        assert len(refused) >= 10
        for error in refused:
            assert (error.status, error.code) == (429, "limit.rate")
            assert error.fields["seconds"] > 0


@asynchronous
async def test_messages_and_connections_are_limited(sqlite: str) -> None:
    few = settings_for(sqlite, messages_at_once=10, messages_a_second=0.5, most_connections=1)
    async with serving(few) as served, person(served.url, "Ana") as ana:
        page = await ana.create_table([Mine(), ComputerSeat(player="plain")], FAST)
        async with ana.table(page.table.id) as table:
            second = ana.table(page.table.id)
            second._patience = 0.5
            opening = asyncio.create_task(second.__aenter__())
            results = await asyncio.gather(
                *(table.say(phrase="hello") for _ in range(14)), return_exceptions=True
            )
            refused = [result for result in results if isinstance(result, RefusedError)]
            assert [error.code for error in refused] == ["limit.rate"] * 4
            with pytest.raises(Exception, match="cannot be reached"):
                await opening


@asynchronous
async def test_nobody_acts_for_another_seat(sqlite: str) -> None:
    async with (
        serving(settings_for(sqlite)) as served,
        person(served.url, "Ana") as ana,
        person(served.url, "Eva") as eva,
    ):
        changes = ask.TableChanges(pace="none", chat="phrases", spectators=False, hints=False)
        page = await ana.create_table([Mine(name="A"), Mine(name="B")], changes, start=True)
        async with ana.table(page.table.id) as table:
            await table.be_ready()
            await table.until(lambda _state: table.my_turn is not None)
            seen, seat = table.state.seq, table.my_turn or 0
            for command, code in (
                (ask.Draw(id="1", seen=seen, seat=seat), "table.not_your_seat"),
                (ask.Play(id="2", seen=seen, seat=seat, melds=[]), "table.not_your_seat"),
                (ask.KeepDraft(id="3", seen=seen, seat=seat, revision=1, melds=[]),
                 "table.not_your_seat"),
                (ask.Check(id="4", seen=seen, seat=seat, melds=[]), "table.not_your_seat"),
                (ask.Hint(id="5", seen=seen, seat=seat, what="play"), "table.not_your_seat"),
                (ask.Pause(id="6", seen=seen), "table.no_seat"),
                (ask.Return(id="7", seen=seen), "table.no_seat"),
                (ask.Say(id="8", seen=seen, phrase="hello"), "table.no_spectators"),
                (ask.Sit(id="9", seen=seen), "table.started"),
                (ask.Rematch(id="10", seen=seen), "table.no_seat"),
                (ask.Close(id="11", seen=seen), "table.not_host"),
            ):  # fmt: skip
                with pytest.raises(RefusedError) as caught:
                    await eva.command(page.table.id, command)
                assert caught.value.code == code, command
            for call in (eva.state(page.table.id), eva.shuffle(page.table.id)):
                with pytest.raises(RefusedError, match=r"table\.no_spectators"):
                    await call
            with pytest.raises(RefusedError, match=r"table\.no_chat"):
                await table.say("a text")
            with pytest.raises(RefusedError, match=r"table\.no_hints"):
                await table.hint("tiles")
            assert table.state.seq == seen


@asynchronous
async def test_who_was_sent_away_stays_away(sqlite: str) -> None:
    async with (
        serving(settings_for(sqlite)) as served,
        person(served.url, "Ana") as ana,
        person(served.url, "Eva") as eva,
    ):
        page = await ana.create_table([Mine(), OpenSeatPlan()], FAST)
        async with ana.table(page.table.id) as table, eva.table(page.table.id) as other:
            await other.do(ask.Sit)
            await table.until(lambda state: state.seats[1].user is not None)
            await table.do(ask.OpenSeat, seat=1)
            await other.until(lambda state: not state.mine)
            with pytest.raises(RefusedError, match=r"table\.kicked"):
                await other.do(ask.Sit)
            with pytest.raises(RefusedError, match=r"table\.no_chat"):
                await other.say("but why")
            await table.do(ask.AddComputer, seat=1, player="plain")
            with pytest.raises(RefusedError, match=r"player\.unknown"):
                await table.do(ask.AddComputer, seat=1, player="nobody")
            await table.do(ask.Configure, settings=ask.TableChanges(title="x" * 60, game="sabra"))
            assert table.settings.game_title == "Sabra"
            # The host leaves; nobody is left to host.
            await table.do(ask.Leave)
            assert table.state.status == "closed"
            with pytest.raises(RefusedError, match=r"table\.closed"):
                await table.do(ask.Sit)


@asynchronous
async def test_only_players_on_offer_sit_down(sqlite: str) -> None:
    """Nobody out there can make the server read a file or run a program."""
    async with (
        serving(settings_for(sqlite, computers="plain")) as served,
        person(served.url, "Ana") as ana,
    ):
        assert [level.player for level in (await ana.games()).computers] == ["plain"]
        for player in ("process:file=/etc/passwd", "plain:x=1", "greedy", "Plain"):
            with pytest.raises(RefusedError, match=r"player\.unknown"):
                await ana.create_table([Mine(), ComputerSeat(player=player)], FAST)
        page = await ana.create_table([Mine(), OpenSeatPlan()], FAST)
        add = ask.AddComputer(id="a", seen=1, seat=1, player="process:file=/etc/passwd")
        with pytest.raises(RefusedError, match=r"player\.unknown"):
            await ana.command(page.table.id, add)


@asynchronous
async def test_levels_are_offered_with_words_and_one_for_newcomers(sqlite: str) -> None:
    async with serving(settings_for(sqlite)) as served, person(served.url, "Ana") as ana:
        offered = (await ana.games()).computers
    levels = ["beginner", "casual", "regular", "skilled", "expert", "master"]
    assert [one.player for one in offered if one.description] == levels
    assert [one.player for one in offered if one.usual] == ["casual"]


def test_offers_are_players() -> None:
    assert "plain" in computer_players("")
    assert computer_players(" plain ") == ("plain",)
    assert default_sitter(("beginner", "regular", "master")) == "regular"
    assert default_sitter(("plain",)) == "plain"
    with pytest.raises(PlayerError):
        computer_players("plain nobody")


@asynchronous
async def test_a_client_that_takes_nothing_is_let_go(
    sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Others are not held up by it, and what waits for it does not grow for ever."""
    monkeypatch.setattr("meldwise.server.tables.client.MOST_WAITING", 5)
    async with (
        serving(settings_for(sqlite)) as served,
        person(served.url, "Ana") as ana,
        person(served.url, "Eva") as eva,
    ):
        page = await ana.create_table([Mine(name="A"), Mine(name="B")], FAST, start=True)
        async with ana.table(page.table.id) as table, stalled(served.url, page.table.id, eva) as it:
            await table.be_ready()
            actor = await served.context.keeper.table(page.table.id)
            await eventually(lambda: len(actor.audience.clients) == 2)
            number = 0
            while len(actor.audience.clients) == 2 and number < 5_000:
                number += 1
                await table.do(ask.Check, seat=0, melds=[])
                for client in actor.audience.clients:
                    if client.user.name == "Eva":
                        for _ in range(20):
                            client.send(b" " * 20_000)
            await eventually(lambda: len(actor.audience.clients) == 1)
            await table.say(phrase="hello")
            assert it.get_extra_info("socket") is not None


@asynccontextmanager
async def stalled(url: str, table: str, client: Client) -> AsyncIterator[asyncio.StreamWriter]:
    """A stream whose client says hello and reads nothing more."""
    host, _, port = url.removeprefix("http://").partition(":")
    reader, writer = await asyncio.open_connection(host, int(port), limit=1_000)
    writer.write(
        (
            f"GET /api/v1/tables/{table}/ws HTTP/1.1\r\nHost: {host}:{port}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
            f"Authorization: Bearer {client.token}\r\n\r\n"
        ).encode()
    )
    assert b"101" in await reader.readline()
    hello = b'{"type":"hello","version":1}'
    writer.write(bytes([0x81, 0x80 | len(hello), 0, 0, 0, 0]) + hello)
    await writer.drain()
    try:
        yield writer
    finally:
        writer.transport.abort()
        await asyncio.sleep(0)
