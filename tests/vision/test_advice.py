from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from vision.advice import advise

if TYPE_CHECKING:
    from vision.types import Floats


def tiles(*shorts_px: float) -> Floats:
    return np.array(
        [
            [[i * 90, 0], [i * 90 + s, 0], [i * 90 + s, s * 1.4], [i * 90, s * 1.4]]
            for i, s in enumerate(shorts_px)
        ],
        np.float32,
    )


@pytest.mark.parametrize(
    ("level", "shorts_px", "codes"),
    [
        (150, (40, 42), []),
        (20, (40, 42), ["dark"]),
        (255, (40, 42), ["glare"]),
        (150, (10, 11), ["small"]),
        (150, (25, 70), ["oblique"]),
    ],
)
def test_what_is_wrong_is_told(level: int, shorts_px: tuple[float, ...], codes: list[str]) -> None:
    pixels = np.full((120, 200, 3), level, np.uint8)
    assert [advice.code for advice in advise(pixels, tiles(*shorts_px))] == codes


def test_a_table_without_tiles_is_judged_by_its_light_only() -> None:
    pixels = np.full((120, 200, 3), 255, np.uint8)
    assert advise(pixels, np.zeros((0, 4, 2), np.float32)) == ()
