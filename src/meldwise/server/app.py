"""The application: its parts put together, started, and ended in order."""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from litestar import Litestar, Router
from litestar.datastructures import State
from litestar.openapi import OpenAPIConfig
from litestar.openapi.spec import Components, SecurityScheme
from sqlalchemy.engine import URL

from meldwise import __version__
from meldwise.game.codes import Code
from meldwise.server.accounts import COOKIE, Accounts
from meldwise.server.api import games, operations, pages, records, session, stream, tables
from meldwise.server.api.context import Context, Web, client_of, context_of
from meldwise.server.api.document import ExactDocument
from meldwise.server.api.errors import EXCEPTION_HANDLERS
from meldwise.server.config import Settings
from meldwise.server.errors import ServerError
from meldwise.server.hub import Hub, LocalHub
from meldwise.server.metrics import Metrics
from meldwise.server.security import Limits
from meldwise.server.store import Store, database_url, is_sqlite, open_engine, prepare
from meldwise.server.store.errors import DATABASE_ERRORS, reason_of
from meldwise.server.store.lock import FileLock
from meldwise.server.tables.keeper import Keeper

__all__ = ["create_app", "running"]

logger = logging.getLogger(__name__)

_UNLIMITED = frozenset({"/healthz", "/readyz"})


def _clock() -> int:
    return time.time_ns() // 1_000_000


@asynccontextmanager
async def running(settings: Settings, clock: Callable[[], int] = _clock) -> AsyncIterator[Context]:
    """The parts of a server, started; ended in order when the block ends.

    Args:
        settings: the settings.
        clock: gives the time, in milliseconds since 1970.

    Raises:
        ServerError: if the database cannot be reached, has another schema, or is a file that
            another process uses.
    """
    url = database_url(settings.database)
    process = secrets.token_hex(8)
    lock = FileLock(url.database) if is_sqlite(url) else None
    engine = open_engine(url)
    try:
        if lock is not None:
            lock.take()
        try:
            await prepare(engine)
        except DATABASE_ERRORS as error:
            reason = reason_of(error)
            raise ServerError(
                Code.SERVER_UNREACHABLE, what="the database", reason=reason
            ) from error
        hub = _hub(url, process)
        store = Store(engine, process, hub.notify if hub.shared else None)
        store.writer.start()
        metrics = Metrics()
        keeper = Keeper(settings, store, hub, metrics, clock)
        key = bytes.fromhex(await store.secret("cookies"))
        context = Context(
            settings=settings,
            store=store,
            keeper=keeper,
            accounts=Accounts(store, key),
            metrics=metrics,
            requests=Limits(settings.requests_a_second, settings.requests_at_once),
            guests=Limits(settings.guests_an_hour / 3600, settings.guests_an_hour),
        )
        await keeper.start()
        context.ready = True
        logger.info("started", extra={"server": process, "database": engine.dialect.name})
        try:
            yield context
        finally:
            context.stopping = True
            await keeper.stop()
            await store.close()
            logger.info("stopped", extra={"server": process})
    finally:
        await engine.dispose()
        if lock is not None:
            lock.release()


async def _limit(request: Web) -> None:
    """Lets each address make so many requests, and no more."""
    if request.scope["path"] not in _UNLIMITED:
        context_of(request).requests.check(client_of(request))


def _hub(url: URL, process: str) -> Hub:
    if is_sqlite(url):
        return LocalHub()
    from meldwise.server.hub.postgres import PostgresHub

    return PostgresHub(url, process)


def create_app(context: Context) -> Litestar:
    """The application of a running server.

    Args:
        context: the parts of the server; see :func:`running`.
    """
    settings = context.settings
    small = Router(
        path="/api/v1",
        route_handlers=[
            *session.HANDLERS,
            *games.HANDLERS,
            *tables.HANDLERS,
            *stream.HANDLERS,
        ],
        request_max_body_size=settings.largest_body,
    )
    large = Router(
        path="/api/v1",
        route_handlers=records.HANDLERS,
        request_max_body_size=settings.largest_record,
    )
    return Litestar(
        route_handlers=[small, large, *operations.HANDLERS, *pages.HANDLERS],
        state=State({"context": context}),
        exception_handlers=EXCEPTION_HANDLERS,
        before_request=_limit,
        logging_config=None,
        request_max_body_size=settings.largest_body,
        openapi_config=OpenAPIConfig(
            title="Meldwise",
            version=__version__,
            description="Tile rummy over a network; docs/protocol.md explains it.",
            path="/api/v1/openapi.json",
            render_plugins=[ExactDocument()],
            components=Components(
                security_schemes={
                    "bearer": SecurityScheme(type="http", scheme="bearer"),
                    "cookie": SecurityScheme(
                        type="apiKey", security_scheme_in="cookie", name=COOKIE
                    ),
                }
            ),
            security=[{"bearer": []}, {"cookie": []}],
        ),
        debug=False,
    )
