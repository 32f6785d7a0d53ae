"""A stream whose pictures change their size, as a phone's does that is turned."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest

from tests.vision.cameras.fakes import LARGER_AT, WAIT_S, noise
from vision.cameras import Feed, camera_from
from vision.cameras.packets import JpegCapture, gives_packets

if TYPE_CHECKING:
    from vision.types import Pixels


@pytest.fixture(params=["address", "rtsp_address"])
def stream(request: pytest.FixtureRequest) -> str:
    return str(request.getfixturevalue(request.param))


def test_every_picture_of_a_stream_has_its_own_size(stream: str) -> None:
    camera = camera_from(stream)
    camera.open()
    shapes: list[tuple[int, ...]] = []
    while len(shapes) < 3:
        pixels = camera.grab()
        assert pixels is not None
        if pixels.shape not in shapes:
            shapes.append(pixels.shape)
    camera.close()
    assert shapes == [(48, 64, 3), (64, 48, 3), (64, 128, 3)]


def test_another_size_in_mid_stream_is_said_but_not_that_it_was_turned(rtsp_address: str) -> None:
    told: list[tuple[tuple[int, ...], str]] = []
    with Feed(camera_from(rtsp_address)) as feed:
        number = -1
        while not told or told[-1][0] != (64, 128, 3):
            frame = feed.newest(number, WAIT_S)
            assert frame is not None
            number = frame.number
            told.append((frame.pixels.shape, str(feed.health)))
        assert "from 48 x 64 to 128 x 64" in feed.message
    turned = {health for shape, health in told if shape == (64, 48, 3)}
    assert turned == {"ok"}
    assert len(told) <= LARGER_AT + 1


class Packets:
    """A capture that gives what was sent."""

    def __init__(self, *packets: bytes, codec: float = 0.0) -> None:
        self.packets = [np.frombuffer(packet, np.uint8)[None] for packet in packets]
        self.codec = codec
        self.released = False

    def isOpened(self) -> bool:  # noqa: N802
        return True

    def read(self) -> tuple[bool, Any]:
        return (True, self.packets.pop(0)) if self.packets else (False, None)

    def get(self, _prop: int, /) -> float:
        return self.codec

    def set(self, _prop: int, _value: float, /) -> bool:
        return True

    def release(self) -> None:
        self.released = True


def jpeg(pixels: Pixels) -> bytes:
    return cv2.imencode(".jpg", pixels)[1].tobytes()


def test_broken_pictures_are_passed_over_and_only_those_are_an_end() -> None:
    capture = JpegCapture(Packets(b"no picture", b"", jpeg(noise(1))))
    there, pixels = capture.read()
    assert there
    assert pixels.shape == (48, 64, 3)
    assert capture.read() == (False, None)
    assert JpegCapture(Packets(*[b"no picture"] * 99)).read() == (False, None)


def test_what_is_no_stream_of_jpegs_is_left_to_its_decoder() -> None:
    assert not gives_packets(Packets(codec=cv2.VideoWriter.fourcc(*"h264")))
    assert gives_packets(Packets(codec=cv2.VideoWriter.fourcc(*"MJPG")))


def test_pictures_without_the_usual_tables_are_decoded_as_those_with_them() -> None:
    """Many cameras leave the Huffman tables out, which are the same in all their pictures."""
    whole = jpeg(noise(3))
    kept, at = whole[:2], 2
    while whole[at + 1] != 0xDA:
        end = at + 2 + int.from_bytes(whole[at + 2 : at + 4], "big")
        kept += b"" if whole[at + 1] == 0xC4 else whole[at:end]
        at = end
    kept += whole[at:]
    assert len(kept) < len(whole)
    (_, one), (_, other) = (JpegCapture(Packets(packet)).read() for packet in (whole, kept))
    assert np.array_equal(one, other)
