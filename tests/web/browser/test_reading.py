"""The pages for those who hear them, who use keys only, or who see little."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from selenium.webdriver.common.keys import Keys

from tests.web.browser.reading import look_in, missed_by_keys, type_key, unread
from web.site import canned_scenes as scenes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.web.browser.pages import Page

DIALOGS = {
    "[data-action=new_match]": scenes._before,
    "[data-tile='1']": scenes._unsure,
    "[data-tile='4']": scenes._before,
    "[data-key=add]": scenes._legal,
    "#devices": scenes._legal,
    "[data-action=report]": scenes._legal,
    "[data-action=adjust]": scenes._legal,
    "[data-action=end_round]": scenes._scoring,
    "[data-key^=edit]": scenes._legal,
}
UNFOLD = "document.querySelectorAll('details').forEach((one) => { one.open = true; })"
FOCUSED = "return document.activeElement?.dataset.key ?? document.activeElement?.tagName"


def shown(page: Page, scene: Callable[[], dict[str, Any]], **more: object) -> None:
    page.preview.table.show({**scene(), **more})
    page.find(f"body[data-number='{page.preview.table.snapshot()['number']}']")
    page.run(UNFOLD)


@pytest.fixture
def desk(organiser: Page) -> Iterator[Page]:
    yield organiser
    organiser.chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


@pytest.fixture
def watched(spectator: Page) -> Iterator[Page]:
    yield spectator
    spectator.chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def covered() -> dict[str, Any]:
    scene = scenes._legal()
    for tile in scene["tiles"]:
        tile["status"] = "covered"
    return {**scene, "phase": "hand", "advice": scenes._advised()["advice"]}


def wrongs(page: Page) -> list[str]:
    look_in(page, "light")
    found = []
    for scene in (*scenes.SCENES, covered):
        shown(page, scene)
        found += [f"{scene.__name__} {one}" for one in unread(page)]
    page.run("document.body.classList.add('stale')")
    return found + [f"stale {one}" for one in unread(page)]


def test_everything_has_a_name_and_stands_out(desk: Page) -> None:
    assert wrongs(desk) == []


def test_spectators_can_read_everything(watched: Page) -> None:
    assert wrongs(watched) == []


def test_dialogs_can_be_read(desk: Page) -> None:
    look_in(desk, "light")
    found = []
    for opener, scene in DIALOGS.items():
        shown(desk, scene)
        desk.tap(opener)
        desk.find("dialog[open] h2")
        desk.run(UNFOLD)
        found += [f"{opener} {one}" for one in unread(desk)]
        type_key(desk, Keys.ESCAPE)
        desk.wait(lambda: not desk.has("dialog[open]"))
    assert found == []


@pytest.mark.parametrize("path", ["/matches", "/matches/1", "/phone/setup", "/teach", "/nowhere"])
def test_other_pages_can_be_read(desk: Page, path: str) -> None:
    desk.chrome.get(f"{desk.preview.url}{path}")
    desk.find("main h1, main h2")
    assert unread(desk) == []
    desk.logged()  # the browser logs a page that is not there


def test_keys_come_to_every_control(desk: Page) -> None:
    shown(desk, scenes._illegal)
    assert missed_by_keys(desk) == []


def test_keys_come_to_everything_in_a_dialog_and_stay_there(desk: Page) -> None:
    shown(desk, scenes._before)
    desk.tap("[data-action=new_match]")
    desk.find("dialog[open] form")
    desk.run(UNFOLD)
    assert missed_by_keys(desk) == []
    for _ in range(30):
        type_key(desk, Keys.TAB)
        assert desk.run(
            "return document.activeElement === document.body"
            " || document.activeElement.closest('dialog') !== null"
        )


@pytest.mark.parametrize("opener", list(DIALOGS))
def test_escape_closes_a_dialog_and_the_focus_goes_back(desk: Page, opener: str) -> None:
    scene = DIALOGS[opener]
    shown(desk, scene)
    before = desk.run(
        "const found = [...document.querySelectorAll(arguments[0])];"
        "const one = found.find((other) => other.checkVisibility());"
        "one.focus(); return one.dataset.key ?? one.tagName",
        opener,
    )
    type_key(desk, Keys.ENTER)
    desk.find("dialog[open] h2")
    assert desk.run("return document.activeElement.closest('dialog') !== null")
    # What is behind the dialog is drawn anew meanwhile; a round's dialog closes with its match.
    tiles = [{**tile, "status": "covered"} for tile in scene()["tiles"]]
    match = scene()["match"] if "end_round" in opener else None
    shown(desk, scene, tiles=tiles, history=[], match=match)
    shown(desk, scene)
    type_key(desk, Keys.ESCAPE)
    desk.wait(lambda: not desk.has("dialog[open]"))
    desk.wait(lambda: desk.run(FOCUSED) == before, f"the focus does not go back to {before}")


HEAR = """
window.heard = [];
for (const one of document.querySelectorAll('[aria-live], [role=status], #banners'))
  new MutationObserver((all) => {
    const come = all.flatMap(({ addedNodes }) => [...addedNodes]).map((node) => node.textContent);
    window.heard.push(...come.filter(Boolean));
  }).observe(one, { childList: true, subtree: true });
"""


def test_a_wait_is_said_once_and_so_is_what_it_is_for(desk: Page) -> None:
    shown(desk, scenes._legal)
    desk.run(HEAR)
    for phase, message in (
        ("moving", ""),
        ("hand", ""),
        ("moving", ""),
        ("moving", "Reading ..."),
    ):
        tiles = [{**tile, "id": tile["id"] + 100} for tile in scenes._legal()["tiles"]]
        shown(desk, scenes._legal, phase=phase, message=message, tiles=tiles)
    shown(desk, scenes._played)
    wait, reading, verdict = desk.run("return window.heard")
    assert wait == "…I wait until the table is still."
    assert reading == "Reading ..."
    assert "A legal turn by Bob: 36 points." in verdict


def test_the_page_stays_where_it_is_while_the_table_is_read(desk: Page) -> None:
    shown(desk, scenes._hand, message="")
    top = "return document.querySelector('#verdict').getBoundingClientRect().top + scrollY"
    before = desk.run(top)
    shown(desk, scenes._hand, message="Reading ...")
    desk.says("Reading ...")
    assert desk.run(top) == before


def test_the_focus_stays_near_where_its_button_is_gone(desk: Page) -> None:
    shown(desk, scenes._legal)
    desk.run("document.querySelector('[data-action=drew]').focus()")
    shown(desk, scenes._over)
    assert desk.run("return document.activeElement.id") == "actions"


def test_a_tile_that_was_not_seen_is_added_by_keys(desk: Page) -> None:
    shown(desk, scenes._legal)
    tile = desk.preview.table.snapshot()["tiles"][-1]
    desk.run("document.querySelector('[data-key=add]').focus()")
    type_key(desk, Keys.ENTER)
    desk.find("#beside")
    desk.run("document.querySelector('#beside').focus()")
    type_key(desk, Keys.END)
    desk.run("document.querySelector('#dialog [data-face=K13]').focus()")
    type_key(desk, Keys.ENTER)
    asked = desk.asked("add_tile")
    width = tile["quad"][1][0] - tile["quad"][0][0]
    assert asked["tile"] == "K13"
    assert asked["quad"] == [[x + width, y] for x, y in tile["quad"]]
