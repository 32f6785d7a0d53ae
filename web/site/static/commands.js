/** Ask the server to do something; what it refuses is said on the page. */
import { h } from "./dom.js";
import { t } from "./texts.js";

/** Nobody has looked at what was shown for less: such a tap was meant for what was there before. */
export const REACTION_MS = 600;
/** Longer than anything takes that is asked for; without an answer by then the connection is gone. */
const PATIENCE_MS = 30000;
/** A photo may be long on its way over a slow connection. */
const PHOTO_MS = 180000;
let newest = null, timer = null;
/** As much of the match as somebody can have seen: a tap is meant for that. */
export let known = null;
/** The number of the match that is shown; null where none is. */
export let played = null;
/** What got no answer, and what was known then: it may have counted, and asked again it counts only if it has not. */
let unanswered = null;

/** Remember how much of the match is shown, so that a double tap, or that of two people at once, counts once. */
export function seen(snapshot) {
  const { records } = snapshot;
  played = snapshot.match?.id ?? null;
  if (newest?.records === records && newest.match === played) return;
  newest = { match: played, records };
  clearTimeout(timer);
  if (known === null) { known = newest; return; }
  document.body.dataset.fresh = "";
  timer = setTimeout(() => { known = newest; delete document.body.dataset.fresh; }, REACTION_MS);
}

/** Send a command. Returns true once it is done, null where it is refused, nothing where no answer tells which. */
export async function command(name, values = {}) {
  const shown = unanswered?.name === name ? unanswered.shown : known;
  const answer = await asked(`/api/commands/${name}`, { values: { ...shown, ...values } });
  unanswered = answer === undefined ? { name, shown } : null;
  return answer && true;
}

/**
 * Ask the server for JSON, or what `read` makes of its answer, sending `values` or a `form`, if any. Returns null where it
 * refuses, nothing where it does not answer, and says so.
 */
export async function asked(url, { values, form, say = toast, read = (answer) => answer.json() } = {}) {
  const headers = { Accept: "application/json", ...(values && { "Content-Type": "application/json" }) };
  const body = values ? JSON.stringify(values) : form;
  try {
    const signal = AbortSignal.timeout?.(form ? PHOTO_MS : PATIENCE_MS);
    const answer = await fetch(url, { method: body ? "POST" : "GET", headers, body, signal });
    if (answer.ok) return await read(answer);
    const told = await answer.json().catch(() => ({}));
    say(told.error ?? t("error.failed"));
    return null;
  } catch {
    say(t("error.offline"));
    return undefined;
  }
}

/** Show a message for a few seconds. */
export function toast(text) {
  document.querySelector(".toast")?.remove();
  const message = h("p", { class: "toast", role: "alert" }, text);
  (document.querySelector("dialog[open]") ?? document.body).append(message);
  setTimeout(() => message.remove(), 6000);
}
