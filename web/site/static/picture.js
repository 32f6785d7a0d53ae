/** The live picture with an outline round every tile. */
import { command } from "./commands.js";
import { h } from "./dom.js";
import { t } from "./texts.js";

const LEAST_MS = 400;

/** Keep a picture up to date inside `place`. `tap` gets the tile that was tapped. */
export function livePicture(place, tap, add) {
  const image = h("img", { alt: t("picture.alt"), hidden: true });
  const overlay = h("svg", { class: "outlines", "aria-hidden": "true" });
  const missing = h("p", { class: "faint" }, t("picture.none"));
  const frame = h("div", { class: "frame" }, image, overlay);
  const together = h("p", { class: "faint", hidden: true });
  const unseen = add ? h("button", { type: "button", class: "button", "data-key": "add", hidden: true, onclick: () => add(null) }, t("tile.add_one")) : "";
  const racks = add ? h("button", { type: "button", class: "button", "data-key": "look-at-racks", hidden: true, onclick: () => command("look_at_racks") }, t("picture.racks")) : "";
  place.append(h("h2", {}, t("picture.label")), missing, frame, together, add ? h("div", { class: "row" }, unseen, racks) : "");
  let shown = null, wanted = null, loading = false;

  function load() {
    if (loading || wanted === null || wanted === shown) return;
    loading = true;
    const number = wanted;
    const next = new Image();
    next.onload = () => {
      // By now there may be none any more.
      if (wanted === null) { loading = false; return; }
      image.src = next.src;
      image.hidden = false;
      missing.hidden = true;
      shown = number;
      setTimeout(() => { loading = false; load(); }, LEAST_MS);
    };
    next.onerror = () => { setTimeout(() => { loading = false; }, 2000); };
    next.src = `/picture.jpg?n=${number}`;
  }

  overlay.addEventListener("dblclick", (event) => {
    const box = overlay.getBoundingClientRect();
    const view = overlay.viewBox.baseVal;
    if (add && view.width) {
      add([(event.clientX - box.left) / box.width * view.width, (event.clientY - box.top) / box.height * view.height]);
    }
  });

  return (snapshot) => {
    wanted = snapshot.picture?.number ?? null;
    if (add) {
      unseen.hidden = !snapshot.tiles.length;
      racks.hidden = !snapshot.left_out.length;
    }
    load();
    missing.textContent = t(snapshot.cameras.length || !add ? "picture.none" : "picture.no_camera");
    const counting = snapshot.cameras.filter((camera) => camera.counts);
    together.hidden = counting.length < 2;
    together.textContent = together.hidden ? "" : t("picture.together", {
      names: counting.map((camera) => camera.name).join(", "),
      shown: counting.find((camera) => camera.active)?.name ?? "",
    });
    if (!snapshot.picture) {
      // What was seen before a restart says nothing of the table now.
      image.hidden = true;
      missing.hidden = false;
      overlay.replaceChildren();
      shown = null;
      return;
    }
    const { width, height } = snapshot.picture;
    overlay.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const status = new Map();
    for (const part of snapshot.parts) {
      for (const id of part.cells.flat()) if (id !== null) status.set(id, part.status);
    }
    const points = (quad) => quad.map((corner) => corner.join(",")).join(" ");
    const leftOut = (snapshot.left_out ?? []).map((quad) => h("polygon", { points: points(quad), class: "outline left-out" }));
    overlay.replaceChildren(...leftOut, ...snapshot.tiles.map((tile) => h("polygon", {
      points: points(tile.quad),
      class: `outline ${tile.unsure ? "unsure" : status.get(tile.id) ?? "valid"} ${tile.status}`,
      onclick: tap ? () => tap(tile) : null,
    })));
  };
}
