"""Take a request's values out of JSON, naming each one that is not what it should be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from referee.notation import parse_grid, parse_table, parse_tiles
from referee.phrases import expected, say
from referee.table import Table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from referee.phrases import Phrase
    from referee.tiles import Tile

# Several times what the largest box holds; nobody asks about more in earnest.
_MOST_CHARACTERS: Final = 4000
TEXT: Final = say("request.text", "text")
FLAG: Final = say("request.flag", "true or false")
SETS: Final = say("request.sets", "a list of sets")
RACKS: Final = say("request.racks", "an object of racks")
PAIRS: Final = say("request.pairs", "pairs of whole numbers")
WHOLE: Final = say("request.whole", "a whole number")
OBJECT: Final = say("request.object", "an object")
NOTHING: Final = say("request.nothing", "nothing")


class RequestError(ValueError):
    """A request with a missing or wrong value."""


@dataclass(frozen=True, slots=True)
class Request:
    """A request's JSON object."""

    given: Mapping[str, Any]

    def has(self, key: str) -> bool:
        """Whether a value is given; null counts as not given.

        >>> Request({"rack": None}).has("rack")
        False
        """
        return self.given.get(key) is not None

    def _value(self, key: str, default: object = None) -> Any:  # noqa: ANN401 - any JSON value
        return self.given[key] if self.has(key) else default

    def text(self, key: str, default: str | None = None) -> str:
        """Return a string, not longer than any table's notation."""
        value = self._value(key, default)
        if not isinstance(value, str):
            raise RequestError(expected(key, TEXT, _shown(value)))
        if len(value) > _MOST_CHARACTERS:
            raise RequestError(_too_long(key))
        return value

    def flag(self, key: str, *, default: bool) -> bool:
        """Return true or false."""
        value = self._value(key, default)
        if not isinstance(value, bool):
            raise RequestError(expected(key, FLAG, _shown(value)))
        return value

    def choice(self, key: str, choices: tuple[str, ...], default: str | None = None) -> str:
        """Return one of several strings."""
        value = self._value(key, default)
        if value not in choices:
            one_of = say("request.one_of", "one of {choices}", choices=", ".join(choices))
            raise RequestError(expected(key, one_of, _shown(value)))
        return str(value)

    def whole(self, key: str, default: int | None = None) -> int:
        """Return a whole number."""
        value = self._value(key, default)
        if type(value) is not int:
            raise RequestError(expected(key, WHOLE, _shown(value)))
        return value

    def mapping(self, key: str) -> Mapping[str, Any]:
        """Return an object; an empty one where nothing is given."""
        value = self._value(key, {})
        if not isinstance(value, dict):
            raise RequestError(expected(key, OBJECT, _shown(value)))
        return value

    def tiles(self, key: str, default: str | None = "") -> tuple[Tile, ...]:
        """Return loose tiles, such as a rack."""
        return parse_tiles(self.text(key, default))

    def table(self, *keys: str) -> Table:
        """Return a table, given as notation or as a list of sets, under the first key there is.

        >>> str(Request({"before": ["R1 R2 R3", "J R5 R6"]}).table("before"))
        'R1 R2 R3 | J R5 R6'
        """
        key = next((key for key in keys if self.has(key)), keys[0])
        value = self.given.get(key)
        if isinstance(value, str):
            return parse_table(self.text(key))
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise RequestError(expected(key, SETS, _shown(value)))
        joined = " | ".join(value)
        if len(joined) > _MOST_CHARACTERS:
            raise RequestError(_too_long(key))
        return parse_table(joined)

    def grid(self, key: str) -> Table:
        """Return a table of one grid; a single row is a set, or a grid with an empty row."""
        text = self.text(key)
        if "/" not in text and "." in text.split():
            text = f"{text} / {' '.join('.' for _ in text.split())}"
        return Table((parse_grid(text),)) if "/" in text else parse_table(text)

    def racks(self, key: str) -> dict[str, tuple[Tile, ...]]:
        """Return racks by player."""
        value = self.given.get(key)
        if not isinstance(value, dict) or not value:
            raise RequestError(expected(key, RACKS, _shown(value)))
        return {name: Request(value).tiles(name, None) for name in value}

    def places(self, key: str) -> frozenset[tuple[int, int]]:
        """Return tiles of the table, as pairs of part and position."""
        value = self.given.get(key) or []
        pairs = value if isinstance(value, list) else [value]
        for pair in pairs:
            whole = isinstance(pair, list) and [type(item) for item in pair] == [int, int]
            if not whole:
                raise RequestError(expected(key, PAIRS, _shown(pair)))
        return frozenset((part, place) for part, place in pairs)


def _too_long(key: str) -> Phrase:
    return say(
        "request.long",
        "{key}: expected at most {most} characters",
        key=key,
        most=_MOST_CHARACTERS,
    )


def _shown(value: object) -> str:
    shown = NOTHING if value is None else repr(value)
    return shown if len(shown) <= 60 else f"{shown[:57]}..."  # noqa: PLR2004
