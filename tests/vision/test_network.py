"""Loading networks."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

LOAD = "from vision.network import load_network; load_network('corners', threads=1)"
# Each of these keeps the run-time silent by itself.
SILENCING = {"ORT_DISABLE_TELEMETRY", "CI", "GITHUB_ACTIONS", "TF_BUILD"}


def test_the_run_time_tells_nobody_and_marks_no_machine(tmp_path: Path) -> None:
    homes = dict.fromkeys(("HOME", "USERPROFILE", "LOCALAPPDATA"), str(tmp_path))
    kept = {name: value for name, value in os.environ.items() if name not in SILENCING}
    kept.pop("XDG_CACHE_HOME", None)
    subprocess.run([sys.executable, "-c", LOAD], env=kept | homes, check=True)  # noqa: S603
    # It would keep the machine's number, and what it could not send yet, in the user's cache.
    assert list(tmp_path.rglob("*")) == []
