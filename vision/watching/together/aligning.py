"""Lay one camera's view of the table over another's, by the tiles that both see.

The table is a plane, so what one camera sees of it maps to what another sees by a homography.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from vision.doubts import face_is_unsure
from vision.watching.ballot import match_places
from vision.watching.registration import Faces, find_map, moved

if TYPE_CHECKING:
    from vision.types import Floats
    from vision.watching.sights import SeenTile, SettledTable

LEAST_SHARED: Final = 0.3  # of the tiles of the camera that sees fewer
LEAST_AGREEING: Final = 0.5  # of the tiles that should be in both pictures


def align(view: SettledTable, onto: SettledTable, before: Floats | None = None) -> Floats | None:
    """Find the homography (3, 3) from a view's pixels to those of another.

    Parameters
    ----------
    before
        How the views lay over each other earlier. Cameras that stand still need no tiles to be
        laid over each other again, so this counts until tiles speak against it.

    Returns
    -------
        None where too few tiles are seen by both, or they don't agree.
    """
    seen, known = _plain(view), _plain(onto)
    moves = [before]
    if seen and known:
        moves.insert(0, find_map(Faces.of(seen), Faces.of(known), LEAST_SHARED))
    return next((move for move in moves if move is not None and _fits(move, view, onto)), None)


def is_plain(tile: SeenTile) -> bool:
    """Whether a tile lies open to view and what it shows leaves no question."""
    return tile.status in {"seen", "corrected"} and not face_is_unsure(tile.reading)


def in_picture(point: Floats, move: Floats, table: SettledTable) -> bool:
    """Tell whether a point lies in the picture of a camera whose pixels `move` maps away."""
    x, y = moved(point[None], np.linalg.inv(move).astype(np.float32))[0]
    return bool(0 <= x <= table.width_px and 0 <= y <= table.height_px)


def _uncovered(table: SettledTable) -> list[SeenTile]:
    return [tile for tile in table.tiles if tile.status != "covered"]


def _plain(table: SettledTable) -> list[SeenTile]:
    return [tile for tile in table.tiles if is_plain(tile)]


def _fits(move: Floats, view: SettledTable, onto: SettledTable) -> bool:
    """Tell whether most tiles that should be in both pictures are.

    A rack in a phone's picture may hold the same run as the table, but nothing else of it. What
    one camera is not sure of speaks neither for nor against.
    """
    if not _in_front(move, view):
        return False
    seen, known = _uncovered(view), _uncovered(onto)
    there = [moved(tile.quad_img, move) for tile in seen]
    seats = match_places([tile.quad_img for tile in known], there)
    both = [(seen[i], known[j]) for i, j in seats.items()]
    faces = [(a.reading.tile, b.reading.tile) for a, b in both if is_plain(a) and is_plain(b)]
    agreeing = sum(one == other for one, other in faces)
    stay = np.eye(3, dtype=np.float32)
    alone = [
        sum(
            is_plain(tile) and i not in seats and in_picture(there[i].mean(0), stay, onto)
            for i, tile in enumerate(seen)
        ),
        sum(
            is_plain(tile)
            and j not in seats.values()
            and in_picture(tile.quad_img.mean(0), move, view)
            for j, tile in enumerate(known)
        ),
    ]
    return agreeing >= LEAST_AGREEING * (len(faces) + max(alone))


def _in_front(move: Floats, view: SettledTable) -> bool:
    """Tell whether no tile is mapped beyond the horizon."""
    if abs(float(np.linalg.det(move.astype(np.float64)))) < 1e-12:  # noqa: PLR2004 - flat
        return False
    corners = np.array([tile.quad_img for tile in view.tiles], np.float64).reshape(-1, 2)
    depths = corners @ move[2, :2] + move[2, 2]
    return bool((depths > 0).all() or (depths < 0).all())
