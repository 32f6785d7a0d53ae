"""A second chance for tiles that the detector missed: where they would lie is known from others.

Beside the end of a row a tile needs to look less like one to be looked at. Neighbours that slant
and blur into one another are found so one after another, each from the last. And what is as tall
as a tile but not as wide may be half of one.

But for house rules that allow pairs no set has fewer than three tiles. Where a shorter row lies, a
tile that was not found is likelier than a mistake, so the places beside its ends are read as if
one had been. What can be read there is a tile in doubt: a person is asked, and nobody is accused.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.adjacency import find_links
from vision.assembly import SMALLEST_SET, GapRule
from vision.doubts import CROWDED, FOREIGN, LARGER, SMALLER
from vision.faces import LIKELY
from vision.lay_out import lay_out, ways_on
from vision.outlines import DWARF, NARROW, relative_aspect
from vision.quads import area_changes, axes, within
from vision.types import Detections, Readings, stack

if TYPE_CHECKING:
    from collections.abc import Callable

    from vision.pipeline import FaceReader
    from vision.types import Flags, Floats, Pixels, Reading

FAINT: Final = "I nearly overlooked this tile: is it one?"
MOST_PLACES: Final = 16  # more are no table of sets
APART: Final = 0.6  # of a tile's width from any other tile
# Of a tile's width: how far from where a next one would lie something looks a little like a tile,
# and how far from there it is found to lie.
HINT_AWAY, FOUND_AWAY = 0.55, 0.4
ALIKE: Final = (0.6, 1.6)  # its area over that of the tile before it
READABLE: Final = 0.6  # what hardly reads may be several tiles taken for one, or none
FILLED: Final = 0.75  # of its area
# What lies this near to a tile, in widths and heights, is that tile once more: half a width away
# it may be two that were taken for one, of which the other one was not found.
AGAIN: Final = (0.35, 0.35)
TANGLES: Final = (CROWDED, LARGER, SMALLER, FOREIGN)
MOST_STEPS: Final = 4  # from the end of a row on
MOST_HINTED: Final = 24


def next_in_rows(
    readings: Readings, detections: Detections, read: Callable[[Floats], Readings]
) -> tuple[Flags, Floats]:
    """Find the tiles that go on rows, where something looks a little like a tile, and parted ones.

    Jokers are not looked for: they look like anything, even like the table between two sets.

    Parameters
    ----------
    readings
        n tiles, read of the boxes in `detections`.
    read
        Reads places (m, 4, 2) where nothing was found, and leaves out what cannot be read.

    Returns
    -------
    kept, missed
        (n,): which of what was read still stands, as it does not turn out to be several tiles
        taken for one; and (m, 4, 2): the outlines of the tiles that were missed.
    """
    tangled = np.array(
        [one.doubt in TANGLES or one.confidence < READABLE for one in readings.readings], np.bool_
    )
    tiles = readings.quads_img[~tangled]
    missed = _parted(tiles, detections.quads_img, read)
    for _ in range(MOST_STEPS):
        places, before = _hinted(np.concatenate([tiles, missed]), detections.hints_img)
        if not 0 < len(places) <= MOST_HINTED:
            break
        found, steps = read(places), len(missed)
        for quad, reading in zip(found.quads_img, found.readings, strict=True):
            nearest = np.linalg.norm(places.mean(1) - quad.mean(0), axis=1).argmin()
            if _follows(quad, places[nearest], before[nearest]) and _is_new(
                quad, reading, np.concatenate([tiles, missed])
            ):
                missed = np.concatenate([missed, quad[None]])
        if len(missed) == steps:
            break
    kept = ~tangled
    tangles = readings.quads_img[tangled]
    kept[tangled] = ~(_made_up_of(tangles, missed) | within(missed, tangles, AGAIN).any(0))
    return kept, missed


def _parted(tiles: Floats, boxes: Floats, read: Callable[[Floats], Readings]) -> Floats:
    """Return the tiles (m, 4, 2) of which boxes (n, 4, 2) hold one figure each.

    That befalls numbers like 11, at times a whole set of them, so that no row leads there.
    """
    places = _widened(boxes, tiles)
    whole = np.zeros((0, 4, 2), np.float32)
    if not 0 < len(places) <= MOST_HINTED:
        return whole
    found = read(places)
    for i in np.argsort([-reading.confidence for reading in found.readings], kind="stable"):
        quad, known = found.quads_img[i], np.concatenate([tiles, whole])
        if not _narrow(quad[None], tiles)[0] and _is_new(quad, found.readings[i], known):
            whole = np.concatenate([whole, quad[None]])
    return whole


def _widened(boxes: Floats, tiles: Floats) -> Floats:
    """Return where whole tiles would lie of which narrow boxes hold the left or right part."""
    if len(tiles) < SMALLEST_SET:
        return np.zeros((0, 4, 2), np.float32)
    narrow = boxes[_narrow(boxes, tiles)]
    gained = axes(narrow)[0] * (1 / relative_aspect(narrow, tiles) - 1)[:, None]
    left, right = narrow.copy(), narrow.copy()
    left[:, [0, 3]] -= gained[:, None]
    right[:, [1, 2]] += gained[:, None]
    places = np.concatenate([left, right])
    return np.asarray(places[~_taken(places, tiles)])


def _narrow(quads: Floats, tiles: Floats) -> Flags:
    """Tell which of n quads are as tall as others, but much narrower, (n,)."""
    tall = axes(quads)[3] > DWARF * np.median(axes(tiles)[3])
    return np.asarray(tall & (relative_aspect(quads, tiles) < NARROW))


def _hinted(quads: Floats, hints: Floats) -> tuple[Floats, Floats]:
    """Return the places where rows and columns go on and hints are, (m, 4, 2), and the ends."""
    found = _away(hints, quads.mean(1)) < APART * _widths(quads)
    if len(quads) == 0 or found.any(1).all():
        none = np.zeros((0, 4, 2), np.float32)
        return none, none
    ways = _next_to_rows(quads, len(quads)), _next_to_columns(quads)
    ends, places = (np.concatenate(each) for each in zip(*ways, strict=True))
    away = _away(places.mean(1), hints).min(1)
    hinted = (away < HINT_AWAY * _widths(places)) & ~_taken(places, quads)
    return places[hinted], ends[hinted]


def _made_up_of(tangles: Floats, tiles: Floats) -> Flags:
    """Tell which of n quads are filled by tiles (m, 4, 2), (n,); else one may still be there."""
    filled = [
        sum(cv2.intersectConvexConvex(tangle, tile)[0] for tile in tiles) for tangle in tangles
    ]
    areas = [cv2.contourArea(tangle) for tangle in tangles]
    return np.array(filled, np.float32) >= FILLED * np.array(areas, np.float32)


def _is_new(quad: Floats, reading: Reading, tiles: Floats) -> bool:
    """Whether a number is read where no tile of (n, 4, 2) lies already."""
    read = reading.confidence >= READABLE and not reading.tile.is_joker
    lies = _taken(quad[None], tiles)[0] or _made_up_of(quad[None], tiles)[0]
    return bool(read and not lies)


def _follows(quad: Floats, place: Floats, before: Floats) -> bool:
    """Whether what was found at a place may be the next tile after another one, (4, 2) each."""
    away = np.linalg.norm(quad.mean(0) - place.mean(0))
    ratio = area_changes(quad[None], before[None])[0]
    return bool(away < FOUND_AWAY * _widths(place[None])[0] and ALIKE[0] < ratio < ALIKE[1])


def look_again(pixels: Pixels, readings: Readings, reader: FaceReader) -> Readings:
    """Return the readings, and those of tiles that lie unfound beside rows too short for a set.

    Parameters
    ----------
    pixels
        (h, w, 3) uint8 BGR.
    """
    places = _beside_short_rows(readings.quads_img, pixels.shape[1], pixels.shape[0])
    if not 0 < len(places) <= MOST_PLACES:
        return readings
    found = reader.read(pixels, Detections(places, np.zeros(len(places), np.float32)))
    quads, seen = list(readings.quads_img), list(readings.readings)
    for quad, reading in zip(found.quads_img, found.readings, strict=True):
        if reading.confidence >= LIKELY and not _taken(quad[None], np.array(quads))[0]:
            quads.append(quad)
            seen.append(replace(reading, doubt=reading.doubt or FAINT))
    return Readings(stack(quads), tuple(seen))


def _beside_short_rows(quads: Floats, width: int, height: int) -> Floats:
    """Return where the next tiles of rows that are too short would lie, (m, 4, 2)."""
    _, beside = _next_to_rows(quads, SMALLEST_SET - 1)
    x, y = beside.mean(1).T
    inside = (x >= 0) & (x < width) & (y >= 0) & (y < height)
    return np.asarray(beside[inside & ~_taken(beside, quads)])


def _next_to_rows(quads: Floats, longest: int) -> tuple[Floats, Floats]:
    """Return the ends of rows no longer than that, and what would lie next, (m, 4, 2) each."""
    rows = (placed.tiles for placed in lay_out(quads).placed if len(placed.tiles) <= longest)
    ways = [(quads[tile], step) for row in rows for tile, step in ways_on(quads, row)]
    ends = stack(quad for quad, _ in ways)
    steps = np.array([step for _, step in ways], np.float32).reshape(-1, 1, 2)
    return ends, ends + steps


def _next_to_columns(quads: Floats) -> tuple[Floats, Floats]:
    """Return the ends of columns of tiles in no row, and what would lie next, (m, 4, 2) each."""
    links = find_links(quads)
    links = links.where(GapRule.of(links).holds(links))
    in_rows = links.where(links.beside)
    alone = np.ones(len(quads), np.bool_)
    alone[in_rows.firsts], alone[in_rows.seconds] = False, False
    stacked = links.where(~links.beside)
    tiles = np.concatenate([stacked.firsts, stacked.seconds])
    before = np.concatenate([stacked.seconds, stacked.firsts])[alone[tiles]]
    ends = quads[tiles[alone[tiles]]]
    steps = ends.mean(1, keepdims=True) - quads[before].mean(1, keepdims=True)
    return ends, np.asarray(ends + steps, np.float32)


def _taken(places: Floats, quads: Floats) -> Flags:
    """Tell which places (m, 4, 2) are where a tile of (n, 4, 2) lies already, (m,)."""
    away = _away(places.mean(1), quads.mean(1))
    return np.asarray((away < APART * _widths(places)[:, None]).any(1))


def _away(points: Floats, others: Floats) -> Floats:
    """Return how far points (m, 2) are from others (n, 2), (m, n)."""
    return np.asarray(np.linalg.norm(points[:, None] - others, axis=2))


def _widths(quads: Floats) -> Floats:
    return np.asarray(np.linalg.norm(quads[:, 1] - quads[:, 0], axis=1))
