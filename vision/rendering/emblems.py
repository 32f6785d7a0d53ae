"""What makers print on jokers that is no mere face: suns, stars, caps with bells, words.

None of them is any maker's: they are put together by chance, so that a reader learns that
whatever is no number, and stands where numbers stand, is a joker.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from vision.rendering.pen import Pen

    Point = tuple[float, float]

_LETTERED = 0.7  # of what is written
_WORDS = ("JOKER", "JOLLY", "Joker", "JOKER")
_LETTERS = ("J", "JK", "JO")


def draw_emblem(pen: Pen, face: Callable[[Pen], None]) -> None:
    """Draw an emblem; `face` draws the face of those that have one."""
    draw = _EMBLEMS[int(pen.rng.integers(len(_EMBLEMS)))]
    draw(pen, face)


def draw_lettering(pen: Pen, face: Callable[[Pen], None]) -> None:
    """Write its first letters, which alone look much like a number, or what it is."""
    if pen.rng.random() < _LETTERED:
        _letter(pen, face, ("J", "J", *_LETTERS))
    else:
        _word(pen, face)


def _around(count: int, radius: float, turn: float = 0.0) -> list[Point]:
    """Return points around a circle, the first one above."""
    angles = turn - np.pi / 2 + np.arange(count) * 2 * np.pi / count
    return [(float(radius * np.cos(a)), float(radius * np.sin(a))) for a in angles]


def _either(pen: Pen, points: list[Point], *, filled: float = 0.5) -> bool:
    """Draw a shape filled or in outline; tell whether it is filled."""
    if pen.rng.random() < filled:
        pen.fill(*points)
        return True
    pen.outline(*points)
    return False


def _star(pen: Pen, face: Callable[[Pen], None]) -> None:
    count, inner = int(pen.rng.integers(4, 9)), pen.rng.uniform(0.35, 0.65)
    outer = _around(count, 1.1)
    between = _around(count, 1.1 * inner, np.pi / count)
    points = [point for pair in zip(outer, between, strict=True) for point in pair]
    if not _either(pen, points) and inner > 0.5 and pen.rng.random() < 0.7:
        face(pen.within(0.45))


def _sun(pen: Pen, face: Callable[[Pen], None]) -> None:
    count, reach = int(pen.rng.integers(8, 18)), pen.rng.uniform(0.55, 0.75)
    pen.arc((0, 0), (reach, reach), 0, 360)
    straight = pen.rng.random() < 0.5
    starts, tips = _around(count, reach * 1.1), _around(count, pen.rng.uniform(1.0, 1.25))
    sides = _around(count, reach * 1.1, 2 * np.pi / count)
    for start, side, tip in zip(starts, sides, tips, strict=True):
        if straight:
            pen.line(start, tip)
        else:
            pen.fill(start, tip, ((start[0] + side[0]) / 2, (start[1] + side[1]) / 2))
    face(pen.within(reach * 0.8))


def _cap_and_bells(pen: Pen, face: Callable[[Pen], None]) -> None:
    tips = ((-1.0, -0.3), (-0.55, -1.1), (0.55, -1.1), (1.0, -0.3))
    chosen = tips if pen.rng.random() < 0.5 else ((-1.0, -0.5), (0.0, -1.3), (1.0, -0.5))
    brim = pen.rng.uniform(-0.35, -0.15)
    points: list[Point] = [(-0.5, brim)]
    for i, tip in enumerate(chosen):
        if i:
            middle = (chosen[i - 1][0] + tip[0]) / 2
            points.append((middle * 0.8, brim - pen.rng.uniform(0.25, 0.45)))
        points.append(tip)
    points.append((0.5, brim))
    _either(pen, points, filled=0.7)
    for x, y in chosen:
        pen.dot((x, y + 0.08), pen.rng.uniform(0.09, 0.15))
    face(pen.within(0.5, (0.0, 0.3)))


def _flower(pen: Pen, _: Callable[[Pen], None]) -> None:
    count, filled = int(pen.rng.integers(4, 8)), pen.rng.random() < 0.5
    size = pen.rng.uniform(0.28, 0.42)
    for petal in _around(count, 0.62, pen.rng.choice((0.0, np.pi / count))):
        if filled:
            pen.dot(petal, size)
        else:
            pen.arc(petal, (size, size), 0, 360)
    pen.dot((0, 0), pen.rng.uniform(0.12, 0.3))


def _moon(pen: Pen, face: Callable[[Pen], None]) -> None:
    side = pen.rng.choice((-1.0, 1.0))
    bow = [(side * x, y) for x, y in _around(40, 1.0)[:21]]
    hollow = pen.rng.uniform(0.35, 0.75)
    back = [(x * hollow, y) for x, y in reversed(bow)]
    if not _either(pen, [*bow, *back]) and pen.rng.random() < 0.5:
        face(pen.within(0.3, (side * 0.6, 0.0)))
    else:  # alone it might be a 1 of some hand's
        pen.within(0.3, (-side * 0.35, -0.1)).fill(*_around(5, 1.0))


def _butterfly(pen: Pen, _: Callable[[Pen], None]) -> None:
    filled = pen.rng.random() < 0.5
    for x in pen.both(0.5):
        for y, size in ((-0.35, 0.45), (0.4, pen.rng.uniform(0.28, 0.4))):
            if filled:
                pen.dot((x, y), size)
            else:
                pen.arc((x, y), (size, size * 0.85), 0, 360)
        pen.line((0.0, -0.4), (x * 0.6, -1.0))
    pen.line((0.0, -0.5), (0.0, 0.8))


def _suit(pen: Pen, _: Callable[[Pen], None]) -> None:
    kind = int(pen.rng.integers(4))
    bow = np.linspace(0, 2 * np.pi, 60)
    if kind == 0:  # a diamond
        _either(pen, [(0.0, -1.1), (0.75, 0.0), (0.0, 1.1), (-0.75, 0.0)])
    elif kind in (1, 2):  # a heart, or a spade, which is one upside down on a foot
        x = np.sin(bow) ** 3
        y = -(13 * np.cos(bow) - 5 * np.cos(2 * bow) - 2 * np.cos(3 * bow) - np.cos(4 * bow)) / 16
        way = 1.0 if kind == 1 else -1.0
        _either(pen, [(float(a), float(way * b)) for a, b in zip(x, y, strict=True)])
        if kind == 2:
            pen.fill((0.0, 0.3), (0.35, 1.1), (-0.35, 1.1))
    else:  # a club
        for petal in ((0.0, -0.45), (-0.45, 0.2), (0.45, 0.2)):
            pen.dot(petal, 0.42)
        pen.fill((0.0, 0.0), (0.3, 1.0), (-0.3, 1.0))


def _word(pen: Pen, face: Callable[[Pen], None]) -> None:
    """Write what it is, beneath a face, down the tile or alone."""
    word = str(pen.rng.choice(_WORDS))
    kind = pen.rng.random()
    if kind < 0.4:
        face(pen.within(0.7, (0.0, -0.2)))
        pen.write(word, (0.0, 1.0), pen.rng.uniform(1.4, 2.0))
    elif kind < 0.6:
        for i, letter in enumerate(word):
            pen.write(letter, (0.0, -1.2 + 0.6 * i), 0.4)
    else:
        pen.write(word, (0.0, pen.rng.uniform(-0.2, 0.2)), pen.rng.uniform(1.6, 2.3))


def _letter(pen: Pen, _: Callable[[Pen], None], letters: tuple[str, ...] = _LETTERS) -> None:
    """Write its first letter, large, mostly in a frame."""
    text = str(pen.rng.choice(letters))
    pen.write(text, (0.0, 0.0), pen.rng.uniform(0.5, 0.75) * len(text))
    frame = pen.rng.random()
    if frame < 0.4:
        pen.arc((0, 0), (1.1, 1.1), 0, 360)
    elif frame < 0.7:
        pen.outline(*_around(int(pen.rng.integers(4, 7)), 1.25))


def _mask(pen: Pen, face: Callable[[Pen], None]) -> None:
    """Lay a face out in light lines on ink, as a stamp does."""
    dark = np.zeros_like(pen.mask)
    shape = _around(int(pen.rng.choice((4, 6, 30))), 1.15)
    path = np.array([np.array(point) * pen.radius + pen.centre for point in shape], np.int32)
    cv2.fillPoly(dark, [path], 1.0, cv2.LINE_AA)
    face(pen.within(0.75))
    pen.mask[:] = np.where(dark > 0, dark * (1 - pen.mask), pen.mask)


_EMBLEMS = (
    _star, _sun, _cap_and_bells, _flower, _moon, _butterfly, _suit, _word, _letter, _mask,
)  # fmt: skip
