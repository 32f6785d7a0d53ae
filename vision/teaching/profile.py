"""Profiles: what was taught of one set, kept in a small file under a name."""

from __future__ import annotations

import io
import logging
import re
import zipfile
import zlib
from dataclasses import dataclass, replace
from pathlib import Path
from tokenize import TokenError
from typing import TYPE_CHECKING, Final

import numpy as np

from referee import NotationError
from referee.phrases import say
from referee.tiles import Tile
from vision.reading.reader import Reader
from vision.teaching.correction import KEPT_SIZE, Correction, fit_correction, keep
from vision.whole_files import write_whole

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from vision.pipeline import TableReader
    from vision.teaching.photo import LaidOut
    from vision.types import Pixels

log: Final = logging.getLogger(__name__)
VERSION: Final = 1
ENDING: Final = ".set.npz"
# Windows takes a few names for devices, whatever follows them.
_NAME: Final = re.compile(r"(?!(?i:con|prn|aux|nul|com\d|lpt\d)$)[\w][\w -]{0,39}")
# What reading a damaged file raises, found by feeding it such files.
_DAMAGE: Final = (
    EOFError,
    KeyError,
    OSError,
    RuntimeError,
    TokenError,
    TypeError,
    ValueError,
    NotationError,
    zipfile.BadZipFile,
    zlib.error,
)


_CANNOT: Final = say("teaching.cannot", "The networks of this table cannot be taught a set.")


class ProfileError(Exception):
    """A profile that cannot be used; the message says why and what to do."""


class TeachingError(Exception):
    """A photo that cannot be taught from; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Profile:
    """One set of tiles, as it was taught.

    Attributes
    ----------
    name
        What its owner calls it.
    crops
        (n, 168, 112, 3) uint8 BGR: its tiles, upright. They are kept so that the correction can
        be fitted again when the networks change.
    faces
        What they show.
    correction, network
        What the reader with that sha256 is corrected by.
    folder
        Where it is kept; None where it was not kept yet.
    """

    name: str
    crops: Pixels
    faces: tuple[Tile, ...]
    correction: Correction
    network: str
    folder: Path | None = None

    def taught(self, reader: Reader, told: Callable[[float], None] | None = None) -> Reader:
        """Return the reader with this set's correction.

        If its network is another it is fitted anew, and kept so for the next time.
        """
        profile = self
        if self.network != reader.examiner.faces.settings["sha256"]:
            profile = profile_of(self.name, self.crops, self.faces, reader, told)
            if self.folder is not None:
                try:
                    save_profile(profile, self.folder)
                except ProfileError as error:
                    log.warning("%s has to be fitted anew each time: %s", self.name, error)
        examiner = replace(reader.examiner, correction=profile.correction)
        return replace(reader, examiner=examiner)

    def table_reader(
        self, general: TableReader, told: Callable[[float], None] | None = None
    ) -> TableReader:
        """Return the reader of tables that knows this set; as `taught`.

        Raises
        ------
        ProfileError
            If it cannot be taught.
        """
        return replace(general, face_reader=self.taught(teachable(general), told))


def teachable(reader: TableReader) -> Reader:
    """Return what reads the faces of tables, which a set is taught to.

    Raises
    ------
    ProfileError
        If it cannot be taught.
    """
    if not isinstance(reader.face_reader, Reader):
        raise ProfileError(_CANNOT)
    return reader.face_reader


def teach(name: str, photos: Sequence[LaidOut], reader: TableReader) -> Profile:
    """Make a profile from what photos of a laid-out set show.

    Raises
    ------
    TeachingError
        If a photo does not show the set laid out as wanted.
    ProfileError
        If the name cannot be a file's, or the reader cannot be taught.
    """
    check_name(name)
    problem = next((photo.problem for photo in photos if photo.problem), "")
    if problem:
        raise TeachingError(problem)
    crops = np.concatenate([keep(photo.pixels, photo.quads_img) for photo in photos])
    faces = tuple(face for photo in photos for face in photo.faces)
    return profile_of(name, crops, faces, teachable(reader))


def profile_of(
    name: str,
    crops: Pixels,
    faces: Sequence[Tile],
    reader: Reader,
    told: Callable[[float], None] | None = None,
) -> Profile:
    """Fit a profile to crops whose faces are known; `told` as for `fit_correction`."""
    network = reader.examiner.faces
    correction = fit_correction(network, crops, faces, told=told)
    return Profile(name, crops, tuple(faces), correction, str(network.settings["sha256"]))


def check_name(name: str) -> None:
    """Raise `ProfileError` unless a name is made of letters, digits, spaces, `-` and `_`."""
    if not _NAME.fullmatch(name):
        raise ProfileError(
            say(
                "teaching.bad_name",
                "{name} is no name for a set: use up to 40 letters, digits, spaces, - and _.",
                name=repr(name),
            )
        )


def _check_unknown(name: str, folder: Path) -> None:
    """Check a name, unless a set has it: who copies its file by hand may call it anything."""
    if name not in profile_names(folder):
        check_name(name)


def save_profile(profile: Profile, folder: Path) -> Path:
    """Write a profile into a folder, whole or not at all; an earlier one of its name goes.

    Raises
    ------
    ProfileError
        If it cannot be written.
    """
    _check_unknown(profile.name, folder)
    path = folder / f"{profile.name}{ENDING}"
    data = io.BytesIO()
    np.savez_compressed(
        data,
        version=VERSION,
        crops=profile.crops,
        faces=[str(face) for face in profile.faces],
        number=profile.correction.number,
        colour=profile.correction.colour,
        network=profile.network,
    )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(path, data.getvalue())
    except OSError as error:
        raise ProfileError(f"cannot keep {path}: {error.strerror or error}") from error
    return path


def load_profile(name: str, folder: Path) -> Profile:
    """Read the profile of a name.

    Raises
    ------
    ProfileError
        If there is none of that name, or it is damaged; the message names those there are.
    """
    _check_unknown(name, folder)
    path = folder / f"{name}{ENDING}"
    if not path.is_file():
        known = ", ".join(profile_names(folder)) or "none yet"
        raise ProfileError(f"no set called {name!r} has been taught; there are: {known}")
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as kept:
            if int(kept["version"]) != VERSION:
                raise ProfileError(f"{path} is of another version of Meldwatch: teach it again")
            profile = Profile(
                name,
                kept["crops"],
                tuple(Tile.parse(str(face)) for face in kept["faces"]),
                Correction(kept["number"], kept["colour"]),
                str(kept["network"]),
                folder,
            )
    except _DAMAGE as error:
        raise ProfileError(f"{path} is damaged ({error}): teach the set again") from error
    if profile.crops.shape != (len(profile.faces), KEPT_SIZE[1], KEPT_SIZE[0], 3):
        raise ProfileError(f"{path} is damaged: teach the set again")
    return profile


def find_profile(tiles: str, folder: Path) -> Profile:
    """Read the profile of a name in a folder, or that of a file.

    Raises
    ------
    ProfileError
        As `load_profile`.
    """
    path = Path(tiles)
    if path.name.endswith(ENDING):
        return load_profile(path.name.removesuffix(ENDING), path.parent)
    return load_profile(tiles, folder)


def forget_profile(name: str, folder: Path) -> None:
    """Delete a profile.

    Raises
    ------
    ProfileError
        If there is none of that name, or it cannot be deleted.
    """
    _check_unknown(name, folder)
    try:
        (folder / f"{name}{ENDING}").unlink()
    except FileNotFoundError as error:
        raise ProfileError(f"no set called {name!r} has been taught") from error
    except OSError as error:
        raise ProfileError(f"cannot delete {name!r}: {error.strerror or error}") from error


def profile_names(folder: Path) -> list[str]:
    """Return the names of the sets that were taught, sorted."""
    names = (path.name.removesuffix(ENDING) for path in folder.glob(f"*{ENDING}"))
    return sorted(name for name in names if not name.startswith("."))


def known_as(name: str, names: Iterable[str]) -> str | None:
    """Return which of some sets has that name, in capitals or not; None if there is none.

    >>> known_as("Mine", ["mine", "theirs"]), known_as("ours", ["mine"])
    ('mine', None)
    """
    return next((known for known in names if known.casefold() == name.casefold()), None)
