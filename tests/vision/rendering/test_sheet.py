"""The contact sheet: sets in strips, scenes in rows, photographs beside them where given."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import cv2
import numpy as np
from click.testing import CliRunner

from vision.rendering.sheet import SCENE_ROWS, SHEET_PX, main

if TYPE_CHECKING:
    from pathlib import Path


def test_scenes_stand_beside_the_photographs(tmp_path: Path) -> None:
    green = np.full((90, 120, 3), (20, 200, 20), np.uint8)
    cv2.imwrite(str(tmp_path / "photo.png"), green)
    labels = [{"photo": "photo.png", "width": 120, "height": 90, "tiles": []}]
    (tmp_path / "labels.json").write_text(json.dumps(labels), encoding="utf-8")
    heights = []
    for options in ([], ["--photos", str(tmp_path / "labels.json")]):
        out = tmp_path / "sheet.png"
        told = CliRunner().invoke(main, ["--out", str(out), *options])
        assert told.exit_code == 0, told.output
        sheet = cv2.imread(str(out))
        assert sheet is not None
        assert sheet.shape[1] == SHEET_PX
        assert f"{SHEET_PX} x {len(sheet)}" in told.output
        heights.append(len(sheet))
        shown = (sheet == green[0, 0]).all(-1).sum() > SHEET_PX**2 / 16
        assert shown == bool(options)
    assert heights[1] > heights[0] > SCENE_ROWS * SHEET_PX // 3


def test_a_sheet_that_cannot_be_made_says_why(tmp_path: Path) -> None:
    broken = tmp_path / "labels.json"
    broken.write_text("[", encoding="utf-8")
    told = CliRunner().invoke(main, ["--out", "x.png", "--photos", str(broken)])
    assert told.exit_code == 1
    assert "labels.json" in told.output
