"""Render labelled pictures: `python -m vision.rendering --out DIR --count 6000`."""

from __future__ import annotations

import json
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import cv2
import numpy as np

from vision.negative import negative
from vision.rendering.arrays import keep_memory
from vision.rendering.boxes import fill_boxes
from vision.rendering.editions import load_editions
from vision.rendering.makers import MAKERS
from vision.rendering.scene import render_scene
from vision.rendering.variety import LEARNT, SPARE
from vision.resources import resource_dir

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from vision.rendering.boxes import TileBox
    from vision.rendering.labels import Label

    Fill = Callable[[np.random.Generator], Sequence[TileBox]]

BATCH = 50
BOXES_A_BATCH = 12
MOSTLY = 0.8
RARE = ("lettering", "grounds", "wood")  # parts of a `Stock` that few sets have
TILE_PX = (12.0, 220.0)
tile_option = click.option(
    "--tile",
    "tile_px",
    nargs=2,
    type=float,
    default=TILE_PX,
    show_default=True,
    help="Least and most tile width, pixels.",
)


def made_boxes(
    rng: np.random.Generator,
    without: tuple[str, ...] = (),
    *,
    spare: bool = False,
    mostly: Sequence[str] = (),
    dark: bool = False,
) -> list[TileBox]:
    """Make the sets of a batch, varied from all editions but some.

    `spare` ones have numbers and jokers that no reader learns; most made-up ones have what
    `mostly` names, `dark` ones are of black plastic.
    """
    stock = SPARE if spare else LEARNT
    shares: dict[str, Any] = dict.fromkeys(mostly, MOSTLY)
    stock = replace(stock, **shares)
    editions = load_editions(resource_dir("editions"), without)
    boxes = fill_boxes(rng, editions, BOXES_A_BATCH, stock)
    for box in boxes if dark else ():
        box.edition = box.edition.with_dark_tiles()
    return boxes


def label_record(label: Label) -> dict[str, object]:
    """Return a label as plain JSON: tile, quad in pixels, visible shares."""
    return {
        "tile": label.name,
        "quad": [[round(float(v), 1) for v in corner] for corner in label.quad_img],
        "visible": round(label.visible, 3),
        "number_visible": round(label.number_visible, 3),
    }


def render_batch(
    out: Path,
    seed: int,
    batch: int,
    size_px: int,
    tile_px: tuple[float, float],
    only: str | None = None,
    fill: Fill = made_boxes,
    elevation_deg: tuple[float, float] | None = None,
    *,
    prints: bool = False,
    negated: bool = False,
) -> list[str]:
    """Render and write one batch; return its label lines. The same seed, the same pictures."""
    cv2.setNumThreads(1)
    keep_memory()
    rng = np.random.default_rng((seed, batch))
    boxes = fill(rng)
    lines = []
    for index in range(batch * BATCH, (batch + 1) * BATCH):
        scene = render_scene(rng, boxes, size_px, tile_px, only, elevation_deg, prints=prints)
        name = f"{index:06d}.jpg"
        pixels = negative(scene.pixels_bgr) if negated else scene.pixels_bgr
        cv2.imwrite(str(out / name), pixels, [cv2.IMWRITE_JPEG_QUALITY, 95])
        tiles = [label_record(label) for label in scene.labels]
        lines.append(
            json.dumps({"photo": name, "width": size_px, "height": size_px, "tiles": tiles})
        )
    return lines


def render_scenes(
    out: Path,
    count: int,
    seed: int,
    size_px: int = 576,
    tile_px: tuple[float, float] = TILE_PX,
    workers: int = 2,
    only: str | None = None,
    fill: Fill = made_boxes,
    elevation_deg: tuple[float, float] | None = None,
    *,
    prints: bool = False,
    negated: bool = False,
) -> None:
    """Render `count` pictures, rounded up to whole batches, unless they are there already.

    `fill` makes the sets of a batch; it is called in other processes. `negated` pictures are
    written as `vision.negative` turns them, which is how networks see dark tiles.
    """
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
        render = partial(render_batch, prints=prints, negated=negated)
        jobs = [
            pool.submit(render, out, seed, b, size_px, tile_px, only, fill, elevation_deg)
            for b in batches
        ]
        for job in jobs:
            file.writelines(line + "\n" for line in job.result())
            file.flush()
            bar.update(1)


@click.command()
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Folder to write to.")
@click.option("--count", default=6000, show_default=True, help="Pictures, rounded up to 50s.")
@click.option("--seed", default=1, show_default=True)
@click.option(
    "--size", "size_px", default=576, show_default=True, help="Side of a picture, pixels."
)
@tile_option
@click.option("--workers", default=2, show_default=True)
@click.option("--only", type=click.Choice(list(MAKERS)), help="Only layouts of this kind.")
@click.option("--without", multiple=True, metavar="EDITION", help="Leave this edition out.")
@click.option(
    "--elevation",
    "elevation_deg",
    nargs=2,
    type=float,
    help="Least and most height of the camera above the table's plane, degrees.",
)
@click.option("--prints", is_flag=True, help="Lay cards, papers, keys and dice about.")
@click.option("--spare", is_flag=True, help="With numbers and jokers that no reader learns.")
@click.option(
    "--mostly",
    type=click.Choice(RARE),
    multiple=True,
    help="Give most made-up sets what few have: letters on jokers, numbers left out of ink, wood.",
)
@click.option(
    "--dark", is_flag=True, help="Of black plastic, in the negative, as networks see it."
)
def main(
    out: Path,
    count: int,
    seed: int,
    size_px: int,
    tile_px: tuple[float, float],
    workers: int,
    only: str | None,
    without: tuple[str, ...],
    elevation_deg: tuple[float, float] | None,
    prints: bool,
    spare: bool,
    mostly: tuple[str, ...],
    dark: bool,
) -> None:
    """Render COUNT labelled pictures into OUT, with one JSON line each in labels.jsonl."""
    fill = partial(made_boxes, without=without, spare=spare, mostly=mostly, dark=dark)
    render_scenes(
        out,
        count,
        seed,
        size_px,
        tile_px,
        workers,
        only,
        fill,
        elevation_deg,
        prints=prints,
        negated=dark,
    )


if __name__ == "__main__":
    main()
