/** A phone as camera: frames by fetch, one in flight, as often as the link and the table want. */
import { fill, h, place } from "./dom.js";
import { keep, kept } from "./kept.js";
import { t } from "./texts.js";

const view = place("view"), state = place("phone-state"), button = place("phone-start"), choice = place("phone-camera");
const canvas = document.createElement("canvas");
const KEY = "meldwatch.camera", BACK = { facingMode: { ideal: "environment" } };
const QUALITY = 0.85, MOST_WIDE = 1920, STALE_MS = 3000, RETRY_MS = 1500;
/** A connection may have died unheard: it would be waited for, for minutes, though the network is back. */
const PATIENCE_MS = 10000;
let stream = null, running = false, lock = null, sentAt = 0;

function say(key, kind = "") {
  state.textContent = t(key);
  state.className = `note ${kind}`;
}

function closeCamera() {
  stream?.getTracks().forEach((track) => track.stop());
}

function ask(which) {
  return navigator.mediaDevices.getUserMedia({ audio: false, video: { ...which, width: { ideal: 1920 }, height: { ideal: 1080 }, frameRate: { ideal: 15 } } });
}

async function openCamera() {
  closeCamera();
  const id = kept(KEY);
  const opened = await (id ? ask({ deviceId: { exact: id } }).catch(() => ask(BACK)) : ask(BACK));
  closeCamera(); // one that was asked for twice came twice
  view.srcObject = stream = opened;
  await view.play();
  opened.getVideoTracks()[0].addEventListener("ended", () => running && start());
}

/** Let a phone with several cameras on its back choose: browsers may take one that is far too wide. */
async function offer() {
  const used = stream.getVideoTracks()[0].getSettings().deviceId;
  const front = (one) => one.getCapabilities?.().facingMode?.includes("user");
  const found = (await navigator.mediaDevices.enumerateDevices())
    .filter((one) => one.kind === "videoinput" && (one.deviceId === used || !front(one)));
  fill(choice, found.map((one, n) => h("option", { value: one.deviceId, selected: one.deviceId === used }, one.label || String(n + 1))));
  choice.parentElement.hidden = found.length < 2;
}

async function stayAwake() {
  try { lock = await navigator.wakeLock?.request("screen"); } catch { lock = null; }
}

function jpeg() {
  const scale = Math.min(1, MOST_WIDE / view.videoWidth);
  canvas.width = Math.round(view.videoWidth * scale);
  canvas.height = Math.round(view.videoHeight * scale);
  canvas.getContext("2d", { alpha: false }).drawImage(view, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", QUALITY));
}

/** Whether there is a picture to send: of a camera that was taken away its last one is left, or a black one. */
const films = () => Boolean(stream?.active && view.videoWidth && !document.hidden);

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function sendOne() {
  if (!films()) return 200;
  const picture = await jpeg();
  if (!picture) return 200;
  const headers = { "Content-Type": "image/jpeg", Accept: "application/json" };
  const answer = await fetch("/camera/frame", { method: "POST", headers, body: picture, signal: AbortSignal.timeout?.(PATIENCE_MS) });
  if (answer.status === 403) { running = false; say("phone.expired", "bad"); return 0; }
  const told = await answer.json().catch(() => ({}));
  if (!answer.ok) {
    if (answer.status !== 429) { state.textContent = told.error ?? t("phone.trouble"); state.className = "note bad"; }
    return Number(answer.headers.get("Retry-After") ?? 1) * 1000;
  }
  sentAt = performance.now();
  if (films()) say("phone.live", "good");
  return told.wait_ms ?? 300;
}

async function run() {
  while (running) {
    const started = performance.now();
    let wait = RETRY_MS;
    try { wait = await sendOne(); } catch { say("phone.offline", "bad"); }
    // A slow link is not asked for more than half of its time.
    await pause(Math.max(wait, (performance.now() - started) / 2));
  }
}

/** Open the camera, for the first time or again. */
async function start() {
  try {
    await openCamera();
  } catch (error) {
    say(error.name === "NotAllowedError" ? "phone.forbidden" : "phone.no_camera", "bad");
    button.hidden = false;
    return;
  }
  button.hidden = true;
  await stayAwake();
  if (!running) { running = true; run(); }
  await offer();
}

setInterval(() => {
  if (running && sentAt && performance.now() - sentAt > STALE_MS && films()) say("phone.stale", "bad");
}, 1000);
document.addEventListener("visibilitychange", () => { if (!document.hidden && running) start(); });
button.addEventListener("click", start);
choice.addEventListener("change", () => {
  keep(KEY, choice.value);
  start();
});
start();
