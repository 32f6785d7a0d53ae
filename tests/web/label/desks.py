"""Photos on a desk, with networks that see what a test tells them to see."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from PIL import Image

from tests.fakes import FakeDetector, fake_reader, sure
from vision.pipeline import TableReader
from vision.types import Readings
from web.label.book import LabelBook
from web.label.desk import Desk, prepare
from web.label.proposals import Proposer

if TYPE_CHECKING:
    from pathlib import Path

    from vision.pipeline import FaceReader
    from vision.types import Detections, Pixels, Reading

DOUBT = "This could also be Blue 8."
TABLE = "R3 R4 R5 | B7 K8"


@dataclass(frozen=True)
class AddedReader:
    """Reads all tiles of a photo as told, and any single one as a red 9 that lies half turned."""

    all_tiles: FaceReader
    added: Reading
    network_ms: float = 1.0

    def read(self, pixels: Pixels, detections: Detections) -> Readings:
        if len(detections) != 1:
            return self.all_tiles.read(pixels, detections)
        return Readings(np.roll(detections.quads_img, -2, 1) + np.float32(3), (self.added,))


def reader_of(table: str = TABLE, doubts: dict[str, str] | None = None) -> TableReader:
    """Return a reader that sees the same rows of tiles in every photo, an unsure one in them."""
    seen = fake_reader(table, {"K8": DOUBT} if doubts is None else doubts)
    return TableReader(seen.detector, AddedReader(seen.face_reader, sure("R9")))


@dataclass(frozen=True)
class BlindReader:
    """Reads nothing anywhere."""

    network_ms: float = 1.0

    def read(self, pixels: Pixels, detections: Detections) -> Readings:
        assert pixels.ndim == 3
        return Readings(detections.quads_img[:0], ())


def blind_reader() -> TableReader:
    """Return a reader that sees nothing anywhere."""
    return TableReader(FakeDetector(np.zeros((0, 4, 2), np.float32)), BlindReader())


def photo(folder: Path, name: str = "table.jpg", size: tuple[int, int] = (600, 400)) -> Path:
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    Image.new("RGB", size, (120, 90, 60)).save(path)
    return path


def desk_of(out: Path, *photos: Path, reader: TableReader | None = None) -> Desk:
    """Open a label file for some photos, as the command does."""
    book, proposer = LabelBook.open(out), Proposer(reader or reader_of())
    book.put(*(prepare(photo, book, proposer) for photo in photos))
    return Desk(photos, book, proposer)


def file_of(out: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(out.read_text("utf-8"))
    return found


def change_of(desk: Desk, number: int = 0, **values: object) -> dict[str, Any]:
    """Return what the page would send of a photo, with some of it changed."""
    now = desk.labels(number)
    return {key: now[key] for key in ("version", "checked", "split", "tiles")} | values
