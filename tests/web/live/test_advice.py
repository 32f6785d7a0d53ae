"""Advice on light and camera comes slowly, from still pictures, and goes when it is heeded."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.fakes import blank
from tests.web.live.fakes import FakeFrame, picture_of, settled
from vision.doubts import MIRRORED
from vision.watching.sights import Phase, Sight
from web.live.adviser import EVERY_S, Adviser

if TYPE_CHECKING:
    from tests.web.live.rooms import Room
    from vision.types import Pixels

TABLE = settled("R3 R4 R5")
LIGHT, DARK = blank() + 60, blank() // 10


class Evening:
    """Frames, a second each."""

    def __init__(self) -> None:
        self.adviser = Adviser()
        self.time_s = 0.0
        self.camera = "fake"
        self.table = TABLE

    def show(
        self, pixels: Pixels, seconds: float = 2 * EVERY_S, phase: Phase = Phase.STABLE
    ) -> list[str]:
        told = []
        until_s = self.time_s + seconds
        while self.time_s < until_s:
            frame = FakeFrame(pixels, 0, self.time_s, self.camera)
            told = [one.code for one in self.adviser.look(frame, Sight(phase, 0, self.table))]
            self.time_s += 1
        return told


@pytest.fixture
def evening() -> Evening:
    return Evening()


def test_darkness_is_told_once_it_lasts_and_until_there_is_light(evening: Evening) -> None:
    assert evening.show(LIGHT) == []
    assert evening.show(DARK, EVERY_S) == []
    assert evening.show(DARK) == ["dark"]
    assert evening.show(LIGHT, EVERY_S) == ["dark"]
    assert evening.show(LIGHT) == []


def test_a_mirrored_picture_is_told_of(evening: Evening) -> None:
    evening.table = settled("R3 R4 R5", doubts={"R4": MIRRORED})
    assert evening.show(LIGHT) == ["mirrored"]
    evening.table = TABLE
    assert evening.show(LIGHT) == []


def test_what_comes_and_goes_is_not_told(evening: Evening) -> None:
    for _ in range(5):
        assert evening.show(DARK, EVERY_S) == []
        assert evening.show(LIGHT, EVERY_S) == []


@pytest.mark.parametrize("phase", [Phase.HAND, Phase.MOVING, Phase.COVERED, Phase.LOST])
def test_nothing_new_is_said_while_a_hand_is_in_view(evening: Evening, phase: Phase) -> None:
    evening.show(LIGHT)
    assert evening.show(DARK, 60, phase) == []
    evening.show(DARK)
    assert evening.show(LIGHT, 60, phase) == ["dark"]


def test_another_camera_is_another_matter(evening: Evening) -> None:
    assert evening.show(DARK) == ["dark"]
    evening.camera = "phone 1"
    assert evening.show(LIGHT, 1) == []


def test_pictures_are_looked_at_every_few_seconds_only(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[Pixels] = []

    def look(pixels: Pixels, _quads: object, *, mirrored: bool) -> tuple[()]:
        assert not mirrored
        looked.append(pixels)
        return ()

    monkeypatch.setattr("web.live.adviser.advise", look)
    evening.show(LIGHT, 60)
    assert len(looked) == 60 / EVERY_S


def test_a_picture_of_another_size_is_let_pass(evening: Evening) -> None:
    assert evening.show(np.zeros((48, 64, 3), np.uint8), 60) == []


def test_the_pages_are_told(room: Room) -> None:
    dark = replace(TABLE, number=1)
    room.show(dark)
    assert room.snapshot()["advice"] == []
    for _ in range(3):
        room.time.now_s += EVERY_S
        room.feed.give(_seen_as_before(), room.time.now_s)
        room.live.look_once(0)
    (told,) = room.snapshot()["advice"]
    assert told == {
        "code": "dark", "text": "The picture is too dark.", "advice": "Switch on more light.",
    }  # fmt: skip


def _seen_as_before() -> Pixels:
    """A dark picture in which the fake watcher sees nothing new."""
    pixels = picture_of(None)
    pixels[1:] //= 10
    return pixels


def test_tiles_that_only_another_camera_sees_are_not_looked_at() -> None:
    # Askew beyond the corner: only its bounding box reaches into the picture.
    beyond = np.array([(-90, 20), (20, -90), (30, -80), (-80, 30)], np.float32)
    tiles = (*TABLE.tiles, replace(TABLE.tiles[0], id=9, quad_img=beyond))
    table = replace(TABLE, tiles=tiles)
    adviser = Adviser()
    for number in range(4):
        frame = FakeFrame(DARK, number, number * EVERY_S)
        told = adviser.look(frame, Sight(Phase.STABLE, number, table))
    assert "dark" in [one.code for one in told]
