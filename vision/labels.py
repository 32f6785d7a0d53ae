"""Label files: which tiles a photo shows, as a person wrote them down.

A label file is a JSON list of photos, each with its path relative to the label file, its size,
and either `tiles` (faces with quads) or `boxes` (class, centre and size: number only, and loose).
"""

from __future__ import annotations

import json
import logging
import re
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, Final, Self

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator

from referee import NotationError, Tile
from referee.phrases import say
from vision.quads import rectangle
from vision.whole_files import write_whole

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from vision.types import Floats

log: Final = logging.getLogger(__name__)
JOKER_CLASS: Final = 13
_EDGE_PX: Final = 2.0
NUMBER_SEEN: Final = 0.9  # with less of its number to be seen, a tile need not be read
_SAME_WORD: Final = 0.8
_NAMED: Final = 5


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
        Whether the outline reaches the edge of the picture, or the number is hidden in part.
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
    """A photo, and the tiles in it.

    Attributes
    ----------
    size_px
        Width and height of the picture that was labelled; None if it is at hand already.
    """

    path: Path
    group: str
    tiles: tuple[LabelledTile, ...]
    size_px: tuple[int, int] | None = None


class _Entry(BaseModel):
    """A part of a label file; keys that are not known are kept, but not misspelt ones."""

    model_config = ConfigDict(extra="allow", frozen=True, allow_inf_nan=False)

    @model_validator(mode="after")
    def _well_spelt(self) -> Self:
        known = [name for name in type(self).model_fields if name not in self.model_fields_set]
        for key in self.model_extra or {}:
            meant = get_close_matches(key, known, 1, _SAME_WORD)
            if meant:
                raise ValueError(f"there is no {key!r}; did you mean {meant[0]!r}?")
        return self


class TileEntry(_Entry):
    """A tile in a label file.

    Attributes
    ----------
    tile
        Its face in notation.
    quad
        Its four corners, pixels.
    visible, number_visible
        Seen share of the face, and of its part with the number.
    doubt
        Why nobody should believe the face yet; empty if a person has seen to it.
    others
        Faces that it might be instead, likeliest first.
    """

    tile: str
    quad: list[tuple[float, float]]
    visible: float = Field(default=1.0, ge=0, le=1)
    number_visible: float = Field(default=1.0, ge=0, le=1)
    doubt: str = ""
    others: list[str] = []


class PhotoEntry(_Entry):
    """A photo in a label file.

    Attributes
    ----------
    photo
        Its path, relative to the file.
    checked
        False for labels that a program has proposed and nobody has confirmed yet.
    touched
        Whether a person has changed a proposal.
    upright
        Whether every quad begins at the tile's upright top left and runs clockwise.
    """

    photo: str
    width: int = Field(gt=0)
    height: int = Field(gt=0)
    split: str | None = None
    group: str | None = None
    checked: bool = True
    touched: bool = False
    upright: bool = False
    tiles: list[TileEntry] = []
    boxes: list[tuple[int, float, float, float, float]] = []


_ENTRIES: Final = TypeAdapter(list[PhotoEntry])


def load_labels(path: Path, split: str | None = None) -> tuple[LabelledPhoto, ...]:
    """Load the photos of a label file, all or those of one split.

    Photos whose labels nobody has checked yet are left out, which the log tells.

    Raises
    ------
    LabelError
        If the file is missing or malformed, or has no checked photo of that split.
    """
    entries = read_entries(path)
    if not entries:
        raise LabelError(f"{path}: there is no photo in it; `meldwatch label` adds some")
    wanted = [entry for entry in entries if split is None or entry.split == split]
    if not wanted:
        known = ", ".join(sorted({entry.split for entry in entries if entry.split})) or "none"
        raise LabelError(f"{path}: no photo of split {split!r}; its splits: {known}")
    unchecked = [entry.photo for entry in wanted if not entry.checked]
    if len(unchecked) == len(wanted):
        raise LabelError(f"{path}: no photo is checked yet; check them with `meldwatch label`")
    if unchecked:
        log.warning("%s: %s", path, left_out(unchecked, len(wanted)))
    return tuple(labelled(entry, path) for entry in wanted if entry.checked)


def left_out(unchecked: Sequence[str], photos: int) -> str:
    """Say which of so many photos are left out.

    >>> left_out(["a.jpg", "b.jpg"], 7)
    'left out 2 of 7 photos that nobody has checked yet: a.jpg, b.jpg'
    """
    names = ", ".join(unchecked[:_NAMED]) + (", ..." if len(unchecked) > _NAMED else "")
    return f"left out {len(unchecked)} of {photos} photos that nobody has checked yet: {names}"


def read_entries(path: Path) -> list[PhotoEntry]:
    """Read a label file as it is written, unchecked photos and all.

    Raises
    ------
    LabelError
        If the file is missing or malformed.
    """
    try:
        return _ENTRIES.validate_json(path.read_bytes())
    except OSError as error:
        raise LabelError(f"{path}: {error.strerror}") from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        reason = first["msg"].removeprefix("Value error, ")
        if not place:
            reason = f"this is no label file ({reason}); `meldwatch label` makes them"
        raise LabelError(": ".join(filter(None, (str(path), place, reason)))) from error


def write_entries(entries: Sequence[PhotoEntry], path: Path) -> None:
    """Write a label file, one photo a line, whole or not at all.

    Raises
    ------
    LabelError
        If it cannot be written; what was there before is still there.
    """
    lines = (json.dumps(entry.model_dump(exclude_unset=True)) for entry in entries)
    text = "[\n" + ",\n".join(lines) + "\n]\n"
    try:
        write_whole(path.resolve(), text.encode())
    except OSError as error:
        text = say(
            "label.not_written",
            "cannot write {path}: {reason}",
            path=str(path),
            reason=error.strerror or str(error),
        )
        raise LabelError(text) from error


def labelled(entry: PhotoEntry, path: Path) -> LabelledPhoto:
    """Return what an entry of the label file at `path` says.

    Raises
    ------
    LabelError
        If a tile is not a face with four corners, or a box has no known class.
    """
    try:
        return _photo(entry, path.parent)
    except (NotationError, ValueError) as error:
        raise LabelError(f"{path}: {entry.photo}: {error}") from error


def group_of(photo: str) -> str:
    """Name the session that a photo comes from: its file name without the running number.

    >>> group_of("edition_a/rummy3-11.jpg"), group_of("20260313_174201.jpg"), group_of("a/7.jpg")
    ('rummy3', '20260313', 'a')
    """
    *folders, name = photo.split("/")
    stem = name.rsplit(".", 1)[0]
    session = re.sub(r"[-_ ]?\d+$", "", stem)
    return session or (folders[-1] if folders else stem)


def _photo(entry: PhotoEntry, folder: Path) -> LabelledPhoto:
    size = (entry.width, entry.height)
    tiles = [_tile(tile, size) for tile in entry.tiles]
    boxes = [_box(box, size) for box in entry.boxes]
    group = entry.group or group_of(entry.photo)
    return LabelledPhoto(folder / entry.photo, group, (*tiles, *boxes), size)


def _tile(entry: TileEntry, size: tuple[int, int]) -> LabelledTile:
    face = Tile.parse(entry.tile)
    outline = np.asarray(entry.quad, np.float32)
    if outline.shape != (4, 2):
        raise ValueError(f"{entry.tile}: expected a quad of 4 corners, got {len(entry.quad)}")
    colour = face.colour.value if face.colour else None
    cut = entry.number_visible < NUMBER_SEEN or is_cut(outline, size)
    return LabelledTile(face.number, colour, outline, loose=False, cut=cut)


def _box(box: tuple[int, float, float, float, float], size: tuple[int, int]) -> LabelledTile:
    label, cx, cy, width, height = box
    if not 0 <= label <= JOKER_CLASS:
        raise ValueError(f"expected a box class from 0 to {JOKER_CLASS}, got {label}")
    outline = rectangle(cx - width / 2, cy - height / 2, cx + width / 2, cy + height / 2)
    number = None if label == JOKER_CLASS else label + 1
    return LabelledTile(number, None, outline, loose=True, cut=is_cut(outline, size))


def is_cut(outline: Floats, size: tuple[int, int]) -> bool:
    """Whether an outline reaches the edge of a picture of that width and height."""
    return bool((outline <= _EDGE_PX).any() or (outline >= np.array(size) - _EDGE_PX).any())
