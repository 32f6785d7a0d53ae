"""The options that several training commands have."""

from __future__ import annotations

from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Callable

photos_option = click.option(
    "--photos",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Labelled photographs; only their `train` split is used.",
)
scenes_option = click.option(
    "--scenes",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    required=True,
    multiple=True,
    help="Folder of rendered scenes; may be given more than once.",
)
called_option = click.option(
    "--called",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    multiple=True,
    help="Folder of scenes, each to be seen as a poor video call sends it; may be given again.",
)
seed_option = click.option("--seed", default=1, show_default=True)
start_option = click.option(
    "--start",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Checkpoint or .onnx of another run whose weights to begin with, not random ones.",
)
rate_option = click.option(
    "--rate",
    default=2e-3,
    show_default=True,
    help="Highest learning rate.",
)
share_option = click.option(
    "--share", default=0.4, show_default=True, help="Share of photographs."
)


family_option = click.option(
    "--family",
    type=click.Choice(["11n", "11s", "26n", "26s", "11n-corners"]),
    default="11n",
    show_default=True,
    help="The detector's YOLO and its size.",
)
crops_option = click.option(
    "--crops",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Pictures of single tiles in folders 1 to 13 and joker, for reader and palette alone.",
)


def out_option(default: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return the option for where to write, with its default."""
    return click.option(
        "--out", type=click.Path(path_type=Path), default=Path(default), show_default=True
    )


def run_options(out: str, steps: int) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return the options that every run has: scenes, where to write, how many steps, the seed."""
    options = (
        scenes_option,
        out_option(out),
        click.option("--steps", default=steps, show_default=True),
        seed_option,
    )
    return lambda command: reduce(lambda given, option: option(given), reversed(options), command)


def batch_option(default: int, of: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return the option for how much a step sees, with its default."""
    return click.option(
        "--batch",
        type=click.IntRange(1),
        default=default,
        show_default=True,
        help=f"{of} of one step; a GPU wants four times as many.",
    )


models_option = click.option(
    "--models", type=click.Path(path_type=Path, file_okay=False), default=Path("models")
)
file_path = click.Path(path_type=Path, exists=True, dir_okay=False)
