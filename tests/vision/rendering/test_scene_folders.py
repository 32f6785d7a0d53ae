"""Folders of scenes of what few sets have, and of dark tiles."""

from __future__ import annotations

import colorsys
import json
from collections import Counter
from functools import partial
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from vision.crops import straighten
from vision.pictures import load_picture
from vision.quads import rectangle
from vision.rendering import scene_folders
from vision.rendering.__main__ import main
from vision.rendering.editions import edition_names
from vision.rendering.labels import Label
from vision.rendering.scene import Scene
from vision.rendering.scene_folders import Wanted, made_boxes, render_batch

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from vision.rendering.editions import Edition, Ink
    from vision.types import Pixels


@pytest.mark.parametrize(
    ("named", "least", "has"),
    [
        (("lettering",), 0.35, lambda edition: edition.joker.style == "lettering"),
        (("grounds",), 0.35, lambda edition: edition.digit.ground != "none"),
        (("wood",), 0.35, lambda edition: edition.body.grain > 0),
        (("middle",), 0.35, lambda edition: abs(edition.digit.centre_y - 0.5) < 0.04),
        # Both are asked of made-up sets, and brown is not looked for.
        (("any_inks", "other_inks"), 0.25, lambda edition: _has_green_or_violet(edition.ink)),
    ],
)
def test_most_sets_have_what_is_asked_for(
    named: tuple[str, ...], least: float, has: Callable[[Edition], bool]
) -> None:
    def share(*mostly: str) -> float:
        rng = np.random.default_rng(7)
        boxes = [box for _ in range(30) for box in made_boxes(rng, mostly=mostly)]
        return float(np.mean([has(box.edition) for box in boxes]))

    assert share() < 0.2
    assert share(*named) > max(least, 2 * share())


def _has_green_or_violet(inks: Ink) -> bool:
    seen = (colorsys.rgb_to_hsv(*rgb) for _, rgb in inks)
    hues = [hue for hue, saturation, _ in seen if saturation > 0.4]
    return any(0.25 < hue < 0.42 or 0.71 < hue < 0.85 for hue in hues)


def test_the_tiles_of_two_sets_lie_on_one_table_where_they_are_mixed() -> None:
    rng = np.random.default_rng(3)
    for box in made_boxes(rng, mixed=True):
        one, other = box.sets
        assert one.edition.ink != other.edition.ink
        assert (one.tall, one.thick) == (other.tall, other.thick)
        drawn = Counter(id(box.any_set(rng)) for _ in range(60))
        assert min(drawn[id(one)], drawn[id(other)]) > 10
    for box in made_boxes(rng):
        assert box.sets == (box,)
        assert box.any_set(rng) is box


def test_dark_tiles_are_light_in_the_pictures_that_networks_learn_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scene_folders, "BATCH", 3)
    dark = partial(made_boxes, dark=True)

    def bodies(*, negated: bool) -> float:
        wanted = Wanted(400, (40.0, 60.0), "sets", (70.0, 90.0), dark, negated=negated)
        lines = render_batch(tmp_path, 3, 0, wanted)
        found = [body for line in lines for body in _bodies(tmp_path, json.loads(line))]
        assert len(found) > 5
        return float(np.mean(found))

    assert bodies(negated=True) > bodies(negated=False) + 60


def test_scenes_may_be_drawn_by_another_renderer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scene_folders, "BATCH", 2)
    grey = Label("R7", rectangle(0, 0, 20, 30), 1.0, 1.0)

    def other(*_: object, **__: object) -> Scene:
        return Scene(np.full((90, 90, 3), 77, np.uint8), (grey,))

    lines = render_batch(tmp_path, 3, 0, Wanted(90, draw=other))
    for record in map(json.loads, lines):
        assert [tile["tile"] for tile in record["tiles"]] == ["R7"]
        assert np.unique(load_picture(tmp_path / record["photo"])).tolist() == [77]


def test_without_blender_it_is_said_how_to_trace_scenes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vision.rendering.traced.blender.find_spec", lambda _: None)
    result = CliRunner().invoke(main, ["--out", str(tmp_path / "out"), "--rays", "3"])
    assert result.exit_code == 1
    assert "`make trace`, with Python 3.11, installs it" in result.output
    assert not (tmp_path / "out").exists()


def test_an_edition_that_is_none_is_answered_with_those_that_are(tmp_path: Path) -> None:
    told = CliRunner().invoke(main, ["--out", str(tmp_path / "out"), "--without", "z"])
    assert told.exit_code == 2
    assert "'z' is not one of" in told.output
    assert all(repr(name) in told.output for name in edition_names())
    assert not (tmp_path / "out").exists()


def _bodies(folder: Path, record: dict[str, object]) -> list[float]:
    """Return how light the plastic of each tile is that is wholly seen."""
    pixels: Pixels = np.asarray(cv2.imread(str(folder / str(record["photo"]))), np.uint8)
    tiles: list[dict[str, object]] = record["tiles"]  # type: ignore[assignment]
    return [
        float(np.median(straighten(pixels, np.array(tile["quad"], np.float32), (32, 48), -0.1)))
        for tile in tiles
        if float(str(tile["visible"])) > 0.9
    ]
