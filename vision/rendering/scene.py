"""A whole picture: table, tiles with their side walls and shadows, clutter, light, camera."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import count
from typing import TYPE_CHECKING, Protocol

import cv2
import numpy as np

from vision.rendering import racks
from vision.rendering.camera import Camera, aim
from vision.rendering.canvas import Canvas, pose_normal
from vision.rendering.clutter import add_clutter, add_hands, add_prints
from vision.rendering.labels import Label, drowned, label_tile
from vision.rendering.layouts import BACK, Pose
from vision.rendering.lens import STRAIGHT, Lens, random_lens
from vision.rendering.lighting import cast_shadows, glare, lamps, sunlight, washout
from vision.rendering.makers import random_layout
from vision.rendering.photograph import photograph
from vision.rendering.tabletop import random_table
from vision.rendering.tiles import draw_tile, random_wear

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cv2.typing import MatLike

    from vision.rendering.arrays import Array
    from vision.rendering.boxes import TileBox
    from vision.types import Pixels


AMBIENT = (0.4, 0.75)
SUNLIT = 0.06  # share of the pictures
FROM_ABOVE, FROM_THE_SIDE = (68, 90), (25, 75)  # heights of the camera, degrees


@dataclass(frozen=True, slots=True)
class Scene:
    """A rendered picture and its labels."""

    pixels_bgr: Pixels
    labels: tuple[Label, ...]


@dataclass(frozen=True, slots=True)
class Style:
    """How pictures are lit and taken; every part draws its own chances.

    Attributes
    ----------
    lamps
        What light falls on a picture of so many pixels' side, (size, size, 3).
    glare
        What is mirrored by the canvas with tiles of that gloss, (size, size).
    clutter
        What lies about besides tiles, drawn upon the canvas.
    photograph
        What the camera makes of (h, w, 3) radiance, which it may use up.
    lens
        What it is bent by before that.
    """

    lamps: Callable[[np.random.Generator, int], Array] = lamps
    glare: Callable[[np.random.Generator, Canvas, float], Array] = glare
    clutter: Callable[[np.random.Generator, Canvas], None] = add_clutter
    photograph: Callable[[np.random.Generator, Array], Pixels] = photograph
    lens: Lens = STRAIGHT


class Draw(Protocol):
    """Whatever draws given tiles as `render` does."""

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
        """Draw them in a style."""


def render(
    rng: np.random.Generator,
    box: TileBox,
    camera: Camera,
    poses: Sequence[Pose],
    size_px: int,
    *,
    style: Style | None = None,
) -> Scene:
    """Render given tiles of one box in a style, by default as any light and camera shows them."""
    style = style or Style()
    canvas = _empty_table(rng, camera, size_px)
    lifted = [lift(pose, box.thick) for pose in poses]
    cast_shadows(rng, canvas, lifted, box.tall)
    _draw_tiles(rng, canvas, box, lifted)
    style.clutter(rng, canvas)
    mirrored: MatLike = style.glare(rng, canvas, box.edition.body.gloss)
    radiance = _lit(rng, canvas, style, mirrored)
    if style.lens.strength:
        radiance, mirrored, owner = style.lens.bend(radiance, mirrored, canvas.owner)
        canvas = replace(canvas, owner=np.asarray(owner, np.int16), lens=style.lens)
    pixels = style.photograph(rng, np.asarray(radiance, np.float32))
    labels = (label_tile(canvas, *tile, box.tall) for tile in zip(lifted, count(1), strict=False))
    shown = [label for label in labels if label and label.name != BACK]
    return Scene(pixels, tuple(_as_lit(label, pixels, mirrored) for label in shown))


def render_scene(
    rng: np.random.Generator,
    boxes: Sequence[TileBox],
    size_px: int,
    tile_px: tuple[float, float],
    only: str | None = None,
    elevation_deg: tuple[float, float] | None = None,
    *,
    prints: bool = False,
    sunlit: bool = False,
    draw: Draw = render,
) -> Scene:
    """Render one random square picture with tiles `tile_px` (least, most) wide at its middle.

    `only` names the kind of layout, one of `makers.MAKERS`; by default any. `elevation_deg` is
    how high the camera stands; by default from above as often as from the side. With `prints`
    many printed things lie about, `sunlit` ones lie in hard shadows. `draw` is the renderer.
    """
    box = boxes[int(rng.integers(len(boxes)))]
    width_px = float(np.exp(rng.uniform(*np.log(tile_px))))
    usual = FROM_ABOVE if rng.random() < 0.45 else FROM_THE_SIDE
    elevation = rng.uniform(*(elevation_deg or usual))
    camera = aim(width_px, elevation, rng.uniform(0, 360), rng.uniform(25, 70), size_px)
    half = size_px / width_px / 2
    poses = [] if rng.random() < 0.03 else random_layout(rng, half, box.tall, only)
    style = _random_style(rng, sunlit=sunlit)
    style = replace(style, clutter=add_prints) if prints else style
    return draw(rng, box, camera, poses, size_px, style=style)


def _random_style(rng: np.random.Generator, *, sunlit: bool = False) -> Style:
    """Let hands reach over some tables, lamps drown the ink of some tiles, the sun shine in."""
    clutter = add_hands if rng.random() < 0.15 else add_clutter
    mirrored = washout if rng.random() < 0.08 else glare
    lens = random_lens(rng)
    lit = sunlight if sunlit or rng.random() < SUNLIT else lamps
    return Style(lamps=lit, glare=mirrored, clutter=clutter, lens=lens)


def _draw_tiles(
    rng: np.random.Generator, canvas: Canvas, box: TileBox, lifted: Sequence[Pose]
) -> None:
    """Draw racks and tiles, what is far first."""
    wear = random_wear(rng)
    order = _far_to_near(canvas.camera, lifted)
    steps = _steps(order, lifted) if rng.random() < 0.85 else {}
    rack = racks.random_rack(rng)
    for i in order:
        if i in steps:
            racks.draw_step(canvas, steps[i], box.tall, box.thick, rack)
        draw_tile(rng, canvas, box.any_set(rng), lifted[i], i + 1, wear)


def _lit(rng: np.random.Generator, canvas: Canvas, style: Style, mirrored: MatLike) -> MatLike:
    """Return what reaches the lens, (size, size, 3): all that is drawn, in the lamps' light."""
    light = style.lamps(rng, canvas.size_px)
    radiance = cv2.multiply(canvas.radiance, light, dst=light)
    if cv2.hasNonZero(mirrored):
        cv2.add(radiance, cv2.merge([mirrored] * 3), dst=radiance)
    return radiance


def _as_lit(label: Label, pixels: Pixels, mirrored: MatLike) -> Label:
    """Count what a mirrored lamp drowned as not visible."""
    left = 1 - drowned(label, pixels, mirrored)
    return label if left == 1 else replace(label, number_visible=label.number_visible * left)


def _empty_table(rng: np.random.Generator, camera: Camera, size_px: int) -> Canvas:
    azimuth, height = rng.uniform(0, 2 * np.pi), rng.uniform(0.5, 2.5)
    light = np.array([np.cos(azimuth), np.sin(azimuth), height]) / np.hypot(1, height)
    table = random_table(rng, camera, size_px)
    nobody = np.zeros((size_px, size_px), np.int16)
    return Canvas(camera, table, nobody, light, rng.uniform(0.1, 0.7), rng.uniform(*AMBIENT))


def lift(pose: Pose, thick: float) -> Pose:
    """Raise a tile by its thickness: layouts speak of where its back is."""
    return replace(pose, centre=pose.centre + pose_normal(pose) * thick)


def _far_to_near(camera: Camera, poses: Sequence[Pose]) -> list[int]:
    """Return the order in which to draw tiles, so that what hides another comes after it."""
    depth = [-float(np.linalg.norm(pose.centre - camera.eye)) for pose in poses]
    leaning = [i for i, pose in enumerate(poses) if racks.leans(pose)]
    lying = sorted(
        set(range(len(poses))) - set(leaning),
        key=lambda i: (round(poses[i].centre[2], 1), depth[i]),
    )
    if leaning:
        # A tier stands in front of the one above it for whoever sees the faces.
        first = poses[leaning[0]]
        facing = float((camera.eye - first.centre) @ pose_normal(first)) > 0
        sign = -1 if facing else 1
        leaning.sort(key=lambda i: (sign * poses[i].group, depth[i]))
    return lying + leaning


def _steps(order: Sequence[int], poses: Sequence[Pose]) -> dict[int, list[Pose]]:
    """Return the tiers of a rack, each under the first of its tiles to be drawn."""
    tiers: dict[int, list[Pose]] = {}
    first: dict[int, int] = {}
    for i in order:
        if racks.leans(poses[i]):
            first.setdefault(poses[i].group, i)
            tiers.setdefault(poses[i].group, []).append(poses[i])
    return {first[group]: tier for group, tier in tiers.items()}
