from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from tests.vision.cameras.fakes import WAIT_S, FakeCapture, noise
from vision.cameras import CameraError, Feed, FeedSettings, Health, PushedCamera, camera_from
from vision.cameras.captures import LiveCamera, VideoFile, ask_for_detail
from vision.cameras.folder import PictureFolder
from vision.cameras.vigil import Vigil

if TYPE_CHECKING:
    from vision.cameras import Camera


@pytest.fixture(params=["usb", "video", "folder", "mjpeg", "rtsp", "phone"])
def camera(request: pytest.FixtureRequest, tmp_path: Path) -> Camera:
    made: Camera
    match request.param:
        case "usb":
            frames = [noise(seed) for seed in range(4)]
            made = LiveCamera(0, "USB", "replug it", lambda _source: FakeCapture(frames))
        case "video":
            path = tmp_path / "game.avi"
            film = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 25, (64, 48))
            for seed in range(4):
                film.write(noise(seed))
            film.release()
            made = VideoFile(path, wait=lambda _s: None)
        case "folder":
            for seed in range(4):
                cv2.imwrite(str(tmp_path / f"{seed}.png"), noise(seed))
            made = PictureFolder(tmp_path, wait=lambda _s: None)
        case "mjpeg":
            made = camera_from(request.getfixturevalue("address"))
        case "rtsp":
            made = camera_from(request.getfixturevalue("rtsp_address"))
        case _:
            phone = PushedCamera(patience_s=WAIT_S)
            phone.push(noise(0))
            made = phone
    return made


def test_every_camera_gives_frames_and_lets_go(camera: Camera) -> None:
    assert camera.name
    camera.open()
    pixels = camera.grab()
    camera.close()
    camera.close()
    assert pixels is not None
    assert pixels.shape == (48, 64, 3)
    assert pixels.dtype == np.uint8


def test_a_recording_plays_in_its_own_time_and_ends() -> None:
    waited: list[float] = []
    time = [0.0]

    def wait(seconds: float) -> None:
        waited.append(round(seconds, 6))
        time[0] += seconds

    frames = [noise(seed) for seed in range(3)]
    film = VideoFile(
        Path("game.mp4"),
        speed=2.0,
        clock=lambda: time[0],
        wait=wait,
        opener=lambda _source: FakeCapture(frames),
    )
    film.open()
    assert [film.grab() is None for _ in range(4)] == [False, False, False, True]
    assert waited == [0.05, 0.05]


def test_a_wrong_address_is_told() -> None:
    with pytest.raises(CameraError, match="give a number"):
        camera_from("no-such-file.mp4")


def test_pixels_that_stay_the_same_are_frozen_on_a_live_camera_only() -> None:
    live, film = (Vigil(FeedSettings(), live=live) for live in (True, False))
    told = [live.judge(noise(1).copy(), at) for at in (0.0, 1.0, 2.0, 2.9)]
    assert told == [Health.OK, Health.OK, Health.OK, Health.FROZEN]
    assert live.judge(noise(2), 3.0) is Health.OK
    assert {film.judge(noise(1), at) for at in (0.0, 2.0, 60.0)} == {Health.OK}


def test_black_is_told_once_it_lasts_and_forgotten_with_light() -> None:
    vigil = Vigil(FeedSettings(), live=True)
    dark = [noise(seed) // 64 for seed in range(3)]
    assert vigil.judge(dark[0], 0.0) is Health.OK
    assert vigil.judge(dark[1], 1.5) is Health.BLACK
    assert vigil.judge(noise(1), 1.6) is Health.OK


def test_another_size_is_another_camera_but_a_hand_or_lamp_is_none() -> None:
    vigil = Vigil(FeedSettings(), live=True)
    assert vigil.judge(noise(1), 0.0) is Health.OK
    assert vigil.judge(noise(2) // 3 + 160, 0.1) is Health.OK
    assert vigil.judge(noise(3, 72, 128), 0.2) is Health.SWAPPED
    assert vigil.change == ("64 x 48", "128 x 72")
    assert vigil.judge(noise(4, 72, 128), 5.3) is Health.OK


def test_a_phone_that_is_turned_is_the_same_camera() -> None:
    vigil = Vigil(FeedSettings(), live=True)
    assert vigil.judge(noise(1), 0.0) is Health.OK
    assert vigil.judge(noise(2, 64, 48), 0.1) is Health.OK
    assert vigil.judge(noise(3), 0.2) is Health.OK


def test_a_phones_photos_may_have_any_size_but_not_its_live_picture() -> None:
    time = [0.0]
    phone = PushedCamera(patience_s=WAIT_S, clock=lambda: time[0])
    told: list[str] = []
    with Feed(phone, clock=lambda: time[0]) as feed:
        number = -1
        for step_s, (height, width) in ((60.0, (48, 64)), (60.0, (72, 54)), (0.1, (72, 54))):
            time[0] += step_s
            phone.push(noise(number + 2, height, width))
            frame = feed.newest(number, WAIT_S)
            assert frame is not None
            number = frame.number
            told.append(str(feed.health))
        time[0] += 0.1
        phone.push(noise(9, 96, 128))
        assert feed.newest(number, WAIT_S) is not None
        told.append(str(feed.health))
    assert told == ["ok", "ok", "ok", "swapped"]


def test_an_unplugged_camera_is_told_and_comes_back() -> None:
    plugs = [[noise(1)], [], [noise(seed) for seed in range(2, 40)]]
    back = threading.Event()
    told: list[str] = []

    def opener(_source: int | str) -> FakeCapture:
        if len(plugs) < 3:
            told.append(f"{feed.health}: {feed.message}")
        if len(plugs) == 1:
            back.wait(WAIT_S)
        return FakeCapture(plugs.pop(0) if plugs else [])

    feed = Feed(LiveCamera(0, "USB", "replug it", opener), FeedSettings(retry_s=0.001))
    with feed:
        first = feed.newest(timeout_s=WAIT_S)
        back.set()
        again = feed.newest(after=0, timeout_s=WAIT_S)
    assert first is not None
    assert again is not None
    assert again.number > 0
    assert told[:2] == [
        "lost: USB gives no more pictures: replug it.",
        "lost: USB cannot be opened: replug it.",
    ]


def test_a_camera_that_hangs_is_lost_after_less_than_three_seconds() -> None:
    time = [0.0]
    phone = PushedCamera(patience_s=WAIT_S)
    feed = Feed(phone, clock=lambda: time[0])
    with feed:
        phone.push(noise(1))
        assert feed.newest(timeout_s=WAIT_S) is not None
        assert not feed.message
        time[0] = 2.9
        assert feed.health == "lost"
        assert "check its cable" in feed.message
        phone.push(noise(2))
        assert feed.newest(after=0, timeout_s=WAIT_S) is not None
        assert not feed.message
        phone.close()


def test_a_webcam_is_asked_for_detail_compressed_first() -> None:
    asked: list[tuple[int, float]] = []

    class Webcam:
        def get(self, _prop: int, /) -> float:
            return 0.0

        def set(self, prop: int, value: float, /) -> bool:
            asked.append((prop, value))
            return True

    ask_for_detail(Webcam())
    assert asked[0][0] == cv2.CAP_PROP_FOURCC
    assert (cv2.CAP_PROP_FRAME_WIDTH, 1920) in asked
    assert (cv2.CAP_PROP_FRAME_HEIGHT, 1080) in asked


def test_pictures_come_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    for shade, name in enumerate(["1 start.png", "photo 2.png", "photo 10.png", "photo 10b.png"]):
        cv2.imwrite(str(tmp_path / name), np.full((8, 8, 3), shade, np.uint8))
    (tmp_path / "._photo 2.png").write_bytes(b"a note that a system keeps beside it")
    camera = PictureFolder(tmp_path, wait=lambda _s: None)
    camera.open()
    shown = []
    while (pixels := camera.grab()) is not None:
        shown.append(int(pixels[0, 0, 0]))
    camera.close()
    assert shown == [0, 1, 2, 3]
