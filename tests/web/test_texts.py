"""Every word of the pages is there, in every language."""

from __future__ import annotations

import re
from importlib import resources

import pytest

from vision.advice import CODES
from web.site.rules import rules_json, rules_told
from web.site.texts import Texts

TEXTS, RULES = Texts.load(), Texts.load("rules")
PLACES_OF_PAGES = (resources.files("web.site"), resources.files("web.label"))
USED = re.compile(r"""\bt\(\s*["']([\w.]+)["']\s*[,)]""")
BUILT = re.compile(r"""\bt\(\s*(?:`([\w.]+)\$\{|["']([\w.]+)["']\s*~)""")
PLACES = re.compile(r"\{\w+\}")


def sources() -> dict[str, str]:
    return {
        file.name: file.read_text(encoding="utf-8")
        for place in PLACES_OF_PAGES
        for folder in (place / "templates", place / "static")
        for file in folder.iterdir()
        if file.name.endswith((".html", ".js"))
    }


def test_there_are_two_languages() -> None:
    assert {"en", "de"} <= set(TEXTS.languages)


@pytest.mark.parametrize("language", TEXTS.languages)
def test_a_language_has_every_text_with_the_same_places(language: str) -> None:
    english, other = TEXTS.by_language["en"], TEXTS.by_language[language]
    assert set(other) == set(english)
    wrong = {
        k for k in english if set(PLACES.findall(english[k])) != set(PLACES.findall(other[k]))
    }
    assert wrong == set()


def test_every_text_that_a_page_asks_for_is_there() -> None:
    asked = {key for text in sources().values() for key in USED.findall(text)}
    assert len(asked) > 50
    assert asked - set(TEXTS.by_language["en"]) == set()


def test_keys_that_are_put_together_begin_as_known_ones() -> None:
    known = tuple(TEXTS.by_language["en"])
    begun = {one or two for text in sources().values() for one, two in BUILT.findall(text)}
    assert begun
    assert {start for start in begun if not any(key.startswith(start) for key in known)} == set()


def test_every_advice_is_translated() -> None:
    advice = {f"advice.{code}{more}" for code in CODES for more in ("", "_do")}
    assert advice - set(TEXTS.by_language["de"]) == set()


def test_the_english_of_the_rules_is_that_of_the_rules() -> None:
    told = rules_told(RULES, "en")
    labels = [one.pop("labels") for one in told["parameters"]]
    assert told == rules_json()
    assert [len(some) for some in labels] == [
        len(one["choices"]) for one in rules_json()["parameters"]
    ]
    words = {f"summary.{one['name']}" for one in rules_json()["rulesets"]}
    for one in rules_json()["parameters"]:
        words |= {f"meaning.{one['name']}"}
        words |= {f"choice.{one['name']}.{choice}" for choice in one["choices"]}
        words |= {f"unit.{one['unit']}"} if one["kind"].startswith("number") else set()
    assert set(RULES.by_language["en"]) == words


@pytest.mark.parametrize("language", TEXTS.languages)
def test_a_language_explains_every_ruleset_and_parameter(language: str) -> None:
    assert set(RULES.by_language[language]) == set(RULES.by_language["en"])
    if language != "en":
        told, english = rules_told(RULES, language), rules_json()
        for key, value in (("rulesets", "summary"), ("parameters", "meaning")):
            pairs = zip(told[key], english[key], strict=True)
            assert [one["name"] for one, other in pairs if one[value] == other[value]] == []
