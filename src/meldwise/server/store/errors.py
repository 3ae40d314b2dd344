"""What a database that cannot be reached looks like, whichever it is."""

from __future__ import annotations

from typing import Final

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

__all__ = ["DATABASE_ERRORS", "reason_of"]

DATABASE_ERRORS: Final = (SQLAlchemyError, OSError)
"""What reading and writing may raise while the database is away: drivers and sockets."""


def reason_of(error: BaseException) -> str:
    """What kind of error it is, without anything that was in a query."""
    origin = error.orig if isinstance(error, DBAPIError) else error
    return type(origin).__name__
