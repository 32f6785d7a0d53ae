"""Stand-ins for the networks: they see what a test tells them to see."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from referee import Tile
from vision.pipeline import TableReader
from vision.types import Detections, Reading, Readings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vision.types import Floats, Pixels

NOTHING_READ = Readings(np.zeros((0, 4, 2), np.float32), ())
TILE_WIDTH_PX = 60
TILE_HEIGHT_PX = 90


@dataclass(frozen=True)
class FakeDetector:
    """Finds the same quads in every picture, and what looks like a tile."""

    quads_img: Floats
    network_ms: float = 3.0
    hints_img: Floats = field(default_factory=lambda: np.zeros((0, 2), np.float32))
    glimpsed_img: Floats = field(default_factory=lambda: np.zeros((0, 4, 2), np.float32))

    def detect(self, pixels: Pixels) -> Detections:
        assert pixels.dtype == np.uint8
        assert pixels.ndim == 3
        confidences = np.ones(len(self.quads_img), np.float32)
        return Detections(self.quads_img, confidences, self.hints_img, self.glimpsed_img)


@dataclass(frozen=True)
class LightOnly(FakeDetector):
    """Finds tiles in light pictures only, as networks do that know light tiles."""

    def detect(self, pixels: Pixels) -> Detections:
        quads = self.quads_img if pixels.mean() > 128 else self.quads_img[:0]
        return FakeDetector(quads).detect(pixels)


@dataclass(frozen=True)
class FakeReader:
    """Reads the same faces in every picture."""

    readings: tuple[Reading, ...]
    network_ms: float = 2.0

    def read(self, pixels: Pixels, detections: Detections) -> Readings:
        assert pixels.dtype == np.uint8
        if not detections.confidences.any():  # places where no tile was found
            return NOTHING_READ
        return Readings(detections.quads_img, self.readings)


@dataclass(frozen=True)
class EitherWay(FakeReader):
    """Reads other faces in the mirror image of a picture, which is dark at the left."""

    mirrored: tuple[Reading, ...] = ()

    def read(self, pixels: Pixels, detections: Detections) -> Readings:
        shown = self.readings if pixels[0, 0].any() else self.mirrored
        return FakeReader(shown).read(pixels, detections)


def to_mirror() -> Pixels:
    """A table top that is dark at the right."""
    pixels = blank()
    pixels[:, -100:] = 0
    return pixels


def quad_at(left_px: float, top_px: float) -> Floats:
    """Corners of an upright tile."""
    width, height = TILE_WIDTH_PX, TILE_HEIGHT_PX
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    return corners + np.array([left_px, top_px], np.float32)


def sure(face: str) -> Reading:
    return Reading(Tile.parse(face), 0.99)


def unsure(face: str, doubt: str, *others: str) -> Reading:
    return Reading(
        Tile.parse(face), 0.5, tuple((Tile.parse(other), 0.3) for other in others), doubt
    )


def fake_reader(table: str, doubts: Mapping[str, str] | None = None) -> TableReader:
    """See the rows of `table`, one below the other; `doubts` says which faces are unsure."""
    doubts = doubts or {}
    quads, readings = [], []
    for row, text in enumerate(table.split("|") if table else []):
        for column, face in enumerate(text.split()):
            quads.append(quad_at(50 + column * (TILE_WIDTH_PX + 1), 40 + row * 160))
            readings.append(unsure(face, doubts[face]) if face in doubts else sure(face))
    quads_img = np.array(quads, np.float32).reshape(-1, 4, 2)
    return TableReader(FakeDetector(quads_img), FakeReader(tuple(readings)))


def blank(width_px: int = 1000, height_px: int = 750) -> Pixels:
    """A plain brown table top."""
    return np.full((height_px, width_px, 3), (60, 90, 120), np.uint8)
