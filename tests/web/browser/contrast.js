// Return every text of the page, or of its open dialog, that stands out too little from its ground.
const LEAST = 4.5;
const SHOWN = { opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true };

function parse(text) {
  const [a, b, c, alpha = 1] = text.match(/[\d.]+(?:e-?\d+)?/g).map(Number);
  return text.startsWith("color(") ? [a * 255, b * 255, c * 255, alpha] : [a, b, c, alpha];
}

function over(top, under) {
  return [0, 1, 2].map((n) => top[n] * top[3] + under[n] * (1 - top[3]));
}

function light(colour) {
  const [red, green, blue] = colour.slice(0, 3).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function ratio(one, other) {
  const [more, less] = [light(one), light(other)].sort((a, b) => b - a);
  return (more + 0.05) / (less + 0.05);
}

function around(element) {
  return element ? [...around(element.parentElement), element] : [];
}

/** Return the colours on which an element's text may stand: several where there is a gradient. */
function grounds(element) {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  let found = [dark ? [18, 18, 18] : [255, 255, 255]];
  for (const one of around(element)) {
    const style = getComputedStyle(one);
    const stops = style.backgroundImage.match(/(?:rgba?|color)\([^)]*\)/g) ?? [];
    found = found.map((under) => over(parse(style.backgroundColor), under));
    if (stops.length) found = found.flatMap((under) => stops.map((stop) => over(parse(stop), under)));
  }
  return found;
}

function tooFaint(element, colour, own = "rgba(0, 0, 0, 0)") {
  const seen = around(element).reduce((all, one) => all * Number(getComputedStyle(one).opacity), 1);
  const [red, green, blue, alpha] = parse(colour);
  return grounds(element).map((under) => over(parse(own), under))
    .map((under) => ratio(over([red, green, blue, alpha * seen], under), under))
    .find((found) => found < LEAST);
}

const wrong = new Set();
function look(element, words, ...given) {
  const found = tooFaint(element, ...given);
  if (found) wrong.add(`${found.toFixed(2)}: ${words.trim().slice(0, 40)} (${element.className})`);
}

const root = document.querySelector("dialog[open]") ?? document.body;
const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
while (texts.nextNode()) {
  const words = texts.currentNode.textContent, element = texts.currentNode.parentElement;
  if (!words.trim() || !element.checkVisibility(SHOWN) || element.closest("script, option, .hidden, :disabled")) continue;
  if (element.closest(".skip:not(:focus)") || element.getBoundingClientRect().width < 2) continue;
  const style = getComputedStyle(element);
  look(element, words, element instanceof SVGElement ? style.fill : style.color);
}
for (const element of root.querySelectorAll("*")) {
  if (!element.checkVisibility(SHOWN)) continue;
  if (element.placeholder) look(element, element.placeholder, getComputedStyle(element, "::placeholder").color);
  for (const part of ["::before", "::after"]) {
    const style = getComputedStyle(element, part);
    if (/"[^"]+"/.test(style.content)) look(element, style.content, style.color, style.backgroundColor);
  }
}
return [...wrong];
