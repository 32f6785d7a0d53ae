/** Small helpers to build pages without markup in strings. */

/** The last letter of a name that is written from right to left; spaces and hyphens are in names, too. */
const LEFTWARD = "\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc";
const LAST_LEFTWARD = new RegExp(`[${LEFTWARD}](?![ '-]*[${LEFTWARD}])`, "g");

/** Return what is shown as it goes into the page: a mark after such a name, else signs and numbers would go over to its other side. */
function content(children) {
  const shown = children.flat(3).filter((child) => child !== null && child !== undefined && child !== false);
  return shown.map((child) => (typeof child === "string" ? child.replace(LAST_LEFTWARD, "$&\u200e") : child));
}

/**
 * Make an element. `props` are attributes; `on...` ones are listeners, `class` is its class.
 * Children that are strings become text, so nothing from outside is ever taken for markup.
 */
export function h(tag, props = {}, ...children) {
  const svg = ["svg", "polygon", "path", "line", "circle", "text", "polyline", "g", "title", "rect"];
  const element = svg.includes(tag)
    ? document.createElementNS("http://www.w3.org/2000/svg", tag)
    : document.createElement(tag);
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...content(children));
  return element;
}

/** Replace an element's children, and keep the focus where it was, or near there where that is gone. */
export function fill(element, ...children) {
  const focused = document.activeElement;
  const held = element !== focused && element.contains(focused);
  const key = held ? focused.dataset?.key : null;
  element.replaceChildren(...content(children));
  if (held) focusOn(key, element);
}

/** Focus what has a key, or else the part of the page in which it was. */
export function focusOn(key, part) {
  const found = key ? part.querySelector(`[data-key="${CSS.escape(key)}"]`) : null;
  if (!found) part.tabIndex = -1;
  (found ?? part).focus({ preventScroll: !found });
}

/** Call `render` with a value whenever the value differs from the last one. */
export function whenChanged(render) {
  let last;
  return (...values) => {
    const now = JSON.stringify(values);
    if (now === last) return;
    last = now;
    render(...values);
  };
}
