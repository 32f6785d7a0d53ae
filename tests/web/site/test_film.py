from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import numpy as np

from tests.web.site.conftest import Clock
from vision.recordings import RecordingError
from web.site.film import FilmFeed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vision.types import Pixels

FPS = 1_000_000  # as fast as it is asked for


def shades(count: int) -> Iterator[Pixels]:
    for shade in range(count):
        yield np.full((4, 4, 3), shade, np.uint8)


def film(count: int = 5, fps: float = FPS) -> FilmFeed:
    feed = FilmFeed(lambda: shades(count), fps, "evening.mp4")
    feed.start()
    return feed


def watch(feed: FilmFeed, frames: int) -> list[int]:
    """Return the shades of the next frames."""
    seen, after = [], -1
    for _ in range(frames):
        frame = feed.newest(after)
        assert frame is not None
        assert frame.number > after
        after = frame.number
        seen.append(int(frame.pixels[0, 0, 0]))
    return seen


def test_a_film_waits_on_its_first_frame_until_it_is_told_to_go_on() -> None:
    feed = film()
    assert watch(feed, 3) == [0, 0, 0]
    feed.go_on(2)
    assert watch(feed, 6) == [0, 1, 2, 2, 2, 2]
    assert feed.place == 2


def test_every_frame_is_shown_however_slowly_it_is_asked_for() -> None:
    feed = film()
    feed.go_on(4)
    assert watch(feed, 7) == [0, 1, 2, 3, 4, 4, 4]


def test_after_its_end_a_film_shows_its_last_frame() -> None:
    feed = film(2)
    feed.go_on(10)
    assert watch(feed, 4) == [0, 1, 1, 1]
    feed.rewind()
    assert watch(feed, 3)[-1] == 0


def test_the_newest_frame_is_given_to_whoever_has_not_seen_it() -> None:
    feed = film()
    first = feed.newest()
    assert first is not None
    assert feed.newest(first.number - 1) is first


def test_a_frame_that_is_not_due_is_not_shown() -> None:
    clock = Clock()
    feed = FilmFeed(lambda: shades(3), 5, "evening.mp4", clock)
    feed.start()
    feed.go_on(2)
    assert feed.newest(-1) is not None
    assert feed.newest(0, timeout_s=0) is None
    clock.at_s += 0.2
    frame = feed.newest(0, timeout_s=0)
    assert frame is not None
    assert frame.taken_s == clock.at_s


def test_whoever_waits_for_a_place_is_told() -> None:
    feed, came = film(), []
    waiting = threading.Thread(target=lambda: came.append(feed.wait_for(3, 10)))
    waiting.start()
    feed.go_on(3)
    watch(feed, 5)
    waiting.join()
    assert came == [True]
    assert not feed.wait_for(4, 0)


def test_a_closed_film_shows_nothing_and_lets_all_go() -> None:
    feed = film(fps=0.01)
    watch(feed, 1)
    waiting = threading.Thread(target=lambda: feed.newest(0, timeout_s=60))
    waiting.start()
    feed.close()
    waiting.join()
    assert not feed.wait_for(4, 60)


def test_a_film_that_cannot_be_shown_says_so() -> None:
    def broken() -> Iterator[Pixels]:
        raise RecordingError("evening.mp4: no film that OpenCV can open")
        yield

    feed = FilmFeed(broken, FPS, "evening.mp4")
    feed.start()
    assert feed.newest() is None
    assert (feed.health, feed.message) == ("lost", "evening.mp4: no film that OpenCV can open")
    empty = film(0)
    assert empty.newest() is None
    assert empty.message == "evening.mp4 holds no pictures."
