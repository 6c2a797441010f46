// A file as text, with its findings at lines and columns: records, and whatever is not a table.
import { announce, backLink, button, capital, counted, debounced, el, fill, isComposing, withCode } from "./dom.js";
import { difference, goesOn, tell } from "./dialogs.js";
import { EngineError } from "./engine.js";
import { Explanations } from "./panels/explanation.js";
import { forget, keep, take, textName } from "./suite/storage.js";
import { TextEditor } from "./text_editor.js";
/** @import {Diagnostic} from "./codemirror/codemirror.js" */
/** @import {Engine, OpenedFile, CheckedText, TextFinding} from "./engine.js" */

/** Milliseconds of quiet before a check, and before a copy is kept: as long as a check takes, if that is more, up to the second. */
const [QUIET, LATEST] = [150, 2000];
/** Findings that are listed at once. */
const LISTED = 100;
/** Findings that are marked in the text. */
const MARKED = 1000;

export class TextPage {
  /**
   * @param {Engine} engine
   * @param {string} root
   * @param {OpenedFile} file
   * @param {string} problem why it is not a table; empty for kinds that never are
   * @param {() => void} reopen
   * @param {(() => Promise<void>) | null} make what makes a suite of it, if it is any table
   */
  constructor(engine, root, file, problem, reopen, make) {
    this.engine = engine;
    this.explanations = new Explanations(engine);
    this.root = root;
    this.keptAs = textName(file.path);
    this.path = file.path;
    this.reopen = reopen;
    this.digest = file.digest;
    this.saved = file.text;
    this.text = file.text;
    this.whole = false;
    /** True once the person knows that there is no room for unsaved edits. */
    this.hasWarned = false;
    /** @type {CheckedText | null} */
    this.checked = null;
    this.took = 0;
    this.state = el("span", { class: "faint small" });
    this.undo = button("Undo", () => this.editor.undo(), { hidden: true });
    this.place = el("span", { class: "faint small" });
    this.editor = new TextEditor(file.path, file.text, {
      changed: () => this.changed(),
      moved: () => this.drawPlace(),
    });
    this.summary = el("p", { class: "summary", role: "status", tabindex: "-1" }, make ? "" : "checking …");
    this.fixAll = button("", () => void this.fix("safe"), { hidden: true });
    this.list = el("ul", { class: "findings" });
    this.element = el("div", { class: "suite" }, this.top(file), this.lead(file, problem, make), this.body());
    this.element.addEventListener("keydown", (event) => this.pressed(event));
    this.later = debounced(
      () => void this.check(),
      () => Math.min(LATEST, Math.max(QUIET, this.took)),
    );
    this.leaving = (/** @type {BeforeUnloadEvent} */ event) => {
      this.keep();
      if (this.text !== this.saved) event.preventDefault();
    };
    addEventListener("beforeunload", this.leaving);
    this.restore();
    this.drawState();
  }

  close() {
    this.keep();
    if (this.text !== this.saved && !this.hasWarned) announce("unsaved edits are kept in this browser");
    removeEventListener("beforeunload", this.leaving);
    this.editor.view.destroy();
  }

  /** @param {OpenedFile} file */
  top(file) {
    return el(
      "header",
      { class: "top" },
      backLink(),
      el("h1", { tabindex: "-1" }, file.path),
      el(
        "div",
        { class: "saving" },
        this.state,
        this.undo,
        file.becomes && button(`Convert to ${file.becomes}`, () => void this.convert()),
        button(this.engine.saves, () => void this.save(), {
          class: "main",
          "aria-keyshortcuts": "Control+S",
          title: `${this.engine.saves} (Ctrl+S)`,
        }),
      ),
    );
  }

  /** The line that says what the file is. @param {OpenedFile} file @param {string} problem @param {(() => Promise<void>) | null} make */
  lead(file, problem, make) {
    if (make) return el("p", { class: "notice" }, "This table is not a suite yet. ", button("Make a suite of it", () => void make()));
    if (problem) return el("p", { class: "bad" }, ...withCode(`cannot be shown as a table: ${problem}`));
    const older = file.becomes ? `; the current format is ${file.becomes}` : "";
    return el("p", { class: "faint small" }, `${file.kind ?? "file"}: ${file.format ?? "unknown version"}${older}`);
  }

  body() {
    return el(
      "div",
      { class: "lower" },
      el("div", {}, this.editor.view.dom, this.place),
      el(
        "section",
        { "aria-labelledby": "findings-title", class: "panel" },
        el("h2", { id: "findings-title" }, "Findings"),
        el("div", { class: "row-of" }, this.summary, this.fixAll),
        this.list,
      ),
    );
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    const isCommand = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    if (!isCommand || isComposing(event) || event.defaultPrevented) return;
    const key = event.key.toLowerCase();
    if (key === "s") void this.save();
    else if (key === "f") this.editor.find();
    else return;
    event.preventDefault();
  }

  changed() {
    this.text = this.editor.text;
    this.drawState();
    this.later();
  }

  /** @param {string} text */
  set(text) {
    this.editor.replace(text);
    this.keep();
    return this.check();
  }

  drawState() {
    this.state.textContent = this.text === this.saved ? "" : "unsaved edits";
    this.undo.hidden = !this.editor.canUndo;
    document.title = `${this.text === this.saved ? "" : "• "}${this.path} – evalmark`;
  }

  drawPlace() {
    const { line, column } = this.editor.place;
    this.place.textContent = `line ${line}, column ${column}`;
  }

  async check() {
    const { text } = this;
    const started = performance.now();
    try {
      const checked = await this.engine.checkText(this.path, text);
      this.took = performance.now() - started;
      if (text !== this.text) return;
      this.checked = checked;
      this.drawFindings(checked);
      this.editor.mark(this.marks(checked.findings));
      this.element.dataset.checked = String(text.length);
      this.keep();
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      this.summary.textContent = `not checked: ${error.message}`;
    }
  }

  /** @param {CheckedText} checked */
  drawFindings({ findings, remarks }) {
    const errors = findings.filter(({ severity }) => severity === "error").length;
    const warnings = findings.length - errors;
    const safe = findings.filter(({ fix }) => fix?.safe).length;
    const parts = [errors && counted(errors, "error"), warnings && counted(warnings, "warning")];
    this.summary.textContent = parts.filter(Boolean).join(", ") || "no mistakes found";
    this.summary.className = `summary ${errors ? "bad" : warnings ? "" : "good"}`;
    this.fixAll.hidden = !safe;
    this.fixAll.textContent = `Fix ${counted(safe, "finding")} safely`;
    const shown = this.whole ? findings : findings.slice(0, LISTED);
    const more = findings.length - shown.length;
    fill(
      this.list,
      ...shown.map((finding) => this.entry(finding)),
      ...remarks.map((remark) => el("li", {}, ...withCode(remark))),
      more > 0 &&
        el(
          "li",
          { class: "more" },
          button(`${more} more`, () => this.showAll(), { class: "plain" }),
        ),
    );
  }

  showAll() {
    this.whole = true;
    if (this.checked) this.drawFindings(this.checked);
  }

  /** @param {TextFinding} finding */
  entry(finding) {
    const { line, column, labels, notes } = finding;
    const where = line === null ? "" : `${line}:${column} `;
    return this.explanations.entry(finding, where, {
      where,
      notes: [...labels.map((label) => `${label.line}:${label.column} ${label.text}`), ...notes],
      changes: "what a model reads, or a number",
      show: () => this.show(finding),
      fix: (id) => void this.fix(id),
    });
  }

  /** Select what a finding is about. @param {TextFinding} finding */
  show({ start, end }) {
    if (start !== null && end !== null) this.editor.select(start, end);
  }

  /** The marks of findings in the text. @param {readonly TextFinding[]} findings @returns {Diagnostic[]} */
  marks(findings) {
    return findings.slice(0, MARKED).flatMap(({ code, severity, message, start, end, suggestion, fix }) => {
      if (start === null || end === null) return [];
      return {
        from: start,
        to: end,
        severity: severity === "error" || severity === "warning" ? severity : "info",
        markClass: `squiggle ${severity}`,
        message: `${code} ${message}${suggestion && `: ${suggestion}`}`.replaceAll("`", ""),
        actions: fix?.safe ? [{ name: "Fix", apply: () => void this.fix(fix.id) }] : [],
      };
    });
  }

  /** @param {string} id of a fix, or "safe" */
  fix(id) {
    return this.change(async (text) => {
      const found = await this.engine.fixText(this.path, text, id);
      return { ...found, said: `${counted(found.applied, "finding")} fixed` };
    }, "not fixed");
  }

  convert() {
    return this.change(async (text) => {
      const found = await this.engine.convertText(this.path, text);
      return { ...found, said: [`converted to ${found.format}`, ...found.notes].join("; ") };
    }, "not converted");
  }

  /**
   * @param {(text: string) => Promise<{text: string, said: string}>} work
   * @param {string} failed
   */
  async change(work, failed) {
    const { text } = this;
    try {
      const found = await work(text);
      if (text !== this.text) return announce(`${failed}: the text was changed meanwhile`);
      await this.set(found.text);
      announce(found.said);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      await tell(capital(failed), error.message);
    }
  }

  /** @param {boolean} [force] @param {string} [digest] */
  async save(force = false, digest = this.digest) {
    const { text } = this;
    try {
      const { saved, theirs } = await this.engine.saveText(this.path, text, digest, force);
      if (theirs) return await this.conflict(theirs);
      this.saved = text;
      this.digest = saved.digest;
      this.keep();
      this.drawState();
      announce(`saved to ${this.path}`);
      if (this.checked?.kind === "suite") this.reopen();
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      await tell("Not saved", error.message);
    }
  }

  /** The file is not the one that was opened. @param {{digest: string, difference: string}} theirs */
  async conflict(theirs) {
    const text = `${this.path} has changed since you opened it. What saving would change in it:`;
    const content = [el("p", {}, text), difference(theirs.difference)];
    if (await goesOn("The file has changed", content, "Replace it with mine", "unsafe")) await this.save(true, theirs.digest);
  }

  /** Keep unsaved work in the browser. @returns {boolean} whether there was room */
  keep() {
    const { text, digest, root, keptAs } = this;
    if (text === this.saved) {
      forget(root, keptAs);
      return true;
    }
    const isKept = keep(root, keptAs, { text, digest, when: Date.now() });
    if (!isKept && !this.hasWarned)
      announce("this text is too large to keep unsaved edits in the browser: save often");
    this.hasWarned = !isKept;
    return isKept;
  }

  /** Unsaved work of an earlier visit; Undo shows the file. */
  restore() {
    const mine = take(this.root, this.keptAs);
    if (!mine || mine.text === this.text) return;
    this.editor.replace(mine.text);
    this.digest = mine.digest; // saving asks if the file has changed since
    announce("your unsaved edits are here again; Undo shows the file");
  }
}
