"""Evaluation: finding and reading against labelled photos, per group of photos and in all.

What counts, and how, is written in `docs/evaluation.md`.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TextIO, TypeVar

from referee import load_ruleset
from vision.doubts import face_is_unsure
from vision.evaluation.altered import ALTERATIONS, alter
from vision.evaluation.matching import match
from vision.labels import LabelError
from vision.pictures import PictureError, load_picture
from vision.types import Addable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from vision.labels import LabelledPhoto, LabelledTile
    from vision.pipeline import TableReader
    from vision.types import Pixels, Reading, Readings

Sum = TypeVar("Sum", bound=Addable)


@dataclass(frozen=True, slots=True)
class Counts(Addable):
    """What was counted in some photos; counts of several photos add up.

    Attributes
    ----------
    photos, photos_right
        Photos, and those in which every tile was found and read right and nothing else was.
    tiles, cut
        Labelled tiles that are whole, and those cut by the picture's edge, which count nowhere
        else except under `confident_wrong`.
    found, false_alarms
        Whole labelled tiles that were found; detections that match no label.
    number_right, colour_right, colour_known, joint_right
        Of the tiles found, likeliest readings that are right, unsure ones among them; a joker
        or a label without colour is not counted under `colour_known`.
    claimed, claimed_right
        Readings that are not unsure, cut tiles aside, and those that are right.
    unsure
        Readings whose face is in doubt, cut tiles aside.
    ends_asked
        Readings of which it is only asked whether their set goes on, cut tiles aside.
    confident_wrong
        Readings that are not unsure and wrong: false alarms and cut tiles among them.
    """

    photos: int = 0
    photos_right: int = 0
    tiles: int = 0
    cut: int = 0
    found: int = 0
    false_alarms: int = 0
    number_right: int = 0
    colour_right: int = 0
    colour_known: int = 0
    joint_right: int = 0
    claimed: int = 0
    claimed_right: int = 0
    unsure: int = 0
    ends_asked: int = 0
    confident_wrong: int = 0

    @property
    def recall(self) -> float | None:
        """Share of the whole tiles that were found."""
        return _ratio(self.found, self.tiles)

    @property
    def precision(self) -> float | None:
        """Share of the detections that are tiles."""
        return _ratio(self.found, self.found + self.false_alarms)

    @property
    def f1(self) -> float | None:
        """Tile F1 end to end: found with the right face; unsure counts as not read."""
        return _ratio(2 * self.claimed_right, self.tiles + self.claimed)


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None


@dataclass(frozen=True, slots=True)
class PhotoResult:
    """Counts of one photo, and a line of words on everything that is not right."""

    photo: LabelledPhoto
    counts: Counts
    failures: tuple[str, ...]


COLUMNS: Final[dict[str, Callable[[Counts], float | int | None]]] = {
    "photos": lambda c: c.photos,
    "tiles": lambda c: c.tiles,
    "recall": lambda c: c.recall,
    "precision": lambda c: c.precision,
    "number": lambda c: _ratio(c.number_right, c.found),
    "colour": lambda c: _ratio(c.colour_right, c.colour_known),
    "joint": lambda c: _ratio(c.joint_right, c.found),
    "tile_f1": lambda c: c.f1,
    "photos_right": lambda c: c.photos_right,
    "unsure": lambda c: c.unsure,
    "unsure_rate": lambda c: _ratio(c.unsure, c.claimed + c.unsure),
    "ends_asked": lambda c: c.ends_asked,
    "confident_wrong": lambda c: c.confident_wrong,
    "cut": lambda c: c.cut,
}


def evaluate(
    photos: Iterable[LabelledPhoto],
    reader: TableReader,
    *,
    as_rack: bool = False,
    altered: bool = False,
) -> Iterator[PhotoResult]:
    """Read each photo under the standard rules, and compare its tiles with its labels.

    Parameters
    ----------
    as_rack
        Whether the photos show racks, whose tiles need not make sets, instead of tables.
    altered
        Whether every alteration of each photo is read; the alterations are the groups then.

    Raises
    ------
    LabelError
        If the labels are those of a picture of another size.
    PictureError
        If a photo cannot be read; the message names it.
    """
    rules = load_ruleset("standard")
    for photo in photos:
        try:
            pixels = load_picture(photo.path)
        except PictureError as error:
            raise PictureError(f"{photo.path}: {error}") from error
        height, width = pixels.shape[:2]
        if photo.size_px is not None and photo.size_px != (width, height):
            labelled = " x ".join(map(str, photo.size_px))
            raise LabelError(f"{photo.path} has {width} x {height} pixels, its labels {labelled}")
        shots: Iterable[tuple[LabelledPhoto, Pixels]] = [(photo, pixels)]
        if altered:
            shots = (alter(photo, pixels, name) for name in ALTERATIONS)
        for shown, shot in shots:
            reading = reader.read(shot, rules)
            yield score_photo(shown, (reading.as_rack if as_rack else reading).readings)


def score_photo(photo: LabelledPhoto, readings: Readings) -> PhotoResult:
    """Compare the readings of a photo with its labels."""
    pairs = match(photo.tiles, readings.quads_img)
    failures: list[str] = []
    counts = Counts(photos=1)
    for label_number, label in enumerate(photo.tiles):
        read = pairs.get(label_number)
        reading = None if read is None else readings.readings[read]
        counts += _score_tile(label, reading)
        failures += _tile_failure(label, reading)
    for number in sorted(set(range(len(readings))) - set(pairs.values())):
        reading = readings.readings[number]
        counts += _score_false_alarm(reading)
        x, y = readings.quads_img[number].mean(axis=0)
        failures.append(f"no tile at ({x:.0f}, {y:.0f}), {_said(reading)}")
    right = counts.claimed_right == counts.tiles == counts.claimed + counts.unsure
    right = right and not counts.confident_wrong
    return PhotoResult(photo, counts + Counts(photos_right=int(right)), tuple(failures))


def _score_tile(label: LabelledTile, reading: Reading | None) -> Counts:
    right = reading is not None and is_right(label, reading)
    unsure = reading is not None and face_is_unsure(reading)
    wrong = reading is not None and not unsure and not right
    if label.cut:
        return Counts(cut=1, confident_wrong=int(wrong))
    if reading is None:
        return Counts(tiles=1)
    colour = reading.tile.colour
    return Counts(
        tiles=1,
        found=1,
        number_right=int(reading.tile.number == label.number),
        colour_right=int(
            label.colour is not None and colour is not None and colour.value == label.colour
        ),
        colour_known=int(label.colour is not None),
        joint_right=int(right),
        claimed_right=int(right and not unsure),
        confident_wrong=int(wrong),
    ) + _score_doubt(reading)


def _score_false_alarm(reading: Reading) -> Counts:
    wrong = int(not face_is_unsure(reading))
    return Counts(false_alarms=1, confident_wrong=wrong) + _score_doubt(reading)


def _score_doubt(reading: Reading) -> Counts:
    unsure = face_is_unsure(reading)
    return Counts(
        claimed=int(not unsure),
        unsure=int(unsure),
        ends_asked=int(reading.unsure and not unsure),
    )


def is_right(label: LabelledTile, reading: Reading) -> bool:
    """Whether the likeliest face agrees with the label, as far as the label goes."""
    if reading.tile.number != label.number:
        return False
    colour = reading.tile.colour.value if reading.tile.colour else None
    return label.colour is None or label.colour == colour


def _tile_failure(label: LabelledTile, reading: Reading | None) -> list[str]:
    x, y = label.outline_img.mean(axis=0)
    where = f"{label.text} at ({x:.0f}, {y:.0f})"
    if reading is None:
        return [] if label.cut else [f"{where} not found"]
    if is_right(label, reading) and not reading.unsure:
        return []
    if label.cut and face_is_unsure(reading):
        return []
    return [f"{where} {_said(reading)}"]


def _said(reading: Reading) -> str:
    sure = f"unsure: {reading.doubt}" if reading.unsure else "sure"
    return f"read as {reading.tile} ({reading.confidence:.3f}, {sure})"


def by_group(results: Iterable[PhotoResult]) -> dict[str, Counts]:
    """Add up the counts of each group of photos."""
    return added_up(((result.photo.group, result.counts) for result in results), Counts())


def added_up(named: Iterable[tuple[str, Sum]], nothing: Sum) -> dict[str, Sum]:
    """Add up what has the same name, in the order of the names, and `all` of it last."""
    sums: dict[str, Sum] = {}
    for name, one in named:
        sums[name] = sums.get(name, nothing) + one
    return dict(sorted(sums.items())) | {"all": sum(sums.values(), nothing)}


def table_text(groups: dict[str, Counts]) -> str:
    """Lay the figures out in columns for a terminal."""
    rows = [["group", *COLUMNS]]
    rows += [[name, *map(_shown, _values(counts))] for name, counts in groups.items()]
    return columns_text(rows)


def columns_text(rows: Sequence[Sequence[str]], names: int = 1) -> str:
    """Lay rows out in columns: the first ones, which are names, to the left, figures to the right.

    >>> print(columns_text([["group", "tiles"], ["all", "7"]]))
    group  tiles
    all        7
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if place < names else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    )


def write_csv(groups: dict[str, Counts], file: TextIO) -> None:
    """Write the figures, one group a row; a share of nothing is left empty."""
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["group", *COLUMNS])
    for name, counts in groups.items():
        cells = ("" if value is None else value for value in _values(counts))
        writer.writerow([name, *(f"{c:.5f}" if isinstance(c, float) else c for c in cells)])


def _values(counts: Counts) -> list[float | int | None]:
    return [value(counts) for value in COLUMNS.values()]


def _shown(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:.4f}" if isinstance(value, float) else str(value)
