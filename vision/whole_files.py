"""Write files whole or not at all."""

from __future__ import annotations

import os
import secrets
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

OWNER_ONLY: Final = 0o600
_USUAL: Final = 0o666


def write_whole(path: Path, data: bytes, mode: int = _USUAL) -> None:
    """Write a file; if that fails, what was there before is still there.

    Parameters
    ----------
    mode
        Who may use it; the system may forbid more.
    """
    with draft_of(path, data, mode) as draft:
        draft.replace(path)


@contextmanager
def draft_of(path: Path, data: bytes, mode: int = _USUAL) -> Iterator[Path]:
    """Write a file beside the place where it is wanted, to be put there before the block ends."""
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    draft.touch(mode, exist_ok=False)
    try:
        with draft.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        yield draft
    finally:
        draft.unlink(missing_ok=True)
