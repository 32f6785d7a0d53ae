"""Names that are written from right to left."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.web.browser.pages import Tab
from tests.web.browser.test_round_end import Served, served

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selenium.webdriver import Chrome

    from web.store import Store

LEFTWARD = ("משה", "ليلى")
PLACES = """
const [selector, parts] = arguments, found = [];
const line = document.querySelector(selector);
line.style.whiteSpace = "nowrap";
const walk = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
let at = 0;
for (const part of parts) {
  while (walk.currentNode.data === undefined || walk.currentNode.data.indexOf(part, at) < 0) {
    if (!walk.nextNode()) return null;
    at = 0;
  }
  const range = document.createRange(), start = walk.currentNode.data.indexOf(part, at);
  range.setStart(walk.currentNode, start);
  range.setEnd(walk.currentNode, at = start + part.length);
  found.push(range.getBoundingClientRect().left);
}
return found;
"""


@pytest.fixture
def page(chrome: Chrome, store: Store) -> Iterator[tuple[Tab, Served]]:
    with served(store) as table:
        table.live.command("new_match", {"players": list(LEFTWARD)})
        table.live.command("start_round", {"starter": LEFTWARD[0]})
        chrome.delete_all_cookies()
        chrome.get(table.link)
        yield Tab(chrome), table
        chrome.get("about:blank")


def assert_in_order(page: Tab, selector: str, *parts: str) -> None:
    """Whoever reads from left to right meets these in this order, on one line."""
    places = page.wait(lambda: page.run(PLACES, selector, parts), f"{selector} lacks {parts}")
    assert places == sorted(places)


def test_scores_stand_at_the_names_that_they_belong_to(page: tuple[Tab, Served]) -> None:
    tab, table = page
    first, second = LEFTWARD
    tab.tap("#actions details summary")
    tab.tap("#actions [data-action=end_round]")
    tab.find("#dialog .rack:nth-of-type(1) input").send_keys("R1")
    tab.find("#dialog .rack:nth-of-type(2) input").send_keys("R5 K7")
    tab.tap("[data-key=count]")
    tab.says("This would count", "#dialog")
    assert_in_order(tab, "#dialog > div > .note", first, "12", "·", second, "-12")
    tab.tap("[data-key=count]")
    tab.wait(lambda: table.live.snapshot()["match"]["rounds"])
    told = ("won the round", first, "+12", second, "-12")
    assert_in_order(tab, "#history li:nth-child(1)", *told)
    tab.chrome.get(f"{table.url}/matches/1")
    assert_in_order(tab, ".result .events li:last-child", *told)


def test_a_score_is_changed_whatever_way_a_name_is_written(page: tuple[Tab, Served]) -> None:
    tab, table = page
    tab.tap("#actions details summary")
    tab.tap("#actions [data-action=adjust]")
    points = tab.find("#adjust-points")
    points.clear()
    points.send_keys("5")
    tab.tap("#dialog .button.main")
    tab.wait(lambda: table.live.snapshot()["match"]["players"][0]["score"] == 5)
