/** What would let tiles be read better, in one quiet line each, until it is hidden. */
import { fill, h, whenChanged } from "./dom.js";
import { keep, kept } from "./kept.js";
import { t } from "./texts.js";

const KEY = "meldwatch.advice", WHERE = "sessionStorage";
const BUSY = new Set(["hand", "moving"]);

function hiddenBefore() {
  try { return JSON.parse(kept(KEY, WHERE) ?? "[]"); } catch { return []; }
}

/** Return the page's words for `key`, or the server's own where the page has none. */
function words(key, other) {
  const text = t(key);
  return text === key ? other : text;
}

/** Return what keeps the advice in `place` up to date; what is hidden stays so as long as the page is open. */
export function adviceIn(place) {
  const hidden = new Set(hiddenBefore());
  const draw = whenChanged((found) => fill(place, found.map(line)));
  let last = [];

  function show() {
    draw(last.filter((one) => !hidden.has(one.code)));
  }

  function hide(code) {
    hidden.add(code);
    keep(KEY, JSON.stringify([...hidden]), WHERE);
    show();
  }

  function line({ code, text, advice }) {
    return h("p", { class: "tip", "data-advice": code },
      h("span", { class: "icon", "aria-hidden": "true" }, "i"),
      h("span", { class: "grow" }, h("strong", {}, words(`advice.${code}`, text)), " ", words(`advice.${code}_do`, advice)),
      h("button", { type: "button", class: "quiet", "data-key": `hide-${code}`, "aria-label": t("advice.hide"), onclick: () => hide(code) }, "✕"));
  }

  return (snapshot) => {
    last = snapshot.advice;
    // While somebody plays it steps back; it goes only once it is heeded or hidden.
    place.classList.toggle("busy", BUSY.has(snapshot.phase));
    show();
  };
}
