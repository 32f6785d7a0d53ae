"""Stores of both kinds; PostgreSQL runs for the tests alone, where it is installed."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from web.store import Store, open_store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

POSTGRES_USER = "postgres"


def _binary(name: str) -> str | None:
    known = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return str(known[-1]) if known else shutil.which(name)


def _run(*words: str) -> None:
    # PostgreSQL refuses to run as root.
    who = ["runuser", "-u", POSTGRES_USER, "--"] if os.geteuid() == 0 else []
    subprocess.run([*who, *words], check=True, capture_output=True, timeout=60, cwd="/")  # noqa: S603


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    initdb, control = _binary("initdb"), _binary("pg_ctl")
    if initdb is None or control is None:
        pytest.skip("PostgreSQL is not installed (Debian: postgresql)")
    if os.geteuid() == 0 and shutil.which("runuser") is None:
        pytest.skip("PostgreSQL does not run as root, and there is no runuser")
    folder = Path(f"/tmp/meldwatch-pg-{os.getpid()}")  # noqa: S108 - a socket's path must be short
    folder.mkdir(mode=0o700)
    if os.geteuid() == 0:
        shutil.chown(folder, POSTGRES_USER)
    data = str(folder / "data")
    try:
        _run(initdb, "-D", data, "-A", "trust", "-U", POSTGRES_USER, "--no-sync")
        _run(control, "-D", data, "-w", "-l", str(folder / "log"), "-o",
             f"-k {folder} -c listen_addresses=''", "start")  # fmt: skip
        yield f"postgresql+psycopg://{POSTGRES_USER}@/postgres?host={folder}"
    finally:
        subprocess.run(  # noqa: S603
            ["runuser", "-u", POSTGRES_USER, "--", control, "-D", data, "-m", "immediate", "stop"]
            if os.geteuid() == 0
            else [control, "-D", data, "-m", "immediate", "stop"],
            check=False, capture_output=True, timeout=60, cwd="/",
        )  # fmt: skip
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'matches.sqlite'}"
    return str(request.getfixturevalue("postgresql"))


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    with open_store(url) as opened:
        yield opened


@pytest.fixture
def reopened(url: str) -> Iterator[Callable[[], Store]]:
    """Open the same store again, as another program would."""
    opened: list[Store] = []

    def again() -> Store:
        opened.append(open_store(url))
        return opened[-1]

    yield again
    for one in opened:
        one.close()
