"""Printed things that lie about and are no tiles, though they bear numbers as tiles do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from vision.rendering.arrays import Array
    from vision.types import Pixels

TALL_PX: Final = 256
_RANKS: Final = ("A", *map(str, range(2, 11)), "J", "Q", "K")
_LETTERS: Final = tuple("ABCDEFGHIJKLMNOPRSTUVWZ")
_KEYS: Final = ("789/", "456x", "123-", "0.=+")
_RED, _BLACK = (40.0, 30.0, 190.0), (25.0, 25.0, 25.0)


def playing_card(rng: np.random.Generator) -> Pixels:
    """Draw a card with its rank in two corners, the one turned round, and pips or a picture."""
    wide = TALL_PX * 5 // 8
    card = np.full((TALL_PX, wide, 3), rng.uniform(225, 255), np.uint8)
    ink = _RED if rng.random() < 0.5 else _BLACK
    rank, size = str(rng.choice(_RANKS)), rng.uniform(0.9, 1.8)
    corner = card[: TALL_PX // 2]
    _write(corner, rank, (wide * 0.12, TALL_PX * 0.17), size, ink, 3)
    _pip(corner, (wide * 0.12, TALL_PX * 0.24), TALL_PX // 26, ink)
    if rng.random() < 0.7:
        for y in np.linspace(0.2, 0.5, int(rng.integers(1, 4))):
            for x in (0.35, 0.65) if rng.random() < 0.7 else (0.5,):
                _pip(corner, (wide * x, TALL_PX * y), TALL_PX // 15, ink)
    else:
        inner = corner[TALL_PX // 10 :, wide // 4 : -wide // 4]
        inner[:] = rng.uniform(60, 255, 3)
    card[TALL_PX - len(corner) :] = corner[::-1, ::-1]
    return card


def score_sheet(rng: np.random.Generator) -> Pixels:
    """Write names and columns of numbers by hand on lined or plain paper."""
    sheet = _paper(rng, TALL_PX * int(rng.integers(9, 14)) // 12)
    wide, ink = sheet.shape[1], rng.uniform(20, 140, 3)
    pitch = rng.uniform(18, 40)
    rows, columns = np.arange(pitch, TALL_PX, pitch), int(rng.integers(2, 5))
    if rng.random() < 0.6:
        for y in rows:
            cv2.line(sheet, (0, int(y) + 4), (wide, int(y) + 4), (215, 190, 170), 1)
    hand = int(rng.choice([cv2.FONT_HERSHEY_SCRIPT_SIMPLEX, cv2.FONT_HERSHEY_SIMPLEX]))
    for number, y in enumerate(rows[: int(rng.integers(3, 20))]):
        for column in range(columns):
            if number == 0:
                word = "".join(rng.choice(_LETTERS, int(rng.integers(2, 4))))
            else:
                word = str(int(rng.integers(-120, 200)))
            at = (wide * (column + 0.15) / columns, y + rng.normal(0, 2))
            _write(sheet, word, at, pitch / 45, ink, 1 + int(pitch > 28), hand)
    return sheet


def page(rng: np.random.Generator) -> Pixels:
    """Set a heading, lines of text and perhaps a picture: rules, a magazine, a box's back."""
    sheet = _paper(rng, TALL_PX * int(rng.integers(8, 18)) // 12)
    if rng.random() < 0.4:
        sheet[:] = rng.uniform(0, 255, 3)
    wide, ink = sheet.shape[1], rng.uniform(0, 255, 3)
    heading = "".join(rng.choice([*_LETTERS, *"123456789"], int(rng.integers(2, 9))))
    _write(sheet, heading, (wide * 0.08, TALL_PX * 0.2), rng.uniform(0.8, 2.4), ink, 4)
    pitch = rng.uniform(8, 18)
    for y in np.arange(TALL_PX * 0.32, TALL_PX * 0.92, pitch):
        line = "".join(rng.choice([*_LETTERS, *"1234567890      "], 24)).lower()
        _write(sheet, line, (wide * 0.08, y), pitch / 38, ink, 1)
    if rng.random() < 0.5:
        x, y = int(wide * rng.uniform(0, 0.6)), int(TALL_PX * rng.uniform(0.2, 0.6))
        sheet[y : y + TALL_PX // 3, x : x + wide // 3] = rng.uniform(0, 255, 3)
    return sheet


def keypad(rng: np.random.Generator) -> Pixels:
    """Set keys with figures or letters in rows: a calculator, a keyboard, a telephone's screen."""
    rows = int(rng.integers(3, 6))
    columns = int(rng.integers(3, 11))
    pitch = TALL_PX / (rows + 0.5)
    sheet = np.empty((TALL_PX, round(pitch * (columns + 0.5)), 3), np.uint8)
    tones = 1 if rng.random() < 0.6 else 3  # most are black, grey or white
    sheet[:] = rng.uniform(0, 255, tones)
    key, ink = (np.resize(rng.uniform(0, 255, tones), 3) for _ in range(2))
    gap, size = pitch * rng.uniform(0.05, 0.2), pitch / rng.uniform(40, 80)
    letters = rng.choice(_LETTERS, (rows, columns))
    for row in range(rows):
        for column in range(columns):
            low = np.array([column + 0.25, row + 0.25]) * pitch + gap / 2
            high = low + pitch - gap
            _rounded(sheet, low, high, pitch * 0.12, key)
            sign = _KEYS[row % 4][column] if column < len(_KEYS[0]) else letters[row, column]
            _write(sheet, str(sign), (low[0] + pitch * 0.2, high[1] - pitch * 0.25), size, ink, 2)
    return sheet


def die(rng: np.random.Generator) -> Pixels:
    """Draw a die's upper face."""
    side = TALL_PX // 2
    face = np.empty((side, side, 3), np.uint8)
    face[:] = rng.uniform(180, 255) if rng.random() < 0.7 else rng.uniform(0, 255, 3)
    dots = rng.permutation(9)[: int(rng.integers(1, 7))]
    ink = _BLACK if face.mean() > 100 else (240.0, 240.0, 240.0)
    for dot in dots:
        at = ((dot % 3 + 1) * side / 4, (dot // 3 + 1) * side / 4)
        cv2.circle(face, _whole(at), side // 11, ink, -1, cv2.LINE_AA)
    return face


# How each is drawn, and how tall it is, tile widths.
PRINTS: Final[tuple[tuple[Callable[[np.random.Generator], Pixels], tuple[float, float]], ...]] = (
    (playing_card, (2.6, 3.8)),
    (score_sheet, (3.0, 9.0)),
    (page, (3.0, 9.0)),
    (keypad, (2.0, 6.0)),
    (die, (0.4, 0.9)),
)


def _paper(rng: np.random.Generator, wide: int) -> Pixels:
    paper = np.empty((TALL_PX, wide, 3), np.uint8)
    paper[:] = rng.uniform(215, 255) - np.array([rng.uniform(0, 60), rng.uniform(0, 12), 0])
    return paper


def _write(
    sheet: Pixels,
    text: str,
    at: tuple[float, float],
    size: float,
    ink: Array | tuple[float, float, float],
    bold: int,
    font: int = cv2.FONT_HERSHEY_SIMPLEX,
) -> None:
    colour = tuple(float(part) for part in ink)
    cv2.putText(sheet, text, _whole(at), font, size, colour, bold, cv2.LINE_AA)


def _pip(
    sheet: Pixels, at: tuple[float, float], size: int, ink: tuple[float, float, float]
) -> None:
    x, y = at
    diamond = np.array([(x, y - size), (x + size * 0.7, y), (x, y + size), (x - size * 0.7, y)])
    cv2.fillConvexPoly(sheet, diamond.astype(np.int32), ink, cv2.LINE_AA)


def _rounded(sheet: Pixels, low: Array, high: Array, radius: float, colour: Array) -> None:
    """Fill a rectangle with round corners."""
    fill = tuple(float(part) for part in colour)
    for inset in np.diag([radius, radius]):
        cv2.rectangle(sheet, _whole(low + inset), _whole(high - inset), fill, -1)
    for x in (low[0] + radius, high[0] - radius):
        for y in (low[1] + radius, high[1] - radius):
            cv2.circle(sheet, _whole((x, y)), int(radius), fill, -1, cv2.LINE_AA)


def _whole(point: Array | tuple[float, float]) -> tuple[int, int]:
    return int(point[0]), int(point[1])
