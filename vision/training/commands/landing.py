"""The commands that land networks: `mean`, `publish` and `calibrate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from vision.training.commands.options import (
    family_option,
    file_path,
    models_option,
    out_option,
    photos_option,
    scenes_option,
    seed_option,
)
from vision.training.data import load_all_scenes, load_photographs

if TYPE_CHECKING:
    from pathlib import Path

    from torch import Tensor


@click.command()
@click.argument(
    "network",
    type=click.Choice(["detector", "corners", "reader", "palette", "verifier", "typeface"]),
)
@click.option(
    "--of",
    "runs",
    type=(file_path, float),
    multiple=True,
    required=True,
    metavar="FILE WEIGHT",
    help="A run's checkpoint, or an exported network, and its weight; give two or more of a kind.",
)
@out_option("runs/mean")
@family_option
def mean(network: str, runs: tuple[tuple[Path, float], ...], out: Path, family: str) -> None:
    """Export the mean of several runs of a NETWORK that began with the same weights.

    Palettes, verifiers and typefaces may have begun with any: the mean is of what they answer.
    """
    from vision.training.loop import mean_of, mean_of_exported  # noqa: PLC0415 - slow
    from vision.training.set_transformer import mean_of_answers  # noqa: PLC0415 - slow

    kinds = {path.suffix for path, _ in runs}
    if len(kinds) > 1:
        raise click.UsageError("Give checkpoints only, or exported networks only.")
    of_answers = network in {"palette", "verifier", "typeface"}
    if of_answers and kinds != {".onnx"}:
        raise click.UsageError(f"Give exported networks: a {network}'s weights have no mean.")
    out.mkdir(parents=True, exist_ok=True)
    if of_answers:
        mean_of_answers(runs, out / f"{network}.onnx")
        return
    if kinds == {".onnx"}:
        mean_of_exported(runs, out / f"{network}.onnx")
        return
    _export(network, mean_of(runs, out / "checkpoint.pt"), out, family)


def _export(network: str, weights: dict[str, Tensor], out: Path, family: str) -> None:
    from vision.training import corners, detector, reader, tile_head  # noqa: PLC0415 - slow

    path = out / f"{network}.onnx"
    if network == "detector":
        model = tile_head.build_detector(family)
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


@click.command()
@click.option("--detector", type=file_path)
@click.option("--corners", type=file_path)
@click.option("--reader", type=file_path)
@click.option("--palette", type=file_path)
@click.option("--verifier", type=file_path)
@click.option("--typeface", type=file_path)
@models_option
def publish(models: Path, **networks: Path | None) -> None:
    """Land trained networks: copy them into MODELS and write their manifest entries."""
    from vision.training.publish import publish as land  # noqa: PLC0415 - slow

    land({name: path for name, path in networks.items() if path}, models)


@click.command()
@photos_option
@scenes_option
@models_option
@seed_option
def calibrate(photos: Path | None, scenes: tuple[Path, ...], models: Path, seed: int) -> None:
    """Calibrate the reader in MODELS on tuning photographs and on scenes not trained on."""
    from vision.training.calibrate import calibrate as fit  # noqa: PLC0415 - slow

    photographs = load_photographs(photos, tuning=True) if photos else []
    settings, error = fit(models, photographs, load_all_scenes(scenes), seed)
    click.echo(f"{settings} expected calibration error {error:.4f}")
