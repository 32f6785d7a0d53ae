/** Sounds and spoken verdicts, off by one tap. */
import { keep, kept } from "./kept.js";
import { language, t } from "./texts.js";

const KEY = "meldwatch.sound";
let on = kept(KEY) !== "off";
let audio = null, maySpeak = false;

/** Let a button switch sound. */
export function soundButton(button) {
  if (!button) return;
  const show = () => {
    button.setAttribute("aria-pressed", String(on));
    button.textContent = t(on ? "sound.on" : "sound.off");
  };
  button.addEventListener("click", () => {
    on = !on;
    keep(KEY, on ? "on" : "off");
    if (!on) window.speechSynthesis?.cancel();
    show();
  });
  show();
}

function tone(hertz, seconds, volume) {
  try {
    audio ??= new AudioContext();
    if (audio.state !== "running") return;
    const source = audio.createOscillator(), gain = audio.createGain();
    source.frequency.value = hertz;
    gain.gain.setValueAtTime(volume, audio.currentTime);
    gain.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + seconds);
    source.connect(gain).connect(audio.destination);
    source.start();
    source.stop(audio.currentTime + seconds);
  } catch { /* a browser without sound */ }
}

/** Sound is allowed only after the first tap, and on iPhones speech only once something, be it nothing, was said in one. */
export function unlock() {
  try { audio ??= new AudioContext(); audio.resume(); } catch { /* as above */ }
  if (maySpeak || !window.speechSynthesis) return;
  maySpeak = true;
  window.speechSynthesis.speak(new SpeechSynthesisUtterance(""));
}

/** Tick the last seconds away. */
export function tick() { if (on) tone(880, 0.05, 0.1); }

/** Say a verdict, and sound what kind it is. */
export function announce(found) {
  if (!on || found.kind === "wait") return;
  tone({ good: 660, ask: 520, bad: 220 }[found.kind], 0.25, 0.15);
  const voice = window.speechSynthesis;
  if (!voice || typeof SpeechSynthesisUtterance === "undefined") return;
  voice.cancel();
  const words = new SpeechSynthesisUtterance([found.title, ...found.lines.slice(0, 1)].join(" "));
  words.lang = language;
  voice.speak(words);
}
