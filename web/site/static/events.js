/** Follow the table: one event stream, and a word when it stops. */
import { language } from "./texts.js";

const STALE_MS = 3000;

/** Call `show` with every snapshot and `lost` with whether the connection is gone. */
export function follow(show, lost) {
  let timer = null;
  const source = new EventSource(`/events?lang=${language}`);
  const alive = () => {
    clearTimeout(timer);
    timer = null;
    lost(false);
  };
  source.addEventListener("open", alive);
  source.addEventListener("snapshot", (event) => {
    alive();
    show(JSON.parse(event.data));
  });
  source.addEventListener("error", () => {
    timer ??= setTimeout(() => lost(true), STALE_MS);
    if (source.readyState === EventSource.CLOSED) setTimeout(() => location.reload(), 10000);
  });
  return () => source.close();
}
