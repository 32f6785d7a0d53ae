from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from tests.fakes import NOTHING_READ
from tests.vision.watching.made_scenes import HEIGHT_PX, WIDTH_PX, Scene, row
from vision.pipeline import TableReader
from vision.recordings import frames_of, load_recording
from vision.types import Detections, Readings
from vision.watching.replay import replay
from web.cli import cli

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from vision.types import Pixels

BEFORE = Scene({**row(150, 120, "R3 R4 R5"), **row(500, 120, "B7 K7 O7")})
AFTER = replace(BEFORE, tiles={**BEFORE.tiles, (261, 120): "R6"})
HANDS = [(280, 400), (280, 250), (280, 150), (280, 260), (280, 410)]


class SeeingReader:
    """Tells the two tables apart by whether a tile lies at the end of the run."""

    network_ms = 0.0

    def __init__(self) -> None:
        self._readings = BEFORE.readings()

    def detect(self, pixels: Pixels) -> Detections:
        scale = pixels.shape[1] / WIDTH_PX
        lies = pixels[round(165 * scale), round(279 * scale)].mean() > 170
        readings = (AFTER if lies else BEFORE).readings()
        self._readings = replace(readings, quads_img=readings.quads_img * np.float32(scale))
        return Detections(self._readings.quads_img, np.ones(len(self._readings), np.float32))

    def read(self, pixels: Pixels, detections: Detections) -> Readings:
        assert pixels.shape[1] >= WIDTH_PX
        if not detections.confidences.any():
            return NOTHING_READ
        assert len(detections) == len(self._readings)
        return self._readings


def still(scene: int, first: int, last: int, table: str) -> dict[str, object]:
    return {
        "scene": scene,
        "from_frame": first,
        "to_frame": last,
        "kind": "turn" if scene else "start",
        "player": "Ann" if scene else "",
        "before": "",
        "table": table,
        "added": "",
        "legal": True,
        "codes": [],
        "wins": False,
        "racks": {},
        "tiles": [],
    }


def write_film(path: Path, frames: Sequence[Pixels]) -> None:
    film = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), 5, (WIDTH_PX, HEIGHT_PX))
    for pixels in frames:
        film.write(pixels)
    film.release()


@pytest.fixture
def game(tmp_path: Path) -> Path:
    scenes = [BEFORE] * 8 + [replace(AFTER, hand=hand) for hand in HANDS] + [AFTER] * 8
    write_film(tmp_path / "made.mp4", [scene.pixels(n) for n, scene in enumerate(scenes)])
    last = len(scenes) - 1
    recording = {
        "title": "A made game",
        "ruleset": "standard",
        "video": "made.mp4",
        "width": WIDTH_PX,
        "height": HEIGHT_PX,
        "fps": 5,
        "frames": len(scenes),
        "players": [{"name": "Ann", "rack": 14, "opened": True}],
        "stills": [
            still(0, 0, 7, "R3 R4 R5 | B7 K7 O7"),
            still(1, 13, last, "B7 K7 O7 | R3 R4 R5 R6"),
        ],
        "moving": [],
    }
    path = tmp_path / "made.json"
    path.write_text(json.dumps(recording), encoding="utf-8")
    return path


@pytest.mark.parametrize("full_hd", [False, True])
def test_a_replay_counts_what_was_known_in_time(game: Path, *, full_hd: bool) -> None:
    seeing = SeeingReader()
    reader = TableReader(seeing, seeing)
    result = replay(load_recording(game), game.with_name("made.mp4"), reader, full_hd=full_hd)
    assert (result.right, result.wrong, result.phantoms) == (2, 0, 0)
    assert not result.notes
    assert len(result.late_s) == 2
    assert max(result.late_s) <= 1.0
    assert len(result.quiet_ms) >= 6


def test_a_hand_that_is_out_of_the_picture_moves_nothing(game: Path) -> None:
    recording = load_recording(game)
    stills = (recording.stills[0], recording.stills[1].model_copy(update={"from_frame": 17}))
    seeing = SeeingReader()
    result = replay(
        recording.model_copy(update={"stills": stills}),
        game.with_name("made.mp4"),
        TableReader(seeing, seeing),
    )
    assert (result.right, result.wrong, result.phantoms) == (2, 0, 0)
    assert result.late_s[1] == 0


def test_a_table_that_settles_while_the_hand_is_there_is_a_phantom(game: Path) -> None:
    recording = load_recording(game)
    stills = (recording.stills[0].model_copy(update={"from_frame": 7}), recording.stills[1])
    film = [*frames_of(game.with_name("made.mp4"))]
    film[:7] = [film[10]] * 7
    game.with_name("made.mp4").unlink()
    write_film(game.with_name("made.mp4"), film)
    seeing = SeeingReader()
    result = replay(
        recording.model_copy(update={"stills": stills}),
        game.with_name("made.mp4"),
        TableReader(seeing, seeing),
    )
    assert result.phantoms == 1
    assert "settled in a movement" in result.notes[-1]


def test_a_wrong_table_is_noted(game: Path) -> None:
    recording = load_recording(game)
    stills = (recording.stills[0], recording.stills[1].model_copy(update={"table": "B7 K7 O7"}))
    seeing = SeeingReader()
    result = replay(
        recording.model_copy(update={"stills": stills}),
        game.with_name("made.mp4"),
        TableReader(seeing, seeing),
        live=True,
    )
    assert (result.right, result.wrong) == (1, 1)
    assert "still 1 (turn): R3 R4 R5 R6 | B7 K7 O7 for B7 K7 O7" in result.notes


def test_the_command_sums_up_every_game(game: Path) -> None:
    seeing = SeeingReader()
    answer = CliRunner().invoke(
        cli, ["bench", "watch", str(game)], obj=lambda _: TableReader(seeing, seeing)
    )
    assert answer.exit_code == 0, answer.output
    assert "made: 2 of 2 still tables right, 0 phantoms" in answer.output


def test_the_command_says_which_game_is_missing(tmp_path: Path) -> None:
    seeing = SeeingReader()
    answer = CliRunner().invoke(
        cli,
        ["bench", "watch", str(tmp_path / "none.json")],
        obj=lambda _: TableReader(seeing, seeing),
    )
    assert answer.exit_code == 1
    assert "none.json" in answer.output
