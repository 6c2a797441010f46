// The result of a run over minimal pairs: accuracies with chance, and the pairs that fail.
import { el, framed } from "../dom.js";
import { accuracyCells, chart } from "./result.js";
/** @import {FailingPair, PairText, PairScore, PairUid, Pairs} from "../engine.js" */

/** @param {Pairs} pairs @param {string | undefined} drawing */
export function pairResult(pairs, drawing) {
  const isSeveral = pairs.uids.length > 1;
  return el(
    "div",
    { class: "result" },
    scores("Accuracy of each set", "set", pairs.sets),
    scores("Accuracy by field, term and language", "average of", pairs.averages),
    isSeveral && scores("Accuracy by paradigm", "paradigm (UID)", pairs.uids),
    chart(drawing),
    el("h2", {}, "Pairs that fail"),
    ...pairs.uids.map((uid) => failing(uid, pairs.uids.length === 1)),
  );
}

/** @param {string} title @param {string} what @param {PairScore[]} rows */
function scores(title, what, rows) {
  if (!rows.length) return null;
  const heads = [what, "accuracy", "95 % interval (Wilson)", "chance", "pairs"];
  return el(
    "section",
    {},
    el("h2", {}, title),
    framed(title, heads, el("tbody", {}, ...rows.map(scoreRow))),
  );
}

/** @param {PairScore} score */
function scoreRow(score) {
  const { name, high, chance, items, uids, is_correlation } = score;
  const note = is_correlation ? "correlation with people" : uids > 1 ? `average of ${uids} paradigms` : "";
  return el(
    "tr",
    {},
    el("th", { scope: "row" }, name, note && el("small", {}, note)),
    ...accuracyCells(score, high !== null && high < chance),
    el("td", { class: "number" }, items.toLocaleString("en")),
  );
}

/** @param {PairUid} uid @param {boolean} isOpen */
function failing(uid, isOpen) {
  const { name, told, pairs, failing: count, unit, method } = uid;
  if (!told) return null;
  if (!pairs.length) return el("p", { class: "good" }, `${name}: ${told}`);
  const heads = ["pair", "right text", "wrong text", `right one is worse by (${unit})`];
  const more = count - pairs.length;
  return el(
    "details",
    { open: isOpen },
    el("summary", {}, `${name}: ${told}${more ? `; the worst ${pairs.length} are shown` : ""}`),
    el("p", { class: "small faint" }, `Method ${method}.`),
    framed(`pairs of ${name} that fail`, heads, el("tbody", {}, ...pairs.map(pairRow))),
  );
}

/** @param {FailingPair} pair */
const pairRow = ({ name, texts, others, outcome, worse }) =>
  el(
    "tr",
    {},
    el("th", { scope: "row" }, name),
    ...texts.map((text, at) =>
      el("td", {}, ...shown(text), at > 0 && others > 0 && el("small", {}, ` and ${others} more`)),
    ),
    el("td", { class: "number" }, outcome === "wrong" && worse !== null ? worse.toFixed(2) : outcome),
  );

/** A text with what differs in bold. @param {PairText} text */
const shown = ({ context, parts: [start, middle, rest] }) => [
  context && el("small", {}, `${context} `),
  start,
  start && middle && " ",
  middle && el("b", {}, middle),
  (start || middle) && rest && " ",
  rest,
];
