// A file as text, with its findings at lines and columns: records, and whatever is not a table.
import { announce, button, counted, debounced, el, fill, withCode } from "./dom.js";
import { ask, difference } from "./dialogs.js";
import { EngineError } from "./engine.js";
import { Explanations } from "./panels/explanation.js";
import { forget, keep, take, textName } from "./suite/storage.js";
/** @import {Engine, OpenedFile, CheckedText, TextFinding} from "./engine.js" */

/** Characters of a text that is edited here; a longer one is shown and fixed. */
const LARGEST = 2_000_000;
/** Milliseconds of quiet before a check, and before a copy is kept. */
const QUIET = 150;
/** Findings that are listed at once. */
const LISTED = 100;

/** The lines of a text as a field has them. @param {string} text */
const inField = (text) => text.replace(/\r\n?/g, "\n");

export class TextPage {
  /**
   * @param {Engine} engine
   * @param {string} root
   * @param {OpenedFile} file
   * @param {string} problem why it is not a table; empty for kinds that never are
   * @param {() => void} reopen
   */
  constructor(engine, root, file, problem, reopen) {
    this.engine = engine;
    this.explanations = new Explanations(engine);
    this.root = root;
    this.keptAs = textName(file.path);
    this.path = file.path;
    this.reopen = reopen;
    this.digest = file.digest;
    this.saved = file.text;
    this.text = file.text;
    /** Earlier texts, before fixes. @type {string[]} */
    this.undone = [];
    this.whole = false;
    /** Whether it was said that there is no room for unsaved edits. */
    this.hasWarned = false;
    /** @type {CheckedText | null} */
    this.checked = null;
    this.lineEnd = file.text.includes("\r\n") ? "\r\n" : "\n";
    const isPlain = inField(file.text).replaceAll("\n", this.lineEnd) === file.text;
    this.isEdited = isPlain && file.text.length <= LARGEST;
    this.state = el("span", { class: "faint small" });
    this.undo = button("Undo", () => this.takeBack(), { hidden: true });
    this.field = el("textarea", {
      class: "source",
      "aria-label": `Text of ${this.path}`,
      spellcheck: "false",
      autocomplete: "off",
      wrap: "off",
      readonly: !this.isEdited,
      oninput: () => this.typed(),
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.pressed(event),
    });
    this.place = el("span", { class: "faint small" });
    for (const name of ["keyup", "click", "focus"]) this.field.addEventListener(name, () => this.drawPlace());
    this.summary = el("p", { class: "summary", role: "status", tabindex: "-1" }, "checking …");
    this.fixAll = button("", () => void this.fix("safe"), { hidden: true });
    this.list = el("ul", { class: "findings" });
    this.element = el("div", { class: "suite" }, this.top(file), this.lead(file, problem), this.body());
    this.later = debounced(
      () => void this.check(),
      () => QUIET,
    );
    this.leaving = (/** @type {BeforeUnloadEvent} */ event) => {
      this.keep();
      if (this.text !== this.saved) event.preventDefault();
    };
    addEventListener("beforeunload", this.leaving);
    this.restore();
    this.draw();
    void this.check();
  }

  close() {
    this.keep();
    if (this.text !== this.saved && !this.hasWarned) announce("unsaved edits are kept in this browser");
    removeEventListener("beforeunload", this.leaving);
  }

  /** @param {OpenedFile} file */
  top(file) {
    return el(
      "header",
      { class: "top" },
      el("nav", { "aria-label": "Folder" }, el("a", { href: "#/", class: "back-link" }, "All files")),
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

  /** What the file is. @param {OpenedFile} file @param {string} problem */
  lead(file, problem) {
    if (problem) return el("p", { class: "bad" }, ...withCode(`cannot be shown as a table: ${problem}`));
    const older = file.becomes ? `; the current format is ${file.becomes}` : "";
    return el("p", { class: "faint small" }, `${file.kind ?? "file"}: ${file.format ?? "unknown version"}${older}`);
  }

  body() {
    const readOnly = "The text is too long, or its line ends are too mixed, to be edited here; fixes work.";
    return el(
      "div",
      { class: "lower" },
      el("div", {}, this.field, this.place, !this.isEdited && el("p", { class: "small" }, readOnly)),
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
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== "s") return;
    event.preventDefault();
    void this.save();
  }

  typed() {
    this.undone = [];
    this.text = this.field.value.replaceAll("\n", this.lineEnd);
    this.drawState();
    this.later();
  }

  /** @param {string} text */
  set(text) {
    this.undone.push(this.text);
    this.text = text;
    this.draw();
    this.keep();
    return this.check();
  }

  takeBack() {
    const before = this.undone.pop();
    if (before === undefined) return;
    this.text = before;
    this.draw();
    void this.check();
  }

  draw() {
    const { scrollTop, selectionStart } = this.field;
    this.field.value = this.text;
    this.field.setSelectionRange(selectionStart, selectionStart);
    this.field.scrollTop = scrollTop;
    this.drawState();
  }

  drawState() {
    this.state.textContent = this.text === this.saved ? "" : "unsaved edits";
    this.undo.hidden = !this.undone.length;
    document.title = `${this.text === this.saved ? "" : "• "}${this.path} – evalmark`;
  }

  drawPlace() {
    const before = this.field.value.slice(0, this.field.selectionStart).split("\n");
    this.place.textContent = `line ${before.length}, column ${[...(before.at(-1) ?? "")].length + 1}`;
  }

  async check() {
    const { text } = this;
    try {
      const checked = await this.engine.checkText(this.path, text);
      if (text !== this.text) return;
      this.checked = checked;
      this.drawFindings(checked);
      this.element.dataset.checked = String(text.length);
      this.keep();
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      this.summary.textContent = `not checked: ${error.message}`;
    }
  }

  /** @param {CheckedText} checked */
  drawFindings({ findings, counts: { errors, warnings, safely_fixable: safe }, remarks }) {
    const parts = [errors && counted(errors, "error"), warnings && counted(warnings, "warning")];
    this.summary.textContent = parts.filter(Boolean).join(", ") || "nothing found: this file checks clean";
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
    const { code, name, severity, message, line, column, labels, suggestion, notes, fix } = finding;
    const where = line === null ? "" : `${line}:${column} `;
    const more = [...labels.map((label) => `${label.line}:${label.column} ${label.text}`), ...notes];
    return el(
      "li",
      { class: severity },
      el(
        "button",
        { type: "button", class: "finding", onclick: () => this.show(finding) },
        el("span", { class: "where" }, where),
        el("span", { class: "severity" }, severity),
        " ",
        el("span", {}, ...withCode(message)),
        " ",
        el("span", { class: "faint" }, `${code} ${name}`),
      ),
      suggestion && el("div", { class: "suggestion" }, ...withCode(suggestion)),
      fix &&
        button(fix.safe ? "Fix" : "Fix (changes what a model reads, or a number)", () => void this.fix(fix.id), {
          class: `small ${fix.safe ? "" : "unsafe"}`,
        }),
      this.explanations.more(code, where, more),
    );
  }

  /** Select what a finding is about. @param {TextFinding} finding */
  show({ line, start, end }) {
    if (line === null || start === null || end === null) return;
    const at = (/** @type {number} */ offset) => inField(this.text.slice(0, offset)).length;
    this.field.focus();
    this.field.setSelectionRange(at(start), at(end));
    const height = Number.parseFloat(getComputedStyle(this.field).lineHeight);
    this.field.scrollTop = (line - 1) * height - this.field.clientHeight / 2;
    this.field.scrollLeft = 0;
    this.drawPlace();
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
      await this.tell(failed, error.message);
    }
  }

  /** @param {string} title @param {string} text */
  tell(title, text) {
    const heading = title[0].toUpperCase() + title.slice(1);
    return ask(heading, [el("p", {}, ...withCode(text))], [{ value: "ok", text: "OK", class: "main" }]);
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
      await this.tell("not saved", error.message);
    }
  }

  /** The file is not the one that was opened. @param {{digest: string, difference: string}} theirs */
  async conflict(theirs) {
    const text = `${this.path} has changed since you opened it. What saving would change in it:`;
    const answers = [
      { value: "mine", text: "Replace it with mine", class: "unsafe" },
      { value: "", text: "Cancel" },
    ];
    const answer = await ask("The file has changed", [el("p", {}, text), difference(theirs.difference)], answers);
    if (answer) await this.save(true, theirs.digest);
  }

  /** Keep unsaved work in the browser. */
  keep() {
    const { text, digest, root, keptAs } = this;
    if (text === this.saved) return forget(root, keptAs);
    const isKept = keep(root, keptAs, { text, digest, when: Date.now() });
    if (!isKept && !this.hasWarned)
      announce("this text is too large to keep unsaved edits in the browser: save often");
    this.hasWarned = !isKept;
  }

  /** Unsaved work of an earlier visit; Undo shows the file. */
  restore() {
    const mine = take(this.root, this.keptAs);
    if (!mine || mine.text === this.text) return;
    this.undone.push(this.text);
    this.text = mine.text;
    this.digest = mine.digest; // saving asks if the file has changed since
    announce("your unsaved edits are here again; Undo shows the file");
  }
}
