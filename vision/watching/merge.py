"""Several cameras over one table: the better view of each tile wins.

The table is a plane, so what one camera sees of it maps to what another sees by a homography,
which the tiles that both of them read give away.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.watching.ballot import match_places
from vision.watching.registration import Faces, find_map, moved
from vision.watching.tables import settled_table
from vision.watching.votes import vote

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.ruleset import Ruleset
    from vision.types import Floats
    from vision.watching.sights import SeenTile, SettledTable

LEAST_SHARED = 0.3  # of the tiles of the camera that sees fewer
OWN_IDS = 1_000_000  # ids of tiles that only the second camera sees begin here, and so on


@dataclass(frozen=True, slots=True)
class Merged:
    """One table out of several views.

    Attributes
    ----------
    table
        In the pixels of the first view.
    used
        Which views could be laid over the first, itself included.
    """

    table: SettledTable
    used: tuple[int, ...]


def merge(views: Sequence[SettledTable], rules: Ruleset) -> Merged:
    """Lay the tables that several cameras settled over one another.

    Tiles keep the ids that the first camera gave them. A tile that is covered or doubtful for one
    camera is taken from another that sees it; where two plain views disagree, it is asked about.

    Raises
    ------
    ValueError
        If there are no views.
    """
    if not views:
        raise ValueError("expected one settled table or more to merge, got none")
    first = views[0]
    tiles = list(first.tiles)
    used = [0]
    for number, view in enumerate(views[1:], 1):
        move = _map(view.tiles, tiles)
        if move is not None:
            tiles = _joined(tiles, view.tiles, move, number * OWN_IDS)
            used.append(number)
    if len(used) == 1:
        return Merged(first, (0,))
    table = settled_table(
        first.number,
        tiles,
        rules,
        (first.height_px, first.width_px),
        after_hand=any(views[number].after_hand for number in used),
    )
    return Merged(table, tuple(used))


def _map(view: Sequence[SeenTile], tiles: Sequence[SeenTile]) -> Floats | None:
    """Return the homography (3, 3) from a view's pixels to those of the tiles."""
    plain, known = _plain(view), _plain(tiles)
    if not plain or not known:
        return None
    return find_map(_faces(plain), _faces(known), LEAST_SHARED)


def _plain(tiles: Sequence[SeenTile]) -> list[SeenTile]:
    return [tile for tile in tiles if tile.status != "covered" and not tile.reading.unsure]


def _faces(tiles: Sequence[SeenTile]) -> Faces:
    quads = np.array([tile.quad_img for tile in tiles], np.float32)
    return Faces(quads, tuple(tile.reading.tile for tile in tiles))


def _joined(
    tiles: Sequence[SeenTile], view: Sequence[SeenTile], move: Floats, first_id: int
) -> list[SeenTile]:
    there = [moved(tile.quad_img, move) for tile in view]
    seats = match_places([tile.quad_img for tile in tiles], there)
    result = list(tiles)
    for number, other in enumerate(view):
        if number in seats:
            result[seats[number]] = _better(tiles[seats[number]], other)
        elif other.status != "covered":
            result.append(replace(other, id=first_id + other.id, quad_img=there[number]))
    return result


def _better(one: SeenTile, other: SeenTile) -> SeenTile:
    """Take the reading of the better view; the place stays that of the first."""
    if one.status == "corrected" or other.status == "covered":
        return one
    if other.status == "corrected" or one.status == "covered":
        return replace(other, id=one.id, quad_img=one.quad_img)
    if one.reading.unsure != other.reading.unsure:
        better = other if one.reading.unsure else one
        return replace(one, reading=better.reading, status=better.status)
    if one.reading.tile != other.reading.tile:
        return replace(one, reading=vote([one.reading, other.reading]))
    surer = other if _size(other) * _odds(other) > _size(one) * _odds(one) else one
    return replace(one, reading=surer.reading)


def _size(tile: SeenTile) -> float:
    return float(cv2.contourArea(tile.quad_img))


def _odds(tile: SeenTile) -> float:
    """Return how much likelier the reading is to be right than wrong."""
    wrong = max(1 - tile.reading.confidence, 1e-4)
    return tile.reading.confidence / wrong
