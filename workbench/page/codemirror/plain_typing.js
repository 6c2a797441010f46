// What is typed over a selection. A browser that replaces it itself gives the new text the look of the
// old one, as an attribute `style`, which the policy of the page refuses; so the selection goes first.
import { EditorView } from "./codemirror.js";

export const plainTyping = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { inputType, data } = /** @type {InputEvent} */ (event);
    if (inputType !== "insertText" || !data || isEmpty(view)) return false;
    replace(view, data, "input.type");
    event.preventDefault();
    return true;
  },
  compositionstart(_event, view) {
    if (!isEmpty(view)) replace(view, "", "delete.selection");
    return false;
  },
});

/** @param {EditorView} view */
function isEmpty({ state: { selection } }) {
  return selection.main.from === selection.main.to;
}

/** @param {EditorView} view @param {string} insert @param {string} userEvent */
function replace(view, insert, userEvent) {
  const { from, to } = view.state.selection.main;
  view.dispatch({
    changes: { from, to, insert },
    selection: { anchor: from + insert.length },
    scrollIntoView: true,
    userEvent,
  });
}
