"""Whole matches over the network, on SQLite and on PostgreSQL."""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest

from meldwise.client import Client, ComputerSeat, Mine, OpenSeatPlan, RefusedError, TableStream
from meldwise.game.record_text import read_record
from meldwise.game.replay import check_deals, replay
from meldwise.protocol import commands as ask
from meldwise.protocol import events as told
from meldwise.protocol import messages
from meldwise.protocol.http import NewSeat
from tests.server.support import (
    FAST,
    Clock,
    asynchronous,
    eventually,
    person,
    play_to_the_end,
    serving,
    settings_for,
)

QUICK = ask.TableChanges(
    pace="none", drafts_shown=True, rules={"match_length": 1, "leaver_grace": 30}
)
"""A short match of one round."""


def updates_of(table: TableStream) -> tuple[list[messages.Update], asyncio.Task[None]]:
    """Collects the updates of a stream from now on."""
    found: list[messages.Update] = []

    async def collect() -> None:
        async for update in table.updates():
            found.append(update)

    return found, asyncio.create_task(collect())


def began(event: told.Event) -> bool:
    return isinstance(event, told.TurnBegan)


def events_of(updates: list[messages.Update]) -> list[told.Event]:
    return [event for update in updates for event in update.events]


@asynchronous
async def test_two_people_two_computers_and_a_spectator(database: str) -> None:
    """A whole match with chat, drafts, lost connections, a record, a check and a rematch."""
    async with (
        serving(settings_for(database)) as served,
        person(served.url, "Ana") as ana,
        person(served.url, "Beto") as beto,
        person(served.url, "Eva") as eva,
    ):
        seats: list[NewSeat] = [
            Mine(),
            OpenSeatPlan(),
            ComputerSeat(player="plain"),
            ComputerSeat(player="plain"),
        ]
        page = await ana.create_table(seats, QUICK)
        id = page.table.id
        assert page.code is not None
        found = await beto.by_code(page.code.lower())
        assert (found.table.id, found.code) == (id, None)
        async with ana.table(id) as at_ana, beto.table(id) as at_beto, eva.table(id) as at_eva:
            assert at_eva.welcome.code is None
            await at_beto.do(ask.Sit)
            await at_ana.until(lambda state: state.seats[1].name == "Beto")
            await at_ana.until(lambda state: state.seats[1].connected)
            with pytest.raises(RefusedError, match=r"table\.not_host"):
                await at_beto.do(ask.Start)
            seen, collecting = updates_of(at_eva)
            await at_ana.say("good luck, all")
            await at_eva.say(phrase="hello")
            await at_ana.do(ask.Start)
            await asyncio.gather(
                play_to_the_end(at_ana, arrange_and_drop),
                play_to_the_end(at_beto, drop),
                at_eva.until(lambda state: state.status == "over"),
            )
            assert at_ana.reconnects + at_beto.reconnects >= 2
            states = [at_ana.state, at_beto.state, at_eva.state]
            assert len({state.seq for state in states}) == 1
            assert all(state.match and state.match.winners for state in states)
            collecting.cancel()
            # Eva lost no connection: she saw every step, once and in order.
            numbers = [update.seq for update in seen]
            assert numbers == list(range(numbers[0], states[0].seq + 1))
            chat = [(said.name, said.text, said.phrase) for said in at_ana.chat]
            assert chat[:2] == [("Ana", "good luck, all", None), ("Eva", "", "hello")]
            await check_afterwards(ana, id, at_eva)
            await rematch(at_ana, at_beto, beto)


async def drop(table: TableStream, _seat: int) -> None:
    """Loses the connection in every other own turn, the first one included."""
    if TURNS[table] % 2 == 0:
        await table.drop()
    TURNS[table] += 1


TURNS: Counter[TableStream] = Counter()


async def arrange_and_drop(table: TableStream, seat: int) -> None:
    """Keeps a draft, and loses the connection now and then; the draft is still there."""
    hand = table.hand(seat)
    answer = await table.keep_draft([], [hand[::-1]], seat, check=True)
    assert isinstance(answer, messages.Verdicted)
    assert not answer.verdict.legal
    before, turn = table.reconnects, TURNS[table]
    await drop(table, seat)
    if turn % 2 == 0:
        await table.until(lambda _state: table.reconnects > before and table.drafts.get(seat))
        assert table.drafts[seat].hand == [hand[::-1]]


async def check_afterwards(client: Client, id: str, table: TableStream) -> None:
    """The record replays to the same result, and the deals are those of the seeds."""
    text = await client.record(id)
    reading = read_record(text)
    assert reading.record is not None
    found = replay(reading.record)
    assert not found.faults
    assert found.match.result is not None
    match = table.state.match
    assert match is not None
    assert list(found.match.result.winners) == match.winners
    assert list(found.match.totals) == [seat.total for seat in table.state.seats]
    assert all(check.good for check in check_deals(reading.record))
    shuffle = await client.shuffle(id)
    assert [(deal.number, deal.good) for deal in shuffle.rounds] == [(1, True)]
    page = await client.replay(id)
    assert page.steps[-1].state.match is not None
    assert page.steps[-1].state.match.winners == match.winners
    assert not page.faults
    uploaded = await client.replay_text(text)
    assert len(uploaded.steps) == len(page.steps)


async def rematch(first: TableStream, second: TableStream, other: Client) -> None:
    """The same people sit at the same places of a new table; asking twice opens one."""
    await first.do(ask.Rematch)
    state = await second.until(lambda state: state.rematch is not None)
    await second.do(ask.Rematch)
    assert second.state.rematch == state.rematch
    page = await other.table_page(state.rematch or "")
    assert [seat.name for seat in page.table.seats] == ["Ana", "Beto", "Plain", "Plain 2"]
    assert page.table.mine == [1]
    assert page.table.status == "waiting"


@asynchronous
async def test_time_outs_and_absence(database: str) -> None:
    """The clock ends turns; who stays away is replaced after the grace, and has the seat back."""
    clock = Clock()
    rules: ask.RulesChanges = {"timer": 20, "leaver_grace": 30, "match_length": 1, "hand_size": 10}
    async with (
        serving(settings_for(database), clock) as served,
        person(served.url, "Ana") as ana,
        person(served.url, "Beto") as beto,
    ):
        page = await ana.create_table(
            [Mine(), OpenSeatPlan()], ask.TableChanges(pace="none", rules=rules)
        )
        id = page.table.id
        async with ana.table(id) as at_ana:
            seen, collecting = updates_of(at_ana)
            async with beto.table(id) as at_beto:
                await at_beto.do(ask.Sit)
                await at_ana.do(ask.Start)
                await at_ana.until(lambda state: state.match and state.match.commitment)
                await at_ana.be_ready("ana's seed")
                await at_beto.be_ready("beto's seed")
                state = await at_ana.until(lambda state: state.match and state.match.round)
                turn = state.match and state.match.round and state.match.round.turn
                assert state.clock.what == "turn"
                await eventually(lambda: any(map(began, events_of(seen))))
                begun = next(update.at for update in seen if any(map(began, update.events)))
                assert state.clock.deadline == begun + 20_000
                # Nobody moves: the sweeper ends the turn, and the next one.
                for number in (2, 3):
                    clock.forward(21)
                    await at_ana.until(
                        lambda state, n=number: state.match.round.turn == n  # type: ignore[misc]
                    )
                assert turn == 1
                drew = [event for event in events_of(seen) if isinstance(event, told.Drew)]
                assert [event.cause for event in drew] == ["time_out"] * 2
                assert [len(event.tiles) for event in drew].count(1) == 1  # The own one only.
            # Beto has closed the stream.
            await at_ana.until(lambda state: not state.seats[1].connected)
            until = at_ana.state.seats[1].away_until
            assert until is not None
            assert until > clock()
            clock.forward(31)
            await at_ana.until(lambda state: state.seats[1].stand_in == "plain")
            assert at_ana.state.seats[1].left
            async with beto.table(id) as at_beto:
                await at_ana.until(lambda state: not state.seats[1].left)
                assert at_beto.mine == [1]
                left = [event for event in events_of(seen) if isinstance(event, told.SeatLeft)]
                assert left == [told.SeatLeft(seat=1, chosen=False)]
                # Who leaves by choice comes back by choice.
                await at_beto.do(ask.Leave)
                await at_ana.until(lambda state: state.seats[1].left)
                await at_beto.drop()
                await at_beto.until(lambda _state: at_beto.reconnects == 1)
                assert at_beto.state.seats[1].left
                await at_beto.do(ask.Return)
                await at_ana.until(lambda state: not state.seats[1].left)
                clock.ahead += 1
                await asyncio.gather(play_to_the_end(at_ana), play_to_the_end(at_beto))
            collecting.cancel()
        reading = read_record(await ana.record(id))
        assert reading.record is not None
        assert reading.record.rounds[0].seeds is not None
        assert reading.record.rounds[0].seeds.players == ("ana's seed", "beto's seed")
        verbs = {action.verb for action in reading.record.rounds[0].actions}
        assert {"timeout", "leave", "stand-in", "return"} <= verbs
        assert not replay(reading.record).faults


@asynchronous
async def test_a_finished_draft_stands_when_time_runs_out(sqlite: str) -> None:
    clock = Clock()
    rules: ask.RulesChanges = {
        "timer": 20,
        "match_length": 1,
        "opening_minimum": 0,
        "hand_size": 30,
    }
    async with (
        serving(settings_for(sqlite), clock) as served,
        person(served.url, "Ana") as ana,
    ):
        table_rules = ask.TableChanges(
            pace="none", rules={**rules, "max_players": 2, "joker_level": 0}
        )
        page = await ana.create_table([Mine(name="A"), Mine(name="B")], table_rules, start=True)
        async with ana.table(page.table.id) as table:
            await table.be_ready("x")
            await table.until(lambda _state: table.my_turn is not None)
            seat = table.my_turn
            assert seat is not None
            hint = await table.hint("play", seat)
            assert hint.table is not None
            from tests.server.support import melds

            answer = await table.keep_draft(melds(hint.table), seat=seat, check=True)
            assert isinstance(answer, messages.Verdicted)
            assert answer.verdict.legal
            seen, collecting = updates_of(table)
            await asyncio.sleep(0)
            clock.forward(21)
            await table.until(lambda _state: table.my_turn != seat)
            played = [event for event in events_of(seen) if isinstance(event, told.Played)]
            collecting.cancel()
            assert [(event.seat, event.cause) for event in played] == [(seat, "time_out")]
            assert sorted(played[0].tiles) == sorted(hint.played)


@asynchronous
async def test_pass_and_play(sqlite: str) -> None:
    """One client holds all seats and sees the hands of each."""
    async with serving(settings_for(sqlite)) as served, person(served.url, "Ana") as ana:
        page = await ana.create_table(
            [Mine(name="Ana"), Mine(name="Beto"), Mine(name="Carla")], QUICK, start=True
        )
        async with ana.table(page.table.id) as table:
            assert table.mine == [0, 1, 2]
            assert [seat.name for seat in table.state.seats] == ["Ana", "Beto", "Carla"]
            await play_to_the_end(table)
            assert table.state.match is not None
            assert table.state.match.winners


@asynchronous
async def test_alone_the_table_waits(sqlite: str) -> None:
    """Alone against computer players nothing goes on without the person."""
    clock = Clock()
    async with serving(settings_for(sqlite), clock) as served, person(served.url, "Ana") as ana:
        changes = ask.TableChanges(pace="none", rules={"leaver_grace": 20, "match_length": 1})
        page = await ana.create_table([Mine(), ComputerSeat(player="plain")], changes, start=True)
        async with ana.table(page.table.id) as table:
            await table.be_ready()
            await table.until(lambda _state: table.my_turn is not None)
            seq, ana_id = table.state.seq, table.welcome.user
        actor = await served.context.keeper.table(page.table.id)
        await eventually(lambda: not actor.state.people[ana_id].connected)
        clock.forward(25)
        await eventually(lambda: actor.state.status == "paused")
        assert (await ana.state(page.table.id)).state.status == "paused"
        clock.forward(10_000)
        async with ana.table(page.table.id) as table:
            await table.until(lambda state: state.status == "playing")
            told_of = [event for step in table.welcome.history for event in step.events]
            assert told.Paused(reason="absent") in told_of
            assert table.my_turn is not None
            assert table.state.seq > seq
            await play_to_the_end(table)


@asynchronous
async def test_pause_by_agreement(sqlite: str) -> None:
    clock = Clock()
    async with (
        serving(settings_for(sqlite), clock) as served,
        person(served.url, "Ana") as ana,
        person(served.url, "Beto") as beto,
    ):
        changes = ask.TableChanges(pace="none", rules={"timer": 60, "match_length": 1})
        page = await ana.create_table([Mine(), OpenSeatPlan()], changes)
        async with ana.table(page.table.id) as at_ana, beto.table(page.table.id) as at_beto:
            await at_beto.do(ask.Sit)
            await at_ana.do(ask.Start)
            await at_ana.be_ready()
            await at_beto.until(lambda state: state.match and state.match.commitment)
            await at_beto.be_ready()
            await at_ana.until(lambda state: state.match and state.match.round)
            await at_ana.do(ask.Pause)
            assert at_ana.state.status == "playing"
            await at_beto.until(lambda state: state.seats[0].wants_pause)
            clock.forward(20)
            await at_beto.do(ask.Pause)
            await at_ana.until(lambda state: state.status == "paused")
            left = at_ana.state.clock.left
            assert left is not None
            assert 39_000 <= left <= 40_000
            for table in (at_ana, at_beto):
                if table.my_turn is None:
                    with pytest.raises(RefusedError, match=r"table\.paused"):
                        await table.draw(table.mine[0])
            clock.forward(10_000)
            await at_beto.do(ask.Resume)
            state = await at_ana.until(lambda state: state.status == "playing")
            assert state.clock.deadline is not None
            assert 35_000 <= state.clock.deadline - clock() <= 40_000
            await asyncio.gather(play_to_the_end(at_ana), play_to_the_end(at_beto))


@asynchronous
async def test_match_by_time_and_must_play(sqlite: str) -> None:
    """A match that ends by time, under rules that ask the solver who has to play."""
    clock = Clock()
    rules: ask.RulesChanges = {
        "match_end": "time",
        "match_length": 60,
        "must_play": "always",
        "hand_size": 7,
    }
    async with serving(settings_for(sqlite), clock) as served, person(served.url, "Ana") as ana:
        page = await ana.create_table(
            [Mine(), ComputerSeat(player="plain")],
            ask.TableChanges(pace="none", rules=rules),
            start=True,
        )
        async with ana.table(page.table.id) as table:
            await table.until(lambda state: state.match and state.match.commitment)
            clock.forward(61)
            await play_to_the_end(table)
            assert table.state.match is not None
            assert len(table.state.match.results) == 1


@asynchronous
async def test_restart_in_mid_match(database: str) -> None:
    """The same seats, hands, drafts and moves after the server was ended and begun again."""
    async with serving(settings_for(database)) as served, person(served.url, "Ana") as ana:
        page = await ana.create_table([Mine(), ComputerSeat(player="plain")], FAST, start=True)
        async with ana.table(page.table.id) as table:
            await table.be_ready()
            await table.until(lambda _state: table.my_turn is not None)
            await table.keep_draft([], [table.hand(0)[::-1]])
            await table.draw()
            await table.until(lambda _state: table.my_turn is not None)
            before, draft = table.state, table.drafts[0]
        token = ana.token
    async with serving(settings_for(database)) as served, Client(served.url, token) as ana:
        lobby = await ana.lobby()
        assert [(entry.id, entry.my_turn) for entry in lobby.mine] == [(page.table.id, True)]
        async with ana.table(page.table.id) as table:
            assert before.match is not None
            assert table.state.match is not None
            assert table.state.match.hands == before.match.hands
            assert table.state.match.round == before.match.round
            assert table.drafts[0] == draft
            await table.draw()
