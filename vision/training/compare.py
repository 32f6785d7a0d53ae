"""Ways to look at a picture, compared by what they find and how long they take.

`python -m vision.training compare --photos LABELS --suite oblique --csv FILE` gives every variant
the same pictures in the same run, so that its times can be compared; `--detector NAME FILE` and
`--reader NAME FILE` compare networks, each in the place of the landed one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from statistics import mean, median
from time import perf_counter
from typing import TYPE_CHECKING, Final

import numpy as np

from vision.detect import BOX, FIRST_LOOK_PX, Detector
from vision.evaluation.matching import match
from vision.evaluation.photos import COLUMNS as COUNTED
from vision.evaluation.photos import Counts, score_photo
from vision.evaluation.suite_tables import tables
from vision.evaluation.suites import suite_named
from vision.labels import load_labels, read_entries
from vision.network import open_network
from vision.pictures import load_picture
from vision.reading.reader import Reader

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from vision.labels import LabelledPhoto
    from vision.types import Floats, Pixels

    Given = tuple[Pixels, LabelledPhoto]

INPUTS_PX: Final = (640, 960, 1280)
SIZES_PX: Final = (448, 600, 704, 832, 1024)
SHARES: Final = ("recall", "precision", "number", "colour", "tile_f1")
COLUMNS: Final = ("variant", "pictures", "tiles", *SHARES, "unsure", "confident_wrong",
                  "corners_off", "milliseconds", "ratio")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Variant:
    """One way to look, in words and as detector and reader."""

    name: str
    detector: Detector
    reader: Reader


def variants(detector: Detector, reader: Reader) -> Iterator[Variant]:
    """Yield what runs, then what it is compared with."""
    yield Variant("as it runs", detector, reader)
    for size in SIZES_PX:
        once = replace(detector, first_look_px=size, again=False)
        yield Variant(f"one look at {size} x {size} px", once, reader)
    for size in (s for s in SIZES_PX[:-1] if s != FIRST_LOOK_PX):
        first = replace(detector, first_look_px=size)
        yield Variant(f"first look at {size} x {size} px, a second where it pays", first, reader)
    yield Variant("oriented boxes, no corners", detector, _looking(reader, 0))
    yield Variant("one look for corners", detector, _looking(reader, 1))
    yield Variant("each tile's colour alone", detector, replace(reader, palette=None))
    yield Variant("every box a tile", detector, replace(reader, verifier=None))


def detectors(reader: Reader, networks: Sequence[tuple[str, Path]]) -> Iterator[Variant]:
    """Yield detectors by name and file, each with one look at pictures of `INPUTS_PX`.

    One that finds corners itself is tried with and without the corner finder.
    """
    for name, file in networks:
        network = open_network(file.read_bytes(), {})
        has_corners = network.run(np.zeros((1, 3, 64, 64), np.float32))[0].shape[2] > BOX
        for size in INPUTS_PX:
            detector = Detector(network, first_look_px=size, again=False)
            yield Variant(f"{name}, {size} x {size} px", detector, reader)
            if has_corners:
                yield Variant(
                    f"{name}, its own corners, {size} x {size} px",
                    detector,
                    _looking(reader, 0),
                )


def readers(
    detector: Detector, reader: Reader, networks: Sequence[tuple[str, Path]]
) -> Iterator[Variant]:
    """Yield readers by name and file, without the palette and verifier that belong to another."""
    for name, file in networks:
        network = open_network(file.read_bytes(), dict(reader.examiner.faces.settings))
        height, width = network.session.get_inputs()[0].shape[2:]
        network.settings["input"] = network.settings["input"] | {"size": [width, height]}
        yield Variant(name, detector, Reader(replace(reader.examiner, faces=network)))


def _looking(reader: Reader, looks: int) -> Reader:
    """Return the reader that looks for corners so often."""
    examiner = reader.examiner
    corners = replace(examiner.corners, looks=looks)
    return replace(reader, examiner=replace(examiner, corners=corners))


def pictures(labels: Sequence[Path], suites: Sequence[str], count: int) -> list[Given]:
    """Load photographs that nobody trains on, and render so many tables of each suite.

    Those are the `dev` split of a label file, or all of it where there are no splits.
    """
    photos = [photo for path in labels for photo in load_labels(path, _unseen_split(path))]
    given = [(load_picture(photo.path), photo) for photo in photos]
    for name in suites:
        given += [(table.pixels, table.photo) for table in tables(suite_named(name), name, count)]
    return given


def corners_off(photo: LabelledPhoto, quads_img: Floats) -> list[float]:
    """Return how far the corners of each tile found are off on average, in its mean sides.

    Tiles that are cut, or labelled by a loose box, are left out.
    """
    off = []
    for number, found in match(photo.tiles, quads_img).items():
        label = photo.tiles[number]
        if not (label.cut or label.loose):
            truth = label.outline_img
            away = [
                np.linalg.norm(np.roll(quads_img[found], turn, 0) - truth, axis=1).mean()
                for turn in range(4)
            ]
            sides = np.linalg.norm(truth - np.roll(truth, 1, 0), axis=1).mean()
            off.append(float(min(away) / sides))
    return off


def _unseen_split(labels: Path) -> str | None:
    return "dev" if any(entry.split for entry in read_entries(labels)) else None


def compare(given: Sequence[Given], ways: Iterable[Variant]) -> Iterator[list[str]]:
    """Yield a row of `COLUMNS` for every variant; times are medians over the pictures."""
    base_ms: float | None = None
    for way in ways:
        counts, spent_ms, off = Counts(), list[float](), list[float]()
        for pixels, photo in given:
            started = perf_counter()
            readings = way.reader.read(pixels, way.detector.detect(pixels))
            spent_ms.append((perf_counter() - started) * 1000)
            counts += score_photo(photo, readings).counts
            off += corners_off(photo, readings.quads_img)
        middle = median(spent_ms)
        base_ms = base_ms or middle
        counted = {title: value(counts) for title, value in COUNTED.items()}
        shares = [f"{counted[name] or 0:.4f}" for name in SHARES]
        yield [
            way.name,
            str(counts.photos),
            str(counts.tiles),
            *shares,
            str(counts.unsure),
            str(counts.confident_wrong),
            f"{mean(off or [0]):.4f}",
            f"{middle:.0f}",
            f"{middle / base_ms:.2f}",
        ]
