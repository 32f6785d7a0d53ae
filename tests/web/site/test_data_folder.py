from __future__ import annotations

import errno
import os
import stat
import sys
import tempfile
import threading
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from web.site.data_folder import DataFolder, DataFolderError, usual_folder
from web.store import open_store

posix = pytest.mark.skipif(os.name != "posix", reason="modes are those of POSIX")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@posix
def test_folder_and_secret_are_for_their_owner_only(tmp_path: Path) -> None:
    folder = DataFolder.open(tmp_path / "a" / "data")
    secret = folder.secret()
    assert len(secret) == 32
    assert mode(folder.path) == 0o700
    assert mode(folder.path / "secret.key") == 0o600
    assert [path.name for path in folder.path.iterdir()] == ["secret.key"]


def test_the_secret_stays_and_each_folder_has_its_own(tmp_path: Path) -> None:
    folder = DataFolder.open(tmp_path / "a")
    assert folder.secret() == folder.secret()
    assert folder.secret() != DataFolder.open(tmp_path / "b").secret()


@posix
def test_a_secret_that_others_can_read_is_closed_to_them(tmp_path: Path) -> None:
    folder = DataFolder.open(tmp_path)
    folder.secret()
    (tmp_path / "secret.key").chmod(0o644)
    folder.secret()
    assert mode(tmp_path / "secret.key") == 0o600


def test_programs_that_start_at_once_share_one_secret(tmp_path: Path) -> None:
    together, found = threading.Barrier(8), []

    def ask() -> None:
        together.wait()
        found.append(DataFolder.open(tmp_path).secret())

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert len(set(found)) == 1


def test_one_table_is_served_from_a_folder_at_a_time(tmp_path: Path) -> None:
    folder = DataFolder.open(tmp_path)
    with folder.claimed():
        with pytest.raises(DataFolderError, match="meldwatch link organiser"):
            folder.claimed().__enter__()
        with DataFolder.open(tmp_path / "other").claimed():
            pass
    with folder.claimed():
        pass


def test_a_table_is_served_where_nothing_can_be_locked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def acquire(_lock: object) -> None:
        raise NotImplementedError("no locks here")

    monkeypatch.setattr("web.site.data_folder.FileLock.acquire", acquire)
    with DataFolder.open(tmp_path).claimed():
        assert "no locks here" in caplog.text


def test_what_cannot_be_used_is_told_in_words(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(DataFolderError, match="--data"):
        DataFolder.open(tmp_path / "file" / "data")
    (tmp_path / "secret.key").write_bytes(b"short")
    with pytest.raises(DataFolderError, match="delete it"):
        DataFolder(tmp_path).secret()


def test_a_full_disk_is_told_and_nothing_half_done_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_count: int) -> bytes:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("web.site.data_folder.secrets.token_bytes", full)
    with pytest.raises(DataFolderError, match="No space left on device"):
        DataFolder(tmp_path).secret()
    assert list(tmp_path.iterdir()) == []


def test_settings_lie_in_the_folder(tmp_path: Path) -> None:
    folder = DataFolder.open(tmp_path)
    assert folder.settings is None
    (tmp_path / "settings.toml").write_text("")
    assert folder.settings == tmp_path / "settings.toml"


@settings(max_examples=15, deadline=None)
@given(name=st.text(st.characters(codec="utf-8", exclude_characters="/\0"), max_size=40))
@example(name="Wer gewinnt?")
@example(name="100%20")
def test_matches_lie_in_the_folder_whatever_its_name(name: str) -> None:
    with tempfile.TemporaryDirectory() as parent:
        folder = DataFolder.open(Path(parent) / f"of {name}")
        open_store(folder.store).close()
        assert [*Path(parent).iterdir()] == [folder.path]
        assert folder.store in folder.path.iterdir()


@pytest.mark.skipif(sys.platform == "win32", reason="paths are those of POSIX")
@pytest.mark.parametrize(
    ("platform", "env", "expected"),
    [
        ("linux", {"HOME": "/home/ann"}, "/home/ann/.local/share/meldwatch"),
        ("darwin", {"HOME": "/Users/ann"}, "/Users/ann/Library/Application Support/Meldwatch"),
        ("win32", {"HOME": "/u", "LOCALAPPDATA": "/u/Local"}, "/u/Local/Meldwatch"),
    ],
)
def test_each_system_has_its_usual_folder(
    platform: str, env: dict[str, str], expected: str
) -> None:
    assert usual_folder(platform, env) == Path(expected)


def test_who_has_no_home_gets_a_whole_path(monkeypatch: pytest.MonkeyPatch) -> None:
    assert usual_folder("linux", {"HOME": "", "XDG_DATA_HOME": "/data"}) == Path("/data/meldwatch")
    assert usual_folder("linux", {"HOME": ""}).is_absolute()

    def unknown() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", unknown)
    assert usual_folder("linux", {}) == Path("/.local/share/meldwatch")
