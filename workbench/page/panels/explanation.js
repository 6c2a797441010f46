// "more" of a finding: what its rule says, as `evalmark explain` prints it, and its notes.
import { el, fill, withCode } from "../dom.js";
/** @import {Engine} from "../engine.js" */

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
   * What opens the explanation of a finding.
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
