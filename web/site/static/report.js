/** A bad reading is reported: the file holds the picture and what was read. */
import { asked } from "./commands.js";
import { close, open } from "./dialogs.js";
import { h } from "./dom.js";
import { t } from "./texts.js";

const NAME = "meldwatch-report.zip";
/** Long enough for a browser that asks first whether it may save the file. */
const KEPT_MS = 60000;

/** Ask what is wrong, and save the file. */
export function reportDialog() {
  let waits = false;
  const save = async (event) => {
    event.preventDefault();
    if (waits) return;
    waits = true;
    const file = await asked("/report", { form: new FormData(event.target), read: (answer) => answer.blob() });
    waits = false;
    if (!file) return;
    saveFile(file);
    if (event.target.isConnected) reportNext();
  };
  open(t("report.title"), h("p", {}, t("report.help")),
    h("form", { onsubmit: save },
      h("label", {}, t("report.note"), h("textarea", { name: "note", rows: 3, maxlength: 2000 })),
      h("p", {}, h("button", { class: "button main" }, t("report.save")))));
}

/** Save a file without leaving the page: Firefox and Safari end the event stream with every form that is sent, for a file too. */
function saveFile(file) {
  const href = URL.createObjectURL(file);
  h("a", { href, download: NAME }).click();
  setTimeout(() => URL.revokeObjectURL(href), KEPT_MS);
}

/** Say what to do with the file, once it is on its way. */
function reportNext() {
  open(t("report.next"),
    h("p", {}, t("report.holds")),
    h("ul", {},
      h("li", {}, t("report.label"), h("code", { class: "order" }, `meldwatch label ${NAME}`)),
      h("li", {}, t("report.teach"), " ", h("a", { href: "/teach", "data-key": "report-teach" }, t("actions.teach")))),
    h("p", {}, h("button", { type: "button", class: "button main", "data-key": "report-done", onclick: close }, t("dialog.close"))));
}
