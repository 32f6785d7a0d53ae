"""Tables whose pictures another program has drawn: kept whole, taken back as they were."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from vision.evaluation.drawn import DrawnError, drawn_path, kept, load_drawn
from vision.evaluation.suite_tables import table, tables
from vision.evaluation.suites import Suite
from vision.rendering.scene import render

if TYPE_CHECKING:
    from pathlib import Path

LITTLE = Suite("a few tiles", (7, 7), (20, 22), size_px=420, edition="a")


def test_a_table_is_taken_from_its_picture_as_it_was_drawn(tmp_path: Path) -> None:
    path = drawn_path(tmp_path, "little", 0)
    given = table(LITTLE, "little", 0, kept(render, path))
    (again,) = tables(LITTLE, "little", 1, tmp_path)
    assert np.array_equal(again.pixels, given.pixels)
    assert str(again.table) == str(given.table)
    assert again.whole == given.whole
    for one, other in zip(again.photo.tiles, given.photo.tiles, strict=True):
        assert np.abs(one.outline_img - other.outline_img).max() <= 0.05
        assert replace(one, outline_img=other.outline_img) == other


@pytest.mark.parametrize(
    ("name", "text"),
    [("little-000.json", '[{"tile": "R7"}]'), ("little-000.json", "{"), ("little-000.png", "")],
)
def test_a_picture_that_cannot_be_used_is_named(tmp_path: Path, name: str, text: str) -> None:
    path = drawn_path(tmp_path, "little", 0)
    with pytest.raises(DrawnError, match="make trace"):
        load_drawn(path)
    table(LITTLE, "little", 0, kept(render, path))
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(DrawnError, match=f"{name} cannot be read"):
        load_drawn(path)
