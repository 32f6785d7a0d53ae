"""A real browser without a window, where one is installed."""

from __future__ import annotations

import os
import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from selenium.webdriver import Chrome, ChromeOptions, ChromeService

if TYPE_CHECKING:
    from collections.abc import Iterator

NONE_FOUND = "no chromium and chromedriver are installed (Debian: chromium chromium-driver)"
USUAL_PX = 16
_WHOLE = ("chromium", "chromium-browser", "google-chrome")
# It has no window that nobody sees, nor all that stands around a page: half the work.
_SHELL = "chromium-headless-shell"


def programs(*, whole: bool = True) -> tuple[str, str] | None:
    """Return the browser and its driver; None where there are none.

    Without `whole`, it may be one that can only show pages.
    """
    names = _WHOLE if whole else (_SHELL, *_WHOLE)
    found = next((path for name in names if (path := shutil.which(name))), None)
    driver = shutil.which("chromedriver")
    return (found, driver) if found and driver else None


@contextmanager
def browser(
    width: int, height: int, *, dark: bool = False, camera: bool = False, font_px: int = USUAL_PX
) -> Iterator[Chrome]:
    """Open a browser whose page has that size in pixels, and whose user wants text of that size.

    With cameras it has three that show a test picture, and trusts every certificate.
    """
    found = programs(whole=camera or font_px != USUAL_PX)
    if found is None:
        raise FileNotFoundError(NONE_FOUND)
    options = ChromeOptions()
    options.binary_location = found[0]
    flags = ["--headless=new", "--disable-gpu", "--hide-scrollbars", "--mute-audio", "--lang=en"]
    if getattr(os, "geteuid", lambda: 1)() == 0:
        flags.append("--no-sandbox")  # chromium as root has no other way
    if dark:
        flags.append("--blink-settings=preferredColorScheme=0")
    if camera:
        flags.append("--use-fake-device-for-media-stream=device-count=3")
        flags += ["--use-fake-ui-for-media-stream", "--ignore-certificate-errors"]
    for flag in flags:
        options.add_argument(flag)
    chosen = {"intl.accept_languages": "en", "webkit.webprefs.default_font_size": font_px}
    options.add_experimental_option("prefs", chosen)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    metrics: dict[str, Any] = {"width": width, "height": height, "pixelRatio": 1.0}
    options.add_experimental_option("mobileEmulation", {"deviceMetrics": metrics})
    driver = Chrome(options=options, service=ChromeService(found[1]))
    try:
        yield driver
    finally:
        driver.quit()
