// The field of a formula: colours, matching brackets, completion, the error, and the formula in words.
import { announce, append, button, counted, el, fill, withCode } from "../dom.js";
import { marked, squiggles } from "../marks.js";
import { colours, matching } from "./colours.js";
import { proposals } from "./completion.js";
import { remember } from "./references.js";
/** @import {Names, Proposal} from "./completion.js" */
/** @import {Finding} from "../suite/types.js" */
/** @import {FormulaAnswer, FormulaProblem} from "../engine.js" */

/**
 * @typedef {object} Owner what the field needs
 * @property {() => Names} names
 * @property {(formula: string) => void} changed
 * @property {() => void} left
 * @property {(formula: string) => Promise<FormulaAnswer>} explain
 */

/** The rule on formulas that cannot be read. */
const SYNTAX = "SG201";

let count = 0;

export class FormulaEditor {
  /** @param {string} label @param {Owner} owner */
  constructor(label, owner) {
    this.owner = owner;
    /** @type {readonly Finding[]} */
    this.findings = [];
    /** @type {Proposal[]} */
    this.proposed = [];
    this.chosen = 0;
    /** Why the formula cannot be read, as of the last answer. @type {FormulaProblem | null} */
    this.syntaxError = null;
    /** The formula and the names that the words below are about. */
    this.explained = "";
    /** What to write into an empty field. */
    this.how = "";
    const id = `formula-${++count}`;
    this.back = el("pre", { class: "back", "aria-hidden": "true" });
    this.list = el("ul", {
      role: "listbox",
      id: `${id}-list`,
      class: "proposals",
      hidden: true,
      "aria-label": "Completions",
    });
    this.note = el("div", { class: "formula-note", id: `${id}-note` });
    this.field = el("textarea", {
      dir: "ltr",
      rows: 1,
      spellcheck: "false",
      autocomplete: "off",
      autocapitalize: "off",
      "aria-label": label,
      "aria-autocomplete": "list",
      "aria-controls": this.list.id,
      "aria-describedby": this.note.id,
      oninput: () => this.typed(),
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.key(event),
      onclick: () => this.close(),
      onblur: () => {
        this.close();
        owner.left();
        this.draw();
      },
      onscroll: () => {
        this.back.scrollTop = this.field.scrollTop;
      },
    });
    this.field.addEventListener("selectionchange", () => this.draw());
    this.element = el(
      "div",
      { class: "formula" },
      el("div", { class: "layers" }, this.back, this.field, this.list),
      this.note,
    );
  }

  get text() {
    return this.field.value;
  }

  /**
   * Show a formula and what is found about it.
   * @param {string} text
   * @param {readonly Finding[]} findings
   * @param {string} names all names, as one text
   */
  show(text, findings, names) {
    const isExplained = this.explained === text + names;
    if (isExplained && findings === this.findings && this.back.childNodes.length) return;
    this.findings = findings;
    if (text !== this.field.value) {
      this.syntaxError = null;
      const { selectionStart } = this.field;
      this.field.value = text;
      if (document.activeElement === this.field) this.field.setSelectionRange(selectionStart, selectionStart);
    }
    this.draw();
    if (!isExplained) void this.explain();
    this.explained = text + names;
  }

  /** What an empty field says of itself. @param {{formula: string, words: string}} example */
  suggest({ formula, words }) {
    this.field.placeholder = formula;
    const how = `For example: ${words}. Ctrl+Space lists regions and conditions.`;
    if (how === this.how) return;
    this.how = how;
    if (!this.text.trim()) this.sayHow();
  }

  sayHow() {
    fill(this.note, el("span", { class: "faint" }, this.how));
  }

  /** Colours, squiggles, brackets. */
  draw() {
    const { text } = this;
    const hasFocus = document.activeElement === this.field;
    const error = text.trim() ? this.syntaxError : null;
    const problems = error ? [{ start: error.start, end: error.end, severity: "error" }] : this.findings;
    const marks = [
      ...colours(text),
      ...squiggles(text, /** @type {readonly Finding[]} */ (problems)),
      ...(hasFocus ? matching(text, this.field.selectionStart) : []),
    ];
    this.back.replaceChildren(...marked(text, marks), document.createTextNode("\u200b"));
    this.field.setAttribute("aria-invalid", String(error !== null));
  }

  /** The formula in words, or what is wrong with it and what to write. */
  async explain() {
    const { text } = this;
    if (!text.trim()) return this.sayHow();
    let answer;
    try {
      answer = await this.owner.explain(text);
    } catch {
      return;
    }
    const { error } = answer;
    const syntaxError = error?.code === SYNTAX ? error : null;
    remember(text, syntaxError === null);
    if (text !== this.text) return;
    this.syntaxError = syntaxError;
    this.draw();
    if (answer.ok && answer.words) fill(this.note, el("span", { class: "words" }, answer.words));
    else if (error) this.sayWrong(error);
  }

  /** @param {FormulaProblem} problem */
  sayWrong({ message, start, suggestion, correction }) {
    fill(this.note, el("span", { class: "bad" }, ...withCode(message), ` (character ${start + 1})`));
    if (!suggestion) return;
    append(this.note, " — ", ...withCode(suggestion));
    if (correction)
      append(
        this.note,
        " ",
        button("Use it", () => this.replace(correction), { class: "small" }),
      );
  }

  /** @param {string} text */
  replace(text) {
    this.field.value = text;
    this.typed();
    this.field.focus();
  }

  typed() {
    if (this.field.value.includes("\n")) this.field.value = this.field.value.replace(/\s*\n\s*/g, " ");
    this.owner.changed(this.text);
    this.draw();
    this.propose(false);
  }

  /** @param {boolean} asked */
  propose(asked) {
    const caret = this.field.selectionStart;
    this.proposed =
      this.field.selectionEnd === caret ? proposals(this.text, caret, this.owner.names(), asked) : [];
    this.chosen = 0;
    if (!this.proposed.length) return this.close();
    fill(
      this.list,
      ...this.proposed.map(({ shown }, at) =>
        el(
          "li",
          {
            role: "option",
            id: `${this.list.id}-${at}`,
            "aria-selected": String(at === 0),
            onmousedown: (/** @type {Event} */ event) => {
              event.preventDefault();
              this.take(at);
            },
          },
          shown,
        ),
      ),
    );
    this.list.hidden = false;
    this.placeList(this.proposed[0].start);
    this.choose(0);
    announce(`${counted(this.proposed.length, "completion")}: ${this.proposed[0].shown.trim()}`, {
      isSeen: true,
    });
  }

  /** Put the list below a character. @param {number} offset */
  placeList(offset) {
    const texts = document.createTreeWalker(this.back, NodeFilter.SHOW_TEXT);
    let rest = offset;
    while (texts.nextNode()) {
      const node = /** @type {Text} */ (texts.currentNode);
      if (rest <= node.length) {
        const range = document.createRange();
        range.setStart(node, rest);
        const [at, frame] = [range.getBoundingClientRect(), this.back.getBoundingClientRect()];
        this.list.style.left = `${Math.max(0, Math.min(at.left - frame.left - 10, frame.width - this.list.offsetWidth))}px`;
        this.list.style.top = `${at.bottom - frame.top + 4}px`;
        return;
      }
      rest -= node.length;
    }
  }

  close() {
    this.proposed = [];
    this.list.hidden = true;
    this.list.replaceChildren();
    this.field.removeAttribute("aria-activedescendant");
  }

  /** @param {number} at */
  choose(at) {
    this.chosen = (at + this.proposed.length) % this.proposed.length;
    [...this.list.children].forEach((one, index) => {
      one.setAttribute("aria-selected", String(index === this.chosen));
      if (index === this.chosen) one.scrollIntoView({ block: "nearest" });
    });
    this.field.setAttribute("aria-activedescendant", `${this.list.id}-${this.chosen}`);
  }

  /** @param {number} at */
  take(at) {
    const { text, start, end } = this.proposed[at];
    const { value } = this.field;
    this.field.value = value.slice(0, start) + text + value.slice(end);
    this.field.setSelectionRange(start + text.length, start + text.length);
    this.close();
    this.typed();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.isComposing) return;
    const isOpen = this.proposed.length > 0;
    if (event.key === " " && event.ctrlKey) this.propose(true);
    else if (isOpen && event.key === "ArrowDown") this.choose(this.chosen + 1);
    else if (isOpen && event.key === "ArrowUp") this.choose(this.chosen - 1);
    else if (isOpen && (event.key === "Enter" || event.key === "Tab")) this.take(this.chosen);
    else if (isOpen && event.key === "Escape") this.close();
    else if (event.key !== "Enter") return;
    event.preventDefault();
    event.stopPropagation();
  }
}
