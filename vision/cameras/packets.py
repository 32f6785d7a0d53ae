"""Streams of JPEGs, each picture in its own size.

OpenCV would press every picture into the size of the first, so that one from a phone that was
turned came out distorted, and nobody could tell.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import cv2

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from vision.cameras.captures import Capture, Settable
    from vision.types import Pixels

_JPEGS: Final = cv2.VideoWriter.fourcc(*"MJPG")
_PACKETS: Final = -1
"""The format in which a capture gives what was sent, not decoded."""
_MOST_BROKEN: Final = 50
"""So many broken pictures in a row are an end."""


def gives_packets(capture: Settable) -> bool:
    """Ask a capture of JPEGs that has given nothing yet for what is sent; whether it does."""
    if int(capture.get(cv2.CAP_PROP_FOURCC)) != _JPEGS:
        return False
    return bool(capture.set(cv2.CAP_PROP_FORMAT, _PACKETS))


class JpegCapture:
    """Decodes the JPEGs that a capture gives as they were sent."""

    def __init__(self, capture: Capture) -> None:
        self._capture = capture

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        """Whether it can be read from."""
        return self._capture.isOpened()

    def read(self) -> tuple[bool, Any]:
        """Whether there was a frame, and the frame; broken ones are passed over."""
        for _ in range(_MOST_BROKEN):
            there, packet = self._capture.read()
            if not there or packet is None:
                break
            pixels = _decoded(packet)
            if pixels is not None:
                return True, pixels
        return False, None

    def get(self, prop: int, /) -> float:
        """Return a property."""
        return self._capture.get(prop)

    def release(self) -> None:
        """Let go."""
        self._capture.release()


def _decoded(packet: NDArray[np.uint8]) -> Pixels | None:
    if not packet.size:
        return None
    try:
        return cv2.imdecode(packet.ravel(), cv2.IMREAD_COLOR)  # type: ignore[return-value]
    except cv2.error:
        return None
