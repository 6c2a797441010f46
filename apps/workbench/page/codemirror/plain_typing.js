// Typing over a selection. A browser that replaces it itself gives the new text the look of the
// old one, as an attribute `style`, which the policy of the page refuses; so the selection goes first.
import { EditorView } from "./codemirror.js";

export const plainTyping = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { inputType, data } = /** @type {InputEvent} */ (event);
    const range = replaced(view);
    if (inputType !== "insertText" || !data || range.from === range.to) return false;
    replace(view, range, data, "input.type");
    event.preventDefault();
    return true;
  },
  compositionstart(_event, view) {
    const { main } = view.state.selection;
    if (main.from !== main.to) replace(view, main, "", "delete.selection");
    return false;
  },
});

/**
 * The range that the browser would replace. If all of the text is in the document, it may know a selection that
 * the editor has not heard of yet.
 * @param {EditorView} view
 * @returns {{from: number, to: number}}
 */
function replaced(view) {
  const selection = document.getSelection();
  const { from, to } = view.viewport;
  if (!selection?.rangeCount || from > 0 || to < view.state.doc.length) return view.state.selection.main;
  const range = selection.getRangeAt(0);
  if (!view.contentDOM.contains(range.commonAncestorContainer)) return view.state.selection.main;
  return {
    from: view.posAtDOM(range.startContainer, range.startOffset),
    to: view.posAtDOM(range.endContainer, range.endOffset),
  };
}

/** @param {EditorView} view @param {{from: number, to: number}} range @param {string} insert @param {string} userEvent */
function replace(view, { from, to }, insert, userEvent) {
  view.dispatch({
    changes: { from, to, insert },
    selection: { anchor: from + insert.length },
    scrollIntoView: true,
    userEvent,
  });
}
