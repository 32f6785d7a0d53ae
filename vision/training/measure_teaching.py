"""How much teaching helps on a set that the networks have not seen.

`python -m vision.training teaching --crops DIR --labels FILE --models DIR`: the set is taught from
a few pictures of single tiles a face, and read in photographs without and with what was taught.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np

from referee.tiles import Tile
from vision.detect import Detector
from vision.evaluation.photos import by_group, evaluate
from vision.labels import load_labels
from vision.pipeline import TableReader
from vision.reading.reader import Reader
from vision.teaching.correction import keep
from vision.teaching.profile import profile_of
from vision.training.tile_crops import ANY_COLOUR, load_tile_crops

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from vision.evaluation.photos import Counts
    from vision.labels import LabelledPhoto
    from vision.training.data import Labelled


def measure_teaching(
    crops: Path, labels: Path, models: Path, *, each: int, lessons: int
) -> Iterator[tuple[str, Counts]]:
    """Yield what the photographs are read as without teaching, and after each lesson.

    Parameters
    ----------
    crops
        Folders of single tiles by number, as for training.
    labels
        Photographs of the same set; each tile counts by itself, as on a rack.
    each
        How many pictures a face is taught from.
    lessons
        How many times, from other pictures each time.
    """
    photos = load_labels(labels)
    detector, reader = Detector.load(models), Reader.load(models)
    yield "untaught", _counted(photos, TableReader(detector, reader))
    tiles = [tile for tile in load_tile_crops(crops, models) if tile.names[0][0] != ANY_COLOUR]
    for lesson in range(lessons):
        chosen = _choose(np.random.default_rng(lesson), tiles, each)
        pictures = np.concatenate([keep(tile.pixels_bgr, tile.quads_img) for tile in chosen])
        faces = [Tile.parse(tile.names[0]) for tile in chosen]
        taught = profile_of("measured", pictures, faces, reader).taught(reader)
        yield f"lesson {lesson + 1}", _counted(photos, TableReader(detector, taught))


def _counted(photos: Sequence[LabelledPhoto], reader: TableReader) -> Counts:
    return by_group(evaluate(photos, reader, as_rack=True))["all"]


def _choose(rng: np.random.Generator, tiles: Sequence[Labelled], each: int) -> list[Labelled]:
    """Choose so many pictures of every face."""
    faces = defaultdict(list)
    for tile in tiles:
        faces[tile.names[0]].append(tile)
    return [
        found[i] for _, found in sorted(faces.items()) for i in rng.permutation(len(found))[:each]
    ]
