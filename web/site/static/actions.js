/** What the organiser can do now, as buttons and keys. */
import { command } from "./commands.js";
import { adjustDialog, matchDialog, startDialog } from "./dialogs.js";
import { h, place } from "./dom.js";
import { reportDialog } from "./report.js";
import { roundDialog } from "./round.js";
import { t } from "./texts.js";

function button(key, act, { main = false, keys = "", words = key, values = {} } = {}) {
  return h("button", {
    type: "button", class: `button ${main ? "main" : ""}`, "data-key": key, "data-action": key,
    "aria-keyshortcuts": keys || null, onclick: act,
  }, t(`actions.${words}`, values), keys ? h("kbd", {}, keys) : null);
}

/** The way to the page on which a set of tiles is taught, where there is one. */
function teachLink() {
  if (place("actions").dataset.teaches === undefined) return null;
  return h("a", { class: "button", href: "/teach", "data-key": "teach", "data-action": "teach" }, t("actions.teach"));
}

/** End the turn as the page shows it. */
export function endTurn(snapshot, more = {}) {
  const { proposal } = snapshot;
  return command("end_turn", proposal ? { table: proposal.table, ...more } : more);
}

/** Return the card of actions. */
export function actions(snapshot) {
  const { match, proposal, clock, can, desync, restore, options } = snapshot;
  const again = () => matchDialog(snapshot);
  if (!match) return [h("h2", {}, t("actions.label")), h("div", { class: "buttons" }, button("new_match", again, { main: true }), teachLink(), button("report", reportDialog))];
  const now = [];
  if (match.phase === "drawing") now.push(button("start_round", () => startDialog(match), { main: true }));
  if (match.phase === "scoring") {
    now.push(button("end_round", () => roundDialog(snapshot), { main: true }));
    now.push(button("play_on", () => command("play_on")));
  }
  if (match.phase === "over") now.push(button("new_match", again, { main: true }));
  if (match.phase === "playing") {
    const illegal = proposal && proposal.legal === false;
    const open = Boolean(desync || restore);
    if (!open && illegal) {
      const words = match.penalty ? "refuse" : "refuse_only";
      now.push(button("refuse", () => endTurn(snapshot, { refuse: true }), { main: true, words, values: { count: match.penalty } }));
      now.push(button("restore", () => command("restore")));
      now.push(button("accept_illegal", () => endTurn(snapshot, { accept_illegal: true })));
    } else if (!open && proposal?.unsure) {
      now.push(button("accept_unsure", () => endTurn(snapshot, { accept_unsure: true })));
    } else if (!open) {
      now.push(button("end_turn", () => endTurn(snapshot), { main: Boolean(proposal), keys: "Enter" }));
    }
    if (restore) now.push(button("restored", () => command("restored"), { main: true }));
    const words = match.pool ? "drew" : "passed";
    const sure = () => !proposal || proposal.unsure || confirm(t(`actions.${words}_sure`, { player: match.turn }));
    now.push(button("drew", () => sure() && command("drew"), { keys: "D", main: !proposal && !open, words }));
    now.push(button("challenge", () => command("challenge"), { keys: "C" }));
  }
  const over = match.over_limit;
  if (over) now.push(button("kept_too_many", () => command("kept_too_many", { player: over.player }), { values: { player: over.player, points: over.points } }));
  const later = [
    can.undo ? button("undo", () => command("undo"), { keys: "U" }) : null,
    can.redo ? button("redo", () => command("redo"), { keys: "R" }) : null,
    clock?.expired ? button("time_out", () => command("time_out")) : null,
    clock && !clock.paused ? button("pause_clock", () => command("pause_clock"), { keys: "P" }) : null,
    clock?.paused ? button("resume_clock", () => command("resume_clock"), { keys: "P" }) : null,
    clock?.extensions > 0 ? button("extend_clock", () => command("extend_clock")) : null,
  ];
  const rare = [
    match.phase === "playing" ? button("end_round", () => roundDialog(snapshot)) : null,
    match.phase === "over" ? null : button("auto_accept", () => command("set_option", { auto_accept: !options.auto_accept }), { words: options.auto_accept ? "by_hand" : "by_itself" }),
    button("adjust", () => adjustDialog(match)),
    match.phase === "over" ? null : button("new_match", again),
    match.phase === "over" ? null : button("stop", () => confirm(t(match.phase === "drawing" ? "actions.stop_sure" : "actions.stop_sure_round")) && command("stop")),
    teachLink(),
    button("report", reportDialog),
  ];
  return [
    h("h2", {}, t("actions.label")),
    over ? h("p", { class: "note ask" }, `${over.player}: ${over.text}`) : null,
    match.must_play && !proposal ? h("p", { class: "note ask" }, t("actions.must_play", { player: match.turn })) : null,
    h("div", { class: "buttons" }, now.sort((a, b) => b.classList.contains("main") - a.classList.contains("main"))),
    h("div", { class: "buttons small" }, later),
    h("details", { class: "more" }, h("summary", {}, t("actions.more")), h("div", { class: "buttons small" }, rare)),
  ];
}

/** Act on a key press; keys do nothing while something is typed or a dialog is open, and Enter belongs to what is focused. */
export function key(event, snapshot) {
  if (!snapshot?.match || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (document.querySelector("dialog[open]")) return;
  if (event.target.closest?.(`input, select, textarea${event.key === "Enter" ? ", button, a, summary" : ""}`)) return;
  const wanted = event.key.length === 1 ? event.key.toUpperCase() : event.key;
  const found = [...document.querySelectorAll("#actions [aria-keyshortcuts]")].find(
    (one) => one.getAttribute("aria-keyshortcuts") === wanted);
  if (found) {
    event.preventDefault();
    found.click();
  }
}
