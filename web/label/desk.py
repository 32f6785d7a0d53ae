"""The photos that are being labelled: proposals first, then what a person makes of them."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import cv2
import numpy as np

from referee.phrases import say
from vision.labels import LabelError, PhotoEntry
from vision.pictures import load_picture
from web.label.changes import Change, ChangeError, changed, check_quad
from web.label.corrections import put_right
from web.label.proposals import NOTHING
from web.live.sentences import phrased

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from vision.labels import TileEntry
    from vision.types import Pixels
    from web.label.book import LabelBook
    from web.label.changes import SentQuad
    from web.label.corrections import Correction
    from web.label.proposals import Proposer

_KEPT_PICTURES: Final = 2
_JPEG_QUALITY: Final = 92
_USUAL_SPLIT: Final = "train"
STALE: Final = say("label.stale", "these labels were changed in another window; reload the page")


class StaleError(ChangeError):
    """A change to labels that another window has changed since."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the labelling is."""

    photos: int
    checked: int
    tiles: int
    unsure: int


class Desk:
    """Photos by number, and the file that they are labelled in. Any thread may ask."""

    def __init__(self, photos: tuple[Path, ...], book: LabelBook, proposer: Proposer) -> None:
        self._photos = photos
        self._names = tuple(book.name(photo) for photo in photos)
        self._book = book
        self._proposer = proposer
        self._lock = threading.Lock()
        self._versions = dict.fromkeys(range(len(photos)), 0)
        self._pixels = lru_cache(_KEPT_PICTURES)(load_picture)

    def __len__(self) -> int:
        return len(self._photos)

    @property
    def progress(self) -> Progress:
        """How far it is."""
        entries = [self._entry(number) for number in range(len(self))]
        return Progress(
            photos=len(entries),
            checked=sum(entry.checked for entry in entries),
            tiles=sum(len(entry.tiles) for entry in entries),
            unsure=sum(_unsure(entry) for entry in entries),
        )

    def overview(self) -> list[dict[str, Any]]:
        """Tell of every photo what a list of them shows."""
        entries = [self._entry(number) for number in range(len(self))]
        return [
            {
                "name": photo.name,
                "tiles": len(entry.tiles),
                "unsure": _unsure(entry),
                "checked": entry.checked,
            }
            for photo, entry in zip(self._photos, entries, strict=True)
        ]

    def labels(self, number: int) -> dict[str, Any]:
        """Tell everything of one photo."""
        entry = self._entry(number)
        return {
            "name": self._photos[number].name,
            "width": entry.width,
            "height": entry.height,
            "split": entry.split,
            "checked": entry.checked,
            "version": self._versions[number],
            "tiles": [_told(tile) for tile in entry.tiles],
        }

    def jpeg(self, number: int) -> bytes:
        """Return a photo as the labels mean it: turned upright, and as large."""
        with self._lock:
            pixels = self._pixels(self._photos[number])
        data = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY])[1]
        return data.tobytes()

    def change(self, number: int, change: Change) -> dict[str, Any]:
        """Change and keep the labels of a photo; return them.

        Raises
        ------
        ChangeError
            If the change cannot be made, or was made to labels that are no more.
        LabelError
            If the file cannot be written.
        """
        with self._lock:
            if change.version != self._versions[number]:
                raise StaleError(STALE)
            self._book.put(changed(self._entry(number), change))
            self._versions[number] += 1
        return self.labels(number)

    def read(self, number: int, sent: SentQuad) -> dict[str, Any]:
        """Read a tile where a person says that one lies; nothing is kept.

        Raises
        ------
        ChangeError
            If no tile can lie there.
        """
        entry = self._entry(number)
        quad = np.array(sent.quad, np.float32)
        check_quad(quad, (entry.width, entry.height))
        with self._lock:
            return _told(self._proposer.read(self._pixels(self._photos[number]), quad))

    def _entry(self, number: int) -> PhotoEntry:
        return self._book[self._names[number]]


def prepare(
    photo: Path, book: LabelBook, proposer: Proposer, corrections: Sequence[Correction] = ()
) -> PhotoEntry:
    """Return a photo's labels: those that a person has seen to, or else fresh proposals.

    Parameters
    ----------
    corrections
        What a person has put right in this picture already.

    Raises
    ------
    PictureError
        If the photo cannot be read.
    LabelError
        If it is not the photo that was labelled, or was labelled with boxes.
    """
    pixels = load_picture(photo)
    known = book.find(photo)
    if known is not None:
        _check_same(known, pixels, book)
        if known.checked or known.touched:
            return known
    height, width = pixels.shape[:2]
    return PhotoEntry(
        photo=book.name(photo),
        split=known.split if known else _USUAL_SPLIT,
        width=width,
        height=height,
        checked=False,
        touched=bool(corrections),
        upright=True,
        tiles=put_right(proposer.propose(pixels), corrections),
    )


def _check_same(known: PhotoEntry, pixels: Pixels, book: LabelBook) -> None:
    height, width = pixels.shape[:2]
    if known.boxes:
        raise LabelError(
            f"{book.path} has boxes for this photo, which the page does not show; "
            "choose another file with --out"
        )
    if (known.width, known.height) != (width, height):
        raise LabelError(
            f"the photo has {width} x {height} pixels, but {book.path} says "
            f"{known.width} x {known.height}: put the photo back that was labelled"
        )


def _unsure(entry: PhotoEntry) -> int:
    return sum(bool(tile.doubt) for tile in entry.tiles)


def _told(tile: TileEntry) -> dict[str, Any]:
    told = tile.model_dump(include={"tile", "quad", "visible", "number_visible"})
    return {
        **told,
        "doubt": tile.doubt,
        "question": NOTHING if tile.doubt == NOTHING else phrased(tile.doubt),
        "others": tile.others,
    }
