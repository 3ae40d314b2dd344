"""Drafts: kept, shown to whom they may be, and never to anybody else."""

from __future__ import annotations

import asyncio

import pytest

from meldwise.client import Client, Mine, OpenSeatPlan, RefusedError, TableStream
from meldwise.game.melds import Kind, Meld
from meldwise.game.tiles import Tile
from meldwise.protocol import commands as ask
from meldwise.protocol import messages
from meldwise.protocol.values import DraftMeld
from tests.server.support import (
    asynchronous,
    person,
    play_to_the_end,
    serving,
    settings_for,
)


async def begun(ana: Client, beto: Client, shown: bool) -> tuple[TableStream, TableStream]:
    """Two people in a round; whose turn it is comes first."""
    changes = ask.TableChanges(pace="none", drafts_shown=shown, rules={"match_length": 1})
    page = await ana.create_table([Mine(), OpenSeatPlan()], changes)
    at_ana = await ana.table(page.table.id).__aenter__()
    at_beto = await beto.table(page.table.id).__aenter__()
    await at_beto.do(ask.Sit)
    await at_ana.until(lambda state: state.seats[1].connected)
    await at_ana.do(ask.Start)
    for table in (at_ana, at_beto):
        await table.until(lambda state: state.match and state.match.commitment)
        await table.be_ready()
    for table in (at_ana, at_beto):
        await table.until(lambda state: state.match and state.match.round)
    pair = (at_ana, at_beto)
    return pair if at_ana.my_turn is not None else pair[::-1]


def group(table: TableStream, count: int = 2) -> Meld:
    """A group of the first tiles of the own hand, unfinished."""
    return Meld(Kind.RUN, tuple(map(Tile.parse, table.hand(table.mine[0])[:count])))


async def settled(*tables: TableStream) -> None:
    """Waits until all that was sent before has come."""
    for table in tables:
        with pytest.raises(RefusedError):
            await table.do(ask.Check, seat=5, melds=[])


@asynchronous
async def test_a_turn_is_shown_while_it_is_arranged(sqlite: str) -> None:
    async with (
        serving(settings_for(sqlite)) as served,
        person(served.url, "Ana") as ana,
        person(served.url, "Beto") as beto,
    ):
        mover, other = await begun(ana, beto, shown=True)
        seat, foreign = mover.mine[0], other.mine[0]
        hand = mover.hand(seat)
        # Out of turn: kept, and for own eyes only.
        await other.keep_draft([group(other)], [other.hand(foreign)[2:]])
        await settled(mover, other)
        assert foreign not in mover.drafts
        # In turn: shown, but for the rest of the hand.
        await mover.keep_draft([group(mover)], [hand[2:]], check=True)
        await other.until(lambda _state: seat in other.drafts)
        assert other.drafts[seat].hand == []
        assert other.drafts[seat].melds == [DraftMeld(kind="run", tiles=hand[:2])]
        # A second connection of the same person sees all of it.
        mine = ana if mover.state.seats[seat].name == "Ana" else beto
        async with mine.table(mover.welcome.table) as tab:
            assert tab.drafts[seat].hand == [hand[2:]]
            assert foreign not in tab.drafts
            await tab.keep_draft([], [hand[::-1]])
            await mover.until(lambda _state: mover.drafts[seat].hand == [hand[::-1]])
            # An older arrangement does not come back.
            stale = await mover.do(ask.KeepDraft, seat=seat, revision=1, melds=[], hand=[])
            assert isinstance(stale, messages.Reply)
            assert stale.repeated
            assert mover.drafts[seat].hand == [hand[::-1]]
        # When the turn has gone on, what was arranged in it is shown no more.
        await mover.draw()
        async with (ana if mine is beto else beto).table(mover.welcome.table) as again:
            assert seat not in again.drafts
            assert again.drafts[foreign].hand == [other.hand(foreign)[2:]]
        for table in (mover, other):
            await table.close()


@asynchronous
async def test_drafts_are_not_shown_unless_the_table_does(sqlite: str) -> None:
    async with (
        serving(settings_for(sqlite)) as served,
        person(served.url, "Ana") as ana,
        person(served.url, "Beto") as beto,
    ):
        mover, other = await begun(ana, beto, shown=False)
        await mover.keep_draft([group(mover)], [[]], check=True)
        await settled(mover, other)
        assert mover.mine[0] not in other.drafts
        for table in (mover, other):
            await table.close()


@asynchronous
async def test_a_draft_holds_own_tiles_only(sqlite: str) -> None:
    """Nobody can show tiles that are not there, or find out by trying who holds them."""
    async with (
        serving(settings_for(sqlite)) as served,
        person(served.url, "Ana") as ana,
        person(served.url, "Beto") as beto,
    ):
        mover, other = await begun(ana, beto, shown=True)
        held = set(mover.hand(mover.mine[0]))
        wrong = next(tile for tile in ("r1", "y2", "k3", "b4", "r5", "y6") if tile not in held)
        melds = [Meld(Kind.RUN, (Tile.parse(wrong),))]
        with pytest.raises(RefusedError, match=r"turn\.tile_not_held") as caught:
            await mover.keep_draft(melds)
        assert caught.value.fields == {"tiles": [wrong]}
        with pytest.raises(RefusedError, match=r"turn\.tile_not_held"):
            await mover.keep_draft([], [[wrong]])
        with pytest.raises(RefusedError, match=r"action\.illegal_play") as caught:
            await mover.play(melds)
        assert caught.value.verdict is not None
        assert "turn.tile_not_held" in [p.code for p in caught.value.verdict.problems]
        await settled(mover, other)
        assert mover.mine[0] not in other.drafts
        for table in (mover, other):
            await table.close()


@asynchronous
async def test_each_round_counts_its_drafts_anew(sqlite: str) -> None:
    """A client that counts from 1 in the second round is kept, and what is older is not."""
    rules: dict[str, str | int | bool | None] = {
        "match_length": 2,
        "hand_size": 20,
        "opening_minimum": 6,
    }
    kept: list[tuple[int, bool]] = []

    async def keep(table: TableStream, seat: int) -> None:
        match = table.state.match
        assert match is not None
        assert match.round is not None
        number = match.round.number
        if number in dict(kept):
            return
        for revision in (7, 3) if number == 1 else (2, 1):
            hand = [table.hand(seat)]
            answer = await table.do(
                ask.KeepDraft, seat=seat, revision=revision, melds=[], hand=hand
            )
            assert isinstance(answer, messages.Reply)
            kept.append((number, not answer.repeated))

    async with serving(settings_for(sqlite)) as served, person(served.url, "Ana") as ana:
        changes = ask.TableChanges(pace="none", rules=rules)
        page = await ana.create_table([Mine(name="A"), Mine(name="B")], changes, start=True)
        async with ana.table(page.table.id) as table:
            await play_to_the_end(table, keep)
    assert kept == [(1, True), (1, False), (2, True), (2, False)]


@asynchronous
async def test_what_the_server_makes_of_groups(sqlite: str) -> None:
    """Kinds that are left open are read; jokers say what they stand for, and could."""
    async with serving(settings_for(sqlite)) as served, person(served.url, "Ana") as ana:
        page = await ana.create_table(
            [Mine(name="A"), Mine(name="B")], ask.TableChanges(pace="none"), start=True
        )
        async with ana.table(page.table.id) as table:
            await table.be_ready()
            await table.until(lambda _state: table.my_turn is not None)
            seat = table.my_turn
            groups = [
                DraftMeld(tiles=["r4", "*", "r6"]),
                DraftMeld(tiles=["r7", "b7", "*"]),
                DraftMeld(tiles=["r7", "*", "*"]),
                DraftMeld(tiles=[]),
                DraftMeld(kind="run", tiles=["r12", "r13", "*"]),
            ]
            answer = await table.do(ask.Check, seat=seat, melds=groups)
            assert isinstance(answer, messages.Verdicted)
            first, second, third, fourth, fifth = answer.verdict.groups
            assert (first.kind, first.valid, first.value) == ("run", True, 15)
            assert [joker.stands_for for joker in first.jokers] == [["r5"]]
            assert (second.kind, second.valid) == ("set", True)
            assert [joker.stands_for for joker in second.jokers] == [["y7", "k7"]]
            assert (third.kind, third.valid) == ("set", True)
            assert {tuple(meld.tiles) for meld in third.readings} == {
                ("*", "*", "r7"), ("*", "r7", "*"), ("r7", "*", "*"),
            }  # fmt: skip
            assert not fourth.valid
            assert not fifth.valid
            codes = {problem.code for problem in answer.verdict.problems}
            assert {"meld.above_thirteen", "turn.tile_not_held"} <= codes
            assert all(problem.message.endswith(".") for problem in answer.verdict.problems)
            assert answer.verdict.opening_need == 30


@asynchronous
async def test_bye_when_the_server_ends(sqlite: str) -> None:
    from websockets.asyncio.client import connect

    from meldwise import protocol

    async with serving(settings_for(sqlite)) as served, person(served.url, "Ana") as ana:
        page = await ana.create_table([Mine(), OpenSeatPlan()])
        address = f"{served.url.replace('http', 'ws')}/api/v1/tables/{page.table.id}/ws"
        header = {"Authorization": f"Bearer {ana.token}"}
        async with connect(address, additional_headers=header, proxy=None) as socket:
            await socket.send(protocol.encode(messages.Hello(version=1)).decode())
            await socket.recv()
            ending = asyncio.create_task(served.running.stop())
            heard = [protocol.decode_server(text) async for text in socket]
            assert heard[-1] == messages.Bye(code="server.stopping", again=1_000)
            assert socket.close_code == 1001
            await ending
