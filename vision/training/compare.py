"""Ways to look at a picture, compared by what they find and how long they take.

`python -m vision.training compare --photos LABELS --suite oblique --csv FILE` gives every variant
the same pictures in the same run, so that its times can be compared.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING, Final

from vision.detect import FIRST_LOOK_PX, Detector
from vision.evaluate import Counts, score_photo
from vision.labels import load_labels
from vision.pictures import load_picture
from vision.suites import suite_named, tables

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from vision.labels import LabelledPhoto
    from vision.read import Reader
    from vision.types import Pixels

    Given = tuple[Pixels, LabelledPhoto]

SIZES_PX: Final = (448, 600, 704, 832, 1024)
COLUMNS: Final = ("variant", "pictures", "tiles", "recall", "precision", "tile_f1", "unsure",
                  "confident_wrong", "milliseconds", "ratio")  # fmt: skip


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
    yield Variant("oriented boxes, no corners", detector, replace(reader, looks=0))
    yield Variant("one look for corners", detector, replace(reader, looks=1))
    yield Variant("each tile's colour alone", detector, replace(reader, palette=None))


def pictures(labels: Path, split: str, suites: Sequence[str], count: int) -> list[Given]:
    """Load photographs of a split, and render so many tables of each suite."""
    given = [(load_picture(photo.path), photo) for photo in load_labels(labels, split)]
    for name in suites:
        given += [(table.pixels, table.photo) for table in tables(suite_named(name), name, count)]
    return given


def compare(given: Sequence[Given], ways: Iterable[Variant]) -> Iterator[list[str]]:
    """Yield a row of `COLUMNS` for every variant; times are medians over the pictures."""
    base_ms: float | None = None
    for way in ways:
        counts, spent_ms = Counts(), []
        for pixels, photo in given:
            started = perf_counter()
            readings = way.reader.read(pixels, way.detector.detect(pixels))
            spent_ms.append((perf_counter() - started) * 1000)
            counts += score_photo(photo, readings).counts
        middle = median(spent_ms)
        base_ms = base_ms or middle
        shares = [f"{share or 0:.4f}" for share in (counts.recall, counts.precision, counts.f1)]
        yield [
            way.name,
            str(counts.photos),
            str(counts.tiles),
            *shares,
            str(counts.unsure),
            str(counts.confident_wrong),
            f"{middle:.0f}",
            f"{middle / base_ms:.2f}",
        ]
