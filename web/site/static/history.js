/** What has happened, newest first. */
import { asked } from "./commands.js";
import { h } from "./dom.js";
import { language, t } from "./texts.js";

const EDITABLE = new Set(["Dealt", "Played", "Drew", "Refused", "TimedOut", "RoundEnded"]);

/** Keep the events from before those that every state tells, once they are asked for; `redraw` shows them. */
export function earlierEvents(redraw) {
  let match = null, records = -1, all = [];

  async function load(now) {
    records = now.records;
    const told = await asked(`/matches/${match}/history.json?lang=${language}`, { say() {} });
    if (told === undefined) { records = -1; return; } // the next state asks again
    all = told ?? all;
    redraw();
  }

  return {
    /** Ask for them from now on, as long as this match is played. */
    ask(now) { match = now.match.id; load(now); },
    /** Return all lines, as far as they are known. */
    lines(now) {
      if (now.match?.id !== match) { match = null; all = []; return now.history; }
      if (now.records !== records) load(now);
      const told = new Set(now.history.map((line) => line.seq));
      return [...all.filter((line) => !told.has(line.seq)), ...now.history];
    },
  };
}

/** Return the card of history; with `edit`, which opens one, they can be changed, and `more` is called for the earlier ones. */
export function history(snapshot, edit, more) {
  const lines = [...snapshot.history].reverse();
  const whole = !lines.length || lines.at(-1).event === "Started";
  return [
    h("h2", {}, t("history.label")),
    lines.length ? h("ol", { class: "events", reversed: true, tabindex: 0, "data-key": "events", "aria-label": t("history.label") }, lines.map((line) => h("li", {},
      h("span", {}, line.player && !line.story.startsWith(line.player) ? h("strong", {}, `${line.player}: `) : null, line.story),
      edit && EDITABLE.has(line.event)
        ? h("button", { type: "button", class: "quiet", "data-key": `edit-${line.seq}`, "aria-label": `${t("history.edit")}: ${line.story}`, onclick: () => edit(line) }, "✎")
        : null)))
      : h("p", { class: "faint" }, t("history.none")),
    whole || !edit ? null : h("button", { type: "button", class: "button", "data-key": "earlier", onclick: more }, t("history.earlier")),
  ];
}
