/** What stands beside the photo: the list of photos, the chosen tile, all tiles as they were read. */
import { fill, h, place } from "/static/dom.js";
import { face, ROWS } from "/static/tiles.js";
import { COLOURS, faceWords, t } from "/static/texts.js";
import { add, done, remove, setFace, shareSeen, sure, turn } from "./acts.js";
import { drawCrop } from "./shapes.js";
import { image, reveal } from "./stage.js";
import { change, chosen, desk, open, select, undo } from "./store.js";

const TWINS = { 1: [7], 3: [8], 5: [6], 6: [9, 8], 7: [1], 8: [6, 3], 9: [6], 10: [13], 11: [1], 12: [13], 13: [12, 3] };
const button = (key, words, act, props = {}) => h("button", { type: "button", class: "button", "data-key": key, onclick: act, ...props }, words);
const keyed = (words, key) => [words, " ", h("kbd", {}, key)];

export function photoPanel() {
  const { photo, photos, number } = desk;
  const mark = (one) => (one.checked ? "✓" : one.unsure ? `${one.unsure} ?` : "·");
  const unsure = photo.tiles.filter((tile) => tile.doubt).length;
  const last = number + 1 >= photos.length;
  fill(place("photo"),
    h("div", { class: "row nav" },
      button("previous", "‹", () => open(number - 1), { "aria-label": t("label.previous"), disabled: number === 0 }),
      h("select", { "aria-label": t("label.photos"), "data-key": "photos", onchange: ({ target }) => {
        open(Number(target.value));
        target.value = number; // until it is open
      } },
        photos.map((one, n) => h("option", { value: n, selected: n === number }, `${mark(one)} ${one.name}`))),
      button("next", "›", () => open(number + 1), { "aria-label": t("label.next"), disabled: last })),
    h("p", { class: `note ${photo.checked ? "good" : unsure ? "ask" : ""}`, id: "count" },
      photo.checked ? t("label.checked", { tiles: photo.tiles.length })
        : unsure ? t("label.unsure_count", { tiles: photo.tiles.length, unsure }) : t("label.to_check", { tiles: photo.tiles.length })),
    h("div", { class: "buttons small" },
      button("done", photo.checked ? t("label.not_done") : keyed(t("label.done"), "d"), done, { class: photo.checked ? "button" : "button main" }),
      button("add", desk.adding ? t("label.cancel") : keyed(t("label.add"), "a"), add, { "aria-pressed": String(desk.adding !== null) }),
      button("undo", keyed(t("label.undo"), "u"), undo, { disabled: !desk.undo.length })),
    desk.adding ? h("p", { class: "note ask" }, t("label.add_help", { left: 4 - desk.adding.length })) : null,
    h("label", { class: "split" }, t("label.split"), splits(photo)));
  const all = photos.reduce((sum, one) => sum + one.unsure, 0);
  place("progress").textContent = t("label.progress", { done: photos.filter((one) => one.checked).length, photos: photos.length, unsure: all });
}

function splits(photo) {
  const known = ["train", "dev"];
  const all = known.includes(photo.split) ? known : [...known, photo.split];
  const words = (one) => (known.includes(one) ? t(`label.split_${one}`) : one ?? t("label.split_none"));
  return h("select", { "data-key": "split", onchange: (event) => change((now) => { now.split = all[event.target.selectedIndex]; }) },
    all.map((one) => h("option", { selected: one === photo.split }, words(one))));
}

function likely(tile) {
  const { tile: name, others } = tile;
  if (name === "J") return [...new Set([name, ...others])];
  const colour = name[0], number = Number(name.slice(1));
  return [...new Set([name, ...others, ...Object.keys(COLOURS).map((one) => `${one}${number}`), ...(TWINS[number] ?? []).map((one) => `${colour}${one}`)])].slice(0, 8);
}

const tap = (name) => face(name, { onclick: () => setFace(name), "aria-label": faceWords(name), title: faceWords(name), "data-face": name });

export function tilePanel() {
  const tile = chosen();
  const box = place("tile");
  if (!tile) {
    fill(box, h("h2", {}, t("label.tile")), h("p", { class: "faint" }, t(desk.photo.tiles.length ? "label.none_chosen" : "label.no_tiles")));
    return;
  }
  const open = box.querySelector("details")?.open;
  const crop = h("canvas", { class: "crop-large", width: 120, height: 176, role: "img", "aria-label": t("label.crop") });
  fill(box,
    h("div", { class: "chosen" }, crop, h("div", {},
      h("h2", { id: "chosen-face" }, faceWords(tile.tile)),
      tile.doubt ? h("p", { class: "note ask" }, tile.question) : null,
      h("div", { class: "buttons small" },
        tile.doubt ? button("sure", keyed(t("label.sure"), "Enter"), sure, { class: "button main" }) : null,
        button("quarter", keyed(t("label.quarter"), "t"), () => turn(1)),
        button("half", keyed(t("label.half"), "h"), () => turn(2)),
        button("delete", keyed(t("label.delete"), "Del"), remove)))),
    h("div", { class: "face-row likely" }, likely(tile).map(tap)),
    h("details", { open }, h("summary", {}, t("tile.all")), ROWS.map((row) => h("div", { class: "face-row" }, row.map(tap))), h("div", { class: "face-row" }, tap("J"))),
    seenChoice(tile));
  drawCrop(crop, image, tile.quad);
}

function seenChoice(tile) {
  const now = tile.number_visible < 0.9 ? "number" : tile.visible < 0.95 ? "part" : "whole";
  return h("fieldset", { class: "seen" }, h("legend", {}, t("label.seen")), ["whole", "part", "number"].map((one) =>
    h("label", {}, h("input", { type: "radio", name: "seen", value: one, checked: one === now, "data-key": `seen-${one}`, onchange: () => shareSeen(one) }), t(`label.seen_${one}`))));
}

export function tileList() {
  const { tiles } = desk.photo;
  const crops = tiles.map(() => h("canvas", { width: 60, height: 88 }));
  fill(place("tiles"), h("h2", {}, t("label.tiles"), " ", h("span", { class: "faint" }, tiles.length)),
    h("ol", { class: "crops" }, tiles.map((tile, n) => h("li", {}, h("button", {
      type: "button", class: `crop-button ${tile.doubt ? "unsure" : ""} ${n === desk.selected ? "selected" : ""}`, "data-key": `tile-${n}`, "data-place": n,
      "aria-pressed": String(n === desk.selected), "aria-label": `${faceWords(tile.tile)}${tile.doubt ? `, ${t("table.unsure_tile")}` : ""}`,
      onclick: () => { select(n); reveal(); }, onfocus: () => { if (desk.selected !== n) { select(n); reveal(); } },
    }, crops[n], h("span", { class: `said ${tile.tile === "J" ? "joker" : COLOURS[tile.tile[0]]}` }, tile.tile + (tile.doubt ? "?" : "")))))));
  tiles.forEach((tile, n) => drawCrop(crops[n], image, tile.quad));
}

/** Choose another tile, and bring it into view in the list and in the photo. */
export function step(by) {
  const { length } = desk.photo.tiles;
  if (!length) return;
  select(desk.selected === null ? 0 : (desk.selected + by + length) % length);
  reveal();
  place("tiles").querySelector(`[data-place="${desk.selected}"]`)?.focus({ preventScroll: !matchMedia("(min-width: 900px)").matches });
}
