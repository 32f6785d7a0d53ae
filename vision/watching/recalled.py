"""What is kept of a table's tiles, so that a person's word outlasts the watcher that took it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from vision.types import Reading
from vision.watching.known import PATCH_SIZE, Known

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from referee.tiles import Tile
    from vision.types import Floats


@dataclass(frozen=True, slots=True, eq=False)
class Lying:
    """A tile as it lay, or as it was read where there is none.

    Attributes
    ----------
    quad_img
        (4, 2) float32, image pixels, clockwise from the corner that is top left when upright.
    read
        As what it was read; None where no tile was seen.
    tile
        What it is; None where there is none.
    said
        Whether that is a person's word. All others only tell where that tile lay among them.
    """

    quad_img: Floats
    read: Tile | None
    tile: Tile | None
    said: bool = False


def lying(known: Iterable[Known]) -> tuple[Lying, ...]:
    """Return what is to be kept of the tiles that a watcher knows."""
    kept = []
    for one in known:
        face = one.reading.tile
        if one.absent and one.read_as is not None:
            kept.append(Lying(one.quad_img, one.read_as, None, said=True))
        elif one.pinned:
            kept.append(Lying(one.quad_img, one.read_as, face, said=True))
        elif not one.absent:
            kept.append(Lying(one.quad_img, face, face))
    return tuple(kept)


def recalled(kept: Sequence[Lying], first_id: int) -> list[Known]:
    """Return tiles for a watcher that has seen nothing yet, numbered from `first_id` on."""
    return [
        _known(number, one, face)
        for number, one in enumerate(kept, first_id)
        if (face := one.tile or one.read) is not None
    ]


def _known(number: int, one: Lying, face: Tile) -> Known:
    return Known(
        number,
        one.quad_img,
        (Reading(face, 1.0),),
        np.zeros((*reversed(PATCH_SIZE), 3), np.float32),
        pinned=one.said and one.tile is not None,
        absent=one.said and one.tile is None,
        read_as=one.read if one.said else None,
        recalled=True,
    )
