"""A live table with fakes all round, and a real store."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.web.live.rooms import Room
from web.store import open_store

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from web.store import Store


@pytest.fixture
def room() -> Room:
    return Room()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(f"sqlite:///{tmp_path / 'matches.db'}") as kept:
        yield kept
