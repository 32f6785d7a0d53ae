"""Pictures of suites' tables that another program has drawn, each beside its labels."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from vision.rendering.labels import Label
from vision.rendering.scene import Scene
from vision.rendering.scene_folders import label_record
from vision.whole_files import write_whole

if TYPE_CHECKING:
    from pathlib import Path

    from vision.rendering.scene import Draw


class DrawnError(Exception):
    """A picture of a table that is not there, or cannot be used; the message says why."""


def drawn_path(folder: Path, suite: str, number: int) -> Path:
    """Return where the picture of a suite's table lies."""
    return folder / f"{suite}-{number:03d}.png"


def save_drawn(scene: Scene, path: Path) -> None:
    """Write a picture, and its labels beside it, which are there only if the picture is.

    Raises
    ------
    OSError
        If they cannot be written.
    """
    _, png = cv2.imencode(".png", scene.pixels_bgr)
    write_whole(path, png.tobytes())
    records = [label_record(label) | {"group": label.group} for label in scene.labels]
    write_whole(path.with_suffix(".json"), json.dumps(records).encode())


def kept(draw: Draw, path: Path) -> Draw:
    """Return the same renderer, which keeps what it draws at `path`."""

    def draw_and_keep(*args: Any, **options: Any) -> Scene:  # noqa: ANN401 - handed on
        scene = draw(*args, **options)
        save_drawn(scene, path)
        return scene

    return draw_and_keep


def taken_from(path: Path) -> Draw:
    """Return a renderer that draws nothing, but takes what is kept at `path`."""
    return lambda *_, **__: load_drawn(path)


def load_drawn(path: Path) -> Scene:
    """Read a picture and its labels.

    Raises
    ------
    DrawnError
        If there is none, or it cannot be read.
    """
    try:
        records = json.loads(path.with_suffix(".json").read_bytes())
        labels = tuple(_label(record) for record in records)
    except FileNotFoundError as error:
        raise DrawnError(f"{path} is not drawn yet: `make trace` draws it") from error
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DrawnError(f"{path.with_suffix('.json')} cannot be read: draw it anew") from error
    pixels = cv2.imread(str(path))
    if pixels is None:
        raise DrawnError(f"{path} cannot be read: draw it anew")
    return Scene(np.asarray(pixels, np.uint8), labels)


def _label(record: dict[str, object]) -> Label:
    return Label(
        str(record["tile"]),
        np.asarray(record["quad"], np.float32).reshape(4, 2),
        float(str(record["visible"])),
        float(str(record["number_visible"])),
        int(str(record["group"])),
    )
