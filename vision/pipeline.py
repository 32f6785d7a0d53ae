"""From a picture to a verdict, in four named stages: detect, read, lay out, judge."""

from __future__ import annotations

from dataclasses import dataclass, replace
from time import perf_counter
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

from referee.judge import judge_table
from referee.verdicts import Code
from vision.equipment import within_equipment
from vision.lay_out import lay_out, to_table
from vision.overlooked import look_again
from vision.types import Timings

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from referee.ruleset import Ruleset
    from referee.table import Table
    from referee.verdicts import Place, Verdict
    from vision.types import Detections, Floats, Layout, Pixels, Readings


# Breaches that more tiles would mend.
CURABLE = frozenset({Code.TOO_SHORT, Code.LOOSE_TILE})
BEYOND = "Does this set go on beyond the edge of the picture?"
BESIDE = "Does the tile beside it, which I can't read, belong to this set?"
# Doubts about where a set ends: what its tiles read is not in doubt.
OPEN_ENDS: Final = frozenset({BEYOND, BESIDE})
# How far an unsure tile may lie from where the next tile of a row should, in steps of that row.
_OFF_STEPS: Final = 0.75


class TileDetector(Protocol):
    """Finds the face-up tiles in a picture."""

    @property
    def network_ms(self) -> float:
        """Milliseconds spent inside the network in the last call."""
        ...

    def detect(self, pixels: Pixels) -> Detections:
        """Find every face-up tile in (h, w, 3) uint8 BGR pixels."""
        ...


class FaceReader(Protocol):
    """Reads the tiles that a detector found."""

    @property
    def network_ms(self) -> float:
        """Milliseconds spent inside the network in the last call."""
        ...

    def read(self, pixels: Pixels, detections: Detections) -> Readings:
        """Read every detected tile, and turn its quad upright."""
        ...


@dataclass(frozen=True, slots=True)
class TableReading:
    """All that is known of one picture, stage by stage.

    Attributes
    ----------
    width_px, height_px
        Size of the picture as a viewer shows it.
    detections, readings, layout, table, verdict
        What each stage made of it. A tile's number is its place in `readings`, a set's number
        its place in `layout` and in `table`.
    timings
        What each stage took.
    """

    width_px: int
    height_px: int
    detections: Detections
    readings: Readings
    layout: Layout
    table: Table
    verdict: Verdict
    timings: Timings


@dataclass(frozen=True, slots=True)
class TableReader:
    """Reads pictures of tables; holds the networks, so make one and keep it."""

    detector: TileDetector
    face_reader: FaceReader

    def read(self, pixels: Pixels, rules: Ruleset) -> TableReading:
        """Read and judge a picture of (h, w, 3) uint8 BGR pixels under `rules`."""
        watch = _Stopwatch()

        detections = self.detector.detect(pixels)
        detect_ms = watch.lap_ms()

        first = self.face_reader.read(pixels, detections)
        network_ms = self.detector.network_ms + self.face_reader.network_ms
        readings = first if rules.two_dimensional else look_again(pixels, first, self.face_reader)
        if readings is not first:
            network_ms += self.face_reader.network_ms
        readings = within_equipment(readings, rules)
        read_ms = watch.lap_ms()

        layout = lay_out(readings.quads_img, two_dimensional=rules.two_dimensional)
        table = to_table(layout, readings)
        lay_out_ms = watch.lap_ms()

        readings, verdict = judge_seen(layout, table, readings, rules, pixels.shape)
        judge_ms = watch.lap_ms()

        height_px, width_px = pixels.shape[:2]
        timings = Timings(detect_ms, read_ms, lay_out_ms, judge_ms, network_ms)
        return TableReading(
            width_px, height_px, detections, readings, layout, table, verdict, timings
        )


def judge_seen(
    layout: Layout, table: Table, readings: Readings, rules: Ruleset, shape: tuple[int, ...]
) -> tuple[Readings, Verdict]:
    """Judge a table that was seen in a picture, whose edge may have cut sets off.

    Parameters
    ----------
    shape
        Height and width of the picture, pixels, then anything.

    Returns
    -------
    Readings
        The same, but in doubt where the picture stops.
    Verdict
        What the referee says; a doubted tile is asked about, not held against its set.
    """
    verdict = judge_table(table, rules, unsure=_unsure_places(layout, readings))
    ends = _open_ends(layout, readings, verdict)
    doubted = dict.fromkeys(beside_unsure(ends, readings), BESIDE)
    doubted |= dict.fromkeys(beyond_the_edge(ends, shape), BEYOND)
    if doubted:
        readings = _doubt(readings, doubted)
        verdict = judge_table(table, rules, unsure=_unsure_places(layout, readings))
    return readings, verdict


def _unsure_places(layout: Layout, readings: Readings) -> frozenset[Place]:
    return frozenset(
        (part, position)
        for part, placed in enumerate(layout.placed)
        for position, tile in enumerate(placed.tiles)
        if readings.readings[tile].unsure
    )


@dataclass(frozen=True, slots=True)
class OpenEnd:
    """Where a set that more tiles would mend may go on.

    Attributes
    ----------
    tile
        Number of its last tile there.
    after_img, step_img
        (2,) px: where the centre of a next tile would be, and how far that is from the last.
    """

    tile: int
    after_img: Floats
    step_img: Floats


def _open_ends(layout: Layout, readings: Readings, verdict: Verdict) -> list[OpenEnd]:
    centres = readings.quads_img.mean(1)
    ends: list[OpenEnd] = []
    for placed, part in zip(layout.placed, verdict.parts, strict=True):
        broken = {violation.code for violation in part.violations}
        if not broken or not broken <= CURABLE or len(placed.cells) > 1:
            continue
        tiles = placed.tiles
        if len(tiles) == 1:
            across = readings.quads_img[tiles[0], 1] - readings.quads_img[tiles[0], 0]
            steps = [(tiles[0], across), (tiles[0], -across)]
        else:
            steps = [
                (tiles[0], centres[tiles[0]] - centres[tiles[1]]),
                (tiles[-1], centres[tiles[-1]] - centres[tiles[-2]]),
            ]
        ends += [OpenEnd(tile, centres[tile] + step, step) for tile, step in steps]
    return ends


def beyond_the_edge(ends: Iterable[OpenEnd], shape: tuple[int, ...]) -> frozenset[int]:
    """Name the end tiles of sets that are too short where the picture stops.

    Parameters
    ----------
    shape
        Height and width of the picture, pixels, then anything.
    """
    height, width = shape[:2]
    return frozenset(
        end.tile
        for end in ends
        if not (0 <= end.after_img[0] <= width) or not (0 <= end.after_img[1] <= height)
    )


def beside_unsure(ends: Iterable[OpenEnd], readings: Readings) -> frozenset[int]:
    """Name the end tiles of sets that are too short where an unsure tile may go on."""
    centres = readings.quads_img.mean(1)
    unsure = [number for number, reading in enumerate(readings.readings) if reading.unsure]
    return frozenset(
        end.tile
        for end in ends
        for number in unsure
        if number != end.tile
        and np.linalg.norm(centres[number] - end.after_img)
        <= _OFF_STEPS * np.linalg.norm(end.step_img)
    )


def _doubt(readings: Readings, doubts: Mapping[int, str]) -> Readings:
    doubted = tuple(
        replace(reading, doubt=doubts[number]) if number in doubts else reading
        for number, reading in enumerate(readings.readings)
    )
    return replace(readings, readings=doubted)


class _Stopwatch:
    """Milliseconds since the last lap."""

    def __init__(self) -> None:
        self._start = perf_counter()

    def lap_ms(self) -> float:
        now = perf_counter()
        lap = (now - self._start) * 1000
        self._start = now
        return lap
