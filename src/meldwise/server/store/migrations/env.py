"""What Alembic runs: the migrations on the connection that it is handed."""

from __future__ import annotations

from alembic import context

from meldwise.server.store.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
    transaction_per_migration=False,
)
with context.begin_transaction():
    context.run_migrations()
