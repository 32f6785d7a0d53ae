"""Which tiles of a picture lie against each other, and how well they do.

Two neighbours are measured in a frame of their own: the mean of the two tiles' width and height
axes, scaled to the true proportions of a tile. In that frame the oblique view, its shear and its
scale are gone, whatever the place in the picture, and one unit is one tile width.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from vision.types import Flags, Floats, Indices, Reals

TILE_HEIGHT: Final = 1.43
"""Height of a tile in tile widths; the makers differ by less than a tenth."""

LARGEST_ANGLE_DEG: Final = 22.0
LARGEST_STAGGER: Final = 0.32

RIGHT, LEFT, BELOW, ABOVE = range(4)
"""The side of the first tile on which the second one lies, by the first tile's own up."""

STEPS: Final = np.array([(1, 0), (-1, 0), (0, 1), (0, -1)])
_EDGES: Final = np.array([(1, 2), (0, 3), (3, 2), (0, 1)])
_SCALE: Final = np.array([1.0, TILE_HEIGHT])
_REACH: Final = 1.6
_SMALLEST_RATIO: Final = 0.6
_SAME_PLACE: Final = 0.55


@dataclass(frozen=True, slots=True)
class Links:
    """Pairs of tiles that could be neighbours in a set, a structure of arrays.

    Attributes
    ----------
    firsts, seconds
        (m,) tile indices; a pair is listed once.
    sides
        (m,) RIGHT, LEFT, BELOW or ABOVE.
    turned
        (m,) whether the two tiles' ups are opposite.
    gaps
        (m,) narrowest gap between the facing edges, in tile widths, negative for an overlap.
    misfits
        (m,) how far the pair is from lying edge to edge, by angle and stagger: 0 for a perfect
        fit, 1 for the worst that can still be one set.
    """

    firsts: Indices
    seconds: Indices
    sides: Indices
    turned: Flags
    gaps: Reals
    misfits: Reals

    def where(self, keep: Flags) -> Links:
        """Only the links that `keep` is true for."""
        return Links(
            self.firsts[keep],
            self.seconds[keep],
            self.sides[keep],
            self.turned[keep],
            self.gaps[keep],
            self.misfits[keep],
        )

    @property
    def looseness(self) -> Reals:
        """The gap as wide as it looks: a crooked or turned neighbour looks further off."""
        return np.asarray(self.gaps + 0.1 * self.misfits + 0.02 * self.turned)

    @property
    def beside(self) -> Flags:
        """Which links join long sides, as in a row."""
        return np.asarray(self.sides < BELOW)


def find_links(quads_img: Floats) -> Links:
    """Find every pair of tiles that lies side by side or end to end, gaps of any size included.

    Parameters
    ----------
    quads_img
        (n, 4, 2) float32, image pixels, clockwise from the upright top-left corner.

    Returns
    -------
    Links
        Pairs whose angle and stagger allow one set and whose gap is below a tile's width; the
        caller decides which gaps are small enough.
    """
    quads = quads_img.astype(np.float64)
    axes = _axes(quads)
    firsts, seconds = _close_pairs(quads, axes)
    local_i, local_j, turned = _pair_frames(quads, axes, firsts, seconds)
    links, hidden = _measure(local_i, local_j, firsts, seconds, turned)
    # Of two outlines of one tile the smaller one may not come between the larger and its
    # neighbours.
    areas = np.abs(_determinants(axes))
    smaller = np.where(areas[firsts] < areas[seconds], firsts, seconds)[hidden]
    shadowed = np.isin(links.firsts, smaller) | np.isin(links.seconds, smaller)
    return links.where(~shadowed)


def _axes(quads: Reals) -> Reals:
    """(n, 2, 2): each tile's width and height vectors as columns, in pixels."""
    top_left, top_right, bottom_right, bottom_left = np.moveaxis(quads, 1, 0)
    width = (top_right + bottom_right - top_left - bottom_left) / 2
    height = (bottom_left + bottom_right - top_left - top_right) / 2
    return np.stack([width, height], axis=-1)


def _determinants(matrices: Reals) -> Reals:
    a, b, c, d = matrices.reshape(-1, 4).T
    return np.asarray(a * d - b * c)


def _inverse(matrices: Reals) -> Reals:
    a, b, c, d = matrices.reshape(-1, 4).T
    turned = np.stack([d, -b, -c, a], axis=-1).reshape(-1, 2, 2)
    return np.asarray(turned / _determinants(matrices)[:, None, None])


def _close_pairs(quads: Reals, axes: Reals) -> tuple[Indices, Indices]:
    """Pairs i < j near enough to touch, leaving out quads without area."""
    centres = quads.mean(axis=1)
    lengths = np.hypot(axes[:, 0], axes[:, 1])
    sound = np.isfinite(quads).all(axis=(1, 2)) & (_determinants(axes) > 1e-6)  # noqa: PLR2004
    reach = np.where(sound, lengths.max(axis=1, initial=0.0), 0.0)
    offsets = centres[:, None] - centres[None]
    squared = (offsets**2).sum(axis=-1)
    near = squared < (_REACH * (reach[:, None] + reach[None]) / 2) ** 2
    near &= sound[:, None] & sound[None]
    firsts, seconds = np.nonzero(np.triu(near, k=1))
    return firsts, seconds


def _pair_frames(
    quads: Reals, axes: Reals, firsts: Indices, seconds: Indices
) -> tuple[Reals, Reals, Flags]:
    """Corners of both tiles in the pair's frame, the second turned to the first one's up."""
    axes_i, axes_j = axes[firsts], axes[seconds]
    relative = _inverse(axes_i) @ axes_j
    turned = np.asarray(relative[:, 0, 0] + relative[:, 1, 1] < 0)
    corners_j = np.where(turned[:, None, None], np.roll(quads, 2, axis=1)[seconds], quads[seconds])
    frames = (axes_i + np.where(turned, -1.0, 1.0)[:, None, None] * axes_j) / 2
    # Tiles at right angles to each other may share no frame: they are no neighbours in a set.
    degenerate = np.abs(_determinants(frames)) < 0.1 * np.abs(_determinants(axes_i))
    to_local = _inverse(np.where(degenerate[:, None, None], axes_i, frames)) * _SCALE[:, None]
    middles = (quads[firsts].mean(axis=1) + corners_j.mean(axis=1)) / 2
    local_i = (quads[firsts] - middles[:, None]) @ to_local.transpose(0, 2, 1)
    local_j = (corners_j - middles[:, None]) @ to_local.transpose(0, 2, 1)
    return local_i, local_j, turned


def _measure(
    local_i: Reals, local_j: Reals, firsts: Indices, seconds: Indices, turned: Flags
) -> tuple[Links, Flags]:
    """Keep the pairs that could be neighbours; tell which of all pairs cover each other."""
    offset = local_j.mean(axis=1) - local_i.mean(axis=1)
    cells = offset / _SCALE
    hidden = np.asarray((np.abs(cells) < _SAME_PLACE).all(axis=1))
    above = np.abs(cells[:, 1]) > np.abs(cells[:, 0])
    along = np.where(above, cells[:, 1], cells[:, 0])
    sides = np.where(above, BELOW, RIGHT) + (along < 0)

    axes_i, axes_j = _axes(local_i), _axes(local_j)
    angles_deg = np.abs(_turns_deg(axes_j) - _turns_deg(axes_i))
    gaps, staggers = _facing_edges(local_i, local_j, sides, angles_deg)
    ratios = np.hypot(axes_i[:, 0], axes_i[:, 1]) / np.hypot(axes_j[:, 0], axes_j[:, 1])
    alike = ((ratios > _SMALLEST_RATIO) & (ratios < 1 / _SMALLEST_RATIO)).all(axis=1)

    misfits = (angles_deg / LARGEST_ANGLE_DEG) ** 2 + (staggers / LARGEST_STAGGER) ** 2
    keep = alike & ~hidden & (misfits < 1) & (gaps < 1) & (gaps > -_SAME_PLACE)
    return Links(firsts, seconds, sides, turned, gaps, misfits).where(keep), hidden


def _facing_edges(
    local_i: Reals, local_j: Reals, sides: Indices, angles_deg: Reals
) -> tuple[Reals, Reals]:
    """Narrowest gap in tile widths, and stagger as a share of the edges' length."""
    rows = np.arange(len(sides))[:, None]
    edge_i, edge_j = local_i[rows, _EDGES[sides]], local_j[rows, _EDGES[sides ^ 1]]
    above = (sides >= BELOW)[:, None]
    sign = np.where(sides % 2, -1.0, 1.0)[:, None]
    along_i = sign * np.where(above, edge_i[..., 1], edge_i[..., 0])
    along_j = sign * np.where(above, edge_j[..., 1], edge_j[..., 0])
    across_i = np.where(above, edge_i[..., 0], edge_i[..., 1])
    across_j = np.where(above, edge_j[..., 0], edge_j[..., 1])

    ends = np.stack(
        [
            np.maximum(across_i[:, 0], across_j[:, 0]),
            np.minimum(across_i[:, 1], across_j[:, 1]),
        ],
        axis=1,
    )
    gaps = _at(along_j, across_j, ends) - _at(along_i, across_i, ends)
    length = np.where(above[:, 0], 1.0, TILE_HEIGHT)
    staggers = np.abs(across_j.mean(axis=1) - across_i.mean(axis=1)) / length
    # The whole tiles' angle is steadier than the two edges': it says how far the gap closes
    # from its middle to its narrow end.
    closing = np.abs(ends[:, 1] - ends[:, 0]) / 2 * np.tan(np.radians(angles_deg))
    return gaps.mean(axis=1) - closing, staggers


def _at(along: Reals, across: Reals, where: Reals) -> Reals:
    """Where the edges' lines stand, `along`, at the given places across."""
    run = across[:, 1] - across[:, 0]
    slope = (along[:, 1] - along[:, 0]) / np.where(np.abs(run) < 1e-3, 1e-3, run)  # noqa: PLR2004
    return np.asarray(along[:, :1] + (where - across[:, :1]) * slope[:, None])


def _turns_deg(axes: Reals) -> Reals:
    """How far each tile is turned in the pair's frame, whatever its shear."""
    width = axes[:, :, 0]
    height = axes[:, :, 1] / TILE_HEIGHT
    return np.asarray(
        np.degrees(np.arctan2(width[:, 1] - height[:, 0], width[:, 0] + height[:, 1]))
    )
