// A question to a store, and its answer.
import { button, el, fill } from "../dom.js";
import { EngineError } from "../engine.js";
import { back } from "../results_page.js";
import { answerTable, notesOf, rowsInWords } from "./answer_table.js";
import { QUESTIONS, argumentsOf, storeLink } from "./questions.js";
import { storeForm } from "./store_form.js";
/** @import {Engine, StoreAnswer} from "../engine.js" */

/** Rows at first, and at most. */
const ROWS = [200, 1000];

/**
 * @param {Engine} engine
 * @param {string} store
 * @param {string} [question]
 * @param {string[]} [values] its arguments, in the order of its fields
 */
export function storePage(engine, store, question = "missing", values = ["benchmark"]) {
  const asked = question in QUESTIONS ? question : "missing";
  const title = QUESTIONS[asked].title(...values);
  document.title = `${title} – ${store} – evalmark`;
  const status = el("p", { role: "status", class: "faint" });
  const place = el("div", {});
  const ask = async (limit = ROWS[0]) => {
    status.textContent = "asking …";
    fill(place);
    try {
      const answer = await engine.store(store, asked, argumentsOf(asked, values), limit);
      status.textContent = rowsInWords(answer);
      fill(place, ...answered(store, answer, title), more(answer, limit, ask));
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      status.textContent = "no answer";
      fill(place, ...refused(store, error, asked, values));
    }
  };
  void ask();
  return el(
    "div",
    { class: "start" },
    back(),
    el("h1", { tabindex: "-1" }, title),
    el("p", { class: "faint" }, store === "." ? "the store of this folder" : store),
    storeForm(engine, [store], { question: asked, values, again: () => void ask() }),
    status,
    place,
  );
}

/** @param {string} store @param {StoreAnswer} answer @param {string} title */
const answered = (store, answer, title) => [
  ...notesOf(store, answer.notes),
  answer.rows.length > 0 && answerTable(store, answer, title),
];

/** @param {StoreAnswer} answer @param {number} limit @param {(limit: number) => void} ask */
function more({ rows, total }, limit, ask) {
  if (total !== null && total <= rows.length) return null;
  if (limit < ROWS[1]) return button(`Show up to ${ROWS[1].toLocaleString("en")} rows`, () => ask(ROWS[1]));
  return el("p", {}, "All rows: ", el("code", {}, "evalmark store"), " in a terminal.");
}

/** @param {string} store @param {EngineError} error @param {string} question @param {string[]} values */
function refused(store, error, question, values) {
  /** @type {string[]} */
  const candidates = error.answer?.candidates ?? [];
  if (!candidates.length) return [el("p", { class: "bad", role: "alert" }, error.message)];
  // Of two names, the other one stays.
  const meaning = (/** @type {string} */ name) =>
    values.map((value) => (value === error.answer.given ? name : value));
  const links = candidates.map((name) =>
    el("li", {}, el("a", { href: storeLink(store, question, meaning(name)) }, name)),
  );
  return [
    el("p", { class: "bad", role: "alert" }, `${error.answer.given} can mean several ${error.answer.what}s:`),
    el("ul", {}, ...links),
  ];
}
