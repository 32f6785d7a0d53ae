from __future__ import annotations

import json
import threading
from typing import TYPE_CHECKING, Any

import pytest

from tests.web.site.conftest import Clock, Site
from web.live.subscriptions import Subscription
from web.site import streams
from web.site.canned import CannedTable
from web.site.roles import Role, Session
from web.site.streams import Slot, StreamLimits, Streams, Writer, follow

if TYPE_CHECKING:
    from collections.abc import Iterator


def session(device: str, role: Role = Role.SPECTATOR) -> Session:
    return Session(device, frozenset({role}), 0)


def values(event: bytes) -> dict[str, Any]:
    return dict(json.loads(event.decode().split("data: ")[1]))


def begin(table: CannedTable, slot: Slot | None = None) -> Iterator[bytes]:
    return follow(table, slot or Slot("a", "here", organiser=False), Writer(), lambda: True)


def test_a_stream_begins_with_the_whole_state_and_tells_every_change() -> None:
    table = CannedTable()
    stream = begin(table)
    assert next(stream) == b"retry: 1000\n\n"
    assert values(next(stream)) == table.snapshot()
    table.step()
    event = next(stream)
    assert event.startswith(b"id: 2\nevent: snapshot\ndata: {")
    assert event.endswith(b"}\n\n")
    assert event.count(b"\n") == 4


def test_a_slow_reader_gets_the_newest_state_only() -> None:
    table = CannedTable()
    stream = begin(table)
    next(stream), next(stream)
    for _ in range(5):
        table.step()
    assert values(next(stream))["number"] == 6


def test_a_quiet_stream_has_a_heartbeat(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Subscription, "get", lambda _self, _timeout_s: None)
    clock, table = Clock(), CannedTable()
    slot = Slot("a", "here", organiser=False)
    stream = follow(table, slot, Writer(), lambda: True, clock)
    next(stream), next(stream)
    clock.at_s += 15
    assert next(stream) == b"event: beat\ndata: {}\n\n"


def test_a_stream_ends_when_its_place_is_taken_or_its_session_is_over() -> None:
    table = CannedTable()
    slot, over = Slot("a", "here", organiser=False), [False]
    ended = begin(table, slot)
    expired = follow(table, Slot("b", "here", organiser=False), Writer(), lambda: not over[0])
    for stream in (ended, expired):
        next(stream), next(stream)
    slot.end()
    over[0] = True
    for stream in (ended, expired):
        with pytest.raises(StopIteration):
            next(stream)
    assert not table.followers


def test_whoever_waits_for_what_a_stream_says_next_is_let_go_once_it_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(streams, "_SLICE_S", 600.0)
    slot = Slot("a", "here", organiser=False)
    stream = begin(CannedTable(), slot)
    next(stream), next(stream)
    waiting = threading.Thread(target=list, args=(stream,), daemon=True)
    waiting.start()
    slot.end()
    waiting.join(60)
    assert not waiting.is_alive()


def test_one_devices_newest_streams_stay() -> None:
    streams = Streams(StreamLimits(per_device=2))
    slots = [streams.open(session("a"), "here") for _ in range(3)]
    assert [slot is not None and slot.ended.is_set() for slot in slots] == [True, False, False]
    assert len(streams) == 2


def test_there_are_only_so_many_streams_and_some_are_kept_for_organisers() -> None:
    streams = Streams(StreamLimits(most=3, organisers=1, per_device=2, per_address=2))
    first = streams.open(session("a"), "here")
    assert first is not None
    assert streams.open(session("b"), "here") is not None
    assert streams.open(session("c"), "here") is None
    assert streams.open(session("d"), "there") is not None
    assert streams.open(session("e"), "elsewhere") is None
    assert streams.open(session("f", Role.ORGANISER), "here") is not None
    assert streams.open(session("g", Role.ORGANISER), "here") is None
    streams.leave(first)
    assert streams.open(session("e"), "elsewhere") is not None


def test_closing_ends_all_streams_for_good() -> None:
    streams = Streams()
    slot = streams.open(session("a"), "here")
    streams.close()
    assert slot is not None
    assert slot.ended.is_set()
    assert streams.open(session("a"), "here") is None


def test_the_route_streams_and_gives_its_place_back(site: Site) -> None:
    client = site.client(Role.SPECTATOR)
    answer = client.get("/events")
    assert answer.mimetype == "text/event-stream"
    stream = iter(answer.response)
    assert next(stream) == b"retry: 1000\n\n"
    assert len(site.services.streams) == 1
    answer.close()
    assert len(site.services.streams) == 0
    assert not site.table.followers


def test_a_stream_that_is_never_read_gives_its_place_back(site: Site) -> None:
    client = site.client(Role.SPECTATOR)
    client.get("/events").close()
    client.head("/events").close()
    assert len(site.services.streams) == 0


def test_who_comes_too_late_is_asked_to_come_back(site: Site) -> None:
    open_streams = [site.client(Role.SPECTATOR).get("/events") for _ in range(3)]
    late = site.client(Role.SPECTATOR).get("/events")
    assert late.status_code == 200
    assert late.text.startswith("retry: 10000\nevent: busy\n")
    for answer in open_streams:
        answer.close()
