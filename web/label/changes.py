"""What the page sends: the tiles of a photo as a person wants them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from referee import NotationError, Tile
from referee.phrases import say
from vision.labels import PhotoEntry, TileEntry
from web.live.sentences import no_tile

if TYPE_CHECKING:
    from vision.types import Floats

_SMALLEST_PX: Final = 16.0
_MOST_TILES: Final = 400
Corner = tuple[float, float]


class ChangeError(Exception):
    """A change that cannot be made; the message says why."""


class _Sent(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class SentTile(_Sent):
    """A tile as the page has it; the keys are those of a label file.

    Attributes
    ----------
    question
        The doubt in the page's words, which are not kept.
    """

    tile: str
    quad: tuple[Corner, Corner, Corner, Corner]
    visible: float = Field(default=1.0, ge=0, le=1)
    number_visible: float = Field(default=1.0, ge=0, le=1)
    doubt: str = Field(default="", max_length=500)
    question: str = Field(default="", max_length=500)
    others: list[str] = Field(default=[], max_length=60)


class SentQuad(_Sent):
    """Where a tile lies that is to be read."""

    quad: tuple[Corner, Corner, Corner, Corner]


class Change(_Sent):
    """What a photo's labels are to be.

    Attributes
    ----------
    version
        The version that the person saw.
    """

    version: int
    checked: bool
    split: str | None = Field(default=None, max_length=40)
    tiles: list[SentTile] = Field(max_length=_MOST_TILES)


def changed(entry: PhotoEntry, change: Change) -> PhotoEntry:
    """Return an entry with a change made to it.

    What is not known of a tile stays with it as long as its corners do.

    Raises
    ------
    ChangeError
        If a tile is none, or a photo would be checked with tiles in doubt.
    """
    size = (entry.width, entry.height)
    known = {tuple(tile.quad): tile for tile in entry.tiles}
    tiles = [_tile(sent, known.get(sent.quad), size) for sent in change.tiles]
    if change.checked:
        doubted = sum(bool(tile.doubt) for tile in tiles)
        if doubted:
            text = say(
                "label.unsure",
                "tiles are still unsure, {count} of them; look at them first",
                count=doubted,
            )
            raise ChangeError(text)
        tiles = [_without(tile, "others") for tile in tiles]
    update = {"tiles": tiles, "checked": change.checked, "touched": True}
    if change.split != entry.split:
        update["split"] = change.split
    return entry.model_copy(update=update)


def _tile(sent: SentTile, known: TileEntry | None, size: tuple[int, int]) -> TileEntry:
    try:
        for face in (sent.tile, *sent.others):
            Tile.parse(face)
    except NotationError as error:
        raise ChangeError(no_tile(error.token)) from error
    if known is None:
        check_quad(np.array(sent.quad, np.float32), size)
    rest = {} if known is None else (known.model_extra or {})
    told = {
        name: value
        for name, value in sent.model_dump(exclude={"tile", "quad", "question"}).items()
        if value != TileEntry.model_fields[name].default
    }
    values: dict[str, Any] = {"tile": sent.tile, "quad": sent.quad, **told, **rest}
    return TileEntry(**values)


def check_quad(quad_img: Floats, size: tuple[int, int]) -> None:
    """Refuse corners that cannot be a tile's.

    >>> check_quad(np.array([(0, 0), (9, 9), (9, 0), (0, 9)], np.float32), (20, 20))
    Traceback (most recent call last):
    ...
    web.label.changes.ChangeError: the corners must go round the tile clockwise

    Raises
    ------
    ChangeError
        If they do not go round clockwise, or are too near each other or too far outside.
    """
    sides = np.roll(quad_img, -1, 0) - quad_img
    following = np.roll(sides, -1, 0)
    turns = sides[:, 0] * following[:, 1] - sides[:, 1] * following[:, 0]
    if (turns <= 0).any():
        raise ChangeError(say("label.crossed", "the corners must go round the tile clockwise"))
    if turns.sum() < 4 * _SMALLEST_PX:
        raise ChangeError(say("label.near", "the corners are too near each other"))
    room = np.array(size, np.float32)
    if (quad_img < -room / 2).any() or (quad_img > room * 1.5).any():
        raise ChangeError(say("label.far", "the corners are too far outside the picture"))


def _without(tile: TileEntry, name: str) -> TileEntry:
    return TileEntry(**{k: v for k, v in tile.model_dump(exclude_unset=True).items() if k != name})
