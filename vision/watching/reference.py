"""The table as it was settled last, to hold every new frame against."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.quads import rectangle
from vision.watching.glance import TEXTURED, WINDOW_PX, Glance
from vision.watching.motion import DARK, compare
from vision.watching.regions import SHADES, large, patches, places_of, reaching_in
from vision.watching.registration import (
    find_shift,
    moved,
    moved_glance,
    scaled,
    steady_change,
)

if TYPE_CHECKING:
    from vision.types import Floats
    from vision.watching.glance import Mask
    from vision.watching.motion import Change

SHARPEST = 99.5  # per cent of the tiles' places are less sharp
MUCH = 0.3  # of all that had structure; what changes so much may be the camera
TILES_ACROSS = 30  # how many tiles the picture is wide where none is known yet
SEAM_PX = 9
EDGE_NOISE = 10  # grey levels that are no arm along the edge
SHADE = (0.25, 2.5)  # what shade that comes or goes makes of the light
SHADE_COLOUR = 0.12  # of the logarithm of a ratio of colours
NEARLY_ALL = 0.85


@dataclass(frozen=True, slots=True)
class Reference:
    """The table as it was settled last, on the small picture.

    Attributes
    ----------
    glance
        What it looked like.
    bare
        The same without the arms that rested beside the tiles; None if there were none.
    wide_places
        (h, w) where its tiles lie, with some of their surroundings.
    tile_area_px
        Of a typical tile.
    """

    glance: Glance
    wide_places: Mask = field(repr=False)
    tile_area_px: float
    bare: Glance | None = None

    @classmethod
    def of(cls, glance: Glance, quads_img: Floats) -> Reference:
        """Refer to a small picture in which tiles lie at `quads_img` (n, 4, 2)."""
        wide = places_of(quads_img, glance.shape, glance.scale, SHADES)
        return cls(glance, wide, tile_area_px(quads_img, glance))

    def change_to(self, glance: Glance) -> Change:
        """Return what differs from the table, with or without the arms that rested there."""
        change = steady_change(self.glance, glance)
        if self.bare is None or not change.any:
            return change
        return replace(change, mask=change.mask & steady_change(self.bare, glance).mask)

    def sharpness_of(self, glance: Glance) -> float:
        """Return how sharp a picture is beside the table's own, which is 1.

        Where most tiles were taken from a plain table, those that are left tell.
        """
        whole = glance.contrast / self.glance.contrast
        places = self.wide_places
        if not places.any():
            return whole
        before, now = (
            float(np.percentile(one.deviation[places], SHARPEST)) for one in (self.glance, glance)
        )
        return max(whole, now / max(before, TEXTURED))

    def move_to(self, glance: Glance, change: Change) -> Floats | None:
        """Return how the camera moved, (3, 3), if much differs and a move explains it."""
        return find_shift(self.glance, glance) if change.of_textured > MUCH else None

    def seen_after(self, move: Floats) -> Reference:
        """Return the table as a moved camera sees it, as far as the picture before went."""
        bare = None if self.bare is None else moved_glance(self.bare, move)
        return replace(self, glance=moved_glance(self.glance, move), bare=bare)

    def beyond(self, move: Floats, glance: Glance) -> tuple[Reference, Change]:
        """Return the table as a moved camera sees it, and what else differs there from it.

        Both end where the picture before ended.
        """
        height, width = glance.shape
        small = scaled(move, glance.scale)
        corners = rectangle(0, 0, width, height)
        across, down = moved(corners, small).T
        rows, columns = _inside(down, height), _inside(across, width)
        warped = cv2.warpPerspective(self.wide_places.astype(np.uint8), small, (width, height))
        before = moved_glance(self.glance, move).part(rows, columns)
        places = warped.astype(bool)[rows, columns]
        change = compare(before, glance.part(rows, columns))
        return Reference(before, places, self.tile_area_px), change

    def arms_in(self, change: Change) -> Mask:
        """Return what looks like hands in what differs while it moves."""
        arms = reaching_in(change.mask, self.wide_places, self.tile_area_px)
        return arms | large(change.mask & ~self.wide_places, self.tile_area_px)

    def resting_arms(self, glance: Glance, change: Change) -> Mask:
        """Return what looks like hands, and not like their shades, in what differs at rest."""
        found = reaching_in(change.mask, self.wide_places, self.tile_area_px)
        arms = np.zeros_like(found)
        for patch in patches(found):
            if self._crosses_edge(glance, patch) and not self._is_shade(glance, patch):
                arms |= patch
        return arms

    def without(self, arms: Mask, now: Glance) -> Glance | None:
        """Return what the table looks like now, with what lay under the arms before."""
        if not arms.any():
            return None
        kernel = np.ones((SEAM_PX, SEAM_PX), np.uint8)
        hidden = cv2.dilate(arms.astype(np.uint8), kernel).astype(bool)
        below = (self.bare or self.glance).bgr
        return Glance(np.where(hidden[..., None], below, now.bgr), now.scale)

    def _crosses_edge(self, now: Glance, patch: Mask) -> bool:
        """Whether a part differs at the picture's very edge: tiles laid close to it do not."""
        edge = patch.copy()
        edge[1:-1, 1:-1] = False
        apart = np.abs(now.bgr[edge].astype(np.int16) - self.glance.bgr[edge])
        return bool((apart > EDGE_NOISE).any())

    def _is_shade(self, now: Glance, patch: Mask) -> bool:
        """Whether a part has the same colours as before, only darker or brighter."""
        before = self.glance.bgr[patch] + DARK
        ratios = (now.bgr[patch] + DARK) / before
        blue, green, red = np.log(ratios).T
        same_colour = np.maximum(np.abs(blue - green), np.abs(red - green)) < SHADE_COLOUR
        likely = (ratios[:, 1] > SHADE[0]) & (ratios[:, 1] < SHADE[1])
        return float((same_colour & likely).mean()) > NEARLY_ALL


def _inside(corners: Floats, side: int) -> slice:
    """Return what lies within the four corners along one side of the picture, at least a bit."""
    _, first, last, _ = np.sort(corners)
    start = int(np.clip(np.ceil(first), 0, side - WINDOW_PX))
    return slice(start, int(np.clip(last, start + WINDOW_PX, side)))


def tile_area_px(quads_img: Floats, glance: Glance) -> float:
    """Return the area of a typical tile in the small picture."""
    if not len(quads_img):
        width = glance.shape[1] / TILES_ACROSS
        return 1.4 * width * width
    across = np.linalg.norm(quads_img[:, 1] - quads_img[:, 0], axis=1)
    along = np.linalg.norm(quads_img[:, 3] - quads_img[:, 0], axis=1)
    return float(np.median(across * along)) * glance.scale**2
