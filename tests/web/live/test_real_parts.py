"""The table with real cameras and the real watcher; only the networks are stand-ins."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import pytest

from tests.vision.watching.made_scenes import MadeReader, Scene, row
from tests.web.live.fake_store import FakeStore
from tests.web.live.fakes import FakePhone
from vision.cameras import Feed
from vision.cameras.folder import PictureFolder
from vision.pipeline import TableReader
from web.live.live_table import LiveTable

if TYPE_CHECKING:
    from pathlib import Path

SOON_S = 30.0


def test_a_folder_of_pictures_becomes_a_judged_table(tmp_path: Path) -> None:
    scene = Scene(row(300, 200, "R3 R4 R5") | row(300, 340, "B7 K7 B7"))
    for number in range(4):
        cv2.imwrite(str(tmp_path / f"{number:03}.png"), scene.pixels(number))
    reader = MadeReader()
    reader.scene = scene
    feed = Feed(PictureFolder(tmp_path, fps=10, loop=True))
    live = LiveTable(TableReader(reader, reader), FakeStore(), [feed], open_phone=FakePhone)
    with live, live.subscribe() as changes:
        snapshot = live.snapshot()
        while len(snapshot["tiles"]) < 6:
            newer = changes.get(SOON_S)
            if newer is None:
                pytest.fail(f"nothing was read: {snapshot}")
            snapshot = newer
    assert [part["status"] for part in snapshot["parts"]] == ["valid", "invalid"]
    assert snapshot["cameras"][0]["name"] == feed.name
