"""The end of a round, from the photo of a rack to the score: with a table that really reads."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import cv2
import pytest
from selenium.webdriver.support.expected_conditions import alert_is_present

from tests.fakes import blank, fake_reader
from tests.web.browser.conftest import on_a_phone
from tests.web.browser.pages import Tab
from tests.web.browser.reading import overhang_px
from tests.web.live.fakes import FakePhone
from web.live.archive import Archive
from web.live.errors import CommandError
from web.live.live_table import LiveTable
from web.site import canned_scenes as scenes
from web.site.app import create_app
from web.site.hosts import Hosts
from web.site.roles import Links, Role
from web.site.server import Door, Site
from web.site.services import Services
from web.site.texts import Texts

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from selenium.webdriver import Chrome

    from tests.web.browser.pages import Page
    from web.store import Store


pytestmark = on_a_phone


@dataclass(frozen=True)
class Served:
    """A live table without any camera, and its pages."""

    live: LiveTable
    url: str
    link: str

    def racks(self) -> dict[str, Any]:
        found: dict[str, Any] = (self.live.snapshot()["leftovers"] or {"racks": {}})["racks"]
        return found


@contextmanager
def served(store: Store) -> Iterator[Served]:
    reader = fake_reader("K10 B6 R2", {"B6": "Glare covers the number."})
    with LiveTable(reader, store, open_phone=FakePhone) as live:
        known = Services(
            table=live,
            archive=Archive(store),
            links=Links(b"a secret of at least 32 bytes....", Archive(store)),
            hosts=Hosts(http_port=0),
            texts=Texts.load(),
            refusals=(CommandError,),
        )
        with Site(create_app(known), known.streams, (Door("127.0.0.1", 0),)) as site:
            url = f"http://127.0.0.1:{site.ports[0]}"
            yield Served(live, url, f"{url}/enter?token={known.links.token(Role.ORGANISER)}")


@pytest.fixture
def table(store: Store) -> Iterator[Served]:
    with served(store) as found:
        yield found


@pytest.fixture
def rack(tmp_path: Path) -> str:
    path = tmp_path / "rack.jpg"
    cv2.imwrite(str(path), blank())
    return str(path)


def test_a_rack_is_photographed_put_right_and_counted(
    chrome: Chrome, table: Served, rack: str
) -> None:
    table.live.command(
        "new_match", {"players": ["Ann", "Bob"], "changes": {"deal_two_players": 3}}
    )
    table.live.command("start_round", {"starter": "Ann"})
    chrome.delete_all_cookies()
    page = Tab(chrome)
    page.logged()
    chrome.get(table.link)
    page.tap("#actions details summary")
    page.tap("#actions [data-action=end_round]")
    assert not page.has("[data-key=read-Bob]")
    page.run(
        "document.querySelector('#dialog .rack:nth-of-type(2) input[type=file]').id = 'photo'"
    )
    chrome.find_element("id", "photo").send_keys(rack)
    page.tap("#dialog .tile.unsure")
    page.says("Glare covers the number.", "#dialog")
    assert page.find("#dialog canvas.crop").is_displayed()
    page.says("18 points", "#dialog")
    page.tap("#dialog .note details summary")
    page.tap("#dialog [data-face=B9]")
    page.says("21 points", "#dialog")
    page.wait(lambda: not page.has("#dialog .tile.unsure"))
    page.says("Not counted yet: Ann.", "#dialog")
    assert table.racks()["Bob"]["tiles"] == "R2 B9 K10"
    field = page.find("#dialog .rack:nth-of-type(1) input")
    field.send_keys("R1 R2 K3")
    page.find("#dialog .rack:nth-of-type(2) input").click()
    page.says("This would count: Ann 21 · Bob -21", "#dialog")
    page.tap("[data-key=count]")
    page.wait(lambda: table.live.snapshot()["match"]["rounds"])
    assert table.live.snapshot()["match"]["rounds"][0]["scores"] == {"Ann": 21, "Bob": -21}
    table.live.command("adjust", {"player": "Ann", "points": 5, "reason": "a bet"})
    chart = "return document.querySelector('#players .chart svg')?.getAttribute('aria-label')"
    page.wait(lambda: "Ann 26, Bob -21" in (page.run(chart) or ""))
    chrome.get(f"{table.url}/matches/1")
    assert page.text(".scores tbody tr:last-child") == "Other points 5 0"
    assert [line for line in page.logged() if line["level"] == "SEVERE"] == []
    chrome.get("about:blank")


def test_after_a_finished_match_and_a_restart_the_next_is_begun(
    chrome: Chrome, store: Store
) -> None:
    with served(store) as table:
        table.live.command("new_match", {"players": ["Ann", "Bob"]})
        table.live.command("stop", {})
    chrome.delete_all_cookies()
    page = Tab(chrome)
    with served(store) as table:
        chrome.get(table.link)
        page.tap("#actions [data-action=new_match]")
        for number, name in enumerate(("Cem", "Dee"), 1):
            page.find(f"#dialog .names li:nth-child({number}) input").send_keys(name)
        page.run("document.querySelector('#dialog form:not(.dialog-head)').requestSubmit()")
        page.says("Cem", "#players")
        chrome.get("about:blank")


def test_why_no_match_can_be_set_up_is_said(chrome: Chrome, table: Served) -> None:
    chrome.delete_all_cookies()
    page = Tab(chrome)
    chrome.get(table.link)
    page.find("#actions [data-action=new_match]")
    chrome.delete_all_cookies()
    page.tap("#actions [data-action=new_match]")
    page.says("link", ".toast")
    chrome.get("about:blank")


def test_a_match_that_somebody_else_began_meanwhile_is_not_left(
    chrome: Chrome, table: Served
) -> None:
    chrome.delete_all_cookies()
    page = Tab(chrome)
    chrome.get(table.link)
    page.tap("#actions [data-action=new_match]")
    for number, name in enumerate(("Ann", "Bob"), 1):
        page.find(f"#dialog .names li:nth-child({number}) input").send_keys(name)
    table.live.command("new_match", {"players": ["Cem", "Dee"]})
    page.says("Cem", "#players")
    page.wait(lambda: not page.run("return 'fresh' in document.body.dataset"))
    page.run("document.querySelector('#dialog form:not(.dialog-head)').requestSubmit()")
    page.says("Another match is played now", ".toast")
    assert [one["name"] for one in table.live.snapshot()["match"]["players"]] == ["Cem", "Dee"]
    chrome.get("about:blank")


def test_who_has_nothing_left_to_draw_passes(chrome: Chrome, table: Served) -> None:
    changes = {"deal_two_players": 52, "draw_count": 2}
    table.live.command("new_match", {"players": ["Ann", "Bob"], "changes": changes})
    table.live.command("start_round", {"starter": "Ann"})
    chrome.delete_all_cookies()
    page = Tab(chrome)
    chrome.get(table.link)
    page.says("Drew a tile", "#actions")
    page.tap("#actions [data-action=drew]")
    page.says("Passed", "#actions")
    page.tap("#actions [data-action=drew]")
    page.says("Ann", "#players h2")
    page.tap("#actions [data-action=drew]")
    page.says("The round is over.")
    chrome.get("about:blank")


_KEYS = "return [...document.querySelectorAll('#players .key')].map(key => key.innerText)"
_STROKES = """
    return [...document.querySelectorAll(arguments[0])].map(line => getComputedStyle(line))
      .map(style => `${style.stroke} ${style.strokeDasharray}`);
"""


def _round_won_by(table: Served, winner: str, names: list[str]) -> None:
    racks = {name: "" if name == winner else "R5" for name in names}
    table.live.command("start_round", {"starter": winner})
    table.live.command("end_round", {"racks": racks})


def test_every_player_has_a_line_that_is_like_no_other(chrome: Chrome, table: Served) -> None:
    names = [f"Player {number}" for number in range(1, 13)]
    changes = {"players_max": 12, "deal": 5}
    table.live.command("new_match", {"players": names, "changes": changes})
    chrome.delete_all_cookies()
    page = Tab(chrome)
    chrome.get(table.link)
    _round_won_by(table, "Player 12", names)
    page.wait(lambda: len(chrome.execute_script(_STROKES, "#players polyline")) == len(names))
    lines = chrome.execute_script(_STROKES, "#players polyline")
    assert len(set(lines)) == len(names)
    assert chrome.execute_script(_STROKES, "#players .key line") == lines
    before = dict(zip(page.run(_KEYS), lines, strict=True))
    _round_won_by(table, "Player 1", names)
    page.wait(lambda: page.run(_KEYS)[0] == "Player 1")
    lines = chrome.execute_script(_STROKES, "#players polyline")
    assert dict(zip(page.run(_KEYS), lines, strict=True)) == before
    chrome.get("about:blank")


def test_a_rack_that_should_hold_tiles_is_not_taken_for_empty_unasked(
    chrome: Chrome, table: Served
) -> None:
    long = "W" * 40
    table.live.command("new_match", {"players": [long, "Bob"]})
    table.live.command("start_round", {"starter": "Bob"})
    chrome.delete_all_cookies()
    page = Tab(chrome)
    chrome.get(table.link)
    page.tap("#actions details summary")
    page.tap("#actions [data-action=end_round]")
    assert page.run("return dialog.scrollWidth <= dialog.clientWidth")  # however long a name
    page.find("#dialog .rack:nth-of-type(2) input").send_keys("R1 R2 K3")
    page.tap("[data-key=count]")
    question = page.wait(lambda: alert_is_present()(chrome))
    assert f"left with {long}." in question.text
    question.dismiss()
    assert table.live.snapshot()["match"]["phase"] == "playing"
    page.tap("[data-key=count]")
    page.wait(lambda: alert_is_present()(chrome)).accept()
    page.says("Bob -6", "#dialog")
    assert not table.live.snapshot()["match"]["rounds"]
    page.says("Count it", "[data-key=count]")
    page.tap("[data-key=count]")
    page.wait(lambda: table.live.snapshot()["match"]["rounds"])
    chrome.get("about:blank")


def test_where_nobody_could_play_on_a_rack_that_was_forgotten_is_not_that_of_the_winner(
    chrome: Chrome, table: Served
) -> None:
    changes = {"deal_two_players": 53}
    table.live.command("new_match", {"players": ["Ann", "Bob"], "changes": changes})
    table.live.command("start_round", {"starter": "Ann"})
    for command in ("drew", "drew", "play_on", "drew", "drew"):
        table.live.command(command, {})
    chrome.delete_all_cookies()
    page = Tab(chrome)
    chrome.get(table.link)
    page.tap("#actions [data-action=end_round]")
    page.find("#dialog .rack:nth-of-type(2) input").send_keys("R1 R2 K3")
    page.tap("[data-key=count]")
    question = page.wait(lambda: alert_is_present()(chrome))
    assert "left with Ann." in question.text
    question.dismiss()
    chrome.get("about:blank")


@pytest.mark.parametrize(
    ("rules", "dealt"),
    [
        ({"ruleset": "mcgraw"}, [30, 36]),
        # As a match by house rules carries them, whose file is gone.
        (
            {"changes": {"name": "sunday", "title": "Sunday", "pick_bonus": True}},
            [28, 34],
        ),
    ],
)
def test_handfuls_that_are_worth_points_are_asked_for(
    chrome: Chrome, table: Served, rules: dict[str, Any], dealt: list[int]
) -> None:
    table.live.command("new_match", {"players": ["Ann", "Bob"], **rules})
    chrome.delete_all_cookies()
    page = Tab(chrome)
    chrome.get(table.link)
    page.tap("[data-action=start_round]")
    page.says("How many tiles were in each handful?", "#dialog")
    second = page.find("#dialog [aria-label='Bob, handful 2']")
    second.clear()
    page.tap("#dialog .choices .button:nth-of-type(2)")
    page.says("two whole numbers", ".toast")
    second.send_keys("20")
    page.tap("#dialog .choices .button:nth-of-type(2)")
    page.wait(lambda: table.live.snapshot()["match"]["turn"] == "Bob")
    players = table.live.snapshot()["match"]["players"]
    assert [player["rack"] for player in players] == dealt
    chrome.get("about:blank")


def test_games_won_are_shown_where_they_decide(chrome: Chrome, table: Served) -> None:
    table.live.command("new_match", {"players": ["Ann", "Bob"], "goal": "games", "amount": 2})
    table.live.command("start_round", {"starter": "Ann"})
    table.live.command("end_round", {"racks": {"Ann": "", "Bob": "R5"}})
    table.live.command("start_round", {"starter": "Bob"})
    chrome.delete_all_cookies()
    page = Tab(chrome)
    chrome.get(table.link)
    page.says("Won", "table.scores thead")
    assert page.text("table.scores tbody tr:nth-of-type(1)").endswith("14 5 1 1.")
    table.live.command("end_round", {"racks": {"Ann": "", "Bob": "R5"}})
    page.says("Ann won", "#players")
    chrome.get(f"{table.url}/matches/1")
    assert page.text(".scores tfoot tr:last-child") == "Won 2 0"
    chrome.get("about:blank")


def test_who_may_only_draw_without_a_move_is_reminded(chrome: Chrome, table: Served) -> None:
    changes = {"must_play_from": 22}
    table.live.command(
        "new_match", {"players": ["Ann", "Bob"], "ruleset": "rummibug", "changes": changes}
    )
    table.live.command("start_round", {"starter": "Ann"})
    chrome.delete_all_cookies()
    page = Tab(chrome)
    chrome.get(table.link)
    page.says("Drew a tile", "#actions")
    assert "so many tiles" not in page.text("#actions")
    table.live.command("drew", {})
    table.live.command("drew", {})
    page.says("Ann has so many tiles", "#actions")
    chrome.get("about:blank")


def test_a_round_of_several_games_is_told_apart_from_them(chrome: Chrome, table: Served) -> None:
    match = {"players": ["Ann", "Bob"], "ruleset": "keadle", "goal": "rounds", "amount": 2}
    table.live.command("new_match", match)
    _round_won_by(table, "Ann", ["Ann", "Bob"])
    _round_won_by(table, "Ann", ["Ann", "Bob"])
    table.live.command("start_round", {"starter": "Ann"})
    chrome.delete_all_cookies()
    page = Tab(chrome)
    chrome.get(table.link)
    page.says("Round 2, game 1 ·", "#players")
    chrome.get(f"{table.url}/matches/1")
    assert page.text(".scores thead th") == "Game"
    chrome.get("about:blank")


def test_who_ends_a_match_in_a_round_is_told_that_it_would_not_count(
    chrome: Chrome, table: Served
) -> None:
    table.live.command("new_match", {"players": ["Ann", "Bob"]})
    chrome.delete_all_cookies()
    page = Tab(chrome)
    chrome.get(table.link)
    page.tap("#actions details summary")
    for told in (False, True):
        page.tap("#actions [data-action=stop]")
        question = page.wait(lambda: alert_is_present()(chrome))
        assert ("The round that is being played would not count." in question.text) is told
        question.dismiss()
        if not told:
            table.live.command("start_round", {"starter": "Ann"})
            page.says("Ann's turn", "#players")
    chrome.get("about:blank")


def test_free_tiles_are_asked_for_and_put_right(chrome: Chrome, table: Served) -> None:
    table.live.command("new_match", {"players": ["Ann", "Bob"], "ruleset": "mcgraw"})
    chrome.delete_all_cookies()
    page = Tab(chrome)
    chrome.get(table.link)
    page.tap("[data-action=start_round]")
    page.says("The 8 free tiles", "#dialog")
    page.find("[data-key=free-tiles]").send_keys("b9 k13 o1 o3 o3 o5 o6")
    page.tap("#dialog .choices .button")
    page.says("expected 8 free tiles, got 7", "#dialog .toast")
    page.find("[data-key=free-tiles]").send_keys(" r9")
    page.tap("#dialog .choices .button")
    dealt = page.wait(lambda: table.live.snapshot()["history"][1:])[0]
    assert dealt["free_tiles"] == "B9 K13 O1 O3 O3 O5 O6 R9"
    page.tap(f"[data-key=edit-{dealt['seq']}]")
    page.find("[data-key=free-tiles]").clear()
    page.tap("#dialog .choices .button:nth-of-type(2)")
    page.wait(lambda: table.live.snapshot()["match"]["turn"] == "Bob")
    assert table.live.snapshot()["history"][1]["free_tiles"] == ""
    table.live.command("end_round", {"racks": {"Ann": "", "Bob": "R5"}})
    page.tap("[data-action=start_round]")
    page.says("By the rules it is Bob.", "#dialog")
    assert page.text("#dialog .choices .main") == "Bob"
    chrome.get("about:blank")


def test_a_rack_that_nobody_can_count_is_photographed_too(chrome: Chrome, table: Served) -> None:
    players, changes = ["Ann", "Bob"], {"deal_two_players": 3}
    table.live.command("new_match", {"players": players, "changes": changes})
    table.live.command("start_round", {"starter": "Ann"})
    table.live.command("drew", {})
    six = {"event": "Played", "table": "R10 R11 R12 | B10 B11 B12"}
    drawn = table.live.snapshot()["history"][-1]["seq"]
    table.live.command("edit_event", {"seq": drawn, "event": six})
    chrome.delete_all_cookies()
    page = Tab(chrome)
    chrome.get(table.link)
    page.says("?", "table.scores tbody tr:nth-of-type(1)")
    page.says("3", "table.scores tbody tr:nth-of-type(2)")
    page.tap("#actions details summary")
    page.tap("#actions [data-action=end_round]")
    assert page.find("#dialog .rack:nth-of-type(1) label.button").is_displayed()
    chrome.get("about:blank")


def _opened(chrome: Chrome, table: Served, *players: str) -> Tab:
    """Return a page on which the racks of a round are being told."""
    table.live.command("new_match", {"players": list(players)})
    table.live.command("start_round", {"starter": players[0]})
    chrome.delete_all_cookies()
    page = Tab(chrome)
    chrome.get(table.link)
    page.tap("#actions details summary")
    page.tap("#actions [data-action=end_round]")
    return page


def test_what_was_typed_for_one_round_never_counts_for_the_next(
    chrome: Chrome, table: Served
) -> None:
    page = _opened(chrome, table, "Ann", "Bob")
    page.find("#dialog .rack:nth-of-type(2) input").send_keys("R13 K13")
    table.live.command("end_round", {"racks": {"Ann": "R1", "Bob": ""}})
    table.live.command("start_round", {"starter": "Bob"})
    page.says("This round has been counted already.", ".toast")
    page.wait(lambda: not page.has("dialog[open]"))
    chrome.get("about:blank")


def test_the_sum_is_shown_before_what_was_typed_last_counts(chrome: Chrome, table: Served) -> None:
    page = _opened(chrome, table, "Ann", "Bob")
    page.find("#dialog .rack:nth-of-type(1) input").send_keys("r1")
    page.find("#dialog .rack:nth-of-type(2) input").send_keys("r5, k7")
    page.says("Add up", "[data-key=count]")
    page.tap("[data-key=count]")
    page.says("This would count: Ann 12 · Bob -12", "#dialog")
    assert not table.live.snapshot()["match"]["rounds"]
    page.says("Count it", "[data-key=count]")
    page.tap("[data-key=count]")
    page.wait(lambda: table.live.snapshot()["match"]["rounds"])
    chrome.get("about:blank")


@contextmanager
def in_a_round(chrome: Chrome, table: Served, **more: object) -> Iterator[Tab]:
    """Show a round in which it is Ann's turn."""
    table.live.command("new_match", {"players": ["Ann", "Bob"], **more})
    table.live.command("start_round", {"starter": "Ann"})
    chrome.delete_all_cookies()
    chrome.get(table.link)
    yield Tab(chrome)
    chrome.get("about:blank")


LOSE_THE_ANSWER = """
const ask = window.fetch;
window.fetch = async (...given) => {
  window.fetch = ask;
  await ask(...given);
  throw new TypeError('lost');
};
"""


@pytest.mark.parametrize("lost", [False, True])
def test_what_is_tapped_again_draws_once(chrome: Chrome, table: Served, lost: bool) -> None:
    drew = "#actions [data-action=drew]"
    with in_a_round(chrome, table) as page:
        page.find(drew)
        if lost:
            page.run(LOSE_THE_ANSWER)
        page.tap(drew)
        if lost:
            page.says("The server does not answer.", ".toast")
        page.says("Bob", "#players h2")
        page.run("document.querySelector(arguments[0]).click()", drew)
        page.says("The match has gone on in the meantime", ".toast")
        assert [one["rack"] for one in table.live.snapshot()["match"]["players"]] == [15, 14]
        page.tap(drew)
        page.says("Ann", "#players h2")


TAP_TWICE = """
const [first, second, done] = arguments;
const { x, y, width, height } = document.querySelector(first).getBoundingClientRect();
const at = { clientX: x + width / 2, clientY: y + height / 2 };
const tap = (on) => on.dispatchEvent(
  new MouseEvent('click', { ...at, detail: 1, bubbles: true, cancelable: true }));
new MutationObserver((_, all) => {
  const come = document.querySelector(second);
  if (come) { all.disconnect(); done(tap(come)); }
}).observe(document.body, { childList: true, subtree: true });
tap(document.querySelector(first));
"""


def test_a_double_tap_does_not_press_what_has_come_there(chrome: Chrome, table: Served) -> None:
    pause, resume = (f"[data-action={one}_clock]" for one in ("pause", "resume"))
    with in_a_round(chrome, table, timer_s=60) as page:
        page.find(pause)
        assert chrome.execute_async_script(TAP_TWICE, pause, resume) is False
        assert table.live.snapshot()["clock"]["paused"]


def test_a_match_is_brought_in_once_however_often_it_is_tapped(
    chrome: Chrome, table: Served, store: Store, tmp_path: Path
) -> None:
    table.live.command("new_match", {"players": ["Ann", "Bob"]})
    path = tmp_path / "match.zip"
    with path.open("wb") as file:
        Archive(store).export_zip(1, file)
    table.live.command("adjust", {"player": "Ann", "points": 5})  # else it is here already
    chrome.delete_all_cookies()
    chrome.get(table.link)
    chrome.get(f"{table.url}/matches")
    page = Tab(chrome)
    page.find("input[type=file]").send_keys(str(path))
    slow = {"offline": False, "latency": 2000, "downloadThroughput": -1, "uploadThroughput": -1}
    chrome.execute_cdp_cmd("Network.enable", {})
    chrome.execute_cdp_cmd("Network.emulateNetworkConditions", slow)
    try:
        page.run(
            "const again = document.querySelector('form .button'); again.click();"
            "setTimeout(() => again.click(), 700)"
        )
        page.wait(lambda: chrome.current_url.endswith("/matches/2"), "it is not brought in")
    finally:
        chrome.execute_cdp_cmd("Network.disable", {})
    assert len(store.matches()) == 2
    chrome.back()
    page.wait(lambda: page.find("#bring-in").is_enabled())
    chrome.get("about:blank")


def test_what_is_typed_is_not_lost_when_another_rack_is_read(organiser: Page) -> None:
    organiser.preview.table.show({**scenes._scoring(), "leftovers": None})
    organiser.tap("[data-action=end_round]")
    boxes = organiser.chrome.find_elements("css selector", "#dialog .rack > input")
    boxes[1].send_keys("R3")
    organiser.preview.table.show(scenes._scoring())
    organiser.says("55 points", "#dialog")
    assert boxes[1].get_attribute("value") == "R3"
    assert boxes[2].get_attribute("value") == "O9 O13 K1 K2 J"


def test_the_winner_has_no_rack_to_photograph(organiser: Page) -> None:
    organiser.preview.table.show(scenes._scoring())
    organiser.tap("[data-action=end_round]")
    racks = organiser.chrome.find_elements("css selector", "#dialog .rack")
    assert [len(rack.find_elements("css selector", "input[type=file]")) for rack in racks] == [
        0, 1, 1
    ]  # fmt: skip
    organiser.says("tap them and say what they are", "#dialog")
    assert overhang_px(organiser) == 0
