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

/** Return the element with an id, in which a part of the page is drawn. */
export const place = (id) => document.getElementById(id);

/** Find what has a key. */
const keyed = (key, part) => part.querySelector(`[data-key="${CSS.escape(key)}"]`);

/** Replace an element's children; what has a key stays scrolled, and keeps the focus, or something near where it is gone. */
export function fill(element, ...children) {
  const focused = document.activeElement;
  const held = element !== focused && element.contains(focused);
  const key = held ? focused.dataset?.key : null;
  const scrolled = [...element.querySelectorAll("[data-key]")].filter((one) => one.scrollLeft || one.scrollTop)
    .map(({ dataset, scrollLeft, scrollTop }) => [dataset.key, { left: scrollLeft, top: scrollTop, behavior: "instant" }]);
  element.replaceChildren(...content(children));
  for (const [name, where] of scrolled) keyed(name, element)?.scrollTo(where);
  if (held) focusOn(key, element);
}

/** Focus what has a key, or else the part of the page in which it was. */
export function focusOn(key, part) {
  const found = key ? keyed(key, part) : null;
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
