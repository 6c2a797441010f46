// Results that the site has of its own suites, below the suite.
import { el } from "../dom.js";
import { headed } from "../help.js";
import { suiteResult } from "../panels/result.js";
/** @import {BrowserEngine} from "./engine.js" */

/** Results that are shown; the start page leads to all. */
const SHOWN = 3;

/**
 * @param {BrowserEngine} engine @param {string} path @param {(item: number) => void} goTo
 * @returns {Promise<HTMLElement | null>}
 */
export async function recordedRuns(engine, path, goTo) {
  if (!engine.given.has(path)) return null;
  const results = [];
  for (const { run, model, suite } of (engine.recorded[path] ?? []).slice(0, SHOWN)) {
    const found = (await engine.result(run)).suites.find(({ name }) => name === suite);
    const link = el("a", { href: `#/result/${encodeURIComponent(run)}` }, model);
    if (found) results.push(el("section", { class: "result" }, el("h3", {}, link), suiteResult(found, goTo, false)));
  }
  if (!results.length) return null;
  return el(
    "section",
    { class: "panel", "aria-labelledby": "recorded-title" },
    headed("recorded-title", "Recorded results", "surprisal"),
    el("p", { class: "small faint" }, "Of this suite as it was published, without your changes. Nothing was run here."),
    ...results,
  );
}
