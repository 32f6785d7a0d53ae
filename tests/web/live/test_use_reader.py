"""Another reader from now on: at once, for table and racks, and nothing recorded is touched."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.fakes import blank, fake_reader
from tests.web.live.fake_store import FakeStore
from tests.web.live.fakes import FakeFeed, FakePhone, FakeWatcher, Time
from web.live.live_table import LiveTable

if TYPE_CHECKING:
    from referee.ruleset import Ruleset
    from tests.web.live.rooms import Room
    from vision.pipeline import TableReader

OPENING = "R10 R11 R12"


def test_the_next_look_is_made_with_it() -> None:
    made: list[TableReader] = []

    def make(reader: TableReader, rules: Ruleset) -> FakeWatcher:
        made.append(reader)
        return FakeWatcher(rules)

    first, second, feed = fake_reader("R2"), fake_reader("K2"), FakeFeed()
    live = LiveTable(
        first, FakeStore(), [feed], clock=Time(), make_watcher=make, open_phone=FakePhone
    )
    feed.show(OPENING)
    live.look_once(0)
    live.use_reader(second)
    feed.show(OPENING)
    live.look_once(0)
    assert made == [first, second]


def test_racks_are_read_with_it(room: Room) -> None:
    room.play("Ann", "Bob", changes={"deal_two_players": 3})
    room.turn(OPENING)
    room.live.use_reader(fake_reader("B5 J"))
    room.do("read_leftovers", player="Bob", pixels=blank())
    assert room.snapshot()["leftovers"]["racks"]["Bob"]["tiles"] == "B5 J"


def test_the_match_goes_on_as_it_stood(room: Room) -> None:
    room.play()
    room.turn(OPENING)
    writes, before = room.store.writes, room.snapshot()["match"]
    room.live.use_reader(fake_reader("K2"))
    room.show(OPENING, hand=False)
    now = room.snapshot()
    assert (room.store.writes, now["match"]) == (writes, before)
    assert (now["proposal"], now["desync"]) == (None, None)
    room.turn(f"{OPENING} | B13 K13 R13")
    assert room.snapshot()["match"]["turn"] == "Ann"


def test_a_turn_under_way_stays_one(room: Room) -> None:
    room.play()
    room.turn(OPENING)
    room.show(f"{OPENING} | B7 K7")
    before = room.snapshot()["proposal"]
    room.live.use_reader(fake_reader("K2"))
    room.show(f"{OPENING} | B7 K7", hand=False)
    room.wait(3)
    assert (room.snapshot()["proposal"], room.snapshot()["desync"]) == (before, None)


def test_the_newest_picture_is_there_in_full(room: Room) -> None:
    assert room.live.picture_pixels() is None
    room.show(OPENING)
    pixels = room.live.picture_pixels()
    assert pixels is not None
    assert pixels.shape == blank().shape
