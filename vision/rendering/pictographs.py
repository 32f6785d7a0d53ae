"""Pictographs on jokers: what a maker may print there, in one ink or in colours of its own.

Animals, crowns, cards, fruit, faces and the like, as Unicode names them and free fonts draw them.
As with typefaces some are kept from training, so that jokers of kinds that no reader has met can
be measured.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np
from PIL import Image, ImageDraw

from vision.rendering.editions import find_font, open_font

if TYPE_CHECKING:
    from vision.types import Pixels

# In Debian's fonts-symbola and fonts-noto-color-emoji; the latter has one size alone.
_PRINTED: Final = ("Symbola_hint.ttf", 256)
_COLOURED: Final = ("NotoColorEmoji.ttf", 109)
_NO_CHARACTER: Final = "\U0010fffe"
_LEAST_PX: Final = 8

_BLOCKS: Final = (
    range(0x2600, 0x27C0),  # miscellaneous symbols, dingbats
    range(0x1F300, 0x1F6D0),  # pictographs, emoticons, transport
    range(0x1F90C, 0x1FA00),  # supplemental pictographs
)
# In names of what holds a figure or may be taken for one, and of what shows nothing.
_NO_JOKERS: Final = (
    "AMPERSAND", "ARROW", "BAR", "BILLIARDS", "BRACKET", "CALENDAR", "CHECK", "CIRCLED",
    "CONJUNCTION", "DIGIT", "DRAFTING", "EIGHTEEN", "EXCLAMATION", "GRAM FOR", "HUNDRED",
    "INPUT SYMBOL", "INTERROBANG", "KEYCAP", "LETTER", "MODIFIER", "NUMBER", "OPPOSITION",
    "PARENTHESIS", "PLASTICS", "QUESTION", "QUOTATION", "SLOT MACHINE", "VARIATION",
)  # fmt: skip
_KEPT_ONE_IN: Final = 5  # spare, and as many for suites


def _jokers() -> tuple[str, ...]:
    named = ((chr(code), unicodedata.name(chr(code), "")) for block in _BLOCKS for code in block)
    return tuple(
        character
        for character, name in named
        if name and not any(word in name for word in _NO_JOKERS)
    )


_ALL: Final = _jokers()
UNMET: Final = tuple(each for each in _ALL if ord(each) % _KEPT_ONE_IN == 0)
SPARE: Final = tuple(each for each in _ALL if ord(each) % _KEPT_ONE_IN == 1)
TRAINED: Final = tuple(each for each in _ALL if ord(each) % _KEPT_ONE_IN > 1)


@lru_cache(maxsize=64)
def drawn(pictograph: str, *, coloured: bool) -> Pixels | None:
    """Draw a pictograph as large as its font has it, cut at its edges.

    Returns
    -------
        (h, w, 4) uint8, BGR and how much of it covers what lies below; in black if it is not
        `coloured`. As the other font has it where one lacks it, None where neither is installed.
    """
    for name, size_px in (_COLOURED, _PRINTED) if coloured else (_PRINTED, _COLOURED):
        picture = _from_font(name, size_px, pictograph)
        if picture is not None:
            return picture if coloured else _in_black(picture)
    return None


def _in_black(picture: Pixels) -> Pixels:
    """Return how dark a picture is as how much of it is covered, at most wholly."""
    dark = (255 - cv2.cvtColor(picture[..., :3], cv2.COLOR_BGR2GRAY)) * (picture[..., 3] / 255.0)
    black = np.zeros_like(picture)
    black[..., 3] = dark * (255 / max(float(dark.max()), 1.0))
    return black


def _from_font(name: str, size_px: int, character: str) -> Pixels | None:
    path = find_font((name,))
    if path is None:
        return None
    font = open_font(path, size_px)
    if bytes(font.getmask(character)) == bytes(font.getmask(_NO_CHARACTER)):
        return None
    canvas = Image.new("RGBA", (3 * size_px, 3 * size_px))
    draw = ImageDraw.Draw(canvas)
    middle = (1.5 * size_px, 1.5 * size_px)
    draw.text(middle, character, (0, 0, 0, 255), font, anchor="mm", embedded_color=True)
    box = canvas.getbbox()
    if box is None or min(box[2] - box[0], box[3] - box[1]) < _LEAST_PX:
        return None
    rgba = np.asarray(canvas.crop(box), np.uint8)
    return np.ascontiguousarray(rgba[..., [2, 1, 0, 3]])
