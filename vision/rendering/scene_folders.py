"""Folders of rendered scenes, with a line of labels for each, to train and measure with."""

from __future__ import annotations

import json
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click
import cv2
import numpy as np

from vision.negative import negative
from vision.rendering.arrays import keep_memory
from vision.rendering.boxes import fill_boxes
from vision.rendering.editions import all_editions
from vision.rendering.scene import render, render_scene
from vision.rendering.variety import LEARNT, SPARE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from vision.rendering.boxes import TileBox
    from vision.rendering.labels import Label
    from vision.rendering.scene import Draw

    Fill = Callable[[np.random.Generator], Sequence[TileBox]]

BATCH = 50
BOXES_A_BATCH = 12
MOSTLY = 0.8
TILE_PX = (12.0, 220.0)


def made_boxes(
    rng: np.random.Generator,
    without: tuple[str, ...] = (),
    *,
    spare: bool = False,
    mostly: Sequence[str] = (),
    dark: bool = False,
    mixed: bool = False,
) -> list[TileBox]:
    """Make the sets of a batch, varied from all editions but some.

    `spare` ones have numbers and jokers that no reader learns; most made-up ones have what
    `mostly` names, `dark` ones are of black plastic, `mixed` ones lie among those of another.
    """
    stock = SPARE if spare else LEARNT
    shares: dict[str, Any] = dict.fromkeys(mostly, MOSTLY)
    stock = replace(stock, **shares)
    editions = all_editions(without)
    boxes = fill_boxes(rng, editions, BOXES_A_BATCH, stock)
    for box in boxes if dark else ():
        box.edition = box.edition.with_dark_tiles()
    if mixed:
        for box, other in zip(boxes[::2], boxes[1::2], strict=True):
            box.mix(other)
        return boxes[::2]
    return boxes


@dataclass(frozen=True, slots=True)
class Wanted:
    """What scenes are wanted.

    Attributes
    ----------
    size_px, tile_px
        Side of a picture; least and most tile width.
    only
        The one kind of layout; None for any.
    elevation_deg
        Least and most height of the camera above the table's plane; None for any.
    fill
        Makes the sets of a batch; it is called in other processes.
    prints
        Whether cards, papers, keys and dice lie about.
    sunlit
        Whether the sun throws hard shadows on every table, not on a few.
    negated
        Whether pictures are written as `vision.negative` turns them, which is how networks see
        dark tiles.
    draw
        The renderer; it is called in other processes.
    """

    size_px: int = 576
    tile_px: tuple[float, float] = TILE_PX
    only: str | None = None
    elevation_deg: tuple[float, float] | None = None
    fill: Fill = made_boxes
    prints: bool = False
    sunlit: bool = False
    negated: bool = False
    draw: Draw = render


ANY = Wanted()


def render_scenes(
    out: Path, count: int, seed: int, wanted: Wanted = ANY, *, workers: int = 2
) -> None:
    """Render `count` pictures, rounded up to whole batches, unless they are there already."""
    lines = -(-count // BATCH) * BATCH
    labels = out / "labels.jsonl"
    if labels.exists() and len(labels.read_text(encoding="utf-8").splitlines()) == lines:
        return
    out.mkdir(parents=True, exist_ok=True)
    batches = range(lines // BATCH)
    with (
        ProcessPoolExecutor(workers) as pool,
        labels.open("w", encoding="utf-8") as file,
        click.progressbar(length=len(batches), label="Rendering") as bar,
    ):
        jobs = [pool.submit(render_batch, out, seed, batch, wanted) for batch in batches]
        for job in jobs:
            file.writelines(line + "\n" for line in job.result())
            file.flush()
            bar.update(1)


def render_batch(out: Path, seed: int, batch: int, wanted: Wanted) -> list[str]:
    """Render and write one batch; return its label lines. The same seed, the same pictures."""
    cv2.setNumThreads(1)
    keep_memory()
    rng = np.random.default_rng((seed, batch))
    boxes, size_px = wanted.fill(rng), wanted.size_px
    lines = []
    for index in range(batch * BATCH, (batch + 1) * BATCH):
        scene = render_scene(
            rng,
            boxes,
            size_px,
            wanted.tile_px,
            wanted.only,
            wanted.elevation_deg,
            prints=wanted.prints,
            sunlit=wanted.sunlit,
            draw=wanted.draw,
        )
        name = f"{index:06d}.jpg"
        pixels = negative(scene.pixels_bgr) if wanted.negated else scene.pixels_bgr
        cv2.imwrite(str(out / name), pixels, [cv2.IMWRITE_JPEG_QUALITY, 95])
        tiles = [label_record(label) for label in scene.labels]
        lines.append(
            json.dumps({"photo": name, "width": size_px, "height": size_px, "tiles": tiles})
        )
    return lines


def label_record(label: Label) -> dict[str, object]:
    """Return a label as plain JSON: tile, quad in pixels, visible shares."""
    return {
        "tile": label.name,
        "quad": [[round(float(v), 1) for v in corner] for corner in label.quad_img],
        "visible": round(label.visible, 3),
        "number_visible": round(label.number_visible, 3),
    }
