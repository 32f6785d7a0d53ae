"""What goes wrong with cameras is told, and the evening goes on."""

from __future__ import annotations

import logging
import os
import socket
import subprocess
import sys
import threading
from functools import partial
from http.server import ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest

from tests.vision.cameras.fakes import WAIT_S, FakeCapture, Stream, noise
from tests.vision.cameras.rtsp import rtsp_camera
from vision.cameras import CameraError, Feed, FeedSettings, camera_from
from vision.cameras.captures import TIMEOUT_MS, LiveCamera, open_capture
from vision.cameras.devices import device_name
from vision.cameras.feed import _JOIN_S
from vision.cameras.folder import PictureFolder

if TYPE_CHECKING:
    from pathlib import Path


def test_a_broken_picture_is_left_out_and_told_of(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for seed in range(3):
        cv2.imwrite(str(tmp_path / f"{seed}.png"), noise(seed))
    (tmp_path / "1.png").write_bytes(b"no picture")
    feed = Feed(PictureFolder(tmp_path, wait=lambda _s: None))
    with feed, caplog.at_level(logging.WARNING):
        last = feed.newest(after=0, timeout_s=WAIT_S)
    assert last is not None
    assert np.array_equal(last.pixels, noise(2))
    assert "1.png was left out" in caplog.text


def test_what_was_left_out_is_said_for_a_while(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "1.png"), noise(1))
    (tmp_path / "0.png").write_bytes(b"no picture")
    time, shown = [0.0], threading.Event()

    def wait(_seconds: float) -> None:
        shown.wait(WAIT_S)

    # The second picture is due only once it has been looked at.
    cv2.imwrite(str(tmp_path / "2.png"), noise(2))
    feed = Feed(PictureFolder(tmp_path, clock=lambda: 0.0, wait=wait), clock=lambda: time[0])
    with feed:
        assert feed.newest(timeout_s=WAIT_S) is not None
        assert feed.health == "ok"
        assert "0.png was left out" in feed.message
        time[0] = 6.0
        assert not feed.message
        shown.set()


def test_a_folder_in_which_nothing_can_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / "0.png").write_bytes(b"no picture")
    camera = PictureFolder(tmp_path, loop=True, wait=lambda _s: None)
    camera.open()
    with pytest.raises(CameraError, match=r"0\.png was left out"):
        camera.grab()
    with pytest.raises(CameraError, match=r"no picture in .* can be read"):
        camera.grab()


def test_a_camera_that_hangs_does_not_hold_up_the_end() -> None:
    hangs, asked = threading.Event(), threading.Event()

    class Hanging(FakeCapture):
        def read(self) -> tuple[bool, Any]:
            asked.set()
            hangs.wait(WAIT_S)
            return super().read()

    feed = Feed(LiveCamera(0, "USB", "replug it", lambda _source: Hanging([noise(1)])))
    feed.start()
    assert asked.wait(WAIT_S)
    feed.close()
    alive = [thread for thread in threading.enumerate() if thread.name == "USB"]
    assert len(alive) == 1
    assert _JOIN_S < 1
    hangs.set()
    alive[0].join(WAIT_S)
    assert not alive[0].is_alive()


def test_cameras_that_hang_are_waited_for_together(monkeypatch: pytest.MonkeyPatch) -> None:
    hangs, now_s, waited = threading.Event(), [0.0], []

    class Clock:
        monotonic = staticmethod(lambda: now_s[0])

    class Hanging(FakeCapture):
        def read(self) -> tuple[bool, Any]:
            hangs.wait(WAIT_S)
            return super().read()

    def join(timeout: float) -> None:
        waited.append(timeout)
        now_s[0] += timeout

    monkeypatch.setattr("vision.cameras.feed.time", Clock)
    cameras = [LiveCamera(0, f"USB {n}", "", lambda _: Hanging([noise(1)])) for n in range(3)]
    feeds = [Feed(camera, clock=lambda: 0.0) for camera in cameras]
    threads = []
    for feed in feeds:
        feed.start()
        thread = feed._thread
        assert thread is not None
        threads.append((thread, thread.join))
        monkeypatch.setattr(thread, "join", join)
        feed.stop()
    for feed in feeds:
        feed.close()
    assert waited == [_JOIN_S, 0.0, 0.0]
    hangs.set()
    for thread, really_join in threads:
        really_join(WAIT_S)
        assert not thread.is_alive()


def test_another_device_is_another_camera_even_of_the_same_size() -> None:
    plugs = ["C920 1234", "", "Trust"]

    def opener(_source: int | str) -> FakeCapture:
        return FakeCapture([noise(1), noise(2)])

    def identify(_source: int | str) -> str:
        return plugs.pop(0) if plugs else "Trust"

    camera = LiveCamera(0, "USB", "replug it", opener, identify)
    feed = Feed(camera, FeedSettings(retry_s=0.001, swapped_s=WAIT_S))
    with feed:
        frame = feed.newest(timeout_s=WAIT_S)
        while frame is not None and "Trust" not in feed.message:
            frame = feed.newest(frame.number, WAIT_S)
        assert frame is not None
        assert feed.message == "USB changed from C920 1234 to Trust: is it the right camera?"


def test_linux_tells_which_camera_has_a_number(tmp_path: Path) -> None:
    usb = tmp_path / "usb1" / "1-1"
    (usb / "1-1:1.0").mkdir(parents=True)
    (usb / "serial").write_text("1234\n")
    for node in ("video0", "video1"):
        (tmp_path / node).mkdir()
        (tmp_path / node / "name").write_text("HD Webcam\n")
    (tmp_path / "video0" / "device").symlink_to(usb / "1-1:1.0")
    assert device_name(0, tmp_path) == "HD Webcam 1234"
    assert device_name("/dev/video1", tmp_path) == "HD Webcam"
    assert not device_name(7, tmp_path)
    assert not device_name("rtsp://10.0.0.7/live", tmp_path)


@pytest.mark.parametrize(
    "address", ["http://[fd00::7/video", "http://fd00::7:8080/video", "rtsp://host:port/x"]
)
def test_an_address_that_cannot_be_is_told(address: str) -> None:
    with pytest.raises(CameraError, match="in brackets"):
        camera_from(address)


def test_a_camera_is_reached_over_ipv6() -> None:
    class Sixth(ThreadingHTTPServer):
        address_family = socket.AF_INET6

    try:
        server = Sixth(("::1", 0), Stream)
    except OSError:
        pytest.skip("this machine has no IPv6")
    with server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        camera = camera_from(f"http://[::1]:{server.server_port}/video")
        camera.open()
        pixels = camera.grab()
        camera.close()
        server.shutdown()
        thread.join()
    assert camera.name == "camera at ::1"
    assert pixels is not None
    assert pixels.shape == (48, 64, 3)


def test_an_rtsp_camera_that_does_not_answer_is_told_and_tried_again() -> None:
    """It takes the call, and then says nothing."""
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        silent.settimeout(WAIT_S)
        url = f"rtsp://127.0.0.1:{silent.getsockname()[1]}/live"
        opener = partial(open_capture, timeout_ms=200)
        camera = LiveCamera(url, "camera at 127.0.0.1", "check that it is on", opener)
        feed, calls = Feed(camera, FeedSettings(retry_s=0.001)), []
        with feed:
            for _ in range(3):
                call, _from = silent.accept()
                calls.append(call)
            told = feed.message
        for call in calls:
            call.close()
    assert told == "camera at 127.0.0.1 cannot be opened: check that it is on."
    assert feed.health == "lost"


def test_an_rtsp_camera_that_goes_away_is_told_and_found_again() -> None:
    with rtsp_camera() as url:
        camera = camera_from(url)
        camera.open()
        assert camera.grab() is not None

    def grab_on() -> None:
        for _ in range(1000):
            camera.grab()

    with pytest.raises(CameraError, match=r"127\.0\.0\.1 gives no more pictures: check that"):
        grab_on()
    with rtsp_camera() as url, Feed(camera_from(url)) as feed:
        assert feed.newest(timeout_s=WAIT_S) is not None
        assert feed.health == "ok"
    camera.close()


def test_networks_are_given_little_time() -> None:
    """So that silence is told within three seconds."""
    assert TIMEOUT_MS < 3000


HUSHED = """
import sys
from vision.cameras import CameraError, camera_from, hush
if sys.argv[1] == "hushed":
    hush()
for address in sys.argv[2:]:
    try:
        camera_from(address).open()
    except CameraError as error:
        print(error)
"""


def _opened(tmp_path: Path, how: str, **set_before: str) -> tuple[str, str]:
    """Open cameras that are none in a program of its own; return what it prints and logs."""
    film = tmp_path / "film.mp4"
    film.write_bytes(b"no film")
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{door.getsockname()[1]}/video"
        words = [sys.executable, "-c", HUSHED, how, "97", "/dev/video97", address, str(film)]
        env = {**os.environ, **set_before}
        told = subprocess.run(words, capture_output=True, text=True, check=True, env=env)  # noqa: S603
    return told.stdout, told.stderr


def test_of_a_missing_camera_only_our_words_are_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENCV_LOG_LEVEL", raising=False)
    monkeypatch.delenv("OPENCV_FFMPEG_LOGLEVEL", raising=False)
    ours, theirs = _opened(tmp_path, "hushed")
    assert len(ours.splitlines()) == 4
    assert theirs == ""
    _, theirs = _opened(tmp_path, "not hushed")
    assert "WARN" in theirs
    _, theirs = _opened(tmp_path, "hushed", OPENCV_LOG_LEVEL="WARNING")
    assert "WARN" in theirs
