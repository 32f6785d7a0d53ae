"""Which set was chosen on the page, kept beside the sets over restarts."""

from __future__ import annotations

import json
import logging
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Final

from vision.whole_files import write_whole

if TYPE_CHECKING:
    from pathlib import Path

_log = logging.getLogger(__name__)
_FILE: Final = "in-use.json"


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice, which holds as long as the setting is what it was.

    Attributes
    ----------
    name
        The set; empty for none.
    setting
        What `cameras.set` said when it was made: who changes the setting later means it.
    """

    name: str
    setting: str


def load_choice(folder: Path) -> Choice | None:
    """Return the choice; None where none was made or its file is damaged."""
    path = folder / _FILE
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        return Choice(str(kept["name"]), str(kept["setting"]))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError) as error:
        _log.warning("%s is left aside: %s", path, error)
        return None


def save_choice(choice: Choice, folder: Path) -> None:
    """Write the choice, whole or not at all.

    Raises
    ------
    OSError
        If it cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / _FILE, json.dumps(asdict(choice)).encode())
