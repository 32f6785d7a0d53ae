"""What a person does on a page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from selenium.common.exceptions import (
    ElementClickInterceptedException,
    JavascriptException,
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


# A script that asks again and again in the page costs a fraction of a driver that does.
_WAITS = """
const given = [...arguments], done = given.pop(), until = performance.now() + 1000;
const seen = (selector) => [...document.querySelectorAll(selector)].find((one) => {
  const { width, height } = one.getBoundingClientRect();
  return width * height > 0 && one.checkVisibility({
    contentVisibilityAuto: true, opacityProperty: true, visibilityProperty: true });
});
const looked = () => {
  const { fresh, moved } = document.body.dataset;
  return (fresh ?? moved) !== "";
};
const sleep = (ms) => new Promise((over) => { setTimeout(over, ms); });
const rests = async (element) => {
  element.scrollIntoView({ block: "center" });
  const before = element.getBoundingClientRect();
  await sleep(50);
  const now = element.getBoundingClientRect();
  return element.isConnected && now.top === before.top && now.left === before.left;
};
const look = async () => { %s };
(async () => {
  let found = await look();
  while (!found && performance.now() < until) {
    await sleep(20);
    found = await look();
  }
  done(found);
})();
"""


@dataclass(frozen=True, slots=True)
class Tab:
    """A page in a browser."""

    chrome: Chrome

    def find(self, selector: str) -> WebElement:
        """Wait for an element that can be seen."""
        found: WebElement = self.until("return seen(given[0])", selector, words=f"no {selector}")
        return found

    def until(self, look: str, *given: object, words: str = "nothing came") -> Any:  # noqa: ANN401
        """Wait until a script gives something true in the page, and return that.

        It has what is `given`, `seen(selector)`, an element that can be seen, `looked()`, whether
        what the page shows is there for so long that somebody can have seen it, and
        `rests(element)`.
        """

        def found() -> Any:  # noqa: ANN401 - whatever the script gives
            try:
                return self.chrome.execute_async_script(_WAITS % look, *given)
            except JavascriptException as error:
                if "unloaded" in str(error):
                    return None  # another page has come meanwhile
                raise

        return self.wait(found, words)

    def _tapped(self, selector: str, words: str) -> bool:
        # What comes later moves it, and another one would be tapped.
        ready = "const one = seen(given[0]); return one && looked() && await rests(one) && one"
        found = self.until(ready, selector, words=words)
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
        words = f"{selector} cannot be tapped"
        self.wait(lambda: self._tapped(selector, words), words)

    def press(self, key: str) -> None:
        """Press a key with nothing focused."""
        self.until("return looked()")
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
        self.until(
            "return document.querySelector(given[0])?.innerText.includes(given[1])",
            selector,
            words,
            words=f"{selector} does not say {words!r}",
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
