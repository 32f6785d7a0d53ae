/** Follow the table: one event stream, and a word when it stops. */
import { language } from "./texts.js";

const STALE_MS = 3000;
/** The server says something every 15 seconds: whoever hears nothing for so long has lost it, though no error tells, as after sleep. */
const SILENT_MS = 40000, LOOK_MS = 5000;

/** Call `show` with every snapshot and `lost` with whether the connection is gone. */
export function follow(show, lost) {
  let timer = null, source = null, heard = 0;
  const alive = () => {
    heard = Date.now();
    clearTimeout(timer);
    timer = null;
    lost(false);
  };

  function listen() {
    source?.close();
    heard = Date.now();
    const stream = source = new EventSource(`/events?lang=${language}`);
    stream.addEventListener("open", alive);
    stream.addEventListener("beat", alive);
    stream.addEventListener("snapshot", (event) => {
      alive();
      show(JSON.parse(event.data));
    });
    stream.addEventListener("error", () => {
      timer ??= setTimeout(() => lost(true), STALE_MS);
      if (stream.readyState === EventSource.CLOSED) setTimeout(() => location.reload(), 10000);
    });
  }

  function look() {
    if (Date.now() - heard < SILENT_MS) return;
    lost(true);
    listen();
  }

  listen();
  setInterval(look, LOOK_MS);
  document.addEventListener("visibilitychange", look);
}
