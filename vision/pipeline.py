"""From a picture to a verdict, in four named stages: detect, read, lay out, judge."""

from __future__ import annotations

from dataclasses import dataclass, replace
from time import perf_counter
from typing import TYPE_CHECKING, Protocol

from vision.equipment import within_equipment
from vision.grouping import lay_out_sets
from vision.judging import judge_seen
from vision.lay_out import to_table
from vision.negative import is_better, may_be_dark, negative
from vision.overlooked import look_again
from vision.types import Picture, Timings

if TYPE_CHECKING:
    from referee.ruleset import Ruleset
    from referee.table import Table
    from referee.verdicts import Verdict
    from vision.types import Detections, Layout, Pixels, Readings


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
        """Read and judge a picture of (h, w, 3) uint8 BGR pixels under `rules`.

        Where next to nothing is read the tiles may be dark, and are read in its negative.
        """
        reading = self._read(pixels, rules)
        if may_be_dark(reading.readings):
            turned = self._read(negative(pixels), rules)
            if is_better(turned.readings, reading.readings):
                return replace(turned, timings=reading.timings + turned.timings)
        return reading

    def _read(self, pixels: Pixels, rules: Ruleset) -> TableReading:
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

        layout = lay_out_sets(readings, rules)
        table = to_table(layout, readings)
        lay_out_ms = watch.lap_ms()

        picture = Picture(pixels.shape, detections.hints_img, pixels)
        readings, verdict = judge_seen(layout, table, readings, rules, picture)
        judge_ms = watch.lap_ms()

        height_px, width_px = pixels.shape[:2]
        timings = Timings(detect_ms, read_ms, lay_out_ms, judge_ms, network_ms)
        return TableReading(
            width_px, height_px, detections, readings, layout, table, verdict, timings
        )


class _Stopwatch:
    """Milliseconds since the last lap."""

    def __init__(self) -> None:
        self._start = perf_counter()

    def lap_ms(self) -> float:
        now = perf_counter()
        lap = (now - self._start) * 1000
        self._start = now
        return lap
