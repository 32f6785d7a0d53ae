/** Teach my set: lay out, photograph, look through, name; the table is read and judged meanwhile. */
import { asked } from "./commands.js";
import { fill, h, place, whenChanged } from "./dom.js";
import { follow } from "./events.js";
import { livePicture } from "./picture.js";
import { face, MARKS, ROWS } from "./tiles.js";
import { COLOURS, faceWords, t } from "./texts.js";

/** The faces as they are laid out. */
const LAID_OUT = [...ROWS.slice(0, 3), [...ROWS[3], "J"]];
const TILE = [64, 96], COLUMNS = 14, OFTEN_MS = 700, SELDOM_MS = 5000, MOST_TOLD = 6;
const picture = livePicture(place("picture"), null, null);
/** The tiles that are left out, by photo; kept here until the set is taught. */
const leftOut = new Map();
let now = null, looking = 0, camera = false, timer = null;

/** Send something, and show what has come of it. Returns whether it was taken. */
async function send(path, sent) {
  const told = await asked(path, sent);
  if (told) show(told);
  return Boolean(told);
}

const order = (path, values, say) => send(`/api/teach/${path}`, { values, say });

/** Look at one or several pictures, one after another. */
async function look(work) {
  looking += 1;
  busy();
  await work();
  looking -= 1;
  busy();
}

function busy() {
  const room = now !== null && !now.busy && !looking && now.photos.length < now.most;
  place("looking").hidden = !looking && (!now || now.photos.length < now.most);
  place("looking").textContent = looking ? t("teach.looking") : t("teach.enough");
  place("from-camera").disabled = !room || !camera;
  place("photo").disabled = !room;
  place("start").disabled = !now?.ready || Boolean(now.busy) || looking > 0;
}

const parts = {
  said: whenChanged((job, said, trouble) => fill(place("said"),
    job ? h("div", { class: "note" }, t(job.kind === "teach" ? "teach.busy" : "teach.changing", job),
      h("progress", { max: 1, value: 0, "aria-label": t("teach.progress") })) : null,
    !job && said ? h("p", { class: `note ${said.good ? "good" : "bad"}` }, said.text) : null,
    !job && !said && trouble ? h("p", { class: "note bad" }, trouble) : null)),
  sets: whenChanged((names, used, job) => fill(place("sets"),
    h("h2", {}, t("teach.sets")),
    h("p", {}, used ? t("teach.in_use", { name: used }) : t("teach.none_in_use")),
    h("ul", { class: "pick-set" }, ["", ...names].map((name) => h("li", {}, h("button", {
      type: "button", class: "button", "data-set": name, "data-key": `set-${name}`,
      "aria-pressed": String(name === used), disabled: Boolean(job),
      onclick: () => name === used || order("use", { name }),
    }, name || t("teach.no_set"))))),
    names.length ? null : h("p", { class: "faint" }, t("teach.no_sets")))),
  photos: whenChanged((photos, missing) => fill(place("photos"), photosCard(photos, missing))),
};

function show(state) {
  now = state;
  for (const id of leftOut.keys()) if (!now.photos.some((photo) => photo.id === id)) leftOut.delete(id);
  parts.said(now.busy && { kind: now.busy.kind, name: now.busy.name }, now.said, now.trouble);
  if (now.busy) place("said").querySelector("progress").value = now.busy.share;
  parts.sets(now.sets, now.in_use, Boolean(now.busy));
  parts.photos(now.photos, now.missing);
  place("photos").hidden = !now.photos.length;
  place("finish").hidden = !now.ready;
  place("playing").hidden = !now.playing;
  known();
  busy();
  clearTimeout(timer);
  timer = setTimeout(again, now.busy ? OFTEN_MS : SELDOM_MS);
}

async function again() {
  if (document.hidden || looking) { timer = setTimeout(again, SELDOM_MS); return; }
  const told = await asked("/teach.json");
  if (told) show(told);
  else timer = setTimeout(again, SELDOM_MS);
}

/** The set as it is to be laid out. */
function wanted() {
  return h("div", { class: "wanted", role: "img", "aria-label": t("teach.lay_out_help") },
    LAID_OUT.map((row) => row.map((name, n) => face(name, { class: n ? "" : "first" }))));
}

function photosCard(photos, missing) {
  return [h("h2", {}, t("teach.look")),
    photos.some((photo) => !photo.problem) ? h("p", {}, t("teach.look_help")) : null,
    missing.length ? h("p", { class: "note ask" }, t("teach.missing", { faces: missing.map(faceWords).join(", ") })) : null,
    photos.map((photo, n) => shot(photo, n + 1))];
}

function shot(photo, number) {
  const others = photo.tiles.filter((tile) => tile.state === "other");
  const unsure = photo.tiles.filter((tile) => tile.state === "unsure").length;
  return h("div", { class: "shot", "data-photo": photo.id },
    h("div", { class: "head" },
      h("strong", {}, photo.problem ? t("teach.shot", { number }) : t(unsure ? "teach.shot_found" : "teach.shot_sure", { number, count: photo.tiles.length, unsure })),
      h("button", { type: "button", class: "quiet", "data-key": `remove-${photo.id}`, onclick: () => order("remove", { photo: photo.id }) }, t("teach.remove"))),
    photo.problem ? h("p", { class: "note bad" }, photo.problem) : null,
    photo.problem ? framed(photo) : [
      crops(photo),
      others.length ? h("p", { class: "note ask" }, t("teach.others", { tiles: others.slice(0, MOST_TOLD).map((tile) => `${faceWords(tile.face)} → ${faceWords(tile.read)}`).join(", ") }), others.length > MOST_TOLD ? " …" : "") : null,
      h("details", {}, h("summary", {}, t("teach.whole")), framed(photo))]);
}

/** The photo with an outline round every tile, and, where it is not as wanted, how many each row has. */
function framed(photo) {
  let first = 0;
  const counts = !photo.problem ? [] : photo.rows.map((count, row) => {
    const [[x, y], , , [, bottom]] = photo.tiles[first].quad;
    first += count;
    const right = row === 3 ? count === 14 || count === 15 : row < 3 && count === 13;
    return h("text", { x: Math.max(x - 8, 44), y: (y + bottom) / 2, class: `row-count ${right ? "" : "bad"}` }, String(count));
  });
  return h("div", { class: "frame" },
    h("img", { src: `/teach/${photo.id}.jpg`, alt: t("teach.shot_alt"), width: photo.width, height: photo.height }),
    h("svg", { class: "outlines", viewBox: `0 0 ${photo.width} ${photo.height}`, "aria-hidden": "true" },
      photo.tiles.map((tile) => h("polygon", { points: tile.quad.map((corner) => corner.join(",")).join(" "), class: `outline ${tile.state === "sure" ? "found" : "unsure"}` })), counts));
}

/** Every tile of a photo, upright, at its place. */
function crops(photo) {
  const sheet = new Image();
  const drawn = [];
  sheet.onload = () => { for (const draw of drawn) draw(); };
  sheet.src = `/teach/${photo.id}/tiles.jpg`;
  const at = new Map();
  photo.tiles.forEach((tile, n) => at.set(tile.face, [...at.get(tile.face) ?? [], n]));
  const cells = (name, head) => (at.get(name) ?? [null]).map((n, turn) => n === null ? gap(name, head) : one(photo, n, name, head && !turn));
  const one = (from, n, name, head) => {
    const canvas = h("canvas", { width: TILE[0], height: TILE[1], "aria-hidden": "true" });
    drawn.push(() => canvas.getContext("2d").drawImage(sheet, (n % COLUMNS) * TILE[0], Math.floor(n / COLUMNS) * TILE[1], ...TILE, 0, 0, ...TILE));
    return crop(from, n, name, head, canvas);
  };
  return h("div", { class: "crops" }, LAID_OUT.map((row) => row.map((name, n) => cells(name, n === 0))));
}

const label = (name) => h("span", { class: `name ${name === "J" ? "joker" : COLOURS[name[0]]}`, "aria-hidden": "true" }, name === "J" ? "☺" : `${name.slice(1)} ${MARKS[name[0]]}`);

function gap(name, head) {
  return h("span", { class: `one missing ${head ? "first" : ""}`, role: "img", "aria-label": t("teach.gap", { face: faceWords(name) }) }, h("span", { class: "gap", "aria-hidden": "true" }, "–"), label(name));
}

/** A tile to look at; a tap leaves it out, or takes it in again. */
function crop(photo, n, name, head, canvas) {
  const { state, read } = photo.tiles[n];
  const words = state === "other" ? t("teach.read_as", { face: faceWords(name), read: faceWords(read) }) : faceWords(name);
  const out = () => leftOut.get(photo.id) ?? new Set();
  return h("button", {
    type: "button", class: `one ${state === "other" ? "other" : ""} ${head ? "first" : ""}`, "data-key": `tile-${photo.id}-${n}`, "data-face": name,
    "aria-label": words, title: words, "aria-pressed": String(out().has(n)),
    onclick: (event) => {
      const set = out();
      if (!set.delete(n)) set.add(n);
      leftOut.set(photo.id, set);
      event.currentTarget.setAttribute("aria-pressed", String(set.has(n)));
    },
  }, canvas, label(name));
}

/** Ask whether a set of that name is to be replaced, where there is one. */
function known() {
  const name = place("name").value.trim().toLowerCase();
  const found = now?.sets.find((one) => one.toLowerCase() === name);
  if (place("replace-row").hidden !== !found) place("replace").checked = false;
  place("replace-row").hidden = !found;
  place("replace-text").textContent = found ? t("teach.replace", { name: found }) : "";
}

/** Say beside the name why nothing is taught. */
function wrong(text) {
  place("wrong").hidden = !text;
  place("wrong").textContent = text;
}

place("wanted").append(wanted());
place("name").addEventListener("input", () => { known(); wrong(""); });
place("from-camera").addEventListener("click", () => look(() => send("/teach/camera", { form: new FormData() })));
place("photo").addEventListener("change", () => look(async () => {
  for (const file of [...place("photo").files].slice(0, now.most - now.photos.length)) {
    const form = new FormData();
    form.append("photo", file);
    if (!await send("/teach/photo", { form })) break;
  }
  place("photo").value = "";
}));
place("name-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  wrong("");
  const without = Object.fromEntries([...leftOut].map(([id, set]) => [id, [...set]]));
  if (await order("start", { name: place("name").value, left_out: without, replace: place("replace").checked }, wrong)) {
    place("name").value = "";
    known();
    place("said").scrollIntoView({ block: "center" });
  }
});
follow((snapshot) => {
  if (!camera && snapshot.picture) place("live").open = true;
  camera = snapshot.picture !== null;
  picture(snapshot);
  busy();
}, () => {});
again();
