"""A contact sheet to judge the renderer by: `python -m vision.rendering.sheet --out sheet.png`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
import cv2
import numpy as np

from vision.labels import LabelError, load_labels
from vision.pictures import PictureError, load_picture
from vision.rendering.boxes import fill_boxes
from vision.rendering.camera import aim
from vision.rendering.clutter import no_clutter
from vision.rendering.editions import all_editions
from vision.rendering.layouts import FACES, flat
from vision.rendering.lighting import even_light, no_glare
from vision.rendering.scene import Style, render, render_scene

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.rendering.boxes import TileBox
    from vision.types import Pixels

SHEET_PX: Final = 1440
SETS, FACES_A_SET = 8, 14
SCENES_A_ROW, SCENE_ROWS = 3, 3
TILE_PX: Final = (22.0, 90.0)
_BOXES: Final = 24
_GAP_PX: Final = 6


def faces_sheet(rng: np.random.Generator, boxes: Sequence[TileBox]) -> Pixels:
    """Render a strip a set, (h, SHEET_PX, 3): some numbers and both ends, two jokers, a back."""
    return np.vstack([_strip(rng, box) for box in boxes])


def _strip(rng: np.random.Generator, box: TileBox) -> Pixels:
    numbers = rng.permutation(FACES[:-1])[: FACES_A_SET - 5]
    names = ["R6", "B9", *map(str, numbers), "J", "J", ""]
    step = 1.12
    start = (1 - len(names)) / 2 * step
    poses = [flat(name, start + i * step, 0, 0, 0) for i, name in enumerate(names)]
    width_px = SHEET_PX / (len(names) * step + 0.3)
    camera = aim(width_px, 90, 0, 20, SHEET_PX)
    style = Style(even_light, no_glare, no_clutter, _plainly)
    scene = render(rng, box, camera, poses, SHEET_PX, style=style)
    half = round(width_px * (box.tall * 0.5 + 0.15))
    return scene.pixels_bgr[SHEET_PX // 2 - half : SHEET_PX // 2 + half]


def _plainly(rng: np.random.Generator, radiance: np.ndarray) -> Pixels:
    """Take a picture without blur, grain or codec."""
    del rng
    return np.asarray(np.clip(radiance, 0, 1) * 255, np.uint8)


def scenes_sheet(
    rng: np.random.Generator, boxes: Sequence[TileBox], photos: Sequence[Path]
) -> Pixels:
    """Render rows of scenes, each row followed by one of photographs if there are any."""
    side = SHEET_PX // SCENES_A_ROW - _GAP_PX
    rows = []
    chosen = [photos[i] for i in rng.permutation(len(photos))]
    for _ in range(SCENE_ROWS):
        scenes = [render_scene(rng, boxes, side, TILE_PX) for _ in range(SCENES_A_ROW)]
        rows.append(_row([scene.pixels_bgr for scene in scenes], (0, 128, 255)))
        real = [_square(load_picture(path), side) for path in chosen[:SCENES_A_ROW]]
        del chosen[:SCENES_A_ROW]
        if real:
            rows.append(_row(real, (0, 160, 0)))
    return np.vstack(rows)


def _square(pixels: Pixels, side_px: int) -> Pixels:
    """Return the middle of a picture, square and of that size."""
    height, width = pixels.shape[:2]
    side = min(height, width)
    top, left = (height - side) // 2, (width - side) // 2
    middle = pixels[top : top + side, left : left + side]
    return np.asarray(
        cv2.resize(middle, (side_px, side_px), interpolation=cv2.INTER_AREA), np.uint8
    )


def _row(pictures: Sequence[Pixels], colour: tuple[int, int, int]) -> Pixels:
    """Put pictures side by side, with a line of the colour under them."""
    side = len(pictures[0])
    row = np.zeros((side + _GAP_PX, SHEET_PX, 3), np.uint8)
    for index, picture in enumerate(pictures):
        left = index * (side + _GAP_PX)
        row[:side, left : left + side] = picture
        row[side + 1 : -1, left : left + side] = colour
    return row


def contact_sheet(seed: int, photos: Sequence[Path] = ()) -> Pixels:
    """Return sets that nobody has made, and scenes of them beside photographs if there are any."""
    rng = np.random.default_rng(seed)
    boxes = fill_boxes(rng, all_editions(), _BOXES)
    return np.vstack([faces_sheet(rng, boxes[:SETS]), scenes_sheet(rng, boxes, photos)])


@click.command()
@click.option("--out", type=click.Path(path_type=Path), required=True, help="PNG to write.")
@click.option(
    "--photos",
    "label_files",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    multiple=True,
    help="Label file whose photographs are shown beside the scenes; may be given again.",
)
@click.option("--split", help="Only photographs of this split of the label files.")
@click.option("--seed", default=1, show_default=True, help="Another seed, another sheet.")
def main(out: Path, label_files: tuple[Path, ...], split: str | None, seed: int) -> None:
    """Draw a sheet of rendered sets and scenes, beside real photographs where some are given.

    Scenes have an orange line under them, photographs a green one.
    """
    try:
        photos = [photo.path for file in label_files for photo in load_labels(file, split)]
        sheet = contact_sheet(seed, photos)
    except (LabelError, PictureError) as error:
        raise click.ClickException(str(error)) from error
    if not cv2.imwrite(str(out), sheet):
        raise click.ClickException(f"cannot write {out}: is there such a folder, and room?")
    click.echo(f"{out}: {sheet.shape[1]} x {sheet.shape[0]} pixels")


if __name__ == "__main__":
    main()
