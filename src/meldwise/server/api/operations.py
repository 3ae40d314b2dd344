"""Whether the server is well, for those who run it."""

from __future__ import annotations

from typing import Any

from litestar import Response, get

from meldwise.game.codes import Code
from meldwise.protocol import http
from meldwise.server.api.context import Web, context_of
from meldwise.server.api.document import REFUSALS
from meldwise.server.errors import ServerError
from meldwise.server.store.errors import DATABASE_ERRORS, reason_of

__all__ = ["HANDLERS"]


@get("/healthz", responses=REFUSALS, summary="Whether the process lives", tags=["operations"])
async def health() -> http.Health:
    """Answers as long as the event loop turns."""
    return http.Health(status="ok")


@get("/readyz", responses=REFUSALS, summary="Whether requests are answered", tags=["operations"])
async def readiness(request: Web) -> http.Health:
    """Answers 503 while the server starts or stops, or cannot reach its database."""
    context = context_of(request)
    if context.stopping or not context.ready:
        raise ServerError(Code.SERVER_STOPPING)
    try:
        await context.store.ping()
    except DATABASE_ERRORS as error:
        raise ServerError(
            Code.SERVER_UNREACHABLE, what="the database", reason=reason_of(error)
        ) from None
    return http.Health(status="ok")


@get(
    "/metrics",
    responses=REFUSALS,
    summary="Metrics for Prometheus",
    tags=["operations"],
    include_in_schema=False,
)
async def metrics(request: Web) -> Response[bytes]:
    """The metrics in Prometheus' text format, unless they are switched off."""
    context = context_of(request)
    if not context.settings.metrics:
        raise ServerError(Code.REQUEST_UNKNOWN)
    return Response(context.metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")


HANDLERS: list[Any] = [health, readiness, metrics]
