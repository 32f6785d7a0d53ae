/** Past matches: times as they are here, printing, bringing one in, and going on where one stood. */
import { command } from "./commands.js";
import { fill, place } from "./dom.js";
import { language } from "./texts.js";

for (const time of document.querySelectorAll("time")) {
  const at = new Date(time.dateTime);
  if (!Number.isNaN(at.getTime())) time.textContent = at.toLocaleString(language, { dateStyle: "medium", timeStyle: "short" });
}
for (const line of document.querySelectorAll(".events span")) fill(line, [...line.childNodes].map((one) => one.data ?? one));
place("print")?.addEventListener("click", () => window.print());
const bringIn = place("bring-in");
// A large file takes a while, and a second tap would bring the match in twice.
bringIn?.form.addEventListener("submit", () => { bringIn.disabled = true; });
window.addEventListener("pageshow", () => { if (bringIn) bringIn.disabled = false; });
const goOn = place("go-on");
goOn?.addEventListener("click", async () => {
  if (await command("open_match", { id: Number(goOn.dataset.match) })) location.assign("/");
});
