"""A photo a turn: what it shows is the table, and it is read at once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.vision.watching.made_scenes import Evening, Scene, row
from vision.watching import Phase

FIRST = Scene(row(150, 120, "R3 R4 R5 R6") | row(150, 300, "K9 K10 K11 K12"))
MORE = replace(FIRST, tiles={**FIRST.tiles, **row(400, 120, "B7 K7 O7")})
LESS = replace(FIRST, tiles=row(150, 120, "R4 R5 R6") | row(150, 300, "K9 K10 K11 K12 K13"))
OTHER = Scene(row(300, 60, "R4 R5 R6") | row(120, 240, "R3 B3 O3") | row(330, 350, "K9 K10 K11"))


@pytest.mark.parametrize("after", [MORE, LESS, OTHER, replace(MORE, shift=(25.0, -14.0, 4.0))])
def test_the_next_photo_is_read_within_a_second(after: Scene) -> None:
    evening = Evening()
    assert evening.photo(FIRST)[-1].phase is Phase.STABLE
    shown = evening.photo(after)
    assert shown[-1].phase is Phase.STABLE
    assert shown[-1].message == ""
    assert not {Phase.HAND, Phase.COVERED, Phase.LOST} & {sight.phase for sight in shown}
    settled = shown[-1].settled
    assert settled is not None
    assert sorted(map(str, settled.table.tiles)) == sorted(after.tiles.values())
    assert {tile.status for tile in settled.tiles} == {"seen"}


def test_a_film_is_not_read_so_hastily() -> None:
    evening = Evening()
    evening.settle(FIRST)
    assert evening.show(OTHER, 5)[-1].phase is not Phase.STABLE


def test_what_a_person_said_of_a_tile_holds_in_the_next_photo() -> None:
    evening = Evening()
    settled = evening.photo(FIRST)[-1].settled
    assert settled is not None
    tile = next(tile for tile in settled.tiles if str(tile.reading.tile) == "R6")
    evening.watcher.correct({tile.id: replace(tile.reading.tile, number=9)})
    after = evening.photo(MORE)[-1].settled
    assert after is not None
    assert "R9" in map(str, after.table.tiles)
    assert len(after.tiles) == len(MORE.tiles)


def test_a_photo_of_something_else_is_no_table() -> None:
    evening = Evening()
    evening.photo(FIRST)
    shown = evening.photo(Scene({}, thing=(0, 0, 700, 500)))
    assert shown[-1].phase in {Phase.LOST, Phase.COVERED}
    assert evening.photo(FIRST)[-1].phase is Phase.STABLE


def test_the_first_photo_is_read_at_once_too() -> None:
    first, second, *_ = Evening().photo(FIRST)
    assert first.message  # it is being read, not waited for
    assert second.phase is Phase.STABLE
