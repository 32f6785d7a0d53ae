"""Signs that makers print beside the number, in its colour."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from vision.rendering.arrays import Array
    from vision.rendering.editions import Edition


def pip_mask(edition: Edition, colour: str, width: int, height: int) -> Array:
    """Draw what is printed beside the number in its colour: below it, or a ring around it."""
    mask = np.zeros((height, width), np.float32)
    digit = edition.digit
    x, r = width // 2, round(0.17 * width)
    y = max(round(0.72 * height), round((digit.centre_y + digit.height / 2) * height) + r + 4)
    if y + r > height and edition.pip != "around":
        return mask  # a number that tall leaves no room for it
    if edition.pip == "around":
        tall, wide = digit.height * height, min(digit.height * height, digit.max_width * width)
        r = min(round(0.6 * float(np.hypot(tall, wide))), round(0.46 * width))
        cv2.circle(mask, (x, round(digit.centre_y * height)), r, 1.0, 3, cv2.LINE_AA)
    elif edition.pip == "ring":
        cv2.circle(mask, (x, y), round(0.7 * r), 1.0, 4, cv2.LINE_AA)
    elif edition.pip == "disc":
        cv2.circle(mask, (x, y), round(0.7 * r), 1.0, -1, cv2.LINE_AA)
    elif edition.pip == "star":
        turn = np.arange(10) * np.pi / 5
        reach = r * np.where(np.arange(10) % 2, 0.4, 1.0)
        points = np.stack([x + reach * np.sin(turn), y - reach * np.cos(turn)], 1)
        cv2.fillPoly(mask, [points.astype(np.int32)], 1.0, cv2.LINE_AA)
    else:
        _draw_suit(mask, colour, x, y, r)
    return mask


def _draw_suit(mask: Array, colour: str, x: int, y: int, r: int) -> None:
    """Draw a small suit-like sign in a thin circle, one shape a colour."""
    cv2.circle(mask, (x, y), r, 1.0, 2, cv2.LINE_AA)
    s = r * 0.5
    if colour in "RK":
        sign = -1 if colour == "K" else 1
        lobe_y = round(y - sign * s * 0.3)
        for side in (-1, 1):
            cv2.circle(
                mask, (round(x + side * s * 0.45), lobe_y), round(s * 0.5), 1.0, -1, cv2.LINE_AA
            )
        tip = np.array([(x - s * 0.9, lobe_y), (x + s * 0.9, lobe_y), (x, y + sign * s)], np.int32)
        cv2.fillConvexPoly(mask, tip, 1.0, cv2.LINE_AA)
    elif colour == "B":
        for dx, dy in ((-0.5, 0.2), (0.5, 0.2), (0, -0.5)):
            at = (round(x + dx * s), round(y + dy * s))
            cv2.circle(mask, at, round(s * 0.45), 1.0, -1, cv2.LINE_AA)
    else:
        corners = np.array([(x, y - s), (x + s * 0.7, y), (x, y + s), (x - s * 0.7, y)], np.int32)
        cv2.fillConvexPoly(mask, corners, 1.0, cv2.LINE_AA)
