"""Tiles that stand on a rack: what lies on the table lies in one plane, and they do not.

Equal tiles in one plane are alike once a picture is made flat again: their sizes tell where the
plane's horizon is, their shapes how it is tilted (Hartley and Zisserman 2004, 2.7 and 8.1). What
leans on a rack is then too short or too long for its width, or sheared.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from vision.adjacency import TILE_HEIGHT
from vision.outlines import fit_plane
from vision.quads import areas, axes

if TYPE_CHECKING:
    from collections.abc import Collection

    from vision.types import Flags, Floats

# How far tiles that stand are from the plane of those that lie, by how many of these there are at
# least. Of 1,258 sets on tables of 16 tiles and more the middle one of 1.7 % is as far from the
# plane of the others, of 892 parts of racks that of 98 %; on smaller ones of 6 and 79 %.
FARTHEST: Final = ((16, 0.08), (3, 0.2))
# How much it counts beside their shape that tiles which stand are nearer.
_NEARER: Final = 0.7
_SLOPES: Final = (0.0, 0.03, 0.03)  # how much a level picture is preferred to a sloping one
_NEAREST: Final = 0.2  # of the usual depth: what lies at the horizon has none
_ROUNDS, _SOLID = 8, 1e-9


def stand(quads: Floats, lying: Collection[int]) -> Flags:
    """Tell which upright quads (n, 4, 2) stand, (n,); none where too few are known to lie.

    Parameters
    ----------
    lying
        Numbers of those that lie on the table.
    """
    farthest = next((far for least, far in FARTHEST if len(lying) >= least), np.inf)
    if np.isinf(farthest):
        return np.zeros(len(quads), np.bool_)
    away = _from_plane(quads, sorted(lying))
    return np.asarray(np.linalg.norm(away, axis=1) > farthest)


def _from_plane(quads: Floats, lying: list[int]) -> Floats:
    """Return how unlike those that lie in one plane quads (n, 4, 2) look there, (n, 3).

    In size, in height for their width, both as logarithms, and in shear.
    """
    level = _without_horizon(quads, lying)
    across, along, _, _ = axes(level[lying])
    tall = TILE_HEIGHT
    for _ in range(_ROUNDS):  # makers differ, and tiles that are turned tell by how much
        sides = np.stack([across, along / tall], 2)
        spread = (sides @ sides.transpose(0, 2, 1)).mean(0) + _SOLID * np.eye(2)
        tilt = np.linalg.inv(np.linalg.cholesky(spread))
        flat = np.asarray(level @ tilt.T, np.float32)
        _, _, wide, high = axes(flat[lying])
        tall = float(np.mean(high / wide))
    across, along, width, _ = axes(flat)
    height = areas(flat) / width / tall
    shear = (across * along).sum(1) / width**2 / tall
    away = [_NEARER * np.log(width), np.log(height / width), shear]
    return np.asarray(np.stack(away, 1), np.float32)


def _without_horizon(quads: Floats, lying: list[int]) -> Floats:
    """Return quads (n, 4, 2) as they look when those that lie are equally far away.

    The cube root of an area goes with the inverse of the depth, and that is linear in the picture.
    """
    middle = quads[lying].mean((0, 1))
    places = (quads - middle) / max(float(np.ptp(quads[lying].mean(1), axis=0).max()), 1.0)
    known = np.c_[np.ones(len(lying)), places[lying].mean(1)]
    sizes = np.cbrt(areas(quads[lying]))
    usual, *slopes = fit_plane(known, sizes, dislike=_SLOPES)
    depths = np.maximum(1 + places @ np.array(slopes) / usual, _NEAREST)
    return np.asarray(places / depths[..., None], np.float32)
