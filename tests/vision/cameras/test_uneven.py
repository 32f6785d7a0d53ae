"""A film whose frames last unequally long, as phones and screen recorders make them."""

from __future__ import annotations

import struct
from itertools import pairwise
from typing import TYPE_CHECKING

import cv2
import pytest

from tests.vision.cameras.fakes import noise
from vision.cameras.captures import VideoFile

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

FPS = 10
BOXES = (b"moov", b"trak", b"mdia", b"minf", b"stbl")


def film(path: Path, lasting: Sequence[int]) -> Path:
    """Write a film of which each frame lasts so many tenths of a second."""
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), FPS, (64, 48))
    for seed in range(len(lasting)):
        writer.write(noise(seed))
    writer.release()
    data = path.read_bytes()
    at = data.index(b"stts")
    (size,) = struct.unpack(">I", data[at - 4 : at])
    _, count, _, tick = struct.unpack(">IIII", data[at + 4 : at + 20])
    assert count == 1
    entries = b"".join(struct.pack(">II", 1, tick * tenths) for tenths in lasting)
    times = b"stts" + struct.pack(">II", 0, len(lasting)) + entries
    longer = len(times) + 4 - size
    data = data[: at - 4] + struct.pack(">I", size + longer) + times + data[at - 4 + size :]
    for box in BOXES:
        start = data.index(box) - 4
        (size,) = struct.unpack(">I", data[start : start + 4])
        data = data[:start] + struct.pack(">I", size + longer) + data[start + 4 :]
    path.write_bytes(data.replace(b"edts", b"free"))
    return path


def played(path: Path, speed: float = 1.0) -> list[tuple[float, int]]:
    """Return when something is shown, and which frame it is."""
    now = [0.0]

    def wait(seconds: float) -> None:
        now[0] += seconds

    camera = VideoFile(path, speed=speed, clock=lambda: now[0], wait=wait)
    camera.open()
    shown: list[tuple[float, int]] = []
    seen: list[bytes] = []
    while (pixels := camera.grab()) is not None:
        if pixels.tobytes() not in seen:
            seen.append(pixels.tobytes())
        shown.append((round(now[0], 3), seen.index(pixels.tobytes())))
    camera.close()
    return shown


@pytest.mark.parametrize("speed", [1.0, 2.0])
def test_frames_are_shown_when_they_are_due(tmp_path: Path, speed: float) -> None:
    shown = played(film(tmp_path / "uneven.mp4", [1, 4, 2, 1, 1]), speed)
    assert shown == [
        (0.0, 0),
        (0.1 / speed, 1),
        (0.5 / speed, 2),
        (0.7 / speed, 3),
        (0.8 / speed, 4),
    ]


def test_a_frame_that_lasts_is_shown_again_until_the_next_is_due(tmp_path: Path) -> None:
    shown = played(film(tmp_path / "still.mp4", [1, 20, 1]))
    assert [number for _, number in shown] == [0] + [1] * 9 + [2]
    assert [time for time, _ in shown][-1] == pytest.approx(2.1)
    gaps = [after - before for (before, _), (after, _) in pairwise(shown)]
    assert max(gaps) <= 0.5


def test_frames_of_equal_length_are_shown_once_each(tmp_path: Path) -> None:
    assert [n for _, n in played(film(tmp_path / "even.mp4", [2] * 6))] == [0, 1, 2, 3, 4, 5]
