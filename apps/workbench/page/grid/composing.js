// Input methods on a cell whose field is not open. A field that opens with the first key comes too late
// for it, so the cell itself takes the composition, and the field opens with what was composed.
/** @import {Grid, Place} from "./grid.js" */
/** @import {CellEditor} from "./cell_editor.js" */

/** @param {Grid} grid @param {CellEditor} editor */
export function compose(grid, editor) {
  const { element } = grid;
  /** The cell in which something is composed. @type {Place | null} */
  let place = null;
  element.addEventListener("beforeinput", (event) => {
    if (editor.isOpen || event.inputType.includes("Composition")) return;
    event.preventDefault();
    // Without a key: what dictation and tables of characters give.
    if (event.inputType === "insertText" && event.data) editor.open(true, event.data);
  });
  element.addEventListener("compositionstart", () => {
    if (editor.isOpen) return;
    place = grid.active;
    grid.edited = grid.elementAt(place);
    grid.edited?.replaceChildren();
  });
  element.addEventListener("compositionend", ({ data }) => {
    if (!place) return;
    const next = grid.active;
    if (next !== place) grid.go(place, { focus: false });
    editor.open(true, data);
    // Whoever went on, or composed nothing, does not write here.
    if (next !== place || !data) editor.close(Boolean(data));
    if (next !== place) grid.go(next);
    else if (!data) grid.focus();
    place = null;
  });
}
