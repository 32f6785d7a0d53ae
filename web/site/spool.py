"""Where requests and answers wait that are too large for memory.

Not in the system's folder for temporary files, which in many systems is memory, too.
"""

from __future__ import annotations

from io import BytesIO
from tempfile import SpooledTemporaryFile, TemporaryFile
from typing import IO, BinaryIO, Final, cast

from flask import Request

from web.site.areas import services

_IN_MEMORY: Final = 500_000
_ANSWER_IN_MEMORY: Final = 16_000_000


class SpoolingRequest(Request):
    """A request whose large files go to the folder of the services; nothing is left there."""

    def _get_file_stream(
        self,
        total_content_length: int | None,
        content_type: str | None,
        filename: str | None = None,
        content_length: int | None = None,
    ) -> IO[bytes]:
        del content_type, filename, content_length
        if total_content_length is not None and total_content_length <= _IN_MEMORY:
            return BytesIO()
        # Whoever reads the request closes it.
        return TemporaryFile(dir=services().spool)


def open_answer() -> BinaryIO:
    """Return a file for an answer that may be large; the caller closes it."""
    folder = None if services().spool is None else str(services().spool)
    file = SpooledTemporaryFile(max_size=_ANSWER_IN_MEMORY, dir=folder)  # noqa: SIM115
    return cast("BinaryIO", file)
