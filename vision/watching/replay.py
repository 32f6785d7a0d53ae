"""Play a recorded game before a watcher, and hold what it says against what is true."""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING

import cv2
import numpy as np

from referee import load_ruleset
from vision.recordings import frames_of
from vision.watching.glance import Glance
from vision.watching.motion import nearly_identical
from vision.watching.watcher import Watcher

if TYPE_CHECKING:
    from pathlib import Path

    from vision.pipeline import TableReader
    from vision.recordings import Recording, Still
    from vision.types import Pixels
    from vision.watching.sights import Sight

FULL_HD = (1920, 1080)
_WIDTH_PX = 320


@dataclass(frozen=True, slots=True)
class FilmFrame:
    """A frame of a film, at the film's own time."""

    pixels: Pixels
    number: int
    taken_s: float


@dataclass(slots=True)
class Replay:
    """What came of playing a film.

    Attributes
    ----------
    right, wrong
        Still tables that were known, or not, when they ended.
    phantoms
        Tables that settled while something moved.
    late_s
        From the end of each movement to the settled table, in seconds: the film's, and where it
        was played live those that looking took.
    quiet_ms, read_ms
        What looking took, frame by frame, where nothing had changed and where tiles were read.
    notes
        What went wrong, in words.
    """

    right: int = 0
    wrong: int = 0
    phantoms: int = 0
    late_s: list[float] = field(default_factory=list)
    quiet_ms: list[float] = field(default_factory=list)
    read_ms: list[float] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def text(self) -> str:
        """Sum it up in a line."""
        return (
            f"{self.right} of {self.right + self.wrong} still tables right, "
            f"{self.phantoms} phantoms; settled after {_spread(self.late_s, 's')}; "
            f"unchanged frame {_spread(self.quiet_ms, 'ms')}; read {_spread(self.read_ms, 'ms')}"
        )


def _spread(values: list[float], unit: str) -> str:
    return f"{median(values):.1f} {unit} (most {max(values):.1f})" if values else "-"


@dataclass(slots=True)
class _Player:
    """Gives frames to a watcher at their times, and notes what it says of each.

    Attributes
    ----------
    live
        Whether frames are missed while the watcher is busy, as a camera's are.
    """

    watcher: Watcher
    fps: int
    live: bool
    result: Replay
    sights: dict[int, tuple[float, Sight]] = field(default_factory=dict)
    free_s: float = 0.0
    _still_since: dict[int, int] = field(default_factory=dict)
    _rest: tuple[int, Glance] | None = None

    def note(self, pixels: Pixels, number: int) -> None:
        """Note since which frame the picture has been as it is."""
        glance = Glance.of(pixels, _WIDTH_PX)
        if self._rest is None or not nearly_identical(self._rest[1], glance):
            self._rest = number, glance
        self._still_since[number] = self._rest[0]

    def frames_of(self, still: Still) -> range:
        """Return the frames in which a still is seen.

        A hand that has left the picture is on its way for some frames yet, and nobody can see it.
        """
        return range(self._still_since.get(still.from_frame, still.from_frame), still.to_frame + 1)

    def give(self, pixels: Pixels, number: int) -> None:
        taken_s = number / self.fps
        # A frame is missed if the next one is there before the watcher is free again.
        if self.live and self.free_s >= (number + 1) / self.fps:
            return
        begun_s = perf_counter()
        sight = self.watcher.look(FilmFrame(pixels, number, taken_s))
        took_s = perf_counter() - begun_s
        self.free_s = max(self.free_s, taken_s) + took_s
        self.sights[number] = (self.free_s if self.live else taken_s, sight)
        if sight.fresh:
            self.result.read_ms.append(took_s * 1000)
        elif sight.still:
            self.result.quiet_ms.append(took_s * 1000)


def replay(
    recording: Recording,
    video: Path,
    reader: TableReader,
    *,
    live: bool = False,
    full_hd: bool = False,
) -> Replay:
    """Play a film before a new watcher.

    Parameters
    ----------
    live
        Whether frames are missed while the watcher is busy, as a camera's are.
    full_hd
        Whether to make frames 1920 x 1080 first.

    Raises
    ------
    RecordingError
        If the film cannot be opened.
    """
    watcher = Watcher(reader, load_ruleset(recording.ruleset))
    player = _Player(watcher, recording.fps, live, Replay())
    for number, pixels in enumerate(frames_of(video)):
        player.note(pixels, number)
        player.give(_full_hd(pixels) if full_hd else pixels, number)
    for still in recording.stills:
        _check(still, player)
    inside = {number for still in recording.stills for number in player.frames_of(still)}
    fresh = {number for number, (_, sight) in player.sights.items() if sight.fresh}
    player.result.phantoms = len(fresh - inside)
    player.result.notes += [f"frame {n}: settled in a movement" for n in sorted(fresh - inside)]
    return player.result


def _check(still: Still, player: _Player) -> None:
    """Compare what is known when a still ends with what lies there, and note when it was."""
    frames = player.frames_of(still)
    shown = [player.sights[number] for number in frames if number in player.sights]
    settled = shown[-1][1].settled if shown else None
    said = "" if settled is None else str(settled.table)
    if settled is not None and _parts(said) == _parts(still.table):
        player.result.right += 1
    else:
        player.result.wrong += 1
        player.result.notes.append(f"still {still.scene} ({still.kind}): {said} for {still.table}")
    times = [time_s for time_s, sight in shown if sight.fresh]
    if times:
        # Where nobody saw the movement end, the table may have settled before its end.
        player.result.late_s.append(max(0.0, times[0] - still.from_frame / player.fps))


def _parts(table: str) -> list[str]:
    """Return the sets in an order of their own: where they lie is not what is compared."""
    return sorted(" ".join(part.split()) for part in table.split("|") if part.strip())


def _full_hd(pixels: Pixels) -> Pixels:
    return np.asarray(cv2.resize(pixels, FULL_HD, interpolation=cv2.INTER_CUBIC), np.uint8)
