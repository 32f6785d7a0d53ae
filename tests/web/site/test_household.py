from __future__ import annotations

import http.client
import json
import socket
from dataclasses import replace
from io import BytesIO
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.fakes import fake_reader
from tests.web.site.conftest import picture
from vision.teaching import ProfileError
from web.live.errors import CommandError
from web.settings import load_settings
from web.site.cameras import open_feeds
from web.site.data_folder import DataFolder
from web.site.hosts import Hosts
from web.site.household import Given, choose_port, open_household
from web.site.phones import phones_of
from web.site.roles import Role
from web.site.server import ServeError

if TYPE_CHECKING:
    from pathlib import Path

    from web.live.subscriptions import Subscription
    from web.site.household import Household


def given(port: int, table: str = "R3 R4 R5") -> Given:
    return Given(
        reader=fake_reader(table),
        feeds=(),
        open_phone=phones_of(load_settings(None)),
        hosts=Hosts(http_port=port),
    )


def enter(served: Household, role: Role) -> tuple[http.client.HTTPConnection, dict[str, str]]:
    port = served.services.hosts.http_port
    connection = http.client.HTTPConnection("localhost", port, timeout=60)
    connection.request("GET", f"/enter?token={served.services.links.token(role)}")
    answer = connection.getresponse()
    answer.read()
    cookie = str(answer.headers["Set-Cookie"]).partition(";")[0]
    return connection, {"Cookie": cookie, "Origin": f"http://localhost:{port}"}


def test_a_phones_frame_becomes_the_tables_picture(tmp_path: Path) -> None:
    settings = load_settings(None, {"host": "127.0.0.1", "frame_mb": 1.0, "streams": 7})
    port = choose_port("127.0.0.1", 0)
    with open_household(settings, DataFolder.open(tmp_path), given(port)) as served:
        assert served.services.uploads.frame_bytes == 1_000_000
        assert served.services.streams.limits.most == 7
        connection, headers = enter(served, Role.CAMERA)
        with served.table.subscribe() as changes:
            connection.request(
                "POST", "/camera/frame", picture(), headers | {"Content-Type": "image/jpeg"}
            )
            assert connection.getresponse().status == 200
            snapshot = None
            while snapshot is None or not snapshot["picture"]:
                snapshot = changes.get(60.0)
                assert snapshot is not None
        assert [camera["name"] for camera in snapshot["cameras"]] == ["phone 1"]
        connection.close()


def test_all_phones_that_send_watch_the_same_table(tmp_path: Path) -> None:
    settings = load_settings(None, {"host": "127.0.0.1"})
    served_at = given(choose_port("127.0.0.1", 0), "R3 R4 R5 R6 | B7 K7 O7")
    with open_household(settings, DataFolder.open(tmp_path), served_at) as served:
        with served.table.subscribe() as changes:
            for _ in range(2):
                connection, headers = enter(served, Role.CAMERA)
                kind = {"Content-Type": "image/jpeg"}
                connection.request("POST", "/camera/frame", picture(1000, 750), headers | kind)
                assert connection.getresponse().status == 200
                connection.close()
            counting: list[str] = []
            while len(counting) < 2:
                snapshot = changes.get(60.0)
                assert snapshot is not None
                counting = [one["name"] for one in snapshot["cameras"] if one["counts"]]
        assert counting == ["phone 1", "phone 2"]
        assert len(served.table.snapshot()["tiles"]) == 7


def test_another_reader_reads_the_table_that_lies_there(tmp_path: Path) -> None:
    settings = load_settings(None, {"host": "127.0.0.1"})
    served_at = given(choose_port("127.0.0.1", 0))
    with (
        open_household(settings, DataFolder.open(tmp_path), served_at) as served,
        served.table.subscribe() as changes,
    ):
        connection, headers = enter(served, Role.CAMERA)
        kind = {"Content-Type": "image/jpeg"}
        connection.request("POST", "/camera/frame", picture(1000, 750), headers | kind)
        assert connection.getresponse().status == 200
        connection.close()
        tiles_of(changes, "R3 R4 R5")
        served.table.use_reader(fake_reader("B7 B8 B9"))
        tiles_of(changes, "B7 B8 B9")


def tiles_of(changes: Subscription, wanted: str) -> None:
    """Wait until these tiles lie on the table."""
    found = ""
    while found != wanted:
        snapshot = changes.get(60.0)
        assert snapshot is not None
        found = " ".join(tile["tile"] for tile in snapshot["tiles"])


def test_a_set_that_is_not_there_is_told_before_anything_is_opened(tmp_path: Path) -> None:
    served_at = replace(given(0), tiles="grandma")
    with (
        pytest.raises(ProfileError, match="no set called 'grandma' has been taught"),
        open_household(load_settings(None), DataFolder.open(tmp_path), served_at),
    ):
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_command_that_cannot_be_done_is_told_to_the_page(tmp_path: Path) -> None:
    settings = load_settings(None, {"host": "127.0.0.1"})
    port = choose_port("127.0.0.1", 0)
    with open_household(settings, DataFolder.open(tmp_path), given(port)) as served:
        connection, headers = enter(served, Role.ORGANISER)
        kind = {"Content-Type": "application/json"}
        connection.request("POST", "/api/commands/end_turn", "{}", headers | kind)
        answer = connection.getresponse()
        assert (answer.status, b"start one first" in answer.read()) == (409, True)
        connection.close()


def test_a_taken_port_is_told_before_anything_is_opened() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(ServeError, match="--port"):
            choose_port("127.0.0.1", taken.getsockname()[1])


def test_cameras_are_opened_by_their_addresses(tmp_path: Path) -> None:
    assert open_feeds(load_settings(None)) == ()
    found = open_feeds(load_settings(None, {"camera": ("0", str(tmp_path))}))
    assert [found[0].name, len(found)] == ["USB camera 0", 2]
    with pytest.raises(ServeError, match="no camera 'wrong'"):
        open_feeds(load_settings(None, {"camera": ("wrong",)}))


def test_a_phone_gives_its_newest_frame_and_nothing_once_it_is_closed() -> None:
    phone = phones_of(load_settings(None))("phone 1")
    assert phone.feed.newest(timeout_s=0) is None
    phone.push(np.full((2, 2, 3), 7, np.uint8))
    frame = phone.feed.newest(timeout_s=60)
    assert frame is not None
    assert (frame.camera, int(frame.pixels[0, 0, 0])) == ("phone 1", 7)
    phone.feed.close()
    assert phone.feed.newest(frame.number, timeout_s=60) is None


def test_a_match_by_house_rules_goes_on_without_their_file(tmp_path: Path) -> None:
    rules, port = tmp_path / "sunday.toml", choose_port("127.0.0.1", 0)
    rules.write_text(
        'extends = "standard"\ntitle = "Sunday"\nopening_threshold = 50\npick_bonus = true'
    )
    settings = load_settings(None, {"host": "127.0.0.1", "ruleset": str(rules)})
    folder = DataFolder.open(tmp_path / "data")
    with open_household(settings, folder, given(port)) as served:
        assert served.table.snapshot()["rules"] == "sunday"
        connection, headers = enter(served, Role.SPECTATOR)
        connection.request("GET", "/rules.json", headers=headers)
        told = json.loads(connection.getresponse().read())["rulesets"]
        connection.close()
        assert [one["name"] for one in told[:2]] == ["sunday", "standard"]
        changes = {"tile_values": [2] * 13}
        served.table.command(
            "new_match", {"players": ["Ann", "Bob"], "ruleset": "sunday", "changes": changes}
        )
        served.table.command("start_round", {"starter": "Ann"})
    rules.unlink()
    usual = load_settings(None, {"host": "127.0.0.1"})
    with open_household(usual, folder, given(choose_port("127.0.0.1", 0))) as served:
        match = served.table.snapshot()["match"]
        assert (match["ruleset"], match["rules_name"]) == ("sunday", "Sunday")
        assert match["handfuls"]
        parcel = BytesIO()
        served.services.archive.export_zip(match["id"], parcel)
        again = served.services.archive.import_zip(parcel)
        served.table.command("open_match", {"id": again})
        told = served.table.snapshot()["match"]
        assert (told["id"], told["rules_name"]) == (again, "Sunday")
        game = served.table._game.match
        assert game is not None
        assert (game.rules.opening_threshold, game.rules.tile_values[0]) == (50, 2)
        with pytest.raises(CommandError, match="no ruleset 'sunday'"):
            served.table.command("new_match", {"players": ["Ann", "Bob"], "ruleset": "sunday"})
