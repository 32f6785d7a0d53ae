/** The labelling page: whatever changes on the desk is drawn anew where it changed. */
import { toast } from "/static/commands.js";
import { fill, h, place, whenChanged } from "/static/dom.js";
import { t } from "/static/texts.js";
import { addPoint } from "./acts.js";
import { key } from "./keys.js";
import { photoPanel, tileList, tilePanel } from "./panels.js";
import { draw, image, makeStage } from "./stage.js";
import { desk, onChange, open, save, unsaved } from "./store.js";

const HELP = ["tap", "corners", "zoom", "face", "turn", "seen", "done"];
const KEYS = [["← →  Tab", "step"], ["1 … 13", "number"], ["r b o k  j", "colour"], ["Enter", "sure"], ["t  h", "turn"], ["Del", "delete"], ["a", "add"], ["u", "undo"], ["d", "done"], ["n  p", "photos"], ["+  -  f", "zoom"]];

const parts = [
  whenChanged((_photos, _number, _photo, _adding, _undo) => photoPanel()),
  whenChanged((_number, _tile, _ready) => tilePanel()),
  whenChanged((_number, _tiles, _selected, _ready) => tileList()),
  whenChanged((_state, _words) => trouble()),
];

function render() {
  const { photo, photos, number, adding, undo, selected, state } = desk;
  if (!photo) return;
  draw();
  const ready = image.complete && image.naturalWidth > 0;
  parts[0](photos, number, { ...photo, version: 0 }, adding, undo.length);
  parts[1](number, [selected, photo.tiles[selected], photo.tiles.length], ready);
  parts[2](number, photo.tiles, selected, ready);
  parts[3](state, desk.trouble?.message);
}

function trouble() {
  const error = desk.trouble;
  place("saved").textContent = desk.state === "failed" ? "" : t(`label.${desk.state}`);
  fill(place("banners"), !error ? null : h("div", { class: "banner bad", role: "alert" },
    h("strong", {}, t(error.refused ? "label.refused" : "label.not_saved")), h("p", {}, error.message),
    error.refused ? null : h("button", { type: "button", class: "button", onclick: () => (error.stale ? location.reload() : save()) }, t(error.stale ? "label.reload" : "label.again"))));
}

function help() {
  const dialog = place("dialog");
  fill(dialog,
    h("form", { method: "dialog", class: "dialog-head" }, h("h2", { id: "dialog-title" }, t("label.help")), h("button", { class: "quiet", "aria-label": t("dialog.close") }, "✕")),
    h("div", { class: "dialog-body" },
      h("ul", {}, HELP.map((one) => h("li", {}, t(`label.help_${one}`)))),
      h("dl", { class: "keys" }, KEYS.map(([keys, one]) => [h("dt", {}, keys.split("  ").map((one_key) => [h("kbd", {}, one_key), " "])), h("dd", {}, t(`label.key_${one}`))]))));
  dialog.setAttribute("aria-labelledby", "dialog-title");
  dialog.showModal();
}

onChange(render);
makeStage(place("stage"), addPoint);
image.addEventListener("load", render);
image.addEventListener("error", () => toast(t("label.no_picture")));
place("help").addEventListener("click", help);
document.addEventListener("keydown", key);
addEventListener("beforeunload", (event) => { if (unsaved()) event.preventDefault(); });
open();
