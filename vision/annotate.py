"""Annotated pictures: what was seen and judged, drawn onto a copy of the photo.

Everything is sized by the picture's width, because a phone shows a picture as wide as itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import dist
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np
from PIL import Image, ImageDraw

from vision.findings import LOOSE_TILES, Mark, SetFinding, several_loose
from vision.plates import BLACK, RGB, WHITE, Box, Plate, free_place, load_font, wrap

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

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
# Letter heights: of a note as a share of the picture's width, of a reading of its tile's.
_NOTE_SIZE: Final = 0.028
_LABEL_SIZE: Final = 0.44
_LONG_LABEL_SIZE: Final = 0.36
_SHORT_LABEL: Final = 3
_REACH: Final = 0.18


@dataclass(frozen=True, slots=True)
class _Note:
    """One sentence, and the sets that it is about; none if their frames say enough."""

    mark: Mark
    text: str
    sets: tuple[int, ...]


def annotate(
    pixels: Pixels, readings: Readings, layout: Layout, findings: Sequence[SetFinding]
) -> Image.Image:
    """Draw tiles, sets and the reasons beside them onto a copy of `pixels` (BGR).

    The result is 1000 to 2000 pixels on its long side. What finds no free place beside its set
    gets a number there, and its words stand below the picture.
    """
    scale = _scale(*pixels.shape[:2])
    image = _resized(pixels, scale)
    quads = readings.quads_img * np.float32(scale)
    for placed, finding in zip(layout.placed, findings, strict=True):
        _draw_frame(image, _frame(placed, quads, image.size), _COLOURS[finding.mark])
    for quad, reading in zip(quads, readings.readings, strict=True):
        _draw_tile(image, quad, str(reading.tile), unsure=reading.unsure)
    anchors = [_Anchor.of(quads[list(placed.tiles)]) for placed in layout.placed]
    return _draw_notes(_Desk.of(image, quads), anchors, _notes(findings))


def save_annotated(image: Image.Image, path: Path) -> None:
    """Write the picture whole or not at all.

    Raises
    ------
    OSError
        If it cannot be written.
    """
    unfinished = path.with_name(f".{path.name}.part")
    try:
        image.save(unfinished, "JPEG", quality=90)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def _scale(height_px: int, width_px: int) -> float:
    side = max(height_px, width_px)
    return float(np.clip(side, MIN_SIDE_PX, MAX_SIDE_PX)) / side


def _resized(pixels: Pixels, scale: float) -> Image.Image:
    height, width = (max(1, round(side * scale)) for side in pixels.shape[:2])
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    resized = pixels if scale == 1 else cv2.resize(pixels, (width, height), interpolation=how)
    return Image.fromarray(cv2.cvtColor(resized, cv2.COLOR_BGR2RGB))


def _short_side(quad: Floats) -> float:
    sides = np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1)
    return float(min(sides[0] + sides[2], sides[1] + sides[3])) / 2


def _bounds(outline: Floats, margin: float = 0.0) -> Box:
    left, top = (float(v) - margin for v in outline.min(axis=0))
    right, bottom = (float(v) + margin for v in outline.max(axis=0))
    return Box(left, top, right, bottom)


def _neighbours(placed: Placed) -> Iterable[tuple[int, int]]:
    """Pairs of tiles that stand in cells side by side."""
    for row in (*placed.cells, *zip(*placed.cells, strict=True)):
        for one, other in pairwise(row):
            if one is not None and other is not None:
                yield one, other


def _frame(placed: Placed, quads: Floats, size: tuple[int, int]) -> list[Floats]:
    """Outlines of the set, slightly outset: its tiles and what lies between neighbours."""
    side_px = float(np.median([_short_side(quads[tile]) for tile in placed.tiles]))
    outset = round(min(max(2.0, 0.12 * side_px), 0.02 * max(size)))
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
    font_px = round(min(max(11, _short_side(quad) * size), image.width / 4))
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


def _notes(findings: Sequence[SetFinding]) -> list[_Note]:
    """One note a sentence, wrong sets first; sets of which the same is said share a note."""
    said: dict[tuple[Mark, str], list[int]] = {}
    if several_loose(findings):
        said[Mark.INVALID, LOOSE_TILES] = []
    for number, finding in enumerate(findings):
        if finding.loose and several_loose(findings):
            continue
        for text in finding.reasons:
            said.setdefault((finding.mark, text), []).append(number)
        for text in finding.hints:
            said.setdefault((Mark.VALID, text), []).append(number)
    order = [Mark.INVALID, Mark.UNSURE, Mark.VALID]
    notes = [_Note(mark, text, tuple(sets)) for (mark, text), sets in said.items()]
    return sorted(notes, key=lambda note: order.index(note.mark))


@dataclass(frozen=True, slots=True)
class _Anchor:
    """Where a set is: the box around it, and points on the edges of its tiles."""

    box: Box
    points: tuple[tuple[float, float], ...]

    @classmethod
    def of(cls, quads: Floats) -> _Anchor:
        halfway = (quads + np.roll(quads, -1, axis=1)) / 2
        edges = np.concatenate([quads, halfway], axis=1).reshape(-1, 2)
        return cls(_bounds(edges), tuple((float(x), float(y)) for x, y in edges))


def _draw_notes(desk: _Desk, anchors: list[_Anchor], notes: list[_Note]) -> Image.Image:
    below = [
        note
        for note in notes
        if len(note.sets) != 1 or not desk.draw_beside(note, anchors[note.sets[0]])
    ]
    numbered = [note for note in below if note.sets]
    for number, note in enumerate(numbered, start=1):
        for place in note.sets:
            desk.draw_badge(number, note.mark, anchors[place])
    legend = [_Note(n.mark, f"{i}  {n.text}", n.sets) for i, n in enumerate(numbered, start=1)]
    legend += [note for note in below if not note.sets]
    return _with_legend(desk.image, legend, desk.font_px)


@dataclass(frozen=True, slots=True)
class _Desk:
    """A picture to put notes on, and which places of it are taken."""

    image: Image.Image
    taken: list[Box]
    font_px: int

    @classmethod
    def of(cls, image: Image.Image, quads: Floats) -> _Desk:
        font_px = max(12, round(image.width * _NOTE_SIZE))
        margins = [0.14 * _short_side(quad) + 0.2 * font_px for quad in quads]
        taken = [_bounds(quad, margin) for quad, margin in zip(quads, margins, strict=True)]
        return cls(image, taken, font_px)

    def draw_beside(self, note: _Note, anchor: _Anchor) -> bool:
        """Draw the note near its set; say whether there was room."""
        colour = _COLOURS[note.mark]
        reach_px = self.image.width * _REACH
        for share in (0.45, 0.3, 0.7):
            lines = wrap(note.text, self.font_px, self.image.width * share)
            plate = Plate(lines, self.font_px, colour)
            place = free_place(
                plate.size, anchor.box, self.taken, self.image.size, reach_px=reach_px
            )
            if place is not None:
                self._draw_leader(place, anchor, colour)
                plate.draw(self.image, place.left, place.top)
                self.taken.append(place)
                return True
        return False

    def _draw_leader(self, place: Box, anchor: _Anchor, colour: RGB) -> None:
        """Draw a line between a plate and its set."""
        ends = min(
            ((place.nearest(point), point) for point in anchor.points), key=lambda e: dist(*e)
        )
        draw = ImageDraw.Draw(self.image)
        draw.line(ends, WHITE, 7)
        draw.line(ends, colour, 3)

    def draw_badge(self, number: int, mark: Mark, anchor: _Anchor) -> None:
        """Draw a number in a disc at the set, which the legend below the picture explains."""
        size = 1.5 * self.font_px
        place = free_place(
            (size, size), anchor.box, self.taken, self.image.size, reach_px=2 * self.font_px
        )
        if place is None:
            x, y = anchor.points[0]
            left = min(max(x - size / 2, 0.0), self.image.width - size)
            top = min(max(y - size / 2, 0.0), self.image.height - size)
            place = Box(left, top, left + size, top + size)
        self.taken.append(place)
        draw = ImageDraw.Draw(self.image)
        corners = (place.left, place.top, place.right, place.bottom)
        edge_px = max(2, self.font_px // 10)
        draw.ellipse(corners, fill=_COLOURS[mark], outline=WHITE, width=edge_px)
        font = load_font(self.font_px)
        draw.text(place.middle, str(number), WHITE, font, anchor="mm", stroke_width=0.5)


def _with_legend(image: Image.Image, notes: list[_Note], font_px: int) -> Image.Image:
    """Make room below the picture for the notes."""
    if not notes:
        return image
    margin = font_px // 2
    width = image.width - 4 * font_px
    plates = [
        Plate(wrap(note.text, font_px, width), font_px, _COLOURS[note.mark]) for note in notes
    ]
    room = sum(round(plate.size[1]) + margin for plate in plates) + margin
    taller = Image.new("RGB", (image.width, image.height + room), (236, 236, 236))
    taller.paste(image, (0, 0))
    top = float(image.height + margin)
    for plate in plates:
        plate.draw(taller, margin, top)
        top += round(plate.size[1]) + margin
    return taller
