// The answer of a store as a table: columns sort it, and names ask the next question.
import { button, counted, el, fill, withCode } from "../dom.js";
import { ASKED_WITH, HEADINGS, QUESTIONS, storeLink } from "./questions.js";
/** @import {StoreAnswer, StoreColumn} from "../engine.js" */

/** Digits that a number has at least, and at most. */
const DIGITS = [6, 17];

/** How many rows there are, and how many of them are shown. @param {StoreAnswer} answer */
export function rowsInWords({ rows, total }) {
  if (total === null) return `the first ${counted(rows.length, "row")}; there are more`;
  if (total > rows.length) return `the first ${rows.length.toLocaleString("en")} of ${counted(total, "row")}`;
  return total ? counted(total, "row") : "no rows";
}

/**
 * Sentences about an answer, with links where they name a question.
 * @param {string} store @param {string[]} notes
 */
export const notesOf = (store, notes) =>
  notes.map((note) =>
    el(
      "p",
      {},
      ...withCode(note).map((part) => {
        const [, name = ""] =
          /^evalmark store (\w+)$/.exec(part instanceof Element ? part.textContent : "") ?? [];
        return name in QUESTIONS ? el("a", { href: storeLink(store, name) }, name) : part;
      }),
    ),
  );

/** @param {string} store @param {StoreAnswer} answer @param {string} label */
export function answerTable(store, answer, label) {
  const { columns } = answer;
  const texts = columns.map((column, at) =>
    textsOf(
      column,
      answer.rows.map((row) => row[at]),
    ),
  );
  let isWhole = false;
  let sorted = { at: -1, isUp: true };
  const head = el("tr", {});
  const body = el("tbody", {});
  const places = () => columns.map((_, at) => at).filter((at) => isWhole || columns[at].shown);

  const drawRows = () => {
    const shown = places();
    const named = shown.find((at) => columns[at].name in ASKED_WITH) ?? shown[0];
    const order = sorted.at < 0 ? answer.rows.map((_, at) => at) : orderOf(answer, sorted.at, sorted.isUp);
    const cell = (/** @type {number} */ row, /** @type {number} */ at) => {
      const text = texts[at][row];
      const question = text ? ASKED_WITH[columns[at].name] : undefined;
      const content = question ? el("a", { href: storeLink(store, question, [text]) }, text) : text;
      const isNumber = columns[at].type === "number";
      return at === named
        ? el("th", { scope: "row", class: isNumber && "number" }, content)
        : el("td", { class: isNumber && "number" }, content);
    };
    fill(body, ...order.map((row) => el("tr", {}, ...shown.map((at) => cell(row, at)))));
    shown.forEach((at, place) => {
      const direction = at !== sorted.at ? null : sorted.isUp ? "ascending" : "descending";
      if (direction) head.children[place].setAttribute("aria-sort", direction);
      else head.children[place].removeAttribute("aria-sort");
    });
  };
  // Up, down, and as the answer came.
  const sort = (/** @type {number} */ at) => {
    if (sorted.at !== at) sorted = { at, isUp: true };
    else if (sorted.isUp) sorted = { at, isUp: false };
    else sorted = { at: -1, isUp: true };
    drawRows();
  };
  const draw = () => {
    const heads = places().map((at) =>
      el(
        "th",
        { scope: "col", class: columns[at].type === "number" && "number" },
        button(HEADINGS[columns[at].name] ?? columns[at].name, () => sort(at)),
      ),
    );
    fill(head, ...heads);
    drawRows();
  };
  draw();
  const all = el("input", {
    type: "checkbox",
    onchange: () => {
      isWhole = all.checked;
      draw();
    },
  });
  const hidden = columns.filter(({ shown }) => !shown).length;
  return el(
    "div",
    {},
    hidden > 0 && el("label", { class: "check small" }, all, `all ${columns.length} columns`),
    el(
      "div",
      { class: "wide answer", tabindex: "0", role: "region", "aria-label": label },
      el("table", {}, el("thead", {}, head), body),
    ),
  );
}

/** Cells as texts; numbers of a column with as few digits as tell them apart. @param {StoreColumn} column @param {unknown[]} cells */
function textsOf({ type }, cells) {
  const numbers = type === "number" ? cells.filter((cell) => typeof cell === "number") : [];
  const different = new Set(numbers).size;
  let [digits, most] = DIGITS;
  const rounded = (/** @type {number} */ cell) =>
    Number.isInteger(cell) ? String(cell) : String(Number(cell.toPrecision(digits)));
  while (digits < most && new Set(numbers.map(rounded)).size < different) digits += 1;
  return cells.map((cell) => {
    if (cell === null) return "";
    if (typeof cell === "number") return rounded(cell);
    if (typeof cell === "boolean") return cell ? "yes" : "no";
    return typeof cell === "string" ? cell : JSON.stringify(cell);
  });
}

/**
 * The order of rows by a column; empty cells are last either way.
 * @param {StoreAnswer} answer @param {number} at @param {boolean} isUp
 */
function orderOf({ columns, rows }, at, isUp) {
  const isNumber = columns[at].type === "number";
  const values = rows.map((row) => {
    const cell = row[at];
    if (cell === null) return null;
    if (!isNumber) return typeof cell === "object" ? JSON.stringify(cell) : String(cell);
    return Number.isNaN(Number(cell)) ? null : Number(cell);
  });
  const compare = new Intl.Collator("en", { numeric: true }).compare;
  return rows
    .map((_, row) => row)
    .sort((one, other) => {
      const [a, b] = [values[one], values[other]];
      if (a === null || b === null) return Number(a === null) - Number(b === null);
      const order =
        typeof a === "number" && typeof b === "number"
          ? Math.sign(a - b) || 0
          : compare(String(a), String(b));
      return isUp ? order : -order;
    });
}
