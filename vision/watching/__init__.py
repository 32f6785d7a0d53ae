"""Watching a table: when it lies still, what lies on it, and what to ask a person about."""

from vision.watching.memory import WatchError
from vision.watching.settings import WatchSettings
from vision.watching.sights import Phase, SeenTile, SettledTable, Sight
from vision.watching.watcher import Watcher

__all__ = [
    "Phase",
    "SeenTile",
    "SettledTable",
    "Sight",
    "WatchError",
    "WatchSettings",
    "Watcher",
]
