"""Through which camera the table is looked at."""

from __future__ import annotations

from tests.fakes import blank
from tests.web.live.fakes import FakeFeed, FakePhone, Time
from web.live.eyes import Eyes


def names(eyes: Eyes) -> list[str]:
    return [camera.name for camera in eyes.views()]


def test_a_phone_that_is_gone_for_good_is_not_spoken_of() -> None:
    time = Time()
    eyes = Eyes([FakeFeed("fixed")], FakePhone, time, 8.0)
    eyes.push(blank(), "phone 1")
    time.now_s = 60.0
    eyes.push(blank(), "phone 2")
    assert names(eyes) == ["fixed", "phone 1", "phone 2"]
    time.now_s = 150.0
    assert names(eyes) == ["fixed", "phone 2"]
    eyes.push(blank(), "phone 1")
    assert names(eyes) == ["fixed", "phone 2", "phone 1"]


def test_a_phone_that_is_looked_through_is_spoken_of_however_silent_it_is() -> None:
    time = Time()
    eyes = Eyes([], FakePhone, time, 8.0)
    eyes.push(blank(), "phone 1")
    time.now_s = 900.0
    assert [(camera.name, camera.active) for camera in eyes.views()] == [("phone 1", True)]


def test_a_photo_is_known_from_a_frame_of_a_live_picture() -> None:
    time = Time()
    eyes = Eyes([], FakePhone, time, 8.0)
    for photo in (True, False, True):
        eyes.push(blank(), "phone 1", photo=photo)
        found = eyes.newest(1.0)
        assert found is not None
        assert found.photo is photo
        time.now_s += 1.0
        again = eyes.newest(0.0)
        assert again is not None
        assert again.photo is photo


def test_the_end_of_a_recording_lies_still_for_a_while() -> None:
    time, film = Time(), FakeFeed("film")
    eyes = Eyes([film], FakePhone, time, 8.0)
    film.give(blank())
    film.health = "ended"
    found = [eyes.newest(0.0), eyes.newest(0.0)]
    assert [frame and (frame.number, frame.photo) for frame in found] == [(1, False), (2, False)]
    time.now_s = 9.0
    assert eyes.newest(0.0) is None


def test_cameras_are_all_told_to_stop_before_any_is_waited_for() -> None:
    stopped: list[list[bool]] = []

    class Slow(FakeFeed):
        def close(self) -> None:
            stopped.append([feed.stopped for feed in feeds])
            super().close()

    class Phone(FakePhone):
        def __init__(self, name: str) -> None:
            self.feed = Slow(name)
            feeds.append(self.feed)

    feeds: list[FakeFeed] = [Slow("near"), Slow("far")]
    eyes = Eyes(list(feeds), Phone, Time(), 8.0)
    eyes.push(blank(), "phone 1")
    eyes.close()
    assert stopped == [[True] * 3] * 3
    assert all(feed.closed for feed in feeds)
