"""Photographs as other light, other cameras and other sides of the table would have shown them.

Labelled photographs come from few rooms and show few sets. What these rooms' light, cameras and
angles hide, and these sets' typefaces, the same photographs show when they are changed as others
would change them, with the same labels.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.crops import balance, ink_above, straighten
from vision.outlines import NUMBER_AT
from vision.quads import clockwise, rectangle, short_first
from vision.rendering.arrays import bent, finer, pinching
from vision.rendering.capture import capture
from vision.rendering.shading import GAMMA, embossed, in_shade, like_the_table, slats
from vision.types import stack

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vision.labels import LabelledPhoto, LabelledTile
    from vision.rendering.capture import Range
    from vision.types import Floats, Pixels, Reals

GREY: Final = (0.114, 0.587, 0.299)  # what blue, green and red add to brightness (ITU-R BT.601)
VEIL: Final = 0.8  # of white: how bright the window is
# A camera that adds nothing to what a photograph is already.
PERFECT: Final[Mapping[str, Range]] = {
    "exposure": (1, 1), "blur_px": (0, 0), "noise": (0, 0), "quality": (95, 95),
}  # fmt: skip
FACE_PX: Final = (128, 192)
RIM_PX: Final = 9  # of a face, that stays as it is
STROKE_PX: Final = 31  # of a face, wider than any stroke
FAINT, FULL = 0.15, 0.75  # of a face's strongest ink: what is none, and what is all ink
Light = tuple[float, float, float]
WHITE: Final = (1.0, 1.0, 1.0)
# What inks that the photographed sets do not have leave of a white face.
CYAN: Final = (0.85, 0.66, 0.08)
YELLOW: Final = (0.1, 0.8, 0.97)
TEAL: Final = (0.48, 0.52, 0.06)
PINK: Final = (0.62, 0.23, 0.91)
LIGHT_BLUE: Final = (1.0, 0.65, 0.31)
AMBER: Final = (0.28, 0.65, 1.0)
# The circle that is embossed about a number, in parts of the tile's width and height.
CIRCLE_AT, CIRCLE_RADIUS, CIRCLE_LINE = (0.5, 0.45), 0.3, 0.018
UPPER_LEFT: Final = (-0.6, -0.8)  # where its light comes from
# How the slats of a blind lie: radians, and in parts of the picture's width.
SLATS_ACROSS, SLATS_APART = 0.5, 0.2


@dataclass(frozen=True, slots=True)
class Alteration:
    """What is changed about a photograph.

    Attributes
    ----------
    left, right
        How many times as much blue, green and red light falls in from either side.
    veil
        Share of the picture's brightness that is a window mirrored in the lens.
    blind
        How much light the slats of a blind take, between which the sun shines in.
    likeness
        How much of the way to the colour of what lies around them the tiles' bodies go.
    vividness
        What the colours' distance from grey is multiplied by.
    camera
        What `capture` is told of the camera.
    size
        How many times as large it is.
    quarters
        How many quarter turns it is turned clockwise.
    lowered
        Share of the far edge that is lost, and of the height, when it is seen from lower.
    stray
        How far the lines of the numbers stray, in parts of a tile's width; the same on every tile
        of a number.
    number
        How many times as large the numbers are.
    thinner
        How far in the strokes move on either side, in parts of a tile's width.
    inks
        How much blue, green and red other inks leave of the face's, by their colour's letter.
    circle
        How strongly a circle in relief is shaded, as parts of the light.
    """

    left: Light = WHITE
    right: Light = WHITE
    veil: float = 0.0
    blind: float = 0.0
    likeness: float = 0.0
    vividness: float = 1.0
    camera: Mapping[str, Range] = field(default_factory=dict)
    size: float = 1.0
    quarters: int = 0
    lowered: float = 0.0
    stray: float = 0.0
    number: float = 1.0
    thinner: float = 0.0
    inks: Mapping[str, Light] = field(default_factory=dict)
    circle: float = 0.0

    @property
    def other_strokes(self) -> bool:
        """Whether the numbers are drawn otherwise."""
        return self.stray > 0 or self.number < 1 or self.thinner > 0

    @property
    def other_face(self) -> bool:
        """Whether the tiles' faces look otherwise."""
        return self.other_strokes or self.circle > 0


def _lit(blue: float, green: float, red: float, noise: float = 0) -> Alteration:
    light = (blue, green, red)
    return Alteration(light, light, camera={"noise": (noise, noise)})


ALTERATIONS: Final[Mapping[str, Alteration]] = {
    "as it is": Alteration(),
    "candles": _lit(0.3, 0.8, 1.3),
    "a screen": _lit(1.3, 0.95, 0.65),
    "two lamps": Alteration((0.55, 0.9, 1.3), (1.25, 1.0, 0.75)),
    "in shadow": Alteration((0.15,) * 3, (1.3,) * 3),
    "behind a blind": Alteration(blind=0.8),
    "like the table": Alteration(likeness=0.8),
    "a quarter of the light": _lit(0.25, 0.25, 0.25, noise=0.015),
    "a tenth of the light": _lit(0.1, 0.1, 0.1, noise=0.015),
    "twice the light": _lit(2, 2, 2),
    "a window mirrored": Alteration(veil=0.4),
    "pale": Alteration(vividness=0.6),
    "vivid": Alteration(vividness=1.5),
    "out of focus": Alteration(camera={"blur_px": (1.5, 1.5)}),
    "shaken": Alteration(camera={"shake_px": (4, 4)}),
    "video call": Alteration(camera={"scale": (0.6, 0.6), "quality": (20, 20)}),
    "half as large": Alteration(size=0.5),
    "turned a quarter": Alteration(quarters=1),
    "upside down": Alteration(quarters=2),
    "from lower": Alteration(lowered=0.3),
    "bent numbers": Alteration(stray=0.08),
    "small numbers": Alteration(number=0.6),
    "thin numbers": Alteration(stray=0.05, number=0.7, thinner=0.025),
    "cyan and yellow": Alteration(inks={"B": CYAN, "O": YELLOW}),
    "teal": Alteration(inks={"B": TEAL}),
    "thin cyan and yellow": Alteration(
        stray=0.05, number=0.7, thinner=0.02, inks={"B": CYAN, "O": YELLOW}
    ),
    "thin over a circle": Alteration(stray=0.05, number=0.7, thinner=0.025, circle=0.55),
    "pink and light blue over a circle": Alteration(
        stray=0.05, number=0.7, thinner=0.025, circle=0.55,
        inks={"R": PINK, "B": LIGHT_BLUE, "O": AMBER},
    ),
}  # fmt: skip


def alter(photo: LabelledPhoto, pixels: Pixels, name: str) -> tuple[LabelledPhoto, Pixels]:
    """Change a photograph, always in the same way; its group is the alteration's name.

    Parameters
    ----------
    pixels
        (h, w, 3) uint8 BGR.
    name
        Of `ALTERATIONS`.

    Raises
    ------
    KeyError
        If there is none of that name.
    """
    alteration = ALTERATIONS[name]
    if alteration == Alteration():  # not even another JPEG
        return replace(photo, group=name), pixels
    height, width = pixels.shape[:2]
    warp, size = _warp(alteration, width, height)
    tiles = [replace(tile, outline_img=_moved(tile.outline_img, warp)) for tile in photo.tiles]
    for tile in photo.tiles:
        ink = alteration.inks.get(tile.colour or "")
        if (alteration.other_face or ink) and not tile.loose:
            pixels = _with_another_face(alteration, pixels, tile, ink)
    if alteration.likeness:
        quads = stack(tile.outline_img for tile in photo.tiles if not tile.loose)
        pixels = like_the_table(pixels, quads, alteration.likeness)
    shot = _shot(alteration, pixels)
    if not np.array_equal(warp, np.eye(3)):
        moved = cv2.warpPerspective(shot, warp, size, borderMode=cv2.BORDER_REPLICATE)
        shot = np.asarray(moved, np.uint8)
    return replace(photo, group=name, tiles=tuple(tiles)), shot


def _with_another_face(
    alteration: Alteration, pixels: Pixels, tile: LabelledTile, ink: Light | None
) -> Pixels:
    """Return the picture with a tile's number in another typeface and ink, or in a circle."""
    (quad, face), (width, height) = _upright(pixels, tile.outline_img), FACE_PX
    if ink is not None:
        face = _in_another_ink(face, ink)
    if alteration.other_strokes:
        face = _with_other_strokes(alteration, face, tile.number or 0)
    if alteration.circle:
        face = _over_a_circle(face, alteration.circle)
    within = np.zeros((height, width), np.float32)
    within[RIM_PX:-RIM_PX, RIM_PX:-RIM_PX] = 1
    soft = cv2.GaussianBlur(within, (0, 0), RIM_PX / 3)
    corners = rectangle(0, 0, width, height)
    back = cv2.getPerspectiveTransform(corners, np.ascontiguousarray(quad, np.float32))
    size = pixels.shape[1::-1]
    share = cv2.warpPerspective(soft, back, size)[..., None]
    shown = cv2.warpPerspective(face, back, size, flags=cv2.INTER_AREA)
    return np.asarray(np.rint(pixels * (1 - share) + shown * share), np.uint8)


def _in_another_ink(face: Pixels, ink: Light) -> Pixels:
    """Return a face whose strokes leave that much of its light."""
    blank = _round(cv2.MORPH_CLOSE, face, STROKE_PX).astype(np.float32)
    missing = (blank - face).max(2)
    within = missing[RIM_PX:-RIM_PX, RIM_PX:-RIM_PX]
    most = float(np.quantile(within, 0.98))
    inked = np.clip((missing / max(most, 1) - FAINT) / (FULL - FAINT), 0, 1)
    stroke = np.median(face[missing >= FULL * most].reshape(-1, 3), axis=0)
    other = np.array(ink, np.float32) * blank
    return np.asarray(np.clip(face + inked[..., None] * (other - stroke), 0, 255), np.uint8)


def _with_other_strokes(alteration: Alteration, face: Pixels, number: int) -> Pixels:
    """Return a face with a number bent, smaller and thinner, as all its tiles have it."""
    width = face.shape[1]
    rng = np.random.default_rng(number)
    stray = finer(rng.uniform(-1, 1, (2, 4, 3)) * alteration.stray * width)
    stray = stray + pinching(FACE_PX, alteration.number, NUMBER_AT)
    face = np.asarray(bent(face, stray, border=cv2.BORDER_REFLECT_101), np.uint8)
    return _round(cv2.MORPH_DILATE, face, 2 * round(alteration.thinner * width) + 1)


def _over_a_circle(face: Pixels, strength: float) -> Pixels:
    height, width = face.shape[:2]
    middle = (CIRCLE_AT[0] * width, CIRCLE_AT[1] * height)
    light = (UPPER_LEFT[0] * strength, UPPER_LEFT[1] * strength)
    radius, line = CIRCLE_RADIUS * width, CIRCLE_LINE * width
    return np.asarray(embossed(face, middle, radius, line, light, ridge=True), np.uint8)


def _round(change: int, face: Pixels, side: int) -> Pixels:
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    return np.asarray(cv2.morphologyEx(face, change, kernel), np.uint8)


def _upright(pixels: Pixels, outline: Floats) -> tuple[Floats, Pixels]:
    """Return an outline begun at the top left of the tile, above its number, and what it holds."""
    quad = short_first(clockwise(outline[None].astype(np.float32)))[0]
    face = straighten(pixels, quad, FACE_PX, 0)
    if ink_above(balance(face[None]))[0]:
        return quad, face
    quad = np.roll(quad, 2, 0)
    return quad, straighten(pixels, quad, FACE_PX, 0)


def _shot(alteration: Alteration, pixels: Pixels) -> Pixels:
    """Return the picture in the other light, as the other camera takes it."""
    across = np.linspace(0, 1, pixels.shape[1])[:, None]
    light = np.array(alteration.left) * (1 - across) + np.array(alteration.right) * across
    # As a power of brightness a level is multiplied by a power of the light.
    if alteration.blind:
        size = pixels.shape[1::-1]
        shade = slats(size, SLATS_ACROSS, SLATS_APART * size[0], 0, 0.5)
        pixels = in_shade(pixels, cv2.GaussianBlur(shade, (0, 0), 1), (1 - alteration.blind,) * 3)
    picture = pixels / np.float32(255) * (light ** (1 / GAMMA)).astype(np.float32)
    grey = picture @ np.array(GREY, np.float32)[:, None]
    picture = grey + (picture - grey) * np.float32(alteration.vividness)
    picture = picture * np.float32(1 - alteration.veil) + np.float32(VEIL * alteration.veil)
    return capture(np.random.default_rng(0), picture, **{**PERFECT, **alteration.camera})


def _warp(alteration: Alteration, width: int, height: int) -> tuple[Reals, tuple[int, int]]:
    """Return (3, 3) from the picture to the altered one, and the width and height of this."""
    corners = rectangle(0, 0, width, height)
    if alteration.quarters % 2:
        width, height = height, width
    width, height = round(width * alteration.size), round(height * alteration.size)
    narrower, shorter = width * alteration.lowered / 2, height * alteration.lowered
    targets = np.array(
        [(narrower, shorter), (width - narrower, shorter), (width, height), (0, height)]
    )
    turned = np.roll(targets, -alteration.quarters, 0).astype(np.float32)
    return np.asarray(cv2.getPerspectiveTransform(corners, turned), np.float64), (width, height)


def _moved(outline: Floats, warp: Reals) -> Floats:
    return np.asarray(cv2.perspectiveTransform(outline[None].astype(np.float32), warp)[0])
