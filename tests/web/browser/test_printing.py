"""The pages on paper."""

from __future__ import annotations

from typing import TYPE_CHECKING

from selenium.webdriver.common.by import By

from tests.web.browser.reading import faint
from web.site import canned_scenes as scenes
from web.site import canned_states as states

if TYPE_CHECKING:
    import pytest

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


def test_no_column_is_cut_off_and_the_sum_stands_below_all_rounds(
    organiser: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = states.current_match()
    names = ["Schwiegermutter", "Urgroßmutter", "Bartholomäus", "Wilhelmina"]
    names += [f"{name}chen" for name in names]
    match["players"] = [{**match["players"][0], "name": name} for name in names]
    match["rounds"] = [{"winner": names[0], "scores": dict.fromkeys(names, -25)}]
    archive = organiser.preview.services.archive
    found = archive.match(1)
    monkeypatch.setattr(archive, "match", lambda _: {**(found or {}), "match": match})
    chrome = organiser.chrome
    chrome.get(f"{organiser.preview.url}/matches/1")
    organiser.find("#print")
    try:
        chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        organiser.run("document.querySelector('.result').style.width = '680px'")  # of A4
        wide, room = organiser.run(
            "const {scrollWidth, clientWidth} = document.querySelector('.scroll');"
            "return [scrollWidth, clientWidth]"
        )
        assert wide <= room
        # What is shown as a foot is printed on every page.
        foot = "return getComputedStyle(document.querySelector('tfoot')).display"
        assert organiser.run(foot) == "table-row-group"
    finally:
        chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def test_nothing_is_printed_that_only_a_screen_can_do(organiser: Page) -> None:
    scene = {**scenes._unsure(), "advice": scenes._advised()["advice"]}
    organiser.preview.table.show(scene)
    organiser.says("I can't tell yet.")
    chrome = organiser.chrome
    try:
        chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        found = chrome.find_elements(
            By.CSS_SELECTOR, "button:not(.tile, .name), a:not(.skip), summary, .tip"
        )
        assert [one.text for one in found if one.is_displayed()] == []
        names = chrome.find_elements(By.CSS_SELECTOR, "#players .name")
        assert {name.value_of_css_property("text-decoration-line") for name in names} == {"none"}
        for selector in ("#verdict", "#table .tile", "#players", "#history"):
            assert chrome.find_element(By.CSS_SELECTOR, selector).is_displayed()
    finally:
        chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
