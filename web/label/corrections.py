"""What a person put right before a report was saved, as it changes what is proposed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import numpy as np
from pydantic import AfterValidator, BaseModel, Field, FiniteFloat

from referee.tiles import Tile
from vision.labels import TileEntry
from vision.quads import shortest_side

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.types import Floats

_Point = tuple[FiniteFloat, FiniteFloat]
_Face = Annotated[str, AfterValidator(lambda text: str(Tile.parse(text)))]


class Correction(BaseModel):
    """A person's word for a tile.

    Attributes
    ----------
    tile
        Its face in notation; None where there is no tile.
    quad
        Its four corners, pixels of the report's picture, clockwise from its upright top left.
    """

    tile: _Face | None
    quad: Annotated[list[_Point], Field(min_length=4, max_length=4)]


class ReportReading(BaseModel):
    """What a report tells of the reading, as far as it matters here."""

    corrections: list[Correction] = []


def put_right(tiles: Sequence[TileEntry], corrections: Sequence[Correction]) -> list[TileEntry]:
    """Return the proposed tiles as a person has put them right.

    >>> quad = [(0.0, 0.0), (40.0, 0.0), (40.0, 60.0), (0.0, 60.0)]
    >>> proposed = [TileEntry(tile="R7", quad=quad, doubt="Glare covers the number.")]
    >>> [(one.tile, one.doubt) for one in put_right(proposed, [Correction(tile="B7", quad=quad)])]
    [('B7', '')]
    >>> put_right(proposed, [Correction(tile=None, quad=quad)])
    []
    """
    found = list(tiles)
    for one in corrections:
        place = _nearest(found, one)
        if place is None:
            found += [TileEntry(tile=one.tile, quad=one.quad)] if one.tile else []
        elif one.tile is None:
            del found[place]
        else:
            update = {"tile": one.tile, "doubt": "", "others": []}
            found[place] = found[place].model_copy(update=update)
    return found


def _nearest(tiles: Sequence[TileEntry], one: Correction) -> int | None:
    """Return the tile whose middle is in the corrected place; None where none is."""
    quad = _quad(one.quad)
    near = shortest_side(quad) / 2
    away = [float(np.linalg.norm(_quad(tile.quad).mean(0) - quad.mean(0))) for tile in tiles]
    place = int(np.argmin(away)) if away else 0
    return place if away and away[place] < near else None


def _quad(points: Sequence[tuple[float, float]]) -> Floats:
    return np.array(points, np.float32)
