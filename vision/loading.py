"""Load the networks into a ready `TableReader`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vision.detect import Detector
from vision.pipeline import TableReader
from vision.reading.reader import Reader

if TYPE_CHECKING:
    from pathlib import Path


def load_table_reader(models_dir: Path | None = None) -> TableReader:
    """Load the networks of a folder, or those that come with the program."""
    return TableReader(Detector.load(models_dir), Reader.load(models_dir))
