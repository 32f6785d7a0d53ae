"""The label file that is being written: every change is on disk before it is answered."""

from __future__ import annotations

import os
from collections import Counter
from typing import TYPE_CHECKING

from referee.phrases import say
from vision.labels import LabelError, labelled, read_entries, write_entries

if TYPE_CHECKING:
    from pathlib import Path

    from vision.labels import PhotoEntry


class ChangedElsewhereError(LabelError):
    """Somebody else has written the file since."""


class LabelBook:
    """A label file and its photos, in order; photos that nobody asks about are left alone."""

    def __init__(self, path: Path, entries: list[PhotoEntry]) -> None:
        self.path = path
        self._entries = {entry.photo: entry for entry in entries}
        self._names = {(path.parent / name).resolve(): name for name in self._entries}
        self._stamp = _stamp(path)

    @classmethod
    def open(cls, path: Path) -> LabelBook:
        """Open a label file, or begin one where there is none.

        Raises
        ------
        LabelError
            If there is something else, or a mistake in it.
        """
        if not path.exists():
            return cls(path, [])
        if not path.is_file():
            raise LabelError(f"{path} is not a file; choose another with --out")
        entries = read_entries(path)
        for entry in entries:
            labelled(entry, path)
        twice = [photo for photo, times in Counter(e.photo for e in entries).items() if times > 1]
        if twice:
            raise LabelError(f"{path}: {twice[0]} is in it twice; delete one")
        return cls(path, entries)

    def __getitem__(self, name: str) -> PhotoEntry:
        """Return what is known of the photo that the file names so."""
        return self._entries[name]

    def name(self, photo: Path) -> str:
        """Return how the file names a photo, or would: by its path from there.

        Raises
        ------
        LabelError
            If that has signs with which the file could not be read again.
        """
        real, folder = photo.resolve(), self.path.parent.resolve()
        if real in self._names:
            return self._names[real]
        try:
            name = os.path.relpath(real, folder).replace(os.sep, "/")
        except ValueError:  # another drive
            name = str(real)
        try:
            name.encode()
        except UnicodeEncodeError:  # bytes that are no letters, as from another system
            raise LabelError("its name cannot be written down; rename it") from None
        return name

    def find(self, photo: Path) -> PhotoEntry | None:
        """Return what the file says of a photo."""
        return self._entries.get(self.name(photo))

    def put(self, *entries: PhotoEntry) -> None:
        """Put photos into the file, each in place of what it said before, and save it.

        Raises
        ------
        ChangedElsewhereError
            If another program has written it; then nothing is changed.
        LabelError
            If it cannot be written; then nothing is changed, either.
        """
        if _stamp(self.path) != self._stamp:
            text = say(
                "label.changed",
                "another program has changed {path}; stop `meldwatch label`, and start it again",
                path=str(self.path),
            )
            raise ChangedElsewhereError(text)
        merged = self._entries | {entry.photo: entry for entry in entries}
        write_entries(list(merged.values()), self.path)
        self._entries = merged
        self._stamp = _stamp(self.path)


def _stamp(path: Path) -> tuple[int, int] | None:
    """Tell one state of a file from another; None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size
