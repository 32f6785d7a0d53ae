"""Tiles: the 53 faces of a Rummikub set and their notation."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from referee.errors import NotationError


class Colour(Enum):
    """The four colours; editions print some of them differently (gold or yellow for orange).

    >>> Colour("B").word
    'Blue'
    """

    RED = "R"
    BLUE = "B"
    ORANGE = "O"
    BLACK = "K"

    # Members are single objects, and tiles are hashed by the thousand.
    __hash__ = object.__hash__

    @property
    def word(self) -> str:
        """The colour's name as a player says it."""
        return self.name.capitalize()


HIGHEST_NUMBER: Final = 13


@dataclass(frozen=True, slots=True)
class Tile:
    """One face: a colour and a number from 1 to 13, or the joker with neither.

    >>> Tile(Colour.RED, 7) == Tile.parse("R7")
    True
    >>> str(Tile.parse("J")), Tile.parse("J").words
    ('J', 'the joker')
    """

    colour: Colour | None = None
    number: int | None = None

    def __post_init__(self) -> None:
        """Refuse faces that no set of tiles has."""
        if (self.colour is None) != (self.number is None):
            raise ValueError(f"expected a colour and a number or neither, got {self!r}")
        if self.number is not None and not 1 <= self.number <= HIGHEST_NUMBER:
            raise ValueError(f"expected a number from 1 to {HIGHEST_NUMBER}, got {self.number}")

    @property
    def is_joker(self) -> bool:
        """Whether this is the joker."""
        return self.colour is None

    @property
    def words(self) -> str:
        """The face as a player says it: ``Red 7``, ``the joker``."""
        return "the joker" if self.colour is None else f"{self.colour.word} {self.number}"

    @property
    def index(self) -> int:
        """The face's place in `ALL_FACES`."""
        return _PLACES[self]

    def __str__(self) -> str:
        """Write the face in notation: ``R7``, ``J``."""
        return "J" if self.colour is None else f"{self.colour.value}{self.number}"

    @staticmethod
    def parse(text: str) -> Tile:
        """Read one face; raises `NotationError` for anything that is not one.

        >>> Tile.parse("K13").words
        'Black 13'
        """
        try:
            return FACES_BY_TEXT[text]
        except KeyError:
            raise NotationError(text, TILE_EXPECTED) from None


TILE_EXPECTED: Final = "a tile: R, B, O or K with a number from 1 to 13, or J for the joker"
JOKER: Final = Tile()
ALL_FACES: Final = (
    *(Tile(colour, number) for colour in Colour for number in range(1, HIGHEST_NUMBER + 1)),
    JOKER,
)
FACES_BY_TEXT: Final = {str(face): face for face in ALL_FACES}
_PLACES: Final = {face: place for place, face in enumerate(ALL_FACES)}
