"""Where the sets that several cameras see together may go on, by what each of them sees there.

One camera asks whether a set goes on, and what more of it the other sees answers that. But neither
answers with silence: a camera that doubts a tile of the set does not look where it ends.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from vision.doubts import OPEN_ENDS, UNDER, face_is_unsure
from vision.ends_in_doubt import under_cover
from vision.open_ends import OpenEnd, open_ends
from vision.types import Readings
from vision.watching.registration import moved
from vision.watching.tables import readings_of
from vision.watching.together.merge import accused_by

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.ruleset import Ruleset
    from vision.watching.sights import SeenTile, SettledTable
    from vision.watching.together.merge import AlignedView, Merged


def unasked(tile: SeenTile) -> SeenTile:
    """Return a tile of which nobody asks whether its set goes on."""
    if tile.reading.doubt not in OPEN_ENDS:
        return tile
    return replace(tile, reading=replace(tile.reading, doubt=""))


def asked(tile: SeenTile, doubt: str) -> SeenTile:
    """Return a tile with what is to be asked of where its set ends; "" asks nothing."""
    if not doubt or face_is_unsure(tile.reading):
        return tile
    return replace(tile, reading=replace(tile.reading, doubt=doubt))


def asked_as(tile: SeenTile, now: SeenTile | None) -> SeenTile:
    """Return a tile with what is asked by now of where its set ends, if it reads as it did."""
    if now is None or now.reading.tile != tile.reading.tile or now.reading.doubt not in OPEN_ENDS:
        return tile
    return asked(tile, now.reading.doubt)


def open_to_cameras(
    settled: SettledTable, merged: Sequence[Merged], views: Sequence[AlignedView], rules: Ruleset
) -> dict[int, str]:
    """Name the tiles, by their ids, at which wrong sets may go on, with what is to be asked there.

    Parameters
    ----------
    settled
        The table of `merged` tiles, in their order, of which none is asked about for its set.
    """
    wrong = accused_by(settled)
    if not wrong:
        return {}
    doubts = {one.tile.id: one.tile.reading.doubt for one in merged}
    carried = {number: doubts[number] for number in wrong if doubts[number] in OPEN_ENDS}
    return _hidden(settled, merged, views, rules) | carried


def _hidden(
    settled: SettledTable, merged: Sequence[Merged], views: Sequence[AlignedView], rules: Ruleset
) -> dict[int, str]:
    """Name the tiles at which wrong sets may go on under what one of the cameras sees.

    What a camera sees of a set alone may have been none that goes on.
    """
    readings = readings_of(settled.tiles)
    own_ids = [dict(one.seen_by) for one in merged]
    ends = [
        end
        for end in open_ends(settled.layout, readings, settled.verdict, rules).all
        if not any(own_ids[end.tile].get(view.source) in view.accused for view in views)
    ]
    hidden: set[int] = set()
    for view in views if ends else ():
        own = [ids.get(view.source) for ids in own_ids]
        hidden |= _covered_in(view, own, readings, ends)
    return {settled.tiles[number].id: UNDER for number in hidden}


def _covered_in(
    view: AlignedView, own: Sequence[int | None], readings: Readings, ends: Sequence[OpenEnd]
) -> set[int]:
    """Name the tiles at ends that a camera sees, and beyond which it sees something lie.

    Parameters
    ----------
    own
        By tile of the readings: the id that the camera's watcher gave it; None if it sees none.
    """
    picture = view.table.picture
    if picture is None or picture.pixels is None:
        return set()
    back = np.linalg.inv(view.move).astype(np.float32)
    as_seen = {tile.id: tile.quad_img for tile in view.table.tiles}
    quads = moved(readings.quads_img, back)
    for number, seen in enumerate(own):
        if seen in as_seen:
            quads[number] = as_seen[seen]
    height, width = picture.shape[:2]
    middles = quads.mean(1)
    inside = np.flatnonzero(((middles >= 0) & (middles <= (width, height))).all(1)).tolist()
    number_here = {number: here for here, number in enumerate(inside)}
    there = [
        OpenEnd(number_here[end.tile], after, after - middles[end.tile])
        for end in ends
        if own[end.tile] in as_seen and end.tile in number_here
        for after in moved(end.after_img[None], back)
    ]
    shown = Readings(quads[inside], tuple(readings.readings[number] for number in inside))
    return {inside[here] for here in under_cover(there, shown, picture.pixels)}
