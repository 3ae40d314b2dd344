"""What is kept: users, tables and their logs, in SQLite or PostgreSQL."""

from meldwise.server.store.database import database_url, is_sqlite, open_engine, prepare, upgrade
from meldwise.server.store.store import Beat, Store, StoredUser
from meldwise.server.store.writer import Append, ClashError, DraftPut

__all__ = [
    "Append",
    "Beat",
    "ClashError",
    "DraftPut",
    "Store",
    "StoredUser",
    "database_url",
    "is_sqlite",
    "open_engine",
    "prepare",
    "upgrade",
]
