"""What handlers work with, and who asks."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from litestar.connection import ASGIConnection, Request, WebSocket

from meldwise.game.codes import Code
from meldwise.server.accounts import COOKIE, Accounts
from meldwise.server.config import Settings
from meldwise.server.errors import ServerError
from meldwise.server.languages import best_language
from meldwise.server.metrics import Metrics
from meldwise.server.security import Limits, check_origin
from meldwise.server.store.store import Store, StoredUser
from meldwise.server.tables.keeper import Keeper

__all__ = ["Context", "Socket", "Web", "context_of", "language_of", "signed_in"]

Web = Request[Any, Any, Any]
Socket = WebSocket[Any, Any, Any]
Connection = ASGIConnection[Any, Any, Any, Any]

_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


@dataclass(slots=True)
class Context:
    """The parts of a running server.

    Attributes:
        settings: its settings.
        store: the database.
        keeper: the tables.
        accounts: who somebody is.
        metrics: what is counted.
        requests: how many requests each address may make.
        guests: how many guests each address may make.
        connections: open streams by user.
        ready: whether requests are answered.
        stopping: whether the server is about to end.
    """

    settings: Settings
    store: Store
    keeper: Keeper
    accounts: Accounts
    metrics: Metrics
    requests: Limits
    guests: Limits
    connections: Counter[str] = field(default_factory=Counter)
    ready: bool = False
    stopping: bool = False


def context_of(connection: Connection) -> Context:
    """The parts of the server that answers.

    Raises:
        ServerError: while it starts or stops.
    """
    context: Context | None = connection.app.state.get("context")
    if context is None:
        raise ServerError(Code.SERVER_STOPPING)
    return context


def language_of(connection: Connection) -> str:
    """The language that a request asks for."""
    return best_language(connection.headers.get("accept-language", ""))


def client_of(connection: Connection) -> str:
    """The address of the client; a proxy's word for it where the proxy is trusted."""
    return connection.client.host if connection.client is not None else "unknown"


async def signed_in(connection: Connection, token: str | None = None) -> StoredUser:
    """The user who asks, by bearer token or cookie.

    Args:
        connection: the request or stream.
        token: a token that came by another way.

    Raises:
        ServerError: if nobody is signed in, or the request of a cookie's bearer comes from
            another site's page.
    """
    context = context_of(connection)
    header = connection.headers.get("authorization", "")
    kind, _, given = header.partition(" ")
    if kind.lower() == "bearer" and given.strip():
        return await context.accounts.by_token(given.strip())
    if token:
        return await context.accounts.by_token(token)
    cookie = connection.cookies.get(COOKIE)
    if not cookie:
        raise ServerError(Code.ACCOUNT_NO_SESSION)
    if connection.scope.get("method", "POST") not in _SAFE:
        check_origin(connection.headers, context.settings.public_url)
    return await context.accounts.by_cookie(cookie)
