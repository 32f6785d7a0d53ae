"""Another reader from now on: at once, for table and racks, and nothing recorded is touched."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.fakes import blank, fake_reader
from tests.vision.watching.made_scenes import MadeReader, Scene, row
from tests.web.live.fake_store import FakeStore
from tests.web.live.fakes import FakeFeed, FakePhone, FakeWatcher, Time
from vision.pipeline import TableReader
from vision.watching.sights import Phase
from web.live.live_table import LiveTable

if TYPE_CHECKING:
    from referee.ruleset import Ruleset
    from tests.web.live.rooms import Room

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
    room.read_by(fake_reader("K2"))
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
    room.read_by(fake_reader("K2"))
    room.show(f"{OPENING} | B7 K7", hand=False)
    room.wait(3)
    assert (room.snapshot()["proposal"], room.snapshot()["desync"]) == (before, None)


def test_the_newest_picture_is_there_in_full(room: Room) -> None:
    assert room.live.picture_pixels() is None
    room.show(OPENING)
    pixels = room.live.picture_pixels()
    assert pixels is not None
    assert pixels.shape == blank().shape


def test_tiles_stay_known_until_the_table_has_been_read_anew(room: Room) -> None:
    room.play()
    room.turn(OPENING)
    before = room.snapshot()["tiles"]
    room.wait(1, Phase.MOVING)
    room.live.use_reader(fake_reader("K2"))
    room.wait(1, Phase.MOVING)
    assert len(before) == 3
    assert room.snapshot()["tiles"] == before
    room.show(OPENING, hand=False)
    assert [tile["tile"] for tile in room.snapshot()["tiles"]] == OPENING.split()


@pytest.mark.parametrize("still", [True, False])
def test_a_table_that_lies_still_is_read_at_once_without_another_frame(still: bool) -> None:
    first, second, feed = MadeReader(), MadeReader(), FakeFeed()
    first.scene = Scene(row(300, 200, "R3 R4 R5"))
    second.scene = Scene(row(300, 200, "R3 R4 R6"))
    live = LiveTable(TableReader(first, first), FakeStore(), [feed], open_phone=FakePhone)
    for number in range(10):
        feed.give(first.scene.pixels(number), taken_s=number / 5)
        live.look_once(0)
    assert [tile["tile"] for tile in live.snapshot()["tiles"]] == ["R3", "R4", "R5"]
    if not still:
        feed.give(Scene(row(300, 400, "R3 R4 R5")).pixels(99), taken_s=2.0)
        live.look_once(0)
    live.use_reader(TableReader(second, second))
    for _ in range(3):
        live.look_once(0)
    read = [tile["tile"] for tile in live.snapshot()["tiles"]]
    assert read == ["R3", "R4", "R6" if still else "R5"]
