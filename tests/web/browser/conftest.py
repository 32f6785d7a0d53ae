"""The pages over a canned table, in a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.web.browser.chromium import NONE_FOUND, browser, programs
from tests.web.browser.pages import Page
from web.site.preview import open_preview

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selenium.webdriver import Chrome

    from web.site.preview import Preview

SIZES = {"desktop": (1280, 900), "phone": (360, 780)}


@pytest.fixture(scope="session", params=list(SIZES))
def chrome(request: pytest.FixtureRequest) -> Iterator[Chrome]:
    if programs() is None:
        pytest.skip(NONE_FOUND)
    with browser(*SIZES[request.param]) as driver:
        yield driver


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
