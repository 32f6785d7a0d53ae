"""Reports of bad readings, as the dashboard saves them: their picture is labelled like a photo."""

from __future__ import annotations

import zipfile
from typing import TYPE_CHECKING, Final

from vision.pictures import PictureError
from web.zips import MemberTooLargeError, read_member

if TYPE_CHECKING:
    from pathlib import Path

ENDING: Final = ".zip"
_PICTURE: Final = "picture.jpg"
_NOTE: Final = "note.txt"
_MOST_BYTES: Final = 50_000_000
_MOST_NOTE_BYTES: Final = 10_000


def picture_of(package: Path) -> tuple[Path, str]:
    """Put a report's picture beside it, under the report's name.

    Returns
    -------
    picture
        Where it is now.
    note
        What was written in the report.

    Raises
    ------
    PictureError
        If it is no report, or another picture of that name is there already.
    """
    try:
        with zipfile.ZipFile(package) as archive:
            data = read_member(archive, _PICTURE, _MOST_BYTES)
            has_note = _NOTE in archive.namelist()
            note = read_member(archive, _NOTE, _MOST_NOTE_BYTES) if has_note else b""
    except KeyError:
        raise PictureError(
            f"no {_PICTURE} in it: give a report as the dashboard saves it, made while the camera "
            "showed the table"
        ) from None
    except MemberTooLargeError as error:
        limit_mb = error.most_bytes / 1_000_000
        raise PictureError(f"{error.name} in it has over {limit_mb:g} MB") from None
    except zipfile.BadZipFile:
        raise PictureError("not a ZIP file: save the report again") from None
    except OSError as error:
        raise PictureError(error.strerror or str(error)) from error
    path = package.with_suffix(".jpg")
    _put(path, data)
    return path, note.decode("utf-8", "replace").strip()


def _put(path: Path, data: bytes) -> None:
    """Write the picture, unless it is there already."""
    try:
        if path.is_file():
            if path.read_bytes() != data:
                raise PictureError(f"{path} is another picture: give the report another name")
            return
        path.write_bytes(data)
    except OSError as error:
        raise PictureError(f"cannot write {path}: {error.strerror or error}") from error
