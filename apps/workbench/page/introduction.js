// The introduction for a reader who has not seen a suite: a paragraph, a drawing, examples to open.
import { el, framed } from "./dom.js";
import { TITLES, exampleId } from "./examples/example.js";
import { explanations } from "./help.js";

/** @param {boolean} isOpen whether there is nothing else to look at yet */
export function introduction(isOpen) {
  return el(
    "details",
    { class: "introduction", open: isOpen },
    el("summary", {}, "What a suite is, with three examples to open"),
    el(
      "p",
      {},
      "Does a language model know that verbs agree with their subjects? A ",
      el("b", {}, "suite"),
      " asks with pairs of sentences that differ in one place. The model reads both, and the place that breaks the rule should ",
      el("b", {}, "surprise"),
      " it more. You write the sentences in a table and say where the surprise is expected; evalmark checks both, runs a model, and counts how often it is as predicted.",
    ),
    drawing(),
    explanations("suite", "item", "condition", "region", "prediction", "surprisal"),
    el("h2", {}, "Open an example"),
    el(
      "ul",
      { class: "examples" },
      ...Object.entries(TITLES).map(([name, [title, text]]) =>
        el(
          "li",
          {},
          el("a", { href: `#/new/${exampleId(name)}` }, title),
          el("small", {}, `${text}; with the surprisals of a small model`),
        ),
      ),
    ),
  );
}

/** An item, its conditions and regions, and one prediction. */
function drawing() {
  const row = (/** @type {string} */ condition, /** @type {string[]} */ texts, /** @type {string} */ bar) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, condition),
      ...texts.map((text, at) =>
        at === 1
          ? el("td", { class: `place ${bar}` }, text, el("span", { class: "bar", "aria-hidden": "true" }))
          : el("td", {}, text),
      ),
    );
  const heads = ["item 1", "Subject", "Verb", "Rest"];
  const rows = [
    row("match", ["The author", "laughs", "often."], "low"),
    row("mismatch", ["The author", "laugh", "often."], "high"),
  ];
  return el(
    "figure",
    { class: "drawing" },
    framed("An item", heads, el("tbody", {}, ...rows)),
    el(
      "figcaption",
      {},
      "Two conditions of one item, three regions. The prediction: the Verb is less surprising in match than in mismatch, ",
      el("code", {}, "(2;%match%) < (2;%mismatch%)"),
      ". The bars are the surprise that is expected.",
    ),
  );
}
