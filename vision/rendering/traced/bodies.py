"""Bodies as meshes: rounded tiles, cylinders, and the relief of a face. Lengths in tile widths."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from vision.rendering.arrays import Array
    from vision.rendering.editions import Body
    from vision.rendering.faces import Face

_ROUND: Final = 6  # pieces of a quarter circle


@dataclass(frozen=True, slots=True)
class Mesh:
    """A closed surface; every loop of vertices runs anticlockwise, seen from outside.

    Attributes
    ----------
    vertices
        (n, 3): x to the right, y up, z out of the face, whose middle is the origin.
    loops
        The vertices of each polygon.
    uv
        (n, 2): where in the face's picture a vertex lies, from its bottom left.
    """

    vertices: Array
    loops: tuple[tuple[int, ...], ...]
    uv: Array


def tile_mesh(body: Body) -> Mesh:
    """Return a tile: a block with rounded corners and edges, its face at z = 0."""
    tall = 1 / body.aspect
    bevel = min(max(body.bevel, 0.02), body.thickness / 3)
    turn = np.linspace(0, np.pi / 2, _ROUND)
    inset, sink = bevel * (1 - np.sin(turn)), bevel * (1 - np.cos(turn))
    low = body.thickness - bevel
    levels = [*zip(inset, sink, strict=True), *zip(inset[::-1], low + sink, strict=True)]
    rings = [_ring(tall, max(body.corner, 0.03), float(i), float(s)) for i, s in levels]
    vertices = np.concatenate(rings)
    uv = vertices[:, :2] / (1.0, tall) + 0.5
    return Mesh(vertices, _skin(len(rings), len(rings[0])), uv)


def _ring(tall: float, radius: float, inset: float, sink: float) -> Array:
    """Return the outline of a tile, so far within its widest and below its face, (n, 3)."""
    radius = max(radius - inset, 0.01)
    quarter = np.linspace(0, np.pi / 2, _ROUND)
    half = np.array([0.5, tall / 2]) - inset - radius
    points = [
        half * sign + radius * np.c_[np.cos(quarter + start), np.sin(quarter + start)]
        for sign, start in zip(((1, 1), (-1, 1), (-1, -1), (1, -1)), np.arange(4) * np.pi / 2,
                               strict=True)
    ]  # fmt: skip
    outline = np.concatenate(points)
    return np.asarray(np.c_[outline, np.full(len(outline), -sink)])


def cylinder_mesh(radius: float, height: float) -> Mesh:
    """Return an upright cylinder that stands on z = 0."""
    turn = np.linspace(0, 2 * np.pi, 49)[:-1]
    return _prism(radius * np.c_[np.cos(turn), np.sin(turn)], height)


def box_mesh(wide: float, deep: float, high: float) -> Mesh:
    """Return a box that stands on z = 0."""
    return _prism(np.array([(1, 1), (-1, 1), (-1, -1), (1, -1)]) * (wide / 2, deep / 2), high)


def _prism(outline: Array, height: float) -> Mesh:
    """Return what stands on z = 0 with an outline, (n, 2), about the origin."""
    vertices = np.concatenate([np.c_[outline, np.full(len(outline), z)] for z in (height, 0.0)])
    uv = vertices[:, :2] / np.ptp(outline, axis=0) + 0.5
    return Mesh(vertices, _skin(2, len(outline)), uv)


def _skin(rings: int, around: int) -> tuple[tuple[int, ...], ...]:
    """Return the polygons between rings of vertices, from the top down, and both ends."""
    sides = [
        (r * around + i, (r + 1) * around + i, (r + 1) * around + j, r * around + j)
        for r in range(rings - 1)
        for i, j in zip(range(around), (*range(1, around), 0), strict=True)
    ]
    top = tuple(range(around))
    bottom = tuple(range(rings * around - 1, (rings - 1) * around - 1, -1))
    return (top, *sides, bottom)


def linear(values: Array) -> Array:
    """Return the light that the values of a picture, 0 to 1, stand for (IEC 61966-2-1)."""
    values = np.clip(values, 0, 1)
    return np.asarray(
        np.where(values > 0.04045, ((values + 0.055) / 1.055) ** 2.4, values / 12.92)
    )


def display(light: Array) -> Array:
    """Return the values of a picture that light stands for; what is brighter than 1 goes on."""
    light = np.maximum(light, 0)
    return np.asarray(
        np.where(light > 0.0031308, 1.055 * light ** (1 / 2.4) - 0.055, light * 12.92), np.float32
    )


def face_normals(face: Face, bevel: float) -> Array:
    """Return the unit normals of a face's relief, (h, w, 3): x to the right, y up, z out of it.

    The rounded edge, so many tile widths wide, is left out: the mesh has it.
    """
    height, width = face.alpha.shape
    edge = int(np.ceil(bevel * width)) + 2
    slope = np.zeros_like(face.slope)
    inner = (slice(edge, height - edge), slice(edge, width - edge))
    slope[inner] = face.slope[inner]
    normals = np.dstack([-slope[..., 0], slope[..., 1], np.ones((height, width))])
    return np.asarray(normals / np.linalg.norm(normals, axis=-1, keepdims=True))
