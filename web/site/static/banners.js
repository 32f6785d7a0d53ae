/** What needs somebody's attention before anything else. */
import { command } from "./commands.js";
import { h } from "./dom.js";
import { faceWords, t } from "./texts.js";
import { delay } from "./verdict.js";

function banner(kind, title, lines, buttons = []) {
  return h("section", { class: `banner ${kind}`, role: "alert" },
    h("strong", {}, title), lines.map((line) => h("p", {}, line)),
    buttons.length ? h("p", { class: "row" }, buttons) : null);
}

function act(key, name, values) {
  return h("button", { type: "button", class: "button", "data-key": key, "data-action": key, onclick: () => command(name, values) }, t(`desync.${key}`));
}

/** Return the banners; only an organiser gets buttons. */
export function banners(snapshot, { organiser, lost }) {
  const found = [];
  if (lost) found.push(banner("bad", t("banner.lost"), [t("banner.lost_help")]));
  if (!snapshot) return found;
  for (const camera of snapshot.cameras) {
    // One that works and does not count is no trouble.
    if (camera.message) found.push(banner(camera.health === "ok" ? "wait" : "ask", camera.name, [camera.message]));
  }
  if (snapshot.desync) {
    const { missing, extra } = snapshot.desync;
    found.push(banner("ask", t("desync.title"), [
      missing.length || extra.length ? null : snapshot.desync.text,
      missing.length ? t("desync.missing", { tiles: missing.map(faceWords).join(", ") }) : null,
      extra.length ? t("desync.extra", { tiles: extra.map((one) => faceWords(one.tile)).join(", ") }) : null,
      // Where nothing has been laid yet, what is seen is a rack, or left from another round.
      snapshot.match.table ? null : t("desync.racks"),
    ].filter(Boolean), organiser ? [act("take_table", "put_right", { take: "table" }), act("take_record", "put_right", { take: "record" })] : []));
  }
  if (snapshot.restore) {
    const { moves, evidence_id: picture } = snapshot.restore;
    const box = banner("ask", t("restore.title"), [moves.length ? t("restore.help") : t("restore.done")]);
    box.append(h("ul", {}, moves.map((move) => h("li", {}, h("strong", {}, faceWords(move.tile)), ` ${move.text}`))));
    if (picture) box.append(h("img", { class: "evidence", src: `/evidence/${picture}.jpg`, alt: t("restore.picture") }));
    found.push(box);
  }
  if (snapshot.ending) found.push(banner("wait", t("banner.ending"), []));
  // What one camera says of itself is said already; what comes and goes with hands would push the page about.
  const told = delay(snapshot) || snapshot.cameras.some((camera) => camera.message === snapshot.message);
  if (snapshot.message && !told) found.push(banner("ask", snapshot.message, []));
  return found;
}
