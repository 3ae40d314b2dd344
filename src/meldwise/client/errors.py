"""What can go wrong between a client and a server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from meldwise.protocol.values import Verdict

__all__ = ["ClientError", "ConnectionLostError", "RefusedError"]


class ClientError(Exception):
    """The base of the errors of this package."""


class RefusedError(ClientError):
    """The server refused something.

    Attributes:
        code: what is wrong, of ``docs/errors.md``; a later server may have more codes.
        fields: the particulars, by name.
        message: a sentence in the user's language.
        status: the HTTP status; 0 on a stream.
        verdict: why a proposed table is illegal, where that is the reason.
    """

    def __init__(
        self,
        code: str,
        fields: Mapping[str, Any],
        message: str,
        status: int = 0,
        verdict: Verdict | None = None,
    ) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.fields = fields
        self.message = message
        self.status = status
        self.verdict = verdict


class ConnectionLostError(ClientError):
    """The server cannot be reached, or has closed the stream for good.

    Attributes:
        code: the close code of the stream; None if there was no connection.
    """

    def __init__(self, message: str, code: int | None = None) -> None:
        super().__init__(message)
        self.code = code
