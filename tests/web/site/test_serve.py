from __future__ import annotations

import http.client
import json
import os
import re
import signal
import ssl
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from tests.fakes import fake_reader
from web.cli import cli
from web.live.archive import Archive
from web.site.data_folder import DataFolder
from web.site.household import choose_port
from web.site.roles import Links, Role
from web.store import open_store

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from click.testing import Result

posix = pytest.mark.skipif(sys.platform == "win32", reason="a console program ends otherwise")
LINK = re.compile(r"http://localhost:(\d+)(/enter\?token=\S+)")


@contextmanager
def serving(*args: str | Path) -> Iterator[tuple[int, str]]:
    """Run `meldwatch serve`; give its port and an organiser's link, and end it as Ctrl-C does."""
    command = [sys.executable, "-c", "from web.cli import main; main()", "serve", *map(str, args)]
    quiet = [*command, "--port", "0", "--no-browser"]
    env = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    with subprocess.Popen(quiet, stdout=subprocess.PIPE, encoding="utf-8", env=env) as process:  # noqa: S603 - our own program
        assert process.stdout is not None
        try:
            found = next(filter(None, map(LINK.search, process.stdout)))
            yield int(found[1]), found[2]
        finally:
            process.send_signal(signal.SIGINT)
            ended = process.stdout.read()
            assert process.wait(60) == 0, ended
    kept = "what a demo recorded is not" if "--demo" in args else "everything that was recorded is"
    assert f"Ended; {kept} kept." in ended


def follow(port: int, path: str) -> Iterator[dict[str, Any]]:
    """Enter by a link, and yield the snapshots that the dashboard gets."""
    connection = http.client.HTTPConnection("localhost", port, timeout=120)
    connection.request("GET", path)
    entered = connection.getresponse()
    entered.read()
    assert (entered.status, entered.headers["Location"]) == (302, "/")
    cookie = str(entered.headers["Set-Cookie"]).partition(";")[0]
    connection.request("GET", "/events", headers={"Cookie": cookie})
    stream = connection.getresponse()
    try:
        for line in stream:
            if line.startswith(b"data: "):
                yield json.loads(line.removeprefix(b"data: "))
    finally:
        stream.close()
        connection.close()


@posix
def test_the_demo_shows_a_verdict_and_ends_the_turn_by_itself() -> None:
    verdicts = []
    with serving("--demo", "--game", "keadle") as (port, path):
        snapshots = follow(port, path)
        for snapshot in snapshots:
            if snapshot["proposal"] is not None:
                verdicts.append(snapshot["proposal"]["legal"])
            if any(told["event"] == "Played" for told in snapshot["history"]):
                break
        snapshots.close()  # type: ignore[attr-defined]
    assert verdicts[-1] is True


@posix
def test_the_table_is_served_and_its_links_are_kept(tmp_path: Path) -> None:
    with serving("--data", tmp_path, "--https-port", "0") as (port, path):
        snapshots = follow(port, path)
        first = next(snapshots)
        assert (first["phase"], first["match"], first["cameras"]) == ("lost", None, [])
        snapshots.close()  # type: ignore[attr-defined]
        printed = run("link", "spectator", "--data", tmp_path)
        assert f":{port}/enter?token=" in printed.stdout
        second = run("serve", "--data", tmp_path, "--port", "0")
        assert "a table is served from" in second.stderr
    secure = str(choose_port("0.0.0.0", 0))  # noqa: S104 - as the program listens
    with serving("--data", tmp_path, "--https-port", secure) as (port, _):
        trust = ssl.create_default_context(cafile=str(tmp_path / "tls" / "ca.pem"))
        safe = http.client.HTTPSConnection("localhost", int(secure), timeout=60, context=trust)
        safe.request("GET", "/healthz")
        assert safe.getresponse().status == 200
        safe.close()
        connection = http.client.HTTPConnection("localhost", port, timeout=60)
        connection.request("GET", path)
        assert connection.getresponse().status == 410
        connection.close()
    assert (tmp_path / "secret.key").exists()
    assert (tmp_path / "matches.sqlite").exists()


@posix
def test_without_a_certificate_the_table_is_served_over_http(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "tls").write_text("in the way")
    secure = choose_port("0.0.0.0", 0)  # noqa: S104 - as the program listens
    with serving("--data", tmp_path, "--https-port", str(secure)) as (port, _):
        connection = http.client.HTTPConnection("localhost", port, timeout=60)
        connection.request("GET", "/healthz")
        assert connection.getresponse().status == 200
        connection.close()
    assert "photos only, no live picture: cannot keep certificates" in capfd.readouterr().err


def run(*args: str | Path) -> Result:
    return CliRunner().invoke(cli, [str(arg) for arg in args], obj=lambda _dir: fake_reader(""))


def test_a_fresh_link_lets_in_where_the_table_is_served(tmp_path: Path) -> None:
    printed = run("link", "organiser", "--data", tmp_path, "--port", "1234")
    assert printed.exit_code == 0, printed.output
    assert ":1234/enter?token=" in printed.stdout
    folder = DataFolder.open(tmp_path)
    with open_store(folder.store) as store:
        links = Links(folder.secret(), Archive(store))
        role, _ = links.enter(printed.stdout.strip().partition("=")[2])
    assert role is Role.ORGANISER


def test_a_link_to_a_table_that_is_not_served_is_told_to_be_one(tmp_path: Path) -> None:
    for _ in ("never", "not any more"):
        early = run("link", "organiser", "--data", tmp_path)
        assert f"no table is served from {tmp_path} now" in early.stderr
        assert early.stdout.startswith("http")
        with DataFolder(tmp_path).claimed():
            assert run("link", "organiser", "--data", tmp_path).stderr == ""


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("--demo", "--game", "chess"), "there is no game 'chess'; there are bump,"),
        (("--game", "keadle"), "--game, --loop and --once play a recorded game: add --demo"),
        (("--demo", "--camera", "0"), "leave it out to use --camera"),
        (("--demo", "--https-port", "8444"), "leave it out to use --https-port"),
        (("--demo", "--set", "grandma"), "leave it out to use --set"),
        (("--demo", "--store", "sqlite:///real.sqlite"), "leave it out to use --store"),
        (("--camera", __file__), "is no video: give a number, a video file, a folder"),
        (("--language", "xx"), 'pages.language: expected one of de, en, got "xx"'),
        (("--port", "99999"), "pages.port: expected at most 65535, got 99999"),
        (("--settings", "none.toml"), "none.toml: No such file"),
        (("--data", __file__), "choose another with --data"),
        (("--host", "192.0.2.77"), "give an address of this machine with --host"),
        (("--host", "nobody.invalid"), "give an address of this machine with --host"),
        (("--ruleset", "kedle"), "no ruleset 'kedle'; did you mean 'keadle'?"),
    ],
)
def test_what_cannot_be_served_is_told_in_one_line(
    tmp_path: Path, args: tuple[str, ...], words: str
) -> None:
    given = args if "--data" in args else (*args, "--data", str(tmp_path / "data"))
    refused = run("serve", *given)
    assert refused.exit_code == 1
    assert words in refused.output
    assert len(refused.output.splitlines()) == 1
