/** The dashboard and the spectators' page: one snapshot in, everything drawn anew where it changed. */
import { actions, key } from "./actions.js";
import { adviceIn } from "./advice.js";
import { banners } from "./banners.js";
import { seen } from "./commands.js";
import { addDialog, besideDialog, devicesDialog, editDialog, renameDialog, tileDialog } from "./dialogs.js";
import { fill, h, place, whenChanged } from "./dom.js";
import { follow } from "./events.js";
import { earlierEvents, history } from "./history.js";
import { livePicture } from "./picture.js";
import { showLeftovers } from "./round.js";
import { players } from "./scores.js";
import { announce, soundButton, tick, unlock } from "./sound.js";
import { guard, redraw } from "./taps.js";
import { t } from "./texts.js";
import { table } from "./tiles.js";
import { delay, summary, verdict } from "./verdict.js";

const organiser = document.body.dataset.page === "dashboard";
let now = null, lost = false, shownAt = 0, spoken = "";

const tap = organiser ? (tile) => tileDialog(tile, now) : null;
const look = organiser ? (id) => { const tile = now.tiles.find((one) => one.id === id); if (tile) tap(tile); } : null;
const picture = place("picture") ? livePicture(place("picture"), tap, organiser ? (at) => (at ? addDialog(at, now.tiles) : besideDialog(now.tiles)) : null) : null;
const advise = place("advice") ? adviceIn(place("advice")) : null;

const earlier = earlierEvents(() => render());

/** Apart from the verdict: a screen reader says anew whatever is drawn anew. */
const why = h("p", { class: "note ask", hidden: true });

const parts = {
  verdict: whenChanged((found, answer) => fill(place("verdict"), verdict(found, answer, look), why)),
  delay: whenChanged((text) => { fill(why, text); why.hidden = !text; }),
  table: whenChanged((tiles, sets) => fill(place("table"), table({ tiles, parts: sets }, tap))),
  players: whenChanged((match, clock) => fill(place("players"), players({ match, clock }, organiser ? renameDialog : null))),
  history: whenChanged((lines) => fill(place("history"), history({ history: lines }, organiser ? (line) => editDialog(line, now.match) : null, () => earlier.ask(now)))),
  banners: whenChanged((_state, gone) => fill(place("banners"), banners(now, { organiser, lost: gone }))),
  actions: whenChanged(() => {
    if (!organiser) return;
    const open = place("actions").querySelector("details")?.open;
    fill(place("actions"), actions(now));
    if (open) place("actions").querySelector("details")?.setAttribute("open", "");
  }),
};

function clockNow() {
  if (!now?.clock) return null;
  const passed = now.clock.running && !now.clock.paused ? (performance.now() - shownAt) / 1000 : 0;
  const left = Math.max(0, now.clock.left_s - passed);
  return { ...now.clock, left_s: Math.ceil(left), expired: now.clock.expired || left <= 0 };
}

function render() {
  if (now) redraw(draw);
}

function draw() {
  const { match, proposal, clock, can, desync, restore } = now;
  const state = place("state");
  const words = lost ? t("state.lost") : t(`state.${now.phase}`);
  if (state.textContent !== words) state.textContent = words;
  state.className = `chip ${lost ? "bad" : now.phase}`;
  document.body.classList.toggle("stale", lost);
  parts.verdict(summary(now), now.answer);
  parts.delay(delay(now));
  parts.table(now.tiles.map(({ quad: _quad, ...tile }) => tile), now.parts);
  parts.players(match, clockNow());
  parts.history(now.match ? earlier.lines(now) : now.history);
  const ailing = now.cameras.filter((camera) => camera.message).map(({ name, health, message }) => [name, health, message]);
  parts.banners([ailing, desync, restore, !match?.table, !delay(now) && now.message, now.ending], lost);
  parts.actions(match, proposal, clock && [clock.paused, clock.expired, clock.extensions], can, desync, restore, now.options);
  picture?.(now);
  advise?.(now);
  if (organiser) showLeftovers(now);
  document.body.dataset.number = now.number;
}

function show(snapshot) {
  now = snapshot;
  shownAt = performance.now();
  seen(snapshot);
  render();
  const found = summary(snapshot);
  const saying = `${found.kind} ${found.title}`;
  if (saying !== spoken && spoken) announce(found);
  spoken = saying;
}

follow(show, (gone) => { if (gone !== lost) { lost = gone; render(); if (!now) fill(place("banners"), banners(null, { organiser, lost })); } });
setInterval(() => {
  const clock = clockNow();
  if (!clock) return;
  parts.players(now.match, clock);
  if (clock.running && !clock.paused && clock.left_s > 0 && clock.left_s <= 15) tick();
}, 1000);
soundButton(place("sound"));
place("devices")?.addEventListener("click", devicesDialog);
// Not when a finger goes down: that may yet scroll, and is no tap to browsers. A call ends sound; the next tap brings it back.
document.addEventListener("click", unlock);
document.addEventListener("mousedown", (event) => {
  if (!event.target.closest("button") || event.target.closest("dialog")) return;
  // A button that is clicked gets no focus: Enter would press it once more, where it is meant to end the turn.
  event.preventDefault();
  document.activeElement?.blur();
});
guard();
document.addEventListener("keydown", (event) => { if (organiser) key(event, now); });
