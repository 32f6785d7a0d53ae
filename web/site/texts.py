"""The pages' words, by language."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

ENGLISH: Final = "en"
_PLACE: Final = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Texts:
    """Every text by language and key, such as `start.button`."""

    by_language: Mapping[str, Mapping[str, str]]

    @classmethod
    def load(cls, part: str = "") -> Texts:
        """Load the languages that come with the program: the pages' words, or another part."""
        folder = resources.files("web.site") / "locale"
        folder = folder / part if part else folder
        found: dict[str, Mapping[str, str]] = {ENGLISH: {}}
        if folder.is_dir():
            for file in folder.iterdir():
                if file.name.endswith(".toml"):
                    words = tomllib.loads(file.read_text(encoding="utf-8"))
                    found[file.name.removesuffix(".toml")] = flat(words)
        return cls(found)

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages there are."""
        return tuple(sorted(self.by_language))

    def all(self, language: str) -> dict[str, str]:
        """Return all texts of a language; what it lacks, in English."""
        return {**self.by_language[ENGLISH], **self.by_language.get(language, {})}

    def text(self, language: str, key: str, /, **values: object) -> str:
        """Return one text, with `{name}` replaced by the value of that name.

        >>> texts = Texts({"en": {"hello": "Hello {name}"}, "de": {}})
        >>> texts.text("de", "hello", name="Ann"), texts.text("de", "no.such.key")
        ('Hello Ann', 'no.such.key')
        """
        english = self.by_language[ENGLISH]
        found = self.by_language.get(language, english).get(key) or english.get(key, key)
        return _PLACE.sub(lambda place: str(values.get(place[1], place[0])), found)


def flat(words: Mapping[str, Any], before: str = "") -> dict[str, str]:
    """Join the keys of nested tables with dots.

    >>> flat({"start": {"button": "Go"}, "title": "Meldwatch"})
    {'start.button': 'Go', 'title': 'Meldwatch'}
    """
    found: dict[str, str] = {}
    for key, value in words.items():
        if isinstance(value, dict):
            found |= flat(value, f"{before}{key}.")
        else:
            found[f"{before}{key}"] = str(value)
    return found
