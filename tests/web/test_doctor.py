"""What is wrong is said before the evening, with what to do."""

from __future__ import annotations

import json
import os
import socket
from typing import TYPE_CHECKING

import cv2
import pytest
from click.testing import CliRunner

from tests.fakes import EitherWay, blank, fake_reader, sure, to_mirror, unsure
from vision.cameras import CameraError, FeedSettings, camera_from
from vision.cameras.captures import LiveCamera
from vision.pipeline import TableReader
from vision.resources import ResourceError
from web.cli import cli
from web.doctor import (
    Check,
    check_camera,
    check_certificate,
    check_disk,
    check_models,
    check_port,
    check_set,
    check_store,
    opened,
)
from web.site.network import listener

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from typing import Any

    from vision.cameras import Camera
    from vision.types import Pixels


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    folder = tmp_path / "pictures"
    folder.mkdir()
    cv2.imwrite(str(folder / "1.png"), blank())
    return folder


def test_a_camera_with_tiles_in_view_is_looked_through(pictures: Path) -> None:
    found = check_camera(camera_from(str(pictures)), fake_reader("R3 R4 R5"))
    assert found[0].state == "ok"
    assert "1000x750" in found[0].text
    assert found[1].name == "light"


def test_without_tiles_the_light_cannot_be_judged(pictures: Path) -> None:
    found = check_camera(camera_from(str(pictures)), fake_reader(""))
    assert [check.state for check in found] == ["ok", "warn"]


def test_a_dark_table_is_told_from_an_empty_one(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "1.png"), blank() // 20)
    found = check_camera(camera_from(str(tmp_path)), fake_reader(""))
    assert "dark" in found[1].text.lower()


def test_a_camera_that_mirrors_its_picture_is_told_of(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "1.png"), to_mirror())
    known = fake_reader("R3 R4 R5")
    doubtful = tuple(unsure(face, "Is it?") for face in ("R3", "R4", "R5"))
    reads = EitherWay(doubtful, mirrored=tuple(map(sure, ("R3", "R4", "R5"))))
    found = check_camera(camera_from(str(tmp_path)), TableReader(known.detector, reads))
    assert found[1].text == "The picture is mirrored."


class Webcam:
    """Opens dark, and gets used to the light after some frames."""

    def __init__(self) -> None:
        self.frames = 0

    def isOpened(self) -> bool:  # noqa: N802
        return True

    def read(self) -> tuple[bool, Pixels]:
        self.frames += 1
        lit = blank() if self.frames > 3 else blank() // 20
        return True, lit + (self.frames % 2)

    def get(self, prop: int, /) -> float:
        return float(prop)

    def release(self) -> None:
        pass


def test_a_webcam_may_get_used_to_the_light_first() -> None:
    camera = LiveCamera(0, "USB", "replug it", lambda _source: Webcam())
    found = check_camera(camera, fake_reader("R3 R4 R5"))
    assert [(check.name, check.state) for check in found] == [("USB", "ok"), ("light", "ok")]


def test_a_camera_is_given_the_time_that_the_settings_give_it() -> None:
    camera = LiveCamera(0, "USB", "replug it", lambda _source: Webcam())
    patient = FeedSettings(silent_s=9)
    assert check_camera(camera, None, patient)[0].state == "ok"
    gone = camera_from("rtsp://127.0.0.1:1/none")
    found = check_camera(gone, None, FeedSettings(silent_s=0.5, retry_s=60))
    assert found[0].state == "fail"
    assert "cannot be opened" in found[0].text


def test_a_folder_has_no_cable(tmp_path: Path) -> None:
    (found,) = check_camera(camera_from(str(tmp_path)), None)
    assert "holds no pictures: put JPEG" in found.text
    assert found.advice == ""


def test_a_wrong_address_is_a_failure() -> None:
    def refuse(address: str) -> Camera:
        raise CameraError(f"{address} is no camera")

    found = opened("nowhere", refuse)
    assert (found.name, getattr(found, "state", "")) == ("camera nowhere", "fail")
    assert getattr(found, "text", "") == "nowhere is no camera."


def test_damaged_networks_are_a_failure() -> None:
    def load() -> TableReader:
        raise ResourceError("reader.onnx is damaged")

    found, reader = check_models(load)
    assert (found.state, reader) == ("fail", None)


def test_a_taken_port_is_said() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        assert check_port("127.0.0.1", taken.getsockname()[1]).state == "fail"


def test_an_address_of_another_machine_is_not_taken_for_a_taken_port() -> None:
    found = check_port("192.0.2.7", 0)
    assert found.state == "fail"
    assert "--host" in found.advice


def test_matches_are_reached_as_they_would_be_served(tmp_path: Path) -> None:
    assert check_store(f"sqlite:///{tmp_path / 'm.sqlite'}").state == "ok"
    (tmp_path / "damaged").write_bytes(b"no database" * 500)
    assert "damaged" in check_store(f"sqlite:///{tmp_path / 'damaged'}").text
    found = check_store("postgresql+psycopg://me@/matches?host=/no/such/folder")
    assert (found.state, found.text[:31]) == ("fail", "The matches cannot be reached: ")


def test_a_set_that_nobody_taught_is_said(tmp_path: Path) -> None:
    found = check_set(fake_reader(""), tmp_path, "grandma")
    assert found.state == "fail"
    assert "grandma" in found.text


def test_a_port_is_looked_at_over_ipv6_too() -> None:
    with listener("::1") as taken:
        try:
            taken.bind(("::1", 0))
        except OSError:
            pytest.skip("this machine has no IPv6")
        taken.listen()
        assert check_port("::1", taken.getsockname()[1]).state == "fail"
    assert check_port("::1", 0).state == "ok"


def test_room_is_measured_where_the_folder_will_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "free for" in check_disk(tmp_path / "not" / "yet" / "there").text
    monkeypatch.setattr("web.doctor._ROOM_MB", 10**12)
    assert check_disk(tmp_path).state == "warn"


def test_a_folder_in_which_nothing_can_be_kept_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    assert check_disk(tmp_path / "file" / "below").state == "fail"
    # Root may write into any folder, but not into one of a disk that is read only.
    monkeypatch.setattr("os.access", lambda _path, mode: mode != os.W_OK)
    found = check_disk(tmp_path / "not" / "yet" / "there")
    assert found.state == "fail"
    assert "--data" in found.advice


def test_a_certificate_that_cannot_be_kept_is_said(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("in the way")
    found = check_certificate(file / "tls", {"127.0.0.1"})
    assert found.state == "warn"
    assert found.text.endswith("choose another folder with --data.")


@pytest.fixture
def free_ports(monkeypatch: pytest.MonkeyPatch) -> None:
    def free(_host: str, port: int) -> Check:
        return Check("port", "ok", f"Port {port} is free.")

    monkeypatch.setattr("web.doctor_command.check_port", free)


@pytest.mark.usefixtures("free_ports")
def test_the_command_looks_at_matches_and_set(tmp_path: Path) -> None:
    arguments = ["doctor", "--data", str(tmp_path)]
    fresh = CliRunner().invoke(cli, arguments, obj=lambda _: fake_reader(""))
    assert "matches:" not in fresh.stdout
    (tmp_path / "matches.sqlite").write_bytes(b"no database" * 500)
    damaged = CliRunner().invoke(cli, arguments, obj=lambda _: fake_reader(""))
    assert (damaged.exit_code, "is damaged" in damaged.stdout) == (1, True)
    untaught = [*arguments, "--set", "grandma", "--store", "sqlite://"]
    found = CliRunner().invoke(cli, untaught, obj=lambda _: fake_reader(""))
    assert (found.exit_code, "bad   set: " in found.stdout) == (1, True)


@pytest.mark.usefixtures("free_ports")
def test_the_command_answers_in_words_and_in_json(tmp_path: Path) -> None:
    reader = fake_reader("")
    arguments = ["doctor", "--data", str(tmp_path)]
    told = CliRunner().invoke(cli, arguments, obj=lambda _: reader)
    assert told.exit_code == 0
    assert "The networks are there" in told.stdout
    found = CliRunner().invoke(cli, [*arguments, "--json"], obj=lambda _: reader)
    assert {check["name"] for check in json.loads(found.stdout)["checks"]} >= {"networks", "disk"}


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """What the command looks at, which is all well."""
    calls: list[tuple[Any, ...]] = []

    def notes(name: str) -> Callable[..., Check]:
        def note(*values: object) -> Check:
            calls.append((name, *values))
            return Check(name, "ok", "")

        return note

    def cameras(camera: Camera, _reader: TableReader | None, ill: FeedSettings) -> list[Check]:
        calls.append(("camera", camera.name, ill))
        return [Check(camera.name, "ok", "")]

    for name in ("disk", "port", "certificate"):
        monkeypatch.setattr(f"web.doctor_command.check_{name}", notes(name))
    monkeypatch.setattr("web.doctor_command.check_camera", cameras)
    return calls


def test_all_is_looked_at_as_the_table_would_be_served(
    tmp_path: Path, asked: list[tuple[Any, ...]]
) -> None:
    file = tmp_path / "evening.toml"
    file.write_text(
        f"[pages]\nport = 81\n[keeping]\ndata = '{tmp_path}'\n[cameras]\ncamera = ['3']\n"
        "[feeds]\nsilent_s = 9.5\n"
    )
    arguments = ["doctor", "--settings", str(file), "--https-port", "82"]
    run = CliRunner().invoke(cli, arguments, obj=lambda _: fake_reader(""))
    assert run.exit_code == 0, run.output
    assert ("disk", tmp_path) in asked
    assert [call[2] for call in asked if call[0] == "port"] == [81, 82]
    assert ("camera", "USB camera 3", FeedSettings(silent_s=9.5)) in asked
    CliRunner().invoke(cli, [*arguments, "--camera", "4"], obj=lambda _: fake_reader(""))
    assert [call[1] for call in asked if call[0] == "camera"] == ["USB camera 3", "USB camera 4"]


def test_the_command_fails_where_a_camera_does(tmp_path: Path) -> None:
    arguments = ["doctor", "--data", str(tmp_path), "--camera", str(tmp_path / "none.mp4")]
    assert CliRunner().invoke(cli, arguments, obj=lambda _: fake_reader("")).exit_code == 1
