"""Corners: the true quad of what a box holds, which slants where the box does not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from vision.crops import straighten_for
from vision.network import Network, load_network
from vision.outlines import is_plausible
from vision.quads import area_changes, inside, shortest_sides, turned_an_eighth

if TYPE_CHECKING:
    from pathlib import Path

    from vision.types import Floats, Pixels

LOOKS: Final = 2  # at a tile's corners
# What the first look moves less, in shorter sides of its box, a second one moves by the corner
# finder's own wavering: next to all tiles seen from above.
MOVED: Final = 0.1
# Of its box: what a tile fills that lies askew in it, and the least that one fills which does not.
# Of 27,602 boxes in rendered tables 57 were filled less; a tile as its box has it was in none.
ASKEW, FILLED = 0.65, 0.7


@dataclass(frozen=True, slots=True)
class CornerFinder:
    """Finds the corners of tiles in their boxes.

    Attributes
    ----------
    network
        From crops around boxes to corners.
    looks
        How often it looks, each time from where the corners were found before.
    """

    network: Network
    looks: int = LOOKS

    @classmethod
    def load(cls, models_dir: Path | None = None) -> CornerFinder:
        """Load the network of a folder, or the one that comes with the program.

        Raises
        ------
        ResourceError
            If it is missing or damaged.
        """
        return cls(load_network("corners", models_dir))

    def find(self, pixels: Pixels, boxes: Floats) -> Floats:
        """Return the quads (n, 4, 2) that the tiles in the boxes really fill.

        The second look starts from where the first one ended, and so sees less slant. What the
        first one hardly moved has none, and is not looked at again.
        """
        quads = boxes.astype(np.float32)
        short = shortest_sides(boxes)
        rows = np.arange(len(boxes))
        for look in range(self.looks):
            found = self._corners_in(pixels, quads[rows])
            if look == 0:
                quads, found = self._set_straight(pixels, quads, found)
            pairs = zip(found, boxes[rows], strict=True)
            plausible = np.array([is_plausible(*pair) for pair in pairs], np.bool_)
            moved = np.linalg.norm(found - quads[rows], axis=2).max(1) > MOVED * short[rows]
            quads[rows[plausible]] = found[plausible]
            rows = rows[plausible & moved]
            if len(rows) == 0:
                break
        return quads

    def _set_straight(self, pixels: Pixels, boxes: Floats, found: Floats) -> tuple[Floats, Floats]:
        """Return n boxes and what was found in them, where it did not fill them of others.

        A tile that looks square has no longer side to tell its box's angle by, which may then be
        half way between the two it could be.
        """
        askew = np.flatnonzero(area_changes(found, boxes) < ASKEW)
        if len(askew) == 0:
            return boxes, found
        turned = turned_an_eighth(boxes[askew])
        again = self._corners_in(pixels, turned)
        better = area_changes(again, turned) >= FILLED
        boxes, found = boxes.copy(), found.copy()
        boxes[askew[better]], found[askew[better]] = turned[better], again[better]
        return boxes, found

    def _corners_in(self, pixels: Pixels, quads: Floats) -> Floats:
        """Return the quads (n, 4, 2) that the network sees in such boxes."""
        crops = straighten_for(self.network, pixels, quads)
        image = (crops[..., ::-1].transpose(0, 3, 1, 2) / np.float32(255)).astype(np.float32)
        corners = self.network.run(image)[0].reshape(-1, 4, 2)
        pairs = zip(quads, corners, strict=True)
        return np.array([inside(quad, unit) for quad, unit in pairs], np.float32)
