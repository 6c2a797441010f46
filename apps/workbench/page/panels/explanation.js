// A finding in a list, and "more" of it: what its rule says, as `evalmark explain` prints it, and its notes.
import { button, el, fill, withCode } from "../dom.js";
/** @import {Child} from "../dom.js" */
/** @import {Engine, TextFinding} from "../engine.js" */
/** @import {Finding, Fix} from "../suite/types.js" */

/** @param {Fix | null} fix @param {string} changes what a fix that is not safe changes @param {(id: string) => void} apply */
export const fixButton = (fix, changes, apply) =>
  fix && button(fix.safe ? "Fix" : `Fix (changes ${changes})`, () => apply(fix.id), { class: `small ${fix.safe ? "" : "unsafe"}` });

export class Explanations {
  /** @param {Engine} engine */
  constructor(engine) {
    this.engine = engine;
    /** Code -> the text of its rule. @type {Map<string, string>} */
    this.texts = new Map();
    /** Findings that stay open when the list is drawn again, by code and place. @type {Set<string>} */
    this.open = new Set();
  }

  /**
   * A finding in a list.
   * @param {Finding | TextFinding} finding
   * @param {string} key of its place
   * @param {{where?: string, place?: string, notes: string[], related?: Child[], changes: string, show: () => void, fix: (id: string) => void}} page
   */
  entry({ code, name, severity, message, suggestion, fix }, key, { where, place = "", related = [], ...page }) {
    return el(
      "li",
      { class: severity },
      el(
        "button",
        { type: "button", class: "finding", onclick: page.show },
        where && el("span", { class: "where" }, where),
        el("span", { class: "severity" }, severity),
        " ",
        el("span", {}, ...withCode(message)),
        " ",
        el("span", { class: "faint" }, `${place}${code} ${name}`),
      ),
      ...related,
      suggestion && el("div", { class: "suggestion" }, ...withCode(suggestion)),
      fixButton(fix, page.changes, page.fix),
      this.more(code, key, page.notes),
    );
  }

  /**
   * A line that opens the explanation of a finding.
   * @param {string} code of its rule
   * @param {string} place that tells it from others of this rule
   * @param {string[]} notes
   */
  more(code, place, notes) {
    const id = `${code} ${place}`;
    const body = el("div", { class: "explanation" });
    const details = el("details", { open: this.open.has(id) }, el("summary", { "aria-label": `more about ${code}` }, "more"), body);
    const show = async () => {
      if (!details.open) this.open.delete(id);
      else this.open.add(id);
      if (!details.open || body.hasChildNodes()) return;
      fill(body, ...notes.map((note) => el("p", {}, ...withCode(note))), ...paragraphs(await this.textOf(code)));
    };
    details.addEventListener("toggle", () => void show());
    return details;
  }

  /** @param {string} code */
  async textOf(code) {
    const known = this.texts.get(code);
    if (known !== undefined) return known;
    try {
      const { explanation } = await this.engine.explain(code);
      this.texts.set(code, explanation);
      return explanation;
    } catch (error) {
      return /** @type {Error} */ (error).message;
    }
  }
}

/** The paragraphs of a rule; the lines of its examples stay lines. @param {string} text */
const paragraphs = (text) =>
  text
    .split(/\n{2,}|\n(?=Good: )/)
    .map((part) => el("p", {}, ...withCode(part.replaceAll("\n", " "))));
