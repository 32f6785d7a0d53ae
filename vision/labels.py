"""Label files: which tiles a photo shows, as a person wrote them down.

A label file is a JSON list of photos, each with its path relative to the label file, its size,
and either `tiles` (faces with quads) or `boxes` (class, centre and size: number only, and loose).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from referee import NotationError, Tile

if TYPE_CHECKING:
    from pathlib import Path

    from vision.types import Floats

JOKER_CLASS: Final = 13
_EDGE_PX: Final = 2.0


class LabelError(Exception):
    """A label file that cannot be used; the message says why."""


@dataclass(frozen=True, slots=True)
class LabelledTile:
    """One tile as a person labelled it.

    Attributes
    ----------
    number
        1 to 13, or None for the joker.
    colour
        The colour's letter, or None for the joker and where no colour was written down.
    outline_img
        (4, 2) float32, image pixels.
    loose
        Whether the outline is an upright box somewhere around the tile, not its edge.
    cut
        Whether the outline reaches the edge of the picture.
    """

    number: int | None
    colour: str | None
    outline_img: Floats
    loose: bool
    cut: bool

    @property
    def text(self) -> str:
        """The face as far as it is known, `?7` for a seven of unknown colour."""
        return "J" if self.number is None else f"{self.colour or '?'}{self.number}"


@dataclass(frozen=True, slots=True)
class LabelledPhoto:
    """A photo, and the tiles in it."""

    path: Path
    group: str
    tiles: tuple[LabelledTile, ...]


class _TileEntry(BaseModel):
    model_config = ConfigDict(extra="ignore")
    tile: str
    quad: list[tuple[float, float]]


class _PhotoEntry(BaseModel):
    model_config = ConfigDict(extra="ignore")
    photo: str
    width: int
    height: int
    split: str | None = None
    group: str | None = None
    tiles: list[_TileEntry] = []
    boxes: list[tuple[int, float, float, float, float]] = []


def load_labels(path: Path, split: str | None = None) -> tuple[LabelledPhoto, ...]:
    """Load the photos of a label file, all or those of one split.

    Raises
    ------
    LabelError
        If the file is missing or malformed, or has no photo of that split.
    """
    try:
        entries = TypeAdapter(list[_PhotoEntry]).validate_json(path.read_bytes())
    except OSError as error:
        raise LabelError(f"{path}: {error.strerror}") from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "the file"
        raise LabelError(f"{path}: {place}: {first['msg']}") from error
    wanted = [entry for entry in entries if split is None or entry.split == split]
    if not wanted:
        known = ", ".join(sorted({entry.split for entry in entries if entry.split})) or "none"
        raise LabelError(f"{path}: no photo of split {split!r}; its splits: {known}")
    try:
        return tuple(_photo(entry, path.parent) for entry in wanted)
    except (NotationError, ValueError) as error:
        raise LabelError(f"{path}: {error}") from error


def group_of(photo: str) -> str:
    """Name the session that a photo comes from: its file name without the running number.

    >>> group_of("edition_a/rummy3-11.jpg"), group_of("20260313_174201.jpg"), group_of("a/7.jpg")
    ('rummy3', '20260313', 'a')
    """
    *folders, name = photo.split("/")
    stem = name.rsplit(".", 1)[0]
    session = re.sub(r"[-_ ]?\d+$", "", stem)
    return session or (folders[-1] if folders else stem)


def _photo(entry: _PhotoEntry, folder: Path) -> LabelledPhoto:
    size = (entry.width, entry.height)
    tiles = [_tile(tile, size) for tile in entry.tiles]
    boxes = [_box(box, size) for box in entry.boxes]
    group = entry.group or group_of(entry.photo)
    return LabelledPhoto(folder / entry.photo, group, (*tiles, *boxes))


def _tile(entry: _TileEntry, size: tuple[int, int]) -> LabelledTile:
    face = Tile.parse(entry.tile)
    outline = np.asarray(entry.quad, np.float32)
    if outline.shape != (4, 2):
        raise ValueError(f"{entry.tile}: expected a quad of 4 corners, got {len(entry.quad)}")
    colour = face.colour.value if face.colour else None
    return LabelledTile(face.number, colour, outline, loose=False, cut=_is_cut(outline, size))


def _box(box: tuple[int, float, float, float, float], size: tuple[int, int]) -> LabelledTile:
    label, cx, cy, width, height = box
    if not 0 <= label <= JOKER_CLASS:
        raise ValueError(f"expected a box class from 0 to {JOKER_CLASS}, got {label}")
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float32) / 2
    outline = (np.array([cx, cy]) + half * np.array([width, height])).astype(np.float32)
    number = None if label == JOKER_CLASS else label + 1
    return LabelledTile(number, None, outline, loose=True, cut=_is_cut(outline, size))


def _is_cut(outline: Floats, size: tuple[int, int]) -> bool:
    return bool((outline <= _EDGE_PX).any() or (outline >= np.array(size) - _EDGE_PX).any())
