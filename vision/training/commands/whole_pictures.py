"""The commands that train what weighs all tiles of a picture: palette, verifier and typeface."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import click

from vision.training.commands.options import (
    called_option,
    crops_option,
    models_option,
    photos_option,
    rate_option,
    run_options,
    start_option,
)
from vision.training.data import load_all_scenes, load_photographs

if TYPE_CHECKING:
    from pathlib import Path

STEPS = 6000


@click.command()
@photos_option
@run_options("runs/palette", STEPS)
@called_option
@crops_option
@models_option
@rate_option
@start_option
def palette(
    photos: Path | None,
    scenes: tuple[Path, ...],
    called: tuple[Path, ...],
    crops: Path | None,
    models: Path,
    out: Path,
    steps: int,
    rate: float,
    seed: int,
    start: Path | None,
) -> None:
    """Train the palette on scenes that the reader in MODELS has not learnt from."""
    from vision.reading.examine import Examiner  # noqa: PLC0415 - slow
    from vision.training import palette as training  # noqa: PLC0415 - slow
    from vision.training.set_transformer import export_set_network  # noqa: PLC0415 - slow

    out.mkdir(parents=True, exist_ok=True)
    look = partial(training.inks_of, Examiner.load(models))
    pictures = look(load_all_scenes(scenes, packed=True), seed)
    pictures += look(load_all_scenes(called, packed=True), seed + 3, 1.0)
    if photos is not None:
        pictures += look(load_photographs(photos) * training.PHOTO_VIEWS, seed + 1)
    if crops is not None:
        from vision.training.tile_crops import load_tile_crops  # noqa: PLC0415 - slow

        singles = look(load_tile_crops(crops, models), seed + 2)
        pictures += training.handfuls(singles, seed)
    click.echo(f"{sum(len(inks.truth) for inks in pictures)} tiles in {len(pictures)} pictures")
    network = training.train_palette(
        pictures, out / "checkpoint.pt", steps=steps, seed=seed, rate=rate, start=start
    )
    export_set_network(network, out / "palette.onnx", "clues", "added")


@click.command()
@photos_option
@run_options("runs/verifier", STEPS)
@models_option
@rate_option
@start_option
def verifier(
    photos: Path | None,
    scenes: tuple[Path, ...],
    models: Path,
    out: Path,
    steps: int,
    rate: float,
    seed: int,
    start: Path | None,
) -> None:
    """Train the verifier on scenes that detector and reader in MODELS have not learnt from."""
    from vision.detect import Detector  # noqa: PLC0415 - slow
    from vision.reading.examine import Examiner  # noqa: PLC0415 - slow
    from vision.training import verifier as training  # noqa: PLC0415 - slow
    from vision.training.set_transformer import export_set_network  # noqa: PLC0415 - slow

    out.mkdir(parents=True, exist_ok=True)
    look = partial(training.boxes_of, Detector.load(models), Examiner.load(models))
    pictures = look(load_all_scenes(scenes, packed=True), seed)
    if photos is not None:
        pictures += look(load_photographs(photos) * training.PHOTO_VIEWS, seed + 1)
    click.echo(f"{sum(len(boxes.truth) for boxes in pictures)} boxes in {len(pictures)} pictures")
    network = training.train_verifier(
        pictures, out / "checkpoint.pt", steps=steps, seed=seed, rate=rate, start=start
    )
    export_set_network(network, out / "verifier.onnx", "evidence", "tile")


@click.command()
@run_options("runs/typeface", STEPS)
@models_option
@click.option(
    "--unmet",
    type=click.FloatRange(0, 1),
    default=0.25,
    show_default=True,
    help="Share of the pictures shown as to a reader that has not met their typeface.",
)
def typeface(
    scenes: tuple[Path, ...], models: Path, out: Path, steps: int, seed: int, unmet: float
) -> None:
    """Train the typeface on scenes that the reader in MODELS has not learnt from.

    Photographs that it has learnt from it reads too surely, and there are no others.
    """
    from vision.reading.examine import Examiner  # noqa: PLC0415 - slow
    from vision.training import typeface as training  # noqa: PLC0415 - slow
    from vision.training.set_transformer import export_set_network  # noqa: PLC0415 - slow

    out.mkdir(parents=True, exist_ok=True)
    given = load_all_scenes(scenes, packed=True)
    pictures = training.shapes_of(Examiner.load(models), given, seed)
    click.echo(f"{sum(len(each.truth) for each in pictures)} tiles in {len(pictures)} pictures")
    network = training.train_typeface(
        pictures, out / "checkpoint.pt", steps=steps, seed=seed, unmet_share=unmet
    )
    export_set_network(network, out / "typeface.onnx", "shapes", "added")
