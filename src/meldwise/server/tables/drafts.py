"""Arrangements that are under way: kept, checked, shown to some, and used at a time-out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec

from meldwise import protocol
from meldwise.game.codes import Code
from meldwise.game.errors import ActionError
from meldwise.game.position import Table, format_table
from meldwise.game.round import Round
from meldwise.game.tiles import TILES, Tile, count_tiles
from meldwise.protocol import commands as ask
from meldwise.protocol import messages
from meldwise.protocol.values import Draft
from meldwise.server.errors import ServerError
from meldwise.server.languages import speaking
from meldwise.server.tables import entries as log
from meldwise.server.tables import views
from meldwise.server.tables.commands import User, melds_of, own_seat
from meldwise.server.tables.state import TableState

if TYPE_CHECKING:
    from meldwise.server.tables.actor import TableActor
    from meldwise.server.tables.client import TableClient

__all__ = ["DraftBook"]

_decoder = msgspec.json.Decoder(Draft)


class DraftBook:
    """The drafts of a table by seat.

    Args:
        stored: what the database holds.
    """

    def __init__(self, stored: Mapping[int, str]) -> None:
        self._drafts: dict[int, Draft] = {}
        self.renew(stored)

    def renew(self, stored: Mapping[int, str]) -> None:
        """Takes over what other processes have stored since."""
        for seat, text in stored.items():
            draft = _decoder.decode(text)
            old = self.get(seat)
            if old is None or _age(draft) >= _age(old):
                self._drafts[seat] = draft

    def get(self, seat: int) -> Draft | None:
        """The draft of a seat."""
        return self._drafts.get(seat)

    async def keep(
        self, table: TableActor, user: User, command: ask.KeepDraft, sender: TableClient | None
    ) -> messages.Reply | messages.Verdicted:
        """Keeps a draft; returns when it is on disk.

        Raises:
            ServerError: if the seat is not the user's, or no round is played.
            ActionError: if it holds tiles that are neither on the table nor in the hand.
        """
        state = table.state
        running = _running(state, user, command.seat)
        melds = melds_of(command.melds)
        _check_tiles(running, command.seat, melds, command.hand)
        draft = Draft(
            seat=command.seat,
            round=running.number,
            turn=running.turn,
            revision=command.revision,
            melds=command.melds,
            hand=command.hand,
        )
        old = self.get(command.seat)
        newer = old is None or _age(draft) > _age(old)
        if newer:
            self._drafts[command.seat] = draft
            table.show_draft(draft, sender)
            text = protocol.encode(draft).decode()
            await table.keeper.store.put_draft(state.id, command.seat, text)
        if command.check:
            return self.check(
                table.state,
                user,
                ask.Check(id=command.id, seen=command.seen, seat=command.seat, melds=command.melds),
            )
        return messages.Reply(to=command.id, seq=table.state.seq, repeated=not newer)

    def check(self, state: TableState, user: User, command: ask.Check) -> messages.Verdicted:
        """What the rules say of an arrangement.

        Raises:
            ServerError: if the seat is not the user's, or no round is played.
        """
        running = _running(state, user, command.seat)
        melds = melds_of(command.melds)
        whole = tuple(meld for meld in melds if meld.cells)
        verdict = running.check_draft(command.seat, whole)
        with speaking(user.language):
            data = views.verdict_data(verdict, melds, state.rules.opening_minimum)
        return messages.Verdicted(to=command.id, seat=command.seat, verdict=data)

    def time_out(self, state: TableState, seat: int) -> log.TimedOut:
        """What a time-out finds: the draft that was made in this turn, if it can be one."""
        match, draft = state.match, self.get(seat)
        assert match is not None
        running = match.running
        assert running is not None
        if draft is None or (draft.round, draft.turn) != (running.number, running.turn):
            return log.TimedOut(seat=seat)
        melds = tuple(meld for meld in melds_of(draft.melds) if meld.cells)
        try:
            _check_tiles(running, seat, melds, ())
        except ActionError:
            return log.TimedOut(seat=seat)
        return log.TimedOut(seat=seat, draft=format_table(melds))

    def shown_to(self, state: TableState, mine: Sequence[int]) -> list[Draft]:
        """The drafts that the holder of some seats may see."""
        shown = (self.for_eyes(state, draft, mine) for _, draft in sorted(self._drafts.items()))
        return [draft for draft in shown if draft is not None]

    def for_eyes(self, state: TableState, draft: Draft, mine: Sequence[int]) -> Draft | None:
        """A draft as the holder of some seats may see it; None if not at all.

        Others see the arrangement of the seat to move, made in this turn, where the table
        shows drafts: never the hand beside it, and never what was tried out of turn.
        """
        running = state.match.running if state.match is not None else None
        if running is None or draft.round != running.number:
            return None
        if draft.seat in mine:
            return draft
        if not state.settings.drafts_shown or state.paused:
            return None
        if (draft.seat, draft.turn) != (running.seat, running.turn):
            return None
        return msgspec.structs.replace(draft, hand=[])


def _age(draft: Draft) -> tuple[int, int]:
    """Orders the drafts of a seat: revisions count anew in each round."""
    return draft.round, draft.revision


def _running(state: TableState, user: User, seat: int) -> Round:
    own_seat(state, user, seat)
    if state.match is None:
        raise ServerError(Code.TABLE_NOT_STARTED)
    if state.match.running is None:
        raise ActionError(Code.ACTION_NO_ROUND)
    return state.match.running


def _check_tiles(running: Round, seat: int, melds: Table, hand: Sequence[Sequence[str]]) -> None:
    """Refuses tiles that are neither on the table nor in the hand."""
    there = count_tiles(running.hands[seat])
    for meld in running.table:
        for tile in meld.cells:
            there[tile.index] += 1
    for meld in melds:
        for tile in meld.cells:
            there[tile.index] -= 1
    missing = tuple(TILES[index] for index, count in enumerate(there) if count < 0)
    if missing:
        raise ActionError(Code.TURN_TILE_NOT_HELD, tiles=missing)
    held = count_tiles(running.hands[seat])
    for row in hand:
        for text in row:
            held[Tile.parse(text).index] -= 1
    missing = tuple(TILES[index] for index, count in enumerate(held) if count < 0)
    if missing:
        raise ActionError(Code.TURN_TILE_NOT_HELD, tiles=missing)
