"""Recorded games: a film of a table, and what is true in it, still by still."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import cv2
import numpy as np
from pydantic import BaseModel, ConfigDict, ValidationError

from vision.resources import resource_dir

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from vision.types import Pixels


class RecordingError(Exception):
    """A recorded game that cannot be used; the message says why."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class RecordedPlayer(_Part):
    """A player, with the tiles on the rack when the film begins."""

    name: str
    rack: int
    opened: bool


class RecordedTile(_Part):
    """A tile lying face up, and its corners in pixels, clockwise from the upright top left."""

    tile: str
    quad: tuple[tuple[float, float], ...]


class Still(_Part):
    """A stretch of frames, first and last included, in which nothing moves.

    Attributes
    ----------
    scene, kind, player
        Its number, from 0; what led to it; and whose hand did, "" for nobody's.
    before, table
        The last table that was legal before, and this one, in notation.
    added
        The tiles that came from the rack.
    legal, codes
        What the referee says of this table as a turn's end, against `before`.
    wins
        Whether the player's rack is empty then.
    racks
        Tiles on every rack, this turn's counted only if it is legal.
    """

    scene: int
    from_frame: int
    to_frame: int
    kind: Literal["start", "turn", "restore", "draw", "rest", "bump", "lamp"]
    player: str
    before: str
    table: str
    added: str
    legal: bool
    codes: tuple[str, ...]
    wins: bool
    racks: dict[str, int]
    tiles: tuple[RecordedTile, ...]


class Moving(_Part):
    """A stretch of frames in which a hand is there, the camera moves, or the light changes."""

    scene: int
    from_frame: int
    to_frame: int
    what: Literal["hand", "bump", "lamp"]
    player: str


class Recording(_Part):
    """A film and what is true in it."""

    title: str
    ruleset: str
    video: str
    width: int
    height: int
    fps: int
    frames: int
    players: tuple[RecordedPlayer, ...]
    stills: tuple[Still, ...]
    moving: tuple[Moving, ...]

    @property
    def order(self) -> tuple[str, ...]:
        """The players in the order of their turns; whoever is seen first is at the front."""
        names = tuple(player.name for player in self.players)
        seen = next((still.player for still in self.stills if still.player), names[0])
        first = names.index(seen)
        return names[first:] + names[:first]


def load_recording(path: Path) -> Recording:
    """Read the JSON file of a recorded game.

    Raises
    ------
    RecordingError
        If it is missing or malformed.
    """
    try:
        return Recording.model_validate_json(path.read_bytes())
    except OSError as error:
        raise RecordingError(f"{path}: {error.strerror}") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the file"
        raise RecordingError(f"{path}: {where}: {first['msg']}") from error


def bundled_recordings() -> dict[str, Path]:
    """Return the JSON files of the games that come with the program, by name.

    Raises
    ------
    ResourceError
        If their folder is missing.
    """
    return {path.stem: path for path in sorted(resource_dir("games").glob("*.json"))}


def frames_of(video: Path) -> Iterator[Pixels]:
    """Yield every frame of a film, (h, w, 3) uint8 BGR.

    Raises
    ------
    RecordingError
        If it cannot be opened.
    """
    capture = cv2.VideoCapture(str(video))
    try:
        if not capture.isOpened():
            raise RecordingError(f"{video}: no film that OpenCV can open")
        while True:
            more, frame = capture.read()
            if not more:
                return
            yield np.asarray(frame, np.uint8)
    finally:
        capture.release()
