"""Train a network: `python -m vision.training detector --photos LABELS --scenes DIR`."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click
import cv2
import numpy as np

from vision.training.commands.landing import calibrate, mean, publish
from vision.training.commands.measuring import compare, teaching
from vision.training.commands.options import (
    batch_option,
    crops_option,
    family_option,
    file_path,
    models_option,
    out_option,
    photos_option,
    rate_option,
    run_options,
    seed_option,
    share_option,
    start_option,
)
from vision.training.commands.whole_pictures import palette, typeface, verifier
from vision.training.data import load_all_scenes, load_photographs, opened

if TYPE_CHECKING:
    from collections.abc import Callable

    from vision.training.data import Labelled
    from vision.training.tiles import TilePool

TUNING_SCENES = 200
TUNING_SEED, PALETTE_SEED = 1000, 2000  # far from the seeds that anyone trains with


@click.group()
def main() -> None:
    """Train the networks from scratch, or go on where a run was broken off."""


@main.command()
@photos_option
@run_options("runs/detector", 5000)
@family_option
@share_option
@start_option
@rate_option
@batch_option(8, "Views")
def detector(
    photos: Path | None,
    scenes: tuple[Path, ...],
    out: Path,
    family: str,
    steps: int,
    seed: int,
    share: float,
    start: Path | None,
    rate: float,
    batch: int,
) -> None:
    """Train the detector and export it to OUT/detector.onnx."""
    from vision.training.detector import export_detector, train_detector  # noqa: PLC0415 - slow

    cv2.setNumThreads(1)  # its threads would not outlive the copies that make the batches
    out.mkdir(parents=True, exist_ok=True)
    photographs = load_photographs(photos) if photos else []
    rendered = load_all_scenes(scenes, packed=True)
    click.echo(f"{len(photographs)} photographs, {len(rendered)} rendered scenes")
    model = train_detector(
        photographs,
        rendered,
        out / "checkpoint.pt",
        family=family,
        steps=steps,
        seed=seed,
        share=share,
        start=start,
        rate=rate,
        batch_size=batch,
    )
    export_detector(model, out / "detector.onnx")


def _crop_pools(
    photos: Path | None,
    scenes: tuple[Path, ...],
    share: float,
    seed: int,
    crops: Path | None = None,
) -> Callable[[np.random.Generator], TilePool]:
    """Return a draw of the photographs' tiles with probability `share`, of rendered ones else.

    Some scenes are poorly taken. Where there are crops, half of the photographs' share is theirs.
    """
    from vision.training.tiles import (  # noqa: PLC0415 - only these commands want it
        TilePool,
        poorly_taken,
    )

    cv2.setNumThreads(1)  # its threads would not outlive the copies that make the batches

    def taken(index: int, scene: Labelled) -> Labelled:
        rng = np.random.default_rng((seed, 6, index))
        return replace(scene, pixels_bgr=poorly_taken(rng, opened(scene).pixels_bgr))

    with ThreadPoolExecutor() as pool:
        packed = load_all_scenes(scenes, packed=True)
        rendered = TilePool(list(pool.map(taken, range(len(packed)), packed)))
    real = TilePool(load_photographs(photos)) if photos else rendered
    click.echo(f"{len(real.places)} photographed and {len(rendered.places)} rendered tiles")
    if crops is None:
        return lambda rng: real if rng.random() < share else rendered
    from vision.training.tile_crops import load_tile_crops  # noqa: PLC0415 - as above

    single = TilePool(load_tile_crops(crops))
    click.echo(f"{len(single.places)} tiles in pictures of their own")
    pools = (single, real, rendered)
    return lambda rng: pools[int(np.searchsorted((share / 2, share), rng.random(), "right"))]


@main.command()
@photos_option
@run_options("runs/corners", 2000)
@share_option
@start_option
def corners(
    photos: Path | None,
    scenes: tuple[Path, ...],
    out: Path,
    steps: int,
    seed: int,
    share: float,
    start: Path | None,
) -> None:
    """Train the corner finder and export it to OUT/corners.onnx."""
    from vision.training.corners import CROP, export, train_corners  # noqa: PLC0415 - slow

    out.mkdir(parents=True, exist_ok=True)
    pools = _crop_pools(photos, scenes, share, seed)
    network = train_corners(pools, out / "checkpoint.pt", steps=steps, seed=seed, start=start)
    export(network, CROP, ["corners"], out / "corners.onnx")


@main.command()
@photos_option
@run_options("runs/reader", 4000)
@share_option
@start_option
@rate_option
@batch_option(96, "Crops")
@crops_option
@click.option(
    "--size",
    type=click.Choice(["32x48", "64x96", "96x144"]),
    default="64x96",
    show_default=True,
    help="Pixels that a tile is straightened to.",
)
@click.option("--apart", is_flag=True, help="Give number and colour a network each.")
def reader(
    photos: Path | None,
    scenes: tuple[Path, ...],
    out: Path,
    steps: int,
    seed: int,
    share: float,
    start: Path | None,
    rate: float,
    batch: int,
    crops: Path | None,
    size: str,
    apart: bool,
) -> None:
    """Train the reader and export it to OUT/reader.onnx."""
    from vision.training.reader import export_reader, train_reader  # noqa: PLC0415 - slow

    out.mkdir(parents=True, exist_ok=True)
    pools = _crop_pools(photos, scenes, share, seed, crops)
    width, height = map(int, size.split("x"))
    network = train_reader(
        pools,
        out / "checkpoint.pt",
        steps=steps,
        seed=seed,
        start=start,
        rate=rate,
        size=(width, height),
        apart=apart,
        batch_size=batch,
    )
    export_reader(network, out / "reader.onnx", (width, height))


main.add_command(palette)
main.add_command(verifier)
main.add_command(typeface)
main.add_command(mean)
main.add_command(publish)
main.add_command(calibrate)
main.add_command(compare)
main.add_command(teaching)


@main.command()
@click.option("--photos", type=file_path, required=True, help="Labelled photographs of one set.")
@click.option("--edition", default="a", show_default=True, help="The one most like that set.")
@out_option("runs/repasted")
@click.option("--count", default=1000, show_default=True, help="Scenes to render.")
@click.option("--workers", default=2, show_default=True)
@seed_option
def repaste(photos: Path, edition: str, out: Path, count: int, workers: int, seed: int) -> None:
    """Lay the tiles of the `train` photographs on new tables, in new light."""
    from vision.rendering.scene_folders import (  # noqa: PLC0415 - only wanted here
        Wanted,
        render_scenes,
    )
    from vision.training.cutouts import photographed_boxes  # noqa: PLC0415 - as above

    fill = partial(photographed_boxes, labels=photos, edition=edition)
    render_scenes(out, count, seed, Wanted(fill=fill), workers=workers)


@main.command()
@photos_option
@click.option("--out", type=click.Path(path_type=Path), default=Path("runs"), show_default=True)
@models_option
@click.option("--count", default=3000, show_default=True, help="Scenes to render.")
@seed_option
@click.pass_context
def everything(
    context: click.Context, photos: Path | None, out: Path, models: Path, count: int, seed: int
) -> None:
    """Render scenes, train all networks one after another, land and calibrate them.

    Broken off, the same command goes on where it was.
    """
    from vision.rendering.scene_folders import render_scenes  # noqa: PLC0415 - only wanted here

    scenes, unseen, tuning = out / "scenes", out / "palette-scenes", out / "tuning-scenes"
    render_scenes(scenes, count, seed)
    render_scenes(unseen, count, seed + PALETTE_SEED)
    render_scenes(tuning, TUNING_SCENES, seed + TUNING_SEED)
    given = {"photos": photos, "scenes": (scenes,), "seed": seed}
    context.invoke(detector, out=out / "detector", **given)
    context.invoke(corners, out=out / "corners", **given)
    context.invoke(reader, out=out / "reader", **given)
    networks = {name: out / name / f"{name}.onnx" for name in ("detector", "corners", "reader")}
    context.invoke(publish, models=models, **networks)
    given["scenes"] = (unseen,)
    context.invoke(palette, models=models, out=out / "palette", **given)
    context.invoke(publish, models=models, palette=out / "palette" / "palette.onnx")
    context.invoke(verifier, models=models, out=out / "verifier", **given)
    context.invoke(publish, models=models, verifier=out / "verifier" / "verifier.onnx")
    del given["photos"]
    context.invoke(typeface, models=models, out=out / "typeface", **given)
    context.invoke(publish, models=models, typeface=out / "typeface" / "typeface.onnx")
    context.invoke(calibrate, photos=photos, scenes=(tuning,), models=models, seed=seed)


if __name__ == "__main__":
    main()
