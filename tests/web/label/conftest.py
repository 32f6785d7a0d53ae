from __future__ import annotations

import pytest


@pytest.fixture
def ended(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Let the command end as soon as its page is served; hold what it was served at."""
    served: list[str] = []

    def end(address: str, *, browser: bool) -> None:
        assert not browser
        served.append(address)

    monkeypatch.setattr("web.label_command._wait", end)
    return served
