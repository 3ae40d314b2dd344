"""What server and clients say to each other: HTTP bodies and the messages of a table.

One version, :data:`VERSION`, names all of it. Fields are added without a new version;
clients ignore what they do not know. ``docs/protocol.md`` explains how it is used, and
``web/src/net/protocol.ts`` is written from these definitions.
"""

from __future__ import annotations

from typing import Final, TypeAlias

import msgspec

from meldwise.protocol import commands, events, http, messages, values
from meldwise.protocol.commands import Command
from meldwise.protocol.messages import (
    ClientMessage,
    Failed,
    Hinted,
    Reply,
    ServerMessage,
    Verdicted,
)

__all__ = [
    "CLOSE_FULL",
    "CLOSE_MALFORMED",
    "CLOSE_NO_SESSION",
    "CLOSE_NO_TABLE",
    "CLOSE_REFUSED",
    "CLOSE_SLOW",
    "CLOSE_VERSION",
    "SUBPROTOCOL",
    "VERSION",
    "ClientMessage",
    "Command",
    "ServerMessage",
    "commands",
    "decode_answer",
    "decode_client",
    "decode_command",
    "decode_server",
    "encode",
    "events",
    "http",
    "messages",
    "values",
]

VERSION: Final = 1
"""The version of the protocol, sent in :class:`~meldwise.protocol.messages.Hello`."""

SUBPROTOCOL: Final = "meldwise.1"
"""The WebSocket subprotocol; a client may name it and need not."""

CLOSE_MALFORMED: Final = 4400
"""The connection was closed after too many messages that could not be read."""

CLOSE_NO_SESSION: Final = 4401
"""Nobody is signed in."""

CLOSE_REFUSED: Final = 4403
"""The table does not admit spectators, or the request came from another site's page."""

CLOSE_NO_TABLE: Final = 4404
"""There is no such table."""

CLOSE_SLOW: Final = 4408
"""The client said no hello in time, or did not take its messages."""

CLOSE_VERSION: Final = 4426
"""The server does not speak this version of the protocol."""

CLOSE_FULL: Final = 4429
"""Too many connections, or too many messages."""

_encoder: Final = msgspec.json.Encoder()
_client: Final = msgspec.json.Decoder(ClientMessage)
_command: Final = msgspec.json.Decoder(Command)
_server: Final = msgspec.json.Decoder(ServerMessage)
_Answer: TypeAlias = Reply | Verdicted | Hinted | Failed
_answer: Final[msgspec.json.Decoder[_Answer]] = msgspec.json.Decoder(_Answer)


def encode(message: object) -> bytes:
    """A message as JSON."""
    return _encoder.encode(message)


def decode_client(data: bytes | str) -> ClientMessage:
    """Reads what a client sent.

    Raises:
        msgspec.MsgspecError: if it is no message.
    """
    return _client.decode(data)


def decode_command(data: bytes | str) -> Command:
    """Reads a command sent over HTTP.

    Raises:
        msgspec.MsgspecError: if it is no command.
    """
    return _command.decode(data)


def decode_server(data: bytes | str) -> ServerMessage:
    """Reads what the server sent; fields and types that are not known are left out.

    Raises:
        msgspec.MsgspecError: if it is no message.
    """
    return _server.decode(data)


def decode_answer(data: bytes | str) -> _Answer:
    """Reads the answer to a command sent over HTTP.

    Raises:
        msgspec.MsgspecError: if it is no answer.
    """
    return _answer.decode(data)
