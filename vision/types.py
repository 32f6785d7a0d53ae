"""The typed borders between the stages: what one hands to the next.

Every coordinate is a pixel of the picture as a viewer shows it (EXIF rotation applied), origin
at the top left, x to the right, y down.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Final, NamedTuple, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from referee.tiles import Tile

Floats: TypeAlias = NDArray[np.float32]
Pixels: TypeAlias = NDArray[np.uint8]
Flags: TypeAlias = NDArray[np.bool_]
Indices: TypeAlias = NDArray[np.intp]
Reals: TypeAlias = NDArray[np.float64]
OFFERED: Final = 3  # alternatives of a tile


def _check_shape(name: str, array: Floats, expected: tuple[int | None, ...]) -> None:
    fits = len(array.shape) == len(expected) and all(
        want is None or have == want for have, want in zip(array.shape, expected, strict=True)
    )
    if not fits:
        wanted = tuple("n" if want is None else want for want in expected)
        raise ValueError(f"{name}: expected shape {wanted}, got {array.shape}")


def stack(quads: Iterable[Floats]) -> Floats:
    """Return quads as (n, 4, 2) float32, of which n may be 0."""
    return np.array([*quads], np.float32).reshape(-1, 4, 2)


@dataclass(frozen=True, slots=True)
class Detections:
    """The face-up tiles that *detect* found; which way is up is not known yet.

    Attributes
    ----------
    quads_img
        (n, 4, 2) float32, image pixels, clockwise as seen; the first side is the tile's top or its
        bottom, so the upright top left is corner 0 or corner 2.
    confidences
        (n,) float32, 0 to 1.
    hints_img
        (k, 2) float32: where anything looked at all like a tile, those that were found among them.
    glimpsed_img
        (m, 4, 2) float32: what looked somewhat like a tile, one outline in a place, those that
        were found among them.
    """

    quads_img: Floats
    confidences: Floats
    hints_img: Floats = field(default_factory=lambda: np.zeros((0, 2), np.float32))
    glimpsed_img: Floats = field(default_factory=lambda: np.zeros((0, 4, 2), np.float32))

    def __post_init__(self) -> None:
        """Check shapes.

        Raises
        ------
        ValueError
            If the arrays do not have the documented shapes.
        """
        _check_shape("quads_img", self.quads_img, (None, 4, 2))
        _check_shape("confidences", self.confidences, (len(self.quads_img),))
        _check_shape("hints_img", self.hints_img, (None, 2))
        _check_shape("glimpsed_img", self.glimpsed_img, (None, 4, 2))

    def __len__(self) -> int:
        return len(self.quads_img)


@dataclass(frozen=True, slots=True)
class Reading:
    """What *read* makes of one tile.

    Attributes
    ----------
    tile
        The likeliest face.
    confidence
        Calibrated probability that `tile` is right, 0 to 1.
    alternatives
        The next-best faces that leave a trace, with their probabilities, likeliest first.
    doubt
        Why the tile is unsure, in words for a player; empty if it is not.
    """

    tile: Tile
    confidence: float
    alternatives: tuple[tuple[Tile, float], ...] = ()
    doubt: str = ""

    @property
    def choices(self) -> tuple[tuple[Tile, float], ...]:
        """The few alternatives that are worth a person's while."""
        return self.alternatives[:OFFERED]

    @property
    def unsure(self) -> bool:
        """Whether a person should look at the tile before it counts."""
        return bool(self.doubt)


@dataclass(frozen=True, slots=True)
class Readings:
    """All tiles of a picture, read.

    Attributes
    ----------
    quads_img
        (n, 4, 2) float32, image pixels, clockwise from the corner that is top left when the tile
        is read upright.
    readings
        n readings, in the order of `quads_img`.
    """

    quads_img: Floats
    readings: tuple[Reading, ...]

    def __post_init__(self) -> None:
        """Check shapes.

        Raises
        ------
        ValueError
            If the array does not have the documented shape, or the lengths differ.
        """
        _check_shape("quads_img", self.quads_img, (len(self.readings), 4, 2))

    def __len__(self) -> int:
        return len(self.readings)

    def but(self, changed: Mapping[int, Reading]) -> Readings:
        """Return the same with other readings of some tiles, by their numbers."""
        found = tuple(changed.get(number, one) for number, one in enumerate(self.readings))
        return Readings(self.quads_img, found)


@dataclass(frozen=True, slots=True)
class Placed:
    """One set or crossing group on the table: tile indices on a grid of cells.

    Attributes
    ----------
    cells
        Rows of tile indices, top to bottom and left to right in reading order, `None` for an
        empty cell. A plain set is a single row.
    """

    cells: tuple[tuple[int | None, ...], ...]

    @classmethod
    def at(cls, places: Mapping[tuple[int, int], int]) -> Placed:
        """Put tiles at places, (row, column), of a grid as small as holds them.

        >>> Placed.at({(5, 2): 0, (5, 3): 1, (6, 3): 2}).cells
        ((0, 1), (None, 2))
        """
        rows, columns = zip(*places, strict=True)
        return cls(
            tuple(
                tuple(
                    places.get((row, column)) for column in range(min(columns), max(columns) + 1)
                )
                for row in range(min(rows), max(rows) + 1)
            )
        )

    @property
    def tiles(self) -> tuple[int, ...]:
        """Tile indices in reading order, row by row."""
        return tuple(tile for row in self.cells for tile in row if tile is not None)


@dataclass(frozen=True, slots=True)
class Layout:
    """Which tiles lie together, and in which order. Every tile stands in exactly one place."""

    placed: tuple[Placed, ...]


class Picture(NamedTuple):
    """What is known of a picture beside its tiles.

    Attributes
    ----------
    shape
        Its height and width, pixels, then anything.
    hints_img, glimpsed_img
        (k, 2) and (m, 4, 2) px: what in it looked like a tile, as of `Detections`.
    pixels
        (h, w, 3) uint8 BGR; None where the tiles are not those of one picture.
    """

    shape: tuple[int, ...]
    hints_img: Floats = np.zeros((0, 2), np.float32)
    glimpsed_img: Floats = np.zeros((0, 4, 2), np.float32)
    pixels: Pixels | None = None


@dataclass(frozen=True, slots=True)
class Addable:
    """What is added up field by field."""

    def __add__(self, other: Self) -> Self:
        """Return both together."""
        return type(self)(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))


@dataclass(frozen=True, slots=True)
class Timings(Addable):
    """Milliseconds spent in each stage, and inside the networks of the first two."""

    detect: float = 0.0
    read: float = 0.0
    lay_out: float = 0.0
    judge: float = 0.0
    network: float = 0.0
