"""Jokers' faces, in the styles that makers print; no two of a style are quite alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.rendering.arrays import bgr
from vision.rendering.editions import find_font
from vision.rendering.emblems import draw_emblem, draw_lettering
from vision.rendering.pen import Pen
from vision.rendering.pictographs import drawn

if TYPE_CHECKING:
    from vision.rendering.arrays import Array
    from vision.rendering.editions import Ink, Joker
    from vision.types import Pixels

_SUPERSAMPLING = 2


def draw_joker(
    joker: Joker, inks: Ink, width: int, height: int, rng: np.random.Generator
) -> tuple[Array, Array]:
    """Draw a joker in one ink or several.

    Returns
    -------
        (height, width) float32, 0 to 1: the ink's coverage; and its colour, BGR from 0 to 1, (3,)
        or one a pixel, (height, width, 3).
    """
    one = bgr(inks.red if rng.random() < 0.5 else inks.black)
    coloured = joker.inks == "own"
    shown = drawn(joker.pictograph, coloured=coloured) if joker.style == "pictograph" else None
    if shown is None:
        mask = _line_drawing(joker, width, height, rng)
    else:
        pasted = _pasted(shown, joker, width, height)
        mask = pasted[..., 3]
        if coloured:
            return mask, pasted[..., :3]
    return mask, _colour(joker, inks, one, mask.shape, rng)


def _colour(
    joker: Joker, inks: Ink, one: Array, shape: tuple[int, ...], rng: np.random.Generator
) -> Array:
    """Return what colour the ink has, (3,), or (h, w, 3) for stripes or wedges of several."""
    if joker.inks in {"two", "own"}:
        return one
    four = np.stack([bgr(ink) for _, ink in inks])
    rng.shuffle(four)
    if joker.inks == "any":
        return np.asarray(four[0])
    height, width = shape
    y, x = np.mgrid[:height, :width].astype(np.float32)
    x = (x - width / 2) / (joker.diameter * width / 2)
    y = (y - joker.centre_y * height) / (joker.diameter * width / 2)
    turn = rng.uniform(0, 2 * np.pi)
    if rng.random() < 0.5:
        share = (x * np.cos(turn) + y * np.sin(turn) + 1) / 2
    else:
        share = (np.arctan2(y, x) + turn) / (2 * np.pi) % 1
    parts = int(rng.integers(2, 5))
    return np.asarray(four[np.clip(share * parts, 0, parts - 1).astype(np.intp)], np.float32)


def _pasted(picture: Pixels, joker: Joker, width: int, height: int) -> Array:
    """Lay a picture, (h, w, 4), where jokers stand; 0 to 1."""
    times = joker.diameter * width / max(picture.shape[:2])
    size = [max(1, round(side * times)) for side in picture.shape[1::-1]]
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    pasted = np.zeros((height, width, 4), np.float32)
    x = (width - size[0]) // 2
    y = int(np.clip(round(joker.centre_y * height - size[1] / 2), 0, height - size[1]))
    pasted[y : y + size[1], x : x + size[0]] = small
    return pasted


def _line_drawing(joker: Joker, width: int, height: int, rng: np.random.Generator) -> Array:
    """Draw a face or an emblem, large first and then shrunk for smooth lines."""
    scale = _SUPERSAMPLING
    mask = np.zeros((height * scale, width * scale), np.float32)
    radius = joker.diameter * width * scale / 2
    pen = Pen(
        mask,
        np.array([width * scale / 2, joker.centre_y * height * scale]),
        radius,
        max(1, round(joker.line * radius * 2)),
        rng,
        find_font((joker.typeface,)),
    )
    if joker.ring:
        pen.arc((0, 0), (1, 1), 0, 360, width_px=max(1, round(joker.ring * radius * 2)))
    _STYLES[joker.style](pen)
    small = cv2.resize(mask, (width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32)


def _draw_clown(pen: Pen) -> None:
    for x in pen.both(0.33):
        pen.arc((x, -0.2), (0.2, 0.1), 0, 360)
        pen.dot((x, -0.18), 0.07)
        pen.arc((x, -0.36), (0.24, 0.14), 190, 350)
        pen.arc((x * 1.6, 0.3), (0.12, 0.2), 60, 300)
    pen.line((-0.04, -0.15), (-0.1, 0.15), (0.0, 0.2), (0.1, 0.15))
    pen.arc((0, 0.2), (0.45, 0.35), 15, 165)
    pen.arc((0, 0.36), (0.24, 0.1), 0, 180)


def _draw_smile(pen: Pen) -> None:
    for x in pen.both(0.34):
        pen.arc((x, -0.22), (0.15, 0.11), 0, 360)
        pen.dot((x, -0.2), 0.08)
        pen.arc((x, -0.42), (0.2, 0.1), 200, 340)
    pen.line((0.0, -0.12), (-0.08, 0.14), (0.06, 0.16))
    pen.arc((0, 0.3), (0.42, 0.2), 0, 180)
    pen.arc((0, 0.3), (0.42, 0.08), 0, 180)


def _draw_fine(pen: Pen) -> None:
    for x in pen.both(0.32):
        pen.arc((x, -0.15), (0.16, 0.08), 0, 360)
        pen.dot((x, -0.15), 0.05)
        pen.arc((x, -0.33), (0.2, 0.08), 190, 350)
        pen.line((x * 0.6, -0.95), (x * 1.4, -0.6), (x * 2.2, -0.75))
        pen.arc((x * 1.7, 0.2), (0.1, 0.25), 90, 270 if x < 0 else 450)
    pen.arc((0, 0.1), (0.1, 0.07), 0, 360)
    pen.arc((0, 0.25), (0.45, 0.3), 10, 170)


def _draw_small(pen: Pen) -> None:
    for x in pen.both(0.4):
        pen.dot((x, -0.3), 0.13)
        pen.line((x * 1.4, -0.6), (x * 0.5, -0.65))
    pen.dot((0, 0.05), 0.09)
    pen.arc((0, 0.1), (0.65, 0.55), 15, 165)
    pen.line((-0.9, -0.7), (-0.5, -1.1), (0, -0.75), (0.5, -1.1), (0.9, -0.7))


def _draw_stern(pen: Pen) -> None:
    for x in pen.both(0.34):
        pen.line((x * 1.7, -0.42), (x * 0.4, -0.28))
        pen.dot((x, -0.12), 0.11)
    pen.line((0.0, -0.15), (0.0, 0.2))
    pen.line((-0.35, 0.48), (0.35, 0.48))
    pen.arc((0, 0.75), (0.3, 0.14), 180, 360)


def _draw_mixed(pen: Pen) -> None:
    """Put a face together from eyes, a nose, a mouth and what is worn on the head."""
    for draw in (_EYES, _NOSES, _MOUTHS, _HEADS):
        draw[int(pen.rng.integers(len(draw)))](pen)
    if pen.rng.random() < 0.15:  # cut out of a disc of ink
        disc = np.zeros_like(pen.mask)
        at = (round(float(pen.centre[0])), round(float(pen.centre[1])))
        cv2.circle(disc, at, round(pen.radius * 1.05), 1.0, -1, cv2.LINE_AA)
        pen.mask[:] = np.where(disc > 0, disc - pen.mask, pen.mask)


def _ovals(pen: Pen) -> None:
    apart, tall = pen.rng.uniform(0.26, 0.42), pen.rng.uniform(0.07, 0.2)
    for x in pen.both(apart):
        pen.arc((x, -0.2), (0.17, tall), 0, 360)
        pen.dot((x, -0.18), 0.07)


def _beads(pen: Pen) -> None:
    size = pen.rng.uniform(0.07, 0.16)
    for x in pen.both(pen.rng.uniform(0.26, 0.45)):
        pen.dot((x, -0.2), size)


def _laughing(pen: Pen) -> None:
    for x in pen.both(pen.rng.uniform(0.28, 0.42)):
        pen.arc((x, -0.12), (0.17, 0.16), 190, 350)


def _crosses(pen: Pen) -> None:
    for x in pen.both(pen.rng.uniform(0.28, 0.42)):
        pen.line((x - 0.1, -0.3), (x + 0.1, -0.1))
        pen.line((x + 0.1, -0.3), (x - 0.1, -0.1))


def _bridge(pen: Pen) -> None:
    side = pen.rng.choice((-1.0, 1.0))
    pen.line((0.0, -0.15), (-0.09 * side, 0.14), (0.06 * side, 0.16))


def _ball(pen: Pen) -> None:
    pen.dot((0, 0.06), pen.rng.uniform(0.06, 0.16))


def _bulb(pen: Pen) -> None:
    pen.arc((0, 0.08), (0.12, 0.1), 0, 360)


def _no_part(pen: Pen) -> None:
    """Leave it out."""


def _grin(pen: Pen) -> None:
    tall = pen.rng.uniform(0.15, 0.5)
    pen.arc((0, 0.15), (pen.rng.uniform(0.35, 0.7), tall), 10, 170)


def _open_mouth(pen: Pen) -> None:
    wide, tall = pen.rng.uniform(0.3, 0.5), pen.rng.uniform(0.15, 0.35)
    pen.arc((0, 0.3), (wide, tall), 0, 180)
    pen.arc((0, 0.3), (wide, tall * pen.rng.uniform(0, 0.6)), 0, 180)


def _teeth(pen: Pen) -> None:
    pen.arc((0, 0.28), (0.45, 0.32), 0, 180)
    pen.line((-0.45, 0.28), (0.45, 0.28))
    for x in (-0.2, 0.0, 0.2):
        pen.line((x, 0.28), (x, 0.5))


def _flat(pen: Pen) -> None:
    pen.line((-0.35, 0.45), (0.35, 0.45 + pen.rng.uniform(-0.1, 0.1)))


def _brows(pen: Pen) -> None:
    slope = pen.rng.uniform(-0.15, 0.15)
    for x in pen.both(0.33):
        pen.line((x * 1.6, -0.45 - slope), (x * 0.5, -0.45 + slope))


def _jester(pen: Pen) -> None:
    tips = ((-1.0, -0.9), (0.0, -1.3), (1.0, -0.9))
    pen.line((-0.75, -0.5), tips[0], (-0.3, -0.75), tips[1], (0.3, -0.75), tips[2], (0.75, -0.5))
    for tip in tips:
        pen.dot(tip, 0.1)


def _crown(pen: Pen) -> None:
    pen.line((-0.6, -0.65), (-0.7, -1.2), (-0.3, -0.9), (0, -1.25), (0.3, -0.9), (0.7, -1.2),
             (0.6, -0.65), (-0.6, -0.65))  # fmt: skip


def _curls(pen: Pen) -> None:
    for x in (-0.9, -0.5, 0.0, 0.5, 0.9):
        pen.arc((x, -0.85 + 0.5 * x * x), (0.2, 0.16), 0, 360)


def _collar(pen: Pen) -> None:
    for x in (-0.6, -0.2, 0.2, 0.6):
        pen.line((x - 0.2, 0.9), (x, 1.2), (x + 0.2, 0.9))
    _brows(pen)


_EYES = (_ovals, _beads, _laughing, _crosses)
_NOSES = (_bridge, _ball, _bulb, _no_part)
_MOUTHS = (_grin, _open_mouth, _teeth, _flat)
_HEADS = (_brows, _jester, _crown, _curls, _collar, _no_part)


def _draw_emblem(pen: Pen) -> None:
    draw_emblem(pen, _draw_mixed)


def _draw_lettering(pen: Pen) -> None:
    draw_lettering(pen, _draw_mixed)


_STYLES = {
    "mixed": _draw_mixed,
    "emblem": _draw_emblem,
    "pictograph": _draw_emblem,  # where no font has it
    "lettering": _draw_lettering,
    "clown": _draw_clown,
    "smile": _draw_smile,
    "fine": _draw_fine,
    "small": _draw_small,
    "stern": _draw_stern,
}
