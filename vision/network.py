"""A trained network as the run-time uses it: arrays in, arrays out, and the time it took."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from vision.resources import ResourceError, resource_dir

if TYPE_CHECKING:
    from pathlib import Path

    from vision.types import Floats

_ADVICE: Final = "install Meldwatch again, or name another folder of networks"


@dataclass(slots=True)
class Network:
    """One ONNX network with a single input and named outputs.

    Attributes
    ----------
    spent_ms
        Milliseconds inside the network since `reset_clock`.
    """

    session: Any
    settings: dict[str, Any]
    spent_ms: float = 0.0

    def run(self, batch: Floats) -> list[Floats]:
        """Run n crops or tiles, float32, through the network; return its outputs in order."""
        started = perf_counter()
        name = self.session.get_inputs()[0].name
        outputs = self.session.run(None, {name: np.ascontiguousarray(batch)})
        self.spent_ms += (perf_counter() - started) * 1000
        return [np.asarray(output, np.float32) for output in outputs]

    def reset_clock(self) -> None:
        """Set `spent_ms` to nought."""
        self.spent_ms = 0.0


def load_network(name: str, models_dir: Path | None = None, threads: int = 0) -> Network:
    """Load a network by its name in the manifest; `threads` 0 leaves the number to the run-time.

    Raises
    ------
    ResourceError
        If the manifest or the file is missing, or the file is not the one in the manifest.
    """
    folder = models_dir or resource_dir("models")
    entry = _entry(folder, name)
    return open_network(_verified(folder, name, entry), entry, threads)


def open_network(onnx: bytes, settings: dict[str, Any], threads: int = 0) -> Network:
    """Open a network that is no part of the manifest, as `load_network` does one that is."""
    # Its builds tell their maker what they run, unless told not to before they are loaded; some
    # for Windows heed the second word only.
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime  # noqa: PLC0415 - half a second, and most commands need no network

    onnxruntime.disable_telemetry_events()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    # Every network has threads of its own: while they spin for more work, those of the next one
    # wait, and where two processors share a core all take twice as long.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(onnx, options, providers=["CPUExecutionProvider"])
    return Network(session, settings)


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


def _entry(folder: Path, name: str) -> dict[str, Any]:
    manifest = folder / "manifest.json"
    try:
        networks = json.loads(manifest.read_text(encoding="utf-8"))["networks"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ResourceError(f"{manifest} cannot be read ({_reason(error)}); {_ADVICE}") from error
    for entry in networks:
        if entry["name"] == name:
            return dict(entry)
    raise ResourceError(f"{manifest} names no network called {name}; {_ADVICE}")


def _verified(folder: Path, name: str, entry: dict[str, Any]) -> bytes:
    path = folder / entry["file"]
    try:
        data: bytes = path.read_bytes()
    except OSError as error:
        raise ResourceError(
            f"the network {name} is missing: {path}: {_reason(error)}; {_ADVICE}"
        ) from error
    if hashlib.sha256(data).hexdigest() != entry["sha256"]:
        raise ResourceError(f"{path} is damaged: its sha256 is not the manifest's; {_ADVICE}")
    return data
