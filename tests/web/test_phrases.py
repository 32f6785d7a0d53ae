"""What the referee and the table say can be said in every language of the pages."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from string import Formatter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import referee
import vision.teaching
import web.label
import web.live
import web.site
import web.store
import web.teaching
from referee import (
    ALL_FACES,
    Code,
    RulesetError,
    judge_table,
    judge_turn,
    load_ruleset,
    parse_table,
)
from referee.events import Drew, MatchError, Started
from referee.match import replay
from referee.phrases import ENGLISH, Phrase, filled
from referee.requests import Request, RequestError
from referee.rulesets import parse_ruleset
from referee.table import Table
from referee.tiles import Colour
from referee.verdicts import HintCode
from tests.web.live.tables import tables
from vision import labels, pictures
from web.live.desync import restore_moves
from web.live.sentences import SENTENCES, phrased
from web.site import commentary
from web.site.texts import Texts
from web.site.tongues import Speaker, Tongues

PHRASES = Texts.load("phrases")
ENGLISH_WORDS = PHRASES.by_language["en"]
OTHERS = [language for language in PHRASES.languages if language != "en"]
ENGLISH_ONLY = re.compile(
    r"\b(the|is|are|not|with|from|and|tiles?|set|red|black)\b", re.IGNORECASE
)


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def in_code() -> dict[str, str]:
    """Return every phrase that the program can say: its key, and its English."""
    found = dict(SENTENCES)
    packages = (
        referee,
        vision.teaching,
        web.label,
        web.live,
        web.site,
        web.store,
        web.teaching,
    )
    folders = [Path(str(package.__file__)).parent for package in packages]
    files = [path for folder in folders for path in folder.rglob("*.py")]
    for path in (*files, Path(pictures.__file__), Path(labels.__file__)):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "say":
                key, english = (ast.literal_eval(one) for one in node.args)
                assert found.setdefault(key, english) == english, key
    return found


FOR_PEOPLE = {
    "ChangeError",
    "ChangedElsewhereError",
    "CommandError",
    "MatchError",
    "RequestError",
    "RulesetError",
    "StaleError",
    "StaleMatchError",
    "StoreError",
}


NOT_ON_PAGES = {"schema.py", "answers.py"}


def is_plain(node: ast.AST) -> bool:
    """Tell whether this is an error for a person whose text nobody can translate."""
    if not isinstance(node, ast.Call) or getattr(node.func, "id", "") not in FOR_PEOPLE:
        return False
    return bool(node.args) and isinstance(node.args[0], ast.Constant | ast.JoinedStr)


def test_every_refusal_is_a_phrase() -> None:
    packages = (referee, web.label, web.live, web.store, web.teaching)
    folders = [Path(str(package.__file__)).parent for package in packages]
    files = [path for folder in folders for path in folder.rglob("*.py")]
    plain = [
        (path.name, node.lineno)
        for path in files
        if path.name not in NOT_ON_PAGES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if is_plain(node) and isinstance(node, ast.expr)
    ]
    assert plain == []


def test_wrong_requests_are_answered_in_german() -> None:
    tongues = Tongues.load()
    with pytest.raises(RequestError) as wrong:
        Request({"name": 7}).text("name")
    assert tongues.told(wrong.value.args[0], "de") == ("name: erwartet wird Text, angegeben ist 7")
    with pytest.raises(MatchError) as early:
        replay([Started(("Ann", "Bob")), Drew()])
    assert tongues.told(early.value.args[0], "de") == (
        "Drew geht nicht, während die Partie so steht: beim Auslosen"
    )


@pytest.mark.parametrize(
    ("text", "german"),
    [
        ("opening_treshold = 50", "eine Regel 'opening_treshold' gibt es nicht; war 'opening_"),
        ("wrap = 1", "wrap: erwartet wird true oder false, angegeben ist 1"),
        ("colours = 5", "colours: erwartet wird eine Zahl von 2 bis 4, angegeben ist 5"),
        ("match_winner = 'me'", "match_winner: erwartet wird eins von 'highest_score', "),
        ("title = 7", "title: erwartet wird Text, angegeben ist 7"),
        ("tile_values = [1]", "tile_values: erwartet werden 13 Werte, angegeben sind 1"),
        ("name = 'x'", "name: Regeln heißen wie ihre Datei, also steht in ihr kein Name"),
        ("extends = 'standrad'", "Regeln 'standrad' gibt es nicht; war 'standard' gemeint?;"),
        ("extends = 'american'", "die Regeln 'american' sind bekannt, gehen hier aber nicht: das"),
        ("extends = ''", "es fehlen colours, max_number, copies und 59 weitere; schreibe"),
        ("deal =", "kein TOML: "),
    ],
)
def test_what_is_wrong_with_house_rules_is_said_in_german(text: str, german: str) -> None:
    text = text if "extends" in text else f"extends = 'standard'\n{text}"
    with pytest.raises(RulesetError) as wrong:
        parse_ruleset(text, "sunday")
    assert Tongues.load().told(wrong.value.args[0], "de").startswith(german)


def test_the_english_file_has_the_words_of_the_program() -> None:
    said = in_code()
    assert {key: ENGLISH_WORDS.get(key) for key in said} == said
    own = {key.split(".")[0] for key in set(ENGLISH_WORDS) - set(said)}
    assert own == {"tile", "colour", "count", "join"}


@pytest.mark.parametrize("language", OTHERS)
def test_a_language_has_every_phrase_with_the_same_places(language: str) -> None:
    other = PHRASES.by_language[language]
    assert set(other) == set(ENGLISH_WORDS)
    assert {k for k in other if places(other[k]) != places(ENGLISH_WORDS[k])} == set()


def test_every_code_has_words() -> None:
    keys = [key.removeprefix("reason.") for key in ENGLISH_WORDS if key.startswith("reason.")]
    wordless = [
        code
        for code in (*Code, *HintCode)
        if not any(key == code or key.startswith(f"{code}_") for key in keys)
    ]
    assert wordless == []


def test_the_pages_and_the_phrases_speak_the_same_languages() -> None:
    assert PHRASES.languages == Texts.load().languages


def test_english_said_anew_is_the_english_that_was_said() -> None:
    speaker = Speaker({k: v for k, v in ENGLISH_WORDS.items() if k.startswith("tile.")})
    for tile in ALL_FACES:
        assert speaker.tile(tile) == tile.words
    for number in range(10):
        assert ENGLISH_WORDS[f"count.{number}"] == ENGLISH.count(number)
    for colour in Colour:
        assert ENGLISH_WORDS[f"colour.{colour.name.lower()}"] == ENGLISH.colour(colour)


@pytest.mark.parametrize(
    ("table", "rules", "expected"),
    [
        ("R7 B7 R7", "standard", "Rot 7 liegt in dieser Gruppe zweimal."),
        ("R4 R5 R7", "standard", "Rot 6 fehlt zwischen Rot 5 und Rot 7."),
        ("R4 R5 R9", "standard", "Rot 6 bis 8 fehlen zwischen Rot 5 und Rot 9."),
        ("R4 R5 R6 B9", "standard", "Blau 9 gehört nicht in eine Folge in Rot."),
        ("J", "standard", "Zu einer Reihe gehört neben den Jokern mindestens ein Stein mit Zahl."),
        ("R7 J", "standard", "Rot 7, Joker sind nur zwei Steine; eine Reihe braucht drei."),
        ("K9 R9 B9 O9 J", "standard", "von jeder Farbe einen; diese hat fünf."),
        ("R12 R13 J R1 R2", "standard", None),
    ],
)  # fmt: skip
def test_reasons_in_german(table: str, rules: str, expected: str | None) -> None:
    verdict = judge_table(parse_table(table), load_ruleset(rules))
    told = Tongues.load().told([one.message for one in verdict.violations], "de")
    assert told
    assert expected is None or any(text.endswith(expected) for text in told)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("", "R10 R11 R12", "Rot 10-12 gelegt; 33 Punkte vom Brett."),
        ("R4 R5 R6", "R4 R5 R6 R7", "Rot 7 an Rot 4-6 gelegt: jetzt Rot 4-7; 7 Punkte vom Brett."),
        ("K7 R7 B7", "K7 R7 B7 J", "Joker an die 7er in Rot, Blau und Schwarz gelegt: jetzt"),
        ("", "R9 B9 J", "Rot 9, Blau 9, Joker als Orange 9 oder Schwarz 9 gelegt; 18 Punkte"),
    ],
)  # fmt: skip
def test_stories_in_german(before: str, after: str, expected: str) -> None:
    story = judge_turn(parse_table(before), parse_table(after)).story
    assert Tongues.load().told(story, "de").startswith(expected)


def test_a_set_that_is_notation_in_english_is_named_in_german() -> None:
    verdict = judge_turn(Table(), parse_table("R4 R5 J R9"))
    (message,) = [v.message for v in verdict.violations if v.code is Code.INVALID_SET]
    assert message.startswith("R4 R5 J R9 is not legal as it lies.")
    assert Tongues.load().told(message, "de").startswith("Rot 4, Rot 5, Joker, Rot 9 ist so")


def everything_said(before: Table, after: Table, ruleset: str) -> list[Any]:
    turn = judge_turn(before, after, load_ruleset(ruleset))
    broken = [*turn.violations, *turn.warnings, *turn.table.violations]
    return [
        turn.story,
        *(violation.message for violation in broken),
        *(hint.message for hint in turn.table.hints),
        *(move.text for move in restore_moves(before, after)),
    ]


@settings(max_examples=60, deadline=None)
@given(tables(3), tables(3), st.sampled_from(["standard", "crazy", "keadle", "runny"]))
def test_whatever_lies_there_nothing_is_left_in_english(
    before: Table, after: Table, ruleset: str
) -> None:
    tongues = Tongues.load()
    for text in everything_said(before, Table(before.parts[:1] + after.parts), ruleset):
        assert isinstance(text, Phrase)
        german = tongues.told(text, "de")
        assert not ENGLISH_ONLY.search(german), german
        assert "{" not in german
        anew = filled(ENGLISH_WORDS[text.key], text.values, ENGLISH)
        assert anew == text or anew[1:] == text[1:]


def test_what_has_no_words_stays_english() -> None:
    speaker = Speaker({"story.turn": "{steps}"})
    story = judge_turn(Table(), parse_table("R10 R11 R12")).story
    assert speaker.everything(story) == "Laid Red 10-12; 33 points from the rack."
    assert speaker.everything({"a": [1, None, "plain", phrased("Something covers it.")]}) == {
        "a": [1, None, "plain", "Something covers it."]
    }
    assert Tongues.load().told(story, "fr") == story


def test_the_commentary_speaks_german() -> None:
    story = judge_turn(Table(), parse_table("R10 R11 R12")).story
    violations = judge_turn(Table(), parse_table("R7 B7 R7")).violations
    proposal = {
        "player": "Bob",
        "legal": False,
        "violations": [{"text": violation.message} for violation in violations],
    }
    history = [{"seq": 1, "player": "Ann", "story": story}]
    found = commentary.lines(None, {"history": history, "proposal": proposal, "match": None})
    told = Tongues.load().told(found, "de")
    assert told[0] == "Ann: Rot 10-12 gelegt; 33 Punkte vom Brett."
    assert told[1].startswith("Bob: noch nicht gültig. Rot 7, Blau 7, Rot 7 ist so keine")
