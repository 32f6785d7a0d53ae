/** Ask the server to do something; what it refuses is said on the page. */
import { h } from "./dom.js";
import { t } from "./texts.js";

let records = null;

/** Remember how much of the match is shown, so that a double tap counts once. */
export function seen(snapshot) {
  records = snapshot.records ?? null;
}

/** Send a command. Returns whether it was done. */
export async function command(name, values = {}) {
  const body = records === null ? values : { records, ...values };
  try {
    const answer = await fetch(`/api/commands/${name}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/json" },
      body: JSON.stringify(body),
    });
    if (answer.ok) return true;
    const told = await answer.json().catch(() => ({}));
    toast(told.error ?? t("error.failed"));
  } catch {
    toast(t("error.offline"));
  }
  return false;
}

/** Show a message for a few seconds. */
export function toast(text) {
  document.querySelector(".toast")?.remove();
  const message = h("p", { class: "toast", role: "alert" }, text);
  (document.querySelector("dialog[open]") ?? document.body).append(message);
  setTimeout(() => message.remove(), 6000);
}
