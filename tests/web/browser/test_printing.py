"""The result page on paper."""

from __future__ import annotations

from typing import TYPE_CHECKING

from selenium.webdriver.common.by import By

from tests.web.browser.reading import faint

if TYPE_CHECKING:
    from tests.web.browser.pages import Page


def test_what_is_printed_can_be_read_from_a_dark_page_too(organiser: Page) -> None:
    chrome = organiser.chrome
    chrome.get(f"{organiser.preview.url}/matches/1")
    organiser.find("#print")
    dark = [{"name": "prefers-color-scheme", "value": "dark"}]
    try:
        chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print", "features": dark})
        ground = organiser.run("return getComputedStyle(document.body).backgroundColor")
        assert ground == "rgb(255, 255, 255)"
        assert faint(organiser) == []
        assert not chrome.find_element(By.ID, "print").is_displayed()
    finally:
        chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})
