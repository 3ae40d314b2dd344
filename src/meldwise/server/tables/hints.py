"""Hints: what the solver says of a hand, told to whoever holds it."""

from __future__ import annotations

from meldwise.game.codes import Code
from meldwise.game.view import view_of
from meldwise.protocol import commands as ask
from meldwise.protocol import messages
from meldwise.server.errors import ServerError
from meldwise.server.tables import views
from meldwise.server.tables.commands import User, own_seat
from meldwise.server.tables.state import TableState
from meldwise.server.tables.thinking import HintAnswer, Thinkers

__all__ = ["HintDesk"]


class HintDesk:
    """Gives hints at one table: one at a time for each user, since they are dear.

    Args:
        thinkers: where the solver runs.
    """

    def __init__(self, thinkers: Thinkers) -> None:
        self._thinkers = thinkers
        self._asking: set[str] = set()

    @property
    def busy(self) -> bool:
        """Whether somebody waits for a hint."""
        return bool(self._asking)

    async def ask(self, state: TableState, user: User, command: ask.Hint) -> messages.Hinted:
        """Which tiles of a hand can be played, or a best play.

        Raises:
            ServerError: if the seat is not the user's, the table gives no hints, no round is
                played, or the user waits for another hint.
        """
        seat = own_seat(state, user, command.seat)
        if not state.settings.hints:
            raise ServerError(Code.TABLE_NO_HINTS)
        if state.match is None or state.match.running is None:
            raise ServerError(Code.TABLE_NOT_STARTED)
        if user.id in self._asking:
            raise ServerError(Code.LIMIT_RATE, seconds=1)
        position = view_of(state.match, seat).position
        self._asking.add(user.id)
        try:
            answer = await self._thinkers.hint(command.what, position, state.rules)
        finally:
            self._asking.discard(user.id)
        return _message(command, answer)


def _message(command: ask.Hint, answer: HintAnswer) -> messages.Hinted:
    table = answer.table
    return messages.Hinted(
        to=command.id,
        seat=command.seat,
        playable=[
            messages.HintTiles(tile=str(tile), playable=able) for tile, able in answer.playable
        ],
        most=answer.most,
        table=None if table is None else [views.meld_data(meld) for meld in table],
        played=views.tiles_data(answer.played),
        steps=[
            messages.HintStep(
                meld=views.meld_data(step.meld),
                grows=step.grows,
                sources=[
                    messages.TileSource(place=source.place, tiles=views.tiles_data(source.tiles))
                    for source in step.sources
                ],
            )
            for step in answer.steps
        ],
        proven=answer.proven,
    )
