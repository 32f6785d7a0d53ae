"""Train a network: `python -m vision.training detector --photos LABELS --scenes DIR`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
import numpy as np

from vision.training.data import load_photographs, load_scenes

if TYPE_CHECKING:
    from collections.abc import Callable

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


_onnx = click.Path(path_type=Path, exists=True, dir_okay=False)


@main.command()
@click.option("--detector", type=_onnx)
@click.option("--corners", type=_onnx)
@click.option("--reader", type=_onnx)
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


@main.command()
@click.option(
    "--photos",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    required=True,
    help="Labelled photographs; their `dev` split is used.",
)
@click.option("--suite", "suites", multiple=True, help="Rendered tables to compare on, too.")
@click.option("--tables", default=10, show_default=True, help="Tables of each suite.")
@click.option("--models", type=click.Path(path_type=Path, file_okay=False), default=Path("models"))
@click.option("--csv", "csv_path", type=click.Path(path_type=Path), help="Write the table, too.")
def compare(
    photos: Path, suites: tuple[str, ...], tables: int, models: Path, csv_path: Path | None
) -> None:
    """Compare ways to look at pictures: input sizes, second looks, corners, colours."""
    from vision.bench import machine  # noqa: PLC0415 - as above
    from vision.detect import Detector  # noqa: PLC0415 - as above
    from vision.read import Reader  # noqa: PLC0415 - as above
    from vision.suite_scores import write_scores  # noqa: PLC0415 - as above
    from vision.training import compare as comparing  # noqa: PLC0415 - as above

    click.echo(machine())
    given = comparing.pictures(photos, "dev", suites, tables)
    ways = list(comparing.variants(Detector.load(models), Reader.load(models)))
    next(iter(comparing.compare(given[:3], ways[:1])))  # the first pictures warm it up
    rows = []
    for row in comparing.compare(given, ways):
        click.echo("  ".join(row))
        rows.append(row)
    if csv_path is not None:
        with csv_path.open("w", encoding="utf-8", newline="") as file:
            write_scores(rows, file, comparing.COLUMNS)


@main.command()
@click.option(
    "--crops",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    required=True,
    help="Pictures of single tiles in folders 1 to 13 and joker.",
)
@click.option(
    "--labels",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    required=True,
    help="Labelled photographs of the same set.",
)
@click.option("--models", type=click.Path(path_type=Path, file_okay=False), default=Path("models"))
@click.option("--each", default=2, show_default=True, help="Pictures to teach a face from.")
@click.option("--lessons", default=3, show_default=True, help="How often, from other pictures.")
def teaching(crops: Path, labels: Path, models: Path, each: int, lessons: int) -> None:
    """Measure what teaching a set does for networks that have not seen it."""
    from vision.evaluate import table_text  # noqa: PLC0415 - as above
    from vision.training.measure_teaching import measure_teaching  # noqa: PLC0415 - as above

    for name, counts in measure_teaching(crops, labels, models, each=each, lessons=lessons):
        click.echo(table_text({name: counts}))


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
