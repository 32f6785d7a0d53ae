"""The pages in a browser, over a canned table or a real one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.web.browser.chromium import NONE_FOUND, browser, programs
from tests.web.browser.pages import Page
from web.site.preview import open_preview
from web.store import open_store

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selenium.webdriver import Chrome

    from web.site.preview import Preview
    from web.store import Store

SIZES = {"desktop": (1280, 900), "phone": (360, 780)}
on_a_phone = pytest.mark.parametrize("chrome", ["phone"], indirect=True)
"""For what pages do at any size: it is tried where there is least room."""


@pytest.fixture(scope="session", params=list(SIZES))
def chrome(request: pytest.FixtureRequest) -> Iterator[Chrome]:
    if programs() is None:
        pytest.skip(NONE_FOUND)
    with browser(*SIZES[request.param]) as driver:
        yield driver


@pytest.fixture
def store() -> Iterator[Store]:
    with open_store("sqlite://") as opened:
        yield opened


@pytest.fixture
def preview() -> Iterator[Preview]:
    with open_preview() as served:
        yield served


@pytest.fixture
def organiser(chrome: Chrome, preview: Preview) -> Iterator[Page]:
    yield from _open(chrome, preview, "organiser")


@pytest.fixture
def spectator(chrome: Chrome, preview: Preview) -> Iterator[Page]:
    yield from _open(chrome, preview, "spectator")


@pytest.fixture
def camera(chrome: Chrome, preview: Preview) -> Iterator[Page]:
    yield from _open(chrome, preview, "camera")


def _open(chrome: Chrome, preview: Preview, role: str) -> Iterator[Page]:
    chrome.delete_all_cookies()
    page = Page(chrome, preview)
    page.logged()
    chrome.get(preview.link(role))
    yield page
    errors = [line["message"] for line in page.logged() if line["level"] == "SEVERE"]
    chrome.get("about:blank")
    assert errors == []
