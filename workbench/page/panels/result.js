// The result of a run: accuracies with chance, the items that fail, charts.
import { button, el, fragment, withCode } from "../dom.js";
import { what } from "../help.js";
/** @import {Result, SuiteResult, PredictionResult} from "../engine.js" */

/** An accuracy as text. @param {number | null | undefined} value */
export const percent = (value) => (value === null || value === undefined ? "–" : value.toFixed(3));

/** A drawing of the server. @param {string | undefined} markup */
export const chart = (markup) => (markup ? el("div", { class: "charts" }, fragment(markup)) : null);

/**
 * @param {Result} result
 * @param {((item: number) => void) | null} goTo
 * @param {string} [only] the name of a suite
 */
export function resultView(result, goTo, only) {
  const suites = result.suites.filter(({ name }) => only === undefined || name === only);
  const shown = suites.length ? suites : result.suites;
  return el("div", { class: "result" }, ...shown.map((suite) => suiteResult(suite, goTo, shown.length > 1)));
}

/** @param {SuiteResult} suite @param {((item: number) => void) | null} goTo @param {boolean} isNamed */
export function suiteResult(suite, goTo, isNamed) {
  const rows = suite.predictions.map((one) => predictionRow(one, suite.items, goTo));
  const heads = [
    ["prediction", what("prediction")],
    ["accuracy", what("accuracy")],
    ["95 % interval", what("interval")],
    ["chance", what("chance")],
    ["items that fail", what("item")],
  ];
  return el(
    "section",
    {},
    isNamed && el(goTo ? "h3" : "h2", {}, suite.name),
    rows.length
      ? el(
          "div",
          { class: "wide", tabindex: "0", role: "region", "aria-label": `accuracies of ${suite.name}` },
          el(
            "table",
            {},
            el("thead", {}, el("tr", {}, ...heads.map((head) => el("th", { scope: "col" }, ...head)))),
            el("tbody", {}, ...rows),
          ),
        )
      : el("p", {}, "No accuracy: the suite has no prediction. Surprisals only:"),
    chart(suite.chart),
  );
}

/** @param {PredictionResult} one @param {number} items @param {((item: number) => void) | null} goTo */
function predictionRow(one, items, goTo) {
  const isBelow = one.chance !== null && one.accuracy < one.chance;
  const fails = one.fails
    .slice(0, 60)
    .map((item) =>
      goTo
        ? button(String(item), () => goTo(item), { class: "item-link", "aria-label": `go to item ${item}` })
        : el("span", { class: "item-link" }, String(item)),
    );
  const more = one.fails.length - fails.length;
  return el(
    "tr",
    {},
    el(
      "th",
      { scope: "row" },
      one.label,
      el("small", {}, ...withCode(one.formula ? `\`${one.formula}\`` : "")),
    ),
    el(
      "td",
      { class: `number ${isBelow ? "bad" : ""}` },
      percent(one.accuracy),
      isBelow && " ▼ below chance",
    ),
    el("td", { class: "number" }, `${percent(one.low)} to ${percent(one.high)}`),
    el("td", { class: "number" }, percent(one.chance)),
    el(
      "td",
      {},
      ...(fails.length ? fails : [el("span", { class: "good" }, `none of ${items}`)]),
      more > 0 && ` and ${more} more`,
    ),
  );
}
