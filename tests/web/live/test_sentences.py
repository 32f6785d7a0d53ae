"""What is said at the table knows what it is made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import vision.doubts
import vision.reading.overlooked
import vision.watching.known
from referee import ALL_FACES, JOKER, Tile
from referee.phrases import Phrase
from tests.web.live.fakes import settled
from vision.doubts import MIRRORED, NEARLY, UNREADABLE, UPSIDE_DOWN
from vision.findings import question as plain_question
from vision.types import Reading
from vision.watching.finding import covers
from vision.watching.known import CHANGED, VANISHED, Known
from web.live.errors import CommandError
from web.live.sentences import COVERED, DOUBTFUL, SENTENCES, phrased, question

if TYPE_CHECKING:
    from tests.web.live.rooms import Room


@pytest.mark.parametrize("tile", ALL_FACES, ids=str)
def test_tiles_in_doubts_are_found_again(tile: Tile) -> None:
    changed = phrased(CHANGED.format(now=tile.words, before=JOKER.words))
    assert isinstance(changed, Phrase)
    assert changed.values == {"now": tile, "before": JOKER}
    nearly = phrased(NEARLY.format(other=tile.words))
    assert isinstance(nearly, Phrase)
    assert nearly.values == {"other": tile}


def test_a_number_stays_one() -> None:
    found = phrased(UPSIDE_DOWN.format(other=9))
    assert isinstance(found, Phrase)
    assert (found.key, found.values) == ("doubt.upside_down", {"other": "9"})


@pytest.mark.parametrize(
    "module", [vision.reading.overlooked, vision.doubts, vision.watching.known]
)
def test_every_doubt_is_a_known_sentence(module: Any) -> None:  # noqa: ANN401 - a module
    doubts = [
        value
        for name, value in vars(module).items()
        if name.isupper() and isinstance(value, str) and value.endswith((".", "?"))
    ]
    assert doubts
    assert set(doubts) <= set(SENTENCES.values())


def test_what_lies_over_tiles_is_a_known_sentence() -> None:
    (place,) = settled("R3").tiles
    hidden = Known(0, place.quad_img, (place.reading,), patch=None)  # type: ignore[arg-type]
    found = phrased(covers([hidden]))
    assert isinstance(found, Phrase)
    assert found.values == {"tiles": "R3"}


def test_a_question_is_the_one_that_is_asked_elsewhere() -> None:
    for tile in (JOKER, Tile.parse("R7")):
        reading = Reading(tile, 0.5, doubt="Glare.")
        assert question(tile, "Glare.") == plain_question(reading)


def test_everything_that_the_page_says_in_words_is_a_phrase(room: Room) -> None:
    room.play()
    room.turn("R10 R11 R12 | K7 B7 O7")
    room.show(settled("R10 R11 R12 | K7 B7 O7 R8", doubts={"R8": "This could also be Red 7."}))
    shown = room.snapshot()
    said = [
        shown["proposal"]["story"],
        shown["parts"][1]["texts"][0],
        shown["tiles"][-1]["doubt"],
        *(line["story"] for line in shown["history"]),
    ]
    room.show("R10 R11 R12 | K7 B7 O7 R9")
    room.do("challenge")
    shown = room.snapshot()
    said += [
        shown["proposal"]["violations"][0]["text"],
        shown["parts"][1]["texts"][0],
        shown["answer"]["text"],
    ]
    room.do("restore")
    said.append(room.snapshot()["restore"]["moves"][0]["text"])
    room.do("put_right" if room.snapshot()["desync"] else "restored", take="record")
    room.show("R10 R11", hand=False)
    room.wait(3)
    said.append(room.snapshot()["desync"]["text"])
    assert [text for text in said if not isinstance(text, Phrase)] == []


def test_a_refusal_is_a_phrase(room: Room) -> None:
    room.play()
    wrong: list[tuple[str, dict[str, Any]]] = [
        ("end_turn", {}),
        ("challenge", {}),
        ("hint", {}),
        ("pause_clock", {}),
        ("restored", {}),
        ("put_right", {"take": "table"}),
        ("drew", {"records": 99}),
    ]
    for name, values in wrong:
        with pytest.raises(CommandError) as refused:
            room.do(name, **values)
        assert isinstance(refused.value.args[0], Phrase), name
    room.show("R10 R11")
    with pytest.raises(CommandError) as refused:
        room.do("end_turn")
    assert refused.value.args[0].key == "refusal.illegal"


VANISHES = VANISHED.format(before="Black 9")


@pytest.mark.parametrize(
    ("marked", "because"),
    [
        ({"doubts": {"K9": UNREADABLE}}, UNREADABLE),
        ({"doubts": {"K9": VANISHES}, "doubtful": ["K9"]}, VANISHES),
        ({"doubts": {"K9": UNREADABLE}, "covered": ["K9"]}, COVERED),
        ({"doubtful": ["K9"]}, DOUBTFUL),
    ],
)
def test_a_tile_is_asked_about_for_one_reason_wherever_that_is_said(
    room: Room, marked: dict[str, Any], because: str
) -> None:
    room.play()
    room.show("")
    room.show(settled("R10 R11 R12 | K7 K8 K9", **marked))
    shown = room.snapshot()
    (tile,) = (one for one in shown["tiles"] if one["tile"] == "K9")
    assert tile["doubt"] == because
    assert shown["parts"][1]["texts"] == [f"Black 9? {because}"]
    assert shown["proposal"]["look"]["text"] == f"Black 9? {because}"


def test_of_a_mirrored_picture_it_is_said_once_a_set(room: Room) -> None:
    room.play()
    room.show("")
    room.show(settled("R10 R11 R12", doubts=dict.fromkeys(("R10", "R11", "R12"), MIRRORED)))
    assert room.snapshot()["parts"][0]["texts"] == [MIRRORED]
