"""Train a network: `python -m vision.training detector --photos LABELS --scenes DIR`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
import numpy as np

from vision.training.data import load_photographs, load_scenes
from vision.training.measuring import compare, teaching

if TYPE_CHECKING:
    from collections.abc import Callable

    import torch

    from vision.training.data import Labelled
    from vision.training.tiles import TilePool

TUNING_SCENES = 200
TUNING_SEED = 1000  # far from the seeds that anyone trains with

_photos = click.option(
    "--photos",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Labelled photographs; only their `train` split is used.",
)
_scenes = click.option(
    "--scenes",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    required=True,
    multiple=True,
    help="Folder of rendered scenes; may be given more than once.",
)
_seed = click.option("--seed", default=1, show_default=True)
_start = click.option(
    "--start",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Checkpoint of an earlier run whose weights to begin with, instead of random ones.",
)
_share = click.option("--share", default=0.4, show_default=True, help="Share of photographs.")


def _out(default: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    return click.option(
        "--out", type=click.Path(path_type=Path), default=Path(default), show_default=True
    )


@click.group()
def main() -> None:
    """Train the networks from scratch, or go on where a run was broken off."""


@main.command()
@_photos
@_scenes
@_out("runs/detector")
@click.option("--size", type=click.Choice(["n", "s"]), default="n", show_default=True)
@click.option("--steps", default=5000, show_default=True)
@_seed
@_share
@_start
def detector(
    photos: Path | None,
    scenes: tuple[Path, ...],
    out: Path,
    size: str,
    steps: int,
    seed: int,
    share: float,
    start: Path | None,
) -> None:
    """Train the detector and export it to OUT/detector.onnx."""
    from vision.training.detector import export_detector, train_detector  # noqa: PLC0415 - slow

    out.mkdir(parents=True, exist_ok=True)
    photographs = load_photographs(photos) if photos else []
    rendered = load_all_scenes(scenes, packed=True)
    click.echo(f"{len(photographs)} photographs, {len(rendered)} rendered scenes")
    model = train_detector(
        photographs,
        rendered,
        out / "checkpoint.pt",
        size=size,
        steps=steps,
        seed=seed,
        share=share,
        start=start,
    )
    export_detector(model, out / "detector.onnx")


def load_all_scenes(folders: tuple[Path, ...], *, packed: bool = False) -> list[Labelled]:
    """Load the scenes of several folders, one after another."""
    return [scene for folder in folders for scene in load_scenes(folder, packed=packed)]


def _crop_pools(
    photos: Path | None, scenes: tuple[Path, ...], share: float, crops: Path | None = None
) -> Callable[[np.random.Generator], TilePool]:
    """Return a draw of the photographs' tiles with probability `share`, of rendered ones else.

    Where there are crops, half of the photographs' share is theirs.
    """
    from vision.training.tiles import TilePool  # noqa: PLC0415 - only these commands want it

    rendered = TilePool(load_all_scenes(scenes))
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
@_photos
@_scenes
@_out("runs/corners")
@click.option("--steps", default=2000, show_default=True)
@_seed
@_share
@_start
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
    pools = _crop_pools(photos, scenes, share)
    network = train_corners(pools, out / "checkpoint.pt", steps=steps, seed=seed, start=start)
    export(network, CROP, ["corners"], out / "corners.onnx")


@main.command()
@_photos
@_scenes
@_out("runs/reader")
@click.option("--steps", default=4000, show_default=True)
@_seed
@_share
@_start
@click.option(
    "--crops",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Pictures of single tiles in folders 1 to 13 and joker, for the reader alone.",
)
def reader(
    photos: Path | None,
    scenes: tuple[Path, ...],
    out: Path,
    steps: int,
    seed: int,
    share: float,
    start: Path | None,
    crops: Path | None,
) -> None:
    """Train the reader and export it to OUT/reader.onnx."""
    from vision.training.reader import export_reader, train_reader  # noqa: PLC0415 - slow

    out.mkdir(parents=True, exist_ok=True)
    pools = _crop_pools(photos, scenes, share, crops)
    network = train_reader(pools, out / "checkpoint.pt", steps=steps, seed=seed, start=start)
    export_reader(network, out / "reader.onnx")


_file = click.Path(path_type=Path, exists=True, dir_okay=False)


@main.command()
@click.argument("network", type=click.Choice(["detector", "corners", "reader"]))
@click.option(
    "--of",
    "runs",
    type=(_file, float),
    multiple=True,
    required=True,
    metavar="CHECKPOINT WEIGHT",
    help="A run and its weight in the mean; give two or more.",
)
@_out("runs/mean")
@click.option("--size", type=click.Choice(["n", "s"]), default="n", help="The detector's.")
def mean(network: str, runs: tuple[tuple[Path, float], ...], out: Path, size: str) -> None:
    """Export the mean of several runs of a NETWORK that began with the same weights."""
    from vision.training.loop import mean_of  # noqa: PLC0415 - slow

    out.mkdir(parents=True, exist_ok=True)
    _export(network, mean_of(runs, out / "checkpoint.pt"), out, size)


def _export(network: str, weights: dict[str, torch.Tensor], out: Path, size: str) -> None:
    from vision.training import corners, detector, reader  # noqa: PLC0415 - slow

    path = out / f"{network}.onnx"
    if network == "detector":
        model = detector.build_detector(size)
        model.load_state_dict(weights)
        detector.export_detector(model, path)
    elif network == "corners":
        finder = corners.CornerFinder()
        finder.load_state_dict(weights)
        corners.export(finder, corners.CROP, ["corners"], path)
    else:
        faces = reader.Reader()
        faces.load_state_dict(weights)
        reader.export_reader(faces, path)


@main.command()
@click.option("--detector", type=_file)
@click.option("--corners", type=_file)
@click.option("--reader", type=_file)
@click.option("--models", type=click.Path(path_type=Path, file_okay=False), default=Path("models"))
def publish(models: Path, **networks: Path | None) -> None:
    """Land trained networks: copy them into MODELS and write their manifest entries."""
    from vision.training.publish import publish as land  # noqa: PLC0415 - slow

    land({name: path for name, path in networks.items() if path}, models)


@main.command()
@_photos
@_scenes
@click.option("--models", type=click.Path(path_type=Path, file_okay=False), default=Path("models"))
@_seed
def calibrate(photos: Path | None, scenes: tuple[Path, ...], models: Path, seed: int) -> None:
    """Calibrate the reader in MODELS on tuning photographs and on scenes not trained on."""
    from vision.training.calibrate import calibrate as fit  # noqa: PLC0415 - slow

    photographs = load_photographs(photos, tuning=True) if photos else []
    settings, error = fit(models, photographs, load_all_scenes(scenes), seed)
    click.echo(f"{settings} expected calibration error {error:.4f}")


main.add_command(compare)
main.add_command(teaching)


@main.command()
@_photos
@click.option("--out", type=click.Path(path_type=Path), default=Path("runs"), show_default=True)
@click.option("--models", type=click.Path(path_type=Path, file_okay=False), default=Path("models"))
@click.option("--count", default=3000, show_default=True, help="Scenes to render.")
@_seed
@click.pass_context
def everything(
    context: click.Context, photos: Path | None, out: Path, models: Path, count: int, seed: int
) -> None:
    """Render scenes, train all networks one after another, land and calibrate them.

    Broken off, the same command goes on where it was.
    """
    from vision.rendering.__main__ import render_scenes  # noqa: PLC0415 - only wanted here

    scenes, tuning = out / "scenes", out / "tuning-scenes"
    render_scenes(scenes, count, seed)
    render_scenes(tuning, TUNING_SCENES, seed + TUNING_SEED)
    given = {"photos": photos, "scenes": (scenes,), "seed": seed}
    context.invoke(detector, out=out / "detector", **given)
    context.invoke(corners, out=out / "corners", **given)
    context.invoke(reader, out=out / "reader", **given)
    networks = {name: out / name / f"{name}.onnx" for name in ("detector", "corners", "reader")}
    context.invoke(publish, models=models, **networks)
    context.invoke(calibrate, photos=photos, scenes=(tuning,), models=models, seed=seed)


if __name__ == "__main__":
    main()
