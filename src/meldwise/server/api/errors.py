"""Errors as answers: a code, its fields, a sentence; and no trace of the program."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from litestar import Response
from litestar.exceptions import HTTPException, ValidationException
from sqlalchemy.exc import SQLAlchemyError

from meldwise import protocol
from meldwise.game.codes import Code
from meldwise.game.errors import GameError
from meldwise.i18n import explain_error
from meldwise.protocol import http
from meldwise.server.api.context import Web, language_of
from meldwise.server.errors import ServerError, plain_fields, status_of
from meldwise.server.languages import speaking
from meldwise.server.store.errors import reason_of

__all__ = ["EXCEPTION_HANDLERS", "refusal"]

logger = logging.getLogger(__name__)


def refusal(request: Web, error: GameError) -> Response[bytes]:
    """The answer for an error."""
    with speaking(language_of(request)):
        body = http.Refusal(
            code=str(error.code), fields=plain_fields(error.fields), message=explain_error(error)
        )
    headers = {}
    if error.code is Code.LIMIT_RATE:
        headers["Retry-After"] = str(error.fields.get("seconds", 1))
    if error.code is Code.ACCOUNT_NO_SESSION:
        headers["WWW-Authenticate"] = "Bearer"
    return Response(
        protocol.encode(body),
        status_code=status_of(error),
        media_type="application/json",
        headers=headers,
    )


def _game_error(request: Web, error: GameError) -> Response[bytes]:
    return refusal(request, error)


def _http_error(request: Web, error: HTTPException) -> Response[bytes]:
    """Litestar's own refusals, with our codes."""
    status = error.status_code
    found: GameError
    if status == 404:
        found = ServerError(Code.REQUEST_UNKNOWN)
    elif status == 405:
        found = ServerError(Code.REQUEST_METHOD, method=request.method)
        answer = refusal(request, found)
        allowed = (error.headers or {}).get("Allow")
        if allowed:
            answer.headers["Allow"] = allowed
        return answer
    elif status == 413:
        found = ServerError(
            Code.LIMIT_SIZE, most=request.route_handler.resolve_request_max_body_size()
        )
    elif status >= 500:
        return _any_error(request, error)
    else:
        found = ServerError(Code.REQUEST_MALFORMED, reason=_reason(error))
    return refusal(request, found)


def _reason(error: HTTPException) -> str:
    if isinstance(error, ValidationException) and isinstance(error.extra, list) and error.extra:
        first = error.extra[0]
        if isinstance(first, Mapping):
            return f"{first.get('message', '')} {first.get('key', '')}".strip()[:200]
    cause = error.__cause__
    if isinstance(cause, msgspec.MsgspecError):
        return str(cause)[:200]
    return "the request"


def _malformed(request: Web, error: msgspec.MsgspecError) -> Response[bytes]:
    return refusal(request, ServerError(Code.REQUEST_MALFORMED, reason=str(error)[:200]))


def _too_deep(request: Web, error: RecursionError) -> Response[bytes]:
    """What is nested a thousand times over cannot be read, whichever reader gave up."""
    logger.warning(
        "a request is nested too deeply", exc_info=error, extra={"path": request.scope["path"]}
    )
    return refusal(request, ServerError(Code.REQUEST_MALFORMED, reason="nested too deeply"))


def _database_error(request: Web, error: Exception) -> Response[bytes]:
    logger.error("the database does not answer", exc_info=error)
    found = ServerError(Code.SERVER_UNREACHABLE, what="the database", reason=reason_of(error))
    return refusal(request, found)


def _any_error(request: Web, error: Exception) -> Response[bytes]:
    logger.error("a request failed", exc_info=error, extra={"path": request.scope["path"]})
    context = request.app.state.get("context")
    if context is not None:
        context.metrics.errors.inc()
    return refusal(request, ServerError(Code.SERVER_ERROR))


EXCEPTION_HANDLERS: dict[int | type[Exception], Callable[[Any, Any], Response[Any]]] = {
    GameError: _game_error,
    HTTPException: _http_error,
    msgspec.MsgspecError: _malformed,
    RecursionError: _too_deep,
    SQLAlchemyError: _database_error,
    OSError: _database_error,
    Exception: _any_error,
}
"""What turns errors into answers, for the application."""
