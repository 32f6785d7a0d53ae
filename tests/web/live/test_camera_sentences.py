"""What is said of cameras can be said in every language."""

from __future__ import annotations

from string import Formatter
from typing import TYPE_CHECKING, Any

import pytest

from referee.phrases import Phrase
from tests.fakes import fake_reader
from tests.vision.cameras.fakes import FakeCapture
from tests.web.live.fake_store import FakeStore
from tests.web.live.fakes import FakeFeed, FakePhone, FakeWatcher
from vision.cameras import CameraError, Feed, FeedSettings, Health, camera_from, words
from vision.cameras.captures import LiveCamera
from vision.watching import states
from vision.watching.together import lineup, pace
from web.live.camera_sentences import CAMERA_SENTENCES
from web.live.live_table import LiveTable
from web.live.sentences import SENTENCES, phrased
from web.site.phones import PhoneFeed, Phones
from web.site.tongues import Tongues

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.web.live.rooms import Room


def german(text: str) -> str:
    told = Tongues.load().told(phrased(text), "de")
    return str(told)


def sentences() -> Iterator[str]:
    for module in (words, lineup, pace, states):
        for name, value in vars(module).items():
            if name.isupper() and isinstance(value, str):
                yield value


def test_everything_said_of_cameras_is_known() -> None:
    known = {text.rstrip(".") for text in SENTENCES.values()}
    assert {text.rstrip(".") for text in sentences()} <= known


@pytest.mark.parametrize(("key", "sentence"), CAMERA_SENTENCES.items())
def test_a_sentence_is_found_again_with_what_it_tells_of(key: str, sentence: str) -> None:
    places = {name for _, name, _, _ in Formatter().parse(sentence) if name}
    filled = {name: f"the {name}" for name in places}
    found = phrased(sentence.format(**filled))
    assert isinstance(found, Phrase)
    assert (found.key, found.values) == (key, filled)


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("0", "USB-Kamera 0"),
        ("/dev/video2", "Kamera /dev/video2"),
        ("rtsp://me:secret@10.0.0.7/live", "Kamera unter 10.0.0.7"),
    ],
)
def test_names_are_said_in_german(address: str, expected: str) -> None:
    name = camera_from(address).name
    assert german(name) == expected
    assert german(f"{name} (2)") == f"{expected} (2)"


def test_names_of_phones_are_said_in_german() -> None:
    assert german(Phones().name("abc")) == "Telefon 1"
    # Films keep their names.
    assert german("evening.mp4") == "evening.mp4"


def test_a_feed_says_nothing_that_is_not_known() -> None:
    feed = Feed(LiveCamera(0, "USB camera 0", words.USB_ADVICE, lambda _source: FakeCapture([])))
    phone = PhoneFeed("phone 1", FeedSettings())
    said = [one._said(health) for one in (feed, phone) for health in Health]
    unknown = [text for text in said if text and not isinstance(phrased(text), Phrase)]
    assert unknown == []


def test_a_reason_is_said_in_german_too() -> None:
    camera = LiveCamera(0, "USB camera 0", words.USB_ADVICE, lambda _source: FakeCapture([]))
    with pytest.raises(CameraError) as refused:
        camera.open()
    assert german(f"{refused.value}.") == (
        "USB-Kamera 0 lässt sich nicht öffnen: "
        "stecke sie ein, und schließe andere Programme, die sie benutzen."
    )


def test_what_the_table_says_of_its_cameras_is_in_phrases(room: Room) -> None:
    room.show("R3 R4 R5")
    room.feed.name, room.feed.health = "USB camera 0", "lost"
    room.feed.message = words.LOST.format(name="USB camera 0")
    room.wait(1)
    shown: dict[str, Any] = Tongues.load().told(room.snapshot(), "de")
    told = "USB-Kamera 0 liefert keine Bilder: prüfe Kabel, Strom und Netz."
    assert shown["message"] == told
    assert shown["cameras"][0]["message"] == told


def test_the_table_names_its_cameras_in_the_pages_language() -> None:
    feeds = [FakeFeed("USB camera 0"), FakeFeed("USB camera 0")]
    live = LiveTable(
        fake_reader(""),
        FakeStore(),
        feeds,
        make_watcher=lambda _reader, rules: FakeWatcher(rules),
        open_phone=FakePhone,
    )
    shown = Tongues.load().told(live.snapshot(), "de")
    assert [one["name"] for one in shown["cameras"]] == ["USB-Kamera 0", "USB-Kamera 0 (2)"]
