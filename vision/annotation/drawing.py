"""Annotated pictures: what was seen and judged, drawn onto a copy of the photo.

Everything is sized by the picture's width, because a phone shows a picture as wide as itself.
"""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np
from PIL import Image, ImageDraw

from vision.annotation.notes import notes_of, plan
from vision.annotation.plates import BLACK, RGB, WHITE, load_font
from vision.annotation.pointing import outset_px, short_sides
from vision.findings import Mark
from vision.whole_files import write_whole

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from vision.annotation.notes import Note, Plan
    from vision.findings import SetFinding
    from vision.types import Floats, Layout, Pixels, Placed, Readings

MIN_SIDE_PX: Final = 1000
MAX_SIDE_PX: Final = 2000
_COLOURS: Final[dict[Mark, RGB]] = {
    Mark.VALID: (22, 150, 62),
    Mark.INVALID: (214, 30, 40),
    Mark.UNSURE: (240, 160, 0),
}
_INKS: Final[dict[str, RGB]] = {
    "R": (200, 20, 30),
    "B": (10, 90, 200),
    "O": (200, 100, 0),
    "K": BLACK,
    "J": (110, 40, 150),
}
# Letter heights of a reading, as a share of its tile's width.
_LABEL_SIZE: Final = 0.44
_LONG_LABEL_SIZE: Final = 0.36
_SHORT_LABEL: Final = 3


def annotate(
    pixels: Pixels, readings: Readings, layout: Layout, findings: Sequence[SetFinding]
) -> Image.Image:
    """Draw tiles, sets and the reasons beside them onto a copy of `pixels` (BGR).

    The result is 1000 to 2000 pixels on its long side. What finds no free place beside its
    tiles gets a number at them, and its words stand below the picture.
    """
    scale = _scale(*pixels.shape[:2])
    image = _resized(pixels, scale)
    quads = readings.quads_img * np.float32(scale)
    for placed, finding in zip(layout.placed, findings, strict=True):
        _draw_frame(image, _frame(placed, quads, image.size), _COLOURS[finding.mark])
    for quad, reading in zip(quads, readings.readings, strict=True):
        _draw_tile(image, quad, str(reading.tile), unsure=reading.unsure)
    return _draw_plan(image, plan(notes_of(findings, layout, readings), quads, image.size))


def save_annotated(image: Image.Image, path: Path) -> None:
    """Write the picture whole or not at all.

    Raises
    ------
    OSError
        If it cannot be written.
    """
    data = BytesIO()
    image.save(data, "JPEG", quality=90)
    write_whole(path, data.getvalue())


def _scale(height_px: int, width_px: int) -> float:
    side = max(height_px, width_px)
    return float(np.clip(side, MIN_SIDE_PX, MAX_SIDE_PX)) / side


def _resized(pixels: Pixels, scale: float) -> Image.Image:
    height, width = (max(1, round(side * scale)) for side in pixels.shape[:2])
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    resized = pixels if scale == 1 else cv2.resize(pixels, (width, height), interpolation=how)
    return Image.fromarray(cv2.cvtColor(resized, cv2.COLOR_BGR2RGB))


def _neighbours(placed: Placed) -> Iterable[tuple[int, int]]:
    """Pairs of tiles that stand in cells side by side."""
    for row in (*placed.cells, *zip(*placed.cells, strict=True)):
        for one, other in pairwise(row):
            if one is not None and other is not None:
                yield one, other


def _frame(placed: Placed, quads: Floats, size: tuple[int, int]) -> list[Floats]:
    """Outlines of the set, slightly outset: its tiles and what lies between neighbours."""
    outset = outset_px(quads[list(placed.tiles)], size)
    mask = np.zeros((size[1], size[0]), np.uint8)
    for tile in placed.tiles:
        cv2.fillPoly(mask, [quads[tile].round().astype(np.int32)], 255)
    for one, other in _neighbours(placed):
        hull = cv2.convexHull(np.concatenate([quads[one], quads[other]]))
        cv2.fillPoly(mask, [hull.round().astype(np.int32)], 255)
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * outset + 1, 2 * outset + 1))
    contours, _ = cv2.findContours(
        cv2.dilate(mask, disc), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE
    )
    return [contour[:, 0].astype(np.float32) for contour in contours]


def _draw_frame(image: Image.Image, frame: list[Floats], colour: RGB) -> None:
    draw = ImageDraw.Draw(image)
    width = max(4, round(image.width * 0.006))
    for outline in frame:
        ring = [(float(x), float(y)) for x, y in (*outline, outline[0])]
        draw.line(ring, WHITE, width + 4, joint="curve")
        draw.line(ring, colour, width, joint="curve")


def _draw_tile(image: Image.Image, quad: Floats, face: str, *, unsure: bool) -> None:
    """Outline the tile, and write its reading on the lower half, where no number is printed."""
    draw = ImageDraw.Draw(image)
    edge = _COLOURS[Mark.UNSURE] if unsure else _INKS[face[0]]
    ring = [(float(x), float(y)) for x, y in (*quad, quad[0])]
    draw.line(ring, WHITE, 4, joint="curve")
    draw.line(ring, edge, 2, joint="curve")
    text = f"{face}?" if unsure else face
    size = _LABEL_SIZE if len(text) <= _SHORT_LABEL else _LONG_LABEL_SIZE
    font_px = round(min(max(11, float(short_sides(quad[None])[0]) * size), image.width / 4))
    font = load_font(font_px)
    x, y = (float(v) for v in 0.13 * (quad[0] + quad[1]) + 0.37 * (quad[2] + quad[3]))
    half_width, half_height = font.getlength(text) / 2 + font_px * 0.18, font_px * 0.55
    draw.rounded_rectangle(
        (x - half_width, y - half_height, x + half_width, y + half_height),
        radius=font_px * 0.25,
        fill=WHITE,
        outline=edge,
        width=max(1, font_px // 14),
    )
    draw.text((x, y), text, _INKS[face[0]], font, anchor="mm", stroke_width=font_px / 40)


def _draw_plan(image: Image.Image, found: Plan) -> Image.Image:
    for point in found.pointed:
        _draw_leader(image, point.line, _COLOURS[point.note.mark])
    for point in found.pointed:
        left, top = (float(v) for v in point.place[:2])
        point.plate.draw(image, left, top, _COLOURS[point.note.mark])
    for number, (note, places) in enumerate(found.numbered, start=1):
        for place in places:
            _draw_number(image, number, place, _COLOURS[note.mark])
    legend = [
        replace(note, texts=(f"{number} {note.texts[0]}", *note.texts[1:]))
        for number, (note, _) in enumerate(found.numbered, start=1)
    ]
    return _with_legend(image, [*legend, *found.general], found.font_px)


def _draw_leader(image: Image.Image, line: Floats, colour: RGB) -> None:
    """Draw a line from a plate, with a dot where it ends."""
    draw = ImageDraw.Draw(image)
    start, end = ((float(x), float(y)) for x, y in line)
    for ink, width_px, radius_px in ((WHITE, 7, 6), (colour, 3, 4)):
        draw.line((start, end), ink, width_px)
        x, y = end
        draw.ellipse((x - radius_px, y - radius_px, x + radius_px, y + radius_px), fill=ink)


def _draw_number(image: Image.Image, number: int, place: Floats, colour: RGB) -> None:
    """Draw a number in a disc, which the legend below the picture explains."""
    draw = ImageDraw.Draw(image)
    left, top, right, bottom = (float(v) for v in place)
    font_px = round((right - left) / 1.5)
    edge_px = max(2, font_px // 10)
    draw.ellipse((left, top, right, bottom), fill=colour, outline=WHITE, width=edge_px)
    middle = ((left + right) / 2, (top + bottom) / 2)
    draw.text(middle, str(number), WHITE, load_font(font_px), anchor="mm", stroke_width=0.5)


def _with_legend(image: Image.Image, notes: list[Note], font_px: int) -> Image.Image:
    """Make room below the picture for the notes."""
    if not notes:
        return image
    margin = font_px // 2
    width = image.width - 4 * font_px
    plates = [note.plate(font_px, width) for note in notes]
    room = sum(round(plate.size[1]) + margin for plate in plates) + margin
    taller = Image.new("RGB", (image.width, image.height + room), (236, 236, 236))
    taller.paste(image, (0, 0))
    top = float(image.height + margin)
    for note, plate in zip(notes, plates, strict=True):
        plate.draw(taller, margin, top, _COLOURS[note.mark])
        top += round(plate.size[1]) + margin
    return taller
