// What the page uses of CodeMirror. Its types are in apps/workbench/page/codemirror/codemirror.d.ts.
export { autocompletion, acceptCompletion } from "@codemirror/autocomplete";
export {
  defaultKeymap,
  history,
  historyKeymap,
  invertedEffects,
  isolateHistory,
  standardKeymap,
  undo,
  undoDepth,
} from "@codemirror/commands";
export { jsonLanguage } from "@codemirror/lang-json";
export { yamlLanguage } from "@codemirror/lang-yaml";
export {
  HighlightStyle,
  bidiIsolates,
  bracketMatching,
  foldGutter,
  foldKeymap,
  syntaxHighlighting,
} from "@codemirror/language";
export { lintGutter, nextDiagnostic, previousDiagnostic, setDiagnostics } from "@codemirror/lint";
export { openSearchPanel, search, searchKeymap } from "@codemirror/search";
export { Annotation, Compartment, EditorState } from "@codemirror/state";
export {
  Decoration,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  placeholder,
} from "@codemirror/view";
export { tags } from "@lezer/highlight";
