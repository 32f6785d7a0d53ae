/** The page's words, in the page's language. */
const words = JSON.parse(document.getElementById("texts").textContent);
export const language = document.documentElement.lang || "en";

/** Return a text, with `{name}` replaced by the value of that name. */
export function t(key, values = {}) {
  return (words[key] ?? key).replace(/\{(\w+)\}/g, (place, name) => values[name] ?? place);
}

export const COLOURS = { R: "red", B: "blue", O: "orange", K: "black" };

/** Say a face in words: "Red 7". */
export function faceWords(face) {
  if (face === "J") return t("tile.joker");
  return t(`tile.${COLOURS[face[0]]}`, { number: face.slice(1) });
}
