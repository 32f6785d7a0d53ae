"""Sentences that know what they were made of, so that they can be said in other languages.

A `Phrase` is its English text, and is used as such everywhere. Whoever speaks another language
asks it for its key and its values: tiles, sets, numbers, other phrases.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, Protocol, Self, TypeAlias

from referee.table import TileSet
from referee.tiles import Colour, Tile

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Joint: TypeAlias = Literal["and", "or", ", ", "; ", " "]
_PLACE: Final = re.compile(r"\{(\w+)\}")
_COUNTS: Final = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Count:
    """A number that is said as a word."""

    number: int


@dataclass(frozen=True, slots=True)
class Notation:
    """A set that English writes in notation; other languages may say it in words."""

    tiles: TileSet


@dataclass(frozen=True, slots=True)
class Series:
    """Several things, joined by commas and an "and" or an "or", or by one sign only."""

    items: tuple[Value, ...]
    joint: Joint = "and"


class Phrase(str):
    """A sentence or a part of one.

    Attributes
    ----------
    key
        By which other languages know it.
    values
        What its places are filled with, by name.
    capital
        Whether it begins with a capital letter, whatever comes first.
    """

    __slots__ = ("capital", "key", "values")

    key: str
    values: Mapping[str, Value]
    capital: bool

    def __new__(
        cls,
        text: str = "",
        key: str = "",
        values: Mapping[str, Value] | None = None,
        *,
        capital: bool = False,
    ) -> Self:
        """Make one of its English text."""
        made = super().__new__(cls, text)
        made.key, made.values, made.capital = key, values or {}, capital
        return made

    def begun(self) -> Phrase:
        """Return it with a capital letter at its beginning."""
        return Phrase(capitalised(self), self.key, self.values, capital=True)


Value: TypeAlias = "str | int | Tile | TileSet | Colour | Count | Notation | Series"
"""What a place of a phrase may hold; a phrase is a `str`."""


class Tongue(Protocol):
    """How a language says what phrases are made of."""

    def phrase(self, phrase: Phrase) -> str:
        """Say a phrase."""
        ...

    def tile(self, tile: Tile) -> str:
        """Name a tile."""
        ...

    def notation(self, tiles: TileSet) -> str:
        """Name tiles that are written in notation in English."""
        ...

    def colour(self, colour: Colour) -> str:
        """Name a colour."""
        ...

    def count(self, number: int) -> str:
        """Say a number as a word."""
        ...

    def joined(self, most: str, last: str, joint: str) -> str:
        """Join all but the last of several things with the last, by "and" or "or"."""
        ...


def say(key: str, english: str, /, **values: Value) -> Phrase:
    """Return a phrase with these values in its places.

    >>> phrase = say("reason.TABLE_TILE_MISSING", "{tile} is gone.", tile=Tile.parse("R7"))
    >>> phrase, phrase.key, str(phrase.values["tile"])
    ('Red 7 is gone.', 'reason.TABLE_TILE_MISSING', 'R7')
    """
    return Phrase(filled(english, values, ENGLISH), key, values)


def expected(key: str, what: Phrase, value: str) -> Phrase:
    """Return what is wrong with the value that was given under a key.

    >>> expected("rack", say("request.text", "text"), "7")
    'rack: expected text, got 7'
    """
    return say(
        "request.expected",
        "{key}: expected {expected}, got {value}",
        key=key,
        expected=what,
        value=value,
    )


def filled(template: str, values: Mapping[str, Value], tongue: Tongue) -> str:
    """Return a template with its places filled as a language says it."""
    return _PLACE.sub(lambda place: said(values.get(place[1], place[0]), tongue), template)


def said(value: Value, tongue: Tongue) -> str:  # noqa: PLR0911 - one for each kind
    """Return what a language calls a value.

    >>> said(Series((Tile.parse("R7"), Tile.parse("J"), Count(3))), ENGLISH)
    'Red 7, the joker and three'
    """
    match value:
        case Phrase():
            return tongue.phrase(value)
        case Tile():
            return tongue.tile(value)
        case TileSet():
            return ", ".join(tongue.tile(tile) for tile in value.tiles)
        case Colour():
            return tongue.colour(value)
        case Count():
            return tongue.count(value.number)
        case Notation():
            return tongue.notation(value.tiles)
        case Series():
            return _joined([said(item, tongue) for item in value.items], value.joint, tongue)
        case _:
            return str(value)


def _joined(words: list[str], joint: str, tongue: Tongue) -> str:
    if joint not in {"and", "or"}:
        return joint.join(words)
    *most, last = words or [""]
    return tongue.joined(", ".join(most), last, joint) if most else last


def capitalised(text: str) -> str:
    """Return a text with a capital letter at its beginning."""
    return text[:1].upper() + text[1:]


def sentence(text: str) -> str:
    """Return as a sentence what begins small on the command line.

    >>> sentence("no such file; check the name")
    'No such file; check the name.'
    """
    return f"{capitalised(text).rstrip('.')}."


def several(joint: Joint, items: Iterable[Value]) -> Series:
    """Return things as a series."""
    return Series(tuple(items), joint)


class _English:
    """What phrases say by themselves."""

    def phrase(self, phrase: Phrase) -> str:
        return str(phrase)

    def tile(self, tile: Tile) -> str:
        return tile.words

    def notation(self, tiles: TileSet) -> str:
        return str(tiles)

    def colour(self, colour: Colour) -> str:
        return colour.word.lower()

    def count(self, number: int) -> str:
        return _COUNTS[number] if number < len(_COUNTS) else str(number)

    def joined(self, most: str, last: str, joint: str) -> str:
        return f"{most} {joint} {last}"


ENGLISH: Final[Tongue] = _English()
