"""The networks and what they find on a sample, once for all tests that leave both as they are."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from vision.detect import Detector
from vision.evaluation.suite_tables import tables
from vision.evaluation.suites import suite_named
from vision.pictures import load_picture
from vision.reading.reader import Reader
from vision.resources import resource_dir

if TYPE_CHECKING:
    from vision.evaluation.suite_tables import Given
    from vision.types import Detections, Pixels


@cache
def detector() -> Detector:
    return Detector.load()


@cache
def reader() -> Reader:
    return Reader.load()


@cache
def legal_table() -> tuple[Pixels, Detections]:
    """The picture of a legal table, and its tiles; whoever changes them copies them first."""
    pixels = load_picture(resource_dir("samples") / "legal-table.jpg")
    found = detector().detect(pixels)
    for each in (pixels, found.quads_img, found.confidences, found.hints_img):
        each.flags.writeable = False
    return pixels, found


@cache
def seen_from_low() -> Given:
    """From 27 degrees up a tile's outline is that of a tile on its side."""
    given = next(
        table for table in tables(suite_named("oblique"), "oblique", 3) if table.edition == "c"
    )
    given.pixels.flags.writeable = False
    return given
