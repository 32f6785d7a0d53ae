"""Tables as the path tracer sees them: the same tiles, the same camera, another room."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from vision.quads import UNIT_SQUARE
from vision.rendering.canvas import pose_corners
from vision.rendering.labels import NUMBER_ZONE, Label, legible
from vision.rendering.layouts import BACK
from vision.rendering.scene import Scene, lift
from vision.rendering.traced.blender import Studio, posed
from vision.rendering.traced.bodies import display, face_normals, linear, tile_mesh
from vision.rendering.traced.rooms import furnish

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from vision.rendering.arrays import Array
    from vision.rendering.boxes import TileBox
    from vision.rendering.camera import Camera
    from vision.rendering.layouts import Pose
    from vision.rendering.scene import Style
    from vision.types import Floats, Pixels

BRIGHT: Final = 97  # percentile of the light that a camera exposes to be nearly white
_STEPS: Final = np.linspace(0.06, 0.94, 9)  # of a face, where it is looked whether it is seen


@dataclass(frozen=True, slots=True)
class PathTracer:
    """Draws tables as `vision.rendering.scene.render` does, through Blender.

    Attributes
    ----------
    samples
        Rays a pixel; what noise they leave is denoised.
    threads
        Processors to use.
    """

    samples: int = 24
    threads: int = 1

    def __call__(
        self,
        rng: np.random.Generator,
        box: TileBox,
        camera: Camera,
        poses: Sequence[Pose],
        size_px: int,
        *,
        style: Style,
    ) -> Scene:
        """Draw a table; of the style only the camera's file counts, not its light and clutter."""
        studio = Studio()
        lifted = [lift(pose, box.thick) for pose in poses]
        white = furnish(studio, rng, lifted)
        bodies = _lay(studio, rng, box, lifted)
        studio.look(camera, size_px)
        light = studio.radiance(size_px, self.samples, self.threads)
        labels = (
            _label(studio, camera, size_px, body, pose, box.tall)
            for body, pose in zip(bodies, lifted, strict=True)
            if pose.name != BACK
        )
        shown = [label for label in labels if label is not None]
        pixels = style.photograph(rng, exposed(rng, light, white))
        return Scene(pixels, tuple(_as_lit(label, pixels) for label in shown))


def exposed(rng: np.random.Generator, light: Array, white: Array) -> Array:
    """Return what a camera shows of linear light, (h, w, 3) BGR: exposed, and balanced in part.

    `white`, (3,) RGB, is the light that something white reflects.
    """
    light = light * (white.mean() / white[::-1]) ** rng.uniform(0.5, 1.0)
    bright = np.percentile(light.max(-1), BRIGHT)
    return display(light * rng.uniform(0.65, 1.0) / max(float(bright), 1e-6))


def _lay(
    studio: Studio, rng: np.random.Generator, box: TileBox, poses: Sequence[Pose]
) -> list[Any]:
    """Lay the tiles; those of a set that look alike share a material."""
    meshes = {id(one): tile_mesh(one.edition.body) for one in box.sets}
    materials: dict[tuple[int, str], Any] = {}
    laid = []
    for pose in poses:
        one = box.any_set(rng)
        look = id(one), pose.name
        if look not in materials:
            face, body = one.face(pose.name), one.edition.body
            rgb = linear(face.albedo_bgr[..., ::-1])
            shine = {"Roughness": 0.65 - 0.55 * body.gloss}
            materials[look] = studio.printed(rgb, face_normals(face, body.bevel), **shine)
        laid.append(studio.add(meshes[id(one)], materials[look], posed(pose)))
    return laid


def _label(
    studio: Studio, camera: Camera, size_px: int, body: Any, pose: Pose, tall: float
) -> Label | None:
    """Look how much of a face, and of its number's place, can be seen; None if nothing can."""
    corners = pose_corners(pose, tall)

    def share(zone: Floats) -> float:
        points = _spread(corners, zone)
        shown = camera.project(points)
        framed = np.all((shown >= 0) & (shown < size_px), axis=1)
        return float(np.mean(studio.sees(camera, points, body) & framed))

    visible = share(UNIT_SQUARE)
    if not visible:
        return None
    quad = camera.project(corners).astype(np.float32)
    return Label(pose.name, quad, visible, share(NUMBER_ZONE), pose.group)


def _as_lit(label: Label, pixels: Pixels) -> Label:
    """Count what a lamp drowned, and what no light falls on, as not visible."""
    return replace(label, number_visible=label.number_visible * legible(label, pixels))


def _spread(corners: Array, zone: Floats) -> Array:
    """Return points all over a zone, (4, 2) in parts, of a face with these corners, (81, 3)."""
    along, down = corners[1] - corners[0], corners[3] - corners[0]
    parts = zone[0] + (zone[2] - zone[0]) * np.array([(a, b) for a in _STEPS for b in _STEPS])
    return np.asarray(corners[0] + parts[:, :1] * along + parts[:, 1:] * down)
