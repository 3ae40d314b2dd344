"""The tables of the database. A change here needs a migration in ``migrations/versions``."""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

__all__ = [
    "HEAD",
    "drafts",
    "events",
    "members",
    "metadata",
    "presence",
    "processes",
    "records",
    "secrets",
    "tables",
    "users",
]

HEAD: Final = "0001"
"""The migration that makes the schema what it is here."""

metadata = MetaData()

users = Table(
    "users",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("name", String(80), nullable=False),
    Column("language", String(35), nullable=False),
    # The SHA-256 of the bearer token's secret part; empty when signed out.
    Column("token_hash", String(64), nullable=False),
    # Room for accounts: a guest has none.
    Column("account", String(254), unique=True),
    Column("created", BigInteger, nullable=False),
    Column("seen", BigInteger, nullable=False),
)

tables = Table(
    "tables",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("code", String(16), nullable=False, unique=True),
    Column("host", String(32), ForeignKey("users.id"), nullable=False),
    Column("create_key", String(160), nullable=False),
    Column("status", String(16), nullable=False),
    Column("private", Boolean, nullable=False),
    Column("summary", Text, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("changed", BigInteger, nullable=False),
    # When the table next does something by itself; NULL while it waits for somebody.
    Column("due", BigInteger),
    UniqueConstraint("host", "create_key", name="tables_create_key"),
    Index("tables_due", "due"),
    Index("tables_listed", "private", "status", "changed"),
)

events = Table(
    "events",
    metadata,
    Column("table_id", String(32), ForeignKey("tables.id"), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    Column("user_id", String(32)),
    # The idempotency key of the command, on the first entry that it made.
    Column("key", String(64)),
    Column("data", Text, nullable=False),
    UniqueConstraint("table_id", "user_id", "key", name="events_key"),
)

members = Table(
    "members",
    metadata,
    Column("table_id", String(32), ForeignKey("tables.id"), primary_key=True),
    Column("user_id", String(32), ForeignKey("users.id"), primary_key=True),
    Index("members_user", "user_id"),
)

drafts = Table(
    "drafts",
    metadata,
    Column("table_id", String(32), ForeignKey("tables.id"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("data", Text, nullable=False),
)

presence = Table(
    "presence",
    metadata,
    Column("table_id", String(32), primary_key=True),
    Column("user_id", String(32), primary_key=True),
    Column("process", String(32), primary_key=True),
    Index("presence_process", "process"),
)

processes = Table(
    "processes",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("beat", BigInteger, nullable=False),
)

records = Table(
    "records",
    metadata,
    Column("table_id", String(32), ForeignKey("tables.id"), primary_key=True),
    Column("text", Text, nullable=False),
    Column("finished", BigInteger, nullable=False),
)

secrets = Table(
    "secrets",
    metadata,
    Column("name", String(32), primary_key=True),
    Column("value", String(128), nullable=False),
)
