"""Find the tiles of one picture in another that can't be compared with it, by the table's plane.

A phone was turned, a photo has another size, or the picture before was another program's: nothing
tells pixel by pixel what has changed. But the same tiles lie on the same plane, so a homography
leads from one picture to the other.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.types import stack
from vision.watching.registration import (
    CLOSE,
    LEAST_AGREEING,
    LEAST_TILES,
    Faces,
    find_map,
    moved,
    still_there,
)
from vision.watching.votes import vote

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.tiles import Tile
    from vision.types import Floats
    from vision.watching.ballot import Place
    from vision.watching.known import Known

_FEWEST: Final = 2  # a single tile fits anywhere


def found_again(earlier: Sequence[Known], places: Sequence[Place]) -> tuple[Known, ...]:
    """Return tiles as they lie in another picture; nothing where they are not found in it.

    Parameters
    ----------
    earlier
        The tiles as they lay in the picture before.
    places
        Where tiles were read in the picture now, and what.
    """
    if not earlier or not places:
        return ()
    now, quads = Faces.of(places), stack(tile.quad_img for tile in earlier)
    # What a person put right may be read as it was, or now as it is.
    for faces in (tuple(map(_read_as, earlier)), tuple(vote(tile.votes).tile for tile in earlier)):
        before = Faces(quads, faces)
        move = find_map(before, now, LEAST_AGREEING)
        if move is None:
            move = _map_of_few(before, now)
        if move is None and still_there(before, now) >= LEAST_AGREEING * len(earlier):
            return tuple(earlier)
        if move is not None:
            return tuple(replace(tile, quad_img=moved(tile.quad_img, move)) for tile in earlier)
    return ()


def _read_as(tile: Known) -> Tile:
    return tile.read_as or vote(tile.votes).tile


def _map_of_few(before: Faces, now: Faces) -> Floats | None:
    """Find the homography where only a set or so lies there, and it is the very same one."""
    number = len(now.tiles)
    alike = Counter(before.tiles) == Counter(now.tiles)
    if not (alike and _FEWEST <= number < LEAST_TILES and len(set(now.tiles)) == number):
        return None
    there = np.array([now.quads_img[now.tiles.index(tile)] for tile in before.tiles], np.float32)
    here = before.quads_img.reshape(-1, 2)
    found, _ = cv2.findHomography(here, there.reshape(-1, 2))
    if found is None or not np.isfinite(found).all():
        return None
    move = np.asarray(found, np.float32)
    apart = np.linalg.norm(moved(before.quads_img, move) - there, axis=2)
    return move if float(apart.max()) < CLOSE * now.width_px else None
