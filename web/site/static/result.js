/** Past matches: times as they are here, printing, and going on where one stood. */
import { command } from "./commands.js";
import { fill } from "./dom.js";
import { language } from "./texts.js";

for (const time of document.querySelectorAll("time")) {
  const at = new Date(time.dateTime);
  if (!Number.isNaN(at.getTime())) time.textContent = at.toLocaleString(language, { dateStyle: "medium", timeStyle: "short" });
}
for (const line of document.querySelectorAll(".events span")) fill(line, [...line.childNodes].map((one) => one.data ?? one));
document.getElementById("print")?.addEventListener("click", () => window.print());
const goOn = document.getElementById("go-on");
goOn?.addEventListener("click", async () => {
  if (await command("open_match", { id: Number(goOn.dataset.match) })) location.assign("/");
});
