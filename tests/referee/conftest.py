"""What tests of the referee share."""

from importlib import import_module

import pytest


@pytest.fixture
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the best play be looked for as long as it takes: what counts is the answer."""
    monkeypatch.setattr(import_module("referee.best_play"), "_SECONDS", 60.0)
