/** The photo that is on the desk: what its labels are, what is chosen, what can be undone, what is saved. */
import { toast } from "/static/commands.js";
import { language, t } from "/static/texts.js";

const MOST_UNDO = 300;
export const desk = { photos: [], number: -1, photo: null, selected: null, adding: null, undo: [], state: "saved", trouble: null };
const listeners = [];
let dirty = false, saving = null;

export function onChange(listener) {
  listeners.push(listener);
}

export function notify() {
  for (const listener of listeners) listener();
}

/** Ask the server; returns what it answers, or throws an error in words. */
export async function ask(path, body = undefined) {
  const how = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const headers = { Accept: "application/json", "Content-Type": "application/json" };
  let answer;
  try {
    answer = await fetch(`${path}?lang=${language}`, { ...how, headers });
  } catch {
    throw new Error(t("label.stopped"));
  }
  const told = await answer.json().catch(() => ({}));
  if (answer.ok) return told;
  throw Object.assign(new Error(told.error ?? t("error.failed")), { refused: answer.status === 422 || answer.status === 400, stale: answer.status === 409 });
}

/** Open a photo, or else the first that is not done; say why where that cannot be. */
export function open(wanted = null) {
  return opened(wanted).catch((error) => toast(error.message));
}

/** Open a photo, once everything about the one before is saved. */
async function opened(wanted) {
  const photos = await ask("photos.json");
  const number = Math.max(0, wanted === null ? photos.findIndex((one) => !one.checked) : Math.min(wanted, photos.length - 1));
  if (number === desk.number) return;
  const photo = await ask(`photos/${number}.json`);
  await saved();
  if (dirty) return;
  if (desk.photo) photos[desk.number] = desk.photos[desk.number];
  Object.assign(desk, { photos, number, photo, undo: [], adding: null, trouble: null });
  desk.selected = firstUnsure() ?? (photo.tiles.length ? 0 : null);
  notify();
}

export function firstUnsure(after = -1) {
  const places = desk.photo.tiles.flatMap((tile, place) => (tile.doubt ? [place] : []));
  return places.find((place) => place > after) ?? places[0] ?? null;
}

export const chosen = () => desk.photo?.tiles[desk.selected] ?? null;

export function select(place) {
  desk.selected = place;
  notify();
}

/** Change the photo's labels, and save them. `make` changes a copy of them. */
export function change(make) {
  const before = JSON.stringify(desk.photo);
  make(desk.photo);
  if (JSON.stringify(desk.photo) === before) return;
  desk.undo = [...desk.undo.slice(-MOST_UNDO), { photo: before, selected: desk.selected }];
  changed();
}

/** Change the tile that is chosen. */
export function changeTile(values) {
  if (chosen()) change((photo) => { photo.tiles[desk.selected] = { ...chosen(), ...values }; });
}

export function undo() {
  const last = desk.undo.pop();
  if (!last) return;
  const { version } = desk.photo;
  desk.photo = { ...JSON.parse(last.photo), version };
  desk.selected = last.selected;
  changed();
}

function changed() {
  if (desk.selected !== null && desk.selected >= desk.photo.tiles.length) {
    desk.selected = desk.photo.tiles.length ? desk.photo.tiles.length - 1 : null;
  }
  dirty = true;
  save();
  notify();
}

/** Save until nothing is left to be saved; one request at a time. */
export function save() {
  saving ??= send().finally(() => { saving = null; });
  return saving;
}

const saved = () => saving ?? Promise.resolve();
export const unsaved = () => dirty || saving !== null;

async function send() {
  desk.state = "saving";
  while (dirty) {
    dirty = false;
    const { version, checked, split, tiles } = desk.photo;
    try {
      const kept = await ask(`photos/${desk.number}`, { version, checked, split, tiles });
      desk.photo.version = kept.version;
      desk.photos[desk.number] = { ...desk.photos[desk.number], checked: kept.checked, tiles: kept.tiles.length, unsure: kept.tiles.filter((tile) => tile.doubt).length };
      desk.trouble = null;
    } catch (error) {
      await failed(error);
      return;
    }
  }
  desk.state = "saved";
  notify();
}

/** Keep what could not be saved, to try again; go back from what is refused. */
async function failed(error) {
  desk.state = "failed";
  desk.trouble = error;
  if (error.refused) {
    desk.photo = await ask(`photos/${desk.number}.json`).catch(() => desk.photo);
    desk.undo.pop();
    desk.state = "saved";
  } else {
    dirty = true;
  }
  notify();
}
