"""Text plates for annotated pictures: wrapping words and finding a free place for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from PIL import Image, ImageDraw, ImageFont

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Font: TypeAlias = ImageFont.FreeTypeFont | ImageFont.ImageFont
RGB: TypeAlias = tuple[int, int, int]

WHITE: Final[RGB] = (255, 255, 255)
BLACK: Final[RGB] = (24, 24, 24)
_LINE_HEIGHT: Final = 1.25


@dataclass(frozen=True, slots=True)
class Box:
    """An upright rectangle in image pixels."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        """How wide it is."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """How high it is."""
        return self.bottom - self.top

    @property
    def middle(self) -> tuple[float, float]:
        """Its centre."""
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    def overlap(self, other: Box) -> float:
        """Area in common, in square pixels."""
        width = min(self.right, other.right) - max(self.left, other.left)
        height = min(self.bottom, other.bottom) - max(self.top, other.top)
        return max(width, 0.0) * max(height, 0.0)

    def nearest(self, point: tuple[float, float]) -> tuple[float, float]:
        """Return the point of the rectangle that is nearest to `point`."""
        x, y = point
        return min(max(x, self.left), self.right), min(max(y, self.top), self.bottom)

    def inside(self, width: float, height: float) -> bool:
        """Whether it lies wholly in a picture of that size."""
        return self.left >= 0 and self.top >= 0 and self.right <= width and self.bottom <= height

    def distance(self, other: Box) -> float:
        """Gap between the two, 0 where they touch or overlap."""
        dx = max(self.left - other.right, other.left - self.right, 0.0)
        dy = max(self.top - other.bottom, other.top - self.bottom, 0.0)
        return float((dx * dx + dy * dy) ** 0.5)


@dataclass(frozen=True, slots=True)
class Plate:
    """Words on a plain ground with a coloured edge."""

    lines: tuple[str, ...]
    font_px: int
    edge: RGB

    @property
    def padding_px(self) -> int:
        """Room between the words and the plate's edge."""
        return max(self.font_px // 3, 3)

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in pixels."""
        font = load_font(self.font_px)
        width = max(font.getlength(line) for line in self.lines)
        height = self.font_px * _LINE_HEIGHT * len(self.lines)
        return width + 3 * self.padding_px, height + 2 * self.padding_px

    def draw(self, image: Image.Image, left: float, top: float) -> None:
        """Draw onto `image` with the plate's top left corner there."""
        draw = ImageDraw.Draw(image)
        width, height = self.size
        draw.rounded_rectangle(
            (left, top, left + width, top + height),
            radius=self.padding_px,
            fill=WHITE,
            outline=self.edge,
            width=max(self.font_px // 8, 2),
        )
        draw.rectangle(
            (left, top + self.padding_px, left + self.padding_px, top + height - self.padding_px),
            fill=self.edge,
        )
        font = load_font(self.font_px)
        for row, line in enumerate(self.lines):
            middle = top + self.padding_px + (row + 0.5) * self.font_px * _LINE_HEIGHT
            draw.text((left + 2 * self.padding_px, middle), line, BLACK, font, anchor="lm")


def load_font(size_px: int) -> Font:
    """Return the font that comes with Pillow, so that no font file is needed."""
    return ImageFont.load_default(size=size_px)


def wrap(text: str, font_px: int, width_px: float) -> tuple[str, ...]:
    """Break `text` into lines no wider than `width_px`; a longer word keeps a line of its own.

    >>> wrap("a red seven and a blue seven", 10, 60)
    ('a red seven', 'and a blue', 'seven')
    """
    font = load_font(font_px)
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and font.getlength(longer) <= width_px:
            lines[-1] = longer
        else:
            lines.append(word)
    return tuple(lines)


def free_place(
    size: tuple[float, float],
    anchor: Box,
    taken: Sequence[Box],
    picture: tuple[int, int],
    *,
    reach_px: float,
) -> Box | None:
    """Find the place nearest to `anchor` that covers nothing in `taken`, or None.

    Parameters
    ----------
    size
        Width and height to place.
    anchor
        What the place belongs to.
    taken
        What must stay visible.
    picture
        Width and height of the picture, which the place stays inside of.
    reach_px
        How far from `anchor` the place may be.
    """
    fitting = [
        place
        for place in _places(size, anchor, picture)
        if place.inside(*picture)
        and place.distance(anchor) <= reach_px
        and not any(place.overlap(box) for box in taken)
    ]
    return min(fitting, key=lambda place: _offset(place, anchor), default=None)


def _offset(place: Box, anchor: Box) -> float:
    (x, y), (anchor_x, anchor_y) = place.middle, anchor.middle
    return place.distance(anchor) + 0.1 * (abs(x - anchor_x) + abs(y - anchor_y))


def _places(size: tuple[float, float], anchor: Box, picture: tuple[int, int]) -> Iterable[Box]:
    """Places on a lattice about as fine as a third of the plate, over the whole picture."""
    width, height = size
    step_x, step_y = max(width / 6, 4.0), max(height / 4, 4.0)
    x0, y0 = anchor.middle[0] - width / 2, anchor.middle[1] - height / 2
    for column in range(-int(x0 // step_x) - 1, int((picture[0] - x0) // step_x) + 1):
        for row in range(-int(y0 // step_y) - 1, int((picture[1] - y0) // step_y) + 1):
            left, top = x0 + column * step_x, y0 + row * step_y
            yield Box(left, top, left + width, top + height)
