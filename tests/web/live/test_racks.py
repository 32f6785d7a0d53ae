"""More tiles than a rack should hold: nobody is accused, and nothing happens by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.web.live.fakes import settled
from tests.web.live.rooms import Room
from web.live.errors import CommandError
from web.live.settings import LiveSettings

if TYPE_CHECKING:
    from web.live.borders import Snapshot

OPENING = "R10 R11 R12"
SIX = f"{OPENING} | B10 B11 B12"


def room_of_four(settings: LiveSettings | None = None) -> Room:
    """A match of two who were dealt four tiles each."""
    room = Room(settings=settings or LiveSettings())
    room.play(changes={"deal_two_players": 4})
    return room


def warnings(snapshot: Snapshot) -> list[str]:
    return [warning["text"] for warning in snapshot["proposal"]["warnings"]]


def test_more_tiles_than_the_rack_holds_are_legal_with_a_question() -> None:
    room = room_of_four()
    room.show(SIX)
    assert room.snapshot()["proposal"]["legal"] is True
    assert warnings(room.snapshot()) == [
        "Ann's rack should hold 4 tiles, but 6 were laid: was a draw not recorded?"
    ]


def test_with_the_draws_on_record_nothing_is_asked() -> None:
    room = room_of_four()
    for _ in range(4):
        room.do("drew")
    room.show(SIX)
    assert warnings(room.snapshot()) == []


def test_an_illegal_or_unsure_turn_is_not_asked_about_its_count() -> None:
    room = room_of_four()
    room.show(f"{SIX} | K1 K2")
    assert warnings(room.snapshot()) == []
    room.show(settled(SIX, doubts={"R10": "glare"}))
    assert room.snapshot()["proposal"]["legal"] is None
    assert warnings(room.snapshot()) == []


def test_such_a_turn_does_not_count_without_a_persons_word() -> None:
    room = room_of_four(LiveSettings(auto_accept=True))
    room.show(SIX)
    room.wait(60)
    assert room.snapshot()["match"]["turn"] == "Ann"
    room.do("end_turn")
    assert room.snapshot()["match"]["turn"] == "Bob"


def test_nobody_is_asked_again_or_taken_to_be_out() -> None:
    room = room_of_four()
    room.turn(SIX)
    ann, bob = room.snapshot()["match"]["players"]
    assert (ann["rack"], ann["rack_unsure"], bob["rack_unsure"]) == (0, True, False)
    room.do("drew")
    room.show(f"{SIX} | K1 K2 K3")
    assert warnings(room.snapshot()) == []
    room.do("end_turn")
    assert room.snapshot()["match"]["phase"] == "playing"
    with pytest.raises(CommandError, match="rack of Ann and Bob"):
        room.do("end_round")
    room.do("set_leftovers", player="Ann", tiles="R1")
    assert room.snapshot()["leftovers"]["missing"] == ["Bob"]
    assert room.snapshot()["leftovers"]["racks"]["Ann"]["text"] == ""
    room.do("end_round", racks={"Bob": ""})
    assert room.snapshot()["match"]["rounds"][0]["scores"] == {"Ann": -1, "Bob": 1}
