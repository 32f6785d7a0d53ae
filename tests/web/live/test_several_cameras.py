"""Several cameras over one table, as people meet them on the pages."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.fakes import fake_reader
from tests.web.live.fake_store import FakeStore
from tests.web.live.fakes import (
    STANDARD,
    FakeFeed,
    FakePhone,
    FakeWatcher,
    Time,
    picture_of,
    settled,
)
from vision.types import Picture, Reading
from vision.watching.registration import moved
from vision.watching.sights import Phase
from vision.watching.tables import settled_table
from web.live.errors import CommandError
from web.live.eyes import Eyes
from web.live.live_table import LiveTable

if TYPE_CHECKING:
    from vision.types import Floats
    from vision.watching.sights import SettledTable

LYING = "R3 R4 R5 R6 | B7 K7 O7"
OTHER = "K1 K2 K3 K4 K5 | O9 O10 O11"
# From the other side of the table.
ACROSS = np.array([(-0.9, 0.02, 900), (0.01, -0.9, 700), (0.0001, 0.0001, 1)], np.float32)


def across(table: SettledTable) -> SettledTable:
    """The same table as the camera on the other side sees it."""
    tiles = tuple(
        replace(tile, id=tile.id + 40, quad_img=moved(tile.quad_img, ACROSS))
        for tile in table.tiles
    )
    return replace(table, tiles=tiles)


def without(table: SettledTable, face: str) -> SettledTable:
    """The table as one sees it who does not see this tile."""
    tiles = [tile for tile in table.tiles if str(tile.reading.tile) != face]
    return settled_table(1, tiles, STANDARD, Picture((750, 1000)), after_hand=table.after_hand)


def misread(table: SettledTable, face: str, as_face: Reading) -> SettledTable:
    tiles = tuple(
        replace(tile, reading=as_face) if str(tile.reading.tile) == face else tile
        for tile in table.tiles
    )
    return replace(table, tiles=tiles)


@dataclass
class TwoCameras:
    """A live table with two cameras, and what a test moves it by; without threads."""

    near: FakeFeed = field(default_factory=lambda: FakeFeed("near"))
    far: FakeFeed = field(default_factory=lambda: FakeFeed("far"))
    time: Time = field(default_factory=Time)
    store: Any = field(default_factory=FakeStore)
    live: LiveTable = field(init=False)

    def __post_init__(self) -> None:
        self.live = LiveTable(
            fake_reader("R2"),
            self.store,
            [self.near, self.far],
            clock=self.time,
            make_watcher=lambda _reader, rules: FakeWatcher(rules),
            open_phone=FakePhone,
        )

    def show(
        self,
        near: object = None,
        far: object = None,
        near_phase: Phase = Phase.STABLE,
        far_phase: Phase = Phase.STABLE,
    ) -> dict[str, Any]:
        """Let each see something, or the same as before."""
        if self.near.health == "ok":
            self.near.show(near, near_phase)
        if self.far.health == "ok":
            self.far.show(far, far_phase)
        for _ in range(2):
            self.live.look_once(0)
        return self.live.snapshot()

    def both(self, table: str, *, hand: bool = True) -> dict[str, Any]:
        seen = settled(table, after_hand=hand)
        return self.show(seen, across(seen))

    def do(self, name: str, **values: Any) -> None:  # noqa: ANN401
        self.live.command(name, values)

    def play(self) -> None:
        self.do("new_match", players=["Ann", "Bob"])
        self.do("start_round", starter="Ann")


@pytest.fixture
def room() -> TwoCameras:
    return TwoCameras()


def faces(shown: dict[str, Any]) -> list[str]:
    return sorted(tile["tile"] for tile in shown["tiles"])


def tile(shown: dict[str, Any], face: str) -> dict[str, Any]:
    (found,) = [tile for tile in shown["tiles"] if tile["tile"] == face]
    return dict(found)


def counting(shown: dict[str, Any]) -> list[str]:
    return [camera["name"] for camera in shown["cameras"] if camera["counts"]]


def quad(found: dict[str, Any]) -> Floats:
    return np.array(found["quad"], np.float32)


def test_both_count_and_the_picture_is_the_first_ones(room: TwoCameras) -> None:
    shown = room.both(LYING)
    assert counting(shown) == ["near", "far"]
    assert [camera["active"] for camera in shown["cameras"]] == [True, False]
    assert faces(shown) == sorted(LYING.replace("| ", "").split())
    assert quad(tile(shown, "R3"))[0] == pytest.approx((50, 40))
    assert shown["message"] == ""


def test_a_tile_that_only_the_other_sees_is_shown_where_it_lies(room: TwoCameras) -> None:
    whole = settled(LYING)
    shown = room.show(without(whole, "R5"), across(whole))
    assert quad(tile(shown, "R5")) == pytest.approx(whole.tiles[2].quad_img, abs=1)
    assert [part["status"] for part in shown["parts"]] == ["valid", "valid"]
    assert [len(part["cells"][0]) for part in shown["parts"]] == [4, 3]


def test_a_tile_is_shown_as_the_camera_sees_it_that_sees_it_best(room: TwoCameras) -> None:
    whole = settled(LYING)
    shown = room.show(without(whole, "R5"), across(whole))
    aside = room.live.tile_aside(tile(shown, "R5")["id"])
    assert aside is not None
    frame = room.far.newest()
    assert frame is not None
    assert aside[0] is frame.pixels
    assert aside[1] == pytest.approx(across(whole).tiles[2].quad_img)
    assert room.live.tile_aside(tile(shown, "R3")["id"]) is None
    assert room.live.tile_aside(-1) is None


def test_cameras_that_contradict_each_other_accuse_nobody(room: TwoCameras) -> None:
    room.play()
    table = settled("R10 R11 R12 R13 | B10 B11 B12")
    wrong = misread(across(table), "R12", Reading(table.tiles[0].reading.tile, 0.99))
    proposal = room.show(table, wrong)["proposal"]
    assert (proposal["legal"], proposal["unsure"]) == (None, True)
    with pytest.raises(CommandError, match="Red"):
        room.do("end_turn")
    shown = room.live.snapshot()
    asked = next(tile["id"] for tile in shown["tiles"] if tile["unsure"])
    room.do("correct_tile", id=asked, tile="R12")
    shown = room.live.snapshot()
    assert shown["proposal"]["legal"] is True
    assert tile(shown, "R12")["status"] == "corrected"
    room.do("end_turn")
    assert room.show()["match"]["turn"] == "Bob"
    assert tile(room.show(), "R12")["status"] == "corrected"


def test_a_turn_is_not_ended_while_either_sees_a_hand(room: TwoCameras) -> None:
    room.play()
    room.both("R10 R11 R12 R13")
    shown = room.show(far_phase=Phase.HAND)
    assert shown["phase"] == "hand"
    room.do("end_turn")
    assert room.live.snapshot()["ending"] is True
    laid = settled("R10 R11 R12 R13 | B4 B5 B6")
    assert room.show(laid, None, far_phase=Phase.HAND)["match"]["turn"] == "Ann"
    shown = room.show(None, across(laid))
    assert (shown["ending"], shown["match"]["turn"]) == (False, "Bob")
    assert shown["match"]["table"] == "R10 R11 R12 R13 | B4 B5 B6"


def test_a_hand_that_only_one_saw_makes_a_turn(room: TwoCameras) -> None:
    room.play()
    room.both("R10 R11 R12 R13")
    room.do("end_turn")
    laid = settled("R10 R11 R12 R13 | B1 B2", after_hand=False)
    room.show(laid, across(replace(laid, after_hand=True)))
    assert room.live.snapshot()["proposal"]["legal"] is False


def test_the_game_goes_on_when_a_camera_is_lost_and_when_it_is_back(room: TwoCameras) -> None:
    room.play()
    before = room.both("R10 R11 R12 R13")
    room.do("end_turn")
    room.near.health, room.near.message = "lost", "near gives no pictures: check its cable."
    shown = room.show()
    assert counting(shown) == ["far"]
    assert shown["cameras"][0]["message"] == "near gives no pictures: check its cable."
    assert shown["phase"] == "stable"
    assert shown["desync"] is None
    table = settled("R10 R11 R12 R13")
    assert quad(tile(shown, "R12")) == pytest.approx(across(table).tiles[2].quad_img, abs=0.5)
    laid = settled("R10 R11 R12 R13 | B10 B11 B12")
    shown = room.show(None, across(laid))
    assert shown["proposal"]["legal"] is True
    room.do("end_turn")
    room.near.health, room.near.message = "ok", ""
    more = settled("R10 R11 R12 R13 | B10 B11 B12 B13")
    shown = room.show(more, across(more))
    assert counting(shown) == ["near", "far"]
    assert [camera["active"] for camera in shown["cameras"]] == [False, True]
    assert shown["proposal"]["player"] == "Ann"
    assert shown["proposal"]["legal"] is True
    ids = {tile["tile"]: tile["id"] for tile in shown["tiles"]}
    assert {tile["tile"]: tile["id"] for tile in before["tiles"]}.items() <= ids.items()


def test_what_only_the_lost_camera_saw_is_no_disagreement(room: TwoCameras) -> None:
    room.play()
    whole = settled("R10 R11 R12 R13 | B10 B11 B12")
    room.show(whole, across(without(whole, "B12")))
    room.do("end_turn")
    room.near.health = "lost"
    shown = room.show()
    room.time.now_s += 60
    shown = room.show()
    assert shown["desync"] is None
    assert tile(shown, "B12")["status"] == "covered"
    room.do("delete_tile", id=tile(shown, "B12")["id"])
    assert "B12" not in faces(room.live.snapshot())
    assert "B12" not in faces(room.show())


def test_a_view_of_something_else_does_not_count_and_it_is_said(room: TwoCameras) -> None:
    room.play()
    shown = room.show(settled(LYING), settled("K1 K2 K3 K4 K5"))
    assert counting(shown) == ["near"]
    assert "sees other tiles" in shown["cameras"][1]["message"]
    assert faces(shown) == sorted(LYING.replace("| ", "").split())
    assert room.show(far_phase=Phase.HAND)["phase"] == "stable"


def test_of_two_different_tables_the_fuller_one_counts(room: TwoCameras) -> None:
    shown = room.show(settled(LYING), settled(OTHER))
    assert counting(shown) == ["far"]
    assert faces(shown) == sorted(OTHER.replace("| ", "").split())
    assert quad(tile(shown, "K1"))[0] == pytest.approx((50, 40))
    asked = tile(shown, "K1")["id"]
    room.do("correct_tile", id=asked, tile="K6")
    assert tile(room.live.snapshot(), "K6")["id"] == asked


def test_a_person_may_add_a_tile_that_neither_sees(room: TwoCameras) -> None:
    room.both(LYING)
    place = [[700, 600], [760, 600], [760, 690], [700, 690]]
    room.do("add_tile", quad=place, tile="J")
    assert quad(tile(room.live.snapshot(), "J")) == pytest.approx(np.array(place))
    assert tile(room.show(), "J")["status"] == "corrected"


def test_a_tile_that_is_none_is_taken_from_both(room: TwoCameras) -> None:
    shown = room.both(LYING)
    room.do("delete_tile", id=tile(shown, "R6")["id"])
    assert "R6" not in faces(room.live.snapshot())
    assert "R6" not in faces(room.show())


def test_several_that_are_none_are_taken_from_both_at_once(room: TwoCameras) -> None:
    shown = room.both(LYING)
    room.do("delete_tiles", tiles={str(tile(shown, name)["id"]): name for name in ("R6", "B7")})
    for now in (room.live.snapshot(), room.show()):
        assert faces(now) == ["K7", "O7", "R3", "R4", "R5"]


def test_a_rack_that_both_see_is_left_out_of_both(room: TwoCameras) -> None:
    shown = room.both(LYING)
    told = {str(tile(shown, name)["id"]): name for name in ("R6", "B7")}
    room.do("leave_out_rack", tiles=told)
    shown = room.live.snapshot()
    assert faces(shown) == ["K7", "O7", "R3", "R4", "R5"]
    assert len(shown["left_out"]) == 2 * len(told)
    room.do("look_at_racks")
    assert room.live.snapshot()["left_out"] == []


def test_other_rules_are_judged_by_together(room: TwoCameras) -> None:
    shown = room.both("R12 R13 R1 | B7 K7 O7")
    assert [part["status"] for part in shown["parts"]] == ["invalid", "valid"]
    room.do("use_rules", ruleset="keadle")
    for shown in (room.live.snapshot(), room.show()):
        assert [part["status"] for part in shown["parts"]] == ["valid", "valid"]


def test_phones_and_fixed_cameras_join(room: TwoCameras) -> None:
    room.far.health = "lost"
    table = settled(LYING)
    room.near.show(without(table, "R4"))
    room.live.look_once(0)
    room.live.push_frame(picture_of(across(without(table, "B7"))), "phone 1")
    room.live.look_once(0)
    room.live.push_frame(picture_of(table), "phone 2")
    room.live.look_once(0)
    shown = room.live.snapshot()
    assert set(counting(shown)) == {"near", "phone 1", "phone 2"}
    assert faces(shown) == sorted(LYING.replace("| ", "").split())
    room.time.now_s = 20
    assert counting(room.show(table)) == ["near"]


def test_cameras_are_looked_through_in_turn() -> None:
    time, feeds = Time(), [FakeFeed("one"), FakeFeed("two"), FakeFeed("three")]
    eyes = Eyes(feeds, FakePhone, time, 8.0)
    order = []
    for _ in range(6):
        for feed in feeds:
            feed.show(None)
        frame = eyes.newest(0)
        order.append(frame and frame.camera)
    assert order == ["one", "two", "three"] * 2


def test_a_busy_camera_does_not_keep_a_photo_from_being_looked_at_again() -> None:
    time, feed = Time(), FakeFeed("fixed")
    eyes = Eyes([feed], FakePhone, time, 8.0)
    eyes.push(picture_of(None), "phone 1")
    seen = []
    for _ in range(8):
        feed.show(None)
        frame = eyes.newest(0)
        assert frame is not None
        seen.append((frame.camera, frame.seen_s == frame.taken_s))
        time.now_s += 0.2
    assert seen.count(("phone 1", False)) >= 2
    assert ("fixed", True) in seen


def test_two_cameras_at_one_address_are_told_apart() -> None:
    eyes = Eyes([FakeFeed("camera at a"), FakeFeed("camera at a")], FakePhone, Time(), 8.0)
    assert eyes.names() == ("camera at a", "camera at a (2)")
    assert [view.name for view in eyes.views()] == ["camera at a", "camera at a (2)"]
