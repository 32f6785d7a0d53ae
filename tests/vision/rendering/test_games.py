"""The bundled games: what their scripts say is what the referee says, and what was filmed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from referee import load_ruleset, parse_table
from referee.judge import judge_table
from vision.recordings import bundled_recordings, frames_of, load_recording
from vision.rendering.games.film import film
from vision.rendering.games.script import ScriptError, load_script, same_tiles_lie, scenes
from vision.resources import resource_dir

if TYPE_CHECKING:
    from pathlib import Path

SCRIPTS = sorted(resource_dir("games").glob("*.toml"))
MEGABYTES = 15


def names(paths: Path) -> str:
    return paths.stem


def test_every_kind_of_evening_is_there() -> None:
    assert {path.stem for path in SCRIPTS} >= {
        "standard",
        "crazy",
        "keadle",
        "hands",
        "bump",
        "lamp",
    }


@pytest.mark.parametrize("path", SCRIPTS, ids=names)
def test_the_referee_agrees_with_the_script(path: Path) -> None:
    script = load_script(path)
    rules = load_ruleset(script.ruleset)
    for scene in scenes(script):
        said = (scene.step.legal, tuple(sorted(scene.step.codes)))
        assert (scene.legal, scene.codes) == said, f"scene {scene.number}: {scene.table}"
        assert all(count >= 0 for count in scene.racks.values())
        if scene.step.kind == "restore":
            assert same_tiles_lie(scene.before, scene.table)
        if scene.step.wins:
            assert scene.racks[scene.step.who] == 0
        if scene.legal:
            assert judge_table(scene.table, rules).ok


def test_the_demo_shows_all_that_a_round_has() -> None:
    script = load_script(resource_dir("games") / "standard.toml")
    played = list(scenes(script))
    illegal = [scene for scene in played if not scene.legal]
    assert len(illegal) >= 2
    assert {played[scene.number + 1].step.kind for scene in illegal} == {"turn", "restore"}
    assert played[-1].step.wins
    assert any(
        "J" in str(scene.before) and "O4" in str(scene.added[0])
        for scene in played[2:]
        if scene.added
    )  # the joker's place is taken


@pytest.mark.parametrize("path", SCRIPTS, ids=names)
def test_the_film_is_of_this_script(path: Path) -> None:
    recording = load_recording(path.with_suffix(".json"))
    script = load_script(path)
    told = [(s.scene, s.kind, s.table, s.legal, s.codes, s.racks) for s in recording.stills]
    expected = [
        (
            scene.number,
            scene.step.kind if scene.number else "start",
            str(scene.table),
            scene.legal,
            scene.codes,
            scene.racks,
        )
        for scene in scenes(script)
    ]
    assert told == expected
    for still in recording.stills:
        assert still.to_frame - still.from_frame + 1 >= 1.5 * recording.fps
        on_table = sorted(str(tile) for tile in parse_table(still.table).tiles)
        assert sorted(tile.tile for tile in still.tiles) == on_table


@pytest.mark.parametrize("path", SCRIPTS, ids=names)
def test_the_film_can_be_played(path: Path) -> None:
    recording = load_recording(path.with_suffix(".json"))
    count = 0
    for frame in frames_of(path.with_name(recording.video)):
        assert frame.shape == (recording.height, recording.width, 3)
        count += 1
    assert count == recording.frames


def test_stills_are_still_and_hands_move() -> None:
    recording = load_recording(bundled_recordings()["hands"])
    frames = list(frames_of(resource_dir("games") / recording.video))
    for still in recording.stills:
        first, last = frames[still.from_frame], frames[still.to_frame]
        assert np.abs(first.astype(int) - last).mean() < 4
    for span in recording.moving:
        before = frames[recording.stills[span.scene - 1].to_frame].astype(int)
        middle = frames[(span.from_frame + span.to_frame) // 2]
        assert (np.abs(before - middle).max(-1) > 30).mean() > 0.01


def test_the_films_are_small_enough_to_bundle() -> None:
    size = sum(path.stat().st_size for path in resource_dir("games").iterdir())
    assert size < MEGABYTES * 2**20


TINY = """
title = "t"
ruleset = "standard"
edition = "a"
places = { a = [-1.5, 0, 0] }
camera = { width_px = 160, height_px = 96, tile_px = 20 }
[[players]]
name = "Ann"
side = "near"
opened = true
[[steps]]
who = "Ann"
lay = { a = "R1 R2 R3" }
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "tiny.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_same_script_gives_the_same_film(tmp_path: Path) -> None:
    script = load_script(written(tmp_path, TINY))
    one, other = list(film(script)), list(film(script))
    assert len(one) == len(other)
    assert all(np.array_equal(a.pixels_bgr, b.pixels_bgr) for a, b in zip(one, other, strict=True))
    assert [label.name for label in one[-1].labels] == ["R1", "R2", "R3"]
    assert all(label.visible > 0.9 for label in one[-1].labels)


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('who = "Ann"', 'who = "Bob"', "step 1: nobody here is called 'Bob'"),
        ("lay = { a", "lay = { b", "step 1: 'b' is not under"),
        ("R1 R2 R3", "R1 R2 R33", "'R33'"),
        ('title = "t"', 'titel = "t"', "title"),
        ("[[steps]]", "[[steps", "not valid TOML"),
        ('side = "near"', 'side = "nearby"', "players.0.side"),
    ],
)
def test_a_mistake_in_a_script_is_named(
    old: str, new: str, complaint: str, tmp_path: Path
) -> None:
    with pytest.raises(ScriptError, match=complaint):
        load_script(written(tmp_path, TINY.replace(old, new)))
