"""The stream of a table: always the newest state, and commands that are done once.

A lost connection is made again, from the last sequence number that was seen; commands that
were not answered are sent again under their ids, so that none is lost and none doubled.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import secrets
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Final, Literal

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidHandshake, InvalidURI, WebSocketException

from meldwise import protocol
from meldwise.client.errors import ClientError, ConnectionLostError, RefusedError
from meldwise.game.melds import Meld
from meldwise.protocol import commands as ask
from meldwise.protocol import events as told
from meldwise.protocol import messages, values

__all__ = ["TableStream"]

_FOR_GOOD: Final = frozenset(
    {
        protocol.CLOSE_NO_SESSION,
        protocol.CLOSE_REFUSED,
        protocol.CLOSE_NO_TABLE,
        protocol.CLOSE_VERSION,
        protocol.CLOSE_MALFORMED,
    }
)
"""Close codes after which trying again is of no use."""

_LARGEST: Final = 8_000_000
_FIRST_WAIT: Final = 0.05
_LONGEST_WAIT: Final = 3.0

Answer = messages.Reply | messages.Verdicted | messages.Hinted


@dataclass(slots=True)
class _Pending:
    """A command that has not been answered, as it is sent, and who waits for the answer."""

    data: str
    answer: asyncio.Future[Answer]


class TableStream:
    """A connection to a table. Use as an asynchronous context manager.

    Args:
        url: the address of the server.
        table: the id of the table.
        token: the bearer token.
        patience: how long to try to reach the server before giving up, in seconds.

    Attributes:
        welcome: what the server said first on the newest connection.
        state: the newest state.
        settings: the newest settings.
        drafts: the drafts that may be seen, by seat.
        chat: the lines of chat, oldest first.
        watchers: how many spectators there are.
        reconnects: how often the connection was made again.
    """

    def __init__(self, url: str, table: str, token: str | None, *, patience: float = 30.0) -> None:
        self._address = url.replace("http", "ws", 1) + f"/api/v1/tables/{table}/ws"
        self._table = table
        self._token = token
        self._patience = patience
        self._socket: ClientConnection | None = None
        self._pending: dict[str, _Pending] = {}
        self._task: asyncio.Task[None] | None = None
        self._ready = asyncio.Event()
        self._changed = asyncio.Condition()
        self._updates: list[asyncio.Queue[messages.Update | None]] = []
        self._broken: ClientError | None = None
        self._prefix = secrets.token_hex(6)
        self._count = 0
        self.reconnects = 0
        self.drafts: dict[int, values.Draft] = {}
        self.chat: list[told.Said] = []
        self.watchers = 0

    welcome: messages.Welcome
    state: messages.TableState
    settings: messages.Settings

    async def __aenter__(self) -> TableStream:
        self._task = asyncio.create_task(self._run())
        await self._ready.wait()
        if self._broken is not None:
            await self.close()
            raise self._broken
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes the connection."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None
        await self._end(ConnectionLostError("the stream was closed"))

    async def drop(self) -> None:
        """Lets the connection go, as a bad network would; it is made again."""
        if self._socket is not None:
            self._socket.transport.abort()

    # --- what there is to see -----------------------------------------------

    @property
    def mine(self) -> list[int]:
        """The seats that the user holds."""
        return self.state.mine

    @property
    def my_turn(self) -> int | None:
        """The own seat whose turn it is; None if it is nobody's of ours."""
        match = self.state.match
        if self.state.status != "playing" or match is None or match.round is None:
            return None
        here = match.round.seat in self.mine and not match.round.over
        left = self.state.seats[match.round.seat].left
        return match.round.seat if here and not left else None

    def hand(self, seat: int) -> list[str]:
        """The tiles of an own hand."""
        match = self.state.match
        hands = match.hands if match is not None else []
        return next((hand.tiles for hand in hands if hand.seat == seat), [])

    @property
    def stock(self) -> int:
        """How many tiles are left to draw."""
        match = self.state.match
        return 0 if match is None or match.round is None else match.round.stock

    async def updates(self) -> AsyncIterator[messages.Update]:
        """The updates from now on, each once and in order; ends with the stream."""
        queue: asyncio.Queue[messages.Update | None] = asyncio.Queue()
        self._updates.append(queue)
        try:
            while (update := await queue.get()) is not None:
                yield update
        finally:
            self._updates.remove(queue)

    async def until(
        self, reached: Callable[[messages.TableState], object], timeout: float = 60.0
    ) -> messages.TableState:
        """Waits until the state is as wanted.

        Raises:
            TimeoutError: if it takes longer than ``timeout`` seconds.
            ClientError: if the stream ends.
        """
        async with asyncio.timeout(timeout), self._changed:
            while not reached(self.state):
                if self._broken is not None:
                    raise self._broken
                await self._changed.wait()
            return self.state

    def needs(self) -> Literal["round", "turn", "over"] | None:
        """What the table waits for us to do: to be ready for a round, or to move.

        ``over`` when the match has ended or the table is closed; None if it waits for
        others, or is paused.
        """
        state, match = self.state, self.state.match
        if state.status in ("over", "closed"):
            return "over"
        if self.my_turn is not None:
            return "turn"
        if state.status != "playing" or match is None or match.commitment is None:
            return None
        between = match.round is None or match.round.over
        waits = any(
            not state.seats[seat].ready and not state.seats[seat].left for seat in self.mine
        )
        return "round" if between and waits else None

    async def attention(self) -> Literal["round", "turn", "over"]:
        """Waits until the table waits for us; see :meth:`needs`.

        Raises:
            ClientError: if the stream ends.
        """
        async with self._changed:
            while (found := self.needs()) is None:
                if self._broken is not None:
                    raise self._broken
                await self._changed.wait()
            return found

    # --- commands -----------------------------------------------------------

    async def do(self, kind: type[Any], **fields: Any) -> Answer:
        """Sends a command and waits for its answer, over lost connections too.

        Args:
            kind: a class of :mod:`meldwise.protocol.commands`.
            fields: its fields but for ``id`` and ``seen``, which are filled in.

        Raises:
            RefusedError: if the server refuses it.
            ConnectionLostError: if the stream ends.
        """
        self._count += 1
        fields.setdefault("id", f"{self._prefix}-{self._count}")
        fields.setdefault("seen", self.state.seq)
        return await self.send(kind(**fields))

    async def send(self, command: ask.Command) -> Answer:
        """Sends a command as it is; see :meth:`do`."""
        if self._broken is not None:
            raise self._broken
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        pending = _Pending(protocol.encode(command).decode(), future)
        self._pending[command.id] = pending
        try:
            if self._socket is not None:
                # What cannot be sent now is sent again on the next connection.
                with contextlib.suppress(WebSocketException, OSError):
                    await self._socket.send(pending.data)
            return await future
        finally:
            self._pending.pop(command.id, None)

    async def send_text(self, text: str | bytes) -> None:
        """Sends anything at all, for tests of servers."""
        if self._socket is not None:
            await self._socket.send(text)

    def _turn(self, seat: int | None) -> int:
        if seat is None:
            seat = self.my_turn if self.my_turn is not None else self.mine[0]
        return seat

    async def play(self, melds: Iterable[Meld | values.Meld], seat: int | None = None) -> Answer:
        """Ends the turn with a table."""
        return await self.do(ask.Play, seat=self._turn(seat), melds=drafted(melds))

    async def draw(self, seat: int | None = None) -> Answer:
        """Draws a tile."""
        return await self.do(ask.Draw, seat=self._turn(seat))

    async def pass_turn(self, seat: int | None = None) -> Answer:
        """Passes, when the stock is empty."""
        return await self.do(ask.Pass, seat=self._turn(seat))

    async def be_ready(self, seed: str | None = None) -> None:
        """Is ready for the next round with all own seats, adding a seed to the shuffle."""
        for seat in self.mine:
            if not self.state.seats[seat].ready:
                text = secrets.token_hex(8) if seed is None else seed
                await self.do(ask.BeReady, seat=seat, seed=text)

    async def keep_draft(
        self,
        melds: Iterable[Meld | values.Meld],
        hand: Sequence[Sequence[str]] = (),
        seat: int | None = None,
        *,
        check: bool = False,
    ) -> Answer:
        """Keeps an arrangement on the server."""
        place = self._turn(seat)
        old = self.drafts.get(place)
        revision = 1 if old is None else old.revision + 1
        rows = [list(row) for row in hand]
        groups = drafted(melds)
        answer = await self.do(
            ask.KeepDraft, seat=place, revision=revision, melds=groups, hand=rows, check=check
        )
        match = self.state.match
        if match is not None and match.round is not None:
            self.drafts[place] = values.Draft(
                seat=place,
                round=match.round.number,
                turn=match.round.turn,
                revision=revision,
                melds=groups,
                hand=rows,
            )
        return answer

    async def check(
        self, melds: Iterable[Meld | values.Meld], seat: int | None = None
    ) -> values.Verdict:
        """What the rules say of an arrangement."""
        answer = await self.do(ask.Check, seat=self._turn(seat), melds=drafted(melds))
        assert isinstance(answer, messages.Verdicted)
        return answer.verdict

    async def hint(
        self, what: Literal["tiles", "play"], seat: int | None = None
    ) -> messages.Hinted:
        """Which tiles can be played, or a best play."""
        answer = await self.do(ask.Hint, seat=self._turn(seat), what=what)
        assert isinstance(answer, messages.Hinted)
        return answer

    async def say(self, text: str = "", phrase: Any = None) -> Answer:
        """Chats."""
        return await self.do(ask.Say, text=text, phrase=phrase)

    # --- the connection -----------------------------------------------------

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        wait = _FIRST_WAIT
        since = loop.time()
        try:
            while True:
                try:
                    async with connect(
                        self._address,
                        additional_headers=(
                            {"Authorization": f"Bearer {self._token}"} if self._token else {}
                        ),
                        subprotocols=[protocol.SUBPROTOCOL],  # type: ignore[list-item]
                        max_size=_LARGEST,
                        proxy=None,
                        open_timeout=10,
                        close_timeout=1,
                    ) as socket:
                        await self._talk(socket)
                except (InvalidURI, InvalidHandshake) as error:
                    found = ConnectionLostError(f"no stream at {self._address}: {error}")
                    if loop.time() - since > self._patience:
                        raise found from error
                except (WebSocketException, OSError, TimeoutError, EOFError):
                    pass
                if self._socket is not None:
                    # It worked for a while: begin to be patient anew.
                    self.reconnects += 1
                    wait, since = _FIRST_WAIT, loop.time()
                    self._socket = None
                elif loop.time() - since > self._patience:
                    raise ConnectionLostError(f"{self._address} cannot be reached")
                await asyncio.sleep(wait * (0.5 + random.random()))
                wait = min(_LONGEST_WAIT, wait * 2)
        except ClientError as error:
            await self._end(error)

    async def _talk(self, socket: ClientConnection) -> None:
        seen = self.state.seq if self._ready.is_set() else None
        hello = messages.Hello(version=protocol.VERSION, seen=seen)
        try:
            await socket.send(protocol.encode(hello).decode())
            async for text in socket:
                await self._take(socket, text)
        finally:
            code = socket.close_code
            if code in _FOR_GOOD:
                raise ConnectionLostError(f"the server closed the stream: {code}", code)

    async def _take(self, socket: ClientConnection, text: str | bytes) -> None:
        try:
            message = protocol.decode_server(text)
        except msgspec.MsgspecError:
            return  # A later server may say things that this client does not know.
        match message:
            case messages.Welcome():
                await self._welcomed(socket, message)
            case messages.Update():
                await self._updated(socket, message)
            case messages.Reply() | messages.Verdicted() | messages.Hinted():
                if (pending := self._pending.get(message.to)) and not pending.answer.done():
                    pending.answer.set_result(message)
            case messages.Failed():
                self._failed(message)
            case messages.Drafted():
                self.drafts[message.draft.seat] = message.draft
                await self._tell()
            case messages.Watchers():
                self.watchers = message.count
                await self._tell()
            case _:
                pass

    async def _welcomed(self, socket: ClientConnection, welcome: messages.Welcome) -> None:
        again = self._ready.is_set()
        known = self.state.seq if again else welcome.state.seq
        self.welcome, self.settings, self.state = welcome, welcome.settings, welcome.state
        self.drafts = {draft.seat: draft for draft in welcome.drafts}
        self.chat = [
            event for step in welcome.chat for event in step.events if isinstance(event, told.Said)
        ]
        self.watchers = welcome.watchers
        self._socket = socket
        for step in welcome.history:
            if again and step.seq > known:
                # What was missed comes with the state after all of it.
                missed = messages.Update(
                    seq=step.seq,
                    at=step.at,
                    events=step.events,
                    state=welcome.state,
                    settings=None,
                    command=None,
                )
                for queue in self._updates:
                    queue.put_nowait(missed)
        self._ready.set()
        await self._tell()
        for pending in list(self._pending.values()):
            if not pending.answer.done():
                await socket.send(pending.data)

    async def _updated(self, socket: ClientConnection, update: messages.Update) -> None:
        if update.seq <= self.state.seq:
            return
        if update.seq > self.state.seq + 1:
            await socket.close()  # Something was missed; the next welcome has it.
            return
        self.state = update.state
        if update.settings is not None:
            self.settings = update.settings
        self.chat += [event for event in update.events if isinstance(event, told.Said)]
        for queue in self._updates:
            queue.put_nowait(update)
        await self._tell()

    def _failed(self, message: messages.Failed) -> None:
        pending = self._pending.get(message.to or "")
        if pending is not None and not pending.answer.done():
            pending.answer.set_exception(
                RefusedError(message.code, message.fields, message.message, verdict=message.verdict)
            )

    async def _tell(self) -> None:
        async with self._changed:
            self._changed.notify_all()

    async def _end(self, error: ClientError) -> None:
        if self._broken is None:
            self._broken = error
        self._socket = None
        for pending in self._pending.values():
            if not pending.answer.done():
                pending.answer.set_exception(self._broken)
        for queue in self._updates:
            queue.put_nowait(None)
        self._ready.set()
        await self._tell()


def drafted(melds: Iterable[Meld | values.Meld]) -> list[values.DraftMeld]:
    """Melds, of the game or of a message, as groups of a message."""
    kinds: dict[str, Any] = {"run": "run", "set": "set"}
    return [
        values.DraftMeld(kind=kinds[str(meld.kind)], tiles=[str(tile) for tile in meld.cells])
        if isinstance(meld, Meld)
        else values.DraftMeld(kind=meld.kind, tiles=meld.tiles)
        for meld in melds
    ]
