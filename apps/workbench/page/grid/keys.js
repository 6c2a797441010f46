// Keys and pointer of the table.
import { announce, isComposing } from "../dom.js";
import { insertItems } from "../suite/edits.js";
import { conditionAt, isEmpty } from "../suite/table.js";
import { clear, copy, cut, fillDown, paste } from "./blocks.js";
import { compose } from "./composing.js";
/** @import {Grid, Place} from "./grid.js" */
/** @import {CellEditor} from "./cell_editor.js" */

/**
 * @param {Grid} grid
 * @param {CellEditor} editor
 * @param {(place: Place) => void} openMenu
 */
export function listen(grid, editor, openMenu) {
  const { element } = grid;
  element.addEventListener("keydown", (event) => {
    if (editor.isOpen ? editing(grid, editor, event) : moving(grid, editor, event, openMenu))
      event.preventDefault();
  });
  const clipboardEvents = /** @type {const} */ ({ copy, cut, paste });
  for (const [name, work] of Object.entries(clipboardEvents)) {
    element.addEventListener(name, (event) => {
      if (editor.isOpen) return;
      event.preventDefault();
      work(grid, /** @type {ClipboardEvent} */ (event));
    });
  }
  compose(grid, editor);
  pointer(grid, editor, openMenu);
}

/** Add an item below the last row if it has a text. @param {Grid} grid @param {number} row */
function addBelow({ session, table }, row) {
  if (row < table.rows.length - 1 || isEmpty(conditionAt(session.data, table.rows[row]))) return;
  session.apply("new item", (data) => insertItems(data, data.items.length), { where: { row, column: 2 } });
  announce(`item ${session.data.items.at(-1)?.item_number} is added; Ctrl+Z removes it`);
}

/**
 * The next cell to write, past the sentence, which cannot be written; null at an end.
 * @param {Grid} grid
 * @param {Place} from
 * @param {boolean} isBack
 * @returns {Place | null}
 */
function tabbed(grid, { row, column }, isBack) {
  const next = column + (isBack ? -1 : 1);
  if (isBack && column === 2) return row > 0 ? { row: row - 1, column: grid.lastRegion } : null;
  if (next <= grid.lastRegion) return { row, column: next };
  addBelow(grid, row);
  return row < grid.table.rows.length - 1 ? { row: row + 1, column: 2 } : null;
}

/**
 * @param {Grid} grid
 * @param {CellEditor} editor
 * @param {KeyboardEvent} event
 * @returns {boolean} whether the key is used
 */
function editing(grid, editor, event) {
  if (isComposing(event)) return false;
  const { row, column } = grid.active;
  const moves = /** @type {Record<string, Place>} */ ({
    Enter: { row: row + (event.shiftKey ? -1 : 1), column },
    ArrowDown: { row: row + 1, column },
    ArrowUp: { row: row - 1, column },
    Tab: { row, column: column + (event.shiftKey ? -1 : 1) }, // of the head
  });
  if (event.key === "Escape") {
    editor.close(false);
    grid.focus();
    return true;
  }
  if (event.key === "F2") return true;
  const to = moves[event.key];
  if (!to || event.ctrlKey || event.metaKey || event.altKey) return false;
  const kept = editor.close(true);
  if (kept && row >= 0) {
    const from = grid.tabbedFrom < 0 ? column : grid.tabbedFrom;
    // Enter at the end of a row that was written with Tab goes to the start of the next one.
    if (event.key === "Enter") to.column = from;
    if (event.key === "Enter" && !event.shiftKey) addBelow(grid, row);
    const next = event.key === "Tab" ? tabbed(grid, { row, column }, event.shiftKey) : to;
    const isOn = event.key === "Tab" && next;
    grid.go(next ?? { row, column }, { tabbedFrom: !isOn ? -1 : next.row === row ? from : 2 });
    return true;
  }
  // After a heading Enter stays: the row below is another thing.
  grid.go(kept && event.key !== "Enter" ? to : { row, column });
  return true;
}

/**
 * @param {Grid} grid
 * @param {CellEditor} editor
 * @param {KeyboardEvent} event
 * @param {(place: Place) => void} openMenu
 * @returns {boolean}
 */
function moving(grid, editor, event, openMenu) {
  if (isComposing(event)) return false;
  const { key, shiftKey } = event;
  const command = event.ctrlKey || event.metaKey;
  const isPlain = !command && !event.altKey;
  // While one writes along rows, Tab leaves a cell as it is; after an empty last row, or Esc, it leaves the table.
  if (key === "Tab" && isPlain && grid.tabbedFrom >= 0) {
    const next = tabbed(grid, grid.active, shiftKey);
    if (next) {
      grid.go(next, { tabbedFrom: next.row === grid.active.row ? grid.tabbedFrom : 2 });
      return true;
    }
    grid.tabbedFrom = -1;
  }
  const to = destination(grid, key, command);
  if (to && !event.altKey) {
    grid.go(to, { extend: shiftKey });
    return true;
  }
  if ((key === "F10" && shiftKey) || key === "ContextMenu") {
    openMenu(grid.active);
    return true;
  }
  if (command && !event.altKey) {
    if (key.toLowerCase() === "d") {
      fillDown(grid);
      return true;
    }
    if (key.toLowerCase() === "a") {
      grid.anchor = { row: 0, column: 2 };
      grid.active = { row: grid.table.rows.length - 1, column: grid.lastRegion };
      grid.go(grid.active, { extend: true });
      return true;
    }
    return false;
  }
  if (event.altKey) return false;
  if (key === "Delete" || key === "Backspace") {
    clear(grid);
    return true;
  }
  if (key === "Escape") {
    grid.go(grid.active);
    return true;
  }
  if (key === "Enter" || key === "F2") {
    editor.open(false);
    return true;
  }
  // The letter goes into the field, which has the focus by then.
  if (key.length === 1) return !editor.open(true);
  return false;
}

/**
 * Where a key leads.
 * @param {Grid} grid
 * @param {string} key
 * @param {boolean} command
 * @returns {Place | null}
 */
function destination(grid, key, command) {
  const { row, column } = grid.active;
  const last = { row: grid.table.rows.length - 1, column: grid.lastRegion + 1 };
  const page = Math.max(1, Math.floor(grid.element.clientHeight / grid.rowHeight) - 2);
  const places = /** @type {Record<string, Place>} */ ({
    ArrowUp: { row: command ? 0 : row - 1, column },
    ArrowDown: { row: command ? last.row : row + 1, column },
    ArrowLeft: { row, column: command ? 0 : column - 1 },
    ArrowRight: { row, column: command ? last.column : column + 1 },
    Home: { row: command ? 0 : row, column: 0 },
    End: { row: command ? last.row : row, column: last.column },
    PageUp: { row: Math.max(0, row - page), column },
    PageDown: { row: row + page, column },
  });
  return places[key] ?? null;
}

/** @param {Grid} grid @param {CellEditor} editor @param {(place: Place) => void} openMenu */
function pointer(grid, editor, openMenu) {
  const { element } = grid;
  const at = (/** @type {Event} */ event) => {
    const cell = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest?.(".cell"));
    if (!cell || !element.contains(cell)) return null;
    const column = Number(cell.getAttribute("aria-colindex")) - 1;
    return { row: cell.dataset.row === undefined ? -1 : Number(cell.dataset.row), column };
  };
  let isDragging = false;
  element.addEventListener("mousedown", (event) => {
    const place = at(event);
    if (!place || /** @type {Element} */ (event.target).tagName === "INPUT") return;
    if (editor.isOpen) editor.close(true);
    event.preventDefault();
    if (event.button === 2) {
      const { top, bottom, left, right } = grid.block;
      const isInside =
        place.row >= top && place.row <= bottom && place.column >= left && place.column <= right;
      if (isInside) return;
    }
    grid.go(place, { extend: event.shiftKey });
    isDragging = event.button === 0;
  });
  element.addEventListener("mouseover", (event) => {
    const place = isDragging && event.buttons === 1 ? at(event) : null;
    if (place) grid.go(place, { extend: true });
  });
  document.addEventListener("mouseup", () => {
    isDragging = false;
  });
  // On a touch screen a second tap edits.
  let tapped = "";
  element.addEventListener("click", (event) => {
    const place = at(event);
    if (!place || /** @type {PointerEvent} */ (event).pointerType !== "touch" || editor.isOpen) return;
    const key = `${place.row} ${place.column}`;
    if (key === tapped) editor.open(false);
    tapped = key;
  });
  element.addEventListener("dblclick", (event) => {
    if (at(event) && !editor.isOpen) editor.open(false);
  });
  element.addEventListener("contextmenu", (event) => {
    const place = at(event);
    if (!place || editor.isOpen) return;
    event.preventDefault();
    openMenu(place);
  });
}
