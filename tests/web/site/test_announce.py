from __future__ import annotations

import sys
import webbrowser
from dataclasses import replace
from typing import TYPE_CHECKING

from web.settings import load_settings
from web.site.announce import announcement, open_browser
from web.site.network import addresses, hosts_of
from web.site.roles import Role

if TYPE_CHECKING:
    import pytest

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
    assert not any(at.startswith("127.") for at in addresses())
