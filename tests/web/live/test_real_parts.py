"""The table with real cameras and the real watcher; only the networks are stand-ins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import cv2
import pytest

from tests.vision.watching.made_scenes import MadeReader, Scene, row
from tests.vision.watching.test_refound import misread
from tests.vision.watching.two_views import across
from tests.web.live.fake_store import FakeStore
from tests.web.live.fakes import FakePhone
from vision.cameras import Feed, Frame
from vision.cameras.folder import PictureFolder
from vision.pipeline import TableReader
from web.live.live_table import LiveTable

if TYPE_CHECKING:
    from pathlib import Path

    from vision.types import Detections, Pixels, Readings

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


class TwoSidedReader:
    """Knows what is drawn in the pictures of two cameras; a corner tells whose it is."""

    def __init__(self, near: Scene, far: Scene) -> None:
        self.network_ms = 0.0
        self._sides = {200: MadeReader(), 30: MadeReader()}
        self._sides[200].scene, self._sides[30].scene = near, far

    def _side(self, pixels: Pixels) -> MadeReader:
        return self._sides[200 if pixels[0, 0, 0] > 100 else 30]

    def detect(self, pixels: Pixels) -> Detections:
        return self._side(pixels).detect(pixels)

    def read(self, pixels: Pixels, detections: Detections) -> Readings:
        return self._side(pixels).read(pixels, detections)


def test_two_folders_of_pictures_become_one_table(tmp_path: Path) -> None:
    tiles = row(250, 120, "R3 R4 R5 R6") | row(520, 120, "B7 K7 O7")
    hidden = {place: face for place, face in tiles.items() if face != "R5"}
    near, far = Scene(hidden), across(Scene(tiles))
    for name, scene, mark in (("near", near, 200), ("far", far, 30)):
        (tmp_path / name).mkdir()
        for number in range(4):
            pixels = scene.pixels(number)
            pixels[0, 0] = mark
            cv2.imwrite(str(tmp_path / name / f"{number:03}.png"), pixels)
    reader = TwoSidedReader(near, far)
    feeds = [Feed(PictureFolder(tmp_path / name, fps=10, loop=True)) for name in ("near", "far")]
    live = LiveTable(TableReader(reader, reader), FakeStore(), feeds, open_phone=FakePhone)
    with live, live.subscribe() as changes:
        snapshot = live.snapshot()
        while sum(camera["counts"] for camera in snapshot["cameras"]) < 2:
            newer = changes.get(SOON_S)
            if newer is None:
                pytest.fail(f"the cameras did not join: {snapshot}")
            snapshot = newer
    assert sorted(tile["tile"] for tile in snapshot["tiles"]) == sorted(tiles.values())
    assert [part["status"] for part in snapshot["parts"]] == ["valid", "valid"]


class LostCamera:
    """A camera that is lost for a while, during which a turn is laid; time is the test's own."""

    health, message, name = "ok", "", "lost and found"

    def __init__(self) -> None:
        self.now_s = 0.0
        self._number = 0
        self._frame: Frame | None = None

    def show(self, scene: Scene) -> None:
        self.now_s += 0.2
        self._number += 1
        pixels = scene.pixels(self._number)
        self._frame = Frame(pixels, self._number, self.now_s, self.name)

    def newest(self, after: int = -1, timeout_s: float = 1.0) -> Frame | None:
        assert timeout_s >= 0
        frame = self._frame
        return frame if frame is not None and frame.number > after else None

    def start(self) -> None:
        """Nothing to start."""

    stop = close = start


def played(
    live: LiveTable, reader: MadeReader, camera: LostCamera, scene: Scene
) -> dict[str, Any]:
    reader.scene = scene
    for _ in range(20):
        camera.show(scene)
        live.look_once(0)
    return live.snapshot()


def a_round(reader: MadeReader, camera: LostCamera) -> LiveTable:
    """Begin a round on a table on which nothing lies."""
    live = LiveTable(
        TableReader(reader, reader),
        FakeStore(),
        [camera],
        clock=lambda: camera.now_s,
        open_phone=FakePhone,
    )
    played(live, reader, camera, Scene({}))
    live.command("new_match", {"players": ["Ann", "Bob"]})
    live.command("start_round", {"starter": "Ann"})
    return live


@pytest.mark.parametrize(
    ("laid", "legal"), [("B10 B11 B12", True), ("B10 B11 B13", None)], ids=["legal", "illegal"]
)
def test_a_turn_laid_while_the_camera_was_lost(laid: str, legal: bool | None) -> None:
    """A legal one is proposed; for anything else nobody is accused, and one tap is asked for."""
    reader, camera = MadeReader(), LostCamera()
    live = a_round(reader, camera)
    opening = row(250, 120, "R10 R11 R12 R13")
    shown = played(live, reader, camera, Scene(opening))
    live.command("end_turn", {"accept_unsure": True})
    live.command("set_option", {"auto_accept": True})
    camera.now_s += 20
    shown = played(live, reader, camera, Scene(opening | row(250, 240, laid)))
    assert shown["match"]["turn"] == "Bob"
    assert not [tile for tile in shown["tiles"] if tile["status"] == "doubtful"]
    assert (shown["proposal"] or {"legal": None})["legal"] is legal
    assert bool(shown["desync"]) is (legal is None)
    live.close()


@pytest.mark.parametrize("there", ["K1 J K3", "R10 J R12"])
def test_a_joker_that_was_put_right_is_not_gone_when_it_is_moved(there: str) -> None:
    """A fork and a knife are surely read as a red eleven, wherever they lie."""
    reader, camera = MadeReader(), LostCamera()
    reader.misread = lambda _, readings: misread(readings, J="R11")
    live = a_round(reader, camera)
    before = Scene(row(250, 120, "B10 J B12"))
    after = Scene(row(250, 120, "B10 B11 B12") | row(250, 240, there))
    played(live, reader, camera, Scene(hand=(300, 200)))
    shown = played(live, reader, camera, before)
    assert shown["proposal"]["legal"] is False
    live.command("correct_tile", {"id": shown["tiles"][1]["id"], "tile": "J"})
    live.command("end_turn", {})
    live.command("drew", {})
    played(live, reader, camera, Scene(before.tiles, hand=(300, 200)))
    shown = played(live, reader, camera, after)
    assert shown["proposal"]["legal"] is None
    joker = next(tile for tile in shown["tiles"] if tile["tile"] == "R11")
    assert shown["proposal"]["look"]["id"] == joker["id"]
    live.command("correct_tile", {"id": joker["id"], "tile": "J"})
    assert live.snapshot()["proposal"]["legal"] is True
    live.close()
