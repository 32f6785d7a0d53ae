"""Verdicts in German: as they are shown, and as they are spoken."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from referee import judge_turn, parse_table
from referee.table import Table
from tests.web.browser.conftest import on_a_phone
from web.live.desync import restore_moves
from web.live.sentences import phrased
from web.site import canned_scenes as scenes
from web.site import canned_states as states
from web.site.rules import rules_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.web.browser.pages import Page

pytestmark = on_a_phone

BEFORE, AFTER = "B11 B12 B13", "B11 K12 B13 | R4 R5"
LISTEN = """
window.spoken = [];
speechSynthesis.speak = (words) => window.spoken.push([words.lang, words.text]);
speechSynthesis.cancel = () => {};
"""


@pytest.fixture
def german(organiser: Page) -> Iterator[Page]:
    organiser.find("#verdict h1")
    organiser.tap("[data-language=de]")
    organiser.says("Was nun?", "#actions")
    organiser.run(LISTEN)
    yield organiser
    organiser.chrome.delete_cookie("lang")


def illegal() -> dict[str, Any]:
    turn = judge_turn(parse_table(BEFORE), parse_table(AFTER))
    state = {**states.table(AFTER, unsure="R4"), "proposal": scenes._proposal(AFTER, ("X", "x"))}
    state["proposal"]["violations"] = [
        {"code": str(v.code), "text": v.message} for v in turn.violations
    ]
    state["tiles"][3]["doubt"] = phrased("This could also be Black 7.")
    return state


def test_reasons_are_shown_and_spoken_in_german(german: Page) -> None:
    german.preview.table.show(illegal())
    german.says("Blau 12 fehlt auf dem Tisch.")
    german.says(
        "Blau 11, Schwarz 12, Blau 13 ist so keine gültige Reihe. "
        "Schwarz 12 gehört nicht in eine Folge in Blau."
    )
    german.says("Schwarz 12 gehört nicht in eine Folge in Blau.", "#table")
    spoken = german.wait(lambda: german.run("return window.spoken"))
    assert spoken[-1] == ["de", "Dieser Zug ist noch nicht gültig. Blau 12 fehlt auf dem Tisch."]


def test_a_doubt_is_asked_about_in_german(german: Page) -> None:
    german.preview.table.show(illegal())
    german.tap("[data-tile='4']")
    german.says("Das könnte auch Schwarz 7 sein.", "#dialog")


def test_stories_and_what_to_put_back_are_told_in_german(german: Page) -> None:
    story = judge_turn(Table(), parse_table(BEFORE)).story
    history = [{**states.base()["history"][1], "story": story}]
    moves = [
        {"tile": str(move.tile), "text": move.text}
        for move in restore_moves(parse_table(BEFORE), parse_table("B11 B12 | K1"))
    ]
    restore = {"table": BEFORE, "moves": moves, "evidence_id": None}
    german.preview.table.show({**states.table("B11 B12"), "history": history, "restore": restore})
    german.says("Blau 11-13 gelegt; 36 Punkte vom Brett.", "#history")
    german.says("Blau 13 zurück hinter Blau 12", "#banners")
    german.says("Schwarz 1 zurück aufs Brett", "#banners")


def test_rules_are_explained_in_german(german: Page) -> None:
    german.tap("#actions details summary")
    german.tap("#actions [data-action=new_match]")
    german.says("30 Punkte zum Herauskommen", "#dialog")
    german.tap("#dialog details summary")
    german.says("Die höchste Zahl auf einem Stein.", "#dialog")
    english = {one["meaning"] for one in rules_json()["parameters"]}
    shown = german.find("#dialog").text
    assert not [text for text in english if text in shown]
    named = german.run("return document.querySelector('#rule-deal').labels[0].innerText")
    assert named == "Wie viele Steine jeder bekommt. (Steine)"


def test_trouble_with_cameras_is_told_in_german(german: Page) -> None:
    german.preview.table.show(scenes._lost())
    german.says("USB-Kamera 0 liefert keine Bilder: prüfe Kabel, Strom und Netz.", "#banners")
    german.says("Telefon 3 sieht andere Steine als Telefon 1 und zählt deshalb nicht.", "#banners")
    german.says("Es zählen: Telefon 1, Telefon 2.", "#picture")
    banners = german.find("#banners").text
    assert banners.count("USB-Kamera 0 liefert keine Bilder") == 1
