// Which column of a table is what: a dialog that shows at once what the suite would be.
import { goesOn } from "./dialogs.js";
import { counted, el, fill, framed, withCode } from "./dom.js";
import { EngineError } from "./engine.js";
/** @import {Engine, Pasted, TableAnswer, TableReading, TableSource} from "./engine.js" */
/** @import {Suite} from "./suite/types.js" */

/** @typedef {(begin: Begin) => Promise<void>} Again shows the dialog again, as it was left */
/** @typedef {(data: Suite, notes: string[], again?: Again) => void} Begin */

/** @param {File} file */
export const isSpreadsheet = ({ name }) => /\.(xlsx|ods)$/i.test(name);

/** The bytes of a file in Base64. @param {File} file @returns {Promise<string>} */
export const base64 = (file) =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).split(",", 2)[1] ?? "");
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });

/**
 * Make a suite of a table or another text; what is refused, and may have to be chosen.
 * @param {Engine} engine
 * @param {TableSource} source
 * @param {Begin} begin
 * @param {Record<string, string>} [choices]
 * @returns {Promise<Pasted | null>}
 */
export async function makeSuite(engine, source, begin, choices = {}) {
  const answer = await engine.convert(source, choices);
  if (answer.table) await askColumns(engine, source, answer.table, begin);
  else if (answer.data) begin(answer.data, answer.notes ?? []);
  else return answer;
  return null;
}

/**
 * Ask what the columns of a table are, until they make a suite or the person does not want to.
 * @param {Engine} engine
 * @param {TableSource} source
 * @param {TableAnswer} first
 * @param {Begin} begin
 * @param {TableReading} [reading] what was chosen before
 */
export async function askColumns(engine, source, first, begin, reading = {}) {
  const dialog = new ColumnChoice(engine, source, first, reading);
  if (!(await goesOn("What are the columns?", dialog.content, "Make the suite"))) return;
  await dialog.updating; // what was chosen last may not be read yet
  const { answer } = dialog;
  if (!answer.data) return askColumns(engine, source, answer, begin, dialog.reading);
  begin(answer.data, answer.notes ?? [], (next) => askColumns(engine, source, answer, next, dialog.reading));
}

class ColumnChoice {
  /** @param {Engine} engine @param {TableSource} source @param {TableAnswer} first @param {TableReading} reading */
  constructor(engine, source, first, reading) {
    this.engine = engine;
    this.source = source;
    this.answer = first;
    this.reading = { ...reading, roles: { ...reading.roles } };
    this.requests = 0;
    /** The reading of what was chosen last. @type {Promise<void> | undefined} */
    this.updating = undefined;
    this.table = el("div", { class: "becomes" });
    this.header = el("input", {
      type: "checkbox",
      onchange: () => this.change({ header: this.header.checked, roles: {} }),
    });
    this.outcome = el("div", { class: "becomes", role: "status" });
    this.content = [
      el("p", { class: "faint" }, `${counted(first.count, "row")}. Check what each column holds:`),
      this.table,
      el("label", { class: "check" }, this.header, " the first row names the columns"),
      this.outcome,
    ];
    this.draw();
  }

  /** @param {TableReading} part */
  change(part) {
    Object.assign(this.reading, part);
    this.updating = this.update();
  }

  async update() {
    const request = ++this.requests;
    try {
      const answer = await this.engine.table(this.source, this.reading);
      if (request === this.requests) this.answer = answer;
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      if (request === this.requests) this.answer = { ...this.answer, data: undefined, refused: error.message };
    }
    if (request === this.requests) this.draw();
  }

  draw() {
    const { names, roles, rows, header, choices } = this.answer;
    const focused = /** @type {HTMLElement | null} */ (document.activeElement)?.getAttribute("aria-label");
    const selects = roles.map((role, at) => this.roleOf(names[at], role, at, choices));
    const chosen = el("tr", { class: "roles" }, ...selects.map((select) => el("td", {}, select)));
    fill(this.table, framed("First rows", names, el("tbody", {}, chosen, ...rows.map(rowOf))));
    this.header.checked = header;
    fill(this.outcome, ...this.becomes());
    // A missing choice keeps the dialog open, and says why.
    selects[0].setCustomValidity(this.answer.refused ?? "");
    selects.find((select) => select.getAttribute("aria-label") === focused)?.focus();
  }

  /** @param {string} name @param {string} role @param {number} at @param {Record<string, string>} words */
  roleOf(name, role, at, words) {
    const select = el(
      "select",
      {
        "aria-label": `${name} is`,
        onchange: () => this.change({ roles: { ...this.reading.roles, [at]: select.value } }),
      },
      ...Object.entries(words).map(([value, text]) => el("option", { value }, text)),
    );
    select.value = role;
    return select;
  }

  /** The first sentences of the suite, or why there is none. */
  becomes() {
    const { refused, asked, columns = [], sentences = [], notes = [] } = this.answer;
    if (refused) return [el("p", { class: "bad" }, ...withCode(refused))];
    return [
      el("h3", {}, "The suite begins"),
      framed("First sentences of the suite", columns, el("tbody", {}, ...sentences.map(rowOf))),
      // The suite is not made before this is checked.
      asked && el("label", { class: "check" }, el("input", { type: "checkbox", required: true }), ` yes: ${asked}`),
      notes.length > 0 && el("ul", { class: "small faint" }, ...notes.map((note) => el("li", {}, ...withCode(note)))),
    ];
  }
}

/** @param {string[]} cells */
const rowOf = (cells) => el("tr", {}, ...cells.map((cell) => el("td", { dir: "auto" }, cell)));
