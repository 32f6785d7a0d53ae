"""The bundled sample pictures: `python -m vision.rendering.samples --out datasets/samples`."""

from __future__ import annotations

import json
from dataclasses import dataclass
from math import radians
from pathlib import Path
from typing import TYPE_CHECKING

import click
import cv2
import numpy as np

from vision.rendering.boxes import TileBox
from vision.rendering.camera import aim
from vision.rendering.clutter import no_clutter
from vision.rendering.editions import edition_named
from vision.rendering.layouts import Pose, flat
from vision.rendering.scene import Style, render

if TYPE_CHECKING:
    from vision.types import Pixels


@dataclass(frozen=True, slots=True)
class Laid:
    """A set, or a grid of rows joined by ` / `, with its first tile at (x, y) tile widths."""

    text: str
    x: float
    y: float
    angle_deg: float = 0.0


@dataclass(frozen=True, slots=True)
class Sample:
    """One picture: which tiles, how the camera stands, a seed for light and table, its size."""

    edition: str
    laid: tuple[Laid, ...]
    elevation_deg: float
    tile_px: float
    seed: int
    size_px: tuple[int, int] = (1280, 960)


SAMPLES = {
    "legal-table": Sample(
        "a",
        (
            Laid("R3 R4 R5 R6", -5.5, -3.6, 2),
            Laid("B7 K7 O7", 1.2, -4.0, -4),
            Laid("O10 J O12 O13", -6.0, 0.2, -3),
            Laid("K1 R1 B1 O1", 0.6, 0.0, 3),
            Laid("B4 B5 B6 B7 B8", -4.4, 3.6, 1),
            Laid("R9 B9 K9", 5.2, 4.4, 178),
        ),
        78, 84, 5,
    ),
    "invalid-table": Sample(
        "b",
        (
            Laid("R3 R4 R6", -5.0, -2.6, 3),
            Laid("B7 K7 O7", 1.0, -2.8, -6),
            Laid("K10 O10 K10", -4.0, 1.6, -2),
            Laid("O1 O2 O3 O4", 1.2, 1.8, 4),
        ),
        66, 92, 11,
    ),
    "crossing-table": Sample(
        "a",
        (Laid(". K8 . . . / R7 R8 R9 R10 R11 / . B8 . . B12 / . . . . O13", -2.0, -2.6, 2),),
        84, 88, 3,
    ),
    "whole-table": Sample(
        "d",
        (
            Laid("R1 R2 R3 R4 R5 R6 R7", -10.0, -6.0, 4),
            Laid("K8 B8 O8", 1.0, -6.6, -3),
            Laid("O2 O3 O4 O5", 5.4, -6.0, 8),
            Laid("B10 B11 B12 B13", -10.4, -1.8, -6),
            Laid("R12 K12 O12 J", -3.6, -1.4, 0),
            Laid("K3 K4 K5 K6 K7", 3.4, -1.6, -2),
            Laid("B1 B2 B3", -9.4, 3.0, 12),
            Laid("O6 O7 O8 O9 O10", -4.0, 2.8, -3),
            Laid("R5 B5 K5 O5", 3.4, 3.0, 5),
            Laid("K11 R11 B11", -2.4, 6.6, -1),
            Laid("R8 R9 R10", 3.6, 6.4, 3),
        ),
        72, 54, 21,
    ),
    "webcam-table": Sample(
        "c",
        (
            Laid("R1 R2 R3 R4", -13.0, -7.4, 2),
            Laid("K7 B7 O7", -3.4, -7.2, -3),
            Laid("O11 O12 O13", 6.0, -7.5, 1),
            Laid("B2 B3 B4", -12.6, -4.6, -2),
            Laid("K10 R10 O10 B10", -4.0, -4.4, 1),
            Laid("R7 R8 R9", 6.4, -4.8, 4),
            Laid("O1 O2 O3 O4", -13.2, -1.8, 1),
            Laid("K1 B1 R1", -3.2, -1.5, -4),
            Laid("K11 K12 K13", 5.8, -1.8, 2),
            Laid("B5 B6 B7", -12.4, 1.2, 3),
            Laid("R11 R12 R13", -3.6, 1.4, -1),
            Laid("K2 K3 K4 K5", 5.6, 1.0, 2),
            Laid("O5 O6 J O8", -13.0, 4.0, -2),
            Laid("R6 B6 K6", -3.4, 4.2, 3),
            Laid("B11 B12 B13", 6.2, 3.9, -2),
            Laid("K8 R8 B8", -12.2, 6.8, 1),
            Laid("O9 K9 B9 R9", -4.2, 7.0, -1),
            Laid("R5 O5 K5", 5.8, 6.8, 2),
        ),
        78, 57, 15, (1920, 1080),
    ),
}  # fmt: skip


def poses_of(laid: Laid, tall: float, group: int, rng: np.random.Generator) -> list[Pose]:
    """Lay one set or grid as careful hands would."""
    angle = radians(laid.angle_deg)
    across = np.array([np.cos(angle), np.sin(angle)])
    down = np.array([-np.sin(angle), np.cos(angle)])
    poses = []
    for row, cells in enumerate(laid.text.split(" / ")):
        for column, name in enumerate(cells.split()):
            if name == ".":
                continue
            place = np.array([laid.x, laid.y]) + across * column * 1.015 + down * row * tall * 1.01
            x, y = place + rng.normal(0, 0.012, 2)
            poses.append(flat(name, x, y, angle + rng.normal(0, 0.008), group))
    return poses


def render_sample(sample: Sample) -> Pixels:
    """Render one sample; the same seed, the same picture."""
    rng = np.random.default_rng(sample.seed)
    edition = edition_named(sample.edition)
    tall = 1 / edition.body.aspect
    poses = [p for i, laid in enumerate(sample.laid) for p in poses_of(laid, tall, i, rng)]
    width, height = sample.size_px
    camera = aim(sample.tile_px, sample.elevation_deg, 0.0, 45.0, width)
    scene = render(
        rng, TileBox(edition, rng), camera, poses, width, style=Style(clutter=no_clutter)
    )
    top = (width - height) // 2
    return scene.pixels_bgr[top : top + height]


@click.command()
@click.argument("names", nargs=-1, type=click.Choice(list(SAMPLES)))
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Folder to write to.")
def main(names: tuple[str, ...], out: Path) -> None:
    """Render the sample pictures called NAMES, or all, and write down what lies on each."""
    out.mkdir(parents=True, exist_ok=True)
    for name in names or SAMPLES:
        quality = [cv2.IMWRITE_JPEG_QUALITY, 88]
        cv2.imwrite(str(out / f"{name}.jpg"), render_sample(SAMPLES[name]), quality)
    truth = {f"{name}.jpg": [laid.text for laid in s.laid] for name, s in SAMPLES.items()}
    (out / "tables.json").write_text(json.dumps(truth, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
