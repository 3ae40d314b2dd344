"""Records of finished matches, the check of their shuffles, and replays."""

from __future__ import annotations

from typing import Any

from litestar import MediaType, Response, get, post
from litestar.params import JSONBody
from msgspec.structs import replace

from meldwise.game.actions import CommitShuffle, StartRound
from meldwise.game.codes import Code
from meldwise.game.errors import ShuffleError
from meldwise.game.match import Match
from meldwise.game.presets import format_rules
from meldwise.game.record import Fault, Record, RecordedAction
from meldwise.game.record_text import read_record
from meldwise.game.replay import Step, replay
from meldwise.game.round import start_round
from meldwise.game.shuffle import ALGORITHM, Seeds, check_commitment, commitment_of
from meldwise.game.tiles import Tile
from meldwise.i18n import explain_fault
from meldwise.protocol import http, values
from meldwise.server.accounts import Accounts
from meldwise.server.api.context import Web, context_of, language_of, signed_in
from meldwise.server.api.document import REFUSALS
from meldwise.server.api.tables import TableId
from meldwise.server.errors import ServerError
from meldwise.server.languages import speaking
from meldwise.server.tables import entries as log
from meldwise.server.tables.actor import TableActor
from meldwise.server.tables.state import TableSeat, TableState, oracle_for
from meldwise.server.tables.views import state_data, tell

__all__ = ["HANDLERS", "replay_page"]

_MOST_ACTIONS = 5_000
"""Longer records are for the command line; the longest matches have some hundred."""


async def _table(request: Web, table: str) -> TableActor:
    user = Accounts.at_tables(await signed_in(request))
    actor = await context_of(request).keeper.table(table)
    actor.check_may_watch(user)
    return actor


async def _finished(request: Web, table: str) -> str:
    actor = await _table(request, table)
    if not actor.state.over:
        raise ServerError(Code.TABLE_RECORD_SECRET)
    text = await context_of(request).store.record(table)
    assert text is not None
    return text


@get(
    "/tables/{table:str}/record",
    responses=REFUSALS,
    summary="The record of a finished match",
    tags=["records"],
    media_type=MediaType.TEXT,
)
async def record(request: Web, table: TableId) -> Response[str]:
    """The record as TOML text; refused while the match goes on, since it tells all hands."""
    text = await _finished(request, table)
    name = f'attachment; filename="meldwise-{table}.toml"'
    return Response(text, media_type="application/toml", headers={"Content-Disposition": name})


@get(
    "/tables/{table:str}/shuffle",
    responses=REFUSALS,
    summary="The check of the shuffles",
    tags=["records"],
)
async def shuffle(request: Web, table: TableId) -> http.ShufflePage:
    """Recomputes the deals of the finished rounds from their revealed seeds."""
    actor = await _table(request, table)
    entries = await context_of(request).store.log(table)
    return http.ShufflePage(algorithm=ALGORITHM, rounds=_deals(actor.state, entries))


def _deals(state: TableState, entries: list[log.Logged]) -> list[http.DealReport]:
    match = state.match
    if match is None:
        return []
    reports: list[http.DealReport] = []
    seed = commitment = ""
    ready: dict[int, str] = {}
    number = 0
    for logged in entries:
        entry = logged.entry
        if isinstance(entry, log.Committed):
            seed, ready, number = entry.seed, {}, number + 1
            commitment = commitment_of(bytes.fromhex(seed))
        elif isinstance(entry, log.MadeReady):
            ready[entry.seat] = entry.seed
        elif isinstance(entry, log.Began):
            texts = tuple(ready.get(seat, "") for seat in range(len(state.seats)))
            over = number <= len(match.results)
            reports.append(_deal(match, number, commitment, bytes.fromhex(seed), texts, over))
    return reports


def _deal(
    match: Match, number: int, commitment: str, server: bytes, texts: tuple[str, ...], over: bool
) -> http.DealReport:
    """The report of one round; nothing of its seed and its hands while it is played."""
    if not over:
        return http.DealReport(
            number=number,
            commitment=commitment,
            server=None,
            players=list(texts),
            committed=False,
            first=None,
            hands=[],
            good=False,
        )
    try:
        check_commitment(commitment, server)
        committed = True
    except ShuffleError:
        committed = False
    first = match.firsts[number - 1]
    drawn = number == 1 or match.rules.first_player == "draw"
    dealt, _ = start_round(match.rules, len(texts), number, Seeds(server, texts))
    hands = [[str(tile) for tile in hand] for hand in dealt.hands]
    return http.DealReport(
        number=number,
        commitment=commitment,
        server=server.hex(),
        players=list(texts),
        committed=committed,
        first=first,
        hands=hands,
        good=committed and (not drawn or dealt.first == first),
    )


@get(
    "/tables/{table:str}/replay",
    responses=REFUSALS,
    summary="A finished match step by step",
    tags=["records"],
)
async def replay_table(request: Web, table: TableId) -> http.ReplayPage:
    """Every step of a finished match with all hands; refused while it goes on."""
    return await _replayed(request, await _finished(request, table))


@post(
    "/replays",
    responses=REFUSALS,
    summary="Any record step by step",
    tags=["records"],
    status_code=200,
)
async def replay_text(request: Web, data: JSONBody[http.RecordText]) -> http.ReplayPage:
    """Reads an uploaded record; its faults come with what could be replayed."""
    await signed_in(request)
    return await _replayed(request, data.text)


async def _replayed(request: Web, text: str) -> http.ReplayPage:
    """Replays in a worker, since a long record takes a while."""
    thinkers = context_of(request).keeper.thinkers
    return await thinkers.work(replay_page, text, language_of(request))


def replay_page(text: str, language: str) -> http.ReplayPage:
    """A record step by step; runs in a worker.

    Raises:
        ServerError: if it cannot be read, or is too long.
    """
    with speaking(language):
        reading = read_record(text)
        if reading.record is None:
            faults = [_fault(fault) for fault in reading.faults[:100]]
            raise ServerError(Code.REQUEST_MALFORMED, reason=faults[0].message)
        actions = sum(len(entry.actions) for entry in reading.record.rounds)
        if actions > _MOST_ACTIONS:
            raise ServerError(Code.LIMIT_SIZE, most=_MOST_ACTIONS)
        found = replay(reading.record, oracle_for(reading.record.rules))
        return _page(reading.record, found.steps, [_fault(fault) for fault in found.faults])


def _fault(fault: Fault) -> http.RecordFault:
    return http.RecordFault(line=fault.line, code=str(fault.code), message=explain_fault(fault))


def _page(
    record: Record, steps: tuple[Step, ...], faults: list[http.RecordFault]
) -> http.ReplayPage:
    state = TableState(
        id="",
        seq=0,
        at=0,
        created=0,
        host="",
        code="",
        secret="",
        settings=log.StoredSettings(rules=record.rules),
        seats=tuple(TableSeat(seat.name, None, seat.computer) for seat in record.seats),
        people={},
        started=True,
    )
    everybody = tuple(range(len(record.seats)))
    shown = []
    for number, step in enumerate(steps, start=1):
        match, _ = step.before.apply(step.action, oracle_for(record.rules))
        state = replace(state, match=match, seq=number)
        line = ""
        if not isinstance(step.action, CommitShuffle | StartRound):
            table = step.before.round.table if step.before.round is not None else ()
            try:
                line = str(RecordedAction.of(step.action, table, step.events))
            except TypeError:
                line = ""
        stock = match.round.stock if match.round is not None else ()
        shown.append(
            http.ReplayStep(
                action=line,
                events=tell(step.events, everybody),
                state=state_data(state, everybody, 0),
                stock=_texts(stock),
            )
        )
    return http.ReplayPage(
        game_title=record.game,
        rules=record.rules,
        rules_text=format_rules(record.rules),
        names=[seat.name for seat in record.seats],
        steps=shown,
        faults=faults,
    )


def _texts(tiles: tuple[Tile, ...]) -> list[values.Tile]:
    return [str(tile) for tile in tiles]


HANDLERS: list[Any] = [record, shuffle, replay_table, replay_text]
