"""How fast pictures are rendered, and what takes it: `python -m vision.rendering.measure`."""

from __future__ import annotations

import os
import platform
import time
from cProfile import Profile
from pstats import Stats
from typing import Final

import click
import cv2
import numpy as np

from vision.rendering.__main__ import tile_option
from vision.rendering.arrays import keep_memory
from vision.rendering.boxes import fill_boxes
from vision.rendering.editions import all_editions
from vision.rendering.scene import render_scene
from vision.rendering.scene_folders import BATCH, BOXES_A_BATCH

# What is told of each part, and the function that does it all.
PARTS: Final = {
    "table": "random_table",
    "shadows": "cast_shadows",
    "faces drawn": "draw_face",
    "tiles placed": "draw_tile",
    "racks": "draw_step",
    "hands, clutter": "clutter",
    "lamps": "lamps",
    "glare": "glare",
    "camera": "photograph",
    "labels": "label_tile",
    "file": "imencode",
}
_CLUTTER: Final = ("add_clutter", "add_hands")
_QUALITY: Final = 95


def render_some(seed: int, count: int, size_px: int, tile_px: tuple[float, float]) -> None:
    """Render and encode as many pictures as asked, of new sets as often as for training."""
    rng = np.random.default_rng(seed)
    editions = all_editions()
    for index in range(count):
        if index % BATCH == 0:
            boxes = fill_boxes(rng, editions, BOXES_A_BATCH)
        pixels = render_scene(rng, boxes, size_px, tile_px).pixels_bgr
        cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])


def pictures_a_second(count: int, size_px: int, tile_px: tuple[float, float]) -> float:
    """Return how many pictures one core renders in a second of its own time."""
    render_some(0, 2, size_px, tile_px)  # what is made once is made now
    start = time.process_time()
    render_some(1, count, size_px, tile_px)
    return count / (time.process_time() - start)


def shares(count: int, size_px: int, tile_px: tuple[float, float]) -> dict[str, float]:
    """Return which share of the time each part takes; a profiler's, so roughly."""
    profile = Profile(time.process_time)
    profile.runcall(render_some, 1, count, size_px, tile_px)
    timed = Stats(profile)
    spent: dict[str, float] = {}
    for (_, _, name), (_, _, _, within, _) in timed.stats.items():  # type: ignore[attr-defined]
        plain = "clutter" if name in _CLUTTER else name.strip("<>").split()[-1]
        spent[plain] = spent.get(plain, 0.0) + within
    spent["draw_tile"] = spent.get("draw_tile", 0.0) - spent.get("draw_face", 0.0)
    return {part: spent.get(name, 0.0) / spent["render_some"] for part, name in PARTS.items()}


@click.command()
@click.option("--count", default=BATCH, show_default=True, help="Pictures to render.")
@click.option("--size", "size_px", default=960, show_default=True, help="Side of a picture.")
@tile_option
def main(count: int, size_px: int, tile_px: tuple[float, float]) -> None:
    """Say how many pictures a core renders in a second, and which parts take how much of it."""
    cv2.setNumThreads(1)
    keep_memory()
    speed = pictures_a_second(count, size_px, tile_px)
    click.echo(
        f"{speed:.1f} pictures of {size_px} px a second on a core, {1000 / speed:.0f} ms each\n"
        f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, "
        f"OpenCV {cv2.__version__}"
    )
    parts = shares(count, size_px, tile_px)
    for part, share in sorted(parts.items(), key=lambda item: -item[1]):
        click.echo(f"  {part:<16}{share:6.0%}")


if __name__ == "__main__":
    main()
