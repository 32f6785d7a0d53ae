"""Labels put right in a browser, at a desk's width and at a phone's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.keys import Keys

from tests.web.browser.pages import Tab
from tests.web.browser.reading import missed_by_keys, overhang_px, type_key, unread
from tests.web.label.desks import DOUBT, desk_of, file_of, photo, reader_of
from vision.labels import load_labels
from web.label_command import open_site

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from selenium.webdriver import Chrome

UNNAMED = """
return [...document.querySelectorAll('button, a, input, select, summary')]
  .filter((one) => one.checkVisibility({ contentVisibilityAuto: true }))
  .filter((one) => !(one.innerText || one.getAttribute('aria-label') || one.labels?.length))
  .map((one) => one.outerHTML.slice(0, 100))
"""
NAMED = "(one) => one.checkVisibility() ? one.textContent : ''"
IN_SIGHT = """
const { left, top, width, height } = document.querySelector(arguments[0]).getBoundingClientRect();
const seen = document.elementFromPoint(left + width / 2, top + height / 2);
return Boolean(seen?.closest(arguments[0]));
"""
ON_SCREEN = """
const svg = document.querySelector('.photo-view');
const at = new DOMPoint(arguments[0], arguments[1]).matrixTransform(svg.getScreenCTM());
return [Math.round(at.x), Math.round(at.y)];
"""


@dataclass(frozen=True, slots=True)
class LabelPage(Tab):
    """The labelling page, and the file that it writes."""

    out: Path

    def faces(self) -> list[str]:
        """Return what the file says of the first photo."""
        return [tile["tile"] for tile in file_of(self.out)[0]["tiles"]]

    def kept(self, *faces: str) -> None:
        """Wait until the file says so of the first photo."""
        self.wait(lambda: self.faces() == list(faces), f"{faces} were not kept")
        self.says("Saved", "#saved")

    def quad(self, place: int) -> list[list[float]]:
        """Return the corners of a tile in the file."""
        quad: list[list[float]] = file_of(self.out)[0]["tiles"][place]["quad"]
        return quad

    def touch(self, x: float, y: float, to: tuple[float, float] | None = None) -> None:
        """Tap the photo at one of its pixels, or drag from there to another."""
        actions = ActionBuilder(self.chrome)
        pointer: Any = actions.pointer_action
        pointer.move_to_location(*self.run(ON_SCREEN, x, y)).pointer_down()
        if to is not None:
            pointer.move_to_location(*self.run(ON_SCREEN, *to))
        pointer.pointer_up()
        actions.perform()

    def choose(self, face: str) -> None:
        """Tap a face in the panel of the chosen tile."""
        self.tap(f"#tile .likely [data-face={face}]")


@pytest.fixture
def page(chrome: Chrome, tmp_path: Path) -> Iterator[LabelPage]:
    photos = [photo(tmp_path, name) for name in ("table.jpg", "b.jpg")]
    out = tmp_path / "labels.json"
    page = LabelPage(chrome, out)
    page.logged()
    with open_site(desk_of(out, *photos)) as address:
        chrome.get(address)
        page.find(".quad")
        yield page
        errors = [line["message"] for line in page.logged() if line["level"] == "SEVERE"]
        chrome.delete_cookie("lang")
        chrome.get("about:blank")
    assert errors == []


def test_everything_has_a_name_and_stands_out(page: LabelPage) -> None:
    found = unread(page)
    page.run("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    page.tap("[data-key=add]")
    found += unread(page)
    page.chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    assert found == []


def test_keys_come_to_everything(page: LabelPage) -> None:
    # The panel is drawn anew with every tile that is come to, so that what was in it is gone.
    assert [one for one in missed_by_keys(page) if one] == []
    page.run("document.querySelector('#tile button').focus()")
    wanted = set(page.run(f"return [...document.querySelectorAll('#tile button')].map({NAMED})"))
    for _ in range(30):
        wanted.discard(page.run(f"return ({NAMED})(document.activeElement)"))
        type_key(page, Keys.TAB)
    assert wanted == set()


def test_labels_are_put_right_and_kept(page: LabelPage, tmp_path: Path) -> None:
    page.says("0 of 2 photos done · 2 unsure", "#progress")
    page.says(DOUBT, "#tile")
    page.choose("O8")
    page.kept("R3", "R4", "R5", "B7", "O8")
    page.says("Orange 8", "#chosen-face")
    page.says("1 unsure", "#progress")

    left, top = page.quad(1)[0]
    page.touch(left + 30, top + 30)
    page.says("Red 4", "#chosen-face")
    x, y = page.quad(1)[2]
    page.touch(x, y, to=(x + 18, y + 30))
    page.wait(lambda: page.quad(1)[2] != [x, y], "the corner was not moved")
    assert page.quad(1)[2] == pytest.approx([x + 18, y + 30], abs=3)
    assert page.quad(1)[:2] == [[left, top], [left + 60, top]]

    page.tap("[data-key=quarter]")
    page.wait(lambda: page.quad(1)[0] == [left + 60, top], "the tile was not turned")
    page.tap("[data-key=delete]")
    page.kept("R3", "R5", "B7", "O8")

    page.tap("[data-key=add]")
    for corner in ((420, 250), (480, 250), (480, 340), (420, 340)):
        page.touch(*corner)
    page.kept("R3", "R5", "R9", "B7", "O8")
    assert sorted(page.quad(2)) == pytest.approx(
        [
            pytest.approx(corner, abs=2)
            for corner in ([420, 250], [420, 340], [480, 250], [480, 340])
        ]
    )
    page.tap("[value=number]")
    page.wait(lambda: file_of(page.out)[0]["tiles"][2].get("number_visible") == 0)

    labels = file_of(page.out)
    with open_site(desk_of(page.out, *_photos(tmp_path), reader=reader_of("J J"))) as address:
        page.chrome.get(address)
        page.find(".quad")
        shown = page.run(
            "return [...document.querySelectorAll('.said')].map((e) => e.textContent)"
        )
        assert shown == ["R3", "R5", "R9", "B7", "O8"]
        page.tap("[data-key=done]")
        page.says("1 of 2 photos done", "#progress")
        page.says("Saved", "#saved")
        page.chrome.get("about:blank")
    done = file_of(page.out)
    assert (labels[0]["tiles"], done[1]["checked"]) == (done[0]["tiles"], False)
    (checked,) = load_labels(page.out, "train")
    assert [tile.text for tile in checked.tiles] == ["R3", "R5", "R9", "B7", "O8"]


def _photos(folder: Path) -> tuple[Path, Path]:
    return folder / "table.jpg", folder / "b.jpg"


def test_everything_has_a_key(page: LabelPage) -> None:
    page.press("d")
    page.says("Still unsure", ".toast")
    page.press("Enter")
    page.wait(lambda: "doubt" not in file_of(page.out)[0]["tiles"][4], "it was not confirmed")
    for key in "12r":
        page.press(key)
    page.kept("R3", "R4", "R5", "B7", "R12")
    page.press("j")
    page.kept("R3", "R4", "R5", "B7", "J")
    page.press("\ue014")
    page.says("Red 3", "#chosen-face")
    page.press("\ue017")
    page.kept("R4", "R5", "B7", "J")
    for key in "uu":
        page.press(key)
    page.kept("R3", "R4", "R5", "B7", "R12")
    page.press("d")
    page.says("1 of 2 photos done", "#progress")
    page.press("n")
    page.says(DOUBT, "#tile")
    page.wait(lambda: file_of(page.out)[0]["checked"])
    page.press("p")
    page.says("Done. Tiles: 5.", "#count")


def test_the_page_goes_on_with_the_first_photo_that_is_not_done(page: LabelPage) -> None:
    page.choose("O8")
    page.tap("[data-key=done]")
    page.says("1 of 2 photos done", "#progress")
    page.says("Saved", "#saved")
    page.chrome.refresh()
    page.says("b.jpg", "#photo option:checked")


def test_a_photo_that_cannot_be_opened_is_told_and_not_named_as_the_one_shown(
    chrome: Chrome, tmp_path: Path
) -> None:
    out = tmp_path / "labels.json"
    photos = [photo(tmp_path, name) for name in ("table.jpg", "b.jpg")]
    page = LabelPage(chrome, out)
    with open_site(desk_of(out, *photos)) as address:
        chrome.get(address)
        page.find(".quad")
    page.run(
        "const photos = document.querySelector('[data-key=photos]');"
        "photos.value = 1; photos.dispatchEvent(new Event('change'));"
    )
    page.says("Meldwatch does not answer.", ".toast")
    page.says("table.jpg", "#photo option:checked")
    chrome.get("about:blank")


def test_a_corner_cannot_be_dragged_across(page: LabelPage) -> None:
    before = page.quad(4)
    (x, y), far = before[0], before[2]
    page.touch(x, y, to=(far[0] + 40, far[1] + 40))
    page.says("must go round the tile", ".toast")
    assert page.quad(4) == before


def test_what_could_not_be_saved_is_told_and_saved_later(
    page: LabelPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    page.chrome.get(page.chrome.current_url + "?lang=de")
    page.find(".quad")
    with monkeypatch.context() as without_room:
        without_room.setattr("os.fsync", full)
        page.choose("B8")
        page.says("lässt sich nicht schreiben: No space left on device", "#banners")
        page.run("scrollTo(0, document.body.scrollHeight)")
        page.wait(lambda: page.run(IN_SIGHT, "#banners .banner"), "the page was left without it")
        page.logged()  # the browser logs the failed request itself
    assert page.faces()[4] == "K8"
    page.tap("#banners button")
    page.wait(lambda: page.faces()[4] == "B8", "it was not saved later")
    page.says("Gespeichert", "#saved")


def test_all_fits_and_has_a_name(page: LabelPage) -> None:
    page.tap("#tile summary")
    assert overhang_px(page) == 0
    assert page.run(UNNAMED) == []
    page.tap("#help")
    page.says("Drag the corners", "#dialog")
    page.tap("#dialog button")
    page.tap("[data-language=de]")
    page.says("0 von 2 Fotos fertig", "#progress")
    page.says("Das könnte auch Blau 8 sein.", "#tile")
    page.tap("[data-language=en]")
    page.says("0 of 2 photos done", "#progress")
