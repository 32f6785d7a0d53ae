"""Where the networks, the editions, the sample pictures and the recorded games are found.

An installed wheel carries them in `vision/_data`; in a checkout they lie in `models/` and
`datasets/`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final, Literal, TypeAlias

Resource: TypeAlias = Literal["models", "editions", "samples", "games"]

_IN_CHECKOUT: Final[dict[Resource, str]] = {
    "models": "models",
    "editions": "datasets/editions",
    "samples": "datasets/samples",
    "games": "datasets/games",
}
PICTURE_SUFFIXES: Final = frozenset({".jpg", ".jpeg", ".png", ".webp", ".heic"})


class ResourceError(Exception):
    """Data that belongs to the program is missing: the installation is incomplete."""


def resource_dir(name: Resource) -> Path:
    """Return the folder of the data called `name`.

    Raises
    ------
    ResourceError
        If neither the installed package nor a checkout holds it.
    """
    package = Path(__file__).resolve().parent
    candidates = (package / "_data" / name, package.parent / _IN_CHECKOUT[name])
    for candidate in candidates:
        if candidate.is_dir():
            return candidate
    raise ResourceError(
        f"the {name} folder is missing, looked in {' and '.join(map(str, candidates))}; "
        "install Meldwatch again"
    )


def sample_pictures() -> tuple[Path, ...]:
    """Return the bundled sample pictures, by name.

    Raises
    ------
    ResourceError
        If their folder is missing.
    """
    folder = resource_dir("samples")
    return tuple(
        path for path in sorted(folder.iterdir()) if path.suffix.lower() in PICTURE_SUFFIXES
    )
