"""What a real lens does to straight lines: it bends them, outwards or inwards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

if TYPE_CHECKING:
    from cv2.typing import MatLike

    from vision.rendering.arrays import Array

# From a pincushion to the barrel of a cheap webcam; phones straighten their own pictures.
STRENGTHS: Final = (-0.06, 0.15)
BENT: Final = 0.25  # share of the pictures
_ROUNDS: Final = 12


@dataclass(frozen=True, slots=True)
class Lens:
    """A lens that shows what a pinhole would show elsewhere; corners of a square stay corners.

    Attributes
    ----------
    strength
        How much farther from the middle a corner is seen than straight lines would have it,
        of its distance; above 0 lines bulge outwards (barrel).
    """

    strength: float = 0.0

    def bend(self, *pictures: MatLike) -> list[MatLike]:
        """Return a pinhole's pictures, (h, w) or (h, w, c) each, as this lens shows them.

        Bytes and floats are smoothed, integers, which are names of tiles, are not.
        """
        if not self.strength:
            return list(pictures)
        height, width = pictures[0].shape[:2]
        x = np.arange(width, dtype=np.float32)[None] - np.float32((width - 1) / 2)
        y = np.arange(height, dtype=np.float32)[:, None] - np.float32((height - 1) / 2)
        scale = self._scale(x**2 + y**2, width, height).astype(np.float32)
        at = x * scale + np.float32((width - 1) / 2), y * scale + np.float32((height - 1) / 2)
        return [
            cv2.remap(
                picture,
                *at,
                cv2.INTER_NEAREST if picture.dtype == np.int16 else cv2.INTER_LINEAR,
                borderMode=cv2.BORDER_REPLICATE,
            )
            for picture in pictures
        ]

    def points(self, points_img: Array, size_px: int) -> Array:
        """Return where this lens shows points of a pinhole's square picture, (n, 2) each."""
        if not self.strength:
            return points_img
        middle = (size_px - 1) / 2
        straight = points_img - middle
        bent = straight
        for _ in range(_ROUNDS):
            radius2 = np.minimum((bent**2).sum(1, keepdims=True), 4 * middle**2)
            bent = straight / self._scale(radius2, size_px, size_px)
        return np.asarray(bent + middle)

    def _scale(self, radius2: Array, width: int, height: int) -> Array:
        corner2 = ((width - 1) ** 2 + (height - 1) ** 2) / 4
        widest = 1 + max(self.strength, 0.0)
        return np.asarray((1 + self.strength / corner2 * radius2) / widest)


STRAIGHT: Final = Lens()


def random_lens(rng: np.random.Generator) -> Lens:
    """Return a lens; most are straight."""
    return Lens(rng.uniform(*STRENGTHS)) if rng.random() < BENT else STRAIGHT
