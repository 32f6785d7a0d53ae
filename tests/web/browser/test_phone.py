"""A phone's camera page over https, with a camera that works and with none."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from selenium.webdriver.support.select import Select

from tests.web.browser.chromium import NONE_FOUND, browser, programs
from tests.web.browser.conftest import SIZES
from tests.web.browser.pages import NEVER_ANSWERED, Tab
from tests.web.browser.reading import missed_by_keys, unread
from web.certificates import ensure_certificate
from web.site.app import create_app
from web.site.canned import CannedTable
from web.site.preview import canned_services
from web.site.roles import Role
from web.site.server import Door, Site
from web.site.tls import TlsAdapter, tls_context

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from selenium.webdriver import Chrome


@dataclass(frozen=True)
class Phone(Tab):
    """The camera page, and the table that it sends to."""

    table: CannedTable
    url: str


@pytest.fixture(scope="module", params=list(SIZES))
def filming(request: pytest.FixtureRequest) -> Iterator[Chrome]:
    if programs() is None:
        pytest.skip(NONE_FOUND)
    with browser(*SIZES[request.param], camera=True) as driver:
        yield driver


@pytest.fixture
def phone(filming: Chrome, tmp_path: Path) -> Iterator[Phone]:
    secure = ensure_certificate(tmp_path, frozenset({"localhost", "127.0.0.1"}))
    context = tls_context(secure.cert_path, secure.key_path)
    tls = TlsAdapter(lambda: context)
    known = canned_services()
    with Site(create_app(known), known.streams, (Door("127.0.0.1", 0, tls),)) as site:
        url = f"https://127.0.0.1:{site.ports[0]}"
        assert isinstance(known.table, CannedTable)
        filming.delete_all_cookies()
        filming.get(f"{url}/enter?token={known.links.token(Role.CAMERA)}")
        yield Phone(filming, known.table, url)
        filming.get("about:blank")
    filming.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def test_the_working_camera_can_be_read_and_reached(phone: Phone) -> None:
    phone.says("The table is being watched.", "#phone-state")
    phone.wait(lambda: phone.table.frames, "no frame came")
    assert phone.find("#view").get_attribute("aria-label") == "What this phone sends"
    assert unread(phone) == []
    assert missed_by_keys(phone) == []


def test_a_camera_that_does_not_open_can_be_read_and_tried_again(phone: Phone) -> None:
    script = phone.chrome.execute_cdp_cmd(
        "Page.addScriptToEvaluateOnNewDocument",
        {"source": "navigator.mediaDevices.getUserMedia = () => Promise.reject(new Error());"},
    )
    phone.chrome.get(f"{phone.url}/phone")
    phone.chrome.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)
    phone.says("The camera does not open.", "#phone-state")
    assert phone.find("#phone-start").is_displayed()
    assert unread(phone) == []
    assert missed_by_keys(phone) == []


def test_a_camera_that_was_taken_away_sends_nothing_and_says_so(phone: Phone) -> None:
    """As when another program opened it while the page was hidden."""
    phone.says("The table is being watched.", "#phone-state")
    phone.run(
        "const found = navigator.mediaDevices, open = found.getUserMedia.bind(found);"
        "found.getUserMedia = () => Promise.reject(new DOMException('busy', 'NotReadableError'));"
        "document.dispatchEvent(new Event('visibilitychange'));"
        "window.free = () => { found.getUserMedia = open; };"
    )
    phone.says("The camera does not open.", "#phone-state")
    phone.wait(lambda: phone.find("#phone-start").is_displayed())
    sent = len(phone.table.frames)
    time.sleep(3.5)  # as long as it takes until pictures are missed
    assert len(phone.table.frames) <= sent + 1  # one was on its way
    phone.says("The camera does not open.", "#phone-state")
    phone.run("window.free()")
    phone.tap("#phone-start")
    phone.says("The table is being watched.", "#phone-state")
    phone.wait(lambda: len(phone.table.frames) > sent + 1, "no frame came")


def test_a_picture_that_is_never_answered_is_given_up_and_the_next_is_sent(phone: Phone) -> None:
    phone.says("The table is being watched.", "#phone-state")
    phone.run(NEVER_ANSWERED)
    phone.says("The server does not answer", "#phone-state")
    phone.run("window.back()")
    sent = len(phone.table.frames)
    phone.wait(lambda: len(phone.table.frames) > sent + 1, "no frame came")


FRONT = """
InputDeviceInfo.prototype.getCapabilities = function () {
  return { facingMode: this.label === "fake_device_1" ? ["user"] : ["environment"] };
};
"""
FILMS = "return document.querySelector('#view').srcObject?.getVideoTracks()[0]?.label"


def test_another_camera_on_the_back_is_chosen_and_remembered(phone: Phone) -> None:
    script = phone.chrome.execute_cdp_cmd(
        "Page.addScriptToEvaluateOnNewDocument", {"source": FRONT}
    )
    try:
        phone.chrome.get(f"{phone.url}/phone")
        choice = Select(phone.find("#phone-camera"))
        assert [one.text for one in choice.options] == ["fake_device_0", "fake_device_2"]
        choice.select_by_visible_text("fake_device_2")
        phone.wait(lambda: phone.run(FILMS) == "fake_device_2", "the other camera does not open")
        sent = len(phone.table.frames)
        phone.wait(lambda: len(phone.table.frames) > sent + 1, "no frame came")
        phone.chrome.refresh()
        phone.wait(lambda: phone.run(FILMS) == "fake_device_2", "the choice is forgotten")
        chosen = Select(phone.find("#phone-camera")).first_selected_option
        assert chosen.text == "fake_device_2"
    finally:
        phone.chrome.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)
        phone.run("localStorage.clear()")


def test_a_chosen_camera_that_is_gone_is_replaced_by_another(phone: Phone) -> None:
    phone.run("localStorage.setItem('meldwatch.camera', 'gone')")
    phone.chrome.refresh()
    phone.wait(lambda: phone.run(FILMS) == "fake_device_0", "no camera opens")
    phone.says("The table is being watched.", "#phone-state")
    phone.run("localStorage.clear()")
