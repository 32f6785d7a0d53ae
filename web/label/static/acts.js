/** What a person does to the labels. */
import { toast } from "/static/commands.js";
import { t } from "/static/texts.js";
import { isTile, round, turned } from "./shapes.js";
import { reveal } from "./stage.js";
import { ask, change, changeTile, chosen, desk, firstUnsure, notify, select } from "./store.js";

const SEEN = { whole: { visible: 1, number_visible: 1 }, part: { visible: 0.6, number_visible: 1 }, number: { visible: 0.6, number_visible: 0 } };
let asked = 0;

export const setFace = (name) => changeTile({ tile: name, doubt: "" });
export const turn = (quarters) => chosen() && changeTile({ quad: turned(chosen().quad, quarters) });
export const shareSeen = (how) => changeTile(SEEN[how]);

/** The tile is what it was taken for: on to the next that is unsure. */
export function sure() {
  if (!chosen()?.doubt) return;
  changeTile({ doubt: "" });
  const next = firstUnsure(desk.selected);
  if (next === null) return;
  select(next);
  reveal();
}

export function remove() {
  if (chosen()) change((photo) => { photo.tiles.splice(desk.selected, 1); });
}

/** Begin to add a tile, or leave it. */
export function add() {
  desk.adding = desk.adding ? null : [];
  notify();
}

/** Take a corner of a new tile; with four of them it is read. */
export async function addPoint(corner) {
  desk.adding = [...desk.adding, corner];
  if (desk.adding.length < 4) { notify(); return; }
  const quad = round(desk.adding);
  desk.adding = null;
  if (!isTile(quad)) { toast(t("label.crossed")); notify(); return; }
  const number = desk.number, turn = ++asked;
  const told = await ask(`photos/${number}/read`, { quad }).catch((error) => { toast(error.message); return null; });
  if (!told || number !== desk.number || turn !== asked) { notify(); return; }
  const at = desk.selected === null ? desk.photo.tiles.length : desk.selected + 1;
  change((photo) => { photo.tiles.splice(at, 0, told); desk.selected = at; });
}

/** The photo is done, unless tiles are unsure; or it is not after all. */
export function done() {
  const { photo } = desk;
  const unsure = photo.tiles.filter((tile) => tile.doubt).length;
  if (!photo.checked && unsure) {
    select(firstUnsure());
    reveal();
    toast(t("label.still_unsure", { unsure }));
    return;
  }
  change((now) => { now.checked = !now.checked; });
}
