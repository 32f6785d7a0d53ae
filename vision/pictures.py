"""Picture files in, pixels out: checked before decoding, and turned as a viewer shows them.

Anything that is wrong with a file ends as a `PictureError`, whose message is one line that says
what is wrong and what to do about it.
"""

from __future__ import annotations

import struct
import warnings
import zlib
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np
import pillow_heif
from PIL import Image, JpegImagePlugin, UnidentifiedImageError

from referee.phrases import say

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from vision.types import Pixels

MAX_PICTURE_PIXELS: Final = 60_000_000
MAX_FILE_BYTES: Final = 60_000_000
_FORMATS: Final = ("JPEG", "PNG", "WEBP")
_JPEG: Final = b"\xff\xd8\xff"
_ORIENTATION_TAG: Final = 0x0112
_PAPER: Final = (255, 255, 255)

# What Pillow's and libheif's decoders raise on broken files, found by feeding them such files.
_DECODER_ERRORS: Final = (
    ArithmeticError,
    EOFError,
    LookupError,
    OSError,
    RuntimeError,
    SyntaxError,
    TypeError,
    ValueError,
    struct.error,
    zlib.error,
)

# Opened by name, because registering it with Pillow would change Pillow for everybody.
_AVIF: Final = "image/avif"
_HeifImage: Final[Any] = pillow_heif.HeifImageFile

_TURNS: Final = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}


class PictureError(Exception):
    """A file that cannot be read as a picture; the message says why and what to do."""


def load_picture(path: Path) -> Pixels:
    """Load a JPEG, PNG, WebP or HEIC file as (h, w, 3) uint8 BGR pixels, EXIF rotation applied.

    Transparent parts become white; of an animation the first frame counts; a JPEG of more pixels
    than are read is decoded at half its size.

    Raises
    ------
    PictureError
        If the file is missing, empty, too big, cut short or not a picture.
    """
    return decode_picture(_file_bytes(path))


def decode_picture(data: bytes) -> Pixels:
    """Decode the bytes of a picture file; like `load_picture`.

    Raises
    ------
    PictureError
        If the bytes are not a whole picture of a known format, or one of too many pixels.
    """
    if not data:
        raise PictureError(say("picture.empty", "the file is empty; take or copy the photo again"))
    with warnings.catch_warnings():
        # Pillow warns of oddities in a file's metadata, which a player can do nothing about.
        warnings.simplefilter("ignore")
        try:
            with _open(data) as image:
                _halve_if_too_large(image)
                _check_size(*image.size)
                image.load()
                upright = _turned(image)
                return np.ascontiguousarray(_rgb(upright)[:, :, ::-1])
        except _DECODER_ERRORS as error:
            text = say(
                "picture.damaged",
                "the picture is damaged or cut short ({reason}); copy it again",
                reason=_first_line(error),
            )
            raise PictureError(text) from error


def _file_bytes(path: Path) -> bytes:
    try:
        if path.is_dir():
            raise PictureError(say("picture.folder", "this is a folder; name the pictures in it"))
        if path.exists() and not path.is_file():
            text = say(
                "picture.no_file", "not an ordinary file; give a JPEG, PNG, WebP or HEIC picture"
            )
            raise PictureError(text)
        size_bytes = path.stat().st_size
        if size_bytes > MAX_FILE_BYTES:
            text = say(
                "picture.large_file",
                "the file has {size} MB, at most {most} MB are read; save the photo smaller",
                size=f"{size_bytes / 1e6:.0f}",
                most=f"{MAX_FILE_BYTES / 1e6:.0f}",
            )
            raise PictureError(text)
        return path.read_bytes()
    except FileNotFoundError:
        raise PictureError(say("picture.gone", "no such file; check the name")) from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        text = say("picture.closed", "cannot be opened ({reason}); check the file", reason=reason)
        raise PictureError(text) from error


def _open(data: bytes) -> Image.Image:
    """Read the header only, with the decoders for the known formats and no others."""
    # libheif knows AVIF by its looks, too, but comes without what decodes it.
    begin = data[:64]
    if pillow_heif.is_supported(begin) and pillow_heif.get_file_mimetype(begin) != _AVIF:
        try:
            return cast("Image.Image", _HeifImage(BytesIO(data)))
        except SyntaxError as error:
            raise OSError(str(error)) from error
    if begin.startswith(_JPEG):  # Pillow's own limit would refuse a phone's 200 million pixels
        return JpegImagePlugin.jpeg_factory(BytesIO(data))
    try:
        return Image.open(BytesIO(data), formats=_FORMATS)
    except UnidentifiedImageError:
        text = say(
            "picture.unknown",
            "not a picture of a known format; give a JPEG, PNG, WebP or HEIC picture",
        )
        raise PictureError(text) from None
    except Image.DecompressionBombError:
        raise _too_many_pixels("> 170") from None


def _halve_if_too_large(image: Image.Image) -> None:
    """Have a large JPEG decoded at half its size: phones of 108 million pixels take such photos.

    Not a progressive one, all of which would have to be held in memory for that. Other formats
    can't be.
    """
    width_px, height_px = image.size
    if width_px * height_px > MAX_PICTURE_PIXELS and "progressive" not in image.info:
        image.draft(None, (width_px // 2, height_px // 2))


def _check_size(width_px: int, height_px: int) -> None:
    if width_px * height_px > MAX_PICTURE_PIXELS:
        raise _too_many_pixels(f"{width_px * height_px / 1e6:.0f}")


def _too_many_pixels(megapixels: str) -> PictureError:
    return PictureError(
        say(
            "picture.too_many",
            "the picture has {megapixels} million pixels, at most {most} million are read; "
            "save it smaller",
            megapixels=megapixels,
            most=f"{MAX_PICTURE_PIXELS / 1e6:.0f}",
        )
    )


def _turned(image: Image.Image) -> Image.Image:
    """Turn as the EXIF orientation says; unreadable EXIF counts as none."""
    try:
        turn = _TURNS.get(image.getexif().get(_ORIENTATION_TAG, 1))
    except _DECODER_ERRORS:
        turn = None
    return image if turn is None else image.transpose(turn)


def _rgb(image: Image.Image) -> Pixels:
    """Whatever the mode, three channels of 8 bits."""
    if image.mode.startswith(("I", "F")):
        grey = _eight_bits(np.asarray(image))
        return np.repeat(grey[:, :, None], 3, axis=2)
    if image.has_transparency_data:
        layer = image.convert("RGBA")
        paper = Image.new("RGBA", image.size, (*_PAPER, 255))
        return np.asarray(Image.alpha_composite(paper, layer).convert("RGB"))
    return np.asarray(image.convert("RGB"))


def _eight_bits(deep: NDArray[np.generic]) -> Pixels:
    """Sixteen-bit grey levels to eight bits."""
    levels: Pixels = (deep.astype(np.float32) / 257.0).clip(0, 255).round().astype(np.uint8)
    return levels


def _first_line(error: BaseException) -> str:
    lines = str(error).splitlines()
    return lines[0] if lines else type(error).__name__
