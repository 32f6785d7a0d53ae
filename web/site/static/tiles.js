/** Tiles and sets as clean drawings. */
import { h } from "./dom.js";
import { COLOURS, faceWords, t } from "./texts.js";

/** Tells the colours apart without seeing colour. */
export const MARKS = { R: "◆", B: "●", O: "▲", K: "■" };
/** Every numbered face, a row a colour. */
export const ROWS = [..."RBOK"].map((colour) => Array.from({ length: 13 }, (_, n) => `${colour}${n + 1}`));

/** Draw one face. */
export function face(name, props = {}) {
  const joker = name === "J";
  const colour = joker ? "joker" : COLOURS[name[0]];
  const { class: extra = "", declared = "", ...rest } = props;
  const mark = declared ? `${declared.slice(1)} ${MARKS[declared[0]]}` : MARKS[name[0]] ?? "";
  return h(
    props.onclick ? "button" : "span",
    { type: props.onclick ? "button" : null, class: `tile ${colour} ${extra}`, ...rest },
    h("span", { class: "number", "aria-hidden": "true" }, joker ? "☺" : name.slice(1)),
    h("span", { class: `mark ${COLOURS[declared[0]] ?? ""}`, "aria-hidden": "true" }, mark),
    rest["aria-label"] ? null : h("span", { class: "hidden" }, faceWords(name)),
  );
}

function seenTile(tile, tap) {
  const words = [faceWords(tile.tile)];
  if (tile.unsure) words.push(t("table.unsure_tile"));
  if (tile.status === "covered") words.push(t("table.covered"));
  if (tile.declared) words.push(t("table.declared", { face: faceWords(tile.declared) }));
  return face(tile.tile, {
    class: `${tile.unsure ? "unsure" : ""} ${tile.status}`,
    declared: tile.declared ?? "",
    "aria-label": words.join(", "),
    "data-key": `tile-${tile.id}`,
    "data-tile": tile.id,
    onclick: tap ? () => tap(tile) : null,
  });
}

const ICONS = { valid: "✓", invalid: "✕", unsure: "?" };

function part(found, tiles, tap) {
  const rows = found.cells.map((row) =>
    h("div", { class: "cells" }, row.map((id) => {
      const tile = id === null ? null : tiles.get(id);
      return tile ? seenTile(tile, tap) : h("span", { class: "tile empty" });
    })),
  );
  const texts = found.texts.map((text) => h("p", {}, text));
  return h(
    "li",
    { class: `set ${found.status}` },
    h("div", { class: "lines", "data-key": `set-${found.cells.flat().find((id) => id !== null)}` }, rows),
    h("div", { class: "says" },
      h("span", { class: "badge" },
        h("span", { "aria-hidden": "true" }, `${ICONS[found.status]} `),
        found.status === "valid" ? t("table.points", { points: found.points }) : t(`table.${found.status}`)),
      texts),
  );
}

/** Return the whole table as sets, wrong ones and questions first. */
export function table(snapshot, tap) {
  const tiles = new Map(snapshot.tiles.map((tile) => [tile.id, tile]));
  if (!snapshot.parts.length) {
    return [h("h2", {}, t("table.label")), h("p", { class: "faint" }, t("table.empty"))];
  }
  const order = { invalid: 0, unsure: 1, valid: 2 };
  const parts = [...snapshot.parts].sort((a, b) => order[a.status] - order[b.status]);
  return [
    h("h2", {}, t("table.label"), " ", h("span", { class: "faint" }, t("table.count", {
      sets: snapshot.parts.length, tiles: snapshot.tiles.length }))),
    h("ul", { class: "sets" }, parts.map((found) => part(found, tiles, tap))),
  ];
}
