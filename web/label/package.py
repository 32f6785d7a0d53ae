"""Reports of bad readings, as the dashboard saves them: their picture is labelled like a photo.

What was put right before the report was saved is put right in what is proposed.
"""

from __future__ import annotations

import zipfile
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pydantic import ValidationError

from vision.pictures import PictureError
from web.label.corrections import ReportReading
from web.zips import NO_ZIP, MemberTooLargeError, read_member

if TYPE_CHECKING:
    from pathlib import Path

    from web.label.corrections import Correction

ENDING: Final = ".zip"
_PICTURE: Final = "picture.jpg"
_NOTE: Final = "note.txt"
_MOST_BYTES: Final = 50_000_000
_READING: Final = "reading.json"
_MOST_NOTE_BYTES: Final = 10_000
_MOST_READING_BYTES: Final = 5_000_000


@dataclass(frozen=True, slots=True)
class Report:
    """What a report holds.

    Attributes
    ----------
    picture
        Where its picture is now.
    note
        What was written in it.
    corrections
        What a person put right before it was saved.
    """

    picture: Path
    note: str
    corrections: tuple[Correction, ...]


def open_report(package: Path) -> Report:
    """Put a report's picture beside it, under the report's name.

    Raises
    ------
    PictureError
        If it is no report, or another picture of that name is there already.
    """
    try:
        with zipfile.ZipFile(package) as archive:
            data = read_member(archive, _PICTURE, _MOST_BYTES)
            note = _if_there(archive, _NOTE, _MOST_NOTE_BYTES)
            told = _if_there(archive, _READING, _MOST_READING_BYTES) or b"{}"
            reading = ReportReading.model_validate_json(told)
    except KeyError:
        raise PictureError(
            f"no {_PICTURE} in it: give a report as the dashboard saves it, made while the camera "
            "showed the table"
        ) from None
    except MemberTooLargeError as error:
        limit_mb = error.most_bytes / 1_000_000
        raise PictureError(f"{error.name} in it has over {limit_mb:g} MB") from None
    except ValidationError:
        raise PictureError(f"{_READING} in it is damaged: save the report again") from None
    except (FileNotFoundError, IsADirectoryError, PermissionError) as error:
        raise PictureError(error.strerror or str(error)) from error
    except NO_ZIP:
        raise PictureError("not a whole ZIP file: save the report again") from None
    path = package.with_suffix(".jpg")
    _put(path, data)
    return Report(path, note.decode("utf-8", "replace").strip(), tuple(reading.corrections))


def _if_there(archive: zipfile.ZipFile, name: str, most_bytes: int) -> bytes:
    """Return a member; nothing where there is none."""
    return read_member(archive, name, most_bytes) if name in archive.namelist() else b""


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
