"""Errors of the server: codes like those of the rules, each with an HTTP status."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from meldwise.game.codes import Code
from meldwise.game.errors import ActionError, GameError
from meldwise.game.melds import Meld
from meldwise.game.tiles import Tile

__all__ = ["ServerError", "plain_fields", "status_of"]


class ServerError(GameError):
    """Something that the server refuses or cannot do."""


_STATUS: Final[Mapping[Code, int]] = {
    Code.ACCOUNT_NO_SESSION: 401,
    Code.REQUEST_ORIGIN: 403,
    Code.TABLE_KICKED: 403,
    Code.TABLE_NOT_HOST: 403,
    Code.TABLE_NOT_YOUR_SEAT: 403,
    Code.TABLE_NO_SEAT: 403,
    Code.TABLE_NO_SPECTATORS: 403,
    Code.TABLE_RECORD_SECRET: 403,
    Code.TABLE_UNKNOWN: 404,
    Code.REQUEST_UNKNOWN: 404,
    Code.REQUEST_METHOD: 405,
    Code.LIMIT_SIZE: 413,
    Code.LIMIT_RATE: 429,
    Code.LIMIT_TABLES: 429,
    Code.LIMIT_CONNECTIONS: 429,
    Code.SERVER_ERROR: 500,
    Code.SERVER_STOPPING: 503,
    Code.SERVER_UNREACHABLE: 503,
    Code.ACCOUNT_BAD_NAME: 400,
    Code.REQUEST_MALFORMED: 400,
    Code.REQUEST_VERSION: 400,
    Code.TABLE_NOTHING_SAID: 400,
}


def status_of(error: GameError) -> int:
    """The HTTP status of an error: 400 for what can never work, 409 for what cannot now."""
    if error.code in _STATUS:
        return _STATUS[error.code]
    now = isinstance(error, ActionError) or str(error.code).split(".")[0] in ("table", "command")
    return 409 if now else 400


def plain_fields(fields: Mapping[str, object]) -> dict[str, Any]:
    """The fields of an error as plain data for JSON."""
    return {name: _plain(value) for name, value in fields.items()}


def _plain(value: object) -> object:
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, Meld | Tile):
        return str(value)
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(item) for item in list(value)[:100]]
    return str(value)[:300]
