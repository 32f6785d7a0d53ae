"""Matches that are never lost: an append-only record in SQLite or PostgreSQL."""

from web.store.errors import StaleMatchError, StoreError
from web.store.room import Room
from web.store.rows import LOOSE_WORDS
from web.store.store import MatchRow, Recorded, Store, open_store, said_key

__all__ = [
    "LOOSE_WORDS",
    "MatchRow",
    "Recorded",
    "Room",
    "StaleMatchError",
    "Store",
    "StoreError",
    "open_store",
    "said_key",
]
