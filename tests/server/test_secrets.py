"""Nobody is told what is hidden: every byte that the server sends is looked at.

Hidden from a client are, while a round is played, the hands of seats that it does not hold,
the stock in its order, and the server's seed; and always what the computer players' chance
follows from. Three ways of looking, over whole matches:

- exchange all that is hidden, and make the messages anew: not a byte differs;
- read what real clients received: each place that can name hidden tiles names none;
- search all bytes and all log lines for the seeds, tokens and keys themselves.
"""

from __future__ import annotations

import asyncio
import dataclasses
import logging
import secrets as chance
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import msgspec
import pytest

from meldwise import protocol
from meldwise.client import Client, ComputerSeat, Mine, OpenSeatPlan, TableStream
from meldwise.game import events as game
from meldwise.game.match import Match
from meldwise.game.position import format_table
from meldwise.game.rules import Rules
from meldwise.game.shuffle import Seeds, commitment_of
from meldwise.game.view import view_of
from meldwise.players.plain import PlainPlayer
from meldwise.protocol import commands as ask
from meldwise.protocol import events as told
from meldwise.protocol import messages
from meldwise.protocol.http import NewSeat
from meldwise.server.logs import _Formatter
from meldwise.server.tables import entries as log
from meldwise.server.tables.state import StepEvent, TableState, apply, beginning
from meldwise.server.tables.summary import summary_for, summary_of
from meldwise.server.tables.thinking import entry_of
from meldwise.server.tables.views import state_data, tell
from tests.server.support import asynchronous, person, play_to_the_end, serving, settings_for

Taken = tuple[TableState, tuple[StepEvent, ...]]

MIXTURES = [
    Rules(timer=60, match_length=2, leaver_grace=5),
    Rules(timer=20, match_length=1, hand_size=24, penalty_skips=1, redeal_pairs=7, max_players=3),
    Rules(match_length=1, hand_size=5, jokers=4, last_turns=True),
    Rules(match_length=1, hand_size=9, must_play="always", opening_minimum=0),  # type: ignore[arg-type]
]


def random_match(rules: Rules, number: int) -> Iterator[Taken]:
    """Every state of a random match, with penalties, time-outs, and people who come and go."""
    random = Random(number)
    players = random.randint(2, rules.max_players)
    seats = [log.SeatPlan(name=f"P{seat}", user=f"u{seat}") for seat in range(players)]
    created = log.Created(
        host="u0",
        code="CODE",
        secret=chance.token_hex(16),
        settings=log.StoredSettings(rules=rules),
        seats=seats,
    )
    at = 1_000
    state = beginning("t", log.Logged(seq=1, at=at, user=None, key=None, entry=created))

    def take(entry: log.Entry) -> Taken:
        nonlocal state, at
        at += random.randint(1, 2_000)
        logged = log.Logged(seq=state.seq + 1, at=at, user=None, key=None, entry=entry)
        state, events = apply(state, logged)
        return state, events

    for seat in range(players):
        yield take(log.Came(user=f"u{seat}"))
    yield take(log.Started())
    while not state.over:
        match = state.match
        assert match is not None
        if match.running is None:
            yield take(log.Committed(seed=random.randbytes(32).hex()))
            yield take(log.MadeReady(seat=0, seed=f"seed {number}"))
            yield take(log.Began())
            continue
        yield take(_random_move(match, random))


def _random_move(match: Match, random: Random) -> log.Entry:
    running = match.running
    assert running is not None
    seat = running.seat
    chosen = random.random()
    if chosen < 0.05:
        user = f"u{random.randrange(len(match.seats))}"
        return log.WentAway(user=user) if random.random() < 0.5 else log.Came(user=user)
    if chosen < 0.08:
        place = random.randrange(len(match.seats))
        if match.seats[place].left:
            return log.CameBack(seat=place)
        return log.Left(seat=place, chosen=True)
    hand = running.hands[seat]
    if chosen < 0.16 and len(hand) > 1:
        wrong = f"{format_table(running.table)} set({hand[0]},{hand[1]})".strip()
        if match.rules.timer is not None and random.random() < 0.5:
            return log.TimedOut(seat=seat, draft=wrong)
        return log.PlayedTable(seat=seat, table=wrong)
    return entry_of(PlainPlayer().choose(view_of(match, seat)))


def exchanged(taken: Taken, mine: Sequence[int], random: Random) -> Taken:
    """The same step with everything exchanged that the holder of some seats may not know."""
    state, events = taken
    match = state.match
    secret = msgspec.structs.replace(state, secret=chance.token_hex(16))
    if match is None or match.round is None or match.round.result is not None:
        if match is not None and match.running is None and match.commitment is not None:
            secret = msgspec.structs.replace(secret, seed=random.randbytes(32).hex())
        return secret, events
    round_ = match.round
    others = [seat for seat in range(len(round_.hands)) if seat not in mine]
    pool = [tile for seat in others for tile in round_.hands[seat]] + list(round_.stock)
    random.shuffle(pool)
    hands = list(round_.hands)
    for seat in others:
        size = len(hands[seat])
        hands[seat], pool = tuple(sorted(pool[:size])), pool[size:]
    seeds = Seeds(random.randbytes(32), round_.seeds.players)
    changed = dataclasses.replace(round_, hands=tuple(hands), stock=tuple(pool), seeds=seeds)
    other = msgspec.structs.replace(
        secret, match=dataclasses.replace(match, round=changed), seed=seeds.server.hex()
    )
    return other, tuple(_exchanged_event(event, mine, changed, random) for event in events)


def _exchanged_event(
    event: StepEvent, mine: Sequence[int], after: Any, random: Random
) -> StepEvent:
    if isinstance(event, game.Dealt):
        hands = tuple(
            hand if seat in mine else after.hands[seat] for seat, hand in enumerate(event.hands)
        )
        return dataclasses.replace(event, hands=hands)
    if isinstance(event, game.Drew | game.Penalised) and event.seat not in mine:
        pool = list(after.stock) or list(event.tiles)
        tiles = tuple(random.choice(pool) for _ in event.tiles)
        if isinstance(event, game.Penalised):
            return dataclasses.replace(event, tiles=tiles, problems=())
        return dataclasses.replace(event, tiles=tiles)
    return event


def sent(taken: Taken, mine: Sequence[int]) -> bytes:
    """All that a step makes the server send to the holder of some seats."""
    state, events = taken
    update = messages.Update(
        seq=state.seq,
        at=state.at,
        events=tell(events, mine),
        state=state_data(state, mine, state.at),
        settings=None,
        command=None,
    )
    return protocol.encode([update, summary_for(summary_of(state), None)])


@pytest.mark.parametrize("number", range(8))
def test_messages_are_the_same_whatever_is_hidden(number: int) -> None:
    random = Random(number)
    steps = hidden = 0
    for taken in random_match(MIXTURES[number % len(MIXTURES)], number):
        steps += 1
        players = len(taken[0].seats)
        for mine in ((), *((seat,) for seat in range(players)), (0, players - 1)):
            other = exchanged(taken, mine, random)
            hidden += other != taken
            assert sent(other, mine) == sent(taken, mine)
    assert steps > 15
    assert hidden > steps


def test_exchanging_is_noticed_where_something_is_told() -> None:
    """The check above can fail: a message with a foreign hand in it differs."""
    random = Random(1)
    different = 0
    for taken in random_match(MIXTURES[0], 3):
        other = exchanged(taken, (0,), random)
        different += sent(other, (0, 1)) != sent(taken, (0, 1))
    assert different > 10


class Listening(TableStream):
    """A stream that keeps all that came in, as it came."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.raw: list[str] = []

    async def _take(self, socket: Any, text: str | bytes) -> None:
        assert isinstance(text, str)
        self.raw.append(text)
        await super()._take(socket, text)


class Lines(logging.Handler):
    """Keeps the log, with all fields, at the most talkative level."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.setFormatter(_Formatter("json"))
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


async def fumble(table: TableStream, seat: int) -> None:
    """Arranges, checks, asks and talks before a move, so that all kinds of answers are seen."""
    hand = table.hand(seat)
    await table.keep_draft([], [hand], seat, check=True)
    await table.hint("tiles", seat)
    match = table.state.match
    if match is not None and match.round is not None and match.round.turn < 9:
        await table.say(phrase="hello")


@asynchronous
async def test_what_real_clients_received(sqlite: str) -> None:
    """Two people, two computer players and a spectator; each connection is read as a whole."""
    lines = Lines()
    logging.getLogger().addHandler(lines)
    logging.getLogger("meldwise").setLevel(logging.DEBUG)
    try:
        async with (
            serving(settings_for(sqlite)) as served,
            person(served.url, "Ana") as ana,
            person(served.url, "Beto") as beto,
            person(served.url, "Eva") as eva,
        ):
            changes = ask.TableChanges(
                pace="none", drafts_shown=True, rules={"match_length": 2, "penalty_tiles": 2}
            )
            seats: list[NewSeat] = [
                Mine(),
                OpenSeatPlan(),
                ComputerSeat(player="plain"),
                Mine(name="Anna"),
            ]
            page = await ana.create_table(seats, changes)
            streams = [
                Listening(served.url, page.table.id, client.token) for client in (ana, beto, eva)
            ]
            async with streams[0] as first, streams[1] as second, streams[2]:
                await second.do(ask.Sit)
                await first.do(ask.Start)
                await asyncio.gather(
                    play_to_the_end(first, fumble), play_to_the_end(second, fumble)
                )
                last = first.state.seq
                await streams[2].until(lambda state: state.seq == last)
            entries = await served.context.store.log(page.table.id)
            tokens = [client.token or "" for client in (ana, beto, eva)]
            pages = await read_over_http(eva, page.table.id)
        secret_texts = check_seeds(entries, [stream.raw for stream in streams])
        for stream, mine in zip(streams, ((0, 3), (1,), ()), strict=True):
            assert len(stream.raw) > 20
            for text in stream.raw:
                check_message(protocol.decode_server(text), mine)
        everything = [*lines.lines, *pages, *(text for stream in streams for text in stream.raw)]
        for token in tokens:
            assert not any(token.partition(".")[2] in text for text in everything)
        assert not any(secret_texts[0] in text for text in everything)
        assert lines.lines
        for seed in secret_texts[1:]:
            assert not any(seed in line for line in lines.lines)
    finally:
        logging.getLogger().removeHandler(lines)
        logging.getLogger("meldwise").setLevel(logging.NOTSET)


async def read_over_http(client: Client, table: str) -> list[str]:
    welcome = await client.state(table)
    lobby, page = await client.lobby(), await client.table_page(table)
    return [protocol.encode(body).decode() for body in (welcome, lobby, page)]


def check_seeds(entries: list[log.Logged], received: list[list[str]]) -> list[str]:
    """No message holds a seed before the round is over; the table's secret and the seeds."""
    first = entries[0].entry
    assert isinstance(first, log.Created)
    found = [first.secret]
    for logged in entries:
        if not isinstance(logged.entry, log.Committed):
            continue
        seed = logged.entry.seed
        found.append(seed)
        seen_commitment = False
        for raw in received:
            revealed = False
            for text in raw:
                message = protocol.decode_server(text)
                events = message.events if isinstance(message, messages.Update) else []
                revealed = revealed or any(
                    isinstance(event, told.SeedRevealed) and event.server == seed
                    for event in events
                )
                assert revealed or seed not in text
                seen_commitment |= commitment_of(bytes.fromhex(seed)) in text
            assert revealed
        assert seen_commitment
    assert len(found) == 3
    return found


def check_message(message: messages.ServerMessage, mine: Sequence[int]) -> None:
    """Wherever a message can name hidden tiles, it names none to the holder of these seats."""
    match message:
        case messages.Welcome():
            check_state(message.state, mine)
            for step in (*message.history, *message.chat):
                for event in step.events:
                    check_event(event, mine)
            for draft in message.drafts:
                assert draft.seat in mine or not draft.hand
        case messages.Update():
            check_state(message.state, mine)
            for event in message.events:
                check_event(event, mine)
        case messages.Drafted():
            assert message.draft.seat in mine or not message.draft.hand
        case messages.Verdicted() | messages.Hinted():
            assert message.seat in mine
        case messages.Reply() | messages.Failed() | messages.Watchers():
            pass
        case _:
            assert isinstance(message, messages.Bye)


def check_state(state: messages.TableState, mine: Sequence[int]) -> None:
    if not state.mine:
        assert state.match is None or not state.match.hands
    assert set(state.mine) <= set(mine)
    if state.match is None:
        return
    assert [hand.seat for hand in state.match.hands] == state.mine
    for hand in state.match.hands:
        assert len(hand.tiles) == state.seats[hand.seat].tiles
    finished = state.match.next_round - (0 if _is_running(state.match) else 1)
    assert len(state.match.results) <= finished
    if _is_running(state.match):
        assert state.match.round is not None
        assert all(result.number < state.match.round.number for result in state.match.results)


def _is_running(match: messages.MatchState) -> bool:
    return match.round is not None and not match.round.over


def check_event(event: told.Event, mine: Sequence[int]) -> None:
    match event:
        case told.Dealt():
            shown = [seat for seat, hand in enumerate(event.hands) if hand is not None]
            assert shown == list(mine)
        case told.Drew() | told.Penalised():
            assert event.seat in mine or not event.tiles
            if isinstance(event, told.Penalised):
                assert event.seat in mine or not event.problems
        case _:
            pass
