"""The tables of the evaluation suites: laid, drawn and labelled as their recipes say."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from referee import parse_table
from vision.evaluation.drawn import drawn_path, taken_from
from vision.evaluation.suites import Suite, suite_named
from vision.labels import NUMBER_SEEN, LabelledPhoto, LabelledTile, is_cut
from vision.rendering.boxes import TileBox
from vision.rendering.camera import aim
from vision.rendering.editions import all_editions, edition_named, edition_names
from vision.rendering.layouts import FACES
from vision.rendering.rows import set_laid_out
from vision.rendering.scene import render
from vision.rendering.variety import Stock, vary
from vision.types import stack

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from referee import Table
    from vision.rendering.editions import Edition
    from vision.rendering.labels import Label
    from vision.rendering.layouts import Pose
    from vision.rendering.scene import Draw
    from vision.types import Floats, Pixels

_SEED: Final = 77_000
_WHOLE: Final = 0.8  # in small tiles a few pixels at the rim are a tenth of the face


@dataclass(frozen=True, slots=True)
class Given:
    """One table of a suite.

    Attributes
    ----------
    number, edition
        Which one, and whose tiles.
    pixels
        The picture.
    photo
        The labels of its tiles; tiles with a partly hidden number count as cut.
    table
        What lies there.
    whole
        The parts of `table` of which every tile is wholly to be seen.
    held_img
        (n, 4, 2) px: tiles of a rack beside it.
    """

    number: int
    edition: str
    pixels: Pixels
    photo: LabelledPhoto
    table: Table
    whole: frozenset[int]
    held_img: Floats


def tables(suite: Suite, name: str, count: int, drawn_dir: Path | None = None) -> Iterator[Given]:
    """Render the tables of a suite; the same name, the same tables.

    With `drawn_dir` their pictures are those that another program has drawn into that folder.

    Raises
    ------
    DrawnError
        If a picture is not there.
    """
    for number in range(count):
        kept = drawn_dir and taken_from(drawn_path(drawn_dir, name, number))
        yield table(suite, name, number, kept or render)


def table(suite: Suite, name: str, number: int, draw: Draw = render) -> Given:
    """Lay one table of a suite, and draw it."""
    editions = edition_names()
    edition = suite.edition or editions[number % len(editions)]
    rng = np.random.default_rng((_SEED, number, *name.encode()))
    box = _box(suite, edition, number, name)
    tiles = int(rng.integers(suite.tiles[0], suite.tiles[1] + 1))
    poses, texts = suite.layout(rng, tiles, box.tall)
    width_px = float(np.exp(rng.uniform(*np.log(suite.tile_px))))
    elevation = rng.uniform(*suite.elevation_deg)
    camera = aim(
        width_px, elevation, rng.normal(0, 3), rng.uniform(*suite.field_deg), suite.size_px
    )
    scene = draw(rng, box, camera, poses, suite.size_px, style=suite.style)
    laid = parse_table(" | ".join(texts))
    return Given(
        number,
        edition,
        scene.pixels_bgr,
        LabelledPhoto(Path(f"{number}"), edition, _labels(scene.labels, suite)),
        laid,
        _whole(poses, scene.labels, suite.size_px) & frozenset(range(len(laid.parts))),
        stack(label.quad_img for label in scene.labels if label.group >= len(laid.parts)),
    )


def lesson(given: Given, name: str) -> Pixels:
    """Render a photo of the laid-out set that a table was laid with, to teach from."""
    rng = np.random.default_rng((_SEED, given.number, 1, *name.encode()))
    box = _box(suite_named(name), given.edition, given.number, name)
    poses = set_laid_out(rng, box.tall)
    suite = Suite("a set laid out", size_px=1120)
    camera = aim(
        rng.uniform(44, 54), rng.uniform(60, 88), rng.normal(0, 3), rng.uniform(30, 50), 1120
    )
    return render(rng, box, camera, poses, suite.size_px, style=suite.style).pixels_bgr


def _box(suite: Suite, edition: str, number: int, name: str) -> TileBox:
    """Make one physical set; all faces are drawn, so that they are the same in all pictures."""
    rng = np.random.default_rng((_SEED, number, 2, *name.encode()))
    box = TileBox(_edition(suite, edition, number, rng), rng)
    if suite.mixed:
        editions = edition_names()
        other = editions[int(rng.integers(len(editions)))]
        box.mix(TileBox(_edition(suite, other, number, rng), rng))
    for one, face in product(box.sets, FACES):
        one.face(face)
    return box


def _edition(suite: Suite, name: str, number: int, rng: np.random.Generator) -> Edition:
    edition = edition_named(name)
    if suite.varied:
        edition = vary(edition, all_editions(), rng, Stock())
    return suite.change(edition, number, rng) if suite.change else edition


def _labels(labels: Iterable[Label], suite: Suite) -> tuple[LabelledTile, ...]:
    """Return tiles as a person labels them; one whose number is partly hidden counts as cut.

    Of a rack's tiles that are partly hidden any part may be found.
    """
    found = []
    for label in labels:
        number, colour = (
            (None, None) if label.name == "J" else (int(label.name[1:]), label.name[0])
        )
        cut = not _is_seen(label, suite.size_px)
        loose = suite.as_rack and label.visible < _WHOLE
        found.append(LabelledTile(number, colour, label.quad_img, loose=loose, cut=cut))
    return tuple(found)


def _is_seen(label: Label, size_px: int) -> bool:
    return label.number_visible >= NUMBER_SEEN and not is_cut(label.quad_img, (size_px, size_px))


def _whole(poses: Sequence[Pose], labels: Iterable[Label], size_px: int) -> frozenset[int]:
    clear = Counter(
        label.group for label in labels if label.visible >= _WHOLE and _is_seen(label, size_px)
    )
    laid = Counter(pose.group for pose in poses)
    return frozenset(part for part, tiles in laid.items() if clear[part] == tiles)
