// The questions to a store, what they are asked with, and their addresses.

/**
 * What a question is asked with. `of` says that names of the store are proposed, `kind` what is sent.
 * @typedef {{name: string, label: string, kind: "text" | "texts" | "flag" | "choice" | "query", required?: boolean, of?: "model" | "benchmark" | "store", choices?: Record<string, string>}} Field
 * @typedef {{does: string, title: (...values: string[]) => string, fields: Field[]}} Question
 */

/** @type {Field} */
const BENCHMARK = { name: "benchmark", label: "Benchmark", kind: "text", required: true, of: "benchmark" };

/** Name on the command line -> question. @type {Record<string, Question>} */
export const QUESTIONS = {
  top: {
    does: "rank the models of one benchmark",
    title: (name) => `Models of ${name}`,
    fields: [BENCHMARK, { name: "all", label: "every result", kind: "flag" }],
  },
  show: {
    does: "all results of one model",
    title: (name) => `Results of ${name}`,
    fields: [{ name: "model", label: "Model", kind: "text", required: true, of: "model" }],
  },
  compare: {
    does: "two models on the benchmarks that both have",
    title: (first, second) => `${first} and ${second}`,
    fields: [
      { name: "first", label: "First model", kind: "text", required: true, of: "model" },
      { name: "second", label: "Second model", kind: "text", required: true, of: "model" },
    ],
  },
  diff: {
    does: "what another store has added, removed and changed",
    title: (after) => `What has changed in ${after}`,
    fields: [{ name: "after", label: "Other store", kind: "text", required: true, of: "store" }],
  },
  conflicts: {
    does: "different numbers for the same model and benchmark",
    title: () => "Conflicts",
    fields: [],
  },
  duplicates: {
    does: "files, records and results that are there twice",
    title: () => "Duplicates",
    fields: [],
  },
  bounds: {
    does: "scores outside of their bounds",
    title: () => "Scores outside of their bounds",
    fields: [],
  },
  missing: {
    does: "models that lack a benchmark",
    title: (by) => ({ benchmark: "Benchmarks", model: "Models" })[by] ?? "Missing results",
    fields: [
      {
        name: "by",
        label: "Rows",
        kind: "choice",
        choices: { "": "empty cells", benchmark: "benchmarks", model: "models" },
      },
      { name: "models", label: "Models (* and ?)", kind: "texts", of: "model" },
      { name: "benchmarks", label: "Benchmarks (* and ?)", kind: "texts", of: "benchmark" },
    ],
  },
  sql: {
    does: "anything else",
    title: () => "SQL",
    fields: [{ name: "query", label: "SELECT over the view results", kind: "query", required: true }],
  },
};

/** Column of an answer -> the question that its cells are arguments of. @type {Record<string, string>} */
export const ASKED_WITH = { model: "show", model_key: "show", benchmark: "top", benchmark_name: "top", benchmark_key: "top" };

/** Column of an answer -> what is read above it. @type {Record<string, string>} */
export const HEADINGS = { benchmark_name: "benchmark" };

/**
 * The address of an answer. Values are in the order of the fields.
 * @param {string} store @param {string} question @param {string[]} [values]
 */
export function storeLink(store, question, values = []) {
  const used = values.slice(0, values.findLastIndex(Boolean) + 1);
  return `#/store/${[store, question, ...used].map(encodeURIComponent).join("/")}`;
}

/** Values as the engine wants them. @param {string} question @param {string[]} values */
export function argumentsOf(question, values) {
  /** @type {Record<string, unknown>} */
  const named = {};
  QUESTIONS[question].fields.forEach(({ name, kind }, at) => {
    const value = values[at];
    if (!value) return;
    named[name] = kind === "flag" ? true : kind === "texts" ? [value] : value;
  });
  return named;
}
