"""A whole picture: table, tiles with their side walls and shadows, clutter, light, camera."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.rendering.camera import Camera, aim, lamps, photograph
from vision.rendering.faces import Face, draw_face
from vision.rendering.layouts import BACK, FACES, Pose, random_layout
from vision.rendering.tables import fractal, random_table
from vision.rendering.variety import vary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.rendering.editions import Edition
    from vision.types import Floats, Pixels


@dataclass(frozen=True, slots=True)
class Label:
    """What is known of one rendered tile.

    Attributes
    ----------
    name
        Its face; never a back.
    quad_img
        (4, 2) float32, pixels, clockwise from the upright top left; may leave the picture.
    visible
        Share of the face that can be seen, 0 to 1.
    number_visible
        Share of the part with the number that can be seen, 0 to 1.
    """

    name: str
    quad_img: Floats
    visible: float
    number_visible: float


@dataclass(frozen=True, slots=True)
class Scene:
    """A rendered picture and its labels."""

    pixels_bgr: Pixels
    labels: tuple[Label, ...]


@dataclass(slots=True)
class TileBox:
    """One physical set: the faces of one varied edition, drawn when first wanted."""

    edition: Edition
    rng: np.random.Generator
    drawn: dict[str, list[Face]] = field(default_factory=dict)

    def face(self, name: str) -> Face:
        """Return a face; jokers come in a few variants."""
        variants = self.drawn.setdefault(name, [])
        if len(variants) < (3 if name == "J" else 1):
            variants.append(draw_face(self.edition, name, self.rng))
        return variants[int(self.rng.integers(len(variants)))]


# Corners of the face as (along right, along down) in half sizes, clockwise from the top left.
_CORNERS = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float64)
# Where numbers and joker faces stand, as parts of the face.
NUMBER_ZONE = np.array([(0.15, 0.1), (0.85, 0.1), (0.85, 0.62), (0.15, 0.62)], np.float32)


@dataclass(slots=True)
class _Canvas:
    camera: Camera
    radiance: Floats
    owner: np.ndarray[tuple[int, int], np.dtype[np.int16]]
    light_xyz: Floats
    relief: float
    speculars: Floats


def pose_corners(pose: Pose, tall: float) -> Floats:
    """Return the face's corners on the table, (4, 3), clockwise from the upright top left."""
    half = _CORNERS * (0.5, tall / 2)
    return np.asarray(pose.centre + half[:, :1] * pose.right + half[:, 1:] * pose.down)


def render_scene(
    rng: np.random.Generator, boxes: Sequence[TileBox], size_px: int, tile_px: tuple[float, float]
) -> Scene:
    """Render one random square picture with tiles `tile_px` (least, most) wide at its middle."""
    box = boxes[int(rng.integers(len(boxes)))]
    tall = 1 / box.edition.body.aspect
    width_px = float(np.exp(rng.uniform(*np.log(tile_px))))
    steep = rng.random() < 0.45
    elevation = rng.uniform(68, 90) if steep else rng.uniform(28, 75)
    camera = aim(width_px, elevation, rng.uniform(0, 360), rng.uniform(25, 70), size_px)
    half = size_px / width_px / 2
    poses = [] if rng.random() < 0.03 else random_layout(rng, half, tall)
    return render(rng, box, camera, poses, size_px)


def render(
    rng: np.random.Generator,
    box: TileBox,
    camera: Camera,
    poses: Sequence[Pose],
    size_px: int,
    *,
    clutter: bool = True,
) -> Scene:
    """Render given tiles of one box under a random light on a random table."""
    thick = box.edition.body.thickness
    tall = 1 / box.edition.body.aspect
    azimuth, height = rng.uniform(0, 2 * np.pi), rng.uniform(0.5, 2.5)
    light = np.array([np.cos(azimuth), np.sin(azimuth), height]) / np.hypot(1, height)
    canvas = _Canvas(
        camera,
        random_table(rng, size_px),
        np.zeros((size_px, size_px), np.int16),
        light,
        rng.uniform(0.1, 0.7),
        np.zeros((size_px, size_px), np.float32),
    )
    lifted = [_lift(pose, thick) for pose in poses]
    _cast_shadows(rng, canvas, lifted, tall, thick)
    depth = [-float(np.linalg.norm(pose.centre - camera.eye)) for pose in lifted]
    order = sorted(range(len(lifted)), key=lambda i: (round(lifted[i].centre[2], 1), depth[i]))
    if any(abs(pose.down[2]) > 0.1 for pose in lifted):
        order = list(np.argsort(depth))
    dirt = rng.uniform(0, 0.06)
    for i in order:
        _draw_tile(rng, canvas, box, lifted[i], i + 1, tall, thick, dirt)
    if clutter:
        _add_clutter(rng, canvas)
    radiance = canvas.radiance * lamps(rng, size_px)
    radiance += _glare(rng, canvas, box.edition.body.gloss)[..., None]
    pixels = photograph(rng, radiance)
    labels = tuple(
        label
        for i, pose in enumerate(lifted)
        if pose.name != BACK and (label := _label(canvas, pose, i + 1, tall)) is not None
    )
    return Scene(pixels, labels)


def _lift(pose: Pose, thick: float) -> Pose:
    """Raise a tile by its thickness: layouts speak of where its back is."""
    return replace(pose, centre=pose.centre + _normal(pose) * thick)


def _normal(pose: Pose) -> Floats:
    """Return the unit vector out of the face; right, down and this are x, y and z."""
    return np.cross(pose.right, pose.down)


def _cast_shadows(
    rng: np.random.Generator, canvas: _Canvas, poses: Sequence[Pose], tall: float, thick: float
) -> None:
    """Darken the table where tiles stand in the light, softly, and hard at their feet."""
    cast = np.zeros(canvas.owner.shape, np.float32)
    contact = np.zeros_like(cast)
    throw = canvas.light_xyz[:2] / max(canvas.light_xyz[2], 0.3)
    for pose in poses:
        corners = pose_corners(pose, tall)
        ground = corners.copy()
        ground[:, :2] -= throw * corners[:, 2:]
        ground[:, 2] = 0
        both = np.concatenate([ground, corners * (1, 1, 0)])
        hull = cv2.convexHull(canvas.camera.project(both).astype(np.float32))
        cv2.fillConvexPoly(cast, hull.astype(np.int32), 1.0)
        wide = (corners - corners.mean(0)) * 1.05 + corners.mean(0)
        feet = canvas.camera.project(wide * (1, 1, 0)).astype(np.int32)
        cv2.fillConvexPoly(contact, feet, 1.0)
    if not poses:
        return
    scale = float(
        np.linalg.norm(np.diff(canvas.camera.project(pose_corners(poses[0], tall))[:2], axis=0))
    )
    cast = cv2.GaussianBlur(cast, (0, 0), max(scale * rng.uniform(0.02, 0.25), 0.5))
    contact = cv2.GaussianBlur(contact, (0, 0), max(scale * 0.03, 0.5))
    dark = 1 - (1 - cast * rng.uniform(0.1, 0.65)) * (1 - contact * rng.uniform(0.1, 0.5))
    canvas.radiance *= 1 - dark[..., None]


def _draw_tile(
    rng: np.random.Generator,
    canvas: _Canvas,
    box: TileBox,
    pose: Pose,
    owner: int,
    tall: float,
    thick: float,
    dirt: float,
) -> None:
    top = pose_corners(pose, tall)
    normal = _normal(pose)
    bottom = top - normal * thick
    face_img = canvas.camera.project(top)
    foot_img = canvas.camera.project(bottom)
    size = canvas.owner.shape[0]
    low, high = np.minimum(face_img, foot_img).min(0), np.maximum(face_img, foot_img).max(0)
    if (high < 0).any() or (low >= size).any() or np.ptp(face_img) > 6 * size:
        return
    body = np.array(box.edition.body.colour[::-1], np.float32) / 255
    for i in range(4):
        j = (i + 1) % 4
        side = np.array([foot_img[i], foot_img[j], face_img[j], face_img[i]])
        edge = np.cross(top[j] - top[i], normal)  # out of this side wall
        edge /= np.linalg.norm(edge)
        if edge @ (canvas.camera.eye - top[i]) <= 0:
            continue
        shade = 0.45 + 0.4 * max(float(edge @ canvas.light_xyz), 0)
        polygon = (side * 16).astype(np.int32)
        cv2.fillConvexPoly(
            canvas.radiance, polygon, [float(v) for v in body * shade], cv2.LINE_AA, 4
        )
        cv2.fillConvexPoly(canvas.owner, side.astype(np.int32), 0)
    _paint_face(rng, canvas, box.face(pose.name), pose, face_img, owner, dirt)


def _paint_face(
    rng: np.random.Generator,
    canvas: _Canvas,
    face: Face,
    pose: Pose,
    quad: Floats,
    owner: int,
    dirt: float,
) -> None:
    size = canvas.owner.shape[0]
    x0, y0 = np.clip(np.floor(quad.min(0)).astype(int) - 1, 0, size)
    x1, y1 = np.clip(np.ceil(quad.max(0)).astype(int) + 2, 0, size)
    if x1 - x0 < 2 or y1 - y0 < 2:
        return
    sun = np.array([pose.right @ canvas.light_xyz, pose.down @ canvas.light_xyz], np.float32)
    shade = 1 - canvas.relief * (face.slope @ sun)
    lit = np.dstack([face.albedo_bgr * np.clip(shade, 0.3, 1.5)[..., None], face.alpha])
    tall_px = max(np.linalg.norm(quad[3] - quad[0]), np.linalg.norm(quad[2] - quad[1]), 8.0)
    shrink = min(1.0, 1.3 * tall_px / lit.shape[0])
    if shrink < 0.8:
        lit = cv2.resize(lit, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    h, w = lit.shape[:2]
    # Pixel centres: the outline of an image runs from -0.5 to its size - 0.5.
    source = np.array([(0, 0), (w, 0), (w, h), (0, h)], np.float32) - 0.5
    target = (quad - (x0, y0)).astype(np.float32) - 0.5
    warp = cv2.getPerspectiveTransform(source, target)
    warped = cv2.warpPerspective(lit, warp, (int(x1 - x0), int(y1 - y0)), flags=cv2.INTER_LINEAR)
    alpha = warped[..., 3:]
    tone = 1 + rng.normal(0, 0.02)
    colour = warped[..., :3] / np.maximum(alpha, 1e-3) * np.float32(tone)
    if dirt > 0.02:
        spots = cv2.resize(rng.random((5, 5), dtype=np.float32), (int(x1 - x0), int(y1 - y0)))
        colour = colour * (1 - np.float32(dirt) * 3 * spots[..., None])
    region = canvas.radiance[y0:y1, x0:x1]
    region += alpha * (colour - region)
    canvas.owner[y0:y1, x0:x1][alpha[..., 0] > 0.5] = owner


def _add_clutter(rng: np.random.Generator, canvas: _Canvas) -> None:
    """Hands, sleeves, cups, cards, cables: over the tiles, or at the table's rim."""
    size = canvas.owner.shape[0]
    if rng.random() > 0.4:
        return
    for _ in range(int(rng.integers(1, 4))):
        mask = np.zeros((size, size), np.uint8)
        at = rng.uniform(-0.1, 1.1, 2) * size
        at[int(rng.integers(2))] = (
            rng.choice([rng.uniform(-0.1, 0.12), rng.uniform(0.88, 1.1)]) * size
        )
        kind = rng.integers(4)
        thick = rng.uniform(0.01, 0.09) * size
        skin = np.array([0.35, 0.5, 0.75]) * rng.uniform(0.4, 1.2)
        colour = skin if kind == 0 else rng.uniform(0, 1, 3) ** 1.5
        if kind == 0:  # an arm that ends in fingers
            inward = np.array([size / 2, size / 2]) - at
            tip = at + inward * rng.uniform(0.2, 0.8)
            cv2.line(mask, _pixel(at), _pixel(tip), 255, int(thick * 2) + 1)
            for spread in np.linspace(-0.5, 0.5, 4):
                turn = np.array(
                    [[np.cos(spread), -np.sin(spread)], [np.sin(spread), np.cos(spread)]]
                )
                finger = tip + turn @ inward / np.linalg.norm(inward) * thick * 3
                cv2.line(mask, _pixel(tip), _pixel(finger), 255, int(thick * 0.7) + 1)
        elif kind == 1:
            box = cv2.boxPoints(
                (_pixel(at), tuple(rng.uniform(0.05, 0.4, 2) * size), rng.uniform(0, 180))
            )
            cv2.fillConvexPoly(mask, box.astype(np.int32), 255)
        elif kind == 2:
            cv2.circle(mask, _pixel(at), int(rng.uniform(0.03, 0.2) * size), 255, -1)
        else:
            points = rng.uniform(-0.2, 1.2, (4, 2)) * size
            curve = cv2.resize(points.astype(np.float32), (2, 40), interpolation=cv2.INTER_CUBIC)
            cv2.polylines(mask, [curve.astype(np.int32)], False, 255, int(thick * 0.2) + 1)
        texture = 0.8 + 0.4 * fractal(rng, size, 5, 2)
        soft = cv2.GaussianBlur(mask, (0, 0), 1.0).astype(np.float32)[..., None] / 255
        colours = texture[..., None] * np.asarray(colour, np.float32)
        canvas.radiance += soft * (colours - canvas.radiance)
        canvas.owner[mask > 127] = 0


def _pixel(point: Floats) -> tuple[int, int]:
    return int(point[0]), int(point[1])


def _glare(rng: np.random.Generator, canvas: _Canvas, gloss: float) -> Floats:
    """Return white light mirrored towards the camera: in patches, more on tiles than on cloth."""
    size = canvas.owner.shape[0]
    glare = np.zeros((size, size), np.float32)
    if rng.random() < 0.45:
        return glare
    for _ in range(int(rng.integers(1, 4))):
        at = tuple(int(v) for v in rng.uniform(0, size, 2))
        axes = tuple(int(v) for v in rng.uniform(0.03, 0.3, 2) * size)
        cv2.ellipse(glare, at, axes, rng.uniform(0, 180), 0, 360, rng.uniform(0.1, 0.6), -1)
    glare = cv2.GaussianBlur(glare, (0, 0), rng.uniform(0.02, 0.1) * size)
    table_gloss = rng.uniform(0, 0.8)
    on_tiles = np.where(canvas.owner > 0, np.float32(gloss), np.float32(table_gloss))
    return np.asarray(glare * on_tiles, np.float32)


def _label(canvas: _Canvas, pose: Pose, owner: int, tall: float) -> Label | None:
    """Measure how much of a tile can be seen; None if nothing of it can."""
    quad = canvas.camera.project(pose_corners(pose, tall)).astype(np.float32)
    if cv2.contourArea(quad, oriented=True) <= 0:  # seen from behind
        return None
    mine = canvas.owner == owner
    if not mine.any():
        return None
    visible = _share(mine, quad)
    warp = cv2.getPerspectiveTransform(
        np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32), quad
    )
    zone = cv2.perspectiveTransform(NUMBER_ZONE[None], warp)[0]
    return Label(pose.name, quad, visible, _share(mine, zone))


def _share(mine: np.ndarray[tuple[int, int], np.dtype[np.bool_]], polygon: Floats) -> float:
    """Share of a polygon's area (which may leave the picture) that belongs to the tile."""
    area = cv2.contourArea(polygon)
    size = mine.shape[0]
    low = np.clip(np.floor(polygon.min(0)).astype(int), 0, size)
    high = np.clip(np.ceil(polygon.max(0)).astype(int) + 1, 0, size)
    if (high <= low).any() or area < 1:
        return 0.0
    mask = np.zeros((high[1] - low[1], high[0] - low[0]), np.uint8)
    cv2.fillConvexPoly(mask, np.round(polygon - low).astype(np.int32), 1)
    seen = np.count_nonzero(mask.astype(bool) & mine[low[1] : high[1], low[0] : high[0]])
    return float(min(seen / area, 1.0))


def fill_boxes(rng: np.random.Generator, editions: Sequence[Edition], count: int) -> list[TileBox]:
    """Make `count` physical sets, varied from the editions in turn."""
    return [
        TileBox(
            vary(editions[i % len(editions)], editions, rng),
            np.random.default_rng(rng.integers(2**63)),
        )
        for i in range(count)
    ]


__all__ = ["FACES", "Label", "Scene", "TileBox", "fill_boxes", "render", "render_scene"]
