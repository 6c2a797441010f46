// The page of one suite: table, predictions, findings, details, and running models on it.
import { announce, append, backLink, button, counted, el, fill, inDocs, isComposing, withCode } from "./dom.js";
import { linkButton } from "./browser/shared_link.js";
import { CellEditor } from "./grid/cell_editor.js";
import { FindBox } from "./grid/find.js";
import { Grid } from "./grid/grid.js";
import { joiningChoice, joiningProposal } from "./grid/joining.js";
import { listen } from "./grid/keys.js";
import { entries } from "./grid/menu.js";
import { ask, menu, menuButton } from "./dialogs.js";
import { Details } from "./panels/details.js";
import { Findings, findingsAt, placeOf } from "./panels/findings.js";
import { modelField } from "./panels/models.js";
import { Predictions } from "./panels/predictions.js";
import { RecordedResult } from "./panels/recorded.js";
import { RunPanel } from "./panels/run.js";
import { SurprisalPanel } from "./panels/surprisals.js";
import { Saving } from "./saving.js";
import { StatusLine } from "./grid/status.js";
import { asSibling, freeName } from "./suite/sibling.js";
import { kept, newName, unsaved } from "./suite/storage.js";
import { EngineError } from "./engine.js";
import { askColumns } from "./table_dialog.js";
/** @import {Session} from "./suite/state.js" */
/** @import {Engine} from "./engine.js" */
/** @import {Example} from "./examples/example.js" */
/** @import {Child} from "./dom.js" */
/** @import {PastedKind} from "./grid/grid.js" */
/** @import {Begin} from "./table_dialog.js" */
/** @import {Finding, Label} from "./suite/types.js" */

/** Advice on running models elsewhere, since this page runs none. @param {string} file @returns {Child[]} */
const withoutModels = (file) => [
  "This page runs no models. Save the suite, ",
  inDocs("install evalmark", "#install"),
  ...withCode(` on your computer with its extra \`scoring\`, and run \`evalmark score ${/\s/.test(file) ? `"${file}"` : file} --model gpt2\`. With the extra \`serve\` too, \`evalmark serve\` opens this page for its folder, and runs models.`),
];

export class SuitePage {
  /**
   * @param {Session} session
   * @param {Engine} engine
   * @param {{id: string, join: string, begin: Begin, moved: (path: string) => void}} folder
   * @param {Example | null} [example] with its recorded result
   */
  constructor(session, engine, folder, example = null) {
    this.example = example;
    this.session = session;
    this.engine = engine;
    this.grid = new Grid(session);
    this.grid.join = folder.join;
    this.grid.kindOf = (text) => this.kindOf(text, folder.begin);
    this.editor = new CellEditor(this.grid);
    this.find = new FindBox(this.grid);
    this.predictions = new Predictions(session, engine);
    this.details = new Details(session);
    this.saving = new Saving(session, engine, folder.id, folder.moved);
    this.findings = new Findings(session, engine, {
      show: (key, finding) => this.show(key, finding),
      fix: (id) => void this.fix(id),
      changed: () => this.drawFindings(),
    });
    this.joining = joiningProposal(this.grid, (id) => void this.fix(id));
    this.status = new StatusLine(this.grid, session, (id) => void this.fix(id), () => this.findings.element.scrollIntoView());
    this.elsewhere = el("p", {});
    // Models run where `evalmark serve` runs.
    this.model = engine.inBrowser ? null : modelField(engine, session);
    this.surprisals = this.model && new SurprisalPanel(session, engine, this.grid, this.model.input);
    this.run =
      this.model && new RunPanel(session, engine, this.grid, this.model.input, (item) => this.goToItem(item));
    this.recorded = example && new RecordedResult(session, this.grid, example, (item) => this.goToItem(item));
    this.grid.findingsOf = (row, region) => findingsAt(session, this.findings.index, row, region);
    this.grid.findingsOfName = (number) => this.findings.index.get(`region ${number}`);
    this.predictions.findingsOf = (at) => this.findings.index.get(`prediction ${at}`);
    this.details.findingsOf = (key) => this.findings.index.get(`meta ${key}`);
    this.grid.onSelect = () => {
      this.status.draw();
      this.surprisals?.later();
      this.recorded?.draw();
    };
    listen(this.grid, this.editor, () => this.openMenu());
    this.undo = button("Undo", () => this.step("undo"), {
      "aria-keyshortcuts": "Control+Z",
      title: "Undo (Ctrl+Z)",
    });
    this.redo = button("Redo", () => this.step("redo"), {
      "aria-keyshortcuts": "Control+Shift+Z",
      title: "Redo (Ctrl+Shift+Z)",
    });
    this.name = el("h1", { tabindex: "-1" });
    this.element = el("div", { class: "suite with-table" });
    // In the order of reading: the table, then its findings, then forms.
    const side = el("div", { class: "side" }, this.findings.element);
    append(this.element, this.top(), this.tableSection(), this.predictions.element, side);
    append(this.element, this.results(), this.details.element);
    this.onkey = (/** @type {KeyboardEvent} */ event) => this.key(event);
    document.addEventListener("keydown", this.onkey);
    session.onChange(() => this.drawTop());
    this.drawTop();
    this.grid.refresh();
  }

  /** The page is left. */
  close() {
    document.removeEventListener("keydown", this.onkey);
    this.saving.close();
    this.predictions.shorten(0);
    this.run?.close();
    this.grid.resized.disconnect();
  }

  top() {
    return el(
      "header",
      { class: "top of-suite" },
      backLink(),
      this.name,
      this.saving.element,
      this.engine.inBrowser && linkButton(this.engine.inBrowser, this.session),
    );
  }

  tableSection() {
    const joined = () => {
      this.grid.render();
      this.status.draw();
      this.surprisals?.later();
    };
    return el(
      "section",
      { "aria-label": "Table", class: "table" },
      el(
        "div",
        { class: "tools", role: "group", "aria-label": "Table tools" },
        this.undo,
        this.redo,
        menuButton("Rows and columns", () => entries(this.grid)),
        button("Find", () => this.find.open(), { "aria-keyshortcuts": "Control+F", title: "Find (Ctrl+F)" }),
        button("Keys", () => void keysHelp(), { class: "plain" }),
        joiningChoice(this.grid, joined),
      ),
      this.joining.element,
      this.find.element,
      this.grid.element,
      this.status.element,
    );
  }

  /** Surprisals and runs. */
  results() {
    return el(
      "div",
      { class: "results" },
      this.recorded?.element,
      this.model?.element,
      this.surprisals?.element,
      this.run?.element ?? el("section", { class: "panel" }, el("h2", {}, "Run a model"), this.elsewhere),
    );
  }

  drawTop() {
    const { session } = this;
    const name = String(session.data.meta.name || session.path || "new suite");
    if (this.name.textContent !== name) this.name.textContent = name;
    document.title = `${session.isChanged ? "• " : ""}${name} – evalmark`;
    fill(this.elsewhere, ...withoutModels(this.saving.file));
    this.undo.toggleAttribute("disabled", !session.done.length);
    this.redo.toggleAttribute("disabled", !session.undone.length);
    this.undo.title = session.done.length ? `Undo ${session.done.at(-1)?.label} (Ctrl+Z)` : "Nothing to undo";
    this.status.draw();
    this.surprisals?.later();
    this.recorded?.draw();
  }

  drawFindings() {
    this.grid.drawHead();
    this.grid.render();
    this.joining.draw(this.findings.index.all);
    this.predictions.draw();
    this.details.draw();
    const { length } = this.findings.index.all;
    this.status.count.textContent = length ? counted(length, "finding") : "";
    this.status.draw();
  }

  /**
   * Ask whether pasted rows that name their columns are cells, or a suite of their own.
   * @param {string} text @param {Begin} begin @returns {Promise<PastedKind>}
   */
  async kindOf(text, begin) {
    const source = { text, name: String(this.session.data.meta.name || "my_suite") };
    const table = await this.engine.table(source, {}).catch(() => null);
    if (!table?.header || !table.roles.includes("item")) return "cells";
    const answers = [
      { value: "suite", text: "Make a suite of it", class: "main" },
      { value: "cells", text: "Paste as cells" },
      { value: "", text: "Cancel" },
    ];
    const why = `These rows are a table: the first one names its columns (${table.names.join(", ")}). Pasted as cells, the first row becomes a sentence too.`;
    const answer = await ask("Paste a table", [el("p", {}, why)], answers);
    if (answer === "suite") {
      const { files, id } = await this.engine.folder();
      const others = unsaved(id).ids.map((one) => kept(id, newName(one))?.data.meta.name);
      const name = freeName(source.name, [...files.map((file) => file.name), ...others]);
      void askColumns(this.engine, source, table, asSibling(this.session.data, name, begin));
    }
    return answer === "cells" ? "cells with a header" : "suite";
  }

  openMenu() {
    const cell = this.grid.elementAt(this.grid.active);
    if (cell) menu(entries(this.grid), cell.getBoundingClientRect(), () => this.grid.focus());
  }

  /** @param {"undo" | "redo"} which */
  step(which) {
    if (this.editor.isOpen) this.editor.close(true);
    const step = this.session[which]();
    if (!step) return announce(`nothing to ${which}`);
    const where = /** @type {any} */ (step.where);
    if (where?.prediction !== undefined)
      this.predictions.focus(Math.min(where.prediction, this.predictions.entries.length - 1));
    else if (where?.meta) this.details.focus(where.meta);
    else if (where?.row !== undefined) this.grid.go(where);
    announce(`${which === "undo" ? "undone" : "redone"}: ${step.label}`);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (isComposing(event) || !(event.ctrlKey || event.metaKey) || event.altKey || document.querySelector("dialog[open]")) return;
    const key = event.key.toLowerCase();
    // A field of text has its own undo until it is left.
    const target = /** @type {HTMLElement} */ (event.target);
    const isOwn = target.closest(".details, .find, .cell-input") || target.classList.contains("description");
    if (key === "z" && !isOwn) this.step(event.shiftKey ? "redo" : "undo");
    else if (key === "y" && !isOwn) this.step("redo");
    else if (key === "f" && !event.shiftKey) this.find.open();
    else if (key === "h" && !event.shiftKey) this.find.open({ replaces: true });
    else if (key === "s") {
      if (this.editor.isOpen) this.editor.close(true);
      if (target.matches("input, textarea, select")) target.dispatchEvent(new Event("change"));
      void this.saving.save();
    } else return;
    event.preventDefault();
  }

  /** @param {string} key @param {Finding | Label} finding */
  show(key, finding) {
    const [what, which] = key.split(" ");
    if (what === "prediction") return this.predictions.focus(Number(which), finding.start);
    if (what === "meta") return this.details.focus(which);
    const place = placeOf(this.session, key);
    if (place) this.grid.go(place);
    this.grid.element.scrollIntoView({ block: "nearest" });
  }

  /** @param {number} number the number of an item */
  goToItem(number) {
    const at = this.session.data.items.findIndex((item) => item.item_number === number);
    const row = this.grid.table.firstOf[at];
    if (row === undefined) return announce(`there is no item ${number} any more`);
    this.grid.element.scrollIntoView({ block: "nearest" });
    this.grid.go({ row, column: 2 });
  }

  /** @param {string} id of a fix, or "safe" */
  async fix(id) {
    if (this.editor.isOpen) this.editor.close(true);
    const { version, committed, path } = this.session;
    try {
      const { data, applied } = await this.engine.fix(path, committed, id);
      if (version !== this.session.version) return announce("not fixed: the suite was changed meanwhile");
      this.session.apply(`fix of ${applied === 1 ? "a finding" : `${applied} findings`}`, () => data, {
        where: this.grid.active,
      });
      announce(
        applied === 1 ? "fixed; Ctrl+Z takes it back" : `${applied} findings fixed; Ctrl+Z takes it back`,
      );
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      announce(`not fixed: ${error.message}`);
    }
  }
}

const KEYS = [
  ["arrows, Home, End, Page Up, Page Down", "go; with Shift select; with Ctrl to the edge"],
  ["Enter or F2", "edit the cell; typing replaces its text"],
  ["Enter", "keep the text and go down, after the last row to a new item; Esc takes it back"],
  ["Tab", "while you write, go to the next cell; otherwise leave the table"],
  ["Ctrl+C, Ctrl+X, Ctrl+V", "copy, cut, paste blocks, also from and to a spreadsheet"],
  ["Ctrl+D", "fill down"],
  ["Delete", "clear the selected cells"],
  ["Shift+F10", "rows and columns: insert, delete, rename"],
  ["Ctrl+Z, Ctrl+Shift+Z", "undo, redo"],
  ["Ctrl+F", "find"],
  ["Ctrl+H", "find and replace: Enter in this cell, Alt+Enter in all"],
  ["Ctrl+S", "save"],
  ["Ctrl+Space", "in a formula: completions"],
];

function keysHelp() {
  const rows = KEYS.flatMap(([keys, what]) => [el("dt", {}, keys), el("dd", {}, what)]);
  return ask("Keys", [el("dl", {}, ...rows)], [{ value: "ok", text: "Close", class: "main" }]);
}
