"""The folder where matches, secrets and certificates are kept."""

from __future__ import annotations

import logging
import os
import secrets
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from filelock import FileLock, Timeout

from vision.whole_files import OWNER_ONLY, draft_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from filelock import BaseFileLock

_log = logging.getLogger(__name__)

_SECRET_BYTES: Final = 32


class DataFolderError(Exception):
    """The folder cannot be used; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class DataFolder:
    """A folder that only its owner can look into."""

    path: Path

    @classmethod
    def open(cls, path: Path) -> DataFolder:
        """Make the folder, if need be, for its owner only.

        Raises
        ------
        DataFolderError
            If it cannot be made.
        """
        try:
            path.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise DataFolderError(
                f"cannot make the folder {path}: {error.strerror or error}; "
                "choose another with --data"
            ) from error
        return cls(path)

    @property
    def settings(self) -> Path | None:
        """The settings file in it; None where there is none."""
        path = self.path / "settings.toml"
        return path if path.is_file() else None

    @property
    def serving(self) -> bool:
        """Whether a table is served from here right now; where no lock can tell, it may be."""
        try:
            with self._lock():
                return False
        except (Timeout, OSError, NotImplementedError):
            return True

    @property
    def store(self) -> Path:
        """The file of the matches in it."""
        return self.path / "matches.sqlite"

    @property
    def sets(self) -> Path:
        """Where the sets of tiles are that were taught."""
        return self.path / "sets"

    @contextmanager
    def claimed(self) -> Iterator[None]:
        """Let no other program serve a table from here until the end of the block.

        Two would each show what the other does not know of. A program that dies gives it up.

        Raises
        ------
        DataFolderError
            If another one does already.
        """
        lock = self._lock()
        try:
            lock.acquire()
        except Timeout:
            raise DataFolderError(
                f"a table is served from {self.path} already: `meldwatch link organiser` with the "
                "same --data prints a link to it; for a second table choose another folder with "
                "--data"
            ) from None
        except (OSError, NotImplementedError) as error:
            # A file system without locks, as some of a network's: a table can be served from it.
            _log.warning("%s cannot be locked: %s", self.path, error)
        try:
            yield
        finally:
            lock.release()

    def _lock(self) -> BaseFileLock:
        return FileLock(self.path / "serving.lock", blocking=False)

    def secret(self) -> bytes:
        """Return what links and cookies are signed with, made at the first start.

        Who deletes the file ends all links and sessions.

        Raises
        ------
        DataFolderError
            If it cannot be written or read, or is damaged.
        """
        path = self.path / "secret.key"
        try:
            _make_secret(path)
            if os.name == "posix" and path.stat().st_mode & 0o077:
                path.chmod(OWNER_ONLY)
            found = path.read_bytes()
        except OSError as error:
            raise DataFolderError(
                f"cannot keep a secret in {path}: {error.strerror or error}; "
                "choose another folder with --data"
            ) from error
        if len(found) < _SECRET_BYTES:
            raise DataFolderError(f"{path} is damaged: delete it, and a new one is made")
        return found


def _make_secret(path: Path) -> None:
    """Write a new secret whole, or leave what is there."""
    if path.exists():
        return
    with draft_of(path, secrets.token_bytes(_SECRET_BYTES), OWNER_ONLY) as draft:
        try:
            # Of two programs that start at once, the first one's stays.
            os.link(draft, path)
        except FileExistsError:
            pass
        except OSError:  # a file system without hard links
            draft.replace(path)


def _home() -> Path:
    try:
        return Path.home()
    except RuntimeError:  # a user whom this machine does not know, as in a container
        return Path("/")


def usual_folder(platform: str = sys.platform, env: Mapping[str, str] = os.environ) -> Path:
    """Return where programs of this system keep their data.

    >>> usual_folder("linux", {"XDG_DATA_HOME": "/data"}).as_posix()
    '/data/meldwatch'
    """
    home = Path(env.get("HOME") or _home())
    if platform == "win32":
        return Path(env.get("LOCALAPPDATA") or home / "AppData/Local") / "Meldwatch"
    if platform == "darwin":
        return home / "Library/Application Support/Meldwatch"
    return Path(env.get("XDG_DATA_HOME") or home / ".local/share") / "meldwatch"
