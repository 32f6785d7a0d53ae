from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PIL import Image

from referee import load_ruleset
from tests.fakes import blank, fake_reader
from vision.annotation import annotate, save_annotated
from vision.annotation.plates import wrap
from vision.findings import find

if TYPE_CHECKING:
    from pathlib import Path

    from vision.types import Pixels

RED, GREEN, AMBER = (214, 30, 40), (22, 150, 62), (240, 160, 0)


def annotated(
    table: str, doubts: dict[str, str] | None = None, pixels: Pixels | None = None
) -> Image.Image:
    pixels = blank() if pixels is None else pixels
    reading = fake_reader(table, doubts).read(pixels, load_ruleset("standard"))
    return annotate(pixels, reading.readings, reading.layout, find(reading))


def amount(image: Image.Image, rgb: tuple[int, int, int], top: int, bottom: int) -> int:
    """Count the pixels of that colour in those rows, JPEG aside."""
    rows = np.asarray(image)[top:bottom]
    return int((np.abs(rows.astype(int) - rgb).max(axis=2) < 3).sum())


FIRST_ROW, SECOND_ROW = (20, 150), (180, 320)


@pytest.mark.parametrize(
    ("table", "doubts", "first", "second"),
    [
        ("R3 R4 R5 | B7 K7 O7", {}, GREEN, GREEN),
        ("R3 R4 R5 | B7 K7 B7", {}, GREEN, RED),
        ("R3 R4 R6 | B7 K8 O7", {"K8": "glare"}, RED, AMBER),
        ("R12 R13 J | B7 K7 B7", {}, GREEN, RED),
    ],
)
def test_frames_tell_how_each_set_stands(
    table: str,
    doubts: dict[str, str],
    first: tuple[int, int, int],
    second: tuple[int, int, int],
) -> None:
    image = annotated(table, doubts)
    for rows, expected in ((FIRST_ROW, first), (SECOND_ROW, second)):
        most = max((GREEN, RED, AMBER), key=lambda rgb: amount(image, rgb, *rows))
        assert most == expected


def test_the_reason_stands_beside_a_wrong_set() -> None:
    plain, wrong = annotated("R3 R4 R5"), annotated("R3 R4 R6")
    changed = np.asarray(plain).astype(int) != np.asarray(wrong)
    outside_the_set = changed.any(axis=2)
    outside_the_set[20:150, 30:260] = False
    assert outside_the_set.sum() > 2000
    assert wrong.size == (1000, 750)


def test_the_photo_itself_is_not_drawn_on() -> None:
    pixels = blank()
    annotated("R3 R4 R6", pixels=pixels)
    assert (pixels == blank()).all()


@pytest.mark.parametrize(
    ("size", "expected"),
    [((4000, 3000), (2000, 1500)), ((500, 375), (1000, 750)), ((1600, 900), (1600, 900))],
)
def test_the_result_suits_a_phone(size: tuple[int, int], expected: tuple[int, int]) -> None:
    assert annotated("", pixels=blank(*size)).size == expected


def test_what_finds_no_room_is_written_below() -> None:
    crowded = blank(420, 340)
    image = annotated("R3 R4 R6 R8 B9 | B7 K7 B7 B7 B7", pixels=crowded)
    assert image.width == 1000
    assert image.height > 340 * 1000 / 420


def test_of_many_loose_tiles_one_sentence_is_said() -> None:
    few, many = (annotated("|".join(faces)) for faces in (["R3", "B5"], ["R3", "B5", "K8", "O9"]))
    assert few.size == many.size
    assert many.height > 750


def test_any_shape_of_picture_can_be_drawn() -> None:
    for size in ((1, 1), (3000, 20), (20, 3000)):
        assert annotated("R3 R4 R6", pixels=blank(*size)).width > 0


def test_a_failed_write_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "taken.jpg").mkdir()
    with pytest.raises(OSError, match="taken"):
        save_annotated(Image.new("RGB", (8, 8)), tmp_path / "taken.jpg")
    assert [path.name for path in tmp_path.iterdir()] == ["taken.jpg"]


def test_a_written_picture_has_ordinary_permissions(tmp_path: Path) -> None:
    save_annotated(Image.new("RGB", (8, 8)), tmp_path / "a.jpg")
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE((tmp_path / "a.jpg").stat().st_mode) == 0o666 & ~umask


def test_a_word_too_long_for_its_line_is_kept_whole() -> None:
    assert wrap("a Donaudampfschiff is it", 20, 60) == ("a", "Donaudampfschiff", "is it")
