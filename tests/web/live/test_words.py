"""What people said of tiles stands when the program was killed and began again."""

from __future__ import annotations

import logging
from dataclasses import replace
from io import BytesIO
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from referee import Colour, Tile
from tests.vision.watching.made_scenes import MadeReader, Scene, row
from tests.vision.watching.test_refound import misread, turned
from tests.web.live.fake_store import FakeStore
from tests.web.live.fakes import FakePhone
from tests.web.live.test_real_parts import LostCamera
from vision.pipeline import TableReader
from vision.watching.recalled import Lying
from web.live.archive import Archive
from web.live.errors import CommandError
from web.live.live_table import LiveTable
from web.live.words import decoded, encoded
from web.store import Store, StoreError, open_store

if TYPE_CHECKING:
    from vision.types import Readings

OPENING = Scene(row(250, 120, "R10 R11 R12"))
LAID = replace(OPENING, tiles={**OPENING.tiles, **row(250, 240, "B10 B11 B12")})
NEXT = replace(LAID, tiles={**LAID.tiles, **row(250, 360, "K1 K2 K3")})
QUAD = [[400, 360], [436, 360], [436, 412], [400, 412]]


class Life:
    """One run of the program on a store, from its start until it is killed."""

    def __init__(self, store: Any, **misread_as: str) -> None:  # noqa: ANN401 - any kind
        self.slips = misread_as
        self.reader, self.camera = MadeReader(), LostCamera()
        self.reader.misread = self._misread
        self.live = LiveTable(
            TableReader(self.reader, self.reader),
            store,
            [self.camera],
            clock=lambda: self.camera.now_s,
            open_phone=FakePhone,
        )

    def _misread(self, _asked: int, readings: Readings) -> Readings:
        return misread(readings, **self.slips)

    def show(self, scene: Scene, frames: int = 12) -> dict[str, Any]:
        self.reader.scene = scene
        for _ in range(frames):
            self.camera.show(scene)
            self.live.look_once(0)
        return self.live.snapshot()

    def reach(self, before: Scene, then: Scene) -> dict[str, Any]:
        """Let a hand lay what is new."""
        for y in (430, 350, 300):
            self.show(replace(before, hand=(480, y)), 1)
        for y in (300, 350, 430):
            self.show(replace(then, hand=(480, y)), 1)
        return self.show(then)

    def do(self, name: str, **values: Any) -> None:  # noqa: ANN401
        self.live.command(name, values)

    def begin(self) -> None:
        """Play until a turn lies there of which a tile is misread."""
        self.show(Scene({}))
        self.do("new_match", players=["Ann", "Bob"])
        self.do("start_round", starter="Ann")
        self.reach(Scene({}), OPENING)
        self.do("end_turn")
        self.reach(OPENING, LAID)

    def tile(self, face: str) -> dict[str, Any]:
        tiles: list[dict[str, Any]] = self.live.snapshot()["tiles"]
        return next(tile for tile in tiles if tile["tile"] == face)


def corrected(store: Store) -> Life:
    life = Life(store, B12="O9")
    life.begin()
    life.do("correct_tile", id=life.tile("O9")["id"], tile="B12")
    return life


def put_right(shown: dict[str, Any]) -> list[tuple[Any, ...]]:
    return [(one["was"], one["tile"]) for one in shown["corrections"]]


def kinds(store: Store) -> list[str]:
    return [one.kind for one in store.records(1)]


def test_a_correction_stands_after_the_program_was_killed_in_mid_turn(store: Store) -> None:
    before = corrected(store).live.snapshot()
    assert before["proposal"]["legal"] is True
    life = Life(store, B12="O9")
    shown = life.show(LAID)
    assert life.tile("B12")["status"] == "corrected"
    assert put_right(shown) == put_right(before) == [("O9", "B12")]
    assert (shown["proposal"]["legal"], shown["desync"]) == (True, None)
    life.do("end_turn")
    assert life.live.snapshot()["match"]["table"] == "R10 R11 R12 | B10 B11 B12"


def test_a_correction_is_kept_before_it_is_shown(store: Store) -> None:
    life = corrected(store)
    assert kinds(store)[-1] == "words"
    assert life.live.snapshot()["records"] == len(kinds(store))


def test_an_undo_takes_back_the_turn_and_no_word(store: Store) -> None:
    life = corrected(store)
    life.do("undo")
    assert [type(one.event).__name__ for one in store.current(1)] == ["Started", "Dealt"]
    assert life.tile("B12")["status"] == "corrected"
    life.do("redo")
    assert len(store.current(1)) == 3


def test_tiles_that_were_none_or_not_seen_stay_so(store: Store) -> None:
    life = Life(store)
    life.begin()
    life.reach(LAID, NEXT)
    life.do("delete_tile", id=life.tile("K3")["id"])
    life.do("add_tile", quad=QUAD, tile="K4")
    life = Life(store)
    shown = life.show(NEXT)
    assert sorted(put_right(shown), key=str) == [("K3", None), (None, "K4")]
    assert sorted(tile["tile"] for tile in shown["tiles"]) == sorted(
        [*LAID.tiles.values(), "K1", "K2", "K4"]
    )
    assert {tile["status"] for tile in shown["tiles"]} == {"seen", "corrected"}


def test_a_word_is_dropped_once_its_tile_is_gone(store: Store) -> None:
    life = corrected(store)
    life.do("end_turn")
    assert decoded(store.words(1))["lost and found"]
    life.do("undo")
    life.reach(LAID, OPENING)
    assert store.words(1) == {"cameras": []}
    life = Life(store, B12="O9")
    life.show(LAID)
    assert life.tile("O9")["status"] == "seen"


def test_a_word_is_kept_with_the_table_as_it_is_after_a_turn(store: Store) -> None:
    life = corrected(store)
    life.do("end_turn")
    life.reach(LAID, NEXT)
    life.do("end_turn")
    (tiles,) = decoded(store.words(1)).values()
    assert len(tiles) == len(NEXT.tiles)
    assert [str(one.tile) for one in tiles if one.said] == ["B12"]
    life.do("drew")
    count = len(kinds(store))
    life.show(NEXT)
    assert len(kinds(store)) == count


def test_a_word_stands_where_looking_failed_or_another_reader_reads(store: Store) -> None:
    life = corrected(store)
    life.live.use_reader(TableReader(life.reader, life.reader))
    shown = life.show(LAID)
    assert life.tile("B12")["status"] == "corrected"
    assert put_right(shown) == [("O9", "B12")]


def test_a_word_stands_where_the_picture_is_turned(store: Store) -> None:
    life = corrected(store)
    life.show(turned(LAID))
    assert life.tile("B12")["status"] == "corrected"
    again = Life(store, B12="O9")
    again.show(LAID)
    assert again.tile("B12")["status"] == "corrected"


def test_an_import_knows_the_words_and_comes_to_the_same_totals(store: Store) -> None:
    life = corrected(store)
    life.do("adjust", player="Ann", points=7, reason="a bet")
    parcel = BytesIO()
    Archive(store).export_zip(1, parcel)
    with open_store("sqlite://") as other:
        Archive(other).import_zip(parcel)
        there = Life(other, B12="O9")
        shown = there.show(LAID)
        assert there.tile("B12")["status"] == "corrected"
        assert shown["match"] == life.live.snapshot()["match"]
        assert shown["history"] == life.live.snapshot()["history"]


class FullStore(FakeStore):
    """Has no room for words."""

    def note(self, match_id: int, words: dict[str, Any], *, expected: int) -> None:
        del match_id, words, expected
        raise StoreError("The disk is full.")


def test_what_cannot_be_kept_was_not_said() -> None:
    life = Life(FullStore(), B12="O9")
    life.begin()
    wrong = life.tile("O9")
    with pytest.raises(CommandError, match="disk is full"):
        life.do("correct_tile", id=wrong["id"], tile="B12")
    with pytest.raises(CommandError, match="disk is full"):
        life.do("add_tile", quad=QUAD, tile="K4")
    shown = life.show(LAID)
    assert life.tile("O9") == wrong
    assert put_right(shown) == []
    assert len(shown["tiles"]) == len(LAID.tiles)


def test_a_word_that_falls_away_where_nothing_can_be_kept_hinders_nothing(
    store: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    life = corrected(store)

    def full(*_: object, **__: object) -> None:
        raise StoreError("The disk is full.")

    with monkeypatch.context() as patch, caplog.at_level(logging.ERROR):
        patch.setattr(store, "note", full)
        life.reach(LAID, OPENING)
    assert "is not kept; the match is" in caplog.text
    assert [tile["tile"] for tile in life.live.snapshot()["tiles"]] == ["R10", "R11", "R12"]
    life.do("drew")
    assert store.words(1) == {"cameras": []}


def test_each_camera_keeps_its_own_pixels() -> None:
    quad = np.array([(0, 0), (40, 0), (40, 60), (0, 60)], np.float32)
    red, blue = Tile.parse("R5"), Tile.parse("B5")
    tables = {
        "near": (Lying(quad, red, blue, said=True), Lying(quad + 50, red, red)),
        "far": (Lying(quad * 2, red, None, said=True), Lying(quad, None, blue, said=True)),
        "aside": (Lying(quad, red, red),),
    }
    again = decoded(encoded(tables))
    assert list(again) == ["near", "far"]
    for camera, tiles in again.items():
        for one, other in zip(tiles, tables[camera], strict=True):
            assert (one.read, one.tile, one.said) == (other.read, other.tile, other.said)
            assert np.array_equal(one.quad_img, other.quad_img)


@pytest.mark.parametrize(
    "tile",
    [
        7,
        {},
        {"quad": [0] * 8, "read": "X9"},
        {"quad": [0] * 7, "read": "R1"},
        {"quad": [float("nan")] * 8, "read": "R1"},
        {"quad": [1e30] * 8, "read": "R1"},
        {"quad": ["x"] * 8, "read": "R1"},
        {"quad": [0] * 8, "read": None},
        {"quad": [0] * 8, "read": None, "said": None},
        {"quad": [0] * 8, "read": "R1", "said": 7},
    ],
)
def test_words_that_make_no_sense_are_left_out(tile: object) -> None:
    assert decoded({"cameras": [{"camera": "a", "tiles": [tile]}]}) == {"a": ()}


def test_tiles_that_a_person_vouches_for_are_written_down_together(store: Store) -> None:
    life = Life(store)
    life.reader.misread = lambda _, readings: replace(
        readings,
        readings=tuple(
            replace(one, doubt="a doubt") if one.tile.colour is Colour.BLUE else one
            for one in readings.readings
        ),
    )
    life.begin()
    life.do("end_turn", accept_unsure=True)
    assert kinds(store)[-2:] == ["words", "event"]
    assert kinds(store).count("words") == 1
    again = Life(store)
    again.reader.misread = life.reader.misread
    shown = again.show(LAID)
    assert not [tile for tile in shown["tiles"] if tile["unsure"]]
