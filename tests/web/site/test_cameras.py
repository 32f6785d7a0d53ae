"""Phones as cameras: one that streams is missed at once, one that sends photos is waited for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.fakes import fake_reader
from tests.vision.cameras.fakes import WAIT_S
from tests.web.live.fake_store import FakeStore
from tests.web.live.fakes import STANDARD, FakeWatcher, Time, picture_of, settled
from vision.cameras import CameraError, FeedSettings
from vision.recordings import bundled_recordings
from web.live.live_table import LiveTable
from web.settings import load_settings
from web.site.cameras import camera_at, open_feeds
from web.site.phones import PhoneFeed, phones_of
from web.site.server import ServeError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from vision.types import Pixels

SAME = picture_of(None)


def picture(seed: int) -> Pixels:
    return np.random.default_rng(seed).integers(0, 255, (48, 64, 3), np.uint8)


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def phone(time: Time) -> Iterator[PhoneFeed]:
    feed = PhoneFeed("phone 1", FeedSettings(silent_s=WAIT_S), time)
    with feed:
        yield feed


def send(phone: PhoneFeed, time: Time, *at_s: float) -> None:
    for number, moment_s in enumerate(at_s):
        time.now_s = moment_s
        phone.push(picture(number))
        assert phone.newest(number - 1, WAIT_S) is not None


def test_a_phone_that_streams_is_missed_as_soon_as_it_is_silent(time: Time) -> None:
    with PhoneFeed("phone 1", FeedSettings(silent_s=2.5), time) as phone:
        send(phone, time, 0.0, 0.5, 1.0)
        assert (phone.health, phone.message) == ("ok", "")
        time.now_s = 3.6
        assert phone.health == "lost"
        assert phone.message.startswith("phone 1 sends no pictures: open the camera page")
        phone.push(picture(9))
        assert phone.newest(2, WAIT_S) is not None
        assert (phone.health, phone.message) == ("ok", "")


def test_the_pages_are_told_of_a_phone_that_falls_silent(time: Time) -> None:
    ill = FeedSettings(silent_s=3.0)

    def open_phone(name: str) -> PhoneFeed:
        feed = PhoneFeed(name, ill, time)
        feed.start()
        return feed

    watcher = FakeWatcher(STANDARD)
    live = LiveTable(
        fake_reader(""),
        FakeStore(),
        clock=time,
        make_watcher=lambda _reader, _rules: watcher,
        open_phone=open_phone,
    )
    for number in range(3):
        time.now_s = 0.2 * number
        live.push_frame(picture_of(settled("R3 R4 R5")) if number == 0 else SAME, "phone 1")
        live.look_once(WAIT_S)
    assert live.snapshot()["phase"] == "stable"
    time.now_s = 3.5
    live.look_once(0)
    told = live.snapshot()
    assert told["phase"] == "lost"
    assert told["message"].startswith("phone 1 sends no pictures")
    assert [camera["health"] for camera in told["cameras"]] == ["lost"]
    live.close()


def test_the_usual_settings_miss_a_phone_within_three_seconds() -> None:
    assert load_settings(None).feeds.silent_s <= 3


def test_a_phone_that_sends_a_photo_a_turn_is_waited_for(phone: PhoneFeed, time: Time) -> None:
    send(phone, time, 0.0, 90.0, 200.0)
    time.now_s = 900.0
    assert (phone.health, phone.message) == ("ok", "")


def test_a_photo_that_is_sent_once_more_is_no_picture_that_stands_still(
    phone: PhoneFeed, time: Time
) -> None:
    for number, moment_s in enumerate((0.0, 6.0, 30.0)):
        time.now_s = moment_s
        phone.push(picture(0))
        assert phone.newest(number - 1, WAIT_S) is not None
        assert (phone.health, phone.message) == ("ok", "")


def test_a_phone_has_the_settings_of_all_cameras() -> None:
    settings = load_settings(None, {"black_s": 0.0, "silent_s": 9.0})
    phone = phones_of(settings)("phone 1")
    try:
        phone.push(picture(1) // 250)
        assert phone.feed.newest(timeout_s=WAIT_S) is not None
        assert phone.feed.health == "black"
    finally:
        phone.feed.close()


def test_a_camera_that_cannot_be_is_told_before_it_is_served() -> None:
    with pytest.raises(ServeError, match="in brackets"):
        open_feeds(load_settings(None, {"camera": ("http://fd00::7:80/video",)}))


@pytest.mark.parametrize("lines", [1, 500])
def test_a_text_is_no_video_though_it_can_be_typed_as_one(tmp_path: Path, lines: int) -> None:
    note = tmp_path / "note.txt"
    note.write_text("Bring the tiles.\n" * lines)
    with pytest.raises(CameraError, match=r"note.txt is no video: give a number, a video file, a"):
        camera_at(str(note))


def test_a_video_and_a_folder_of_pictures_are_cameras(tmp_path: Path) -> None:
    film = bundled_recordings()["lamp"].with_suffix(".mp4")
    assert camera_at(str(film)).name == "lamp.mp4"
    assert camera_at(str(tmp_path)).name == tmp_path.name
