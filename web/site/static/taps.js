/** Taps that are meant for what was there before press nothing. */
import { REACTION_MS } from "./commands.js";

const DOUBLE_TAP_PX = 24;
/** Where buttons stood that are elsewhere now, by their keys, for as long as a tap may be meant for what was there before. */
let stood = [], leaving = null;
/** What was pressed last, and where: the second tap of a double one is not meant for what has come there since. */
let pressed = null;

const standing = () => [...document.querySelectorAll("#actions button, #banners button")].map((one) => [one.dataset.key, one.getBoundingClientRect()]);

/** Draw, and remember where the buttons stood, should that move them. */
export function redraw(draw) {
  const before = standing();
  draw();
  if (JSON.stringify(before) === JSON.stringify(standing())) return;
  stood.push(...before);
  document.body.dataset.moved = "";
  clearTimeout(leaving);
  leaving = setTimeout(() => { stood = []; delete document.body.dataset.moved; }, REACTION_MS);
}

/** Let nothing be pressed by such a tap from now on. */
export function guard() {
  document.addEventListener("click", (event) => {
    if (!event.detail) return; // pressed by a key
    const on = event.target.closest("button, a"), { timeStamp: at, clientX: x, clientY: y } = event;
    const again = pressed && at - pressed.at < REACTION_MS && Math.hypot(x - pressed.x, y - pressed.y) < DOUBLE_TAP_PX;
    const what = on?.dataset.key ?? on;
    const meant = on?.closest("#actions, #banners") && stood.some(([key, box]) => key !== what && box.left <= x && x <= box.right && box.top <= y && y <= box.bottom);
    if (on && (meant || (again && what !== pressed.what))) {
      event.preventDefault();
      event.stopPropagation();
    } else {
      pressed = on && { at, x, y, what };
    }
  }, true);
  document.addEventListener("keydown", () => { pressed = null; });
}
