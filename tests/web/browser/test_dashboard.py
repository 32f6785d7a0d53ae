"""The flows of an evening."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import pytest
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.actions.pointer_input import PointerInput

from tests.fakes import blank
from tests.web.browser.conftest import on_a_phone
from tests.web.browser.reading import TOO_WIDE, UNNAMED, type_key
from vision.doubts import RACK
from web.site import canned_scenes as scenes
from web.site import canned_states as states

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from typing import Any

    from tests.web.browser.pages import Page

pytestmark = on_a_phone


def show(page: Page, scene: Callable[[], dict[str, Any]]) -> None:
    page.preview.table.show(scene())


def test_a_legal_turn_is_said_and_ended_with_one_tap(organiser: Page) -> None:
    show(organiser, scenes._played)
    organiser.says("A legal turn by Bob: 36 points.")
    table = organiser.preview.table.snapshot()["proposal"]["table"]
    organiser.tap("[data-action=end_turn]")
    assert organiser.asked("end_turn")["table"] == table


def test_an_unsure_tile_asks_and_accuses_nobody(organiser: Page) -> None:
    show(organiser, scenes._unsure)
    organiser.says("I can't tell yet.")
    assert not organiser.has(".set.invalid")
    assert not organiser.has("[data-action=refuse]")
    organiser.tap("[data-key=look]")
    organiser.says("Which tile is this?", "#dialog")


def test_an_illegal_turn_gives_its_reasons_in_words(organiser: Page) -> None:
    show(organiser, lambda: {**scenes._illegal(), "restore": None})
    organiser.says("This turn is not legal yet.")
    assert "not legal" in organiser.text(".set.invalid")
    assert organiser.text("[data-action=refuse]") == "Put back and draw 3"
    organiser.tap("[data-action=refuse]")
    assert organiser.asked("end_turn")["refuse"] is True


TAP_ONCE_IT_HAS_GONE = """
const gone = document.querySelector(arguments[0]);
gone.scrollIntoView({ block: "center" });
const { x, y, width, height } = gone.getBoundingClientRect();
const at = { clientX: x + width / 2, clientY: y + height / 2, detail: 1 };
window.tapped = new Promise((done) => new MutationObserver((_, all) => {
  if (document.body.dataset.number !== arguments[1]) return;
  all.disconnect();
  const come = document.elementFromPoint(at.clientX, at.clientY).closest("button");
  come?.dispatchEvent(new MouseEvent("click", { ...at, bubbles: true, cancelable: true }));
  done(come?.dataset.key);
}).observe(document.body, { attributes: true }));
"""


def test_a_tap_that_was_meant_for_another_button_presses_none(organiser: Page) -> None:
    show(organiser, scenes._played)
    organiser.says("A legal turn by Bob: 36 points.")
    organiser.until("return looked()")
    number = organiser.preview.table.snapshot()["number"] + 1
    organiser.run(TAP_ONCE_IT_HAS_GONE, "[data-action=end_turn]", str(number))
    illegal = {**scenes._illegal(), "restore": None}
    organiser.preview.table.show({**scenes._played(), "proposal": illegal["proposal"]})
    pressed = organiser.run("return window.tapped")
    assert pressed != "end_turn"
    organiser.tap("[data-action=refuse]")
    assert organiser.asked("end_turn")["refuse"] is True
    assert [name for name, _ in organiser.commands()] == ["end_turn"]


def test_nobody_is_asked_to_draw_where_nothing_is_left(organiser: Page) -> None:
    scene = states.base()
    empty = {**scene["match"], "pool": 0, "penalty": 0}
    organiser.preview.table.show({**scenes._illegal(), "restore": None, "match": empty})
    organiser.says("Put back, turn over", "#actions")
    assert "draw" not in organiser.text("#actions")


@pytest.mark.parametrize(
    ("scene", "words"), [(scenes._over, "Ann won"), (scenes._scoring, "The round is over")]
)
def test_between_rounds_nobody_answers_for_how_tiles_lie(
    organiser: Page, scene: Callable[[], dict[str, Any]], words: str
) -> None:
    lying = {name: scenes._illegal()[name] for name in ("tiles", "parts")}
    for phase in ("stable", "hand", "lost"):
        organiser.preview.table.show({**scene(), **lying, "phase": phase})
        organiser.says(words)
        assert not organiser.has("#verdict .bad")


def test_several_things_that_are_no_tiles_are_struck_with_one_tap(organiser: Page) -> None:
    lying = states.table("R10 R11 R12 | K4 B9 O2 | O5 | R5 | O3 O4 O5", unsure="O5")
    paper = {**scenes._unsure(), **lying}
    organiser.preview.table.show(paper)
    organiser.tap("[data-tile='7']")  # not the Orange 5 of a set that is sure but for it
    organiser.tap("#dialog details:last-of-type summary")
    organiser.says("None of these 5 are tiles", "#dialog [data-key=strike]")
    organiser.tap("#dialog [data-strike='8']")
    organiser.says("None of these 4 are tiles", "#dialog [data-key=strike]")
    assert organiser.run(TOO_WIDE) == []
    assert organiser.run(UNNAMED) == []
    organiser.tap("#dialog [data-key=strike]")
    struck = {"4": "K4", "5": "B9", "6": "O2", "7": "O5"}
    assert organiser.asked("delete_tiles") == {"tiles": struck}
    organiser.wait(lambda: not organiser.has("dialog[open]"))


def test_all_that_stands_on_racks_is_left_out_with_one_tap(organiser: Page) -> None:
    lying = states.table("R10 R11 R12 | K4 B9 O2 | O5 R5 | B1 B2 B3 | K7 | R9 O13 B4")
    for number in (3, 6):  # of either row one tile is asked about
        lying["tiles"][number] |= {"unsure": True, "rack": True, "doubt": RACK}
    lying["tiles"][11]["unsure"] = True  # it leans, and so is smaller than it should be
    organiser.preview.table.show({**scenes._unsure(), **lying})
    organiser.tap("[data-tile='4']")
    organiser.says("Leave out these 6 tiles", "#dialog [data-key=rack]")
    organiser.tap("#dialog details[open] [data-strike='8']")
    organiser.says("Leave out these 5 tiles", "#dialog [data-key=rack]")
    assert organiser.run(TOO_WIDE) == []
    assert organiser.run(UNNAMED) == []
    organiser.tap("#dialog [data-key=rack]")
    told = {"4": "K4", "5": "B9", "6": "O2", "7": "O5", "12": "K7"}
    assert organiser.asked("leave_out_rack") == {"tiles": told}
    organiser.wait(lambda: not organiser.has("dialog[open]"))


def test_racks_that_are_left_out_are_shown_and_can_be_looked_at_again(organiser: Page) -> None:
    show(organiser, scenes._legal)
    assert organiser.has("[data-key=look-at-racks][hidden]")
    place = [[60, 600], [104, 600], [104, 660], [60, 660]]
    organiser.preview.table.show({**scenes._legal(), "left_out": [place]})
    organiser.wait(lambda: organiser.has(".outline.left-out"))
    organiser.tap("[data-key=look-at-racks]")
    assert organiser.asked("look_at_racks") == {}


def test_a_tapped_tile_is_corrected(organiser: Page) -> None:
    show(organiser, scenes._legal)
    organiser.tap("[data-tile]")
    organiser.tap("#dialog details summary")
    organiser.tap("#dialog [data-face=K13]")
    tile = organiser.asked("correct_tile")
    shown = organiser.preview.table.snapshot()["tiles"]
    assert tile["was"] == next(one["tile"] for one in shown if one["id"] == tile["id"])
    assert tile["tile"] == "K13"
    organiser.wait(lambda: not organiser.has("dialog[open]"))


def test_a_new_match_is_set_up(organiser: Page) -> None:
    show(organiser, scenes._before)
    organiser.tap("[data-action=new_match]")
    focused = "return document.activeElement.placeholder"
    organiser.wait(lambda: organiser.run(focused) == "Player 1", "not the first name")
    assert not organiser.chrome.find_element("id", "amount").is_displayed()
    for number, name in enumerate(("Zoe", "Yan"), 1):
        box = organiser.find(f"#dialog .names li:nth-child({number}) input")
        box.clear()
        box.send_keys(name)
    organiser.run(
        "document.querySelectorAll('#dialog .names li:nth-child(n+3)').forEach(e => e.remove())"
    )
    organiser.run("document.querySelector('#ruleset').value = 'keadle'")
    organiser.run("document.querySelector('#dialog form:not(.dialog-head)').requestSubmit()")
    asked = organiser.asked("new_match")
    assert (asked["players"], asked["ruleset"], asked["goal"]) == (
        ["Zoe", "Yan"],
        "keadle",
        "open",
    )


def test_a_tap_beside_a_dialog_closes_it_and_a_drag_out_of_a_field_does_not(
    organiser: Page,
) -> None:
    show(organiser, scenes._before)
    organiser.tap("[data-action=new_match]")
    organiser.find("#dialog .names input")
    drag = """
    const how = { bubbles: true }, dialog = document.querySelector('#dialog');
    document.querySelector(arguments[0]).dispatchEvent(new PointerEvent('pointerdown', how));
    dialog.dispatchEvent(new MouseEvent('click', how));
    return dialog.open;
    """
    assert organiser.run(drag, "#dialog .names input") is True
    assert organiser.run(drag, "#dialog") is False


def test_as_many_players_as_any_rules_are_for_can_be_named(organiser: Page) -> None:
    show(organiser, scenes._before)
    organiser.tap("[data-action=new_match]")
    organiser.find("#dialog .names input")
    boxes = "return document.querySelectorAll('#dialog .names input').length"
    for number in range(organiser.run(boxes) + 1, 13):
        organiser.tap("[data-key=add-player]")
        assert organiser.run(boxes) == number
    assert not organiser.chrome.find_element(
        "css selector", "[data-key=add-player]"
    ).is_displayed()


def test_every_parameter_of_the_rules_is_explained(organiser: Page) -> None:
    organiser.find("[data-tile]")
    organiser.tap("#actions details summary")
    organiser.tap("#actions [data-action=new_match]")
    organiser.tap("#dialog details summary")
    about = organiser.text("#dialog .parameters")
    assert "The points that a player's first sets need together. (points)" in about
    box = organiser.find("#rule-opening_threshold")
    assert box.get_attribute("value") == "30"
    organiser.run("document.activeElement.blur()")
    box.clear()
    box.send_keys("50")
    organiser.run("document.querySelector('#rule-wrap').checked = true")
    organiser.run("document.querySelector('#rule-joker_pickup').value = 'replace'")
    organiser.run("document.querySelector('#dialog form:not(.dialog-head)').requestSubmit()")
    assert organiser.asked("new_match")["changes"] == {
        "wrap": True,
        "joker_pickup": "replace",
        "opening_threshold": 50,
    }
    organiser.wait(lambda: not organiser.has("dialog[open]"))
    organiser.tap("#actions [data-action=new_match]")
    again = "return document.querySelector('#rule-opening_threshold')?.value"
    organiser.wait(lambda: organiser.run(again) == "50", "house rules are forgotten")
    organiser.run("localStorage.clear()")


def test_turns_may_count_by_themselves(organiser: Page) -> None:
    show(organiser, scenes._legal)
    organiser.tap("#actions details summary")
    organiser.tap("[data-action=auto_accept]")
    assert organiser.asked("set_option") == {"auto_accept": True}
    organiser.preview.table.show({**scenes._legal(), "options": {"auto_accept": True}})
    organiser.says("End every turn by hand", "#actions")
    organiser.tap("[data-action=auto_accept]")
    organiser.wait(lambda: organiser.commands()[-1][1]["auto_accept"] is False)


def test_a_joker_shows_what_it_was_said_to_be(organiser: Page) -> None:
    shown = states.base() | states.table("B11 J B13")
    joker = next(tile for tile in shown["tiles"] if tile["tile"] == "J")
    organiser.preview.table.show(shown)
    tile = f"[data-tile='{joker['id']}']"
    assert organiser.text(tile) == "☺"
    joker["declared"] = "B12"
    organiser.preview.table.show(shown)
    organiser.wait(lambda: organiser.text(tile) == "☺\n12 ●")
    assert "stands for Blue 12" in str(organiser.find(tile).get_attribute("aria-label"))


def test_drawing_and_taking_back_have_buttons_and_keys(organiser: Page) -> None:
    show(organiser, scenes._legal)
    organiser.tap("[data-action=drew]")
    assert organiser.asked("drew") == {}
    show(organiser, scenes._legal)
    organiser.says("Bob is to play.")
    organiser.find("[data-action=undo]")
    organiser.press("u")
    assert organiser.asked("undo") == {}


@pytest.mark.parametrize(
    ("clicked", "pressed", "wanted"), [("undo", "\ue007", "end_turn"), ("challenge", "u", "undo")]
)
def test_keys_work_after_a_click_too_and_enter_ends_the_turn(
    organiser: Page, clicked: str, pressed: str, wanted: str
) -> None:
    show(organiser, scenes._played)
    organiser.tap(f"[data-action={clicked}]")
    organiser.asked(clicked)
    show(organiser, scenes._played)
    number = str(organiser.preview.table.snapshot()["number"])
    organiser.wait(lambda: organiser.run("return document.body.dataset.number") == number)
    type_key(organiser, pressed)
    organiser.asked(wanted)


def test_enter_presses_the_button_that_was_come_to_by_keys(organiser: Page) -> None:
    show(organiser, scenes._played)
    organiser.find("[data-action=undo]")
    organiser.run("document.querySelector('[data-action=undo]').focus()")
    type_key(organiser, "\ue007")
    assert organiser.asked("undo") == {}


def test_a_draw_over_tiles_that_were_laid_is_asked_about(organiser: Page) -> None:
    show(organiser, scenes._played)
    organiser.says("A legal turn by Bob: 36 points.")
    organiser.press("d")
    question = organiser.wait(lambda: organiser.chrome.switch_to.alert)
    assert "Bob has laid tiles" in question.text
    question.dismiss()
    organiser.tap("[data-action=drew]")
    organiser.wait(lambda: organiser.chrome.switch_to.alert).accept()
    assert organiser.asked("drew") == {}
    assert [name for name, _ in organiser.commands()] == ["drew"]


def test_where_there_is_no_camera_the_page_says_how_to_get_one(organiser: Page) -> None:
    bare = {**scenes._before(), "cameras": [], "picture": None, "tiles": [], "parts": []}
    show(organiser, lambda: bare)
    organiser.says("Open Devices and scan the first code", "#picture")
    assert not organiser.chrome.find_element("css selector", "#picture img").is_displayed()


def test_an_earlier_match_is_gone_on_with(organiser: Page) -> None:
    organiser.chrome.get(organiser.preview.link("organiser").split("/enter")[0] + "/matches/1")
    assert "Ann:" in organiser.text(".result .events")
    organiser.tap("#go-on")
    assert organiser.wait(organiser.commands)[-1] == ("open_match", {"id": 1})
    organiser.find("#verdict")


def test_keys_do_nothing_while_a_dialog_is_open(organiser: Page) -> None:
    show(organiser, scenes._legal)
    organiser.tap("[data-tile]")
    organiser.find("dialog[open]")
    organiser.press("d")
    assert "drew" not in [name for name, _ in organiser.commands()]


def test_a_past_turn_is_changed(organiser: Page) -> None:
    organiser.tap("[data-key=edit-6]")
    box = organiser.find("#dialog textarea")
    box.clear()
    box.send_keys("R10 R11 R12")
    organiser.tap("#dialog .button.main")
    asked = organiser.asked("edit_event")
    assert asked["was"]["event"] == "Played"
    assert (asked["seq"], asked["event"]) == (6, {"event": "Played", "table": "R10 R11 R12"})


def test_the_end_of_a_round_counts_the_racks(organiser: Page) -> None:
    show(organiser, scenes._scoring)
    organiser.tap("[data-action=end_round]")
    boxes = organiser.chrome.find_elements("css selector", "#dialog .rack > input")
    assert len(boxes) == 3
    boxes[0].clear()
    boxes[1].clear()
    boxes[1].send_keys("R3 J")
    organiser.tap("#dialog .button.main")
    told = {"player": "Bob", "tiles": "R3 J"}
    organiser.wait(lambda: any(told.items() <= asked.items() for _, asked in organiser.commands()))
    assert "end_round" not in dict(organiser.commands())


def test_a_disagreement_names_the_tiles_and_is_put_right_by_one_tap(organiser: Page) -> None:
    show(organiser, scenes._desync)
    organiser.says("Table and record disagree.", "#banners")
    organiser.says("Blue 5", "#banners")
    assert "✕" not in organiser.text("#verdict")
    organiser.tap("[data-action=take_record]")
    assert organiser.asked("put_right") == {"take": "record"}


def test_racks_are_kept_out_of_the_picture_of_an_empty_table(organiser: Page) -> None:
    disagreeing, advice = scenes._desync(), "keep racks and all other tiles out of the picture"
    show(organiser, lambda: disagreeing)
    organiser.says("Blue 5", "#banners")
    assert advice not in organiser.text("#banners")
    show(organiser, lambda: {**disagreeing, "match": {**states.current_match(), "table": ""}})
    organiser.says(advice, "#banners")


def test_what_a_camera_says_is_on_the_page(organiser: Page) -> None:
    show(organiser, scenes._lost)
    told = organiser.preview.table.snapshot()["cameras"][0]["message"]
    organiser.says(told, "#banners")


def test_the_page_says_which_cameras_count_and_which_do_not(organiser: Page) -> None:
    show(organiser, scenes._legal)
    organiser.find(".frame")
    assert "Counting" not in organiser.text("main")
    show(organiser, scenes._lost)
    organiser.says("Counting: phone 1, phone 2. You see phone 1.", "main")
    organiser.says("phone 3 sees other tiles than phone 1", "#banners .wait")


def test_a_refusal_is_said(organiser: Page) -> None:
    organiser.find("[data-tile]")
    organiser.run("return import('/static/commands.js').then((m) => m.command('refuse_me'))")
    organiser.says("refuses that", ".toast")
    organiser.logged()  # the browser logs the refused request itself


def change_a_score(organiser: Page) -> None:
    """Open the dialog for it, which stands under what is rarely done."""
    show(organiser, scenes._legal)
    organiser.find("[data-tile]")
    organiser.run("document.querySelector('#actions details').open = true")
    organiser.tap("[data-action=adjust]")


def test_what_got_no_answer_does_not_count_twice(organiser: Page) -> None:
    change_a_score(organiser)
    organiser.run(
        "const ask = window.fetch, save = document.querySelector('#dialog .button.main');"
        "window.fetch = async (...given) => { await ask(...given); throw new TypeError('lost'); };"
        "save.click(); save.click(); window.fetch = ask;"
    )
    organiser.says("The server does not answer.", ".toast")
    organiser.preview.table.show({**scenes._legal(), "records": 9})
    number = str(organiser.preview.table.snapshot()["number"])
    organiser.wait(lambda: organiser.run("return document.body.dataset.number") == number)
    organiser.tap("#dialog .button.main")
    organiser.wait(lambda: not organiser.has("dialog[open]"))
    asked = [values["records"] for name, values in organiser.commands() if name == "adjust"]
    assert asked == [states.base()["records"]] * 2


def test_what_got_no_answer_stays_written_if_it_is_refused_the_second_time(
    organiser: Page,
) -> None:
    change_a_score(organiser)
    refusal = "Response.json({ error: 'No such points.' }, { status: 409 })"
    for answer, told in (
        ("Promise.reject(new TypeError('lost'))", "The server does not answer."),
        (refusal, "No such points."),
    ):
        organiser.run(f"window.fetch = async () => {answer};")
        organiser.tap("#dialog .button.main")
        organiser.says(told, ".toast")
    assert organiser.has("dialog[open] #adjust-reason")


def test_a_late_answer_closes_no_dialog_that_was_opened_since(organiser: Page) -> None:
    change_a_score(organiser)
    organiser.run(
        "window.fetch = () => new Promise((go) => { window.late = go; });"
        "document.querySelector('#dialog .button.main').click();"
        "document.querySelector('#dialog .dialog-head button').click();"
    )
    organiser.tap("[data-action=adjust]")
    organiser.run("window.late(Response.json({}))")
    organiser.run("return new Promise((go) => setTimeout(go, 200))")
    assert organiser.has("dialog[open] #adjust-reason")


def test_spectators_see_everything_and_can_do_nothing(spectator: Page) -> None:
    show(spectator, scenes._played)
    spectator.says("A legal turn by Bob")
    assert spectator.run(
        "return [...document.querySelectorAll('button')].map((one) => one.id)"
    ) == ["sound"]
    assert not spectator.has("form")


def test_the_language_is_a_tap_away(organiser: Page) -> None:
    show(organiser, scenes._legal)
    organiser.tap("[data-language=de]")
    organiser.says("Bob ist am Zug.")
    organiser.tap("[data-language=en]")
    organiser.says("Bob is to play.")


ALLOWED = """
window.allowed = { sound: [], speech: [] };
const note = (what) => window.allowed[what].push(navigator.userActivation.isActive);
AudioContext.prototype.resume = async () => note("sound");
speechSynthesis.speak = () => note("speech");
"""


def test_a_finger_allows_sound_and_speech(spectator: Page) -> None:
    """Browsers allow them in a tap, which a finger makes once it is lifted."""
    spectator.find("[data-tile]")
    spectator.run(ALLOWED)
    finger = PointerInput("touch", "finger")  # type: ignore[no-untyped-call]
    tap = ActionBuilder(spectator.chrome, mouse=finger)
    tap.pointer_action.move_to(spectator.find("#verdict"))  # type: ignore[no-untyped-call]
    tap.pointer_action.pointer_down()  # type: ignore[no-untyped-call]
    tap.pointer_action.pointer_up()  # type: ignore[no-untyped-call]
    tap.perform()
    spectator.wait(lambda: spectator.run("return window.allowed.sound.length"))
    assert spectator.run("return window.allowed") == {"sound": [True], "speech": [True]}


def test_sound_goes_off_and_stays_off(organiser: Page) -> None:
    organiser.find("[data-tile]")
    organiser.tap("#sound")
    organiser.says("Sound off", "#sound")
    organiser.chrome.refresh()
    organiser.says("Sound off", "#sound")
    organiser.tap("#sound")


@pytest.fixture
def photo(tmp_path: Path) -> str:
    path = tmp_path / "table.jpg"
    path.write_bytes(cv2.imencode(".jpg", blank())[1].tobytes())
    return str(path)


def test_a_photo_is_sent_once_it_was_taken_and_the_page_says_so(camera: Page, photo: str) -> None:
    assert camera.find("input[type=file]").get_attribute("capture") == "environment"
    camera.run("document.addEventListener('submit', (event) => event.preventDefault())")
    camera.find("input[type=file]").send_keys(photo)
    camera.says("The photo is being sent", "#sending")
    assert not camera.find("form.photo button").is_enabled()
    camera.run(
        "window.dispatchEvent(new PageTransitionEvent('pageshow'))"
    )  # as back from an error
    assert camera.find("form.photo button").is_enabled()
    camera.chrome.refresh()
    camera.find("input[type=file]").send_keys(photo)
    camera.says("The photo has arrived.", "main")
    camera.chrome.refresh()
    assert "The photo has arrived." not in camera.text("main")
    assert len(camera.preview.table.frames) == 1


def test_a_phone_sends_a_photo_without_a_script(camera: Page, photo: str) -> None:
    camera.chrome.execute_cdp_cmd("Network.enable", {})
    camera.chrome.execute_cdp_cmd("Network.setBlockedURLs", {"urls": ["*.js"]})
    camera.chrome.refresh()
    camera.find("input[type=file]").send_keys(photo)
    camera.find("form.photo button").click()
    camera.says("The photo has arrived.", "main")
    assert len(camera.preview.table.frames) == 1
    camera.chrome.execute_cdp_cmd("Network.setBlockedURLs", {"urls": []})
    camera.logged()  # the browser logs what was blocked


SAVED = """
window.saved = [];
addEventListener('beforeunload', () => window.saved.push('the page is left'));
HTMLAnchorElement.prototype.click = function () { window.saved.push(this.download); };
"""
"""Tells what is saved, and whether the page is left for that: Firefox and Safari would go on
without the event stream, and show what is no longer so."""


def test_after_a_report_the_page_says_what_to_do_with_it(organiser: Page) -> None:
    show(organiser, scenes._before)
    organiser.tap("[data-action=report]")
    organiser.find("#dialog textarea").send_keys("This is a red 7.")
    organiser.run(SAVED)
    organiser.tap("#dialog .button.main")
    organiser.says("meldwatch label meldwatch-report.zip", "#dialog")
    assert organiser.run("return window.saved") == ["meldwatch-report.zip"]
    way = organiser.find("#dialog [data-key=report-teach]").get_attribute("href")
    assert way == f"{organiser.preview.url}/teach"
    organiser.tap("[data-key=report-done]")
    organiser.wait(lambda: not organiser.has("dialog[open]"))


def test_a_report_that_cannot_be_made_is_said_where_it_was_asked_for(organiser: Page) -> None:
    show(organiser, scenes._before)
    organiser.tap("[data-action=report]")
    organiser.find("#dialog textarea").send_keys("This is a red 7.")
    organiser.run(
        "window.fetch = () => Promise.resolve(Response.json({error: 'Too many.'}, {status: 429}))"
    )
    organiser.tap("#dialog .button.main")
    organiser.says("Too many.", ".toast")
    assert organiser.find("#dialog textarea").get_attribute("value") == "This is a red 7."


def test_a_stream_that_fell_silent_is_opened_again(organiser: Page) -> None:
    """As after sleep: the connection is gone, and no error tells."""
    show(organiser, scenes._legal)
    organiser.find("[data-tile]")
    streams = organiser.preview.services.streams
    before = list(streams._open)
    organiser.run(
        "const now = Date.now; Date.now = () => now() + 60000;"
        "document.dispatchEvent(new Event('visibilitychange'));"
    )
    organiser.wait(lambda: [one for one in streams._open if one not in before])
    show(organiser, scenes._played)
    organiser.says("A legal turn by Bob: 36 points.")
