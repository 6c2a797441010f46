// The metadata of the suite in a form: name, metric, tags, author, reference, description, comment.
import { el, fill, labelled, withCode } from "../dom.js";
import { setMeta } from "../suite/edits.js";
import { listed } from "../suite/templates.js";
/** @import {Session} from "../suite/state.js" */
/** @import {Finding} from "../suite/types.js" */

const METRICS = ["sum", "mean", "median", "range", "max", "min"];
/** Key, label, help, and whether it has several lines. @type {[string, string, string, boolean?][]} */
const TEXTS = [
  ["name", "name", "One word, unique among suites."],
  ["tags", "tags", "With commas between them."],
  ["author", "author", ""],
  ["reference", "reference", "The paper that the sentences come from."],
  ["description", "description", "", true],
  ["comment", "comment", "", true],
];
/** Shown above. */
const KNOWN = new Set([...TEXTS.map(([key]) => key), "metric"]);

export class Details {
  /** @param {Session} session */
  constructor(session) {
    this.session = session;
    /** @type {(key: string) => readonly Finding[]} */
    this.findingsOf = () => [];
    /**
     * @type {Map<string, {field: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement, note: HTMLElement}>}
     */
    this.fields = new Map();
    this.others = el("dl", {});
    const form = el("div", { class: "details" });
    for (const [key, label, help, isLong] of TEXTS) {
      const field = el(
        isLong ? "textarea" : "input",
        isLong ? { rows: 2 } : { type: "text", autocomplete: "off" },
      );
      field.addEventListener("change", () => this.write(key, this.valueOf(key, field.value)));
      form.append(this.row(key, label, help, field));
      if (key === "name") form.append(this.metric());
    }
    this.element = el(
      "section",
      { class: "panel described", "aria-labelledby": "details-title" },
      el("h2", { id: "details-title" }, "Details"),
      form,
      this.others,
    );
    session.onChange(() => this.draw());
    this.draw();
  }

  metric() {
    const field = el("select", {}, ...METRICS.map((one) => el("option", { value: one }, one)));
    field.addEventListener("change", () => this.write("metric", field.value));
    return this.row("metric", "metric", "How the surprisals of tokens become the value of a region.", field);
  }

  /** The value of a text. @param {string} key @param {string} text */
  valueOf(key, text) {
    if (key === "tags") return listed(text).length ? listed(text) : undefined;
    return text === "" && key !== "name" && this.session.data.meta[key] === undefined ? undefined : text;
  }

  /**
   * @param {string} key
   * @param {string} label
   * @param {string} help
   * @param {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} field
   */
  row(key, label, help, field) {
    const note = el("small", { class: "bad", role: "status" });
    this.fields.set(key, { field, note });
    return el("div", {}, labelled(label, field, help), note);
  }

  /** @param {string} key @param {unknown} value */
  write(key, value) {
    this.session.apply(`edit of ${key}`, (data) => setMeta(data, key, value), { where: { meta: key } });
  }

  /** @param {string} key */
  focus(key) {
    this.fields.get(key)?.field.focus();
  }

  draw() {
    const { meta } = this.session.data;
    for (const [key, { field, note }] of this.fields) {
      const value = meta[key];
      const isText = typeof value === "string";
      const text = key === "tags" && Array.isArray(value) ? value.join(", ") : isText ? value : (JSON.stringify(value) ?? "");
      if (key === "metric" && ![...field.children].some((one) => one.textContent === text))
        field.append(el("option", { value: text }, text));
      // New findings do not replace text while it is typed.
      if (field !== document.activeElement && field.value !== text) field.value = text;
      // A value that is not text is read-only.
      const isOther = value !== undefined && !isText && key !== "tags";
      if (!(field instanceof HTMLSelectElement)) field.readOnly = isOther;
      const findings = this.findingsOf(key).filter(({ severity }) => severity !== "related");
      const said = findings.map((one) => one.message).join("; ");
      if (note.dataset.said !== said) fill(note, ...withCode(said));
      note.dataset.said = said;
    }
    const others = Object.entries(meta).filter(([key]) => !KNOWN.has(key));
    fill(
      this.others,
      ...others.flatMap(([key, value]) => [
        el("dt", {}, key),
        el("dd", {}, el("code", {}, JSON.stringify(value))),
      ]),
    );
  }
}
