"""What quads the corner finder sees in its boxes, and how often it looks."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.reading.sample import detector, reader, seen_from_low
from vision.network import Network
from vision.quads import turned_an_eighth
from vision.reading.corners import CornerFinder


def test_boxes_of_tiles_that_look_square_may_be_half_way_askew() -> None:
    given = seen_from_low()
    boxes = detector().detect(given.pixels).quads_img
    sides = np.linalg.norm(boxes - np.roll(boxes, 1, 1), axis=2)
    boxes = boxes[sides.min(1) > 0.85 * sides.max(1)]
    assert len(boxes) > 5
    find = reader().examiner.corners.find
    straight, askew = (find(given.pixels, each) for each in (boxes, turned_an_eighth(boxes)))
    for one, other in zip(straight, askew, strict=True):
        shared = cv2.intersectConvexConvex(one, other)[0]
        assert shared > 0.85 * max(cv2.contourArea(one), cv2.contourArea(other))


class LooksAtCorners:
    """A session that moves the top left corner of a crop by how bright the crop is."""

    def __init__(self) -> None:
        self.counts: list[int] = []

    def get_inputs(self) -> list[object]:
        return [type("Input", (), {"name": "image"})]

    def run(self, _: None, feeds: dict[str, np.ndarray]) -> list[np.ndarray]:
        image = feeds["image"]
        self.counts.append(len(image))
        corners = np.tile(
            np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32), (len(image), 1, 1)
        )
        corners[:, 0, 0] += 1.25 * image.mean((1, 2, 3))
        return [corners]


@pytest.mark.parametrize(("looks", "counts"), [(1, [4, 1]), (2, [4, 1, 1])])
def test_corners_that_hardly_moved_are_not_looked_at_again(looks: int, counts: list[int]) -> None:
    session = LooksAtCorners()
    settings = {"input": {"size": [32, 48]}, "margin": 0.0}
    tile = np.array([(0, 0), (40, 0), (40, 60), (0, 60)], np.float32)
    boxes = tile + np.array([[(left, 0)] for left in range(0, 400, 100)], np.float32)
    pixels = np.zeros((60, 400, 3), np.uint8)
    pixels[:, 100:140] = 0.04 * 255  # hardly moved
    pixels[:, 200:240] = 0.16 * 255
    pixels[:, 300:340] = 255  # to where no tile could be; so it is looked at turned, too
    quads = CornerFinder(Network(session, settings), looks).find(pixels, boxes)
    assert session.counts == counts
    moved = np.linalg.norm(quads - boxes, axis=2)
    assert moved[:, 1:] == pytest.approx(0, abs=1e-3)
    twice = 8 if looks == 1 else 8 + 0.2 * 32
    assert moved[:, 0] == pytest.approx([0, 2, twice, 0], abs=0.6)
