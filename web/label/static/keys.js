/** Everything that keys can do; what a field or a dialog wants, it gets. */
import { add, done, remove, setFace, sure, turn } from "./acts.js";
import { step } from "./panels.js";
import { fit, zoom } from "./stage.js";
import { chosen, desk, notify, open, select, undo } from "./store.js";

const SECOND_DIGIT_MS = 1200;
let last = { tile: null, digit: "", at: 0 }, half = { tile: null, colour: "", number: "" };

const ACTS = {
  ArrowRight: () => step(1), ArrowDown: () => step(1), ArrowLeft: () => step(-1), ArrowUp: () => step(-1),
  Enter: sure, Delete: remove, Backspace: remove,
  t: () => turn(1), h: () => turn(2), a: add, u: undo, d: done, j: () => setFace("J"),
  n: () => open(desk.number + 1), p: () => open(desk.number - 1), PageDown: () => open(desk.number + 1), PageUp: () => open(desk.number - 1),
  "+": () => zoom(1.5), "-": () => zoom(1 / 1.5), f: fit,
  Escape: () => { if (desk.adding) { desk.adding = null; notify(); } else select(null); },
};

export function key(event) {
  if (!desk.photo || event.altKey || document.querySelector("dialog[open]")) return;
  if ((event.ctrlKey || event.metaKey) && event.key === "z") { event.preventDefault(); undo(); return; }
  if (event.ctrlKey || event.metaKey || event.target.closest("input[type=text], select, textarea")) return;
  const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const ownButton = event.target.closest("button, summary, a, input") && !event.target.closest(".crop-button");
  if (ownButton && (name === "Enter" || name === " " || (name.startsWith("Arrow") && event.target.closest("input")))) return;
  if (/^[0-9]$/.test(name)) digit(name, event.timeStamp);
  else if ("rbok".includes(name)) set({ colour: name.toUpperCase() });
  else if (ACTS[name]) ACTS[name]();
  else return;
  event.preventDefault();
}

/** A 1 and a digit from 0 to 3 soon after it make one number. */
function digit(one, at) {
  const second = last.digit === "1" && last.tile === desk.selected && at - last.at < SECOND_DIGIT_MS && "0123".includes(one);
  last = { tile: desk.selected, digit: second ? "" : one, at };
  if (second || one !== "0") set({ number: second ? `1${one}` : one });
}

/** Set a number or a colour; a joker becomes a tile once both are known. */
function set(part) {
  const tile = chosen();
  if (!tile) return;
  const known = tile.tile === "J" ? {} : { colour: tile.tile[0], number: tile.tile.slice(1) };
  if (half.tile !== desk.selected) half = { tile: desk.selected, colour: "", number: "" };
  half = { ...half, ...known, ...part };
  if (half.colour && half.number) { setFace(`${half.colour}${half.number}`); half = { tile: null, colour: "", number: "" }; }
}
