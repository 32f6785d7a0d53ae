"""Hands: fingers, skin of all tones, sleeves."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.rendering.arrays import bgr, dim
from vision.rendering.lighting import soften
from vision.rendering.tables import noise

if TYPE_CHECKING:
    from vision.rendering.arrays import Array

# A hand's own axes, in tile widths: x to its right, y from the held tile back along the arm,
# the origin between the finger tips.
DENSITY: Final = 40
LEFT, TOP, WIDE, LONG = -3.3, -0.8, 6.6, 27.0
_SOFT: Final = 9.0

# From the palest to the darkest, RGB as a camera shows them in white light.
SKINS: Final = (
    (232, 190, 168), (222, 176, 148), (208, 158, 126), (190, 138, 104),
    (164, 114, 82), (136, 92, 66), (106, 70, 52), (78, 52, 40), (58, 40, 33),
)  # fmt: skip

Joint = tuple[float, float, float, float]
"""Where a joint lies, how high, and how thick it is: x, y, z and radius."""

_FINGERS: Final[dict[str, tuple[Joint, ...]]] = {
    "index": ((-0.28, 0.05, 0.3, 0.24), (-0.45, 1.05, 0.9, 0.3), (-0.3, 2.4, 1.5, 0.36)),
    "middle": ((0.38, -0.1, 0.3, 0.25), (0.42, 1.0, 1.0, 0.31), (0.42, 2.3, 1.6, 0.38)),
    "ring": ((1.02, 0.55, 0.3, 0.24), (1.14, 1.3, 0.95, 0.3), (1.1, 2.5, 1.5, 0.36)),
    "little": ((1.62, 1.25, 0.3, 0.2), (1.76, 1.9, 0.75, 0.25), (1.7, 2.9, 1.3, 0.32)),
    "thumb": ((-0.78, 0.72, 0.3, 0.29), (-1.22, 1.65, 0.8, 0.33), (-1.05, 2.9, 1.0, 0.45)),
}
_PALM: Final[tuple[tuple[Joint, Joint], ...]] = (
    ((-0.3, 2.4, 1.3, 0.4), (0.2, 5.2, 1.2, 0.7)),
    ((0.42, 2.3, 1.35, 0.45), (0.6, 5.2, 1.3, 0.75)),
    ((1.1, 2.5, 1.25, 0.45), (0.9, 5.2, 1.2, 0.75)),
    ((1.7, 2.9, 1.0, 0.4), (1.2, 5.2, 1.0, 0.6)),
    ((-1.05, 2.9, 0.9, 0.5), (0.1, 4.9, 1.0, 0.75)),
    ((0.65, 5.0, 1.0, 1.0), (0.65, 6.4, 0.9, 0.98)),
    ((0.65, 6.4, 0.9, 0.98), (0.65, 10.5, 0.8, 1.4)),
    ((0.65, 10.5, 0.8, 1.4), (0.65, 30.0, 0.8, 1.7)),
)


@dataclass(frozen=True, slots=True)
class Hand:
    """One person's hand and forearm, ready to be lit and placed.

    Attributes
    ----------
    albedo_bgr
        (h, w, 3) float32, 0 to 1: what it reflects in white light.
    normal
        (h, w, 3) float32: unit vectors out of it, along its x, y and up.
    alpha
        (h, w) float32, 0 to 1: what it covers.
    """

    albedo_bgr: Array
    normal: Array
    alpha: Array


def make_hand(
    rng: np.random.Generator,
    skin: tuple[int, int, int],
    sleeve: tuple[int, int, int] | None,
    *,
    left: bool = False,
) -> Hand:
    """Draw a hand in the colours given, RGB; without a sleeve the forearm is bare."""
    rise, inside = _shape()
    albedo = _skin(rng, bgr(skin), rise)
    if sleeve is not None:
        cloth = bgr(sleeve)
        rise, inside, albedo = _dress(rng, rise, inside, albedo, cloth)
    slope_x = cv2.Sobel(rise, cv2.CV_32F, 1, 0, scale=-DENSITY / 8)
    slope_y = cv2.Sobel(rise, cv2.CV_32F, 0, 1, scale=-DENSITY / 8)
    upright = 1 / np.sqrt(slope_x**2 + slope_y**2 + 1)
    normal = cv2.merge([slope_x * upright, slope_y * upright, upright])
    alpha = np.clip(inside * DENSITY + 0.5, 0, 1)
    dim(albedo, 1 - 0.55 * np.clip(soften(rise, 0.25 * DENSITY) - rise, 0, 1))
    parts = [np.asarray(part, np.float32) for part in (albedo, normal, alpha)]
    if left:
        parts = [np.ascontiguousarray(p[:, ::-1]) for p in parts]
        parts[1][..., 0] *= -1
    return Hand(*parts)


def random_hand(rng: np.random.Generator) -> Hand:
    """Return any hand: any skin, most in a sleeve, left or right."""
    skin = SKINS[int(rng.integers(len(SKINS)))]
    red, green, blue = (int(v) for v in rng.uniform(0, 1, 3) ** 1.3 * 235 + 10)
    sleeve = (red, green, blue) if rng.random() < 0.75 else None
    return make_hand(rng, skin, sleeve, left=bool(rng.random() < 0.4))


@lru_cache(maxsize=1)
def _axes() -> tuple[Array, Array]:
    y, x = np.mgrid[: int(LONG * DENSITY), : int(WIDE * DENSITY)].astype(np.float32)
    return x / DENSITY + np.float32(LEFT), y / DENSITY + np.float32(TOP)


@lru_cache(maxsize=1)
def _shape() -> tuple[Array, Array]:
    """Return how high the skin is, and how far inside the outline a place lies; (h, w) each.

    All hands share them: do not write into them.
    """
    x, y = _axes()
    bones = [pair for joints in _FINGERS.values() for pair in pairwise(joints)]
    total = np.zeros_like(x)
    inside = np.full_like(x, -9)
    for one, other in (*bones, *_PALM):
        here = _around(one, other)
        depth, height = _capsule(x[here], y[here], one, other)
        total[here] += np.exp(_SOFT * np.minimum(height, 4)) * (depth > 0)
        inside[here] = np.maximum(inside[here], depth)
    rise = np.log(np.maximum(total, 1)) / _SOFT
    return np.asarray(cv2.GaussianBlur(rise, (0, 0), 0.05 * DENSITY), np.float32), inside


def _around(*joints: Joint) -> tuple[slice, slice]:
    """Return the part of a hand's picture in which these joints lie."""
    margin = max(joint[3] for joint in joints) + 0.1
    spans = []
    for axis, start in ((1, TOP), (0, LEFT)):
        places = [joint[axis] - start for joint in joints]
        first, last = min(places) - margin, max(places) + margin
        spans.append(slice(max(int(first * DENSITY), 0), max(int(last * DENSITY) + 1, 0)))
    return spans[0], spans[1]


def _capsule(x: Array, y: Array, one: Joint, other: Joint) -> tuple[Array, Array]:
    """Return depth inside a bone's outline and height of its surface, 0 outside."""
    dx, dy = other[0] - one[0], other[1] - one[1]
    along = np.clip(((x - one[0]) * dx + (y - one[1]) * dy) / (dx * dx + dy * dy), 0, 1)
    away = np.hypot(x - one[0] - along * dx, y - one[1] - along * dy)
    radius = one[3] + along * (other[3] - one[3])
    middle = one[2] + along * (other[2] - one[2])
    return radius - away, middle + 0.9 * np.sqrt(np.clip(radius**2 - away**2, 0, None))


def _skin(rng: np.random.Generator, tone: Array, rise: Array) -> Array:
    """Colour the skin: redder at tips and knuckles, blotchy, with nails."""
    x, y = _axes()
    cells = (LONG * 3, WIDE * 3)
    blotches = cv2.addWeighted(
        _field(rng, rise, cells), 0.1, _field(rng, rise, (300, 80)), 0.06, 0.92
    )
    red = np.array([0.9, 0.92, 1.03], np.float32)
    flush = _flush()
    colour = cv2.merge(
        [(flush * (r - 1) + 1) * blotches * t for r, t in zip(red, tone, strict=True)]
    )
    for tip, knuckle, _ in _FINGERS.values():
        here = _around(tip)
        colour[here] = _nail(colour[here], (tip, knuckle), tone, x[here], y[here])
    return np.asarray(colour, np.float32)


@lru_cache(maxsize=1)
def _flush() -> Array:
    """Return where skin is redder, (h, w), 0 to 1: finger tips and knuckles."""
    x, y = _axes()
    flush = np.zeros_like(x)
    for joints in _FINGERS.values():
        for (at_x, at_y, _, _), size in zip(joints, (0.35, 0.25, 0.4), strict=True):
            here = _around((at_x, at_y, 0, 3 * size))
            flush[here] += np.exp(-((x[here] - at_x) ** 2 + (y[here] - at_y) ** 2) / size**2)
    return np.clip(flush, 0, 1)


def _nail(colour: Array, finger: tuple[Joint, Joint], tone: Array, x: Array, y: Array) -> Array:
    tip, knuckle = finger
    back = np.array([knuckle[0] - tip[0], knuckle[1] - tip[1]])
    back /= np.linalg.norm(back)
    dx, dy = x - (tip[0] + back[0] * 0.08), y - (tip[1] + back[1] * 0.08)
    along, across = dx * back[0] + dy * back[1], dx * back[1] - dy * back[0]
    distance = np.sqrt((along / 0.2) ** 4 + (across / (tip[3] * 0.66)) ** 4)
    mask = np.clip((1 - distance) * 6, 0, 1)[..., None] * 0.6
    pink = np.clip(tone * 0.75 + np.array([0.18, 0.17, 0.24], np.float32), 0, 1)
    return np.asarray(colour + mask * (pink - colour), np.float32)


def _dress(
    rng: np.random.Generator, rise: Array, inside: Array, albedo: Array, cloth: Array
) -> tuple[Array, Array, Array]:
    """Put a sleeve over the forearm: wider than it, folded, with a cuff."""
    x, y = _axes()
    start = rng.uniform(6.3, 8.5)
    edge = start + 0.08 * np.sin(x * 2.1 + rng.uniform(0, 6))
    wide = 1.35 + 0.05 * (y - start) + 0.1 * (_field(rng, rise, (LONG * 0.8, 2)) - 0.5)
    depth = np.minimum(wide - np.abs(x - 0.65), (y - edge) * 1.0)
    folds = _field(rng, rise, (LONG * 1.2, 3)) * 0.5 + _field(rng, rise, (LONG * 2.5, 5)) * 0.2
    height = 1.0 + 0.75 * np.sqrt(np.clip(wide**2 - (x - 0.65) ** 2, 0, None)) + folds
    hem = rng.uniform(0.4, 0.8)
    height += 0.08 * ((y - edge) < hem)
    on = depth > 0
    weave = 1 + 0.12 * (_field(rng, rise, (600, 150)) - 0.5)
    weave = weave * np.where(np.abs(y - edge - hem) < 0.03, 0.8, 1)
    coloured = np.where(on[..., None], cloth * weave[..., None], albedo)
    high = cv2.GaussianBlur(np.where(on, height, rise).astype(np.float32), (0, 0), 1.5)
    return (
        np.asarray(high, np.float32),
        np.maximum(np.where(y < edge + 0.3, inside, -9), depth),
        coloured,
    )


def _field(rng: np.random.Generator, like: Array, cells: tuple[float, float]) -> Array:
    square = noise(rng, 512, cells)
    return np.asarray(cv2.resize(square, like.shape[::-1]), np.float32)
