from __future__ import annotations

import threading
from io import BytesIO
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.web.site.conftest import OWN, Site, error_of, picture
from web.site.phones import Phones
from web.site.roles import Role

if TYPE_CHECKING:
    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

JPEG = picture()


def send(client: FlaskClient, data: bytes = JPEG, kind: str = "image/jpeg") -> TestResponse:
    return client.post("/camera/frame", headers=OWN, data=data, content_type=kind)


def send_photo(client: FlaskClient, data: bytes = JPEG, **headers: str) -> TestResponse:
    form: dict[str, Any] = {"photo": (BytesIO(data), "../../etc/passwd")}
    return client.post("/camera/photo", headers=OWN | headers, data=form)


def test_a_frame_is_pushed_and_answered_with_when_to_send_the_next(
    site: Site, camera: FlaskClient
) -> None:
    assert send(camera).get_json() == {"wait_ms": 250, "motion": True}
    assert send(camera).get_json() == {"wait_ms": 500, "motion": False}
    assert send(camera, picture(grey=200)).get_json() == {"wait_ms": 250, "motion": True}
    assert site.table.frames == [("phone 1", (240, 320, 3))] * 3


def test_each_phone_has_a_name(site: Site) -> None:
    send(site.client(Role.CAMERA))
    send(site.client(Role.CAMERA))
    assert [name for name, _ in site.table.frames] == ["phone 1", "phone 2"]


@pytest.mark.parametrize(
    ("sent", "status", "words"),
    [
        ((JPEG, "image/png"), 415, "kind of file"),
        ((JPEG, "text/html"), 415, "kind of file"),
        ((b"",), 422, "Not a JPEG"),
        ((b"no picture",), 422, "Not a JPEG"),
        ((picture(kind=".png"),), 422, "Not a JPEG"),
        ((JPEG[:400],), 422, "picture"),
        ((picture(900, 500),), 422, "900 x 500 pixels"),
        ((JPEG + bytes(100_000),), 413, "too large"),
    ],
)
def test_what_is_no_frame_is_refused_in_words(
    site: Site, sent: tuple[bytes, str], status: int, words: str
) -> None:
    answer = send(site.client(Role.CAMERA), *sent)
    assert answer.status_code == status
    assert words in error_of(answer)
    assert not site.table.frames


def test_frames_come_only_so_fast(site: Site, camera: FlaskClient) -> None:
    assert [send(camera).status_code for _ in range(13)] == [200] * 12 + [429]
    site.clock.at_s += 1
    assert send(camera).status_code == 200


def test_a_device_sends_one_picture_at_a_time(site: Site, camera: FlaskClient) -> None:
    again: list[TestResponse] = []

    def push(_pixels: object, _camera: str) -> None:
        again.append(send(camera))

    site.table.push_frame = push  # type: ignore[method-assign,assignment]
    assert send(camera).status_code == 200
    assert [answer.status_code for answer in again] == [429]


def test_a_photo_waits_for_the_end_of_the_one_before(site: Site, camera: FlaskClient) -> None:
    """As after a double tap, whose first request the browser gives up."""
    inside, over = threading.Event(), threading.Event()

    def push(_pixels: object, _camera: str) -> None:
        inside.set()
        over.wait(60)

    site.table.push_frame = push  # type: ignore[method-assign,assignment]
    before = threading.Thread(target=send, args=(camera,))
    before.start()
    assert inside.wait(60)
    del site.table.push_frame
    threading.Timer(0.3, over.set).start()
    assert send_photo(camera).status_code == 303
    before.join()


def test_a_photo_is_taken_from_a_form(site: Site, camera: FlaskClient) -> None:
    answer = send_photo(camera)
    assert answer.status_code == 303
    assert answer.location == "/phone?sent=1"
    assert site.table.frames == [("phone 1", (240, 320, 3))]
    assert send_photo(camera, picture(kind=".png"), Accept="application/json").json == {"ok": True}


def test_a_photo_that_is_none_is_refused_in_words(camera: FlaskClient) -> None:
    assert send_photo(camera, b"no picture").status_code == 422
    empty = camera.post("/camera/photo", headers=OWN | {"Accept": "application/json"}, data={})
    assert empty.status_code == 422
    assert error_of(empty) == "No photo was chosen; take one first."
    assert send_photo(camera, JPEG + bytes(220_000)).status_code == 413


# What was parsed before the refusal is left for the collector.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_form_has_few_parts(camera: FlaskClient) -> None:
    form: dict[str, Any] = {f"photo{n}": (BytesIO(JPEG), "x.jpg") for n in range(9)}
    assert camera.post("/camera/photo", headers=OWN, data=form).status_code == 413


def test_an_organiser_may_send_pictures_too(organiser: FlaskClient) -> None:
    assert send(organiser).status_code == 200


def test_a_hand_is_motion_and_noise_is_none() -> None:
    phones, table = Phones(), np.full((480, 640, 3), 90, np.uint8)
    noise = np.random.default_rng(0).integers(0, 12, table.shape, np.uint8)
    hand = table.copy()
    hand[100:220, 200:320] = 180
    assert phones.moved("a", table)
    assert not phones.moved("a", table + noise)
    assert phones.moved("a", hand)
    assert phones.moved("b", table)
