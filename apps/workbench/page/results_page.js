// The pages of a run and of two runs compared.
import { backLink, el, framed } from "./dom.js";
import { what } from "./help.js";
import { pairResult } from "./panels/pair_result.js";
import { chart, comparedWithChance, notes, percent, resultView } from "./panels/result.js";
/** @import {Engine} from "./engine.js" */

/** @param {Engine} engine @param {string} path */
export async function resultPage(engine, path) {
  const result = await engine.result(path);
  document.title = `${result.model} – evalmark`;
  return el(
    "div",
    { class: "start" },
    backLink(),
    el("h1", { tabindex: "-1" }, result.model),
    el("p", { class: "faint" }, path),
    ...notes(result.notes),
    ...(result.pairs
      ? [pairResult(result.pairs, result.chart)]
      : [verdicts(result.suites), chart(result.chart), resultView(result, null)]),
  );
}

/** How many suites are better than chance, in words. @param {import("./engine.js").SuiteResult[]} suites */
function verdicts(suites) {
  const scored = suites.flatMap(({ conjunction }) => conjunction ?? []);
  if (scored.length < 2) return null;
  const said = el("p", {}, `${comparedWithChance(scored, "suites")}.`);
  return el("div", { class: "row-of" }, said, what("interval"), what("chance"));
}

/** @param {Engine} engine @param {string} a @param {string} b */
export async function comparisonPage(engine, a, b) {
  const found = await engine.compare(a, b);
  document.title = `${a} and ${b} – evalmark`;
  return el(
    "div",
    { class: "start" },
    backLink(),
    el("h1", { tabindex: "-1" }, `${a} and ${b}`),
    found.other_texts &&
      el(
        "p",
        { class: "doubt" },
        el("b", {}, "The runs did not read the same texts: "),
        `${found.other_texts}. So their accuracies are not those of one test, and a difference of 0 does not mean that the models agree.`,
      ),
    comparisonTable(found),
    chart(found.chart),
    ...(found.suites ?? []).map((/** @type {{name: string, chart: string}} */ suite) =>
      el("section", {}, el("h2", {}, suite.name), chart(suite.chart)),
    ),
  );
}

/** @param {import("./engine.js").Compared} found */
function comparisonTable(found) {
  const heads = ["suite", "prediction", "items", "first", "second", "difference", "95 % interval", "p", "what may be claimed"];
  const all = [found.headline, found.pooled, ...found.comparisons].filter((one) => one !== null);
  const methods = [...new Set(all.map((one) => one.interval_method).filter(Boolean))];
  const rows = all.map((one) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, one.suite),
      el("td", {}, one.prediction),
      ...[
        String(one.items),
        percent(one.first),
        percent(one.second),
        signed(one.difference),
        one.interval ? `${signed(one.interval[0])} to ${signed(one.interval[1])}` : "–",
        one.p_value < 0.001 ? "< 0.001" : one.p_value.toFixed(3),
      ].map((text) => el("td", { class: "number" }, text)),
      el("td", {}, one.claim),
    ),
  );
  const caption = `first: ${found.labels.first}; second: ${found.labels.second}; differences are second minus first; their 95 % intervals: ${methods.join(", ")}`;
  return framed("Comparison", heads, el("tbody", {}, ...rows), caption);
}

const signed = (/** @type {number} */ value) => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(3)}`;
