from __future__ import annotations

import tomllib
from collections import Counter
from dataclasses import fields
from pathlib import Path

import pytest
from click.testing import CliRunner

from vision.cameras import FeedSettings
from vision.watching.settings import WatchSettings
from web.cli import cli
from web.live.settings import LiveSettings
from web.settings import (
    SettingsError,
    load_settings,
    section_of,
    sections,
    settings_and_folder,
)
from web.settings_sections import Feeds, Settings
from web.settings_table import Table, Watching
from web.settings_text import settings_markdown, settings_toml

MANUAL = Path(__file__).parents[2] / "docs" / "settings.md"


def test_every_setting_has_a_meaning_a_unit_and_bounds() -> None:
    for section, model in sections().items():
        assert model.__doc__, section
        for name, field in model.model_fields.items():
            assert field.description, name
            assert field.description.endswith("."), name
            if field.annotation in {int, float}:
                assert field.metadata, f"{name} has no bounds"


def test_no_two_settings_share_a_name() -> None:
    names = Counter(name for model in sections().values() for name in model.model_fields)
    assert names.most_common(1)[0][1] == 1


def test_no_setting_of_the_parts_is_forgotten() -> None:
    assert set(Feeds.model_fields) == {field.name for field in fields(FeedSettings)}
    assert set(Watching.model_fields) == {field.name for field in fields(WatchSettings)}
    assert {*Table.model_fields, "house"} == {field.name for field in fields(LiveSettings)}


def test_the_manual_lists_the_settings_as_they_are() -> None:
    assert MANUAL.read_text(encoding="utf-8") == settings_markdown()


def test_the_printed_file_is_read_as_the_defaults(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text(settings_toml(Settings()), encoding="utf-8")
    assert load_settings(path) == Settings()


def test_flags_go_before_the_file(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text("[pages]\nport = 81\nhttps_port = 82\n")
    found = load_settings(path, {"port": 83, "quiet_s": 1.5})
    assert (found.pages.port, found.pages.https_port, found.watching.quiet_s) == (83, 82, 1.5)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[pages]\nprot = 1", "pages.prot is no setting; did you mean port?"),
        ("[pags]\nport = 1", "pags is no section; did you mean pages?"),
        ("[links]\nwhatever = 1", "there are organiser_link_h, link_h, session_h"),
        ("[pages]\nport = 99999", "pages.port: expected at most 65535, got 99999"),
        ("[pages]\nport = 'x'", 'pages.port: expected a whole number, got "x"'),
        ("[limits]\nstreams = 0", "limits.streams: expected at least 1, got 0"),
        ("[links]\nlink_h = 0", "links.link_h: expected more than 0"),
        ("[pages]\nport = true", "pages.port: expected a number, got true"),
        ("[pages]\nlanguage = 'xx'", 'pages.language: expected one of de, en, got "xx"'),
        ("[pages]\nhost = 3", "pages.host: expected text in quotes, got 3"),
        ("[pages]\nhost = ''", 'pages.host: expected an address or a name, got ""'),
        ("[keeping]\ndata = '~nobody here/x'", "keeping.data: expected a folder of somebody who"),
        ("[pages]\nbrowser = 'x'", "pages.browser: expected true or false"),
        ("[pages]\nport = 9\nhttps_port = 9", "https_port: expected another port than for http"),
        ("[cameras]\ncamera = '0'", 'cameras.camera: expected a list, such as ["one", "two"]'),
        ("pages = 7", "pages: expected a section of settings, got 7"),
        ("[pages", "is not valid TOML"),
        (
            "[table]\nruleset = 'kedle'",
            "table.ruleset: no ruleset 'kedle'; did you mean 'keadle'?",
        ),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "settings.toml"
    path.write_text(text)
    with pytest.raises(SettingsError) as refused:
        load_settings(path)
    assert message in str(refused.value)
    assert str(path) in str(refused.value)


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("sunday.toml", 'extends = "standard"\nopenning = 40', "unknown parameter 'openning'"),
        ("sunday.toml", "deal = 12", 'put extends = "standard" at the top'),
        ("sunday.toml", None, "sunday.toml: cannot be read: No such file"),
        ("keadle.toml", 'extends = "standard"', "one of our own rulesets; give your file another"),
    ],
)
def test_what_is_wrong_with_house_rules_is_named(
    tmp_path: Path, file: str, text: str | None, message: str
) -> None:
    path = tmp_path / file
    if text is not None:
        path.write_text(text)
    with pytest.raises(SettingsError) as refused:
        load_settings(None, {"ruleset": str(path)})
    assert message in str(refused.value)
    assert f"settings: table.ruleset: {path}: " in str(refused.value)


def test_house_rules_of_a_file_are_taken(tmp_path: Path) -> None:
    path = tmp_path / "sunday.toml"
    path.write_text('extends = "standard"\nopening_threshold = 50')
    assert load_settings(None, {"ruleset": str(path)}).table.ruleset == str(path)


def test_a_mark_that_an_editor_put_at_the_beginning_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text("[pages]\nport = 8001\n", encoding="utf-8-sig")
    assert load_settings(path).pages.port == 8001


def test_settings_are_taken_from_the_data_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr("sys.platform", "linux")
    usual, second = tmp_path / "meldwatch", tmp_path / "second"
    for folder, port in ((usual, 81), (second, 82)):
        folder.mkdir()
        (folder / "settings.toml").write_text(f"[pages]\nport = {port}\n", encoding="utf-8")
    at_second = {"data": str(second)}
    for flags, port, folder in (
        ({}, 81, usual),
        (at_second, 82, second),
        ({**at_second, "port": 83}, 83, second),
        ({"data": str(tmp_path / "none")}, 81, tmp_path / "none"),
    ):
        found, path = settings_and_folder(None, flags)
        assert (found.pages.port, path) == (port, folder)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="No such file"):
        load_settings(tmp_path / "none.toml")


def test_settings_are_found_by_name() -> None:
    assert {section_of(name) for name in ("link_h", "session_h")} == {"links"}


def test_the_command_prints_a_file_that_tells_everything() -> None:
    printed = CliRunner().invoke(cli, ["settings"])
    assert printed.exit_code == 0
    values = tomllib.loads(printed.stdout)
    assert values["pages"]["port"] == 8765
    assert "# port, from 0 to 65535; default 8765\nport = 8765" in printed.stdout
    assert CliRunner().invoke(cli, ["settings", "--markdown"]).stdout == settings_markdown()


def test_the_command_checks_a_file(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text("[pages]\nport = 81\n")
    checked = CliRunner().invoke(cli, ["settings", str(path)])
    assert "port = 81" in checked.stdout
    path.write_text("[pages]\nprot = 81\n")
    refused = CliRunner().invoke(cli, ["settings", str(path)])
    assert refused.exit_code == 1
    assert "did you mean port?" in refused.output
