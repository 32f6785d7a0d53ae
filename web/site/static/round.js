/** The end of a round: every rack typed, photographed or read, put right by a tap, and summed before it counts. */
import { asked, command, toast } from "./commands.js";
import { allFaces, close, done, open, pickFace } from "./dialogs.js";
import { fill, h, place } from "./dom.js";
import { face } from "./tiles.js";
import { faceWords, t } from "./texts.js";

const CROP = [78, 106], AROUND = 1.25;
const dialog = place("dialog");
let rows = new Map(), sum = null, count = null, players = [];
/** Whether the round ended by itself: who went out is known then, or nobody did. */
let over = false;
/** Which round is asked about, whether it is being counted, and whether its sum was asked for. */
let about = "", counting = false, adding = false;
/** The photos that this device took, by player: the mark that came back with their tiles, and the picture. */
const photos = new Map();

/** Say which round is played, or waits to be counted; "" where none is. */
function roundOf(match) {
  return ["playing", "scoring"].includes(match?.phase) ? `${match.id} ${match.rounds.length}` : "";
}

/** Ask for the racks. */
export function roundDialog(snapshot) {
  const camera = snapshot.cameras.length > 0;
  players = snapshot.match.players;
  over = snapshot.match.phase === "scoring";
  about = roundOf(snapshot.match);
  adding = false;
  rows = new Map(players.map((player) => [player.name, rackRow(player, camera)]));
  sum = h("p", { class: "note", role: "status", hidden: true });
  count = h("button", { type: "button", class: "button main", "data-key": "count", onclick: end });
  open(t("round.end"), h("p", {}, t("round.help")), [...rows.values()].map((row) => row.box), sum, h("p", {}, count));
  showLeftovers(snapshot);
}

/** Count what is shown; what is not summed up yet is summed up first. */
async function end() {
  const racks = Object.fromEntries([...rows].map(([name, row]) => [name, row.input.value.trim()]));
  if (!summedUp()) { adding = true; await sumUp(racks); return; }
  counting = true;
  await done("end_round", { racks });
  counting = false;
}

/** Take a person's word for all that is written; racks that are empty though they should not be are asked about. */
async function sumUp(racks) {
  const empty = players.filter((player) => !racks[player.name]);
  // Of several that nobody can count only one can have gone out, and none where nobody could play on.
  const held = empty.filter((player) => player.rack_unsure ? over || empty.length > 1 : player.rack > 0);
  if (held.length && !confirm(t("round.empty_sure", { names: held.map((player) => player.name).join(", ") }))) return;
  for (const [name, row] of rows) {
    if (!isShown(row) && !await command("set_leftovers", { player: name, tiles: racks[name] })) return;
  }
}

const written = (text) => text.toUpperCase().split(/[\s,;]+/).filter(Boolean).sort().join(" ");

/** Whether what is written on a rack is what the sum was made of. */
function isShown(row) {
  return row.shown !== null && written(row.input.value) === written(row.shown.tiles);
}

/** Whether the sum that is shown is that of all racks as they are written. */
function summedUp() {
  return !sum.hidden && Boolean(sum.dataset.whole) && [...rows.values()].every((row) => isShown(row) || (row.shown === null && !row.input.value.trim()));
}

/** Draw what is known of the racks now, where the dialog is open; what is being typed stays. */
export function showLeftovers({ match, leftovers, cameras }) {
  if (!dialog.open || !dialog.contains(sum)) return;
  if (roundOf(match) !== about) {
    // Somebody else has counted it: what is written here must not count for the next.
    rows.clear();
    close();
    if (!counting) toast(t("round.counted"));
    return;
  }
  if (match.players.some(({ name }) => !rows.has(name))) {
    roundDialog({ match, leftovers, cameras }); // somebody has another name
    return;
  }
  for (const [name, row] of rows) showRack(row, leftovers?.racks[name] ?? null);
  const { missing = [], scores = null } = leftovers ?? {};
  const whole = Boolean(scores) && !missing.length;
  sum.hidden = !missing.length && !scores;
  sum.dataset.whole = whole ? "1" : "";
  fill(sum, missing.length ? t("round.missing", { names: missing.join(", ") })
    : whole ? `${t("round.would")} ${Object.entries(scores).map(([name, score]) => `${name} ${score}`).join(" · ")}` : "");
  nameButton();
  if (adding && summedUp()) {
    adding = false;
    count.scrollIntoView({ block: "nearest" }); // the tiles have pushed it away
  }
}

function nameButton() {
  count.textContent = t(summedUp() ? "round.count" : "round.add_up");
}

function rackRow(player, camera) {
  const { name } = player;
  const row = { name, last: "", shown: null };
  row.input = h("input", { placeholder: t("round.example"), autocapitalize: "characters", autocomplete: "off", "aria-label": t("round.rack", { name }),
    oninput: nameButton, onchange: () => rows.get(name) === row && command("set_leftovers", { player: name, tiles: row.input.value.trim() }) });
  row.file = h("input", { type: "file", name: "photo", accept: "image/*", capture: "environment", onchange: () => send(row) });
  row.value = h("span", { class: "faint" });
  row.tiles = h("div", { class: "face-row" });
  row.pick = h("div", {});
  row.says = h("p", { class: "faint", role: "status" });
  row.box = h("section", { class: "rack", "aria-label": t("round.rack", { name }) },
    h("div", { class: "head" }, h("strong", {}, name), row.value), row.input,
    player.rack > 0 || player.rack_unsure ? h("div", { class: "buttons small" },
      h("label", { class: "button" }, t("round.photo"), row.file),
      camera ? h("button", { type: "button", class: "button", "data-key": `read-${name}`, onclick: () => command("read_leftovers", { player: name }) }, t("round.camera")) : null) : null,
    row.tiles, row.pick, row.says);
  return row;
}

/** Send the photo that was taken, and keep it here so that its tiles can be looked at. */
async function send(row) {
  const [file] = row.file.files;
  if (!file) return;
  const mark = String(Math.random()).slice(2), form = new FormData();
  for (const [key, value] of [["player", row.name], ["mark", mark], ["photo", file]]) form.append(key, value);
  photos.set(row.name, { mark, picture: await createImageBitmap(file).catch(() => null) });
  row.file.disabled = true;
  row.says.textContent = t("round.reading");
  fill(row.pick);
  await asked("/leftovers", { form });
  if (row.says.textContent === t("round.reading")) row.says.textContent = "";
  row.file.value = "";
  row.file.disabled = false;
}

function showRack(row, found) {
  const now = found ? JSON.stringify(found) : "";
  if (now === row.last) return;
  row.last = now;
  row.shown = found;
  if (!found) { // the rack has changed since
    row.value.textContent = row.says.textContent = "";
    fill(row.pick);
    fill(row.tiles);
    return;
  }
  if (document.activeElement !== row.input) row.input.value = found.tiles;
  row.value.textContent = t("round.value", { points: found.value });
  fill(row.pick);
  fill(row.tiles, found.faces.map((one, place) => face(one.tile, {
    class: one.doubt ? "unsure" : "", "data-key": `left-${row.name}-${place}`, "data-left": place,
    "aria-label": one.doubt ? `${faceWords(one.tile)}, ${t("table.unsure_tile")}` : faceWords(one.tile),
    onclick: () => ask(row, place),
  })));
  const asks = found.faces.some((one) => one.doubt);
  row.says.className = asks || found.text ? "note ask" : "faint";
  row.says.textContent = [asks ? t("round.ask") : "", found.text].filter(Boolean).join(" ");
}

/** Ask what one tile of a rack is: the likely confusions first, beside the tile in the photo. */
function ask(row, place) {
  const one = row.shown.faces[place];
  const say = (tile) => command("correct_leftover", { player: row.name, place, was: one.tile, tile });
  fill(row.pick, h("div", { class: "note" },
    h("div", { class: "row" }, crop(row, one),
      h("div", {},
        h("p", {}, one.doubt || t("tile.is", { face: faceWords(one.tile) })),
        h("div", { class: "face-row likely" }, [one.tile, ...one.alternatives].map((name) => pickFace(name, say))))),
    h("details", {}, h("summary", {}, t("tile.all")), allFaces(say)),
    h("button", { type: "button", class: "button", onclick: () => say("") }, t("tile.none"))));
  row.pick.scrollIntoView({ block: "nearest" });
}

/** Cut a tile out of the photo, upright; nothing where the photo is not at hand. */
function crop(row, { quad }) {
  const photo = photos.get(row.name);
  if (!photo?.picture || photo.mark !== row.shown.mark || quad.length !== 4) return null;
  const { picture } = photo;
  const [a, b, c, d] = quad.map(([x, y]) => [x * picture.width, y * picture.height]);
  const across = Math.hypot(b[0] - a[0], b[1] - a[1]), down = Math.hypot(d[0] - a[0], d[1] - a[1]);
  const scale = Math.min(CROP[0] / across, CROP[1] / down) / AROUND;
  const canvas = h("canvas", { class: "crop", width: CROP[0], height: CROP[1], role: "img", "aria-label": t("tile.picture") });
  const draw = canvas.getContext("2d");
  draw.translate(CROP[0] / 2, CROP[1] / 2);
  draw.rotate(-Math.atan2(b[1] - a[1], b[0] - a[0]));
  draw.scale(scale, scale);
  draw.drawImage(picture, -(a[0] + b[0] + c[0] + d[0]) / 4, -(a[1] + b[1] + c[1] + d[1]) / 4);
  return canvas;
}
