"""People's words for tiles, kept with the match so that they outlast the program.

Tiles have no numbers that do. So the whole table is kept with them as each camera saw it: by it
the tiles are found again, and by where they lay among the others.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from referee.errors import NotationError
from referee.events import Played
from referee.tiles import Tile
from vision.watching.recalled import Lying
from web.store import StoreError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from web.live.kept import KeptMatch

_log = logging.getLogger(__name__)
_MOST_CAMERAS: Final = 16
_MOST_TILES: Final = 400
_MOST_PX: Final = 100_000.0

Tables: TypeAlias = "Mapping[str, Sequence[Lying]]"
"""What lies there, by camera, each in its own pixels."""
Keep: TypeAlias = "Callable[[Tables], None]"
"""Writes down what was said, before it counts."""


class Words:
    """What people said of the tiles that lie there; used under the table's lock."""

    def __init__(self, kept: KeptMatch) -> None:
        self._kept = kept
        self._told: object = None
        self._opened: tuple[int | None] | None = None
        self._own: Tables = {}
        self._since = 0

    def open(self, tables: Tables) -> Tables | None:
        """Return what was said when this match was last played, or before any was.

        None if it goes on, or if it is what was said of the tiles that lie there. Else it is
        waited for; until a turn is played, or somebody says something of a tile that lies there,
        it stays kept as it is.
        """
        kept = self._kept
        if self._opened == (kept.number,):
            return None
        self._opened, self._told, self._since = (kept.number,), kept.told, kept.records
        self._own = decoded(kept.words or kept.loose_words)
        return self._own if self._is_waited_for(tables) else None

    def _is_waited_for(self, tables: Tables) -> bool:
        own = {id(lying) for lying in self._own.values()}
        here = (lying for lying in tables.values() if id(lying) not in own)
        found = {(one.read, one.tile) for lying in here for one in lying if one.said}
        return any((read, tile) not in found for _, read, tile in _said(self._own))

    def keep(self, tables: Tables) -> None:
        """Write it down, before it counts.

        Raises
        ------
        StoreError
            If it cannot be kept.
        """
        values = self._news(tables)
        if values is not None:
            self._kept.note(values)
        self._own, self._told = {}, self._kept.told

    def keep_with(self, write: Callable[[dict[str, Any] | None], None]) -> Keep:
        """Return what writes it down in one go with what follows from it for the match.

        Parameters
        ----------
        write
            Writes down what follows, and the words that it is given; None where there are none.
        """

        def keep(tables: Tables) -> None:
            write(self._news(tables))
            self._own, self._told = {}, self._kept.told

        return keep

    def _news(self, tables: Tables) -> dict[str, Any] | None:
        """Return what is to be written down; None where that is kept already."""
        values = encoded(tables)
        return None if values == self._kept.words else values

    def follow(self, tables: Tables) -> None:
        """Keep it as it is now, where words fell away, or a turn may have changed the table."""
        if self._is_waited_for(tables) and not self._played:
            return
        self._own = {}
        before, now = _said(decoded(self._kept.words)), _said(tables)
        if before == now and (not now or self._told is self._kept.told):
            return
        try:
            self.keep(tables)
        except StoreError:
            _log.exception("what was said of tiles is not kept; the match is")

    @property
    def _played(self) -> bool:
        """Whether a turn was played since the match was opened: its table is what lies there."""
        last = self._kept.told[-1] if self._kept.told else None
        return last is not None and last.seq > self._since and isinstance(last.event, Played)


def encoded(tables: Tables) -> dict[str, Any]:
    """Return what cameras see of which something was said, as JSON values.

    >>> quad = np.array([(0, 0), (4, 0), (4, 6), (0, 6)], np.float32)
    >>> tables = {"a": [Lying(quad, Tile.parse("R5"), Tile.parse("B5"), said=True)], "b": []}
    >>> encoded(tables)["cameras"][0]["tiles"]
    [{'quad': [0.0, 0.0, 4.0, 0.0, 4.0, 6.0, 0.0, 6.0], 'read': 'R5', 'said': 'B5'}]
    >>> [one.said for one in decoded(encoded(tables))["a"]]
    [True]
    """
    cameras = [
        {"camera": camera, "tiles": [_encoded(one) for one in tiles]}
        for camera, tiles in tables.items()
        if any(one.said for one in tiles)
    ]
    return {"cameras": cameras}


def _encoded(one: Lying) -> dict[str, Any]:
    quad = [round(float(side), 1) for side in one.quad_img.ravel()]
    told = {"quad": quad, "read": _face(one.read)}
    return {**told, "said": _face(one.tile)} if one.said else told


def _face(tile: Tile | None) -> str | None:
    return None if tile is None else str(tile)


def decoded(values: Mapping[str, Any]) -> dict[str, tuple[Lying, ...]]:
    """Return what JSON values say; what makes no sense is left out.

    >>> decoded({"cameras": [{"camera": "a", "tiles": [{"quad": [1, 2]}, {"read": "X"}]}, 7]})
    {'a': ()}
    >>> decoded({"cameras": 7})
    {}
    """
    cameras = values.get("cameras")
    found: dict[str, tuple[Lying, ...]] = {}
    for one in cameras[:_MOST_CAMERAS] if isinstance(cameras, list) else ():
        if isinstance(one, dict) and isinstance(one.get("tiles"), list):
            tiles = (_decoded(tile) for tile in one["tiles"][:_MOST_TILES])
            found[str(one.get("camera"))] = tuple(tile for tile in tiles if tile is not None)
    return found


def _decoded(values: Any) -> Lying | None:  # noqa: ANN401 - may be anything
    try:
        quad = np.array(values["quad"], np.float32).reshape(4, 2)
        read = None if values["read"] is None else Tile.parse(values["read"])
        said = values.get("said", "")
        tile = read if said == "" else None if said is None else Tile.parse(said)
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError, NotationError):
        return None
    near = bool((np.abs(quad) <= _MOST_PX).all())
    return Lying(quad, read, tile, said=said != "") if near and (read or tile) else None


def _said(tables: Tables) -> list[tuple[str, Tile | None, Tile | None]]:
    """Return what was said, but not where the tiles lie: that changes a little with each look."""
    return [
        (camera, one.read, one.tile)
        for camera, tiles in tables.items()
        for one in tiles
        if one.said
    ]
