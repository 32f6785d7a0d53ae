"""What is advised about labelled photos: ``python -m tests.vision.measure_advice LABELS.json``.

Each photo is looked at as it is, and with its tiles blurred by shares of their width. The last
line says what a look takes in 1920 x 1080 pixels with 60 tiles, in processor time.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from time import process_time

import click
import cv2
import numpy as np

from vision.advice import _edge_width, _faces, advise
from vision.labels import load_labels
from vision.pictures import load_picture

BLURS = (0.0, 0.03, 0.05, 0.08, 0.11, 0.2)
LOOKS = 50


@click.command()
@click.argument("labels", type=click.Path(exists=True, path_type=Path))
@click.option("--least", default=3, show_default=True, help="Leave out photos with fewer tiles.")
def measure(labels: Path, least: int) -> None:
    """Print edge widths and advice by blur, as CSV."""
    photos = [photo for photo in load_labels(labels) if len(photo.tiles) >= least]
    click.echo("blur,photos,edge_least,edge_median,edge_most,advice")
    for blur in BLURS:
        widths, found = [], Counter[str]()
        for photo in photos:
            quads = np.array([tile.outline_img for tile in photo.tiles], np.float32)
            pixels = load_picture(photo.path)
            short_px = np.linalg.norm(quads - np.roll(quads, 1, axis=1), axis=2).min(axis=1)
            if blur:
                sigma_px = blur * float(np.median(short_px))
                pixels = np.asarray(cv2.GaussianBlur(pixels, (0, 0), sigma_px), np.uint8)
            widths.append(_edge_width(tuple(_faces(pixels, quads))))
            found.update(one.code for one in advise(pixels, quads))
        spread = ",".join(f"{float(q):.3f}" for q in np.quantile(widths, (0, 0.5, 1)))
        click.echo(f"{blur},{len(photos)},{spread},{dict(found)}")
    click.echo(f"a look: {_look_ms():.1f} ms")


def _look_ms() -> float:
    pixels = np.random.default_rng(0).integers(0, 255, (1080, 1920, 3), np.uint8)
    corners = np.array([(0, 0), (54, 0), (54, 78), (0, 78)], np.float32)
    places = [np.array((60 + n % 20 * 80, 60 + n // 20 * 200)) for n in range(60)]
    quads = np.array([corners + place for place in places])
    start_s = process_time()
    for _ in range(LOOKS):
        advise(pixels, quads.astype(np.float32))
    return (process_time() - start_s) * 1000 / LOOKS


if __name__ == "__main__":
    measure()
