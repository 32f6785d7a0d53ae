"""Tile faces: what is printed, engraved and embossed on one tile, seen straight on."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import cv2
import numpy as np
from PIL import Image, ImageDraw

from vision.rendering.arrays import bent, bgr
from vision.rendering.editions import Digit, Edition, Wordmark, find_font, open_font
from vision.rendering.jokers import draw_joker
from vision.rendering.signs import pip_mask

if TYPE_CHECKING:
    from cv2.typing import MatLike

    from vision.rendering.arrays import Array
    from vision.types import Pixels

FACE_HEIGHT_PX = 256
_ALONG = 0.85
_LEAST_PX = 32
_GLYPH_PX = 200
_COLOURS = {"R": "red", "B": "blue", "O": "orange", "K": "black"}
WORDMARKS = ("Rummy", "Rummi", "Tiles", "Original", "Meld", "Classic", "Rumi")


@dataclass(frozen=True, slots=True)
class Face:
    """One face, ready to be lit and placed.

    Attributes
    ----------
    albedo_bgr
        (h, w, 3) float32, 0 to 1: what the face reflects in white light.
    slope
        (h, w, 2) float32: how much the surface rises along x and along y.
    alpha
        (h, w) float32, 0 to 1: inside the rounded outline.
    half
        The same at half the size, so that small pictures of it take little time; None if this
        is small enough.
    """

    albedo_bgr: Array
    slope: Array
    alpha: Array
    half: Face | None = None

    def at_height(self, height_px: float) -> Face:
        """Return the smallest copy that is at least so high, or this one."""
        if self.half is None or self.half.alpha.shape[0] < height_px:
            return self
        return self.half.at_height(height_px)


@dataclass(frozen=True, slots=True)
class Blank:
    """What all the faces of a set share.

    Attributes
    ----------
    slope
        (h, w, 2) float32, as of a face: rounded edge, dish, wordmark.
    alpha
        (h, w) float32, as of a face.
    """

    slope: Array
    alpha: Array


def draw_blank(edition: Edition, rng: np.random.Generator, *, back: bool = False) -> Blank:
    """Shape the tiles of one set, either their faces or their smooth backs."""
    height, width = _size(edition)
    relief = _body_relief(edition, width, height, rng, plain=back)
    return Blank(_slope(relief), _outline(width, height, edition.body.corner))


def draw_face(
    edition: Edition, name: str, rng: np.random.Generator, blank: Blank | None = None
) -> Face:
    """Draw the face called `name` ("R7", "J"; "" for a blank back) of an edition.

    The generator picks a joker's ink, mostly red or black, and its small variations.
    `blank` is what the set's faces share, shaped anew without it.
    """
    blank = blank or draw_blank(edition, rng, back=name == "")
    height, width = blank.alpha.shape
    ink, ink_bgr = _ink_mask(edition, name, width, height, rng)
    body = bgr(edition.body.colour)
    if edition.body.grain:
        body = body * _grain(width, height, edition.body.grain, rng)
    albedo = cv2.merge([ink * (ink_bgr[..., i] - body[..., i]) + body[..., i] for i in range(3)])
    slope = blank.slope
    if edition.digit.engraved and name:
        slope = slope - _slope(cv2.GaussianBlur(ink, (0, 0), 1.5)) * np.float32(2.2)
    return face_of(np.asarray(albedo, np.float32), slope, blank.alpha)


def _size(edition: Edition) -> tuple[int, int]:
    return FACE_HEIGHT_PX, round(FACE_HEIGHT_PX * edition.body.aspect)


def _slope(relief: MatLike) -> Array:
    """Return how much a height map rises along x and along y, (h, w, 2)."""
    along = [cv2.Sobel(relief, cv2.CV_32F, dx, 1 - dx, scale=0.25) for dx in (1, 0)]
    return np.asarray(cv2.merge(along), np.float32)


def face_of(albedo: Array, slope: Array, alpha: Array) -> Face:
    """Return a face with its copies at half the size, and half of that."""
    if alpha.shape[0] < 2 * _LEAST_PX:
        return Face(albedo, slope, alpha)
    half = (alpha.shape[1] // 2, alpha.shape[0] // 2)
    parts = (
        np.asarray(cv2.resize(part, half, interpolation=cv2.INTER_AREA), np.float32)
        for part in (albedo, slope, alpha)
    )
    return Face(albedo, slope, alpha, face_of(*parts))


def _ink_mask(
    edition: Edition, name: str, width: int, height: int, rng: np.random.Generator
) -> tuple[Array, Array]:
    """Return where ink is, (h, w), and its colour, BGR from 0 to 1, (3,) or (h, w, 3)."""
    if name == "":
        return np.zeros((height, width), np.float32), np.zeros(3, np.float32)
    if name == "J":
        return draw_joker(edition.joker, edition.ink, width, height, rng)
    number = name[1:]
    mask = _digit_mask(edition, number, width, height, rng)
    if edition.digit.ground != "none":
        mask = _left_out(mask, edition.digit)
    if edition.pip != "none":
        mask = np.maximum(mask, pip_mask(edition, name[0], width, height))
    return mask, bgr(getattr(edition.ink, _COLOURS[name[0]]))


def _digit_mask(
    edition: Edition, number: str, width: int, height: int, rng: np.random.Generator
) -> Array:
    """Coverage of the number's ink, its height measured on the glyphs themselves."""
    digit = edition.digit
    stroke = max(0, round(digit.bold * _GLYPH_PX))
    glyph = _glyph(find_font(digit.fonts), number, stroke, round(digit.spacing * _GLYPH_PX))
    tall = round(digit.height * height)
    wide = min(
        round(glyph.shape[1] * tall / glyph.shape[0] * digit.stretch), int(digit.max_width * width)
    )
    small = cv2.resize(glyph, (max(wide, 4), tall), interpolation=cv2.INTER_AREA)
    printed = np.multiply(small, np.float32(1 / 255), dtype=np.float32)
    mask = np.zeros((height, width), np.float32)
    ink = _drawn_by_hand(printed, digit, rng)
    _place(mask, ink, width // 2, round(digit.centre_y * height))
    if digit.mark != "none" and number in {"6", "9"}:
        _mark_upright(mask, digit.mark, wide, tall, round(digit.centre_y * height))
    return mask


@lru_cache(maxsize=128)
def _glyph(font_path: str | None, number: str, stroke: int, spacing: int) -> Pixels:
    """Return a number as the font has it, cut at its ink; the four colours share it."""
    font = open_font(font_path, _GLYPH_PX)
    left, top, right, bottom = font.getbbox(number, stroke_width=stroke)
    glyph = Image.new("L", (int(right - left) + max(spacing, 0), int(bottom - top)))
    draw = ImageDraw.Draw(glyph)
    for index, figure in enumerate(number):
        x = font.getlength(number[:index]) + index * spacing - left
        draw.text((x, -top), figure, fill=255, font=font, stroke_width=stroke, stroke_fill=255)
    return np.asarray(glyph.crop(glyph.getbbox()), np.uint8)


def _grain(width: int, height: int, strength: float, rng: np.random.Generator) -> Array:
    """Return how bright wood is, (h, w, 1) about 1: streaks along the tile, rarely across it."""
    long, short = (height, width) if rng.random() < _ALONG else (width, height)
    fine = rng.normal(0, 1, (max(2, long // 24), short // 2)).astype(np.float32)
    broad = rng.normal(0, 1, (2, max(2, short // 12))).astype(np.float32)
    streaks = sum(
        cv2.resize(noise, (short, long), interpolation=cv2.INTER_CUBIC) for noise in (fine, broad)
    )
    grain = 1 + strength * np.asarray(streaks, np.float32) / np.float32(np.std(streaks))
    return np.asarray(np.clip(grain if long == height else grain.T, 0, 1.2)[..., None])


def _left_out(mask: Array, digit: Digit) -> Array:
    """Return a disc or square of ink that all numbers fit in, without the number."""
    height, width = mask.shape
    ground = np.zeros_like(mask)
    half = min(round(digit.height * height * 0.75), round(0.45 * width))
    x, y = width // 2, round(digit.centre_y * height)
    if digit.ground == "disc":
        cv2.circle(ground, (x, y), half, 1.0, -1, cv2.LINE_AA)
    else:
        cv2.rectangle(ground, (x - half, y - half), (x + half, y + half), 1.0, -1)
    return np.asarray(ground * (1 - mask), np.float32)


def _drawn_by_hand(ink: Array, digit: Digit, rng: np.random.Generator) -> Array:
    """Lean a number, let its lines stray, and rub ink off it."""
    if digit.slant or digit.wobble:
        tall = len(ink)
        margin = int((abs(digit.slant) / 2 + digit.wobble) * tall) + 1
        ink = np.asarray(np.pad(ink, margin), np.float32)
        stray = rng.uniform(-1, 1, (2, 5, 5)).astype(np.float32) * digit.wobble * tall
        ink = np.asarray(bent(ink, stray, digit.slant), np.float32)
    if digit.wear:
        blotches = cv2.resize(rng.random((12, 12), dtype=np.float32), ink.shape[::-1])
        ink = np.asarray(ink * np.clip((blotches - digit.wear) / 0.15 + 1, 0, 1), np.float32)
    return ink


def _place(mask: Array, ink: Array, centre_x: int, centre_y: int) -> None:
    """Paste `ink` centred into `mask`, cut at the mask's edges."""
    tall, wide = ink.shape
    x, y = centre_x - wide // 2, centre_y - tall // 2
    x0, y0 = max(x, 0), max(y, 0)
    x1, y1 = min(x + wide, mask.shape[1]), min(y + tall, mask.shape[0])
    mask[y0:y1, x0:x1] = np.maximum(mask[y0:y1, x0:x1], ink[y0 - y : y1 - y, x0 - x : x1 - x])


def _mark_upright(mask: Array, mark: str, wide: int, tall: int, centre_y: int) -> None:
    centre_x = mask.shape[1] // 2
    if mark == "dot":
        at = (centre_x + wide // 2 + tall // 8, centre_y + tall // 2 - tall // 14)
        cv2.circle(mask, at, max(tall // 14, 2), 1.0, -1, cv2.LINE_AA)
    else:
        y = centre_y + tall // 2 + tall // 7
        cv2.line(
            mask, (centre_x - wide // 2, y), (centre_x + wide // 2, y), 1.0, max(tall // 12, 2)
        )


def _outline(width: int, height: int, corner: float) -> Array:
    alpha = np.zeros((height, width), np.float32)
    r = max(1, round(corner * width))
    cv2.rectangle(alpha, (r, 0), (width - 1 - r, height - 1), 1.0, -1)
    cv2.rectangle(alpha, (0, r), (width - 1, height - 1 - r), 1.0, -1)
    for x in (r, width - 1 - r):
        for y in (r, height - 1 - r):
            cv2.circle(alpha, (x, y), r, 1.0, -1, cv2.LINE_AA)
    return alpha


def _body_relief(
    edition: Edition, width: int, height: int, rng: np.random.Generator, *, plain: bool
) -> Array:
    """Height map of the tile: rounded edge, dish or circle, wordmark; in rough pixels."""
    body = edition.body
    outline = _outline(width, height, body.corner)
    padded = cv2.copyMakeBorder(outline, 1, 1, 1, 1, cv2.BORDER_CONSTANT)
    inside = cv2.distanceTransform((padded > 0.5).astype(np.uint8), cv2.DIST_L2, 5)[1:-1, 1:-1]
    bevel_px = max(body.bevel * width, 1.0)
    edge = np.clip(inside / bevel_px, 0, 1)
    relief = np.asarray(np.sin(edge * np.pi / 2) * bevel_px * 0.5, np.float32)
    if plain:
        return relief
    relief += _dish_relief(edition, width, height)
    if edition.wordmark.relief:
        _emboss(relief, edition.wordmark, rng)
    return np.asarray(cv2.GaussianBlur(relief, (0, 0), 0.8), np.float32)


def _emboss(relief: Array, mark: Wordmark, rng: np.random.Generator) -> None:
    """Raise a maker's name out of the face."""
    height, width = relief.shape
    text = str(rng.choice(WORDMARKS))
    font = open_font(None, 60)
    left, top, right, bottom = font.getbbox(text)
    glyph = Image.new("L", (int(right - left), int(bottom - top)))
    ImageDraw.Draw(glyph).text((-left, -top), text, fill=255, font=font)
    tall, wide = max(round(mark.height * height), 4), round(width * rng.uniform(0.55, 0.7))
    ink = np.asarray(glyph.resize((wide, tall), Image.Resampling.BOX), np.float32) / 255
    raised = np.zeros_like(relief)
    _place(raised, ink, width // 2, round(mark.centre_y * height))
    relief += raised * np.float32(mark.relief * 1.5)


def _dish_relief(edition: Edition, width: int, height: int) -> Array:
    dish = edition.dish
    y, x = np.mgrid[:height, :width].astype(np.float32)
    distance = np.hypot(x - width / 2, y - dish.centre_y * height) / (dish.diameter * width / 2)
    if dish.kind == "concave":
        bowl = -np.clip(1 - distance**2, 0, 1) * dish.depth * width * 0.06
        rim = -np.clip((1.02 - distance) / 0.05, 0, 1) * dish.depth * 1.5
        return np.asarray(bowl + rim, np.float32)
    if dish.kind == "raised":
        plateau = np.sin(np.clip((1 - distance) / 0.25, 0, 1) * np.pi / 2)
        return np.asarray(plateau * dish.depth * width * 0.03, np.float32)
    if dish.kind == "outline":
        ring = np.exp(-(((distance - 1) / 0.025) ** 2))
        return np.asarray(-ring * dish.depth * 1.5, np.float32)
    return np.zeros((height, width), np.float32)
