"""The table with its worker: frames come in, followers are told, failures are survived."""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING, Any

import pytest

from tests.fakes import blank, fake_reader
from tests.web.live.fake_store import FakeStore
from tests.web.live.fakes import BROKEN, FakeFeed, FakePhone, FakeWatcher, picture_of
from tests.web.live.fakes import settled as table_of
from web.live.gate import Gate
from web.live.live_table import LiveTable
from web.live.settings import LiveSettings
from web.live.subscriptions import Subscription, Subscriptions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SOON_S = 20.0
"""Far longer than anything here takes; a test that waits so long has failed."""


def table_for(*feeds: FakeFeed) -> LiveTable:
    return LiveTable(
        fake_reader("R2"),
        FakeStore(),
        feeds,
        LiveSettings(restart_s=0.01),
        make_watcher=lambda _reader, rules: FakeWatcher(rules),
        open_phone=FakePhone,
    )


@pytest.fixture
def feed() -> FakeFeed:
    return FakeFeed()


@pytest.fixture
def live(feed: FakeFeed) -> Iterator[LiveTable]:
    with table_for(feed) as table:
        yield table


def until(
    changes: Subscription, live: LiveTable, fits: Callable[[dict[str, Any]], bool]
) -> dict[str, Any]:
    """Follow the table until a snapshot fits."""
    snapshot: dict[str, Any] | None = live.snapshot()
    while snapshot is not None:
        if fits(snapshot):
            return snapshot
        snapshot = changes.get(SOON_S)
    pytest.fail("the table never came to be so")


def test_followers_are_told_what_a_frame_shows(live: LiveTable, feed: FakeFeed) -> None:
    with live.subscribe() as changes:
        feed.show(table_of("R3 R4 R5"))
        shown = until(changes, live, lambda found: bool(found["tiles"]))
    assert shown["phase"] == "stable"
    camera = {"name": "fake", "health": "ok", "message": "", "active": True, "counts": True}
    assert shown["cameras"] == [camera]
    picture = live.picture_jpeg()
    assert picture is not None
    assert picture[:2] == b"\xff\xd8"


def test_snapshots_are_numbered(live: LiveTable, feed: FakeFeed) -> None:
    with live.subscribe() as changes:
        before = live.snapshot()["number"]
        feed.show(table_of("R3 R4 R5"))
        assert until(changes, live, lambda found: found["tiles"])["number"] > before


def test_a_failing_watcher_is_told_of_and_replaced(
    live: LiveTable, feed: FakeFeed, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR), live.subscribe() as changes:
        feed.show(BROKEN)
        shown = until(changes, live, lambda found: "watcher is broken" in found["message"])
        assert shown["message"].key == "message.restarted"
        feed.show(table_of("R3 R4 R5"))
        until(changes, live, lambda found: bool(found["tiles"]))
    assert "Traceback" in caplog.text


def test_a_phone_goes_before_the_fixed_camera(live: LiveTable, feed: FakeFeed) -> None:
    with live.subscribe() as changes:
        feed.show(table_of("R3 R4 R5"))
        until(changes, live, lambda found: len(found["tiles"]) == 3)
        live.push_frame(picture_of(table_of("K1 K2 K3 K4")), "phone 1")
        shown = until(changes, live, lambda found: len(found["tiles"]) == 4)
    assert [(camera["name"], camera["active"]) for camera in shown["cameras"]] == [
        ("fake", False),
        ("phone 1", True),
    ]


def test_without_any_camera_the_table_waits_for_a_phone() -> None:
    with table_for() as live, live.subscribe() as changes:
        assert live.snapshot()["phase"] == "lost"
        assert live.picture_jpeg() is None
        live.push_frame(picture_of(table_of("K1 K2 K3")), "phone 1")
        until(changes, live, lambda found: len(found["tiles"]) == 3)


def test_cameras_are_let_go_at_the_end(feed: FakeFeed) -> None:
    live = table_for(feed)
    live.start()
    live.push_frame(blank(), "phone 1")
    live.close()
    assert feed.started
    assert feed.closed
    live.push_frame(blank(), "phone 1")


def test_a_command_is_shown_to_all_at_once(live: LiveTable) -> None:
    with live.subscribe() as first, live.subscribe() as second:
        live.command("new_match", {"players": ["Ann", "Bob"]})
        for changes in (first, second):
            snapshot = changes.get(SOON_S)
            assert snapshot is not None
            assert snapshot["match"]["players"][0]["name"] == "Ann"


def test_a_slow_follower_gets_the_newest_and_holds_nobody_up() -> None:
    everyone = Subscriptions()
    with everyone.open() as slow:
        for number in range(1000):
            everyone.publish({"number": number})
        assert slow.get(0) == {"number": 999}
        assert slow.get(0) is None


def test_whoever_waits_is_let_go_at_the_end() -> None:
    everyone = Subscriptions()
    answers: list[object] = []
    with everyone.open() as waiting:
        thread = threading.Thread(target=lambda: answers.append(waiting.get(SOON_S)))
        thread.start()
        everyone.close()
        thread.join(SOON_S)
    assert answers == [None]
    assert len(everyone) == 0


def test_people_go_before_the_worker() -> None:
    gate, order, inside = Gate(), list[str](), threading.Event()

    def person() -> None:
        with gate.for_a_person():
            order.append("person")

    def worker() -> None:
        with gate.for_the_worker():
            order.append("worker")

    with gate.for_the_worker():
        threads = [threading.Thread(target=work) for work in (worker, person)]
        for thread in threads:
            thread.start()
        while not gate.asked:
            inside.wait(0.001)
    for thread in threads:
        thread.join(SOON_S)
    assert order == ["person", "worker"]
