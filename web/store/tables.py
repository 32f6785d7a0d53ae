"""The tables; `migrations/versions` make them."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    Column,
    DateTime,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
)

metadata = MetaData()

matches = Table(
    "matches",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("title", Text, nullable=False),
    Column("began", DateTime(timezone=True), nullable=False),
)

pictures = Table(
    "pictures",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("match_id", Integer, ForeignKey("matches.id"), nullable=False, index=True),
    Column("jpeg", LargeBinary, nullable=False),
    Column("size_bytes", Integer, nullable=False),
    # SQLite keeps the size behind the picture, so it would have to read that, too.
    Index("ix_pictures_sizes", "id", "size_bytes"),
)

# Nothing here is ever changed or deleted; a picture may go, so nothing refers to it by force.
records = Table(
    "records",
    metadata,
    Column("match_id", Integer, ForeignKey("matches.id"), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("at", DateTime(timezone=True), nullable=False),
    Column("kind", String(16), nullable=False),
    Column("of_seq", Integer),
    Column("event", JSON),
    Column("picture_id", Integer),
)

settings = Table(
    "settings",
    metadata,
    Column("key", String(200), primary_key=True),
    Column("value", Text, nullable=False),
)
