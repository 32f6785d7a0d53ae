"""A set is taught on the page, from the way there to the choice of another one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.web.browser.conftest import on_a_phone
from tests.web.browser.pages import NEVER_ANSWERED
from tests.web.browser.reading import UNNAMED, overhang_px
from tests.web.site.conftest import picture
from web.site import canned_scenes as scenes
from web.site.canned_lessons import REFUSED

if TYPE_CHECKING:
    from pathlib import Path

    from tests.web.browser.pages import Page


@pytest.fixture
def lesson(organiser: Page) -> Page:
    """The page, with a picture of the table that was looked over."""
    organiser.preview.table.show(scenes._before())
    organiser.tap("[data-action=teach]")
    organiser.says("This table is read without a taught set.", "#sets")
    organiser.wait(lambda: organiser.find("#from-camera").is_enabled())
    organiser.tap("#from-camera")
    organiser.find(".crops canvas")
    return organiser


def name(page: Page, words: str) -> None:
    box = page.find("#name")
    box.clear()
    box.send_keys(words)
    page.tap("#start")


@on_a_phone
def test_a_set_is_looked_through_taught_and_used(lesson: Page) -> None:
    lesson.says("Photo 1: 52 tiles, 2 of them unsure so far", "#photos")
    lesson.says("Not found in any photo: Black 13.", "#photos")
    lesson.says("Red 6 → Red 9", "#photos")
    lesson.tap("[data-face=B4]")
    assert lesson.find("[data-face=B4]").get_attribute("aria-pressed") == "true"
    name(lesson, "mine")
    lesson.find("#said progress")
    lesson.says("mine was taught from 51 tiles", "#said")
    lesson.says("This table is read with mine.", "#sets")
    assert not lesson.find("#from-camera").get_attribute("disabled")
    assert not lesson.has("#photos:not([hidden])")
    lesson.tap("[data-set='']")
    lesson.says("read without a taught set from now on", "#said")
    assert lesson.find("[data-set='']").get_attribute("aria-pressed") == "true"


@on_a_phone
def test_a_name_that_is_taken_has_to_be_given_free(lesson: Page) -> None:
    name(lesson, "Grandma")
    lesson.says("There is a set called grandma already.", "#wrong")
    lesson.says("Replace the set called grandma", "#replace-row")
    lesson.tap("#replace")
    lesson.tap("#start")
    lesson.says("grandma was taught from 52 tiles", "#said")
    errors = [line["message"] for line in lesson.logged() if line["level"] == "SEVERE"]
    assert [error for error in errors if "409" not in error] == []


@on_a_phone
def test_what_goes_wrong_is_said_and_the_photo_is_still_there(lesson: Page) -> None:
    name(lesson, REFUSED)
    lesson.says("The disk is full, so this could not be kept.", "#said")
    lesson.says("This table is read without a taught set.", "#sets")
    lesson.find(".crops canvas")


@on_a_phone
def test_a_photo_that_shows_no_set_says_so_and_can_be_removed(
    lesson: Page, tmp_path: Path
) -> None:
    photo = tmp_path / "dark.jpg"
    photo.write_bytes(picture())
    lesson.chrome.find_element("css selector", "#photo").send_keys(str(photo))
    lesson.says("I see no tiles in this photo", "[data-photo='2']")
    lesson.tap("[data-key=remove-2]")
    lesson.wait(lambda: not lesson.has("[data-photo='2']"))


@on_a_phone
def test_what_is_never_answered_is_given_up(lesson: Page) -> None:
    lesson.run(NEVER_ANSWERED)
    lesson.run("document.getElementById('from-camera').click()")
    lesson.says("The server does not answer.", ".toast")
    lesson.run("window.back()")
    lesson.wait(lambda: lesson.find("#from-camera").is_enabled())


def test_the_page_fits_and_everything_has_a_name(lesson: Page) -> None:
    assert overhang_px(lesson) == 0
    assert lesson.run(UNNAMED) == []
    small = lesson.run(
        "return [...document.querySelectorAll('.one, .button')]"
        ".filter((one) => one.offsetWidth < 40 && one.offsetWidth > 0).length"
    )
    assert small == 0
