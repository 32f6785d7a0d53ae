"""Several cameras over one table: every tile is taken from whoever sees it best.

Nothing is guessed: where two cameras are sure of different faces, a person is asked.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.quads import quad_iou, shortest_side
from vision.watching.ballot import match_places
from vision.watching.registration import moved
from vision.watching.together.aligning import in_picture, is_plain
from vision.watching.votes import vote

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from vision.types import Floats
    from vision.watching.sights import SeenTile, SettledTable

CLASH = 0.1  # intersection over union: tiles lie side by side, they never overlap
ALONE = 1.6  # heights of a typical tile: with no other so near, a tile is off all sets
BESIDE = 1.0  # tile heights: so far the same face is the same tile, seen askew


@dataclass(frozen=True, slots=True, eq=False)
class AlignedView:
    """The table as one camera settled it, and where that lies in the page's picture.

    Attributes
    ----------
    camera, source
        Whose it is, and the number of that camera's watcher.
    move
        (3, 3): the homography from its pixels to those of the page's picture.
    accused
        Ids of the tiles of sets that this camera alone would accuse: it sees where they end.
    """

    camera: str
    source: int
    table: SettledTable
    move: Floats
    accused: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True, eq=False)
class Merged:
    """One physical tile.

    Attributes
    ----------
    tile
        Its quad in pixels of the page's picture; its id is the one of the first that sees it.
    seen_by
        Watchers by number, with the ids that they gave it.
    """

    tile: SeenTile
    seen_by: tuple[tuple[int, int], ...]


@dataclass(slots=True, eq=False)
class _Place:
    """Where a tile lies in the page's picture, and who says what of it."""

    quad: Floats
    said: list[tuple[AlignedView, SeenTile]]


def accused_by(table: SettledTable) -> frozenset[int]:
    """Name the tiles, by their ids, of sets that a camera's table accuses."""
    wrong = (
        placed.tiles
        for placed, part in zip(table.layout.placed, table.verdict.parts, strict=True)
        if part.violations
    )
    return frozenset(table.tiles[number].id for number in chain.from_iterable(wrong))


def merge(views: Sequence[AlignedView]) -> list[Merged]:
    """Lay the tables that several cameras settled over one another.

    Parameters
    ----------
    views
        The camera of the page's picture first, where it is among them: places are taken from it.
    """
    places: list[_Place] = []
    for view in views:
        _lay_over(places, view)
    return [
        _elected(place.said, place.quad)
        for place in places
        if not (_is_gone(place, views) or _is_none(place, places, views))
    ]


def _lay_over(places: list[_Place], view: AlignedView) -> None:
    """Add what a view shows to the places where it lies."""
    tiles = view.table.tiles
    there = [moved(tile.quad_img, view.move) for tile in tiles]
    seats = match_places([place.quad for place in places], there)
    free = [place for number, place in enumerate(places) if number not in set(seats.values())]
    by_number = {number: places[seat] for number, seat in seats.items()}
    for number, tile in enumerate(tiles):
        if number in by_number:
            continue
        near = _near(free, there[number], tile)
        if near is not None:
            free.remove(near)
            by_number[number] = near
    for number, tile in enumerate(tiles):
        if number in by_number:
            by_number[number].said.append((view, tile))
        else:
            places.append(_Place(there[number], [(view, tile)]))


def _near(free: Sequence[_Place], quad: Floats, tile: SeenTile) -> _Place | None:
    """Return the place of the same tile where the views don't lie over each other quite well."""
    height = max(_height(quad), 1.0)
    best: tuple[float, _Place] | None = None
    for place in free:
        apart = float(np.linalg.norm(place.quad.mean(0) - quad.mean(0))) / height
        if apart > BESIDE:
            continue
        same_face = any(other.reading.tile == tile.reading.tile for _, other in place.said)
        clashes = same_face or quad_iou(place.quad, quad) > CLASH
        if clashes and (best is None or apart < best[0]):
            best = apart, place
    return None if best is None else best[1]


def _is_gone(place: _Place, views: Sequence[AlignedView]) -> bool:
    """Tell of a tile that is only known from before whether a camera sees that it is gone."""
    if any(tile.status != "covered" for _, tile in place.said):
        return False
    return any(True for _ in _others(place, views))


def _is_none(place: _Place, places: Sequence[_Place], views: Sequence[AlignedView]) -> bool:
    """Tell of a doubtful tile off all others whether a better view shows that there is none.

    A sleeve or a cup may look like a tile from one side. Where tiles lie beside it, a person is
    asked: then it may well be one that the better view missed.
    """
    if any(is_plain(tile) or tile.status == "corrected" for _, tile in place.said):
        return False
    # What is no tile may be of any size.
    reach = ALONE * float(np.median([_height(other.quad) for other in places]))
    middle = place.quad.mean(0)
    if any(
        other is not place and float(np.linalg.norm(other.quad.mean(0) - middle)) < reach
        for other in places
    ):
        return False
    size = max(shortest_side(tile.quad_img) for _, tile in place.said)
    return any(shortest_side(quad) >= size for quad in _others(place, views))


def _others(place: _Place, views: Sequence[AlignedView]) -> Iterator[Floats]:
    """Yield where a place lies in the pictures of cameras that see no tile there."""
    witnesses = {view.source for view, _ in place.said}
    for view in views:
        if view.source not in witnesses and in_picture(place.quad.mean(0), view.move, view.table):
            yield moved(place.quad, np.linalg.inv(view.move).astype(np.float32))


def _elected(said: Sequence[tuple[AlignedView, SeenTile]], quad: Floats) -> Merged:
    tile = _best([tile for _, tile in said])
    if is_plain(tile):  # what is only known from before keeps what was asked of it
        tile = replace(tile, reading=replace(tile.reading, doubt=_asked(said)))
    seen_by = tuple((view.source, one.id) for view, one in said)
    return Merged(replace(tile, id=said[0][1].id, quad_img=quad), seen_by)


def _asked(said: Sequence[tuple[AlignedView, SeenTile]]) -> str:
    """Return what is to be asked of where the tile's set ends; nothing where a camera sees it.

    One that doubts a tile of the set does not look where it ends, so that it asks nothing tells
    nothing: only one that would accuse the set itself has looked.
    """
    here = [(view, tile) for view, tile in said if is_plain(tile)]
    if any(not tile.reading.unsure and tile.id in view.accused for view, tile in here):
        return ""
    return next((tile.reading.doubt for _, tile in here if tile.reading.unsure), "")


def _best(tiles: Sequence[SeenTile]) -> SeenTile:
    """Take a person's word, else what is plainly seen, else the clearest doubt."""
    told = [tile for tile in tiles if tile.status == "corrected"]
    if told:
        return told[0]
    open_to_view = [tile for tile in tiles if tile.status != "covered"] or list(tiles)
    plain = [tile for tile in open_to_view if is_plain(tile)]
    best = max(plain or open_to_view, key=_clarity)
    if len({tile.reading.tile for tile in plain}) < 2:  # noqa: PLR2004 - they agree
        return best
    return replace(best, reading=vote([tile.reading for tile in plain]))


def _clarity(tile: SeenTile) -> float:
    """Return how well a tile is seen: how large, how straight from above, and how surely read."""
    area = float(cv2.contourArea(tile.quad_img))
    return shortest_side(tile.quad_img) * float(np.sqrt(area)) * _odds(tile)


def _height(quad: Floats) -> float:
    return float(np.linalg.norm(quad[3] - quad[0]))


def _odds(tile: SeenTile) -> float:
    """Return how much likelier the reading is to be right than wrong."""
    wrong = max(1 - tile.reading.confidence, 1e-4)
    return tile.reading.confidence / wrong
