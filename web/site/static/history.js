/** What has happened, newest first. */
import { editDialog } from "./dialogs.js";
import { h } from "./dom.js";
import { t } from "./texts.js";

const EDITABLE = new Set(["Played", "Drew", "RoundEnded"]);

/** Return the card of history; with `edit` events can be opened. */
export function history(snapshot, edit) {
  const lines = [...snapshot.history].reverse();
  return [
    h("h2", {}, t("history.label")),
    lines.length ? h("ol", { class: "events", reversed: true, tabindex: 0, "data-key": "events", "aria-label": t("history.label") }, lines.map((line) => h("li", {},
      h("span", {}, line.player && !line.story.startsWith(line.player) ? h("strong", {}, `${line.player}: `) : null, line.story),
      edit && EDITABLE.has(line.event)
        ? h("button", { type: "button", class: "quiet", "data-key": `edit-${line.seq}`, "aria-label": `${t("history.edit")}: ${line.story}`, onclick: () => editDialog(line) }, "✎")
        : null)))
      : h("p", { class: "faint" }, t("history.none")),
  ];
}
