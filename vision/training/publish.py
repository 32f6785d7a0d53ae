"""Landing trained networks: files and manifest in `models/`."""

from __future__ import annotations

import hashlib
import json
import shutil
from typing import TYPE_CHECKING, Any

from vision.faces import COLOURS
from vision.reading.colours import CLUES
from vision.reading.typeface import SHAPES
from vision.reading.verify import EVIDENCE
from vision.training import corners, reader

if TYPE_CHECKING:
    from pathlib import Path

MOST_DOUBTING = 0.99  # what a reader is asked to be until it is calibrated
LICENCE = "AGPL-3.0-or-later"
CREDIT = (
    "Photographs: Roboflow Universe 'rummikub-nvypk' by jonasbuehler, fork by rummikue, CC BY 4.0 "
    "(train split, 14 label errors corrected). Rendered pictures: this project."
)
CROPS_CREDIT = " Pictures of single tiles: christophrus/rummikub-counter, MIT."
_INPUTS: dict[str, dict[str, Any]] = {
    "detector": {
        "input": {"size": None, "multiple_of": 32, "channels": "RGB", "range": [0, 1]},
        "output": (
            "boxes (1, n, 6): x, y, width, height (pixels), angle of the width (radians), score"
        ),
        "classes": ["face-up tile"],
    },
    "corners": {
        "input": {"size": list(corners.CROP), "channels": "RGB", "range": [0, 1]},
        "output": "corners (n, 8): x, y of four corners in the box's own coordinates",
        "classes": [],
        "margin": corners.MARGIN,
    },
    "reader": {
        "input": {"size": list(reader.CROP), "channels": "balanced RGB", "range": [0, 1.5]},
        "output": "number (n, 15) and colour (n, 4) logits; what their last layers see",
        "classes": [*map(str, range(1, 14)), "joker", "not upright"],
        "colours": list(COLOURS),
        "margin": reader.MARGIN,
        "number_temperature": 1.0,
        "colour_temperature": 1.0,
        "sure": MOST_DOUBTING,
    },
    "palette": {
        "input": {"size": [CLUES], "tiles": "all of a picture"},
        "output": "added (n, 4): to the reader's colour logits",
        "classes": list(COLOURS),
    },
    "verifier": {
        "input": {"size": [EVIDENCE], "boxes": "all of a picture"},
        "output": "logits (n, 1): how likely each box holds a tile",
        "classes": ["tile"],
    },
    "typeface": {
        "input": {"size": [SHAPES], "tiles": "all of a picture"},
        "output": "added (n, 13): to the log probabilities of the numbers",
        "classes": [*map(str, range(1, 14))],
    },
}


def publish(networks: dict[str, Path], models: Path) -> None:
    """Copy ONNX files into the models folder and write their entries in its manifest.

    Networks that are not given keep their entry; a reader's calibration starts afresh.
    """
    manifest = models / "manifest.json"
    entries: dict[str, dict[str, Any]] = {}
    if manifest.exists():
        old = json.loads(manifest.read_text(encoding="utf-8"))
        entries = {entry["name"]: entry for entry in old["networks"]}
    for name, source in networks.items():
        file = f"{name}.onnx"
        shutil.copyfile(source, models / file)
        entries[name] = {
            "name": name,
            "file": file,
            "sha256": hashlib.sha256(source.read_bytes()).hexdigest(),
            **_INPUTS[name],
            "licence": LICENCE,
            "credit": CREDIT + (CROPS_CREDIT if name in {"reader", "palette"} else ""),
        }
    write_manifest(manifest, list(entries.values()))


def write_manifest(manifest: Path, networks: list[dict[str, Any]]) -> None:
    """Write the manifest, in a form that diffs well."""
    text = json.dumps({"version": 1, "networks": networks}, indent=2)
    manifest.write_text(text + "\n", encoding="utf-8")
