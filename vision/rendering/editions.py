"""Editions: how one maker's tiles look, each a TOML file in `datasets/editions/`."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal

from PIL import ImageFont
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from vision.resources import resource_dir

Rgb = tuple[
    Annotated[int, Field(ge=0, le=255)],
    Annotated[int, Field(ge=0, le=255)],
    Annotated[int, Field(ge=0, le=255)],
]
Fraction = Annotated[float, Field(ge=0.0, le=1.0)]
Pip = Literal["none", "suits", "disc", "ring", "star", "around"]


class EditionError(ValueError):
    """An edition file that cannot be used, and why."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Body(_Part):
    """The blank tile."""

    colour: Rgb = Field(description="median RGB of the face in white light")
    aspect: float = Field(default=0.70, ge=0.5, le=1.0, description="width over height")
    corner: Fraction = Field(default=0.08, description="corner radius, of the width")
    bevel: Fraction = Field(default=0.06, description="width of the rounded edge, of the width")
    thickness: Fraction = Field(default=0.28, description="thickness, of the width")
    grain: Fraction = Field(
        default=0.0, description="how much the brightness of wood differs along its grain; 0: none"
    )
    gloss: Fraction = Field(default=0.4, description="strength of speculars")


class Ink(_Part):
    """The four ink colours."""

    red: Rgb
    blue: Rgb
    orange: Rgb
    black: Rgb


Ground = Literal["none", "disc", "square"]


class Digit(_Part):
    """The number."""

    fonts: tuple[str, ...] = Field(
        min_length=1, description="font file names; the first that is installed is taken"
    )
    height: Fraction = Field(description="digit height, of the tile's height")
    centre_y: Fraction = Field(description="centre of the digit from the top, of the height")
    stretch: float = Field(default=1.0, ge=0.4, le=1.6, description="horizontal stretch")
    bold: float = Field(
        default=0.0, ge=-0.1, le=0.2, description="stroke added, of the digit's height"
    )
    engraved: bool = Field(
        default=False, description="cut into the face rather than printed on it"
    )
    mark: Literal["none", "dot", "bar"] = Field(
        default="none", description="what tells a 6 from a 9"
    )
    max_width: Fraction = Field(default=0.72, description="widest a number may be, of the width")
    spacing: float = Field(
        default=0.0,
        ge=-0.1,
        le=0.4,
        description="space added between the figures of a number, of their height",
    )
    slant: float = Field(
        default=0.0, ge=-0.3, le=0.3, description="how far it leans, of its height"
    )
    wobble: Fraction = Field(
        default=0.0, description="how far its lines stray from the font's, of its height"
    )
    wear: Fraction = Field(default=0.0, description="share of its ink that is rubbed off")
    ground: Ground = Field(
        default="none", description="what shape of ink it is left out of, in the body's colour"
    )


class Dish(_Part):
    """The round recess, embossed disc or circle behind or below the digit."""

    kind: Literal["none", "concave", "raised", "outline"] = "none"
    diameter: Fraction = Field(default=0.77, description="of the width")
    centre_y: Fraction = Field(default=0.34, description="from the top, of the height")
    depth: Fraction = Field(default=0.5, description="strength of its shading")


class Wordmark(_Part):
    """The maker's name in relief."""

    relief: Fraction = Field(default=0.0, description="strength of its shading; 0 for none")
    centre_y: Fraction = Field(default=0.81, description="from the top, of the height")
    height: Fraction = Field(default=0.09, description="of the height")


JokerStyle = Literal[
    "clown", "smile", "fine", "small", "stern", "mixed", "emblem", "pictograph", "lettering"
]  # fmt: skip


class Joker(_Part):
    """The joker's face; its parts vary a little from tile to tile."""

    style: JokerStyle = Field(
        description="who drew it; `mixed` puts a new face together every time, `emblem` a sun, a "
        "star, a cap with bells, a word and the like; `pictograph` is a character of a font; "
        "`lettering` is its first letters or a word"
    )
    pictograph: str = Field(default="", description="that character; an emblem where it is none")
    typeface: str = Field(
        default="", description="font file of what is written; plain strokes where it is none"
    )
    inks: Literal["two", "any", "many", "own"] = Field(
        default="two",
        description="`two`: red or black, `any`: of the four, `many`: parts in several of them, "
        "`own`: the colours of the font's picture",
    )
    diameter: Fraction = Field(default=0.6, description="of the width")
    centre_y: Fraction = Field(default=0.36, description="from the top, of the height")
    ring: Fraction = Field(
        default=0.05, description="line width of the ring, of its diameter; 0: none"
    )
    line: Fraction = Field(default=0.05, description="line width of the face, of its diameter")


class Edition(_Part):
    """One maker's tiles, as the renderer draws them."""

    name: str
    body: Body
    ink: Ink
    digit: Digit
    joker: Joker
    dish: Dish = Dish()
    wordmark: Wordmark = Wordmark()
    pip: Pip = Field(
        default="none",
        description="what is printed under the digit in its colour, or around it; "
        "`suits` is a sign a colour in a circle (Okey)",
    )

    def in_typeface(self, font: str) -> Edition:
        """Return the same with its numbers in another typeface, a font file, where it is there."""
        digit = self.digit.model_copy(update={"fonts": (font, *self.digit.fonts)})
        return self.model_copy(update={"digit": digit})

    def with_pictograph(self, pictograph: str, *, coloured: bool) -> Edition:
        """Return the same with a character of a font on its jokers, in its colours or in ink."""
        drawn = {"style": "pictograph", "pictograph": pictograph, "ring": 0.0}
        inks = "own" if coloured else "two"
        joker = self.joker.model_copy(update=drawn | {"inks": inks})
        return self.model_copy(update={"joker": joker})

    def as_large_as(self, other: Edition) -> Edition:
        """Return the same with tiles as large as another's."""
        size = {name: getattr(other.body, name) for name in ("aspect", "thickness")}
        return self.model_copy(update={"body": self.body.model_copy(update=size)})

    def with_dark_tiles(self) -> Edition:
        """Return the same in black plastic with bright numbers; what is black becomes white."""
        body = self.body.model_copy(update={"colour": (30, 30, 33)})
        ink = Ink(red=(230, 40, 50), blue=(60, 150, 245), orange=(250, 180, 40), black=(235,) * 3)
        return self.model_copy(update={"body": body, "ink": ink})


def load_edition(path: Path) -> Edition:
    """Read and check one edition file.

    Raises
    ------
    EditionError
        If the file is not TOML or says something that the renderer does not know.
    """
    try:
        return Edition.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except tomllib.TOMLDecodeError as error:
        raise EditionError(f"{path.name} is not valid TOML: {error}") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise EditionError(f"{path.name}: {where}: {first['msg']}") from error


def edition_names() -> tuple[str, ...]:
    """Return the names of the editions that come with the program, in order."""
    return tuple(path.stem for path in _files())


def edition_named(name: str) -> Edition:
    """Read one of the editions that come with the program.

    Raises
    ------
    EditionError
        If there is none of that name, or its file cannot be used.
    """
    return load_edition(_file_of(name))


def all_editions(without: tuple[str, ...] = ()) -> tuple[Edition, ...]:
    """Read every edition that comes with the program but those named, in order.

    Raises
    ------
    EditionError
        If a file cannot be used, or there is none of a name that is to be left out.
    """
    left_out = {_file_of(name) for name in without}
    return tuple(load_edition(path) for path in _files() if path not in left_out)


def _files() -> list[Path]:
    return sorted(resource_dir("editions").glob("*.toml"))


def _file_of(name: str) -> Path:
    path = resource_dir("editions") / f"{name}.toml"
    if not path.is_file():
        known = ", ".join(edition_names())
        raise EditionError(f"no edition is called {name!r}; there are {known}")
    return path


_TEX_FONTS = Path("/usr/share/texlive/texmf-dist/fonts")
# Of two files of one name the one in the later folder counts.
FONT_FOLDERS = (
    _TEX_FONTS / "truetype",
    _TEX_FONTS / "opentype",
    Path("/usr/share/fonts"),
    Path("/usr/local/share/fonts"),
)


@lru_cache(maxsize=1)
def _installed_fonts() -> dict[str, Path]:
    endings = {".ttf", ".otf"}
    return {
        path.name: path
        for folder in FONT_FOLDERS
        for path in sorted(folder.rglob("*"))
        if path.suffix in endings
    }


def find_font(names: tuple[str, ...]) -> str | None:
    """Return the path of the first font of `names` that is installed, or None for none."""
    installed = _installed_fonts()
    return next((str(installed[name]) for name in names if name in installed), None)


@lru_cache(maxsize=256)
def open_font(path: str | None, size_px: int) -> ImageFont.FreeTypeFont:
    """Open a font; without a path the one that Pillow carries, so that rendering always works."""
    if path is not None:
        return ImageFont.truetype(path, size_px)
    font = ImageFont.load_default(size_px)
    if not isinstance(font, ImageFont.FreeTypeFont):
        raise EditionError("Pillow was built without FreeType; install a wheel from its project")
    return font
