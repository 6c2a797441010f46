// The field of a text: CodeMirror with line numbers, folding, search, undo, and findings where they are.
import {
  Compartment,
  EditorState,
  EditorView,
  HighlightStyle,
  bidiIsolates,
  bracketMatching,
  defaultKeymap,
  foldGutter,
  foldKeymap,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  history,
  historyKeymap,
  invertedEffects,
  isolateHistory,
  jsonLanguage,
  keymap,
  lineNumbers,
  lintGutter,
  nextDiagnostic,
  openSearchPanel,
  previousDiagnostic,
  search,
  searchKeymap,
  setDiagnostics,
  syntaxHighlighting,
  tags,
  undo,
  undoDepth,
  yamlLanguage,
} from "./codemirror/codemirror.js";
import { plainTyping } from "./codemirror/plain_typing.js";
/** @import {Diagnostic, Extension} from "./codemirror/codemirror.js" */

/** Kinds of words, by the colours that formulas have. */
const COLOURS = HighlightStyle.define([
  { tag: tags.propertyName, class: "condition" },
  { tag: [tags.number, tags.bool, tags.null], class: "literal" },
  { tag: tags.comment, class: "quiet" },
]);

/** Extensions that all texts have. @type {Extension} */
const COMMON = [
  plainTyping,
  lineNumbers(),
  lintGutter(),
  foldGutter(),
  highlightSpecialChars(),
  highlightActiveLine(),
  highlightActiveLineGutter(),
  history(),
  search({ top: true }),
  bidiIsolates(),
  bracketMatching({ brackets: "()[]{}" }),
  syntaxHighlighting(COLOURS),
  keymap.of([
    ...searchKeymap,
    ...historyKeymap,
    ...foldKeymap,
    { key: "F8", run: nextDiagnostic, shift: previousDiagnostic },
    ...defaultKeymap,
  ]),
  // Lines end as they do in this file, whoever wrote what is pasted.
  EditorView.clipboardInputFilter.of((text, state) => text.replace(/\r\n?|\n/g, state.lineBreak)),
];

/** How the lines of a text end: in `\r\n` if all do; in other texts `\r` is a character. @param {string} text */
const lineEnd = (text) =>
  text.includes("\r\n") && text.replace(/\r\n?|\n/g, "\r\n") === text ? "\r\n" : "\n";

/** @param {string} path @returns {Extension} */
function language(path) {
  if (/\.ya?ml$/i.test(path)) return yamlLanguage;
  return /\.[ct]sv$/i.test(path) ? [] : jsonLanguage;
}

export class TextEditor {
  /**
   * @param {string} path
   * @param {string} text
   * @param {{changed: () => void, moved: () => void}} owner
   */
  constructor(path, text, { changed, moved }) {
    this.lineEnds = new Compartment();
    this.view = new EditorView({
      state: EditorState.create({
        doc: text,
        extensions: [
          this.lineEnds.of(EditorState.lineSeparator.of(lineEnd(text))),
          COMMON,
          language(path),
          EditorView.editorAttributes.of({ class: "source" }),
          EditorView.contentAttributes.of({ "aria-label": `Text of ${path}`, dir: "ltr", tabindex: "0" }),
          EditorView.updateListener.of(({ docChanged, selectionSet, startState, state }) => {
            if (docChanged || startState.lineBreak !== state.lineBreak) changed();
            if (docChanged || selectionSet) moved();
          }),
          // Undo brings line ends back too.
          invertedEffects.of(({ startState: { lineBreak }, state }) =>
            lineBreak === state.lineBreak
              ? []
              : [this.lineEnds.reconfigure(EditorState.lineSeparator.of(lineBreak))],
          ),
        ],
      }),
    });
  }

  /** The text with the line ends of its file. */
  get text() {
    return this.view.state.sliceDoc();
  }

  get canUndo() {
    return undoDepth(this.view.state) > 0;
  }

  /** Where the selection begins, in characters. */
  get place() {
    const { doc, selection } = this.view.state;
    const at = selection.main.from;
    const { from, number } = doc.lineAt(at);
    return { line: number, column: [...this.view.state.sliceDoc(from, at)].length + 1 };
  }

  undo() {
    undo(this.view);
  }

  /** Ask for a text to find: a browser finds only the lines that it has drawn. */
  find() {
    openSearchPanel(this.view);
  }

  /** Show another text; what is the same keeps its place, and one undo brings the rest back. @param {string} text */
  replace(text) {
    const { view } = this;
    const end = lineEnd(text);
    const old = view.state.doc.toString();
    const lines = end === "\n" ? text : text.replaceAll("\r\n", "\n");
    const shortest = Math.min(old.length, lines.length);
    let start = 0;
    while (start < shortest && old[start] === lines[start]) start++;
    let rest = 0;
    while (rest < shortest - start && old.at(-1 - rest) === lines.at(-1 - rest)) rest++;
    const inserted = lines.slice(start, lines.length - rest).replaceAll("\n", view.state.lineBreak);
    const effects =
      end === view.state.lineBreak ? [] : [this.lineEnds.reconfigure(EditorState.lineSeparator.of(end))];
    view.dispatch({
      changes: { from: start, to: old.length - rest, insert: inserted },
      effects,
      annotations: isolateHistory.of("full"),
    });
  }

  /** The place of a character of the text, in which a line end may be two. @param {number} offset */
  at(offset) {
    const { doc, lineBreak } = this.view.state;
    if (lineBreak === "\n") return Math.min(offset, doc.length);
    let [low, high] = [1, doc.lines];
    while (low < high) {
      const line = Math.ceil((low + high) / 2);
      if (doc.line(line).from + line - 1 <= offset) low = line;
      else high = line - 1;
    }
    return Math.min(offset - low + 1, doc.line(low).to);
  }

  /** Select and show a part of the text. @param {number} start @param {number} end */
  select(start, end) {
    const [anchor, head] = [this.at(start), this.at(end)];
    this.view.focus();
    this.view.dispatch({
      selection: { anchor, head },
      effects: EditorView.scrollIntoView(anchor, { y: "center" }),
    });
  }

  /** Mark parts of the text. @param {readonly Diagnostic[]} found with offsets of the text */
  mark(found) {
    const placed = found.map((one) => ({ ...one, from: this.at(one.from), to: this.at(one.to) }));
    this.view.dispatch(setDiagnostics(this.view.state, placed));
  }
}
