"""Read ZIP files that may be anything."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Final
from zipfile import BadZipFile

if TYPE_CHECKING:
    from zipfile import ZipFile

# What reading a file raises that is no ZIP, or a damaged one, found by feeding it such files.
NO_ZIP: Final = (BadZipFile, EOFError, OSError, RuntimeError, ValueError, zlib.error)


class MemberTooLargeError(Exception):
    """A member is larger than it may be.

    Attributes
    ----------
    name, most_bytes
        Which one, and how large it may be.
    """

    def __init__(self, name: str, most_bytes: int) -> None:
        super().__init__(f"{name} is larger than {most_bytes} bytes")
        self.name = name
        self.most_bytes = most_bytes


def read_member(archive: ZipFile, name: str, most_bytes: int) -> bytes:
    """Read a member without trusting the size that it gives.

    Raises
    ------
    KeyError
        If there is none of that name.
    MemberTooLargeError
        If it is larger than it may be.
    """
    with archive.open(name) as member:
        data = member.read(most_bytes + 1)
    if len(data) > most_bytes:
        raise MemberTooLargeError(name, most_bytes)
    return data
