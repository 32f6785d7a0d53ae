"""Recorded games before the watcher, with a reader that knows what lies there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from referee import Tile, load_ruleset
from tests.fakes import NOTHING_READ
from tests.vision.watching.made_scenes import Frame
from vision.pipeline import TableReader
from vision.recordings import bundled_recordings, frames_of, load_recording
from vision.types import Detections, Reading, Readings
from vision.watching import Phase, Watcher

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from vision.recordings import Recording, Still
    from vision.types import Pixels
    from vision.watching import SettledTable, Sight

GAMES = bundled_recordings()
UNSEEN_FRAMES = 2


class TruthReader:
    """Reads what the recording says of a frame; refuses frames in which something moves.

    A hand that is on its way in or out may not be in the picture yet, or any more.
    """

    network_ms = 0.0

    def __init__(self, recording: Recording) -> None:
        self._stills = recording.stills
        self.number = 0

    def still(self, slack: int = UNSEEN_FRAMES) -> Still | None:
        return next(
            (
                still
                for still in self._stills
                if still.from_frame - slack <= self.number <= still.to_frame + slack
            ),
            None,
        )

    def detect(self, pixels: Pixels) -> Detections:
        assert pixels.ndim == 3
        still = self.still()
        assert still is not None, f"read in a movement: frame {self.number}"
        quads = np.array([tile.quad for tile in still.tiles], np.float32).reshape(-1, 4, 2)
        return Detections(quads, np.ones(len(quads), np.float32))

    def read(self, pixels: Pixels, detections: Detections) -> Readings:
        assert pixels.ndim == 3
        still = self.still()
        assert still is not None
        if not detections.confidences.any():
            return NOTHING_READ
        faces = tuple(Reading(Tile.parse(tile.tile), 0.99) for tile in still.tiles)
        return Readings(detections.quads_img, faces)


def sights_of(path: Path) -> list[tuple[Still | None, Sight]]:
    recording = load_recording(path)
    truth = TruthReader(recording)
    watcher = Watcher(TableReader(truth, truth), load_ruleset(recording.ruleset))
    sights = []
    for number, pixels in enumerate(frames_of(path.with_name(recording.video))):
        truth.number = number
        sight = watcher.look(Frame(pixels, number, number / recording.fps))
        if sight.fresh:
            assert truth.still() is not None, "a table settled while something moved"
        sights.append((truth.still(slack=0), sight))
    return sights


def said(settled: SettledTable) -> list[str]:
    return sorted(str(part) for part in settled.table.parts)


def lying(still: Still) -> list[str]:
    return sorted(" ".join(part.split()) for part in still.table.split("|") if part.strip())


# Three of the six: with the networks, all are tried where they are played at a live table.
@pytest.mark.parametrize("name", ["bump", "hands", "lamp"])
def test_every_still_table_of_a_game_is_known_before_it_ends(name: str) -> None:
    sights = sights_of(GAMES[name])
    for (still, sight), (following, _) in zip(sights, [*sights[1:], (None, None)], strict=True):
        if still is None or still == following:
            continue
        assert sight.phase is Phase.STABLE, f"still {still.scene}"
        assert sight.settled is not None
        assert said(sight.settled) == lying(still), f"still {still.scene}"
        doubted = [tile.reading.doubt for tile in sight.settled.tiles if tile.status != "seen"]
        assert not doubted, f"still {still.scene}"
    assert_ids_are_kept(sights)


def assert_ids_are_kept(sights: Sequence[tuple[Still | None, Sight]]) -> None:
    """Nobody touches a tile between one bump and the next, or while lamps are switched."""
    before: dict[int, str] = {}
    for still, sight in sights:
        if still is None or sight.settled is None or still.kind not in {"bump", "lamp"}:
            continue
        now = {tile.id: str(tile.reading.tile) for tile in sight.settled.tiles}
        assert before.items() <= now.items()
        before = now
