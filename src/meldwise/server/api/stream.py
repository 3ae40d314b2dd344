"""The stream of a table: a WebSocket, from hello to bye."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import re
import time
from typing import Any, Final

import msgspec
from litestar import websocket
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath

from meldwise import protocol
from meldwise.game.codes import Code
from meldwise.game.errors import GameError
from meldwise.protocol import commands as ask
from meldwise.protocol import messages
from meldwise.server.accounts import Accounts
from meldwise.server.api.context import Context, Socket, context_of, signed_in
from meldwise.server.errors import ServerError
from meldwise.server.languages import speaking
from meldwise.server.security import Bucket, check_origin
from meldwise.server.store.errors import DATABASE_ERRORS, reason_of
from meldwise.server.tables.actor import TableActor
from meldwise.server.tables.client import TableClient
from meldwise.server.tables.views import failed

__all__ = ["HANDLERS"]

logger = logging.getLogger(__name__)

HELLO_SECONDS: Final = 10
_MOST_MALFORMED: Final = 20
_MOST_REFUSED: Final = 200
_ID: Final = re.compile(r'"id"\s*:\s*"([A-Za-z0-9_-]{1,64})"')

_CLOSE_CODES: Final = {
    Code.ACCOUNT_NO_SESSION: protocol.CLOSE_NO_SESSION,
    Code.TABLE_UNKNOWN: protocol.CLOSE_NO_TABLE,
    Code.TABLE_KICKED: protocol.CLOSE_REFUSED,
    Code.TABLE_NO_SPECTATORS: protocol.CLOSE_REFUSED,
    Code.REQUEST_ORIGIN: protocol.CLOSE_REFUSED,
    Code.REQUEST_VERSION: protocol.CLOSE_VERSION,
    Code.REQUEST_MALFORMED: protocol.CLOSE_MALFORMED,
    Code.LIMIT_CONNECTIONS: protocol.CLOSE_FULL,
    Code.LIMIT_RATE: protocol.CLOSE_FULL,
    Code.SERVER_STOPPING: 1001,
}


class _Ended(Exception):  # noqa: N818 - it is no error
    """The client has closed the connection."""


@websocket("/tables/{table:str}/ws")
async def stream(socket: Socket, table: FromPath[str]) -> None:
    """Lets a client take part in a table, or watch it."""
    wanted = socket.scope.get("subprotocols", [])
    chosen = protocol.SUBPROTOCOL if protocol.SUBPROTOCOL in wanted else None
    try:
        context = context_of(socket)
        await socket.accept(subprotocols=chosen)
    except ServerError:
        await socket.close(1013)
        return
    try:
        await _Stream(socket, context).run(table)
    except (_Ended, WebSocketDisconnect):
        return
    except GameError as error:
        await _close(socket, error.code)
    except TimeoutError:
        await _close(socket, Code.REQUEST_MALFORMED, protocol.CLOSE_SLOW)
    except DATABASE_ERRORS:
        await _close(socket, Code.SERVER_UNREACHABLE, 1013)
    except Exception:
        logger.exception("a stream failed")
        context.metrics.errors.inc()
        await _close(socket, Code.SERVER_ERROR, 1011)


async def _close(socket: Socket, code: Code, number: int | None = None) -> None:
    """Says bye and closes; the client may be gone already."""
    close = number if number is not None else _CLOSE_CODES.get(code, 1011)
    temporary = close in (1001, 1011, 1013, protocol.CLOSE_FULL, protocol.CLOSE_SLOW)
    bye = messages.Bye(code=str(code), again=1_000 if temporary else None)
    try:
        await socket.send_data(protocol.encode(bye).decode())
        await socket.close(close)
    except (WebSocketDisconnect, RuntimeError, OSError):
        return


class _Stream:
    """One connection."""

    def __init__(self, socket: Socket, context: Context) -> None:
        self.socket = socket
        self.context = context
        settings = context.settings
        self.bucket = Bucket(settings.messages_a_second, settings.messages_at_once)
        self.malformed = 0
        self.refused = 0
        self.asides: set[asyncio.Task[None]] = set()

    async def run(self, table: FromPath[str]) -> None:
        context = self.context
        if "authorization" not in self.socket.headers:
            check_origin(self.socket.headers, context.settings.public_url)
        hello = await asyncio.wait_for(self._hello(), HELLO_SECONDS)
        user = Accounts.at_tables(await signed_in(self.socket, hello.token))
        most = context.settings.most_connections
        if context.connections[user.id] >= most:
            raise ServerError(Code.LIMIT_CONNECTIONS, most=most)
        if context.stopping:
            raise ServerError(Code.SERVER_STOPPING)
        context.connections[user.id] += 1
        context.metrics.connections.inc()
        client = TableClient(user)
        actor = await self._enter(table, client, hello.seen)
        try:
            if actor is not None:
                await self._serve(actor, client)
        finally:
            context.metrics.connections.dec()
            context.connections[user.id] -= 1
            if not context.connections[user.id]:
                del context.connections[user.id]
            if actor is not None:
                actor.presence.gone(client)

    async def _enter(self, table: str, client: TableClient, seen: int | None) -> TableActor | None:
        actor: TableActor | None = None
        try:
            if not re.fullmatch(r"[a-z0-9]{1,32}", table):
                raise ServerError(Code.TABLE_UNKNOWN)
            actor = await self.context.keeper.table(table)
            await actor.welcome(client, seen)
        except (GameError, *DATABASE_ERRORS) as error:
            if actor is not None:
                actor.presence.gone(client)
            code = error.code if isinstance(error, GameError) else Code.SERVER_UNREACHABLE
            await _close(self.socket, code)
            return None
        return actor

    async def _hello(self) -> messages.Hello:
        text = await self._receive()
        try:
            hello = protocol.decode_client(text)
        except msgspec.MsgspecError as error:
            raise ServerError(Code.REQUEST_MALFORMED, reason=str(error)) from None
        if not isinstance(hello, messages.Hello):
            raise ServerError(Code.REQUEST_MALFORMED, reason="no hello")
        if hello.version != protocol.VERSION:
            raise ServerError(Code.REQUEST_VERSION, have=hello.version, need=protocol.VERSION)
        return hello

    async def _receive(self) -> str:
        message: Any = await self.socket.receive()
        if message["type"] != "websocket.receive":
            raise _Ended
        text = message.get("text")
        if text is not None:
            return str(text)
        return bytes(message.get("bytes") or b"").decode("utf-8", "replace")

    async def _serve(self, actor: TableActor, client: TableClient) -> None:
        reading = asyncio.create_task(self._read(actor, client))
        writing = asyncio.create_task(self._write(client))
        stalled = asyncio.create_task(client.slow.wait())
        tasks = (reading, writing, stalled)
        try:
            done, _ = await asyncio.wait(set(tasks), return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            for each in (*tasks, *self.asides):
                each.cancel()
            await asyncio.gather(*tasks, *self.asides, return_exceptions=True)
        if client.slow.is_set():
            # It takes nothing, so perhaps not even this.
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(1):
                    await _close(self.socket, Code.LIMIT_RATE, protocol.CLOSE_SLOW)

    async def _write(self, client: TableClient) -> None:
        while (message := await client.next()) is not None:
            await self.socket.send(
                {"type": "websocket.send", "text": message.decode(), "bytes": None}
            )
        await _close(self.socket, Code.SERVER_STOPPING)

    async def _read(self, actor: TableActor, client: TableClient) -> None:
        while True:
            text = await self._receive()
            self.context.metrics.messages.inc()
            if wait := self.bucket.take():
                self.refused += 1
                self._refuse(client, text, ServerError(Code.LIMIT_RATE, seconds=math.ceil(wait)))
                if self.refused > _MOST_REFUSED:
                    raise ServerError(Code.LIMIT_RATE, seconds=math.ceil(wait))
                continue
            try:
                message = protocol.decode_client(text)
            except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
                self.malformed += 1
                if self.malformed > _MOST_MALFORMED:
                    raise ServerError(Code.REQUEST_MALFORMED, reason="too often") from None
                reason = str(error)[:200]
                self._refuse(client, text, ServerError(Code.REQUEST_MALFORMED, reason=reason))
                continue
            match message:
                case messages.Ping():
                    pong = messages.Pong(echo=message.echo, now=self.context.keeper.now())
                    client.send(protocol.encode(pong))
                case messages.Hello():
                    self._refuse(client, text, ServerError(Code.REQUEST_MALFORMED, reason="hello"))
                case ask.Hint():
                    # A hint takes a while; nothing else is to wait for it.
                    task = asyncio.create_task(self._command(actor, client, message))
                    self.asides.add(task)
                    task.add_done_callback(self.asides.discard)
                case _:
                    await self._command(actor, client, message)

    def _refuse(self, client: TableClient, text: str, error: GameError) -> None:
        found = _ID.search(text[:2_000])
        with speaking(client.user.language):
            client.send(protocol.encode(failed(error, found[1] if found else None)))

    async def _command(self, actor: TableActor, client: TableClient, command: ask.Command) -> None:
        began = time.perf_counter()
        answer: messages.ServerMessage
        try:
            answer = await actor.command(client.user, command, client)
        except GameError as error:
            self.context.metrics.refusals.labels(str(error.code)).inc()
            with speaking(client.user.language):
                answer = failed(error, command.id, actor.state.rules.opening_minimum)
        except DATABASE_ERRORS as error:
            found = ServerError(
                Code.SERVER_UNREACHABLE, what="the database", reason=reason_of(error)
            )
            answer = failed(found, command.id)
        except Exception:
            logger.exception("a command failed", extra={"command": type(command).__name__})
            self.context.metrics.errors.inc()
            answer = failed(ServerError(Code.SERVER_ERROR), command.id)
        self.context.metrics.command_seconds.observe(time.perf_counter() - began)
        client.send(protocol.encode(answer))


HANDLERS: list[Any] = [stream]
