"""What is wrong is said before the evening, with what to do."""

from __future__ import annotations

import json
import socket
from typing import TYPE_CHECKING

import cv2
import pytest
from click.testing import CliRunner

from tests.fakes import blank, fake_reader
from vision.cameras import CameraError, camera_from
from vision.resources import ResourceError
from web.cli import cli
from web.doctor import (
    Check,
    check_camera,
    check_certificate,
    check_disk,
    check_models,
    check_port,
    opened,
)

if TYPE_CHECKING:
    from pathlib import Path

    from vision.cameras import Camera
    from vision.pipeline import TableReader


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


def test_a_wrong_address_is_a_failure() -> None:
    def refuse(address: str) -> Camera:
        raise CameraError(f"{address} is no camera")

    found = opened("nowhere", refuse)
    assert (found.name, getattr(found, "state", "")) == ("camera nowhere", "fail")


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


def test_room_is_measured_where_the_folder_will_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "free for" in check_disk(tmp_path / "not" / "yet" / "there").text
    monkeypatch.setattr("web.doctor._ROOM_MB", 10**12)
    assert check_disk(tmp_path).state == "warn"


def test_a_certificate_that_cannot_be_kept_is_said(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("in the way")
    assert check_certificate(file / "tls", {"127.0.0.1"}).state == "warn"


@pytest.fixture
def free_ports(monkeypatch: pytest.MonkeyPatch) -> None:
    def free(_host: str, port: int) -> Check:
        return Check("port", "ok", f"Port {port} is free.")

    monkeypatch.setattr("web.doctor_command.check_port", free)


@pytest.mark.usefixtures("free_ports")
def test_the_command_answers_in_words_and_in_json(tmp_path: Path) -> None:
    reader = fake_reader("")
    arguments = ["doctor", "--data", str(tmp_path)]
    told = CliRunner().invoke(cli, arguments, obj=lambda _: reader)
    assert told.exit_code == 0
    assert "The networks are there" in told.stdout
    found = CliRunner().invoke(cli, [*arguments, "--json"], obj=lambda _: reader)
    assert {check["name"] for check in json.loads(found.stdout)["checks"]} >= {"networks", "disk"}


def test_the_command_fails_where_a_camera_does(tmp_path: Path) -> None:
    arguments = ["doctor", "--data", str(tmp_path), "--camera", str(tmp_path / "none.mp4")]
    assert CliRunner().invoke(cli, arguments, obj=lambda _: fake_reader("")).exit_code == 1
