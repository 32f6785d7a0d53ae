"""Alembic runs this; the connection is handed over by `web.store.schema`."""

from __future__ import annotations

from alembic import context

from web.store.tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
