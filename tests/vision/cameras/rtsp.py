"""An RTSP camera, as small as it can be: JPEG over RTP, in the connection that asked for it."""

from __future__ import annotations

import socketserver
import struct
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

import cv2

from tests.vision.cameras.fakes import noise, size_of

if TYPE_CHECKING:
    from collections.abc import Iterator

STEP_S = 0.04
HUGE = 1400  # bytes in a packet
SDP = (
    "v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=x\r\nt=0 0\r\n"
    "m=video 0 RTP/AVP 26\r\na=control:track\r\n"
)
ANSWERS = {
    "OPTIONS": "Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN\r\n",
    "DESCRIBE": "Content-Type: application/sdp\r\n",
    "SETUP": "Transport: RTP/AVP/TCP;unicast;interleaved=0-1\r\nSession: 1\r\n",
    "PLAY": "Session: 1\r\n",
}


def packets(seed: int, size_px: tuple[int, int]) -> Iterator[bytes]:
    """A frame as RTP packets (RFC 2435), each behind its interleaved header."""
    width, height = size_px
    jpeg = cv2.imencode(".jpg", noise(seed, height, width))[1].tobytes()
    tables = b"".join(
        jpeg[at + 5 : at + 69] for at in range(len(jpeg)) if jpeg[at : at + 2] == b"\xff\xdb"
    )
    begin = jpeg.index(b"\xff\xda")
    scan = jpeg[begin + 2 + int.from_bytes(jpeg[begin + 2 : begin + 4], "big") : -2]
    for offset in range(0, len(scan), HUGE):
        last = offset + HUGE >= len(scan)
        number = seed * 100 + offset // HUGE
        rtp = struct.pack(">BBHII", 0x80, 26 | last << 7, number & 0xFFFF, seed * 3600, 1)
        # 4:2:0, with its own tables.
        head = struct.pack(">IBBBB", offset, 1, 255, width // 8, height // 8)
        if offset == 0:
            head += struct.pack(">BBH", 0, 0, len(tables)) + tables
        packet = rtp + head + scan[offset : offset + HUGE]
        yield b"$\x00" + len(packet).to_bytes(2, "big") + packet


class Caller(socketserver.StreamRequestHandler):
    """Answers until it is told to play, and then plays until the other end is gone."""

    server: Server

    def handle(self) -> None:
        while head := self._request():
            method, number = head[0].split()[0], next(h for h in head if h.startswith("CSeq"))
            body = SDP if method == "DESCRIBE" else ""
            answer = f"RTSP/1.0 200 OK\r\n{number}\r\n{ANSWERS.get(method, '')}"
            self.wfile.write(f"{answer}Content-Length: {len(body)}\r\n\r\n{body}".encode())
            if method == "PLAY":
                self._play()
                return

    def _request(self) -> list[str]:
        lines = []
        while line := self.rfile.readline().decode().strip():
            lines.append(line)
        return lines

    def _play(self) -> None:
        try:
            for seed in range(1, 1000):
                for packet in packets(seed, size_of(seed)):
                    self.wfile.write(packet)
                if self.server.ended.wait(STEP_S):
                    return
        except OSError:
            pass  # the camera was closed


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Caller)
        self.ended = threading.Event()


@contextmanager
def rtsp_camera() -> Iterator[str]:
    """Serve noise; give the address."""
    with Server() as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"rtsp://127.0.0.1:{server.server_address[1]}/live"
        finally:
            server.ended.set()
            server.shutdown()
            thread.join()
