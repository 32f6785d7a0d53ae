"""Advice on light and camera: said quietly, hidden by a tap."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.web.browser.conftest import on_a_phone
from web.site import canned_scenes as scenes

if TYPE_CHECKING:
    from tests.web.browser.pages import Page

pytestmark = on_a_phone


def advised(page: Page, **more: object) -> None:
    page.preview.table.show({**scenes._advised(), **more})
    page.find("[data-advice=dark]")


def test_advice_says_what_to_do(organiser: Page) -> None:
    advised(organiser)
    organiser.says("The picture is too dark. Switch on more light.", "#advice")
    organiser.says("Hold it higher above the table.", "#advice")
    assert not organiser.has("#advice [role=alert]")
    assert not organiser.has("#banners section")


def test_advice_is_hidden_by_a_tap_and_stays_so(organiser: Page) -> None:
    advised(organiser)
    organiser.tap("[data-key=hide-dark]")
    organiser.wait(lambda: not organiser.has("[data-advice=dark]"))
    organiser.find("[data-advice=oblique]")
    organiser.chrome.refresh()
    organiser.find("[data-advice=oblique]")
    assert not organiser.has("[data-advice=dark]")
    organiser.run("sessionStorage.clear()")


def test_advice_steps_back_while_a_hand_is_in_view(organiser: Page) -> None:
    advised(organiser)
    assert not organiser.has("#advice.busy")
    advised(organiser, phase="hand")
    organiser.find("#advice.busy")
    advised(organiser)
    organiser.wait(lambda: not organiser.has("#advice.busy"))


def test_advice_goes_once_it_is_heeded(organiser: Page) -> None:
    advised(organiser)
    organiser.preview.table.show(scenes._legal())
    organiser.wait(lambda: not organiser.has("[data-advice]"))


def test_advice_is_given_in_the_pages_language(organiser: Page) -> None:
    advised(organiser)
    organiser.tap("[data-language=de]")
    organiser.says("Das Bild ist zu dunkel. Mach mehr Licht.", "#advice")
    organiser.tap("[data-language=en]")
    organiser.says("The picture is too dark.", "#advice")


def test_spectators_are_left_in_peace(spectator: Page) -> None:
    spectator.preview.table.show(scenes._advised())
    spectator.find("[data-tile]")
    assert not spectator.has("[data-advice]")
