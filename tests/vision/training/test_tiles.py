"""What is done to single tiles before they are learnt from."""

from __future__ import annotations

import numpy as np
import pytest

from vision.training.tiles import (
    CALLED,
    CIRCLED,
    DIAMETER,
    DIMMED,
    DIMNESS,
    EMBOSSED,
    SHADING,
    SMALLER,
    SMALLEST_SIDE_PX,
    STRAY,
    STROKE,
    TINTED,
    cover,
    degrade,
    dimmed,
    faded,
    glare,
    poorly_taken,
    reshot,
    restyle,
    shrinking,
)


def test_hardly_a_tile_loses_its_colours() -> None:
    """Grey is what black looks like: were it often a red tile's, black would be doubted."""
    rng = np.random.default_rng(1)
    red = np.full((48, 32, 3), (40, 40, 200), np.uint8)
    grey = 0
    for _ in range(1000):
        channels = degrade(rng, red, 32.0).reshape(-1, 3).mean(0)
        grey += float(np.ptp(channels)) < 8
    assert 0 < grey < 40


def test_tiles_shrink_to_the_smallest_that_is_learnt() -> None:
    """The smallest tiles of a picture are the likeliest to be misread, so all sizes are learnt."""
    rng = np.random.default_rng(2)
    sides = np.array([64 * shrinking(rng, 64.0) for _ in range(500)])
    assert sides.min() >= SMALLEST_SIDE_PX
    assert sides.min() < SMALLEST_SIDE_PX + 1
    assert sides.max() <= 0.8 * 64
    assert np.median(sides) < (SMALLEST_SIDE_PX + 0.8 * 64) / 2  # small ones more often than even


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_as_many_pictures_as_asked_for_come_through_a_video_call(share: float) -> None:
    """It sends fewer pixels, so that neighbours become alike."""
    rng = np.random.default_rng(3)
    noise = rng.choice(np.array([60, 180], np.uint8), (64, 64, 3))
    seen = [reshot(rng, noise, share).mean(2) for _ in range(80)]
    alike = [float(np.diff(picture, axis=0).std() / picture.std()) < 1.2 for picture in seen]
    assert np.mean(alike) == pytest.approx(share, abs=0.15)


def test_a_dark_room_takes_most_of_the_light_and_adds_grain() -> None:
    """Grain is what a poor sensor has of a dark room, where the picture itself is even."""
    rng = np.random.default_rng(4)
    even = np.full((64, 64, 3), 200, np.uint8)
    dark = [dimmed(rng, even).astype(np.float64) for _ in range(40)]
    means = np.array([picture.mean() for picture in dark])
    assert DIMNESS[0] * 200 - 3 < means.min() < means.max() < DIMNESS[1] * 200 + 3
    assert min(picture.std() for picture in dark) > 0.5
    assert max(picture.std() for picture in dark) > 5


def test_most_pictures_are_learnt_from_as_they_are() -> None:
    rng = np.random.default_rng(5)
    noise = rng.choice(np.array([60, 180], np.uint8), (64, 64, 3))
    seen = [poorly_taken(rng, noise) for _ in range(300)]
    as_it_is = np.mean([np.array_equal(picture, noise) for picture in seen])
    darker = np.mean([picture.mean() < 0.6 * noise.mean() for picture in seen])
    assert as_it_is == pytest.approx((1 - CALLED) * (1 - DIMMED), abs=0.1)
    assert darker == pytest.approx((1 - CALLED) * DIMMED, abs=0.07)


@pytest.mark.parametrize("reach", [0.1, 0.5])
def test_what_covers_a_tile_reaches_as_far_as_it_is_told(reach: float) -> None:
    """From either side, and where it does not lie the tile is as it was."""
    rng = np.random.default_rng(6)
    tile, cloak = np.full((96, 64, 3), 230, np.uint8), np.full((96, 64, 3), 20, np.uint8)
    sides = set()
    for _ in range(40):
        middle = cover(rng, tile, cloak, reach)[47:49].mean((0, 2))
        hidden = middle < 125
        assert hidden.mean() == pytest.approx(reach, abs=0.04)
        assert middle.min() < 60
        assert middle.max() > 225
        sides.add(bool(hidden[0]))
    assert sides == {True, False}


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_a_shaken_camera_smears_what_is_fine(
    share: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vision.training.tiles.SHAKEN", share)
    rng = np.random.default_rng(5)
    noise = rng.choice(np.array([60, 180], np.uint8), (96, 64, 3))
    # So narrow a tile is not made smaller yet.
    smeared = [degrade(rng, noise, SMALLEST_SIDE_PX).std() < 35 for _ in range(60)]
    assert np.mean(smeared) > 0.9 if share else np.mean(smeared) < 0.5


def test_strokes_are_bent_no_further_than_told_and_grow_and_shrink(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("vision.training.tiles.SHRUNK", 0)
    monkeypatch.setattr("vision.training.tiles.EMBOSSED", 0)
    rng = np.random.default_rng(8)
    crop = np.full((96, 64, 3), 230, np.uint8)
    crop[:, 30:36] = (40, 40, 200)
    shown = [restyle(rng, crop)[16:80] for _ in range(60)]
    inked = [each[..., 1] < 135 for each in shown]
    widths = [float(rows.sum(1).mean()) for rows in inked]
    most = 2 * round(STROKE[1] * 64)
    assert 6 - most - 0.5 < min(widths) < 4
    assert 8 < max(widths) < 6 + most + 1
    middles = np.array([(rows * np.arange(64)).sum(1) / rows.sum(1) for rows in inked])
    off = np.abs(middles - 32.5).max(1)
    assert off.max() < STRAY[1] * 64 + 1.5
    assert off.min() < 1
    assert np.median(np.ptp(middles, axis=1)) > 1
    for each in shown:
        assert each[:, :20].min() > 220
        assert np.abs(each.min((0, 1)).astype(int) - (40, 40, 200)).max() < 30


def test_numbers_become_smaller_about_the_middle_and_tiles_do_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("vision.training.tiles.SHRUNK", 1)
    monkeypatch.setattr("vision.training.tiles.STRAY", (0, 0))
    monkeypatch.setattr("vision.training.tiles.RESTROKED", 0)
    monkeypatch.setattr("vision.training.tiles.EMBOSSED", 0)
    rng = np.random.default_rng(9)
    crop = np.full((192, 128, 3), 60, np.uint8)
    crop[12:180, 8:120] = 230  # a tile on a dark table
    crop[64:116, 48:80] = (40, 40, 200)
    shown = [restyle(rng, crop) for _ in range(60)]
    areas = [int((each[20:-20, 16:-16, 1] < 135).sum()) / (52 * 32) for each in shown]
    assert SMALLER[0] ** 2 - 0.05 < min(areas) < 0.45
    assert 0.9 < max(areas) < 1.1
    for each in shown:
        body = np.argwhere(each[..., 1] > 145)
        assert np.abs(body.min(0) - (12, 8)).max() <= 4
        assert np.abs(body.max(0) - (179, 119)).max() <= 4


def test_circles_are_embossed_as_strongly_as_told_and_about_the_number(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for part in ("SHRUNK", "RESTROKED"):
        monkeypatch.setattr(f"vision.training.tiles.{part}", 0)
    monkeypatch.setattr("vision.training.tiles.STRAY", (0, 0))
    rng = np.random.default_rng(10)
    plain = np.full((192, 128, 3), 120, np.uint8)
    shown = [restyle(rng, plain).astype(int) - 120 for _ in range(200)]
    circles = [each for each in shown if each.any()]
    assert abs(len(circles) / len(shown) - EMBOSSED) < 0.1
    depths = [float(np.abs(each).max()) / 120 for each in circles]
    assert SHADING[0] / 2 < min(depths) < 0.15
    assert 0.8 * SHADING[1] < max(depths) < SHADING[1] + 0.01
    for each in circles:  # one side is lit as much as the other is shaded
        assert abs(each.max() + each.min()) <= 0.2 * each.max() + 2
        rows, columns = np.nonzero(np.abs(each[..., 0]) > 0.5 * np.abs(each).max())
        assert np.ptp(columns) < 1.3 * DIAMETER[1] * 128
        assert 0.1 * 192 < rows.mean() < 0.85 * 192


@pytest.mark.parametrize("contrast", [0.0, 0.2])
def test_as_much_of_a_number_is_left_as_told_and_its_tile_stays(
    contrast: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(12)
    crop = np.full((96, 64, 3), 200, np.uint8)
    crop[30:60, 26:38] = 20
    crop[:3] = 90  # the table beside it
    monkeypatch.setattr("vision.training.tiles.CIRCLED", 0)
    shown = [faded(rng, crop, contrast).astype(int) for _ in range(40)]
    left = [each[80, 32].mean() - each[45, 32].mean() for each in shown]
    faces = [each[80, 32].mean() for each in shown]
    assert min(faces) == pytest.approx(200, abs=10)
    assert max(faces) > 225
    for ink in left:
        assert ink == pytest.approx(contrast * 180, abs=2)
    assert all((each[:3] == 90).all() for each in shown)


def test_a_circle_is_about_most_of_what_has_faded() -> None:
    rng = np.random.default_rng(13)
    plain = np.full((96, 64, 3), 120, np.uint8)
    shown = [faded(rng, plain, 0.0) for _ in range(200)]
    circled = np.mean([np.ptp(each[20:-20, 14:-14].astype(int)) > 4 for each in shown])
    assert circled == pytest.approx(CIRCLED, abs=0.1)


def test_glare_is_white_or_nearly_and_takes_no_light_away() -> None:
    rng = np.random.default_rng(11)
    ink = np.full((96, 64, 3), 30, np.uint8)
    shown = [glare(rng, ink).astype(int) for _ in range(200)]
    assert min(each.min() for each in shown) >= 30
    spots = np.array([each.reshape(-1, 3)[each.sum(2).argmax()] for each in shown]) - 30
    strong = spots[spots.max(1) > 60]
    tints = np.ptp(strong, axis=1) / strong.max(1)
    assert len(strong) > 100
    assert 0.5 * TINTED < np.median(tints) < 2.5 * TINTED
    assert not (glare(rng, np.full((96, 64, 3), 255, np.uint8)) < 255).any()
