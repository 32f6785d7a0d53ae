"""Recorded games: reading what is true in a film, and the film itself."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from vision.recordings import RecordingError, bundled_recordings, frames_of, load_recording

if TYPE_CHECKING:
    from pathlib import Path


def test_spans_follow_one_another_without_a_gap() -> None:
    for path in bundled_recordings().values():
        recording = load_recording(path)
        stills = [(still.from_frame, still.to_frame) for still in recording.stills]
        spans = sorted((*stills, *((span.from_frame, span.to_frame) for span in recording.moving)))
        assert spans[0][0] == 0
        assert spans[-1][1] == recording.frames - 1
        assert all(one[1] + 1 == other[0] for one, other in pairwise(spans))
        assert [still.scene for still in recording.stills] == list(range(len(recording.stills)))


def test_corners_lie_in_the_picture_clockwise_from_the_top_left() -> None:
    recording = load_recording(bundled_recordings()["standard"])
    for tile in recording.stills[-1].tiles:
        (ax, ay), (bx, by), (cx, cy), _ = tile.quad
        assert 0 <= ax < bx < recording.width
        assert 0 <= min(ay, by) < cy < recording.height
        assert cx > ax


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match=r"none\.json: No such file"):
        load_recording(tmp_path / "none.json")


def test_a_malformed_file_is_named_with_the_place(tmp_path: Path) -> None:
    path = bundled_recordings()["bump"]
    entries = json.loads(path.read_text(encoding="utf-8"))
    entries["stills"][1]["kind"] = "guess"
    broken = tmp_path / "broken.json"
    broken.write_text(json.dumps(entries), encoding="utf-8")
    with pytest.raises(RecordingError, match=r"broken\.json: stills\.1\.kind"):
        load_recording(broken)


def test_a_film_that_cannot_be_opened_is_named(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match=r"none\.mp4: no film"):
        next(frames_of(tmp_path / "none.mp4"))
