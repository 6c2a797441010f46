// Saving: the file is replaced only if it is still the one that was opened; else the person decides.
import { announce, button, el, fill, labelled, withCode } from "./dom.js";
import { Conflict } from "./conflict.js";
import { ask, difference, goesOn, tell } from "./dialogs.js";
import { EngineError } from "./engine.js";
import { forget, keep } from "./suite/storage.js";
import { written } from "./suite/templates.js";
/** @import {Session} from "./suite/state.js" */
/** @import {Engine, Theirs} from "./engine.js" */

const FORMATS = /** @type {Record<string, string>} */ ({
  json: "JSON",
  yaml: "YAML",
  csv: "CSV (texts only: no predictions)",
});
/** Milliseconds between an edit and its copy in the browser. */
const KEPT_AFTER = 250;

export class Saving {
  /**
   * @param {Session} session
   * @param {Engine} engine
   * @param {string} root
   * @param {(path: string) => void} moved
   */
  constructor(session, engine, root, moved) {
    this.session = session;
    this.engine = engine;
    this.root = root;
    this.moved = moved;
    this.state = el("span", { class: "faint small" });
    this.saveButton = button(engine.saves, () => void this.save(), {
      class: "main",
      "aria-keyshortcuts": "Control+S",
      title: `${engine.saves} (Ctrl+S)`,
    });
    this.element = el(
      "div",
      { class: "saving" },
      this.state,
      this.saveButton,
      button("Save as …", () => void this.saveAs()),
    );
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.hasWarned = false;
    session.onChange(({ kind }) => {
      this.draw();
      if (kind === "draft") return;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.keep(), KEPT_AFTER);
    });
    this.leaving = (/** @type {BeforeUnloadEvent} */ event) => {
      if (!session.hasWork) return;
      this.keep();
      event.preventDefault();
    };
    this.hiding = () => this.keep();
    addEventListener("beforeunload", this.leaving);
    addEventListener("pagehide", this.hiding);
    this.draw();
  }

  close() {
    clearTimeout(this.timer);
    this.keep();
    removeEventListener("beforeunload", this.leaving);
    removeEventListener("pagehide", this.hiding);
  }

  draw() {
    const { session } = this;
    const said = session.hasWork ? "unsaved edits" : !session.path ? "" : session.isChanged ? "converted, not saved" : "saved";
    const path = session.path ?? "new, not saved";
    // A narrow screen has room for the state only.
    fill(this.state, said ? el("span", { class: "path" }, `${path} · `) : path, said);
    this.state.classList.toggle("changed", session.isChanged);
  }

  /** Keep unsaved work in the browser. @returns {boolean} whether there was room */
  keep() {
    const { session } = this;
    const { data, digest, format, keptAs } = session;
    if (!session.hasWork) {
      forget(this.root, keptAs);
      return true;
    }
    const isKept = keep(this.root, keptAs, { data, digest, when: Date.now(), format });
    if (!isKept && !this.hasWarned)
      announce("this suite is too large to keep unsaved edits in the browser: save often");
    this.hasWarned = !isKept;
    return isKept;
  }

  /** @returns {Promise<boolean>} whether the file holds the suite now */
  async save() {
    const { path, digest } = this.session;
    if (path === null || !/\.(json|ya?ml|csv|tsv)$/i.test(path)) return this.saveAs();
    return this.write(path, digest, false);
  }

  /** The file, or what it is to be called. */
  get file() {
    const { path, data, format } = this.session;
    return path ?? `${String(data.meta.name).replace(/[^\p{L}\p{M}\p{Nd}_.-]+/gu, "_") || "suite"}.${format}`;
  }

  /** Ask for a name and a format. @param {string} [mark] added to the name @returns {Promise<boolean>} */
  async saveAs(mark = "") {
    const { session } = this;
    const stem = this.file.replace(/\.[^./]*$/, mark);
    const format = el(
      "select",
      {},
      ...Object.entries(FORMATS).map(([value, text]) =>
        el("option", { value, selected: value === session.format }, text),
      ),
    );
    const path = el("input", {
      type: "text",
      value: `${stem}.${session.format}`,
      required: true,
      autocomplete: "off",
      spellcheck: "false",
    });
    format.addEventListener("change", () => {
      path.value = path.value.replace(/(\.(json|ya?ml|csv))?$/i, `.${format.value}`);
    });
    const where = this.engine.inBrowser ? "It will be downloaded." : "In the folder that is served.";
    // This page has no writer of workbooks.
    const workbook = el("p", { class: "small faint" }, ...withCode("For a workbook, save as JSON and run `evalmark convert FILE.json --to wide-table -o FILE.xlsx`."));
    if (!(await goesOn("Save as", [labelled("file", path, where), labelled("format", format), workbook], "Save"))) return false;
    const ending = /\.(json|ya?ml|csv)$/i.exec(path.value);
    const name = ending ? path.value : `${path.value}.${format.value}`;
    const isSame = name === session.path;
    return this.write(name, isSame ? session.digest : null, false);
  }

  /**
   * @param {string} path
   * @param {string | null} digest
   * @param {boolean} force
   * @returns {Promise<boolean>}
   */
  async write(path, digest, force) {
    const { session } = this;
    const format = formatOf(path);
    const data = session.committed;
    // A table holds the texts only: written under another name it is a copy, not the suite.
    const isExport = format === "csv" && path !== session.path;
    try {
      const { saved, theirs } = await this.engine.save(path, written(data, session.given), digest, {
        force,
        export: isExport,
        convert: session.isChanged && !session.hasWork,
      });
      if (theirs) return await this.conflict(path, theirs);
      for (const note of saved.notes ?? []) announce(note);
      if (isExport) {
        announce(`the texts are written to ${path}; predictions and details are not in it`);
        return true;
      }
      const before = session.path;
      forget(this.root, session.keptAs);
      session.savedAs(data, path, saved.digest, format);
      this.keep();
      announce(`saved to ${path}`);
      if (before !== path) this.moved(path);
      return true;
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      this.keep();
      const kept = error.status === 0 && !this.hasWarned ? ". Your edits are kept in this browser." : "";
      await tell("Not saved", error.message + kept);
      return false;
    }
  }

  /**
   * The file is not the one that was opened.
   * @param {string} path
   * @param {Theirs} theirs
   * @returns {Promise<boolean>}
   */
  async conflict(path, theirs) {
    const { session } = this;
    const isKnown = session.path === path;
    const conflict = isKnown ? Conflict.of(session.saved, theirs.data, session.committed) : null;
    if (conflict?.isNone) return this.write(path, theirs.digest, false);
    const sentence = conflict
      ? `${path} has changed on disk since you opened it. Choose what is kept where the two versions differ:`
      : isKnown
        ? `${path} has changed on disk since you opened it. What saving would change in it:`
        : `${path} exists already. What saving would change in it:`;
    const answers = [
      ...(conflict ? [{ value: "chosen", text: "Save what is chosen", class: "main" }] : []),
      { value: "mine", text: "Replace it with mine", class: "unsafe" },
      ...(theirs.data && isKnown ? [{ value: "theirs", text: "Take the file, discard my edits" }] : []),
      { value: "other", text: "Save mine under another name" },
      { value: "", text: "Cancel" },
    ];
    const shown = conflict?.content ?? [difference(theirs.difference)];
    const answer = await ask("The file has changed", [el("p", {}, sentence), ...shown], answers);
    if (answer === "chosen" && conflict) {
      session.apply("both versions", () => conflict.suite);
      Object.assign(session, { saved: theirs.data, digest: theirs.digest });
      return this.write(path, theirs.digest, false);
    }
    if (answer === "mine") return this.write(path, theirs.digest, true);
    if (answer === "other") return this.saveAs("-mine");
    if (answer === "theirs") {
      const { data, digest } = theirs;
      this.session.apply("taking the file from disk", () => data);
      this.session.savedAs(this.session.committed, path, digest, formatOf(path));
      this.keep();
      announce("the file is shown as it is on disk; Ctrl+Z brings your edits back");
    }
    return false;
  }
}

/** @param {string} path */
export const formatOf = (path) =>
  /\.ya?ml$/i.test(path) ? "yaml" : /\.[ct]sv$/i.test(path) ? "csv" : "json";
