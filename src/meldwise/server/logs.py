"""Structured logs: one line an event, as text or JSON, with fields and without secrets.

Messages are constant texts; what varies stands in fields. Nothing logs a message of a
client, an entry of a table's log, a header or an exception's parameters.
"""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Final, Literal

__all__ = ["set_up_logs"]

_USUAL: Final = frozenset(
    {*logging.makeLogRecord({}).__dict__, "message", "asctime", "color_message"}
)


class _Formatter(logging.Formatter):
    def __init__(self, style: Literal["text", "json"]) -> None:
        super().__init__()
        self._json = style == "json"

    def format(self, record: logging.LogRecord) -> str:
        moment = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        more = {name: value for name, value in record.__dict__.items() if name not in _USUAL}
        text = record.getMessage()
        if record.exc_info and record.exc_info[0] is not None:
            more["error"] = record.exc_info[0].__name__
            more["where"] = _where(record)
        if self._json:
            data = {"time": moment, "level": record.levelname.lower(), "logger": record.name}
            return json.dumps({**data, "message": text, **more}, default=str)
        fields = "".join(f" {name}={value!s}" for name, value in more.items())
        return f"{moment} {record.levelname.lower():7} {text}{fields}"


def _where(record: logging.LogRecord) -> str:
    """The places that an error came through, without what was in its variables."""
    assert record.exc_info
    trace = record.exc_info[2]
    places = []
    while trace is not None:
        code = trace.tb_frame.f_code
        places.append(f"{code.co_filename.rpartition('/')[2]}:{trace.tb_lineno} {code.co_name}")
        trace = trace.tb_next
    return " > ".join(places[-12:])


def set_up_logs(level: str, style: str) -> None:
    """Sends the server's logs to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Formatter("json" if style == "json" else "text"))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    for noisy in ("uvicorn.access", "aiosqlite", "asyncio", "alembic", "websockets", "httpx"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
    for name in ("uvicorn", "uvicorn.error"):
        logging.getLogger(name).handlers[:] = []
        logging.getLogger(name).propagate = True
