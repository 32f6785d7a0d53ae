/** The photo with an outline round every tile: tap, drag corners, pan and zoom. */
import { h } from "/static/dom.js";
import { t } from "/static/texts.js";
import { toast } from "/static/commands.js";
import { centre, isTile, shortSide, tenths } from "./shapes.js";
import { change, chosen, desk, select } from "./store.js";

const TAP_PX = 7, HANDLE_PX = 9, REACH_PX = 22, MOST_ZOOM = 24;
const svg = h("svg", { class: "photo-view", "aria-hidden": "true" });
const picture = document.createElementNS(svg.namespaceURI, "image");
const outlines = h("g"), handles = h("g");
const pointers = new Map();
let view = { x: 0, y: 0, w: 1, h: 1 }, gesture = null, shown = -1, addPoint = null;
/** The photo as an image, to cut tiles out of. */
export const image = new Image();

export function makeStage(place, added) {
  addPoint = added;
  svg.append(picture, outlines, handles);
  // Drawn, since not every font has such a sign.
  const arrows = h("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, h("path", { d: "M9 2h5v5M14 2L9 7M7 14H2V9M2 14l5-5" }));
  const button = (words, sign, act) => h("button", { type: "button", class: "button", "aria-label": t(words), title: t(words), onclick: act }, sign);
  place.append(svg, h("div", { class: "zoom" },
    button("label.zoom_in", "+", () => zoom(1.5)), button("label.zoom_out", "−", () => zoom(1 / 1.5)), button("label.fit", arrows, fit)));
  svg.addEventListener("pointerdown", down);
  svg.addEventListener("pointermove", move);
  svg.addEventListener("pointerup", up);
  svg.addEventListener("pointercancel", (event) => { pointers.delete(event.pointerId); gesture = null; draw(); });
  svg.addEventListener("wheel", (event) => { event.preventDefault(); zoom(1.0015 ** -event.deltaY, at(event)); }, { passive: false });
  new ResizeObserver(() => { look(view); }).observe(place);
}

/** Show the photo of the desk, whole if it is another one. */
export function draw() {
  const { photo, number } = desk;
  if (!photo) return;
  if (number !== shown) {
    shown = number;
    image.src = `photos/${number}.jpg`;
    picture.setAttribute("href", image.src);
    picture.setAttribute("width", photo.width);
    picture.setAttribute("height", photo.height);
    fit();
    return;
  }
  const scale = perPixel();
  const order = photo.tiles.map((_tile, place) => place).sort((a, b) => (a === desk.selected) - (b === desk.selected));
  outlines.replaceChildren(...order.flatMap((place) => outline(photo.tiles[place], place, scale)));
  handles.replaceChildren(...(desk.adding ? desk.adding.map((corner) => dot(corner, scale, "added")) : corners(scale)));
  svg.classList.toggle("adding", desk.adding !== null);
}

function outline(tile, place, scale) {
  const quad = gesture?.quad && gesture.tile === place ? gesture.quad : tile.quad;
  const kind = `${tile.doubt ? "unsure" : ""} ${place === desk.selected ? "selected" : ""} ${tile.number_visible < 0.9 ? "hidden-number" : ""}`;
  const low = [0, 1].map((axis) => 0.22 * (quad[0][axis] + quad[1][axis]) / 2 + 0.78 * (quad[2][axis] + quad[3][axis]) / 2);
  const size = Math.max(shortSide(quad) * 0.38, 9 * scale);
  return [
    h("polygon", { points: quad.map((corner) => corner.join(",")).join(" "), class: `quad ${kind}`, "data-tile": place }),
    h("line", { x1: quad[0][0], y1: quad[0][1], x2: quad[1][0], y2: quad[1][1], class: `top ${kind}` }),
    h("text", { x: low[0], y: low[1], "font-size": size, "stroke-width": size / 6, class: `name ${kind}` }, tile.tile + (tile.doubt ? "?" : "")),
  ];
}

function corners(scale) {
  const tile = chosen();
  if (!tile) return [];
  const quad = gesture?.quad ?? tile.quad;
  return quad.flatMap((corner, place) => [
    dot(corner, Math.min(scale, (shortSide(quad) * 0.2) / HANDLE_PX), place < 2 ? "handle upper" : "handle"),
    h("circle", { cx: corner[0], cy: corner[1], r: Math.min(REACH_PX * scale, Math.max(shortSide(quad) / 2.5, HANDLE_PX * scale)), class: "reach", "data-corner": place }),
  ]);
}

const dot = (corner, scale, kind) => h("circle", { cx: corner[0], cy: corner[1], r: (kind === "added" ? 6 : HANDLE_PX) * scale, class: kind });

/** Pixels of the photo in one of the screen. */
const perPixel = () => Math.max(view.w / (svg.clientWidth || 1), view.h / (svg.clientHeight || 1));

function at(event) {
  const matrix = svg.getScreenCTM();
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
  return [point.x, point.y];
}

function look(wanted) {
  const { width, height } = desk.photo ?? { width: 1, height: 1 };
  view = wanted;
  view.x = Math.max(-view.w / 2, Math.min(width - view.w / 2, view.x));
  view.y = Math.max(-view.h / 2, Math.min(height - view.h / 2, view.y));
  svg.setAttribute("viewBox", `${view.x} ${view.y} ${view.w} ${view.h}`);
  draw();
}

export function fit() {
  look({ x: 0, y: 0, w: desk.photo.width, h: desk.photo.height });
}

/** Come closer to a place of the photo: the chosen tile, unless another is named. */
export function zoom(factor, around = chosen() ? centre(chosen().quad) : [view.x + view.w / 2, view.y + view.h / 2]) {
  const { width } = desk.photo;
  const by = Math.min(Math.max(factor, view.w / (width * 1.5)), (view.w * MOST_ZOOM) / width);
  look({ x: around[0] - (around[0] - view.x) / by, y: around[1] - (around[1] - view.y) / by, w: view.w / by, h: view.h / by });
}

/** Move the view so that the chosen tile is in it, and large enough to be worked on. */
export function reveal() {
  const tile = chosen();
  if (!tile) return;
  const [x, y] = centre(tile.quad);
  const inside = x > view.x + view.w * 0.08 && x < view.x + view.w * 0.92 && y > view.y + view.h * 0.08 && y < view.y + view.h * 0.92;
  if (!inside) look({ ...view, x: x - view.w / 2, y: y - view.h / 2 });
}

function down(event) {
  if (!desk.photo) return;
  event.preventDefault();
  document.activeElement?.blur();
  svg.setPointerCapture(event.pointerId);
  pointers.set(event.pointerId, [event.clientX, event.clientY]);
  const { corner, tile } = event.target.dataset;
  if (pointers.size > 1) gesture = { kind: "pinch", ...spread() };
  else if (corner !== undefined && !desk.adding) gesture = { kind: "corner", corner: Number(corner), tile: desk.selected, from: [event.clientX, event.clientY], start: at(event) };
  else gesture = { kind: "tap", over: tile === undefined ? null : Number(tile), from: [event.clientX, event.clientY] };
}

/** The tile at a place, below the corners of the chosen one. */
function tileUnder(event) {
  const under = document.elementsFromPoint(event.clientX, event.clientY).find((one) => one.dataset.tile !== undefined);
  return under ? Number(under.dataset.tile) : desk.selected;
}

function move(event) {
  if (!pointers.has(event.pointerId) || !gesture) return;
  const before = pointers.get(event.pointerId);
  pointers.set(event.pointerId, [event.clientX, event.clientY]);
  const far = gesture.from && Math.hypot(event.clientX - gesture.from[0], event.clientY - gesture.from[1]) > TAP_PX;
  if (gesture.kind === "tap" && far) gesture = { kind: "pan" };
  if (gesture.kind === "corner" && (far || gesture.quad)) dragCorner(at(event));
  if (gesture.kind === "pan") look({ ...view, x: view.x - (event.clientX - before[0]) * perPixel(), y: view.y - (event.clientY - before[1]) * perPixel() });
  if (gesture.kind === "pinch") pinch();
}

function dragCorner(to) {
  const by = [to[0] - gesture.start[0], to[1] - gesture.start[1]];
  gesture.quad = chosen().quad.map((corner, place) => (place === gesture.corner ? tenths([corner[0] + by[0], corner[1] + by[1]]) : corner));
  draw();
}

function spread() {
  const [a, b] = [...pointers.values()];
  return { apart: Math.hypot(a[0] - b[0], a[1] - b[1]) || 1, middle: [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2] };
}

function pinch() {
  if (pointers.size < 2) return;
  const now = spread();
  look({ ...view, x: view.x - (now.middle[0] - gesture.middle[0]) * perPixel(), y: view.y - (now.middle[1] - gesture.middle[1]) * perPixel() });
  zoom(now.apart / gesture.apart, at({ clientX: now.middle[0], clientY: now.middle[1] }));
  gesture = { ...gesture, ...now };
}

function up(event) {
  pointers.delete(event.pointerId);
  const ended = gesture;
  gesture = null;
  if (ended?.kind === "tap" && desk.adding) addPoint(tenths(at(event)));
  else if (ended?.kind === "tap") select(ended.over);
  else if (ended?.kind === "corner" && !ended.quad) select(tileUnder(event));
  else if (ended?.quad && isTile(ended.quad)) change((photo) => { photo.tiles[ended.tile] = { ...photo.tiles[ended.tile], quad: ended.quad }; });
  else if (ended?.quad) { toast(t("label.crossed")); draw(); }
}
