/** Players, scores, rounds, and the chart of the match. */
import { h } from "./dom.js";
import { t } from "./texts.js";

const DASHES = ["none", "7 4", "2 4", "10 3 2 3", "1 3", "12 6"];
const COLOURS = 6;

function clock(found) {
  if (!found) return null;
  const left = Math.max(0, Math.ceil(found.left_s));
  const text = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  const state = found.expired ? "expired" : left <= 15 && found.running ? "hurry" : "";
  return h("p", { class: `clock ${state}`, id: "clock" }, text,
    found.paused ? h("span", { class: "faint" }, ` ${t("clock.paused")}`) : null);
}

/** Say who won the match, alone or together; null where nobody did. */
export function won(match) {
  if (match.winner) return t("matches.won", { name: match.winner });
  return match.shared?.length ? t("matches.shared", { names: match.shared.join(", ") }) : null;
}

/** Return which round is played, and of a round of several games which of them. */
function roundOf({ round, games_per_round: games }) {
  return games > 1 ? t("players.of_round", { round: Math.ceil(round / games), game: (round - 1) % games + 1 }) : t("players.nth_round", { round });
}

/** Return the card of players; with `rename`, which asks for another name, a tap on a name calls it. */
export function players(snapshot, rename = null) {
  const match = snapshot.match;
  if (!match) return [h("h2", {}, t("players.label")), h("p", { class: "faint" }, t("players.none"))];
  const order = [...match.players].sort((a, b) => a.rank - b.rank);
  const rows = match.players.map((player) => h("tr", { class: player.name === match.turn ? "turn" : "" },
    h("th", { scope: "row" },
      player.name === match.turn ? h("span", { class: "pointer", "aria-hidden": "true" }, "▶ ") : null,
      rename ? h("button", { type: "button", class: "name", "data-key": `rename-${player.name}`, title: t("rename.title"), onclick: () => rename(player.name) }, player.name) : player.name,
      player.name === match.turn ? h("span", { class: "hidden" }, ` (${t("players.to_move")})`) : null,
      match.phase === "playing" && !player.opened ? h("span", { class: "faint small" }, ` ${t("players.not_opened")}`) : null),
    h("td", {}, player.rack_unsure ? "?" : String(player.rack)),
    h("td", { class: "score" }, String(player.score)),
    match.wins ? h("td", {}, String(player.games)) : null,
    h("td", {}, `${player.rank}.`)));
  return [
    h("div", { class: "head" },
      h("h2", {}, match.turn ? t("players.turn", { name: match.turn }) : t(`phase.${match.phase}`)),
      clock(snapshot.clock)),
    won(match) ? h("p", { class: "winner" }, won(match)) : null,
    h("table", { class: "scores" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("players.name")), h("th", { scope: "col" }, t("players.rack")),
        h("th", { scope: "col" }, t("players.score")), match.wins ? h("th", { scope: "col" }, t("players.wins")) : null,
        h("th", { scope: "col" }, t("players.rank")))),
      h("tbody", {}, rows)),
    h("p", { class: "faint" }, [
      match.round ? t("players.status", { round: roundOf(match), pool: match.pool, rules: match.rules_name }) : match.rules_name,
      match.hand_limit ? t("players.limit", { limit: match.hand_limit }) : "",
    ].filter(Boolean).join(" · ")),
    match.rounds.length ? chart(match, order) : null,
  ];
}

/** Return how a seat's line is drawn; where colours come again, the dashes are others. */
function stroke(seat) {
  const again = Math.floor(seat / COLOURS);
  return { class: `line line${seat % COLOURS}`, "stroke-dasharray": DASHES[(seat + again) % DASHES.length] };
}

/** Draw every player's total after each round. */
function chart(match, order) {
  const width = 320, height = 110, edge = 8;
  const lines = order.map((player) => {
    let sum = 0;
    const totals = [0, ...match.rounds.map((round) => (sum += round.scores[player.name] ?? 0))];
    // What was agreed apart from the rounds has no place among them.
    return { name: player.name, totals: [...totals.slice(0, -1), player.score], stroke: stroke(match.players.indexOf(player)) };
  });
  const all = lines.flatMap((line) => line.totals);
  const low = Math.min(...all), span = Math.max(...all) - low || 1;
  const x = (place) => edge + place / match.rounds.length * (width - 2 * edge);
  const y = (total) => height - edge - (total - low) / span * (height - 2 * edge);
  const words = lines.map((line) => `${line.name} ${line.totals.at(-1)}`).join(", ");
  return h("figure", { class: "chart" },
    h("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": t("players.chart", { scores: words }) },
      h("line", { x1: edge, x2: width - edge, y1: y(0), y2: y(0), class: "zero" }),
      lines.map((line) => h("polyline", { points: line.totals.map((total, at) => `${x(at)},${y(total)}`).join(" "), ...line.stroke }))),
    h("figcaption", {}, lines.map((line) => h("span", { class: "key" },
      h("svg", { viewBox: "0 0 30 6", "aria-hidden": "true" }, h("line", { x1: 0, x2: 30, y1: 3, y2: 3, ...line.stroke })),
      line.name))));
}
