"""A page as it is for those who hear it, who use keys only, or who see little."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

if TYPE_CHECKING:
    from tests.web.browser.pages import Tab

CONTROLS: Final = frozenset(
    {
        "button", "checkbox", "combobox", "dialog", "DisclosureTriangle", "img", "image", "link",
        "listbox", "radio", "region", "slider", "spinbutton", "switch", "textbox",
    }
)  # fmt: skip
"""What has to have a name, by its role."""
UNNAMED: Final = """
return [...document.querySelectorAll('button, a, input, select, textarea, [role=button], img')]
  .filter((one) => one.checkVisibility({ contentVisibilityAuto: true }))
  .filter((one) => !(one.innerText || one.getAttribute('aria-label') || one.labels?.length
    || one.alt || one.title).toString().trim())
  .map((one) => one.outerHTML.slice(0, 100))
"""
TOO_WIDE: Final = """
return [...document.querySelectorAll('dialog *, main *')]
  .filter((one) => one.checkVisibility() && one.getBoundingClientRect().right > innerWidth + 1)
  .map((one) => one.outerHTML.slice(0, 90))
"""
SCHEMES: Final[tuple[Literal["light", "dark"], ...]] = ("light", "dark")
_CONTRAST: Final = (Path(__file__).parent / "contrast.js").read_text(encoding="utf-8")
_REACHABLE: Final = """
const root = document.querySelector('dialog[open]') ?? document.body;
return [...root.querySelectorAll('button, a[href], input, select, textarea, summary')]
  .filter((one) => one.checkVisibility({ contentVisibilityAuto: true }) && !one.disabled)
  .map((one) => { one.dataset.reach ??= String(Math.random()); return one.dataset.reach; })
"""
_FOLLOW: Final = """
document.activeElement?.blur();
if (!window.reached)
  addEventListener('focusin', ({ target }) => window.reached.add(target.dataset.reach));
window.reached = new Set();
"""
_STEPS: Final = 25
_MOST_STEPS: Final = 250


def nameless(tab: Tab) -> list[str]:
    """Return what a screen reader has no name for."""
    tree = tab.chrome.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    return [
        _markup(tab, node["backendDOMNodeId"])
        for node in tree
        if not node.get("ignored")
        and node["role"]["value"] in CONTROLS
        and not str(node.get("name", {}).get("value", "")).strip()
    ]


def _markup(tab: Tab, number: int) -> str:
    found: dict[str, Any] = tab.chrome.execute_cdp_cmd(
        "DOM.getOuterHTML", {"backendNodeId": number}
    )
    return str(found["outerHTML"])[:120]


def faint(tab: Tab) -> list[str]:
    """Return every text whose contrast to what is behind it is below 4.5."""
    found: list[str] = tab.run(_CONTRAST)
    return found


def overhang_px(tab: Tab) -> int:
    """Return by how much a page is wider than the screen."""
    wider: int = tab.run("return document.documentElement.scrollWidth - innerWidth")
    return max(wider, 0)


def unread(tab: Tab) -> list[str]:
    """Return what on a page has no name or is faint, in light or in dark colours."""
    found = []
    for scheme in SCHEMES:
        look_in(tab, scheme)
        found += [f"{scheme} {one}" for one in (*nameless(tab), *faint(tab))]
    return found


def look_in(tab: Tab, scheme: Literal["light", "dark"]) -> None:
    """Show pages in light or dark colours, as on a computer with a mouse."""
    features = [
        {"name": "prefers-color-scheme", "value": scheme},
        {"name": "hover", "value": "hover"},
        {"name": "prefers-reduced-motion", "value": "reduce"},
    ]
    tab.chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


def type_key(tab: Tab, *keys: str) -> None:
    """Press keys, wherever the focus is."""
    ActionChains(tab.chrome).send_keys(*keys).perform()


def missed_by_keys(tab: Tab) -> list[str]:
    """Return the controls that the Tab key does not come to."""
    wanted = set(tab.run(_REACHABLE))
    tab.run(_FOLLOW)
    for _ in range(0, _MOST_STEPS, _STEPS):
        type_key(tab, *[Keys.TAB] * _STEPS)
        wanted.difference_update(tab.run("return [...window.reached]"))
        if not wanted:
            return []
    return [
        tab.run("return document.querySelector(`[data-reach='${arguments[0]}']`)?.outerHTML", one)
        for one in wanted
    ]
