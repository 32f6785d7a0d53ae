"""Cameras that a test is the world of."""

from __future__ import annotations

from http.server import BaseHTTPRequestHandler
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

if TYPE_CHECKING:
    from vision.types import Pixels

WAIT_S = 60.0  # for what comes at once, unless the machine is very busy


def noise(seed: int, height: int = 48, width: int = 64) -> Pixels:
    return np.random.default_rng(seed).integers(0, 255, (height, width, 3), np.uint8)


TURNED_AT = 40
LARGER_AT = 80
BROKEN = 20


def size_of(seed: int) -> tuple[int, int]:
    """Width and height of a stream's picture: it is turned, and then another."""
    if seed < TURNED_AT:
        return 64, 48
    return (48, 64) if seed < LARGER_AT else (128, 64)


class FakeCapture:
    """A USB camera that shows frames until it is unplugged."""

    def __init__(self, frames: list[Pixels]) -> None:
        self._frames = frames
        self.released = False

    def isOpened(self) -> bool:  # noqa: N802
        return bool(self._frames)

    def read(self) -> tuple[bool, Any]:
        return (True, self._frames.pop(0)) if self._frames else (False, None)

    def get(self, prop: int, /) -> float:
        return 10.0 if prop == cv2.CAP_PROP_FPS else 0.0

    def release(self) -> None:
        self.released = True


class Stream(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        try:
            for seed in range(200):
                width, height = size_of(seed)
                jpeg = cv2.imencode(".jpg", noise(seed, height, width))[1].tobytes()
                if seed == BROKEN:
                    jpeg = b"no picture"
                head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n"
                self.wfile.write(head.encode() + b"\r\n" + jpeg + b"\r\n")
        except OSError:
            pass  # the camera was closed

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass
