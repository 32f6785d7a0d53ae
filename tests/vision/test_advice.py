from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from vision.advice import CODES, advise
from vision.recordings import bundled_recordings, frames_of, load_recording

if TYPE_CHECKING:
    from vision.types import Floats, Pixels


def tiles(*shorts_px: float) -> Floats:
    return np.array(
        [
            [[i * 90, 0], [i * 90 + s, 0], [i * 90 + s, s * 1.4], [i * 90, s * 1.4]]
            for i, s in enumerate(shorts_px)
        ],
        np.float32,
    )


def printed(quads_img: Floats, cloth: int = 150, face: int = 220) -> Pixels:
    """Tiles with a digit on each, on a cloth."""
    pixels = np.full((160, 260, 3), cloth, np.uint8)
    for left, top in quads_img[:, 0].astype(int):
        cv2.rectangle(pixels, (left, top), (left + 50, top + 70), (face,) * 3, -1)
        at = (int(left) + 12, int(top) + 45)
        cv2.putText(pixels, "7", at, cv2.FONT_HERSHEY_SIMPLEX, 1.2, (face // 6,) * 3, 4)
    return pixels


def codes(pixels: Pixels, quads_img: Floats) -> list[str]:
    found = advise(pixels, quads_img)
    assert all(one.text and one.advice for one in found)
    assert {one.code for one in found} <= set(CODES)
    return [one.code for one in found]


@pytest.mark.parametrize(
    ("level", "shorts_px", "expected"),
    [
        (150, (40, 42), []),
        (20, (40, 42), ["dark"]),
        (255, (40, 42), ["glare"]),
        (150, (10, 11), ["small"]),
        (150, (25, 70), ["oblique"]),
    ],
)
def test_what_is_wrong_is_told(
    level: int, shorts_px: tuple[float, ...], expected: list[str]
) -> None:
    assert codes(np.full((120, 200, 3), level, np.uint8), tiles(*shorts_px)) == expected


def test_a_mirrored_picture_is_told_of_first() -> None:
    dark = np.full((120, 200, 3), 20, np.uint8)
    found = advise(dark, tiles(40, 42), mirrored=True)
    assert [one.code for one in found] == ["mirrored", "dark"]


def test_a_table_without_tiles_is_judged_by_its_light_only() -> None:
    none = np.zeros((0, 4, 2), np.float32)
    assert codes(np.full((120, 200, 3), 255, np.uint8), none) == []
    assert codes(np.full((120, 200, 3), 20, np.uint8), none) == ["dark"]


def test_tiles_on_a_black_cloth_have_light_enough() -> None:
    quads = tiles(50, 50)
    assert codes(printed(quads, cloth=5), quads) == []
    assert codes(printed(quads, cloth=5, face=45), quads) == ["dark"]


@pytest.mark.parametrize(
    ("blur_px", "expected"), [(0.0, []), (1.5, []), (6.0, ["blurred"]), (9.0, ["blurred"])]
)
def test_digits_without_sharp_edges_are_blurred(blur_px: float, expected: list[str]) -> None:
    quads = tiles(50, 50)
    pixels = printed(quads)
    if blur_px:
        pixels = np.asarray(cv2.GaussianBlur(pixels, (0, 0), blur_px), np.uint8)
    assert codes(pixels, quads) == expected


def test_tiles_beyond_the_edge_do_no_harm() -> None:
    quads = np.concatenate([tiles(50, 50), tiles(50) - 400])
    assert codes(printed(quads[:2]), quads) == []


def test_whole_tables_are_judged_as_well() -> None:
    quads = np.concatenate([tiles(50, 50)] * 60)
    assert codes(printed(quads[:2]), quads) == []


@pytest.mark.parametrize("name", ["keadle", "lamp"])
def test_nothing_is_said_of_recorded_games(name: str) -> None:
    """They are read well, even with the lamp off."""
    path = bundled_recordings()[name]
    recording = load_recording(path)
    stills = {still.to_frame: still for still in recording.stills if still.tiles}
    looked = 0
    for number, pixels in enumerate(frames_of(path.with_name(recording.video))):
        if number not in stills:
            continue
        quads = np.array([tile.quad for tile in stills[number].tiles], np.float32)
        assert codes(pixels, quads) == [], f"still {stills[number].scene}"
        blurred = np.asarray(cv2.GaussianBlur(pixels, (0, 0), 5.0), np.uint8)
        assert codes(blurred, quads) == ["blurred"]
        looked += 1
    assert looked >= 9
