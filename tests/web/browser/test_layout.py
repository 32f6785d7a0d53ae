"""All is in sight and has a name, on a desk and on a phone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.web.browser.reading import TOO_WIDE, UNNAMED, overhang_px
from tests.web.browser.test_dashboard import show
from web.site import canned_scenes as scenes
from web.site import canned_states as states

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from tests.web.browser.pages import Page


def test_a_long_name_stays_inside_the_page(organiser: Page) -> None:
    scene = {**scenes._legal(), "match": states.current_match()}
    scene["match"]["phase"] = "drawing"
    scene["match"]["players"][0]["name"] = "Wolfeschlegelsteinhausenbergerdorff" * 2
    show(organiser, lambda: scene)
    organiser.find("[data-action=start_round]")
    organiser.run("document.querySelector('[data-action=start_round]').click()")
    organiser.find("#dialog .choices button")
    assert organiser.run(TOO_WIDE) == []


def test_a_long_name_stays_in_the_chart_and_beside_its_handfuls(organiser: Page) -> None:
    long = "Wolfeschlegelsteinhausenbergerdorffabcde"
    match = {**states.current_match(), "phase": "drawing", "handfuls": True}
    match["players"][0]["name"] = long
    match["rounds"] = [{"winner": long, "scores": {long: 35, "Bob": -10, "Chidi": -25}}]
    organiser.preview.table.show({**scenes._legal(), "match": match})
    organiser.says(long, "#players .chart")
    organiser.run("document.querySelector('#players').style.width = '260px'")  # a small phone's
    assert organiser.run(
        "const { scrollWidth, clientWidth } = document.querySelector('#players');"
        "return scrollWidth <= clientWidth"
    )
    organiser.tap("[data-action=start_round]")
    organiser.says(long, "#dialog .row")
    organiser.run("document.querySelector('#dialog').style.width = '280px'")
    assert organiser.run("return dialog.scrollWidth <= dialog.clientWidth")
    assert organiser.run(TOO_WIDE) == []


def test_what_is_scrolled_to_stays_in_sight_while_the_page_is_drawn_anew(
    organiser: Page,
) -> None:
    scene = {**scenes._legal(), **states.table("R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13")}
    organiser.preview.table.show(scene)
    organiser.find("[data-tile='13']")
    organiser.run(
        "document.querySelector('#table').style.width = '260px';"
        "document.styleSheets[0].insertRule('.events { max-height: 60px !important; }');"
        "document.querySelector('.lines').scrollLeft = 150;"
        "document.querySelector('.events').scrollTop = 70"
    )
    scene["tiles"][0]["status"] = "covered"
    told = [{**line, "story": f"{line['story']} Again."} for line in states.history()]
    organiser.preview.table.show({**scene, "history": told})
    organiser.says("Again.", "#history")
    organiser.find(".tile.covered")
    assert organiser.run("return document.querySelector('.lines').scrollLeft") == 150
    assert organiser.run("return document.querySelector('.events').scrollTop") == 70


def test_crossing_sets_stand_on_a_grid(organiser: Page) -> None:
    show(organiser, scenes._grid)
    organiser.find(".set .cells:nth-child(2)")
    rows = organiser.run(
        "return [...document.querySelectorAll('.set')].map("
        "(set) => [...set.querySelectorAll('.cells')].map((row) => row.children.length))"
    )
    assert any(len(grid) > 1 and len(set(grid)) == 1 for grid in rows)


def test_signs_stay_in_their_circles_on_a_television(spectator: Page) -> None:
    spectator.find(".says-it .icon")
    spectator.run("document.documentElement.style.fontSize = '34px'")
    room = "const {width, height} = document.querySelector('.says-it .icon')"
    sizes = "getBoundingClientRect(); return [width, height]"
    line = "return parseFloat(getComputedStyle(document.querySelector('.says-it .icon')).fontSize)"
    assert min(spectator.run(f"{room}.{sizes}")) > 1.2 * spectator.run(line)


@pytest.mark.parametrize("scene", scenes.SCENES, ids=lambda scene: scene.__name__)
def test_nothing_is_wider_than_the_screen_and_all_has_names(
    organiser: Page, scene: Callable[[], dict[str, Any]]
) -> None:
    show(organiser, scene)
    number = organiser.preview.table.snapshot()["number"]
    organiser.find(f"body[data-number='{number}'] #verdict h1")
    assert overhang_px(organiser) == 0
    assert organiser.run(UNNAMED) == []


def test_events_can_be_changed_beside_a_scrollbar_that_lies_over_them(organiser: Page) -> None:
    """As in Safari, where it covers up to 20 pixels: less than half of the button."""
    assert organiser.find("[data-key^=edit-]").size == {"width": 44, "height": 44}


def test_texts_keep_their_sizes_on_an_iphone_on_its_side(organiser: Page) -> None:
    assert organiser.run("return getComputedStyle(document.body).textSizeAdjust") == "100%"


@pytest.mark.parametrize("path", ["/matches", "/matches/1", "/phone", "/phone/setup", "/teach"])
def test_the_other_pages_fit_too(organiser: Page, path: str) -> None:
    organiser.chrome.get(organiser.preview.url + path)
    organiser.find("h1")
    assert overhang_px(organiser) == 0
    assert organiser.run(UNNAMED) == []
