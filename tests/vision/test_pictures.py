from __future__ import annotations

import struct
import zlib
from io import BytesIO
from typing import TYPE_CHECKING

import numpy as np
import pillow_heif
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from vision import pictures
from vision.pictures import PictureError, decode_picture, load_picture

if TYPE_CHECKING:
    from pathlib import Path

    from vision.types import Pixels

RED, GREEN, BLUE, GREY = (220, 30, 30), (30, 200, 60), (20, 60, 220), (128, 128, 128)


def corners() -> Image.Image:
    """Four large patches: red, green / blue, grey."""
    image = Image.new("RGB", (64, 48), GREY)
    image.paste(RED, (0, 0, 32, 24))
    image.paste(GREEN, (32, 0, 64, 24))
    image.paste(BLUE, (0, 24, 32, 48))
    return image


def encoded(image: Image.Image, fmt: str, **options: object) -> bytes:
    file = BytesIO()
    image.save(file, fmt, **options)
    return file.getvalue()


def assert_patches(pixels: Pixels, *expected: tuple[int, int, int]) -> None:
    """Compare the top left, top right, bottom left and bottom right patch, given in RGB."""
    height, width = pixels.shape[:2]
    for place, rgb in enumerate(expected):
        y, x = (2 * (place // 2) + 1) * height // 4, (2 * (place % 2) + 1) * width // 4
        assert np.abs(pixels[y, x, ::-1].astype(int) - rgb).max() <= 12, (place, pixels[y, x])


@pytest.mark.parametrize(
    ("fmt", "options"),
    [
        ("JPEG", {"quality": 95}),
        ("JPEG", {"quality": 95, "progressive": True}),
        ("PNG", {}),
        ("WEBP", {"quality": 95}),
        ("WEBP", {"lossless": True}),
    ],
)
def test_reads_the_usual_formats_as_bgr(fmt: str, options: dict[str, object]) -> None:
    pixels = decode_picture(encoded(corners(), fmt, **options))
    assert pixels.shape == (48, 64, 3)
    assert pixels.dtype == np.uint8
    assert pixels.flags.c_contiguous
    assert_patches(pixels, RED, GREEN, BLUE, GREY)


def test_reads_heic() -> None:
    file = BytesIO()
    pillow_heif.from_pillow(corners()).save(file, quality=95)
    assert_patches(decode_picture(file.getvalue()), RED, GREEN, BLUE, GREY)


def test_reading_heic_leaves_pillow_alone() -> None:
    file = BytesIO()
    pillow_heif.from_pillow(corners()).save(file)
    decode_picture(file.getvalue())
    assert "HEIF" not in Image.OPEN


def test_turns_heic_as_its_exif_says() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    file = BytesIO()
    pillow_heif.from_pillow(corners()).save(file, quality=95, exif=exif.tobytes())
    assert_patches(decode_picture(file.getvalue()), BLUE, RED, GREY, GREEN)


@pytest.mark.parametrize(
    ("orientation", "expected"),
    [
        (1, (RED, GREEN, BLUE, GREY)),
        (2, (GREEN, RED, GREY, BLUE)),
        (3, (GREY, BLUE, GREEN, RED)),
        (4, (BLUE, GREY, RED, GREEN)),
        (5, (RED, BLUE, GREEN, GREY)),
        (6, (BLUE, RED, GREY, GREEN)),
        (7, (GREY, GREEN, BLUE, RED)),
        (8, (GREEN, GREY, RED, BLUE)),
        (99, (RED, GREEN, BLUE, GREY)),
    ],
)
@pytest.mark.parametrize("fmt", ["JPEG", "PNG", "WEBP"])
def test_turns_the_picture_as_its_exif_says(
    fmt: str, orientation: int, expected: tuple[tuple[int, int, int], ...]
) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    pixels = decode_picture(encoded(corners(), fmt, exif=exif, quality=95))
    assert pixels.shape == ((64, 48, 3) if orientation in {5, 6, 7, 8} else (48, 64, 3))
    assert_patches(pixels, *expected)


def test_broken_exif_counts_as_none() -> None:
    data = encoded(corners(), "JPEG", exif=b"Exif\x00\x00MM\x00*\xff\xff\xff\xff", quality=95)
    assert_patches(decode_picture(data), RED, GREEN, BLUE, GREY)


@pytest.mark.parametrize("mode", ["L", "LA", "P", "RGBA", "1", "I;16"])
def test_reads_other_pixel_modes_of_png(mode: str) -> None:
    if mode == "I;16":
        levels = np.full((48, 64), 128 * 257, np.uint16)
        image = Image.fromarray(levels)
    else:
        image = Image.new("RGB", (64, 48), GREY).convert(mode)
    pixels = decode_picture(encoded(image, "PNG"))
    assert pixels.shape == (48, 64, 3)
    assert abs(pixels.mean() - 128) < 2


def test_reads_cmyk_jpeg() -> None:
    assert_patches(
        decode_picture(encoded(corners().convert("CMYK"), "JPEG", quality=95)),
        *(RED, GREEN, BLUE, GREY),
    )


def test_transparent_parts_become_white() -> None:
    image = Image.new("RGBA", (8, 8), (200, 0, 0, 0))
    assert decode_picture(encoded(image, "PNG")).min() == 255
    palette = Image.new("P", (8, 8), 0)
    palette.putpalette([200, 0, 0])
    assert decode_picture(encoded(palette, "PNG", transparency=0)).min() == 255


@pytest.mark.parametrize("fmt", ["PNG", "WEBP"])
def test_of_an_animation_the_first_frame_counts(fmt: str) -> None:
    frames = [Image.new("RGB", (64, 48), colour) for colour in (RED, BLUE)]
    data = encoded(frames[0], fmt, save_all=True, append_images=frames[1:], lossless=True)
    assert_patches(decode_picture(data), RED, RED, RED, RED)


def png_header(width_px: int, height_px: int) -> bytes:
    """A picture that claims to be that big and holds next to nothing."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return (
            struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        )

    header = struct.pack(">IIBBBBB", width_px, height_px, 8, 2, 0, 0, 0)
    body = zlib.compress(bytes(3 * 1000))
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", body) + chunk(b"IEND", b"")
    )


@pytest.mark.parametrize("side_px", [8_000, 10_000, 20_000, 60_000, 2**31 - 1])
def test_bombs_are_refused_by_their_header(side_px: int) -> None:
    with pytest.raises(PictureError, match="million pixels"):
        decode_picture(png_header(side_px, side_px))


def test_a_jpeg_of_too_many_pixels_is_read_at_half_its_size() -> None:
    sheet = Image.new("RGB", (16_000, 12_000), "white")  # as phones of 200 million pixels take
    sheet.paste("red", (0, 0, 8_000, 6_000))
    pixels = decode_picture(encoded(sheet, "JPEG"))
    assert pixels.shape == (6_000, 8_000, 3)
    assert pixels[0, 0].tolist() == pytest.approx([0, 0, 255], abs=3)
    assert pixels[-1, -1].tolist() == [255, 255, 255]


@pytest.mark.parametrize(
    ("size_px", "options"), [((9_000, 7_000), {"progressive": True}), ((20_000, 16_000), {})]
)
def test_a_jpeg_that_is_too_large_even_so_is_refused(
    size_px: tuple[int, int], options: dict[str, object]
) -> None:
    data = encoded(Image.new("L", size_px), "JPEG", **options)
    with pytest.raises(PictureError, match="million pixels"):
        decode_picture(data)


@pytest.mark.parametrize("fmt", ["JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize("share", [0.02, 0.3, 0.6, 0.9])
def test_pictures_cut_short_are_refused(fmt: str, share: float) -> None:
    noise = np.random.default_rng(1).integers(0, 256, (90, 120, 3), np.uint8)
    data = encoded(Image.fromarray(noise), fmt)
    with pytest.raises(PictureError, match=r"damaged or cut short|not a picture"):
        decode_picture(data[: int(len(data) * share)])


@pytest.mark.parametrize("share", [0.02, 0.3, 0.6, 0.9])
def test_heic_cut_short_is_refused(share: float) -> None:
    file = BytesIO()
    pillow_heif.from_pillow(corners()).save(file, quality=95)
    data = file.getvalue()
    with pytest.raises(PictureError):
        decode_picture(data[: int(len(data) * share)])


@pytest.mark.parametrize(
    "data", [b"not a picture at all", b"GIF89a", b"%PDF-1.7", b"\x00" * 500, b"<svg/>"]
)
def test_other_files_are_refused(data: bytes) -> None:
    with pytest.raises(PictureError, match="not a picture of a known format; give a JPEG"):
        decode_picture(data)


@given(data=st.data(), fmt=st.sampled_from(["JPEG", "PNG", "WEBP", "HEIC"]))
def test_damage_never_raises_anything_else(data: st.DataObject, fmt: str) -> None:
    file = BytesIO()
    if fmt == "HEIC":
        pillow_heif.from_pillow(corners()).save(file)
    else:
        corners().save(file, fmt, exif=Image.Exif())
    damaged = bytearray(file.getvalue())
    for _ in range(data.draw(st.integers(1, 8))):
        place = data.draw(st.integers(0, len(damaged) - 1))
        damaged[place] = data.draw(st.integers(0, 255))
    try:
        pixels = decode_picture(bytes(damaged))
    except PictureError as error:
        assert len(str(error).splitlines()) == 1  # noqa: PT017 - either outcome will do
    else:
        assert pixels.ndim == 3


def test_loads_from_a_path(tmp_path: Path) -> None:
    path = tmp_path / "table with spaces é.jpeg"
    path.write_bytes(encoded(corners(), "PNG"))  # a wrong ending does not matter
    assert_patches(load_picture(path), RED, GREEN, BLUE, GREY)


def test_a_missing_file_is_named_as_such(tmp_path: Path) -> None:
    with pytest.raises(PictureError, match="no such file"):
        load_picture(tmp_path / "missing.jpg")


def test_a_folder_is_named_as_such(tmp_path: Path) -> None:
    with pytest.raises(PictureError, match="folder"):
        load_picture(tmp_path)


def test_an_empty_file_is_named_as_such(tmp_path: Path) -> None:
    (tmp_path / "empty.jpg").touch()
    with pytest.raises(PictureError, match="empty"):
        load_picture(tmp_path / "empty.jpg")


@pytest.mark.parametrize("name", ["nul\0byte.jpg", "x" * 5000])
def test_impossible_names_are_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(PictureError):
        load_picture(tmp_path / name)


def test_huge_files_are_refused_unread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "MAX_FILE_BYTES", 100)
    (tmp_path / "big.png").write_bytes(bytes(101))
    with pytest.raises(PictureError, match="save the photo smaller"):
        load_picture(tmp_path / "big.png")


def test_an_avif_picture_is_of_no_known_format_rather_than_damaged() -> None:
    with pytest.raises(PictureError, match="not a picture of a known format; give a JPEG"):
        decode_picture(b"\x00\x00\x00\x20ftypavif\x00\x00\x00\x00avifmif1miafMA1B" + bytes(99))
