"""What a person does on a page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from selenium.common.exceptions import (
    ElementClickInterceptedException,
    StaleElementReferenceException,
)
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

if TYPE_CHECKING:
    from collections.abc import Callable

    from selenium.webdriver import Chrome
    from selenium.webdriver.remote.webelement import WebElement

    from web.site.preview import Preview

PATIENCE_S = 60
POLL_S = 0.05
NEVER_ANSWERED = """
const timeout = AbortSignal.timeout.bind(AbortSignal), ask = window.fetch;
AbortSignal.timeout = () => timeout(300);
window.fetch = (_path, { signal }) => new Promise((_done, failed) => {
  signal?.addEventListener('abort', () => failed(signal.reason)); });
window.back = () => { window.fetch = ask; };
"""
"""What is asked for gets no answer, and is given up soon, until `back()` is called."""


_COMES_TO_REST = """
const [element, done] = arguments;
element.scrollIntoView({block: "center"});
const {top, left} = element.getBoundingClientRect();
setTimeout(() => {
  const now = element.getBoundingClientRect();
  done(element.isConnected && now.top === top && now.left === left);
}, 50);
"""


@dataclass(frozen=True, slots=True)
class Tab:
    """A page in a browser."""

    chrome: Chrome

    def find(self, selector: str) -> WebElement:
        """Wait for an element that can be seen."""
        found: WebElement = self.wait(lambda: self._seen(selector), f"no {selector}")
        return found

    def _seen(self, selector: str) -> WebElement | None:
        found = self.chrome.find_elements(By.CSS_SELECTOR, selector)
        return next((one for one in found if one.is_displayed()), None)

    def _looked_at(self) -> bool:
        """Whether what the page shows is there for so long that somebody can have seen it."""
        return not self.run(
            "const { fresh, moved } = document.body.dataset; return (fresh ?? moved) === ''"
        )

    def _tapped(self, selector: str) -> bool:
        found = self._seen(selector)
        if found is None or not self._looked_at():
            return False
        if not self.chrome.execute_async_script(_COMES_TO_REST, found):
            return False  # what comes later moves it, and another one would be tapped
        try:
            found.click()
        except ElementClickInterceptedException:
            return False  # the page was drawn anew on the way, or something passes before it
        return True

    def has(self, selector: str) -> bool:
        """Whether an element is on the page now."""
        return bool(self.chrome.find_elements(By.CSS_SELECTOR, selector))

    def tap(self, selector: str) -> None:
        """Tap an element once it is there, wherever it must be scrolled to."""
        self.wait(lambda: self._tapped(selector), f"{selector} cannot be tapped")

    def press(self, key: str) -> None:
        """Press a key with nothing focused."""
        self.wait(self._looked_at)
        self.run("document.activeElement?.blur()")
        self.chrome.find_element(By.TAG_NAME, "body").send_keys(
            Keys.ENTER if key == "Enter" else key
        )

    def text(self, selector: str) -> str:
        """Return what can be read in an element."""
        return self.find(selector).text

    def run(self, script: str, *given: object) -> Any:  # noqa: ANN401 - whatever the script gives
        """Run a script in the page."""
        return self.chrome.execute_script(script, *given)

    def logged(self) -> list[dict[str, Any]]:
        """Return what the browser has logged since the last time."""
        return list(self.chrome.get_log("browser"))  # type: ignore[no-untyped-call]

    def wait(self, condition: Callable[[], Any], words: str = "nothing came") -> Any:  # noqa: ANN401
        """Wait until a condition gives something true, and return that.

        What is drawn anew while the condition looks at it is looked at again.
        """
        gone = [StaleElementReferenceException]
        waiting = WebDriverWait(self.chrome, PATIENCE_S, POLL_S, ignored_exceptions=gone)
        return waiting.until(lambda _: condition(), words)

    def says(self, words: str, selector: str = "#verdict") -> None:
        """Wait until an element says something."""
        self.wait(
            lambda: words in self.chrome.find_element(By.CSS_SELECTOR, selector).text,
            f"{selector} does not say {words!r}",
        )


@dataclass(frozen=True, slots=True)
class Page(Tab):
    """A page over a canned table."""

    preview: Preview

    def commands(self) -> list[tuple[str, dict[str, Any]]]:
        """Return what the server was asked to do."""
        return list(self.preview.table.commands)

    def asked(self, name: str) -> dict[str, Any]:
        """Wait until the server was asked for a command; return its values.

        The match and how many records of it the page knew of go with every one, so that a double
        tap counts once.
        """
        found = self.wait(
            lambda: [values for asked, values in self.commands() if asked == name],
            f"{name} was not asked for",
        )
        values = dict(found[-1])
        assert values.pop("records") is not None
        values.pop("match")
        return values
