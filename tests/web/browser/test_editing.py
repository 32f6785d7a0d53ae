"""Past turns and rounds put right on the page: all totals follow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from tests.web.browser.conftest import on_a_phone
from tests.web.browser.pages import Tab
from tests.web.browser.test_round_end import Served, served

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selenium.webdriver import Chrome

    from web.store import Store

pytestmark = on_a_phone

FIRST = {"Ann": "R1 R2 K3", "Bob": "R2 B9 K10"}
SECOND = {"Ann": "K5", "Bob": "K9"}


@dataclass(frozen=True, slots=True)
class Desk(Tab):
    """The dashboard over a match of two rounds and a third one under way."""

    table: Served

    def match(self) -> dict[str, Any]:
        """Return the match as it stands."""
        found: dict[str, Any] = self.table.live.snapshot()["match"]
        return found

    def scores(self) -> dict[str, int]:
        """Return the totals."""
        return {player["name"]: player["score"] for player in self.match()["players"]}

    def open(self, event: str, which: int = 0) -> None:
        """Open the dialog of a past event."""
        lines = [one for one in self.table.live.snapshot()["history"] if one["event"] == event]
        self.tap(f"[data-key=edit-{lines[which]['seq']}]")
        self.find("dialog[open] h2")

    def write(self, selector: str, text: str) -> None:
        """Write something in the place of what is there."""
        box = self.find(selector)
        box.clear()
        box.send_keys(text)

    def shows(self, row: int, *values: object) -> None:
        """Wait until a player's line of the scores shows these."""
        for value in values:
            self.says(str(value), f"table.scores tbody tr:nth-of-type({row})")


@pytest.fixture
def desk(chrome: Chrome, store: Store) -> Iterator[Desk]:
    with served(store) as table:
        do = table.live.command
        do("new_match", {"players": ["Ann", "Bob"]})
        for racks in (FIRST, SECOND):
            do("start_round", {"starter": "Ann"})
            do("drew", {})
            do("end_round", {"racks": racks})
        do("start_round", {"starter": "Bob"})
        do("drew", {})
        chrome.delete_all_cookies()
        desk = Desk(chrome, table)
        desk.logged()
        chrome.get(table.link)
        desk.shows(1, 30)
        yield desk
        errors = [line["message"] for line in desk.logged() if line["level"] == "SEVERE"]
        chrome.get("about:blank")
    assert [one for one in errors if "409" not in one] == []


def test_totals_follow_a_past_round(desk: Desk) -> None:
    assert desk.scores() == {"Ann": 30, "Bob": -30}
    desk.open("RoundEnded")
    desk.says("All totals are worked out anew.", "#dialog")
    desk.write("#dialog .dialog-body label:nth-of-type(1) input", "r13, k12;")
    desk.tap("[data-key=save-round]")
    desk.wait(lambda: not desk.has("dialog[open]"), "the dialog stays")
    assert [one["scores"] for one in desk.match()["rounds"]] == [
        {"Ann": -25, "Bob": 25},
        {"Ann": 9, "Bob": -9},
    ]
    assert desk.scores() == {"Ann": -16, "Bob": 16}
    desk.shows(1, -16)
    desk.shows(2, 16)
    desk.tap("[data-action=undo]")
    desk.shows(1, 30)
    assert desk.scores() == {"Ann": 30, "Bob": -30}


def test_what_cannot_be_stays_open_to_be_put_right(desk: Desk) -> None:
    desk.open("RoundEnded")
    desk.write("#dialog .dialog-body label:nth-of-type(2) input", "R2 B99")
    desk.tap("[data-key=save-round]")
    desk.says("B99 is no tile.", ".toast")
    assert desk.has("dialog[open]")
    assert desk.scores() == {"Ann": 30, "Bob": -30}


def test_a_draw_becomes_a_turn_and_a_draw_again(desk: Desk) -> None:
    desk.shows(2, 15)
    desk.open("Drew", -1)
    desk.write("[data-key=past-table]", "b10 b11 b12\nr5 r6 r7")
    desk.tap("[data-key=save-turn]")
    desk.wait(lambda: not desk.has("dialog[open]"), "the dialog stays")
    desk.shows(2, 8)
    assert desk.match()["table"] == "B10 B11 B12 | R5 R6 R7"
    desk.says("Bob: Laid", "#history")
    desk.open("Played")
    shown = desk.find("[data-key=past-table]").get_attribute("value")
    assert shown == "B10 B11 B12\nR5 R6 R7"
    desk.write("[data-key=past-table]", "B10 B11 B12 B13 | R5 R6 R7")
    desk.tap("[data-key=save-turn]")
    desk.wait(lambda: not desk.has("dialog[open]"), "the dialog stays")
    desk.shows(2, 7)
    desk.open("Played")
    desk.tap("[data-key=was-draw]")
    desk.wait(lambda: not desk.has("dialog[open]"), "the dialog stays")
    desk.shows(2, 15)
    assert desk.match()["table"] == ""


def test_what_happened_long_ago_can_be_changed(desk: Desk) -> None:
    for number in range(100):
        points = 1 if number % 2 else -1
        desk.table.live.command("adjust", {"player": "Ann", "points": points, "reason": ""})
    shown = desk.table.live.snapshot()["history"]
    assert "RoundEnded" not in {line["event"] for line in shown}
    desk.tap("[data-key=earlier]")
    desk.says("Ann, Bob began a match.", "#history")
    assert not desk.has("[data-key=earlier]")
    assert desk.run("return document.querySelectorAll('#history li').length") == 109
    first_round = desk.run(
        "return [...document.querySelectorAll('[data-key^=edit-]')]"
        ".filter((one) => one.ariaLabel.includes('won the round')).at(-1).dataset.key"
    )
    desk.tap(f"[data-key={first_round}]")
    desk.write("#dialog .dialog-body label:nth-of-type(1) input", "R13 K12")
    desk.tap("[data-key=save-round]")
    desk.wait(lambda: not desk.has("dialog[open]"), "the dialog stays")
    assert desk.scores() == {"Ann": -16, "Bob": 16}
    desk.says("Bob won the round", "#history")


def test_who_started_is_put_right(desk: Desk) -> None:
    assert desk.match()["turn"] == "Ann"
    desk.open("Dealt", -1)
    desk.says("Who started?", "#dialog")
    desk.tap("#dialog .choices .button:nth-of-type(1)")
    desk.wait(lambda: desk.match()["turn"] == "Bob", "Ann did not start")
    desk.wait(lambda: not desk.has("dialog[open]"), "the dialog stays")


def test_a_round_that_was_not_over_goes_on(desk: Desk) -> None:
    changes = {"deal_two_players": 53}
    desk.table.live.command("new_match", {"players": ["Ann", "Bob"], "changes": changes})
    desk.table.live.command("start_round", {"starter": "Ann"})
    desk.table.live.command("drew", {})
    desk.table.live.command("drew", {})
    desk.says("The round is over.")
    desk.tap("[data-action=play_on]")
    desk.says("Ann's turn", "#players h2")
    desk.says("The round was not over, and went on.", "#history")


def test_a_mistyped_name_is_put_right_by_a_tap_on_it(desk: Desk) -> None:
    desk.tap("#players [data-key=rename-Bob]")
    desk.write("#new-name", "Ann")
    desk.run("document.querySelector('#dialog form:not(.dialog-head)').requestSubmit()")
    desk.says("Two players are called", ".toast")
    desk.write("#new-name", "Bea")
    desk.run("document.querySelector('#dialog form:not(.dialog-head)').requestSubmit()")
    desk.shows(2, "Bea", -30)
    desk.wait(lambda: not desk.has("dialog[open]"))
    assert [player["name"] for player in desk.match()["players"]] == ["Ann", "Bea"]
    desk.tap("#actions [data-action=undo]")
    desk.shows(2, "Bob")


def test_racks_that_are_asked_for_are_those_of_the_new_name(desk: Desk) -> None:
    desk.tap("#actions details summary")
    desk.tap("#actions [data-action=end_round]")
    desk.write("#dialog .rack:nth-of-type(1) input", "R3")
    desk.find("#dialog .rack:nth-of-type(2) input").click()
    desk.says("3", "#dialog .rack:nth-of-type(1) .head")
    desk.table.live.command("rename_player", {"player": "Ann", "new_name": "Eva"})
    desk.says("Eva", "#dialog .rack:nth-of-type(1)")
    field = desk.find("#dialog .rack:nth-of-type(1) input")
    assert field.get_attribute("value") == "R3"
