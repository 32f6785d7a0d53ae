from __future__ import annotations

import socket
import sys
import webbrowser
from dataclasses import replace
from io import BytesIO, TextIOWrapper
from threading import Event, Timer
from typing import TYPE_CHECKING, Any

import pytest

from web.settings import load_settings
from web.site import network
from web.site.announce import announcement, dashboard, open_browser
from web.site.network import Addresses, hosts_of
from web.site.roles import Role

if TYPE_CHECKING:
    from tests.web.site.conftest import Site


def token_of(text: str, start: str) -> str:
    return text.partition(start)[2].split()[0]


def test_the_terminal_tells_where_everybody_goes(site: Site) -> None:
    told = announcement(site.services, Role.SPECTATOR)
    dashboard = token_of(told, "http://localhost:8765/enter?token=")
    assert site.client().get(f"/enter?token={dashboard}").location == "/"
    others = [part.split()[0] for part in told.split("http://10.0.0.4:8765")[1:]]
    assert [site.client().get(path).location for path in others] == ["/phone", "/watch"]
    assert "https://10.0.0.4:8443/phone" in told
    assert "Scan for the spectator page" in told
    assert "█" in told or "▀" in told


def test_a_code_that_the_terminal_cannot_show_is_left_to_the_dashboard(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    wide = TextIOWrapper(BytesIO(), encoding="utf-8")
    monkeypatch.setattr(wide, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "40")
    for out, told in (
        (TextIOWrapper(BytesIO(), encoding="cp1252"), "under Devices"),
        (wide, "under Devices"),
        (TextIOWrapper(BytesIO(), encoding="utf-8"), "Scan for the camera page"),
    ):
        monkeypatch.setattr(sys, "stdout", out)
        text = announcement(site.services, Role.CAMERA)
        assert told in text
        assert ("█" in text) == ("Scan" in text)


def test_a_demo_names_no_command_that_would_print_links_to_another_table(site: Site) -> None:
    demo = replace(site.services, demo=True)
    assert "meldwatch link" in announcement(replace(demo, demo=False), Role.SPECTATOR)
    assert "meldwatch link" not in announcement(demo, Role.SPECTATOR)


def test_more_addresses_and_none_are_told(site: Site) -> None:
    two = replace(site.services.hosts, addresses=lambda: ("10.0.0.4", "10.1.0.4"))
    told = announcement(replace(site.services, hosts=two), Role.CAMERA)
    assert "also at 10.1.0.4." in told
    none = replace(site.services.hosts, addresses=lambda: ())
    assert "in no network" in announcement(replace(site.services, hosts=none), Role.CAMERA)


def test_a_browser_is_opened_only_where_there_is_a_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []

    def open_it(address: str) -> bool:
        opened.append(address)
        return True

    monkeypatch.setattr(webbrowser, "open", open_it)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert not open_browser("http://localhost/")
    monkeypatch.setenv("DISPLAY", ":0")
    assert open_browser("http://localhost/")
    assert opened == ["http://localhost/"]


def test_this_machine_knows_its_names() -> None:
    hosts = hosts_of(load_settings(None, {"hosts": ("Table.lan",), "port": 81}))
    assert {"localhost", "table.lan"} <= hosts.names
    assert hosts.http_port == 81
    assert not any(at.startswith("127.") for at in Addresses()())


@pytest.mark.parametrize(
    ("host", "here", "elsewhere"),
    [
        ("[FD00::7]", "http://[fd00::7]:81", ("fd00::7",)),
        ("::1", "http://[::1]:81", ()),
        ("localhost", "http://localhost:81", ()),
        ("192.168.1.4", "http://192.168.1.4:81", ("192.168.1.4",)),
        ("::", "http://localhost:81", None),
    ],
)
def test_links_lead_to_where_it_listens(
    site: Site, host: str, here: str, elsewhere: tuple[str, ...] | None
) -> None:
    hosts = hosts_of(load_settings(None, {"host": host, "port": 81}))
    assert dashboard(replace(site.services, hosts=hosts)).startswith(f"{here}/enter?token=")
    assert elsewhere is None or hosts.addresses() == elsewhere
    assert hosts.known(here.removeprefix("http://"))


def test_addresses_that_mean_nothing_elsewhere_are_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def known(_name: str, _port: None, family: int, kind: int) -> list[tuple[Any, ...]]:
        found = ["::1", "fe80::1%eth0", "2001:db8:0::4"]
        found = found if family == socket.AF_INET6 else ["127.0.1.1", "10.0.0.9"]
        return [(family, kind, 0, "", (at, 0)) for at in found]

    monkeypatch.setattr(socket, "getaddrinfo", known)
    monkeypatch.setattr(socket.socket, "connect", unreachable)
    assert Addresses()() == ("10.0.0.9",)
    assert Addresses(ipv6=True)() == ("10.0.0.9", "2001:db8::4")


def test_a_resolver_that_does_not_answer_holds_nobody_up(monkeypatch: pytest.MonkeyPatch) -> None:
    answers, asked = Event(), []

    def known(name: str, _port: None, family: int, kind: int) -> list[tuple[Any, ...]]:
        asked.append(name)
        answers.wait(60)
        return [(family, kind, 0, "", ("10.0.0.9", 0))]

    monkeypatch.setattr(socket, "getaddrinfo", known)
    monkeypatch.setattr(socket.socket, "connect", unreachable)
    monkeypatch.setattr(network, "_PATIENCE_S", 0.01)
    addresses = Addresses()
    assert [addresses() for _ in range(3)] == [(), (), ()]
    assert len(asked) == 1
    monkeypatch.setattr(network, "_PATIENCE_S", 60)
    later = Addresses()
    Timer(0.01, answers.set).start()
    assert later() == ("10.0.0.9",)


def test_a_name_that_is_none_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "x" * 64)
    assert isinstance(Addresses()(), tuple)


def unreachable(_socket: socket.socket, _address: object) -> None:
    raise OSError("there is no way out")
