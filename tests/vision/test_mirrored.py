"""Pictures that a camera mirrored, in which a 6 may pass for an 8."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pytest

from referee import load_ruleset
from tests.fakes import (
    EitherWay,
    FakeDetector,
    FakeReader,
    blank,
    quad_at,
    sure,
    to_mirror,
    unsure,
)
from vision.doubts import MIRRORED
from vision.loading import load_table_reader
from vision.mirrored import _mirrored, is_mirrored, unless_mirrored
from vision.pictures import load_picture
from vision.pipeline import TableReader
from vision.resources import resource_dir
from vision.watching.looker import Looker

if TYPE_CHECKING:
    from vision.types import Detections, Pixels

STANDARD = load_ruleset("standard")
SAMPLES = ["legal-table.jpg", "invalid-table.jpg", "webcam-table.jpg"]


@pytest.mark.parametrize("sample", SAMPLES)
def test_nothing_in_a_mirrored_picture_is_believed(sample: str) -> None:
    pixels = load_picture(resource_dir("samples") / sample)
    reading = load_table_reader().read(np.ascontiguousarray(pixels[:, ::-1]), STANDARD)
    assert len(reading.readings) > 3
    assert {one.doubt for one in reading.readings.readings} == {MIRRORED}
    assert reading.verdict.ok is None


@pytest.mark.parametrize(
    ("shown", "mirrored", "doubted"),
    [(0, 2, True), (8, 21, True), (0, 1, False), (1, 2, False), (12, 4, False), (9, 17, False)],
)
def test_a_picture_is_mirrored_of_which_far_more_can_be_read_the_other_way_round(
    shown: int, mirrored: int, doubted: bool
) -> None:
    known, unknown = sure("R7"), unsure("R7", "Is it?")
    either = [(known,) * count + (unknown,) * (24 - count) for count in (shown, mirrored)]
    quads = np.array([quad_at(100 + 10 * i, 100) for i in range(24)])
    reader = TableReader(FakeDetector(quads), EitherWay(either[0], mirrored=either[1]))
    seen = unless_mirrored(to_mirror(), partial(reader.see, two_dimensional=True))
    assert is_mirrored(seen.readings.readings) is doubted
    assert sum(not one.unsure for one in seen.readings.readings) == (0 if doubted else shown)


def test_eights_tell_nothing_as_they_look_the_same_in_a_mirror() -> None:
    eights, sevens = (sure("R8"),) * 3, (sure("R7"),) * 3
    doubtful = (unsure("R7", "Is it?"),) * 3
    quads = np.array([quad_at(100 + 80 * i, 100) for i in range(6)])
    for shown, mirrored, doubted in ((eights, sevens, True), (doubtful, eights, False)):
        reads = EitherWay(shown + doubtful, mirrored=mirrored + doubtful)
        reader = TableReader(FakeDetector(quads), reads)
        seen = unless_mirrored(to_mirror(), partial(reader.see, two_dimensional=True))
        assert is_mirrored(seen.readings.readings) is doubted


def test_tiles_are_looked_for_once_in_a_mirrored_picture() -> None:
    """They lie where they lie in its mirror image, and are none the darker there."""
    pixels = load_picture(resource_dir("samples") / "legal-table.jpg")
    mirrored, reader = np.ascontiguousarray(pixels[:, ::-1]), load_table_reader()
    detector = Remembering(reader.detector.detect(mirrored).quads_img)
    reading = replace(reader, detector=detector).read(mirrored, STANDARD)
    assert {one.doubt for one in reading.readings.readings} == {MIRRORED}
    assert len(detector.shown) == 1


def test_neither_is_a_mirrored_camera_until_it_is_put_right() -> None:
    pixels = load_picture(resource_dir("samples") / "legal-table.jpg")
    looker = Looker(load_table_reader(), fast_s=9.0)
    shown = [np.ascontiguousarray(pixels[:, ::-1]), pixels]
    mirrored, plain = (
        looker.read(each, 0, two_dimensional=False).readings.readings for each in shown
    )
    assert {one.doubt for one in mirrored} == {MIRRORED}
    assert not any(one.unsure for one in plain)


def test_a_slow_machine_doubts_the_second_frame_of_a_mirrored_camera_as_the_first() -> None:
    known, unknown = sure("R7"), unsure("R7", "Is it?")
    quads = np.array([quad_at(100 + 80 * i, 100) for i in range(6)])
    reads = EitherWay((known, *(unknown,) * 5), mirrored=(known,) * 6)
    looker = Looker(TableReader(FakeDetector(quads), reads), fast_s=-1.0)
    for before in (0, 1):
        seen = looker.read(to_mirror(), before, two_dimensional=True)
        assert is_mirrored(seen.readings.readings)


def test_doubts_alone_make_no_picture_a_mirrored_one() -> None:
    """All inks of a grey picture are in doubt."""
    pixels = load_picture(resource_dir("samples") / "legal-table.jpg")
    grey = np.repeat(pixels.mean(2, keepdims=True), 3, 2).astype(np.uint8)
    doubts = {one.doubt for one in load_table_reader().read(grey, STANDARD).readings.readings}
    assert doubts - {""}
    assert MIRRORED not in doubts


@dataclass(frozen=True)
class Remembering(FakeDetector):
    """Remembers how many pictures it was shown."""

    shown: list[int] = field(default_factory=list)

    def detect(self, pixels: Pixels) -> Detections:
        self.shown.append(len(pixels))
        return super().detect(pixels)


@pytest.mark.parametrize("live", [False, True])
def test_a_picture_without_colours_is_looked_at_once(live: bool) -> None:
    """In others of doubtful tiles these may be dark."""
    doubtful = FakeReader((unsure("R7", "Is it?"),))
    brown = blank()
    for pixels, times in ((brown, 2), (np.full_like(brown, 90), 1)):
        detector = Remembering(np.array([quad_at(100, 100)]))
        reader = TableReader(detector, doubtful)
        if live:
            Looker(reader, fast_s=9.0).read(pixels, 0, two_dimensional=False)
        else:
            reader.read(pixels, STANDARD)
        assert len(detector.shown) == times


def test_what_was_glimpsed_lies_in_the_mirror_where_it_would_be_seen() -> None:
    pixels = blank()
    left, right = quad_at(100, 200), quad_at(pixels.shape[1] - 160, 200)
    found = _mirrored(FakeDetector(left[None], glimpsed_img=left[None]).detect(pixels), pixels)
    assert found.quads_img == pytest.approx(right[None])
    assert found.glimpsed_img == pytest.approx(right[None])
