"""The HTTP side: signing in, the lobby, tables, records."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from types import TracebackType
from typing import Any, TypeVar

import httpx
import msgspec

from meldwise import protocol
from meldwise.client.errors import ConnectionLostError, RefusedError
from meldwise.client.table import TableStream
from meldwise.protocol import http, messages
from meldwise.protocol.commands import Command, TableChanges

__all__ = ["Client"]

_T = TypeVar("_T")
_NO_CHANGES = TableChanges()


class Client:
    """One user at one server. Use as an asynchronous context manager.

    Args:
        url: the address of the server, such as ``http://127.0.0.1:8765``.
        token: the bearer token of an earlier sign-in.
        language: the language for sentences, until somebody is signed in.
        timeout: how long an answer may take, in seconds.

    Attributes:
        token: the bearer token; None before signing in.
        user: the user; None before signing in.
    """

    def __init__(
        self, url: str, token: str | None = None, language: str = "en", timeout: float = 20.0
    ) -> None:
        self.url = url.rstrip("/")
        self.token = token
        self.user: http.User | None = None
        self._language = language
        # The token goes along by itself; the cookie is for browsers.
        self._http = httpx.AsyncClient(
            base_url=f"{self.url}/api/v1",
            timeout=timeout,
            headers={"Accept-Language": language},
            limits=httpx.Limits(max_connections=4),
        )

    async def __aenter__(self) -> Client:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._http.aclose()

    async def sign_in(self, name: str) -> http.User:
        """Becomes a guest of that name."""
        wanted = http.SignIn(name=name, language=self._language)
        signed = await self._ask("POST", "/session", http.SignedIn, wanted)
        self.token, self.user = signed.token, signed.user
        return signed.user

    async def sign_out(self) -> None:
        """Makes the token invalid."""
        await self._send("DELETE", "/session")
        self.token = self.user = None

    async def me(self) -> http.User:
        """Who is signed in."""
        self.user = await self._ask("GET", "/me", http.User)
        return self.user

    async def rename(self, name: str) -> http.User:
        """Changes the user's name."""
        self.user = await self._ask("PATCH", "/me", http.User, http.UserChanges(name=name))
        return self.user

    async def server(self) -> http.ServerPage:
        """What server it is."""
        return await self._ask("GET", "/server", http.ServerPage)

    async def games(self) -> http.GamesPage:
        """The games, rules and computer players."""
        return await self._ask("GET", "/games", http.GamesPage)

    async def rules(self, game: str, **changes: str | int | bool | None) -> http.RulesPage:
        """The rules of a game with some changes, checked and in words."""
        wanted = http.DescribeRules(game=game, rules=changes)
        return await self._ask("POST", "/rules", http.RulesPage, wanted)

    async def lobby(self) -> http.LobbyPage:
        """The public tables, and the user's own."""
        return await self._ask("GET", "/tables", http.LobbyPage)

    async def create_table(
        self,
        seats: Sequence[http.NewSeat],
        settings: TableChanges = _NO_CHANGES,
        *,
        start: bool = False,
        id: str | None = None,
    ) -> http.TablePage:
        """Creates a table.

        Args:
            seats: who sits where, clockwise.
            settings: what differs from the defaults.
            start: whether to start at once.
            id: an idempotency key; a new one if left out.
        """
        wanted = http.CreateTable(
            id=id or secrets.token_hex(8), seats=list(seats), settings=settings, start=start
        )
        return await self._ask("POST", "/tables", http.TablePage, wanted)

    async def table_page(self, table: str) -> http.TablePage:
        """A table by its id."""
        return await self._ask("GET", f"/tables/{table}", http.TablePage)

    async def by_code(self, code: str) -> http.TablePage:
        """A table by its invite code."""
        return await self._ask("GET", f"/codes/{code}", http.TablePage)

    async def state(self, table: str) -> messages.Welcome:
        """All that the user may know of a table, without a stream."""
        return await self._ask("GET", f"/tables/{table}/state", messages.Welcome)

    async def command(
        self, table: str, command: Command
    ) -> messages.Reply | messages.Verdicted | messages.Hinted:
        """Commands a table without a stream.

        Raises:
            RefusedError: if the server refuses it.
        """
        content = await self._send("POST", f"/tables/{table}/commands", command)
        answer = protocol.decode_answer(content)
        assert not isinstance(answer, messages.Failed)
        return answer

    async def record(self, table: str) -> str:
        """The record of a finished match, as text."""
        return (await self._send("GET", f"/tables/{table}/record")).decode()

    async def shuffle(self, table: str) -> http.ShufflePage:
        """The check of a match's shuffles."""
        return await self._ask("GET", f"/tables/{table}/shuffle", http.ShufflePage)

    async def replay(self, table: str) -> http.ReplayPage:
        """A finished match step by step."""
        return await self._ask("GET", f"/tables/{table}/replay", http.ReplayPage)

    async def replay_text(self, text: str) -> http.ReplayPage:
        """Any record step by step."""
        return await self._ask("POST", "/replays", http.ReplayPage, http.RecordText(text=text))

    def table(self, table: str) -> TableStream:
        """The stream of a table; enter it with ``async with``."""
        return TableStream(self.url, table, self.token)

    async def _ask(self, method: str, path: str, kind: type[_T], body: object = None) -> _T:
        content = await self._send(method, path, body)
        try:
            return msgspec.json.decode(content, type=kind)
        except msgspec.MsgspecError as error:
            raise ConnectionLostError(f"the answer cannot be read: {error}") from error

    async def _send(self, method: str, path: str, body: object = None) -> bytes:
        headers = {} if self.token is None else {"Authorization": f"Bearer {self.token}"}
        content: Any = None
        if body is not None:
            content = protocol.encode(body)
            headers["Content-Type"] = "application/json"
        try:
            answer = await self._http.request(method, path, content=content, headers=headers)
        except httpx.HTTPError as error:
            raise ConnectionLostError(f"{type(error).__name__}: {self.url}") from error
        finally:
            self._http.cookies.clear()
        if answer.is_success:
            return answer.content
        try:
            refusal = msgspec.json.decode(answer.content, type=http.Refusal)
        except msgspec.MsgspecError:
            raise ConnectionLostError(f"the server answers {answer.status_code}") from None
        raise RefusedError(refusal.code, refusal.fields, refusal.message, answer.status_code)
