"""Tiles that lean are told from those that lie, from above and from the side."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.rendering.camera import aim
from vision.rendering.canvas import pose_corners
from vision.rendering.held import Stand
from vision.rendering.rows import rows_of_sets, sets_from_all_sides
from vision.standing import stand

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.evaluation.suites import Layout
    from vision.rendering.camera import Camera
    from vision.rendering.layouts import Pose
    from vision.types import Floats

TALL, SIZE_PX, SETS = 1.4, 1120, 30
LYING = range(SETS)


def seen(poses: Sequence[Pose], camera: Camera, tall: float = TALL) -> Floats:
    return np.array([camera.project(pose_corners(pose, tall)) for pose in poses], np.float32)


def before_a_rack(camera: Camera, angle_deg: float, lean_deg: float) -> Floats:
    """Return the outlines of sets, and of eight tiles before them that lean."""
    laid, _ = rows_of_sets(np.random.default_rng(1), SETS, TALL)
    rack = Stand.leaning(np.radians(angle_deg), np.radians(lean_deg), 0.8, TALL)
    held = [rack.holds("R1", tier, place) for tier in (0, 1) for place in range(4)]
    to = np.array([0, max(pose.centre[1] for pose in laid) + 3, 0])
    return seen([*laid, *(replace(pose, centre=pose.centre + to) for pose in held)], camera)


CAMERAS = st.builds(
    aim,
    tile_width_px=st.just(40.0),
    elevation_deg=st.floats(40, 88),
    roll_deg=st.floats(0, 360),
    field_deg=st.floats(30, 60),
    size_px=st.just(SIZE_PX),
)


@given(
    st.integers(0, 99),
    st.sampled_from([rows_of_sets, sets_from_all_sides]),
    CAMERAS,
    st.floats(1.3, 1.55),
)
def test_what_lies_does_not_stand(seed: int, layout: Layout, camera: Camera, tall: float) -> None:
    poses, _ = layout(np.random.default_rng(seed), SETS, tall)
    quads = seen(poses, camera, tall)
    assert not stand(quads, range(0, len(quads), 2)).any()


@pytest.mark.parametrize(("elevation_deg", "lean_deg"), [(85, 50), (85, 75), (40, 60), (35, 40)])
@given(angle_deg=st.floats(-30, 30), roll_deg=st.floats(0, 360), field_deg=st.floats(30, 60))
def test_what_leans_on_a_rack_stands(
    elevation_deg: float, lean_deg: float, angle_deg: float, roll_deg: float, field_deg: float
) -> None:
    camera = aim(40, elevation_deg, roll_deg, field_deg, SIZE_PX)
    up = stand(before_a_rack(camera, angle_deg, lean_deg), LYING)
    assert up.tolist() == [False] * SETS + [True] * 8


def test_few_that_lie_tell_less_and_two_nothing() -> None:
    quads = before_a_rack(aim(40, 85, 0, 40, SIZE_PX), 0, 50)
    assert stand(quads, LYING[:4])[SETS:].all()
    assert not stand(quads, LYING[:2]).any()
    slight = before_a_rack(aim(40, 85, 0, 40, SIZE_PX), 0, 27)
    assert stand(slight, LYING)[SETS:].all()
    assert not stand(slight, LYING[:4]).any()


def test_outlines_without_area_are_no_error() -> None:
    quads = np.zeros((6, 4, 2), np.float32)
    assert stand(quads, range(3)).shape == (6,)
