"""Take the pictures of the manual: `python -m tests.web.browser.screenshots`.

They show the recorded game as `meldwatch serve --demo` plays it, seen in a real browser.
"""

from __future__ import annotations

import re
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from tests.web.browser.chromium import browser

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selenium.webdriver import Chrome

PICTURES = Path(__file__).parents[3] / "docs" / "pictures"
PATIENCE_S = 240
WANTED = (
    ("A legal turn by Ann: 22 points", "legal.png"),
    ("not legal yet", "illegal.png"),
    ("Blue 13", "joker.png"),
)


def links() -> Iterator[tuple[subprocess.Popen[str], str, str]]:
    """Play the demo, and yield its links for the organiser and for spectators."""
    program = "from web.cli import main; main()"
    command = [sys.executable, "-c", program, "serve", "--demo", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as serving:  # noqa: S603
        found = []
        for line in serving.stdout or ():
            found += re.findall(r"https?://\S+/enter\?token=\S+", line)
            if "Ctrl-C" in line:
                break
        yield serving, found[0], next(link for link in found[::-1])
        serving.terminate()
        serving.communicate()


def save(chrome: Chrome, name: str) -> None:
    """Save what is seen, in few enough colours for a small file."""
    pixels: Any = cv2.imdecode(
        np.frombuffer(chrome.get_screenshot_as_png(), np.uint8), cv2.IMREAD_COLOR
    )
    PICTURES.mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(PICTURES / name), pixels, [cv2.IMWRITE_PNG_COMPRESSION, 9])


def main() -> None:
    """Take every picture."""
    for _, organiser, spectator in links():
        with browser(1280, 960) as desk, browser(390, 844, dark=True) as phone:
            desk.get(organiser)
            phone.get(spectator)
            give_up_s = time.monotonic() + PATIENCE_S
            for words, name in WANTED:
                while time.monotonic() < give_up_s:
                    shown = desk.execute_script(
                        "return document.querySelector('#verdict')?.innerText ?? ''"
                    )
                    if words in shown:
                        time.sleep(0.7)  # the live picture follows the verdict
                        save(desk, name)
                        break
                    time.sleep(0.2)
            save(phone, "phone.png")


if __name__ == "__main__":
    main()
