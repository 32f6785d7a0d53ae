"""A player's name that was mistyped is put right in the whole match."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any
from zipfile import ZipFile

import pytest

from tests.web.live.rooms import Room
from web.live.archive import Archive
from web.live.errors import CommandError

if TYPE_CHECKING:
    from web.store import Store


@pytest.fixture
def evening(store: Store) -> Room:
    """Return a match whose second round waits to be counted."""
    room = Room(store=store)
    room.do("new_match", players=["Amn", "Bob"])
    room.do("draw_for_start", tiles={"Amn": "R9", "Bob": "R5"})
    room.do("start_round", starter="Amn")
    room.turn("R10 R11 R12")
    room.do("end_round", racks={"Amn": "", "Bob": "R5"})
    room.do("adjust", player="Amn", points=7)
    room.do("start_round", starter="Bob")
    room.do("set_leftovers", player="Amn", tiles="R3")
    return room


def _without_names(match: dict[str, Any]) -> list[dict[str, Any]]:
    return [{k: v for k, v in one.items() if k != "name"} for one in match["players"]]


def test_a_player_has_another_name_from_the_beginning_on(evening: Room) -> None:
    before = evening.snapshot()
    evening.do("rename_player", player="Amn", new_name=" Ann ")
    now = evening.snapshot()
    assert [one["name"] for one in now["match"]["players"]] == ["Ann", "Bob"]
    assert _without_names(now["match"]) == _without_names(before["match"])
    assert now["leftovers"]["racks"]["Ann"]["tiles"] == "R3"
    assert now["history"][0]["story"] == "Ann, Bob began a match."
    assert "Amn" not in str([now["match"], now["history"], now["leftovers"]])


def test_one_undo_gives_the_old_name_back(evening: Room) -> None:
    before = evening.snapshot()
    evening.do("rename_player", player="Amn", new_name="Ann")
    evening.do("undo")
    now = evening.snapshot()
    assert (now["match"], now["leftovers"]) == (before["match"], before["leftovers"])
    evening.do("redo")
    assert evening.snapshot()["match"]["players"][0]["name"] == "Ann"


def test_lists_and_exports_have_the_new_name(evening: Room, store: Store) -> None:
    evening.do("rename_player", player="Amn", new_name="Ann")
    archive = Archive(store)
    assert archive.matches()[0]["title"] == "Ann, Bob"
    file = io.BytesIO()
    archive.export_zip(1, file)
    with ZipFile(file) as parcel:
        assert "Amn" not in parcel.read("scores.csv").decode() + parcel.read("report.txt").decode()


@pytest.mark.parametrize(
    ("name", "why"),
    [("bob", "Two players are called"), (" ", "needs a name"), ("x" * 41, "letters at most")],
)
def test_no_name_is_given_that_nobody_could_have(evening: Room, name: str, why: str) -> None:
    before = evening.snapshot()["match"]
    with pytest.raises(CommandError, match=why):
        evening.do("rename_player", player="Amn", new_name=name)
    assert evening.snapshot()["match"] == before


def test_who_keeps_the_name_changes_nothing(evening: Room) -> None:
    before = evening.snapshot()["records"]
    evening.do("rename_player", player="Amn", new_name="Amn")
    assert evening.snapshot()["records"] == before


def test_a_turn_that_lies_there_stays_proposed(evening: Room) -> None:
    evening.show("")
    evening.show("R1 R2 R3 R4 R5 R6 R7 R8")
    proposed = evening.snapshot()["proposal"]
    evening.do("rename_player", player="Bob", new_name="Bea")
    assert evening.snapshot()["proposal"] == {**proposed, "player": "Bea"}
