"""Say in a page's language what the referee and the table say in English."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from referee.phrases import Phrase, capitalised, filled
from web.site.texts import ENGLISH, Texts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from referee.table import TileSet
    from referee.tiles import Colour, Tile

_REMEMBERED = 2048


class Speaker:
    """Speaks one language; what it has no words for stays as it is.

    Parameters
    ----------
    words
        The language's phrases by key, as in `locale/phrases`.
    """

    def __init__(self, words: Mapping[str, str]) -> None:
        self._words = words
        self._said = lru_cache(_REMEMBERED)(self._say)

    def phrase(self, phrase: Phrase) -> str:
        """Say a phrase; one of which there is no translation stays English."""
        return self._said(phrase)

    def _say(self, phrase: Phrase) -> str:
        template = self._words.get(phrase.key)
        if template is None:
            return str(phrase)
        text = filled(template, phrase.values, self)
        return capitalised(text) if phrase.capital else text

    def tile(self, tile: Tile) -> str:
        """Name a tile."""
        if tile.colour is None:
            return self._words.get("tile.joker", tile.words)
        template = self._words.get(f"tile.{tile.colour.name.lower()}")
        return tile.words if template is None else template.format(number=tile.number)

    def notation(self, tiles: TileSet) -> str:
        """Name tiles that are written in notation in English."""
        return ", ".join(self.tile(tile) for tile in tiles.tiles)

    def colour(self, colour: Colour) -> str:
        """Name a colour."""
        return self._words.get(f"colour.{colour.name.lower()}", colour.word.lower())

    def count(self, number: int) -> str:
        """Say a number as a word."""
        return self._words.get(f"count.{number}", str(number))

    def joined(self, most: str, last: str, joint: str) -> str:
        """Join all but the last of several things with the last, by "and" or "or"."""
        return self._words.get(f"join.{joint}", "{most}, {last}").format(most=most, last=last)

    def everything(self, value: Any) -> Any:  # noqa: ANN401 - JSON values in, JSON values out
        """Return JSON values with every phrase among them said in this language."""
        if isinstance(value, Phrase):
            return self.phrase(value)
        if isinstance(value, dict):
            return {key: self.everything(one) for key, one in value.items()}
        if isinstance(value, list | tuple):
            return [self.everything(one) for one in value]
        return value


class Tongues:
    """A speaker for every language."""

    def __init__(self, texts: Texts) -> None:
        self._speakers = {
            language: Speaker(words)
            for language, words in texts.by_language.items()
            if language != ENGLISH
        }

    @classmethod
    @cache
    def load(cls) -> Tongues:
        """Return those of the languages that come with the program."""
        return cls(Texts.load("phrases"))

    def told(self, values: Any, language: str) -> Any:  # noqa: ANN401 - JSON values
        """Return JSON values as a language says them; English is as they are.

        >>> from referee import check_set, parse_set
        >>> violation = check_set(parse_set("R7 B7 R7")).violations[0]
        >>> Tongues.load().told({"text": violation.message}, "de")
        {'text': 'Rot 7 liegt in dieser Gruppe zweimal.'}
        """
        speaker = self._speakers.get(language)
        return values if speaker is None else speaker.everything(values)
