"""What every teacher does: the one over networks and a folder, and the canned one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.fakes import blank
from tests.web.teaching.test_sets import FACES, general, nothing, photo
from web.site.canned_lessons import CannedTeacher
from web.teaching.sets import Sets

if TYPE_CHECKING:
    from pathlib import Path

    from web.teaching.borders import Teacher


@pytest.fixture(params=["canned", "over a folder"])
def teacher(request: pytest.FixtureRequest, tmp_path: Path) -> Teacher:
    if request.param == "canned":
        return CannedTeacher(pause_s=0)
    return Sets(general(), tmp_path / "sets")


def test_a_picture_is_told_tile_by_tile(teacher: Teacher) -> None:
    for pixels in (blank(), blank(300, 200)):
        found = teacher.look(pixels)
        count = len(found.readings)
        assert found.quads_img.shape == (count, 4, 2)
        assert sum(found.rows) == count
        assert len(found.faces) in {0, count}
        assert bool(found.faces) != bool(found.problem)


def test_a_taught_set_is_known_and_in_use(teacher: Teacher) -> None:
    told: list[float] = []
    assert (teacher.in_use, teacher.trouble) == ("", "")
    outcome = teacher.teach("mine", [photo()], told.append)
    assert outcome.taught == len(FACES)
    assert told == sorted(told)
    assert told[-1] <= 1
    assert teacher.in_use == "mine"
    assert "mine" in teacher.names()
    assert teacher.names() == sorted(teacher.names())


def test_another_set_or_none_is_used(teacher: Teacher) -> None:
    teacher.teach("mine", [photo()], nothing)
    teacher.teach("yours", [photo()], nothing)
    for name in ("mine", "", "yours"):
        teacher.use(name, nothing)
        assert teacher.in_use == name


def test_who_is_told_may_end_it_and_nothing_comes_of_it(teacher: Teacher) -> None:
    def enough(share: float) -> None:
        if share > 0.4:
            raise InterruptedError

    before = teacher.names()
    with pytest.raises(InterruptedError):
        teacher.teach("mine", [photo()], enough)
    assert (teacher.in_use, teacher.names()) == ("", before)
