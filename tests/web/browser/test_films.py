"""An evening on the pages, from the first hand over the table to the sum of the round.

Everything is real but the networks: the frames of a recorded game, the watcher, the referee, the
store, the server and two browsers, one of whoever keeps the game and one of a spectator.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from selenium.webdriver.common.keys import Keys

from tests.web.browser.chromium import NONE_FOUND, browser, programs
from tests.web.browser.conftest import SIZES
from tests.web.browser.films import Showing, showing
from tests.web.browser.pages import Tab
from web.site.roles import Role

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PLAYERS = ["Eve", "Finn", "Gina"]
# The reader takes the black 11 for a black 1, whenever it sees it.
SLIPS = {"K11": "K1"}


class Evening:
    """A game that is shown, whoever keeps it, and a spectator."""

    def __init__(self, shown: Showing, keeper: Tab, spectator: Tab) -> None:
        self.shown, self.keeper, self.spectator = shown, keeper, spectator

    def both_say(self, words: str, selector: str = "#verdict") -> None:
        for screen in (self.keeper, self.spectator):
            screen.says(words, selector)

    def tiles_of(self, player: str) -> int:
        return self._cell(player, 0)

    def points_of(self, player: str) -> int:
        return self._cell(player, 1)

    def _cell(self, player: str, place: int) -> int:
        rows = self.keeper.run(
            "return [...document.querySelectorAll('#players tbody tr')].map((row) => "
            "[row.querySelector('th').innerText, [...row.querySelectorAll('td')].map((cell) => "
            "cell.innerText)])"
        )
        return int(next(cells[place] for head, cells in rows if player in head))

    def history(self) -> str:
        return self.keeper.text("#history")


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    if programs() is None:
        pytest.skip(NONE_FOUND)
    with (
        showing("keadle", tmp_path, SLIPS) as shown,
        browser(*SIZES["phone"]) as keeper,
        browser(*SIZES["desktop"]) as spectator,
    ):
        shown.table.command(
            "new_match", {"players": PLAYERS, "ruleset": "keadle", "changes": {"deal": 8}}
        )
        screens = (Tab(keeper), Tab(spectator))
        for screen, role in zip(screens, (Role.ORGANISER, Role.SPECTATOR), strict=True):
            screen.chrome.get(shown.link(role))
        yield Evening(shown, *screens)
        for screen in screens:
            assert [one["message"] for one in screen.logged() if one["level"] == "SEVERE"] == []
            screen.chrome.get("about:blank")


def test_an_evening_from_the_first_hand_to_the_sum(evening: Evening) -> None:
    for happens in (
        start,
        a_turn_is_proposed_once_the_hand_has_left,
        turns_end_by_button_and_by_key,
        undo_and_redo,
        a_misread_tile_is_put_right_by_a_tap,
        an_illegal_turn_gives_its_reason_and_is_put_back,
        the_round_ends_with_its_sum,
    ):
        happens(evening)
        spectators_have_no_controls(evening)


def spectators_have_no_controls(evening: Evening) -> None:
    """Whatever happens, theirs is to look."""
    buttons = evening.spectator.run(
        "return [...document.querySelectorAll('button, form, input')].map((one) => one.id)"
    )
    assert buttons == ["sound"]


def start(evening: Evening) -> None:
    keeper = evening.keeper
    evening.shown.play_to_end_of(0)
    keeper.tap("[data-action=start_round]")
    keeper.tap("#dialog .choices button:nth-child(1)")
    evening.both_say("Eve is to play.")


def a_turn_is_proposed_once_the_hand_has_left(evening: Evening) -> None:
    evening.shown.play_into_hand_before(1)
    evening.both_say("A hand is in view", "#state")
    evening.both_say("I wait until the table is still.")
    assert evening.shown.table.snapshot()["proposal"] is None
    evening.shown.play_to_end_of(1)
    evening.both_say("A legal turn by Eve")
    evening.both_say("tiles: 6", "#table")
    assert evening.tiles_of("Eve") == 8  # nothing counts until somebody ends the turn


def turns_end_by_button_and_by_key(evening: Evening) -> None:
    keeper = evening.keeper
    keeper.tap("[data-action=end_turn]")
    evening.both_say("Finn is to play.")
    evening.both_say("Finn's turn", "#players")
    evening.both_say("Orange 12", "#history")
    assert (evening.tiles_of("Eve"), evening.tiles_of("Finn")) == (2, 8)
    evening.shown.play_to_end_of(2)
    keeper.press("d")
    evening.both_say("Gina is to play.")
    assert evening.tiles_of("Finn") == 9
    evening.shown.play_to_end_of(3)
    evening.both_say("A legal turn by Gina")
    keeper.press("Enter")
    evening.both_say("Eve is to play.")
    assert evening.tiles_of("Gina") == 4


def undo_and_redo(evening: Evening) -> None:
    keeper = evening.keeper
    before = evening.history()
    keeper.press("u")
    evening.both_say("Gina's turn", "#players")
    # The tiles still lie there, so the table is not what the record says now.
    evening.both_say("Table and record disagree.", "#banners")
    assert evening.tiles_of("Gina") == 8
    keeper.tap("[data-action=redo]")
    evening.both_say("Eve's turn", "#players")
    keeper.wait(lambda: not keeper.has("#banners section"))
    assert evening.history() == before
    evening.shown.play_to_end_of(4)
    evening.both_say("A legal turn by Eve")
    keeper.tap("[data-action=end_turn]")
    evening.both_say("Finn is to play.")


def a_misread_tile_is_put_right_by_a_tap(evening: Evening) -> None:
    keeper = evening.keeper
    evening.shown.play_to_end_of(5)
    evening.both_say("This turn is not legal yet.")
    keeper.tap("#table [data-tile][aria-label='Black 1']")
    keeper.says("It was read as Black 1.", "#dialog")
    keeper.tap("#dialog details summary")
    keeper.tap("#dialog [data-face=K11]")
    evening.both_say("A legal turn by Finn")
    keeper.wait(lambda: not keeper.has("dialog[open]"))
    keeper.tap("[data-action=end_turn]")
    evening.both_say("Gina is to play.")
    evening.shown.play_to_end_of(6)
    evening.both_say("A legal turn by Gina")
    keeper.tap("[data-action=end_turn]")
    evening.both_say("Eve is to play.")
    keeper.press("d")
    evening.both_say("Finn is to play.")


def an_illegal_turn_gives_its_reason_and_is_put_back(evening: Evening) -> None:
    keeper = evening.keeper
    evening.shown.play_to_end_of(7)
    evening.both_say("This turn is not legal yet.")
    evening.both_say("Blue 7", "#verdict")
    evening.both_say("not legal", "#table .set.invalid")
    assert not keeper.has("[data-action=end_turn]")
    keeper.tap("[data-action=restore]")
    evening.both_say("Put these back.", "#banners")
    evening.both_say("Blue 7", "#banners")
    evening.shown.play_to_end_of(8)
    evening.both_say("Finn is to play.")
    keeper.wait(lambda: not keeper.has("#banners section"))
    assert evening.tiles_of("Finn") == 6  # no penalty
    evening.shown.play_to_end_of(9)
    evening.both_say("A legal turn by Finn")
    keeper.press("Enter")
    evening.both_say("Gina is to play.")


def the_round_ends_with_its_sum(evening: Evening) -> None:
    keeper = evening.keeper
    keeper.tap("[data-action=drew]")
    evening.both_say("Eve is to play.")
    evening.shown.play_to_end_of(10)
    evening.both_say("A legal turn by Eve")
    keeper.tap("[data-action=end_turn]")
    evening.both_say("The round is over. Turn up the racks.")
    assert evening.tiles_of("Eve") == 0
    keeper.tap("[data-action=end_round]")
    for name, rack in (("Finn", "R3 B5 K2 O9 R8"), ("Gina", "J R1 K4")):
        box = keeper.find(f"#dialog input[aria-label='Rack of {name}']")
        box.send_keys(rack, Keys.TAB)
    keeper.says("This would count: Eve 0 · Finn 25 · Gina 45", "#dialog")
    keeper.tap("#dialog [data-key=count]")
    keeper.wait(lambda: not keeper.has("dialog[open]"))
    evening.both_say("Who starts?")
    assert [evening.points_of(name) for name in PLAYERS] == [0, 25, 45]
    evening.both_say("Eve won the round: Eve +0, Finn +25, Gina +45.", "#history")
