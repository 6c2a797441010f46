// The result of a run: accuracies with chance, the items that fail, charts.
import { button, counted, el, fragment, framed, withCode } from "../dom.js";
import { what } from "../help.js";
/** @import {Result, SuiteResult, PredictionResult} from "../engine.js" */

/** An accuracy as text. @param {number | null | undefined} value */
export const percent = (value) => (value === null || value === undefined ? "–" : value.toFixed(3));

/** @param {{accuracy: number | null, low: number | null, high: number | null, chance: number | null}} one @param {boolean} isBelow */
export const accuracyCells = ({ accuracy, low, high, chance }, isBelow) => [
  el("td", { class: `number ${isBelow ? "bad" : ""}` }, percent(accuracy), isBelow && " ▼ below chance"),
  el("td", { class: "number" }, low === null ? "–" : `${percent(low)} to ${percent(high)}`),
  el("td", { class: "number" }, percent(chance)),
];

/** Doubts about the numbers, shown before them. @param {string[] | undefined} texts */
export const notes = (texts) => (texts ?? []).map((text) => el("p", { class: "doubt" }, `Note: ${text}.`));

/** A drawing of the server. @param {string | undefined} markup */
export const chart = (markup) => (markup ? el("div", { class: "charts" }, fragment(markup)) : null);

/**
 * @param {Result} result
 * @param {((item: number) => void) | null} goTo null where the items are on another page
 * @param {string} [only] the name of a suite
 */
export function resultView(result, goTo, only) {
  const suites = result.suites.filter(({ name }) => only === undefined || name === only);
  const shown = suites.length ? suites : result.suites;
  return el("div", { class: "result" }, ...shown.map((suite) => suiteResult(suite, goTo, shown.length > 1)));
}

/** @param {SuiteResult} suite @param {((item: number) => void) | null} goTo @param {boolean} isNamed */
export function suiteResult(suite, goTo, isNamed) {
  const rows = suite.predictions.map((one) => predictionRow(one, suite.items));
  const heads = [
    ["prediction", what("prediction")],
    ["accuracy", what("accuracy")],
    ["95 % interval (Wilson)", what("interval")],
    ["chance", what("chance")],
    ["failing items", what("item")],
  ];
  return el(
    "section",
    {},
    isNamed && el(goTo ? "h3" : "h2", {}, suite.name),
    ...(goTo ? notes(suite.notes) : []),
    rows.length > 0 && el("p", {}, verdictOf(suite)),
    rows.length
      ? framed(`accuracies of ${suite.name}`, heads, el("tbody", {}, ...rows))
      : el("p", {}, "No accuracy: the suite has no prediction. Surprisals only:"),
    ...suite.predictions.map((one) => failing(one, goTo, suite.path)),
    chart(suite.chart),
    chart(suite.chart) &&
      el(
        "p",
        { class: "faint small" },
        "The lines are means over the items. The bars on them are 95 % intervals of the mean, computed on a log scale: they reach further up than down, and never below 0.",
      ),
  );
}

/** How some accuracies compare with chance, in words. @param {PredictionResult[]} all @param {string} what they are of */
export function comparedWithChance(all, what) {
  const count = (/** @type {string} */ verdict) => all.filter((one) => one.verdict === verdict).length;
  return `Better than chance in ${count("better")} of ${all.length} ${what}, not distinguishable from it in ${count("")}, worse in ${count("worse")}`;
}

/** How the accuracy of each prediction compares with chance, in words. @param {SuiteResult} suite */
function verdictOf({ predictions, items }) {
  if (predictions.length > 1) return `${comparedWithChance(predictions, "predictions")} (${counted(items, "item")}).`;
  const { verdict } = predictions[0];
  return `With ${counted(items, "item")}, the accuracy is ${verdict ? `${verdict} than` : "not distinguishable from"} chance.`;
}

/** The address of an item in the page of its suite. @param {string} path @param {number} item */
const itemLink = (path, item) => `#/item/${item}/${encodeURIComponent(path)}`;

/** The items in which a prediction fails, with their sentences. @param {PredictionResult} one @param {((item: number) => void) | null} goTo @param {string} [path] of the suite */
function failing({ label, fails, failures }, goTo, path) {
  if (!failures.length) return null;
  const more = fails.length - failures.length;
  return el(
    "details",
    { class: "failing", open: failures.length <= 3 },
    el("summary", {}, `Prediction ${label} fails in ${counted(fails.length, "item")}: the sentences`),
    el(
      "ul",
      {},
      ...failures.map(({ item, bits, sentences }) =>
        el(
          "li",
          {},
          goTo
            ? button(`item ${item}`, () => goTo(item), { class: "link", "aria-label": `go to item ${item}` })
            : path
              ? el("a", { href: itemLink(path, item), "aria-label": `go to item ${item}` }, `item ${item}`)
              : el("b", {}, `item ${item}`),
          bits === null ? "" : ` fails by ${bits.toFixed(2)} bits`,
          ...sentences.map(({ condition, text }) =>
            el("div", {}, el("small", { class: "faint" }, el("bdi", {}, condition), ": "), el("bdi", {}, text)),
          ),
        ),
      ),
    ),
    more > 0 && el("p", { class: "small" }, `and ${counted(more, "further item")}: ${fails.slice(failures.length, failures.length + 60).join(", ")}`),
  );
}

/** @param {PredictionResult} one @param {number} items */
function predictionRow(one, items) {
  return el(
    "tr",
    {},
    el(
      "th",
      { scope: "row" },
      one.label,
      el("small", {}, ...withCode(one.formula ? `\`${one.formula}\`` : "")),
    ),
    ...accuracyCells(one, one.verdict === "worse"),
    el(
      "td",
      { class: "number" },
      one.fails.length ? `${one.fails.length} of ${items}` : el("span", { class: "good" }, `none of ${items}`),
    ),
  );
}
