"""From the tiles that are known to the table that is shown and judged."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from vision.pipeline import lay_out_and_judge
from vision.types import Readings, stack
from vision.watching.sights import SettledTable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.ruleset import Ruleset
    from vision.types import Picture
    from vision.watching.sights import SeenTile


def readings_of(tiles: Sequence[SeenTile]) -> Readings:
    """Return what tiles read as where they lie."""
    quads = stack(tile.quad_img for tile in tiles)
    return Readings(quads, tuple(tile.reading for tile in tiles))


def settled_table(
    number: int,
    tiles: Sequence[SeenTile],
    rules: Ruleset,
    picture: Picture,
    *,
    after_hand: bool,
) -> SettledTable:
    """Lay out and judge tiles that lie in a picture."""
    found = lay_out_and_judge(readings_of(tiles), rules, picture)
    shown = tuple(
        replace(tile, reading=reading)
        for tile, reading in zip(tiles, found.readings.readings, strict=True)
    )
    return SettledTable(
        number,
        shown,
        found.layout,
        found.table,
        found.verdict,
        found.width_px,
        found.height_px,
        after_hand,
        picture,
    )
