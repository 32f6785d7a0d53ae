"""What the table says, in the language of whoever looks."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

import pytest

from referee import judge_turn, parse_table
from referee.phrases import say
from referee.table import Table
from tests.web.site.conftest import OWN, Site, error_of
from web.site import canned_scenes as scenes
from web.site.canned import CommandRefusedError
from web.site.roles import Role
from web.site.streams import Writer
from web.site.tongues import Tongues

if TYPE_CHECKING:
    from collections.abc import Mapping

    from flask.testing import FlaskClient

GERMAN = "Schwarz 12 gehört nicht in eine Folge in Blau."
ENGLISH = "Black 12 does not belong in a blue run."


def first_event(client: FlaskClient, path: str) -> dict[str, Any]:
    """Return the state that a stream begins with."""
    with client.get(path, buffered=False) as answer:
        for piece in answer.response:
            text = piece if isinstance(piece, str) else piece.decode()
            for line in text.splitlines():
                if line.startswith("data: "):
                    found: dict[str, Any] = json.loads(line.removeprefix("data: "))
                    return found
    pytest.fail("no state came")


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/events?lang=de", GERMAN),
        ("/events?lang=en", ENGLISH),
        ("/events", ENGLISH),
        ("/events?lang=../de", ENGLISH),
    ],
)
def test_events_speak_the_language_that_is_asked_for(
    site: Site, spectator: FlaskClient, path: str, expected: str
) -> None:
    site.table.show(scenes._illegal())
    shown = first_event(spectator, path)
    assert expected in shown["parts"][-1]["texts"]
    assert shown["proposal"]["violations"][0]["code"] == "INVALID_SET"


def test_machines_are_told_in_english_whatever_they_accept(
    site: Site, spectator: FlaskClient
) -> None:
    site.table.show(scenes._illegal())
    german = {"Accept-Language": "de"}
    told = spectator.get("/snapshot.json", headers=german).get_json()
    assert told == site.table.snapshot()
    assert ENGLISH in told["parts"][-1]["texts"]


def test_a_snapshot_is_written_once_a_language() -> None:
    asked: list[str] = []

    class Counting(Tongues):
        def told(self, values: Any, language: str) -> Any:  # noqa: ANN401 - JSON values
            asked.append(language)
            return super().told(values, language)

    writer = Writer(Counting.load())
    snapshot = {"number": 1, "text": say("event.passed", "Passed.")}
    written = [writer.event(snapshot, language) for language in ("de", "en", "de", "en")]
    assert written[:2] == written[2:]
    assert b"Hat gepasst." in written[0]
    assert b"Passed." in written[1]
    assert asked == ["de", "en"]


def test_the_page_of_a_match_tells_its_turns_in_german(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = site.archive.match(1) or {}
    story = judge_turn(Table(), parse_table("R10 R11 R12")).story
    found["history"][0]["story"] = story
    monkeypatch.setattr(site.archive, "match", lambda _number: found)
    client = site.client(Role.SPECTATOR)
    assert "Rot 10-12 gelegt; 33 Punkte vom Brett." in client.get("/matches/1?lang=de").text
    assert "Laid Red 10-12; 33 points from the rack." in client.get("/matches/1").text


def test_what_a_joker_stands_for_is_told_in_german() -> None:
    story = judge_turn(Table(()), parse_table("R5 J R7 R8")).story
    assert Tongues.load().told(story, "de") == (
        "Rot 5, Joker als Rot 6, Rot 7, Rot 8 gelegt; 20 Punkte und ein Joker vom Brett."
    )


def test_a_refusal_is_said_in_the_language_of_who_asked(
    site: Site, organiser: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_name: str, _values: Mapping[str, Any]) -> None:
        raise CommandRefusedError(say("event.stopped", "The match was stopped."))

    monkeypatch.setattr(site.table, "command", refuse)
    german = {**OWN, "Cookie": "lang=de"}
    assert error_of(organiser.post("/api/commands/x", headers=OWN, json={})) == (
        "The match was stopped."
    )
    answer = organiser.post("/api/commands/x?lang=de", headers=german, json={})
    assert error_of(answer) == "Die Partie wurde beendet."


@pytest.mark.parametrize(
    ("path", "german", "english"),
    [
        ("/nowhere", "Hier ist nichts.", "There is nothing here."),
        ("/enter?token=x", "Dieser Link gehört nicht zu diesem Tisch.", "This link is not one of"),
        ("/", "Diese Seite steht diesem Gerät nicht offen", "This page is not open to this"),
    ],
)
def test_errors_are_said_in_the_language_of_who_asked(
    site: Site, path: str, german: str, english: str
) -> None:
    client = site.client()
    page = {"Accept": "text/html"}
    assert english in client.get(path, headers=page).text
    assert german in client.get(path, headers={**page, "Accept-Language": "de"}).text


def test_a_photo_that_is_none_is_refused_in_the_language_of_who_sent_it(site: Site) -> None:
    client, headers = site.client(Role.CAMERA), {**OWN, "Content-Type": "image/jpeg"}
    told = {
        language: error_of(
            client.post(f"/camera/frame?lang={language}", headers=headers, data=b"no picture")
        )
        for language in ("de", "en")
    }
    assert told == {
        "de": "Das ist kein JPEG-Bild; Bilder werden als image/jpeg geschickt.",
        "en": "Not a JPEG picture; frames are sent as image/jpeg.",
    }


def test_a_language_that_was_chosen_on_any_page_is_kept_for_all(site: Site) -> None:
    client = site.client(Role.CAMERA, Role.SPECTATOR)
    assert '<html lang="en">' in client.get("/phone").text
    client.get("/matches?lang=de")
    assert '<html lang="de">' in client.get("/phone").text
    told = client.post("/camera/frame", headers={**OWN, "Content-Type": "image/jpeg"}, data=b"x")
    assert error_of(told).startswith("Das ist kein JPEG-Bild")
    client.get("/rules.json?lang=en")
    client.get("/matches?lang=fr")
    assert '<html lang="de">' in client.get("/phone").text
    client.get("/phone?lang=en")
    assert '<html lang="en">' in client.get("/phone").text


def test_another_language_can_be_chosen_where_a_photo_was_refused(site: Site) -> None:
    client = site.client(Role.CAMERA)
    refused = client.post("/camera/photo", headers={**OWN, "Accept": "text/html"}, data={})
    (link,) = re.findall(r'class="language" href="([^"]*)"', refused.text)
    page = client.get(urljoin("/camera/photo", link), follow_redirects=True)
    assert page.status_code == 200
    assert '<html lang="de">' in page.text
