// The field of a formula: colours, matching brackets, completion, the error, and the formula in words.
import { append, button, el, fill, withCode } from "../dom.js";
import {
  Annotation,
  Compartment,
  Decoration,
  EditorState,
  EditorView,
  acceptCompletion,
  autocompletion,
  bracketMatching,
  keymap,
  placeholder,
  setDiagnostics,
  standardKeymap,
} from "../codemirror/codemirror.js";
import { plainTyping } from "../codemirror/plain_typing.js";
import { squiggles } from "../marks.js";
import { colours } from "./colours.js";
import { proposals } from "./completion.js";
import { remember } from "./references.js";
/** @import {CompletionContext, CompletionResult, Diagnostic, Extension} from "../codemirror/codemirror.js" */
/** @import {Names} from "./completion.js" */
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
/** Marks what the suite changes, which it need not hear of. @type {ReturnType<typeof Annotation.define<boolean>>} */
const shown = Annotation.define();

/** The parts of a formula. @param {EditorState} state @param {string} [only] */
function parts({ doc }, only) {
  const found = colours(doc.toString()).filter(({ kind }) => !only || kind === only);
  // A name of any script stays within its signs.
  const mark = (/** @type {string} */ kind) =>
    kind === "condition"
      ? Decoration.mark({ class: kind, attributes: { dir: "auto" }, bidiIsolate: null })
      : Decoration.mark({ class: kind });
  return Decoration.set(found.map(({ start, end, kind }) => mark(kind).range(start, end)));
}

let count = 0;

export class FormulaEditor {
  /** @param {string} label @param {Owner} owner */
  constructor(label, owner) {
    this.owner = owner;
    /** @type {readonly Finding[]} */
    this.findings = [];
    /** Why the formula cannot be read, as of the last answer. @type {FormulaProblem | null} */
    this.syntaxError = null;
    /** The formula and the names that the words below are about. */
    this.explained = "";
    /** The example for an empty field. */
    this.how = "";
    this.example = new Compartment();
    this.note = el("div", { class: "formula-note", id: `formula-${++count}-note` });
    this.view = new EditorView({ state: EditorState.create({ doc: "", extensions: this.extensions(label) }) });
    this.element = el("div", { class: "formula" }, this.view.dom, this.note);
  }

  /** @param {string} label @returns {Extension} */
  extensions(label) {
    return [
      autocompletion({
        override: [(context) => this.complete(context)],
        // The next key must find the list open.
        activateOnTypingDelay: 0,
        interactionDelay: 0,
        activateOnCompletion: () => true,
        icons: false,
      }),
      keymap.of([
        { key: "Tab", run: acceptCompletion },
        { key: "Enter", run: () => true, shift: () => true },
        ...standardKeymap,
      ]),
      plainTyping,
      EditorView.lineWrapping,
      EditorView.clipboardInputFilter.of((text) => text.replace(/\s*[\r\n]+\s*/g, " ")),
      EditorView.contentAttributes.of(() => ({
        "aria-label": label,
        dir: "ltr",
        "aria-multiline": "false",
        "aria-describedby": this.note.id,
        "aria-invalid": String(this.syntaxError !== null),
      })),
      EditorView.decorations.compute(["doc"], (state) => parts(state)),
      EditorView.bidiIsolatedRanges.compute(["doc"], (state) => parts(state, "condition")),
      EditorView.updateListener.of(({ docChanged, transactions }) => {
        if (docChanged && !transactions.some((one) => one.annotation(shown))) this.owner.changed(this.text);
      }),
      EditorView.domEventHandlers({ blur: () => this.owner.left() }),
      bracketMatching({ brackets: "()[]" }),
      this.example.of([]),
    ];
  }

  get text() {
    return this.view.state.doc.toString();
  }

  /** @param {number | null} [offset] of the caret */
  focus(offset = null) {
    this.view.focus();
    this.view.dom.scrollIntoView({ block: "nearest" });
    if (offset !== null) this.view.dispatch({ selection: { anchor: Math.min(offset, this.text.length) } });
  }

  /**
   * Show a formula and what is found about it.
   * @param {string} text
   * @param {readonly Finding[]} findings
   * @param {string} names all names, as one text
   */
  show(text, findings, names) {
    const isExplained = this.explained === text + names;
    const isSame = text === this.text;
    if (isExplained && isSame && findings === this.findings) return;
    if (!isSame) {
      this.syntaxError = null;
      this.write(text, shown.of(true));
    }
    if (!isSame || findings !== this.findings) {
      this.findings = findings;
      this.mark();
    }
    if (!isExplained) void this.explain();
    this.explained = text + names;
  }

  /** @param {string} text @param {unknown} [annotations] */
  write(text, annotations) {
    const { doc, selection } = this.view.state;
    const anchor = Math.min(selection.main.head, text.length);
    this.view.dispatch({
      changes: { from: 0, to: doc.length, insert: text },
      selection: { anchor },
      annotations,
    });
  }

  /** Show an example in an empty field. @param {{formula: string, words: string}} example */
  suggest({ formula, words }) {
    const how = `That says: ${words}. Ctrl+Space lists regions and conditions.`;
    if (how === this.how) return;
    this.how = how;
    this.view.dispatch({ effects: this.example.reconfigure(placeholder(`for example ${formula}`)) });
    if (!this.text.trim()) this.sayHow();
  }

  sayHow() {
    fill(this.note, el("span", { class: "faint" }, this.how));
  }

  /** Underline what is wrong. */
  mark() {
    const { syntaxError, text } = this;
    const problems = /** @type {readonly Finding[]} */ (
      syntaxError ? [{ ...syntaxError, severity: "error" }] : this.findings
    );
    /** @type {Diagnostic[]} */
    const found = squiggles(text, text ? problems : []).map(({ start, end, kind }, at) => ({
      from: Math.min(start, text.length - 1),
      to: Math.min(end, text.length),
      severity: problems[at].severity === "error" ? "error" : "warning",
      markClass: kind,
      message: [problems[at].message, ...(problems[at].notes ?? [])].join("\n").replaceAll("`", ""),
    }));
    this.view.dispatch(setDiagnostics(this.view.state, found));
  }

  /** The formula in words, or what is wrong with it and what to write. */
  async explain() {
    const { text } = this;
    if (!text.trim()) {
      this.syntaxError = null;
      this.mark();
      return this.sayHow();
    }
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
    this.mark();
    if (error) this.sayWrong(error);
    else if (answer.words) fill(this.note, el("span", { class: "words" }, answer.words));
  }

  /** @param {FormulaProblem} problem */
  sayWrong({ message, start, suggestion, correction }) {
    fill(this.note, el("span", { class: "bad" }, ...withCode(message), ` (character ${start + 1})`));
    if (!suggestion) return;
    append(this.note, " — ", ...withCode(suggestion));
    if (correction) append(this.note, " ", button("Use it", () => this.use(correction), { class: "small" }));
  }

  /** @param {string} text */
  use(text) {
    this.write(text);
    this.view.focus();
  }

  /** The completions at a place. @param {CompletionContext} context @returns {CompletionResult | null} */
  complete({ state, pos, explicit }) {
    const found = proposals(state.doc.toString(), pos, this.owner.names(), explicit);
    if (!found.length) return null;
    const [{ start, end }] = found;
    const options = found.map(({ shown: label, text }) => ({ label, apply: text }));
    return { from: start, to: end, options, filter: false, update: (_0, _1, _2, later) => this.complete(later) };
  }
}
