"""What a still table turns out to be: has the camera moved, does anything lie over tiles."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.types import stack
from vision.watching.ballot import match_places
from vision.watching.bare import DARK, is_bare
from vision.watching.known import Look
from vision.watching.motion import compare
from vision.watching.refound import found_again
from vision.watching.regions import SHADES, places_of, share_of, things, with_seeds
from vision.watching.registration import LEAST_TILES, Faces, find_move, moved

if TYPE_CHECKING:
    from vision.types import Floats, Pixels
    from vision.watching.ballot import Place
    from vision.watching.glance import Glance, Mask
    from vision.watching.known import Known
    from vision.watching.left_out import LeftOut
    from vision.watching.memory import Memory
    from vision.watching.motion import Change
    from vision.watching.reference import Reference
    from vision.watching.sights import FrameLike

HIDDEN = 0.4  # of a tile
DIM = 0.5  # of the contrast before
STRANGE = 0.6  # of all that had structure
STRANGE_TILES = 0.15  # of the tiles still in place


@dataclass(frozen=True)
class View:
    """One frame beside the table as it was settled last."""

    frame: FrameLike
    glance: Glance
    reference: Reference | None

    @cached_property
    def change(self) -> Change | None:
        """What differs; None before the first settled table."""
        return None if self.reference is None else self.reference.change_to(self.glance)


@dataclass(frozen=True)
class Finding:
    """A still table, read, beside what is known.

    Attributes
    ----------
    known
        The known tiles, where the camera sees them now.
    places
        Where tiles were read, and what.
    glance
        The table now.
    before
        The table as it was settled last, seen from where the camera is now.
    move
        Where the camera was moved to, if it was.
    left_out
        Where racks stood, as the camera sees them now.
    aside
        What was read there, which is none of `places`.
    refound
        Whether the known tiles were known from another picture only.
    """

    known: tuple[Known, ...]
    places: tuple[Place, ...]
    glance: Glance
    before: Reference | None
    move: Floats | None
    left_out: LeftOut
    aside: tuple[Place, ...] = ()
    refound: bool = False

    @classmethod
    def of(cls, memory: Memory, places: list[Place], glance: Glance) -> Finding:
        """Lay what was read over what is known."""
        known = tuple(memory.known)
        before, left_out = memory.reference, memory.left_out
        if not known and not left_out:
            known = found_again(memory.earlier, places) or found_again(memory.awaited, places)
            if known:
                return cls(known, tuple(places), glance, before, None, left_out, refound=True)
        move = _move(known, places)
        if move is None and before is not None and len(known) < LEAST_TILES:
            move = before.move_to(glance, compare(before.glance, glance))
        if move is not None:
            known = tuple(replace(tile, quad_img=moved(tile.quad_img, move)) for tile in known)
            before = None if before is None else before.seen_after(move)
            left_out = left_out.seen_after(move)
        free, aside = left_out.parted(places)
        return cls(known, free, glance, before, move, left_out, aside)

    @cached_property
    def change(self) -> Change | None:
        """What differs beyond the camera's move."""
        return None if self.before is None else self.before.change_to(self.glance)

    @cached_property
    def is_strange(self) -> bool:
        """Whether nothing of the table is where it was, and no move of the camera explains it."""
        if self.change is None or self.move is not None or len(self.known) < LEAST_TILES:
            return False
        seats = match_places(list(self._known_quads), list(self._read_quads))
        same = sum(
            self.places[number].reading.tile == self.known[held].reading.tile
            for number, held in seats.items()
        )
        return self.change.of_textured > STRANGE and same <= STRANGE_TILES * len(self.known)

    def shows_tiles(self, *, sure: bool) -> bool:
        """Tell whether tiles were read at all; or, in a poor picture, whether most are sure."""
        unsure = sum(place.reading.unsure for place in self.places) if sure else 0
        return len(self.places) > 2 * unsure

    @cached_property
    def is_cleared(self) -> bool:
        """Whether all tiles are gone, and the table is bare where they lay."""
        if self.before is None or self.move is not None or self.places:
            return False
        if len(self.known) < LEAST_TILES:
            return False
        return is_bare(self.before.glance, self._known_quads, self.glance)

    def still_left_out(self, *, hand_seen: bool) -> LeftOut:
        """Return where racks stand still; where hands were, one may have been taken away."""
        return self.left_out.still_there(self.aside) if hand_seen else self.left_out

    def look(self, pixels: Pixels, *, hand_seen: bool, unwatched: bool = False) -> Look:
        """Return what else there is to know of it."""
        dim = self.change is not None and self.change.gain < DIM
        return Look(
            pixels,
            hand_seen or self.refound,
            dim,
            self._is_covered,
            self._was_visible,
            refound=self.refound,
            unwatched=unwatched,
        )

    def in_view(self, tile: Known) -> bool:
        """Whether the tile's place is in the picture."""
        return self._inside(tile.quad_img.mean(0))

    @property
    def _known_quads(self) -> Floats:
        return stack(tile.quad_img for tile in self.known)

    @property
    def _read_quads(self) -> Floats:
        return stack(place.quad_img for place in self.places)

    def _inside(self, point: Floats) -> bool:
        height, width = (side / self.glance.scale for side in self.glance.shape)
        return bool(0 <= point[0] <= width and 0 <= point[1] <= height)

    def _was_visible(self, quad_img: Floats) -> bool:
        if self.move is None:
            return True
        back = moved(quad_img, np.linalg.inv(self.move).astype(np.float32))
        return all(self._inside(corner) for corner in back)

    @cached_property
    def _seeds(self) -> Mask:
        """Things that are no tiles, beside the places of tiles."""
        if self.change is None:
            return np.zeros(self.glance.shape, np.bool_)
        quads = self._known_quads, self._read_quads, self.left_out.quads_img
        places = self._places(np.concatenate(quads), SHADES)
        areas = [cv2.contourArea(quad) for quad in self._known_quads]
        area = float(np.median(areas)) * self.glance.scale**2 if areas else self._seeds_area
        return things(self.change.mask, places, area)

    @property
    def _seeds_area(self) -> float:
        return self.glance.shape[0] * self.glance.shape[1] / 500

    @cached_property
    def _things(self) -> Mask:
        """The same with what of them lies over tiles that were not read now."""
        if self.change is None or not self._seeds.any():
            return self._seeds
        return with_seeds(self.change.mask, self._seeds) & ~self._places(self._read_quads, 0.0)

    def _places(self, quads_img: Floats, grow: float) -> Mask:
        return places_of(quads_img, self.glance.shape, self.glance.scale, grow)

    def _is_covered(self, quad_img: Floats) -> bool:
        scale = self.glance.scale
        if share_of(quad_img, self._things, scale) < HIDDEN:
            return False
        # Beside a thing tiles may be taken away, too: then the table is to be seen there.
        here = self._colour(self._places(quad_img[None], -0.2))
        thing = self._colour(self._seeds)
        ring = self._places(quad_img[None], 3.0) & ~self._places(self._known_quads, SHADES)
        bare = ring & ~self._places(self._read_quads, SHADES)
        if self.change is not None:
            bare &= ~self.change.mask
        if not bare.any():
            return True
        table = self._colour(bare)
        return float(np.linalg.norm(here - thing)) <= float(np.linalg.norm(here - table))

    def _colour(self, where: Mask) -> Floats:
        """(3,) logarithm of the typical colour; nearly nothing where there is nothing."""
        pixels = self.glance.bgr[where]
        typical = np.median(pixels, axis=0) if len(pixels) else np.zeros(3)
        return np.asarray(np.log(typical + DARK), np.float32)


def _move(known: tuple[Known, ...], places: list[Place]) -> Floats | None:
    lying = [tile for tile in known if not tile.absent]
    if not lying or not places:
        return None
    return find_move(Faces.of(lying), Faces.of(places))


def covers(hidden: list[Known]) -> str:
    """Say in words what is hidden."""
    names = " ".join(str(tile.reading.tile) for tile in hidden)
    return f"Something lies over {names}: take it away, and the table is read."
