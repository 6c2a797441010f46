// The result of a run: accuracies with chance, the items that fail, charts.
import { button, counted, el, fragment, framed, withCode } from "../dom.js";
import { what } from "../help.js";
/** @import {Result, SuiteResult, PredictionResult} from "../engine.js" */

/** An accuracy as text. @param {number | null | undefined} value */
export const percent = (value) => (value === null || value === undefined ? "–" : value.toFixed(3));

/** A drawing of the server. @param {string | undefined} markup */
const chart = (markup) => (markup ? el("div", { class: "charts" }, fragment(markup)) : null);

/**
 * @param {Result} result
 * @param {(item: number) => void} goTo
 * @param {string} [only] the name of a suite
 */
export function resultView(result, goTo, only) {
  const suites = result.suites.filter(({ name }) => only === undefined || name === only);
  const shown = suites.length ? suites : result.suites;
  return el("div", { class: "result" }, ...shown.map((suite) => suiteResult(suite, goTo, shown.length > 1)));
}

/** @param {SuiteResult} suite @param {(item: number) => void} goTo @param {boolean} isNamed */
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
    isNamed && el("h3", {}, suite.name),
    ...(suite.notes ?? []).map((text) => el("p", { class: "doubt" }, `Note: ${text}.`)),
    rows.length > 0 && el("p", {}, verdictOf(suite)),
    rows.length
      ? framed(`accuracies of ${suite.name}`, heads, el("tbody", {}, ...rows))
      : el("p", {}, "No accuracy: the suite has no prediction. Surprisals only:"),
    ...suite.predictions.map((one) => failing(one, goTo)),
    chart(suite.chart),
    chart(suite.chart) &&
      el(
        "p",
        { class: "faint small" },
        "The lines are means over the items. The bars on them are 95 % intervals of the mean, computed on a log scale: they reach further up than down, and never below 0.",
      ),
  );
}

/** How the accuracy of each prediction compares with chance, in words. @param {SuiteResult} suite */
function verdictOf({ predictions, items }) {
  const count = (/** @type {string} */ verdict) => predictions.filter((one) => one.verdict === verdict).length;
  if (predictions.length > 1)
    return `Better than chance in ${count("better")} of ${predictions.length} predictions, not distinguishable from it in ${count("")}, worse in ${count("worse")} (${counted(items, "item")}).`;
  const { verdict } = predictions[0];
  return `With ${counted(items, "item")}, the accuracy is ${verdict ? `${verdict} than` : "not distinguishable from"} chance.`;
}

/** The items in which a prediction fails, with their sentences. @param {PredictionResult} one @param {(item: number) => void} goTo */
function failing({ label, fails, failures }, goTo) {
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
          button(`item ${item}`, () => goTo(item), { class: "link", "aria-label": `go to item ${item}` }),
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
  const { accuracy, low, high, chance, verdict } = one;
  return el(
    "tr",
    {},
    el(
      "th",
      { scope: "row" },
      one.label,
      el("small", {}, ...withCode(one.formula ? `\`${one.formula}\`` : "")),
    ),
    el("td", { class: `number ${verdict === "worse" ? "bad" : ""}` }, percent(accuracy), verdict === "worse" && " ▼ below chance"),
    el("td", { class: "number" }, low === null ? "–" : `${percent(low)} to ${percent(high)}`),
    el("td", { class: "number" }, percent(chance)),
    el(
      "td",
      { class: "number" },
      one.fails.length ? `${one.fails.length} of ${items}` : el("span", { class: "good" }, `none of ${items}`),
    ),
  );
}
