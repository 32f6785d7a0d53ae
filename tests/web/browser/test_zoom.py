"""The pages at twice their size, half as wide, and in large text on a phone: all still there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.web.browser.chromium import NONE_FOUND, browser, programs
from tests.web.browser.pages import Page
from web.site import canned_scenes as scenes
from web.site.preview import open_preview

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selenium.webdriver import Chrome

    from web.site.preview import Preview

USUAL_PX, LARGE_PX = 16, 24
SIZES = {
    "desk": (640, 450, USUAL_PX),
    "phone": (195, 422, USUAL_PX),
    "large text": (390, 844, LARGE_PX),
}
OUTSIDE = """
const wide = arguments[0];
return [...document.querySelectorAll("body *")]
  .filter((one) => !one.ownerSVGElement)  // a drawing shows nothing beyond its own frame
  .filter((one) => one.checkVisibility() && !one.closest(".scroll, .lines, .faces, .order"))
  .filter((one) => one.getBoundingClientRect().right > wide + 1)
  .map((one) => one.outerHTML.slice(0, 90))
"""
CLOSES = """
const dialog = document.getElementById("dialog");
const button = dialog.querySelector(".dialog-head button");
dialog.scrollTo(0, dialog.scrollHeight);
const { left, top, width, height } = button.getBoundingClientRect();
return document.elementFromPoint(left + width / 2, top + height / 2)?.closest("button") === button;
"""
OPENERS = ("[data-tile]", "[data-action=new_match]", "[data-action=adjust]", "[data-key^=edit-]")


@pytest.fixture(scope="module", params=list(SIZES))
def zoomed(request: pytest.FixtureRequest) -> Iterator[tuple[Chrome, int]]:
    if programs() is None:
        pytest.skip(NONE_FOUND)
    width, height, font_px = SIZES[request.param]
    with browser(width, height, font_px=font_px) as driver:
        yield driver, width


@pytest.fixture
def preview() -> Iterator[Preview]:
    with open_preview() as served:
        yield served


def opened(zoomed: tuple[Chrome, int], preview: Preview) -> tuple[Page, int]:
    """Enter as the organiser, who sees every page."""
    chrome, width = zoomed
    chrome.get(preview.link("organiser"))
    return Page(chrome, preview), width


def unfold(page: Page, where: str) -> None:
    """Open all that can be folded."""
    page.run(f"document.querySelectorAll('{where}').forEach((one) => {{ one.open = true; }})")


def assert_fits(page: Page, width: int) -> None:
    """Nothing is cut off, and nothing scrolls sideways but what lies in a row of its own."""
    assert page.run(OUTSIDE, width) == []
    # A phone makes its page as wide as what stands out of it.
    assert page.run("return [document.documentElement.scrollWidth, innerWidth]") == [width, width]


def wait_for(page: Page, number: int) -> None:
    """Wait until the page shows a state."""
    page.wait(lambda: page.run("return document.body.dataset.number") == str(number))


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_state_fits_at_twice_its_size(
    zoomed: tuple[Chrome, int], preview: Preview, language: str
) -> None:
    page, width = opened(zoomed, preview)
    page.chrome.get(f"{preview.url}/?lang={language}")
    for scene in scenes.SCENES:
        preview.table.show(scene())
        wait_for(page, preview.table.snapshot()["number"])
        unfold(page, "details")
        assert_fits(page, width)


@pytest.mark.parametrize("opener", OPENERS)
def test_dialogs_fit_at_twice_their_size(
    zoomed: tuple[Chrome, int], preview: Preview, opener: str
) -> None:
    page, width = opened(zoomed, preview)
    page.find("#verdict h1")
    unfold(page, "details")
    page.tap(opener)
    page.find("#dialog h2")
    unfold(page, "dialog details")
    assert_fits(page, width)
    assert page.run(CLOSES) is True


@pytest.mark.parametrize("path", ["/matches", "/matches/1", "/watch", "/phone", "/phone/setup"])
def test_other_pages_fit_at_twice_their_size(
    zoomed: tuple[Chrome, int], preview: Preview, path: str
) -> None:
    page, width = opened(zoomed, preview)
    page.chrome.get(preview.url + path)
    page.find("h1")
    assert_fits(page, width)


GROWS = """
const text = (selector) => parseFloat(getComputedStyle(document.querySelector(selector)).fontSize);
const { width, height } = document.querySelector(".tile").getBoundingClientRect();
return [text("#verdict h1"), text("#table .set .says"), text(".tile .number"), width, height];
"""


def test_text_and_tiles_grow_with_the_text_that_the_browser_is_set_to(preview: Preview) -> None:
    if programs() is None:
        pytest.skip(NONE_FOUND)
    sizes = []
    for font_px in (USUAL_PX, LARGE_PX):
        with browser(1280, 900, font_px=font_px) as chrome:
            chrome.get(preview.link("organiser"))
            page = Page(chrome, preview)
            page.find(".tile")
            sizes.append(page.run(GROWS))
    usual, large = sizes
    assert large == pytest.approx([size * LARGE_PX / USUAL_PX for size in usual], rel=0.01)
