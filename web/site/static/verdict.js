/** What is said of the table and of the turn, in one calm sentence. */
import { h } from "./dom.js";
import { won } from "./scores.js";
import { t } from "./texts.js";

const ICONS = { good: "✓", bad: "✕", ask: "?", wait: "…" };

/** Return the state of things as `{kind, title, lines}`; kinds are good, bad, ask and wait. */
export function summary(snapshot) {
  const { proposal, match, parts } = snapshot;
  // Between rounds tiles are turned up, mixed and put away: nobody answers for how they lie.
  if (match?.phase === "over") return { kind: "good", title: won(match) ?? t("phase.over"), lines: [] };
  if (match?.phase === "scoring") return { kind: "wait", title: t("verdict.scoring"), lines: [] };
  if (match?.phase === "drawing") return { kind: "wait", title: t("verdict.start"), lines: [] };
  if (snapshot.phase === "hand" || snapshot.phase === "moving") return { kind: "wait", title: t("verdict.wait"), lines: [] };
  if (snapshot.phase === "lost" && !snapshot.tiles.length) return { kind: "wait", title: t("verdict.no_picture"), lines: [] };
  if (snapshot.desync) return { kind: "ask", title: t("verdict.disagree"), lines: [] };
  if (snapshot.restore) return { kind: "wait", title: t("restore.title"), lines: [] };
  if (proposal) {
    const story = proposal.story ? [proposal.story] : [];
    const warnings = (proposal.warnings ?? []).map((one) => one.text);
    if (proposal.unsure || proposal.legal === null) return { kind: "ask", title: t("verdict.cannot_tell"), lines: story, look: proposal.look };
    if (proposal.legal) {
      return { kind: "good", title: t("verdict.legal", { player: proposal.player, points: proposal.points }), lines: [...story, ...warnings] };
    }
    return { kind: "bad", title: t("verdict.illegal"), lines: proposal.violations.map((one) => one.text) };
  }
  const wrong = parts.filter((part) => part.status === "invalid").length;
  const asked = parts.filter((part) => part.status === "unsure").length;
  if (asked) return { kind: "ask", title: t("verdict.look", { count: asked }), lines: [] };
  if (wrong) return { kind: "bad", title: t("verdict.wrong", { count: wrong }), lines: [] };
  if (match?.turn) return { kind: "wait", title: t("verdict.turn", { player: match.turn }), lines: [] };
  return parts.length ? { kind: "good", title: t("verdict.all_legal"), lines: [] } : { kind: "wait", title: t("verdict.empty"), lines: [] };
}

const UNREAD = new Set(["hand", "moving", "covered"]);

/** Return why the table is not read just now, if that is known. */
export function delay({ phase, message }) {
  return UNREAD.has(phase) ? message : "";
}

/** Return the card of a summary, and of what was answered. */
export function verdict(found, answer, look) {
  return [
    h("div", { class: `says-it ${found.kind}` },
      h("span", { class: "icon", "aria-hidden": "true" }, ICONS[found.kind]),
      h("div", {}, h("h1", {}, found.title), found.lines.map((line) => h("p", {}, line)))),
    found.look && look ? h("p", {}, h("button", { type: "button", class: "button", "data-key": "look", onclick: () => look(found.look.id) }, t("verdict.look_button"))) : null,
    answer?.text ? h("p", { class: "note" }, answer.text) : null,
  ];
}
