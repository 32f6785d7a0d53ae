/** One dialog at a time: tiles, matches, past events, devices. */
import { asked, command, known, played, toast } from "./commands.js";
import { fill, focusOn, h, place } from "./dom.js";
import { keep, kept } from "./kept.js";
import { face, ROWS } from "./tiles.js";
import { faceWords, language, t } from "./texts.js";

const dialog = place("dialog");
/** What was focused before the dialog: it may have been drawn anew since. */
let opener = null;
/**
 * What is asked in the dialog since it was opened: in which match, as it counts for no other; whether an answer is
 * waited for; and what was known when something was asked that got none.
 */
let asking = null;
/** No rules are for more. */
const MOST_PLAYERS = 12;

/** Show a dialog; it closes with Escape, with its button, and with a tap beside it. */
export function open(title, ...content) {
  fill(dialog,
    h("form", { method: "dialog", class: "dialog-head" },
      h("h2", { id: "dialog-title" }, title),
      h("button", { class: "quiet", "aria-label": t("dialog.close") }, "✕")),
    h("div", { class: "dialog-body" }, content));
  dialog.setAttribute("aria-labelledby", "dialog-title");
  asking = { about: played, waits: false, unanswered: null };
  if (dialog.open) return;
  opener = { key: document.activeElement?.dataset.key, part: document.activeElement?.closest("main section") };
  dialog.showModal();
}

export function close() {
  dialog.close();
}

dialog?.addEventListener("close", () => {
  const { activeElement: now, body } = document;
  body.append(...dialog.querySelectorAll(".toast"));
  // The browser gives the focus back itself, but to what is no longer on the page if that was drawn anew.
  if (opener?.part?.isConnected && (now === body || dialog.contains(now))) focusOn(opener.key, opener.part);
});

/** Whether the pointer went down beside the dialog: what is selected in a field and let go out there is no tap. */
let beside = false;
dialog?.addEventListener("pointerdown", (event) => { beside = event.target === dialog; });
dialog?.addEventListener("click", (event) => {
  if (beside && event.target === dialog) dialog.close();
});

/** Send a command, and close the dialog once it is done. Returns whether it was. */
export async function done(name, values) {
  const here = asking, { unanswered } = here;
  if (here.about !== played) {
    close();
    toast(t("dialog.other_match"));
    return false;
  }
  if (here.waits) return false;
  // What got no answer may have counted, unseen behind the dialog: asked again, it counts only if it has not.
  const shown = unanswered ?? known;
  here.waits = true;
  const counts = await command(name, { ...shown, ...values });
  here.waits = false;
  here.unanswered = counts === undefined || unanswered ? shown : null;
  // A late answer closes no other dialog; a refusal of what is written keeps it.
  if (here === asking && (counts || (counts === null && unanswered && unanswered !== known))) close();
  return Boolean(counts);
}

/** Return every face there is, to tap. */
export function allFaces(pick) {
  return h("div", { class: "faces" },
    ROWS.map((row) => h("div", { class: "face-row" }, row.map((name) => pickFace(name, pick)))),
    h("div", { class: "face-row" }, pickFace("J", pick)));
}

export function pickFace(name, pick) {
  return face(name, { "aria-label": faceWords(name), "data-face": name, onclick: () => pick(name) });
}

/**
 * Return a tile and those that likely are none of the table's if it is none: of its set, of those that are mostly in doubt or
 * may stand on a rack, and, if they are wanted, of wrong ones.
 */
function together(tile, { tiles, parts }, wrong) {
  const unsure = new Set(tiles.filter((one) => one.unsure).map((one) => one.id));
  const asked = new Set([tile.id, ...tiles.filter((one) => one.rack).map((one) => one.id)]);
  const likely = parts.filter(({ cells, status }) => {
    const ids = cells.flat().filter((id) => id !== null);
    return (wrong && status === "invalid") || ids.some((id) => asked.has(id)) || 2 * ids.filter((id) => unsure.has(id)).length > ids.length;
  }).flatMap(({ cells }) => cells.flat());
  return tiles.filter(({ id }) => likely.includes(id));
}

const NO_TILES = { name: "delete_tiles", key: "strike", title: "tile.several", help: "tile.several_help", one: "tile.none", all: "tile.none_of" };
const A_RACK = { name: "leave_out_rack", key: "rack", title: "tile.rack", help: "tile.rack_help", one: "tile.rack_one", all: "tile.rack_of" };

/** Let several things be struck at once that are none of the table's tiles; a tap leaves one out. */
function strike(found, as, open = false) {
  const struck = new Map(found.map(({ id, tile }) => [id, tile]));
  const button = h("button", { type: "button", class: "button", "data-key": as.key, onclick: () => done(as.name, { tiles: Object.fromEntries(struck) }) });
  const count = () => { fill(button, struck.size === 1 ? t(as.one) : t(as.all, { count: struck.size })); button.disabled = !struck.size; };
  const one = ({ id, tile }) => h("button", {
    type: "button", class: "struck", "data-strike": id, "aria-label": faceWords(tile), "aria-pressed": "true",
    onclick: (event) => {
      if (!struck.delete(id)) struck.set(id, tile);
      event.currentTarget.setAttribute("aria-pressed", String(struck.has(id)));
      count();
    },
  }, h("img", { class: "crop", src: `/tile-picture?id=${id}`, alt: t("tile.picture"), loading: "lazy" }));
  count();
  return h("details", { open }, h("summary", {}, t(as.title)),
    h("p", { class: "faint" }, t(as.help)), h("div", { class: "face-row" }, found.map(one)), h("p", {}, button));
}

/** Ask what a tile is: the likely confusions first. */
export function tileDialog(tile, snapshot) {
  const likely = [tile.tile, ...tile.alternatives.map(([name]) => name)];
  const shown = { id: tile.id, was: tile.tile };
  const pick = (name) => done("correct_tile", { ...shown, tile: name });
  const all = h("details", {}, h("summary", {}, t("tile.all")), allFaces(pick));
  const found = together(tile, snapshot, true), rack = strike(together(tile, snapshot, false), A_RACK, tile.rack);
  open(t("tile.title"),
    h("div", { class: "row" },
      h("img", { class: "crop", src: `/tile-picture?id=${tile.id}`, alt: t("tile.picture") }),
      h("div", {},
        h("p", {}, tile.doubt || t("tile.is", { face: faceWords(tile.tile) })),
        h("div", { class: "face-row likely" }, likely.map((name) => pickFace(name, pick))))),
    tile.rack ? rack : null,
    all,
    tile.tile === "J" && snapshot.match
      ? h("details", {}, h("summary", {}, t("tile.declare")),
        allFaces((name) => done("declare_joker", { id: tile.id, tile: name })))
      : null,
    h("p", {}, h("button", { type: "button", class: "button", onclick: () => done("delete_tile", shown) }, t("tile.none"))),
    tile.rack ? null : rack,
    found.length > 1 ? strike(found, NO_TILES) : null);
}

/** Ask which tile lies beside one that is seen: for keys and screen readers, and where nothing is to be pointed at. */
export function besideDialog(tiles) {
  const by = h("select", { id: "beside" }, tiles.map((tile) => h("option", { value: tile.id }, faceWords(tile.tile))));
  const side = h("select", { id: "side" }, ["right", "left"].map((one) => h("option", { value: one }, t(`tile.${one}`))));
  const pick = (name) => {
    const { quad } = tiles.find((tile) => String(tile.id) === by.value);
    const [x, y] = [0, 1].map((n) => (quad[1][n] - quad[0][n]) * (side.value === "right" ? 1 : -1));
    return done("add_tile", { quad: quad.map((corner) => [corner[0] + x, corner[1] + y]), tile: name });
  };
  open(t("tile.add"),
    h("div", { class: "row" }, h("label", {}, t("tile.beside"), by), h("label", {}, t("tile.side"), side)),
    h("p", {}, t("tile.which")), allFaces(pick));
}

/** Ask which tile lies at a place that was pointed at. */
export function addDialog([x, y], tiles) {
  const sides = tiles.map(({ quad }) => [Math.hypot(quad[1][0] - quad[0][0], quad[1][1] - quad[0][1]), Math.hypot(quad[3][0] - quad[0][0], quad[3][1] - quad[0][1])]);
  const middle = (values, other) => values.length ? values.sort((a, b) => a - b)[values.length >> 1] : other;
  const w = middle(sides.map((side) => side[0]), 48) / 2, tall = middle(sides.map((side) => side[1]), 66) / 2;
  const quad = [[x - w, y - tall], [x + w, y - tall], [x + w, y + tall], [x - w, y + tall]];
  open(t("tile.add"), h("p", {}, t("tile.add_help")), allFaces((name) => done("add_tile", { quad, tile: name })));
}

/** What this device remembers of a table's house rules, by ruleset. */
const HOUSE = "house-rules-";

function remembered(ruleset) {
  try { return JSON.parse(kept(HOUSE + ruleset)) ?? {}; } catch { return {}; }
}

/** Return a field for a parameter of the rules. */
function parameter(about, value) {
  const id = `rule-${about.name}`;
  if (about.kind === "switch") return h("input", { id, type: "checkbox", checked: value });
  if (about.kind === "choice") return h("select", { id }, about.choices.map((one, n) => h("option", { value: one, selected: one === value }, about.labels[n])));
  if (about.kind === "number") return h("input", { id, type: "number", value, min: about.low, max: about.high, required: true });
  return h("input", { id, value: value.join(" ") });
}

function valueOf(about, input) {
  if (about.kind === "switch") return input.checked;
  if (about.kind === "number") return Number(input.value);
  return about.kind === "choice" ? input.value : input.value.split(/[\s,;]+/).filter(Boolean).map(Number);
}

/** Set a new match up. */
export async function matchDialog(snapshot) {
  const rules = await asked(`/rules.json?lang=${language}`);
  if (!rules) return;
  const names = snapshot.match?.players.map((player) => player.name) ?? ["", ""];
  const about = h("p", { class: "faint" });
  const details = h("dl", { class: "parameters" });
  let house = new Map();
  const ruleset = h("select", { id: "ruleset", onchange: explain },
    rules.rulesets.map((one) => h("option", { value: one.name, selected: one.name === (snapshot.match?.ruleset ?? snapshot.rules) }, one.title)));
  const players = h("ol", { class: "names" });
  const more = h("button", { type: "button", class: "button", "data-key": "add-player", onclick: () => addName("") }, t("match.add_player"));

  function addName(name) {
    const number = players.children.length + 1;
    players.append(h("li", {}, h("input", { value: name, maxlength: 40, "aria-label": t("match.player", { number }), placeholder: t("match.player", { number }) })));
    players.lastChild.firstChild.focus();
    more.hidden = number >= MOST_PLAYERS;
  }

  function explain() {
    const chosen = rules.rulesets.find((one) => one.name === ruleset.value);
    about.textContent = chosen.summary;
    const own = remembered(ruleset.value);
    house = new Map(rules.parameters.map((one) => [one, parameter(one, own[one.name] ?? chosen[one.name])]));
    fill(details, [...house].map(([one, input]) => [
      h("dt", {}, h("label", { for: input.id }, one.meaning, one.kind === "number" && one.unit ? ` (${one.unit})` : "")),
      h("dd", {}, input, h("code", { class: "small" }, one.name))]));
  }

  /** Return the parameters that differ from those of the rules. */
  function changed() {
    const chosen = rules.rulesets.find((one) => one.name === ruleset.value);
    const values = [...house].map(([one, input]) => [one.name, valueOf(one, input)]);
    return Object.fromEntries(values.filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(chosen[name])));
  }

  const goal = h("select", { id: "goal", onchange: () => { many.hidden = amount.disabled = goal.value === "open"; } }, ["open", "rounds", "games", "points"].map((one) => h("option", { value: one }, t(`match.goal_${one}`))));
  const amount = h("input", { id: "amount", type: "number", min: 1, max: 9999, value: 3, required: true, disabled: true });
  const many = h("label", { hidden: true }, t("match.amount"), amount);
  const timer = h("input", { id: "timer", type: "number", min: 0, max: 3600, step: 10, value: 0 });
  open(t("match.title"),
    h("form", { onsubmit: submit },
      h("fieldset", {}, h("legend", {}, t("match.players")), players, more),
      h("label", {}, t("match.rules"), ruleset), about,
      h("details", {}, h("summary", {}, t("match.parameters")), details),
      h("div", { class: "row" },
        h("label", {}, t("match.goal"), goal),
        many,
        h("label", {}, t("match.timer"), timer)),
      h("p", {}, h("button", { class: "button main" }, t("match.start")))));
  names.forEach(addName);
  players.querySelector("input").focus();
  explain();

  async function submit(event) {
    event.preventDefault();
    const given = [...players.querySelectorAll("input")].map((input) => input.value.trim()).filter(Boolean);
    const values = { players: given, ruleset: ruleset.value, goal: goal.value };
    if (goal.value !== "open") values.amount = Number(amount.value);
    if (Number(timer.value) > 0) values.timer_s = Number(timer.value);
    const changes = changed();
    if (Object.keys(changes).length) values.changes = changes;
    if (await done("new_match", values)) keep(HOUSE + ruleset.value, JSON.stringify(changes));
  }
}

/** Ask who starts, and for handfuls and free tiles where the rules have them; or who started, where a `past` round is changed. */
export function startDialog(match, past = null) {
  const counted = match.handfuls;
  const handfuls = match.players.map((player) => [player.name, [1, 2].map((number) =>
    h("input", { type: "number", min: 0, max: 60, value: past?.handfuls[player.name]?.[number - 1] ?? 14, "aria-label": t("round.handful", { name: player.name, number }) }))]);
  const free = h("input", { value: past?.free_tiles ?? "", placeholder: t("round.example"), autocapitalize: "characters", autocomplete: "off", spellcheck: false, "data-key": "free-tiles" });
  const values = (starter) => ({
    starter,
    ...(counted ? { handfuls: Object.fromEntries(handfuls.map(([name, inputs]) => [name, inputs.map((input) => input.valueAsNumber)])) } : {}),
    // Not typed before a round, they are what lies there.
    ...(past || free.value.trim() ? { free_tiles: free.value.trim() } : {}),
  });
  const start = (starter) => past
    ? edited(past, { event: "Dealt", ...values(starter) })
    : done("start_round", values(starter));
  open(t(past ? "history.edit" : "round.title"),
    past ? h("p", {}, past.story) : null,
    counted ? [h("p", {}, t("round.handfuls")), handfuls.map(([name, inputs]) => h("div", { class: "row" }, h("strong", { class: "grow" }, name), inputs.map((input) => h("div", {}, input))))] : null,
    match.free_tiles ? [h("label", {}, t("round.free", { count: match.free_tiles }), free), past ? null : h("p", { class: "faint" }, t("round.free_help"))] : null,
    h("p", {}, past ? t("round.who_did") : match.starts ? t("round.starts", { name: match.starts }) : t("round.who")),
    h("div", { class: "choices" }, match.players.map((player) =>
      h("button", { type: "button", class: `button ${!past && player.name === match.starts ? "main" : ""}`, onclick: () => start(player.name) }, player.name))));
}

/** Put another event in the place of one, if that still is as it was shown: somebody else may have changed it. */
function edited({ seq, event: kind, table, racks }, event) {
  const was = { event: kind, ...(kind === "Played" ? { table } : {}), ...(kind === "RoundEnded" ? { racks } : {}) };
  return done("edit_event", { seq, was, event });
}

/** Change or explain a past event. */
export function editDialog(line, match) {
  if (line.event === "Dealt") { startDialog(match, line); return; }
  const played = line.event === "Played", turn = line.event !== "RoundEnded";
  const sets = (line.table ?? "").split("|").map((one) => one.trim()).filter(Boolean);
  const table = h("textarea", { rows: Math.min(Math.max(sets.length + 1, 4), 12), autocapitalize: "characters", autocomplete: "off", spellcheck: false, "data-key": "past-table" }, sets.join("\n"));
  const written = () => table.value.split(/[\n|]/).map((one) => one.trim()).filter(Boolean).join(" | ");
  open(t("history.edit"),
    h("p", {}, line.story),
    line.evidence_id ? h("a", { href: `/evidence/${line.evidence_id}.jpg`, target: "_blank", rel: "noopener" }, h("img", { class: "evidence", src: `/evidence/${line.evidence_id}.jpg`, alt: t("history.picture") })) : null,
    turn ? [played ? null : h("p", {}, t("history.was_turn_help")),
      h("label", {}, t("history.table"), table), h("p", { class: "faint" }, t("history.notation")),
      h("p", { class: "row" },
        h("button", { type: "button", class: "button main", "data-key": "save-turn", onclick: () => edited(line, { event: "Played", table: written() }) }, t(played ? "history.save" : "history.was_turn")),
        line.event !== "Drew" ? h("button", { type: "button", class: "button", "data-key": "was-draw", onclick: () => edited(line, { event: "Drew", tiles: "" }) }, t("history.was_draw")) : null)] : null,
    turn ? null : racksOf(line));
}

function racksOf(line) {
  const inputs = Object.entries(line.racks ?? {}).map(([name, tiles]) => [name, h("input", { value: tiles, autocapitalize: "characters", autocomplete: "off", spellcheck: false })]);
  return [h("p", {}, t("history.racks")), inputs.map(([name, input]) => h("label", {}, t("round.rack", { name }), input)), h("p", { class: "faint" }, t("history.faces")),
    h("p", {}, h("button", { type: "button", class: "button main", "data-key": "save-round", onclick: () => edited(line, { event: "RoundEnded", racks: Object.fromEntries(inputs.map(([name, input]) => [name, input.value.trim()])) }) }, t("history.save")))];
}

/** Give a player another name. */
export function renameDialog(player) {
  const name = h("input", { id: "new-name", value: player, maxlength: 40, autocomplete: "off", spellcheck: false });
  open(t("rename.title"), h("form", { onsubmit: (event) => { event.preventDefault(); done("rename_player", { player, new_name: name.value }); } },
    h("label", {}, t("rename.name", { player }), name),
    h("p", { class: "faint" }, t("rename.help")),
    h("p", {}, h("button", { class: "button main" }, t("rename.save")))));
  name.select();
}

/** Change a score by agreement. */
export function adjustDialog(match) {
  const player = h("select", { id: "adjust-player" }, match.players.map((one) => h("option", { value: one.name }, one.name)));
  const points = h("input", { id: "adjust-points", type: "number", value: 0, step: 1, required: true });
  const reason = h("input", { id: "adjust-reason", maxlength: 200 });
  open(t("adjust.title"), h("form", { onsubmit: (event) => { event.preventDefault(); done("adjust", { player: player.value, points: Number(points.value), reason: reason.value }); } },
    h("label", {}, t("players.name"), player), h("label", {}, t("adjust.points"), points), h("label", {}, t("adjust.reason"), reason),
    h("p", {}, h("button", { class: "button main" }, t("adjust.save")))));
}

/** Show how other devices come in. */
export function devicesDialog() {
  open(t("nav.devices"), h("div", { class: "codes" }, ["camera", "spectator", "organiser"].map((role) =>
    h("figure", {}, h("img", { src: `/qr/${role}.svg`, alt: t(`devices.${role}`) }), h("figcaption", {}, t(`devices.${role}`))))),
    h("p", { class: "faint" }, t("devices.help")));
}
