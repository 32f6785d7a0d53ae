"""From a picture to a verdict, in four named stages: detect, read, lay out, judge."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple, Protocol

from vision.equipment import within_equipment
from vision.grouping import lay_out_sets
from vision.judging import judge_seen
from vision.lay_out import to_table
from vision.mirrored import unless_mirrored
from vision.negative import light_or_dark
from vision.reading.colours import is_grey
from vision.reading.overlooked import look_again
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


class Seen(NamedTuple):
    """The tiles that are seen in a picture, before anything is made of them.

    Attributes
    ----------
    pixels
        (h, w, 3) uint8 BGR: the picture, or its negative, that they were read in.
    detections, readings
        What was found, and what it reads as.
    timings
        What finding and reading took.
    """

    pixels: Pixels
    detections: Detections
    readings: Readings
    timings: Timings

    @property
    def picture(self) -> Picture:
        """What the picture shows beside them."""
        found = self.detections
        return Picture(self.pixels.shape, found.hints_img, found.glimpsed_img, self.pixels)

    @property
    def is_grey(self) -> bool:
        """Whether it has no colours: no number is sure in it, nor in its negative or a mirror."""
        return is_grey(self.pixels)


@dataclass(frozen=True, slots=True)
class TableReading:
    """All that is known of one picture, stage by stage.

    Attributes
    ----------
    width_px, height_px
        Size of the picture as a viewer shows it.
    readings, layout, table, verdict
        What the stages made of it. A tile's number is its place in `readings`, a set's number
        its place in `layout` and in `table`.
    by_themselves
        What the tiles read as before their sets raised doubts, and settled others.
    timings
        What each stage took.
    """

    width_px: int
    height_px: int
    readings: Readings
    by_themselves: Readings
    layout: Layout
    table: Table
    verdict: Verdict
    timings: Timings

    @property
    def as_rack(self) -> TableReading:
        """The same of a rack, whose tiles need not make sets: none is in doubt for its set."""
        return replace(self, readings=self.by_themselves)


@dataclass(frozen=True, slots=True)
class TableReader:
    """Reads pictures of tables; holds the networks, so make one and keep it."""

    detector: TileDetector
    face_reader: FaceReader

    def read(self, pixels: Pixels, rules: Ruleset) -> TableReading:
        """Read and judge a picture of (h, w, 3) uint8 BGR pixels under `rules`.

        A picture that reads far better in a mirror is not believed.
        """
        seen = self.see_unless_mirrored(pixels, two_dimensional=rules.two_dimensional)
        reading = lay_out_and_judge(seen.readings, rules, seen.picture)
        return replace(reading, timings=seen.timings + reading.timings)

    def see_unless_mirrored(
        self, pixels: Pixels, *, two_dimensional: bool, dark: bool = False
    ) -> Seen:
        """Find and read the tiles, light or dark, and doubt them all in a mirrored picture.

        Where the tiles were `dark` before, the negative is looked at first.
        """
        see = partial(self.see, two_dimensional=two_dimensional)
        return light_or_dark(partial(unless_mirrored, see=see), pixels, dark=dark)

    def see_light_or_dark(self, pixels: Pixels, *, two_dimensional: bool) -> Seen:
        """Find and read the tiles in a picture, as `see` does, or in its negative."""
        return light_or_dark(
            partial(self.see, two_dimensional=two_dimensional), pixels, dark=False
        )

    def see(
        self, pixels: Pixels, *, two_dimensional: bool, detections: Detections | None = None
    ) -> Seen:
        """Find and read the tiles in a picture of (h, w, 3) uint8 BGR pixels.

        Where sets don't cross, places are read again where a tile may have been missed.

        Parameters
        ----------
        detections
            What was found before in a picture like it; by default it is looked for.
        """
        watch = _Stopwatch()
        network_ms = 0.0
        if detections is None:
            detections = self.detector.detect(pixels)
            network_ms += self.detector.network_ms
        detect_ms = watch.lap_ms()

        first = self.face_reader.read(pixels, detections)
        network_ms += self.face_reader.network_ms
        readings = first if two_dimensional else look_again(pixels, first, self.face_reader)
        if readings is not first:
            network_ms += self.face_reader.network_ms
        timings = Timings(detect_ms, watch.lap_ms(), network=network_ms)
        return Seen(pixels, detections, readings, timings)


def lay_out_and_judge(readings: Readings, rules: Ruleset, picture: Picture) -> TableReading:
    """Make a judged table of the tiles that were read in a picture."""
    watch = _Stopwatch()
    by_themselves = within_equipment(readings, rules)
    layout = lay_out_sets(by_themselves, rules)
    table = to_table(layout, by_themselves)
    lay_out_ms = watch.lap_ms()

    readings, verdict = judge_seen(layout, table, by_themselves, rules, picture)
    timings = Timings(lay_out=lay_out_ms, judge=watch.lap_ms())
    height_px, width_px = picture.shape[:2]
    return TableReading(
        width_px, height_px, readings, by_themselves, layout, table, verdict, timings
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
