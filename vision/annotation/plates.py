"""Text plates for annotated pictures, and the words in them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

from PIL import Image, ImageDraw, ImageFont

Font: TypeAlias = ImageFont.FreeTypeFont | ImageFont.ImageFont
RGB: TypeAlias = tuple[int, int, int]

WHITE: Final[RGB] = (255, 255, 255)
BLACK: Final[RGB] = (24, 24, 24)
_LINE_HEIGHT: Final = 1.25


@dataclass(frozen=True, slots=True)
class Plate:
    """Words on a plain ground with a coloured edge."""

    lines: tuple[str, ...]
    font_px: int

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

    def draw(self, image: Image.Image, left: float, top: float, edge: RGB) -> None:
        """Draw onto `image` with the plate's top left corner there."""
        draw = ImageDraw.Draw(image)
        width, height = self.size
        draw.rounded_rectangle(
            (left, top, left + width, top + height),
            radius=self.padding_px,
            fill=WHITE,
            outline=edge,
            width=max(self.font_px // 8, 2),
        )
        draw.rectangle(
            (left, top + self.padding_px, left + self.padding_px, top + height - self.padding_px),
            fill=edge,
        )
        font = load_font(self.font_px)
        for row, line in enumerate(self.lines):
            middle = top + self.padding_px + (row + 0.5) * self.font_px * _LINE_HEIGHT
            draw.text((left + 2 * self.padding_px, middle), line, BLACK, font, anchor="lm")


@lru_cache(maxsize=64)
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
