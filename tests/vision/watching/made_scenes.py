"""A table, tiles and hands drawn by hand, and a reader that knows what is drawn."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from statistics import NormalDist
from typing import TYPE_CHECKING

import cv2
import numpy as np

from referee import Tile, load_ruleset
from tests.fakes import NOTHING_READ
from vision.pipeline import TableReader
from vision.types import Detections, Reading, Readings
from vision.watching import Sight, Watcher, WatchSettings
from vision.watching.registration import moved

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from vision.types import Floats, Pixels

WIDTH_PX, HEIGHT_PX = 960, 540
TILE_PX = (36, 52)
READABLE_BLUR_PX = 3.0
INKS = {
    "R": (40, 40, 200),
    "B": (190, 80, 20),
    "O": (20, 130, 240),
    "K": (30, 30, 30),
    "J": (90, 20, 120),
}
STANDARD = load_ruleset("standard")


@dataclass(frozen=True)
class Frame:
    pixels: Pixels
    number: int
    taken_s: float
    camera: str = "made"


@dataclass(frozen=True)
class Scene:
    """What lies where: tiles by their places, a hand, the light, the camera's move.

    `tiles` maps (left, top) to a face; `hand` is where the fingertips are; `thing` a rectangle;
    `seen_from` another camera's place, as the homography from these pixels to its own, and
    `size_px` the width and height of its picture; `plain` the colour of a table without grain;
    `flicker` by how much a lamp's bands go up and down, over the picture's height or width.
    """

    tiles: Mapping[tuple[int, int], str] = field(default_factory=dict)
    hand: tuple[int, int] | None = None
    thing: tuple[int, int, int, int] | None = None
    light: float = 1.0
    shade: int | None = None
    shift: tuple[float, float, float] = (0.0, 0.0, 0.0)
    noise: float = 1.5
    quality: int = 0
    seen_from: tuple[tuple[float, ...], ...] | None = None
    size_px: tuple[int, int] = (WIDTH_PX, HEIGHT_PX)
    plain: tuple[int, int, int] | None = None
    blur_px: float = 0.0
    flicker: tuple[float, float] = (0.0, 0.0)

    @property
    def move(self) -> Floats:
        if self.seen_from is not None:
            return np.array(self.seen_from, np.float32)
        x, y, degrees = self.shift
        turn = cv2.getRotationMatrix2D((WIDTH_PX / 2, HEIGHT_PX / 2), degrees, 1.0)
        away = np.array([(1, 0, x), (0, 1, y), (0, 0, 1)])
        return np.asarray(away @ np.vstack([turn, (0, 0, 1)]), np.float32)

    def pixels(self, seed: int = 0) -> Pixels:
        lit = self._picture
        if any(self.flicker):
            lit = lit * _of_all_colours(self._bands(seed))
        grain = _of_all_colours(np.float32(self.noise) * _grain(seed, *lit.shape[:2]))
        pixels = np.asarray(cv2.add(lit, grain, dtype=cv2.CV_8U), np.uint8)
        if self.quality:
            ok, data = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, self.quality])
            assert ok
            pixels = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
        return pixels

    def _bands(self, seed: int) -> Floats:
        """The light, (h, w), of a lamp that a rolling shutter meets at other moments."""
        height, width = self._picture.shape[:2]
        down, across = (
            1 + far * np.sin(2 * np.pi * (np.arange(side) / (0.4 * side) + 0.37 * seed))
            for far, side in zip(self.flicker, (height, width), strict=True)
        )
        return np.asarray(np.outer(down, across), np.float32)

    @cached_property
    def _picture(self) -> Floats:
        """What all frames show, before the camera adds its grain."""
        drawn = _wood() if self.plain is None else _plain(self.plain)
        for (left, top), face in self.tiles.items():
            _draw_tile(drawn, left, top, face)
        if self.thing is not None:
            left, top, right, bottom = self.thing
            cv2.rectangle(drawn, (left, top), (right, bottom), (110, 60, 40), -1)
        picture = drawn.astype(np.float32)
        if self.shade is not None:
            x = np.arange(WIDTH_PX, dtype=np.float32)
            picture *= (1 - 0.45 / (1 + np.exp(np.clip((x - self.shade) / 6, -30, 30))))[
                None, :, None
            ]
        if self.hand is not None:
            hand = picture.astype(np.uint8)
            _draw_hand(hand, *self.hand)
            picture = hand.astype(np.float32)
        if any(self.shift) or self.seen_from is not None:
            seen = cv2.warpPerspective(
                picture, self.move, self.size_px, borderMode=cv2.BORDER_REFLECT
            )
            picture = np.asarray(seen, np.float32)
        if self.blur_px:
            small = cv2.resize(picture, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
            soft = cv2.GaussianBlur(small, (0, 0), self.blur_px / 4)
            picture = np.asarray(cv2.resize(soft, self.size_px), np.float32)
        picture *= np.float32(self.light)
        return picture

    def readings(self) -> Readings:
        """All tiles that nothing hides."""
        seen = {place: face for place, face in self.tiles.items() if not self._hides(place)}
        width, height = TILE_PX
        corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
        lying = np.array([corners + place for place in seen], np.float32).reshape(-1, 1, 2)
        quads = moved(lying, self.move) if len(lying) else lying
        quads = quads.reshape(-1, 4, 2)
        middles = quads.mean(1)
        wide, high = self.size_px
        inside = [0 <= x <= wide and 0 <= y <= high for x, y in middles]
        faces = [Reading(Tile.parse(face), 0.98) for face in seen.values()]
        return Readings(
            quads[inside], tuple(f for f, keep in zip(faces, inside, strict=True) if keep)
        )

    def _hides(self, place: tuple[int, int]) -> bool:
        if self.blur_px > READABLE_BLUR_PX:
            return True
        x, y = place[0] + TILE_PX[0] / 2, place[1] + TILE_PX[1] / 2
        if self.hand is not None and abs(x - self.hand[0]) < 60 and y > self.hand[1] - 40:
            return True
        if self.thing is None:
            return False
        left, top, right, bottom = self.thing
        return left <= x <= right and top <= y <= bottom


_WOOD: list[Pixels] = []


# A normal distribution in 256 steps: bytes are drawn, and looked up, in a tenth of the time.
_NORMAL = np.array([NormalDist().inv_cdf((i + 0.5) / 256) for i in range(256)], np.float32)


def _grain(seed: int, height: int, width: int) -> Floats:
    drawn = np.frombuffer(np.random.default_rng(seed).bytes(height * width), np.uint8)
    return np.asarray(cv2.LUT(drawn.reshape(height, width), _NORMAL), np.float32)


def _of_all_colours(plane: Floats) -> Floats:
    """Repeat (h, w) as (h, w, 3): numpy would take thrice as long to do so as it reckons."""
    return np.asarray(cv2.cvtColor(plane, cv2.COLOR_GRAY2BGR), np.float32)


def _wood() -> Pixels:
    if not _WOOD:
        rng = np.random.default_rng(7)
        grain = cv2.GaussianBlur(
            rng.normal(0, 60, (HEIGHT_PX, WIDTH_PX)).astype(np.float32), (0, 0), 12, sigmaY=1.5
        )
        wood = np.array([70, 105, 140]) + grain[..., None]
        _WOOD.append(np.clip(wood, 0, 255).astype(np.uint8))
    return _WOOD[0].copy()


def _plain(colour: tuple[int, int, int]) -> Pixels:
    """A table without grain, lit a little more from one side."""
    light = np.linspace(0.9, 1.08, WIDTH_PX, dtype=np.float32)[None, :, None]
    plain = np.ones((HEIGHT_PX, 1, 1), np.float32) * light * np.array(colour, np.float32)
    return np.asarray(np.clip(plain, 0, 255), np.uint8)


def _draw_tile(picture: Pixels, left: int, top: int, face: str) -> None:
    width, height = TILE_PX
    cv2.rectangle(
        picture, (left - 2, top + 3), (left + width + 2, top + height + 3), (40, 60, 80), -1
    )
    cv2.rectangle(picture, (left, top), (left + width - 1, top + height - 1), (205, 225, 232), -1)
    text = face[1:] or "J"
    at = (left + (4 if len(text) > 1 else 9), top + 30)
    cv2.putText(picture, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.75, INKS[face[0]], 2)


def _draw_hand(picture: Pixels, x: int, y: int) -> None:
    outline = np.array(
        [
            (x - 28, HEIGHT_PX + 40),
            (x - 34, y + 60),
            (x - 26, y),
            (x, y - 12),
            (x + 26, y),
            (x + 34, y + 60),
            (x + 28, HEIGHT_PX + 40),
        ],
        np.int32,
    )
    cv2.fillPoly(picture, [outline], (120, 150, 205))
    for finger in (-13, 0, 13):
        cv2.line(picture, (x + finger, y), (x + finger, y + 45), (85, 110, 165), 2)


def row(left: int, top: int, faces: str) -> dict[tuple[int, int], str]:
    """Tiles side by side."""
    return {(left + i * (TILE_PX[0] + 1), top): face for i, face in enumerate(faces.split())}


class MadeReader:
    """Detects and reads what the scene says; counts how often it is asked."""

    def __init__(self) -> None:
        self.scene = Scene()
        self.asked = 0
        self.misread: Callable[[int, Readings], Readings] = lambda _, readings: readings
        self.network_ms = 0.0

    def detect(self, pixels: Pixels) -> Detections:
        width, height = self.scene.size_px
        assert pixels.shape == (height, width, 3)
        self.asked += 1
        quads = self.misread(self.asked, self.scene.readings()).quads_img
        return Detections(quads, np.ones(len(quads), np.float32))

    def read(self, pixels: Pixels, detections: Detections) -> Readings:
        assert pixels.dtype == np.uint8
        if not detections.confidences.any():
            return NOTHING_READ
        readings = self.misread(self.asked, self.scene.readings())
        assert len(readings) == len(detections)
        return readings


class Evening:
    """A watcher before which scenes are played, frame by frame."""

    def __init__(self, fps: float = 5.0, settings: WatchSettings | None = None) -> None:
        self.reader = MadeReader()
        self.watcher = Watcher(TableReader(self.reader, self.reader), STANDARD, settings)
        self.fps = fps
        self.number = 0
        self.sights: list[Sight] = []

    def show(self, scene: Scene, frames: int = 1, *, same_grain: bool = False) -> list[Sight]:
        self.reader.scene = scene
        shown = []
        for _ in range(frames):
            self.number += 1
            pixels = scene.pixels(0 if same_grain else self.number)
            shown.append(self.watcher.look(Frame(pixels, self.number, self.number / self.fps)))
        self.sights += shown
        return shown

    def photo(self, scene: Scene) -> list[Sight]:
        """Show a photo as one that was sent: the same pixels again and again, for a second."""
        self.reader.scene = scene
        pixels = scene.pixels(self.number)
        shown = []
        for _ in range(5):
            self.number += 1
            frame = Frame(pixels, self.number, self.number / self.fps)
            shown.append(self.watcher.look(frame, photo=True))
        self.sights += shown
        return shown

    def settle(self, scene: Scene, frames: int = 8) -> Sight:
        return self.show(scene, frames)[-1]

    def reach(self, before: Scene, after: Scene, at: tuple[int, int] = (480, 300)) -> list[Sight]:
        """A hand comes in, changes the table, and leaves."""
        x, y = at
        steps = [(x, y + 180), (x, y + 90), (x, y), (x + 10, y - 10)]
        shown = [self.show(replace(before, hand=place))[0] for place in steps]
        shown += [self.show(replace(after, hand=place))[0] for place in reversed(steps[:-1])]
        return shown + self.show(after, 8)


def faces(sight: Sight) -> Sequence[str]:
    assert sight.settled is not None
    return [str(tile.reading.tile) for tile in sight.settled.tiles]
