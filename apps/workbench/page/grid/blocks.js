// Blocks of cells: copy, cut, paste, clear, fill down. Each is one step of undo.
import { announce, counted } from "../dom.js";
import { insertItems, setCells } from "../suite/edits.js";
import { insertRegion } from "../suite/structure.js";
import { fromTSV, oneLine, toTSV } from "../suite/clipboard.js";
import { tableOf } from "../suite/table.js";
/** @import {Grid} from "./grid.js" */
/** @import {CellText, Suite} from "../suite/types.js" */

/** More cells than anybody pastes into a suite. */
const MOST = 200_000;

/** The cells of the selection that hold text of regions. @param {Grid} grid */
function selected(grid) {
  const { top, bottom, left, right } = grid.block;
  /** @type {{row: number, column: number}[]} */
  const places = [];
  for (let row = Math.max(0, top); row <= bottom; row++)
    for (let column = Math.max(2, left); column <= Math.min(grid.lastRegion, right); column++)
      places.push({ row, column });
  return places;
}

/**
 * @param {Grid} grid
 * @param {{row: number, column: number}} place
 * @param {string} text
 * @returns {CellText}
 */
const cellText = (grid, { row, column }, text) => ({
  ...grid.table.rows[row],
  region: grid.regionAt(column),
  text,
});

/** Write cells, as one step. @param {Grid} grid @param {string} what @param {CellText[]} cells */
const write = (grid, what, cells) =>
  grid.session.apply(`${what} ${counted(cells.length, "cell")}`, (data) => setCells(data, cells), { where: grid.active });

/** @param {Grid} grid @param {ClipboardEvent} event */
export function copy(grid, event) {
  const { top, bottom, left, right } = grid.block;
  const rows = [];
  for (let row = top; row <= bottom; row++) {
    const cells = [];
    for (let column = left; column <= right; column++) cells.push(grid.textAt(row, column));
    rows.push(cells);
  }
  event.clipboardData?.setData("text/plain", toTSV(rows));
  announce(`${counted((bottom - top + 1) * (right - left + 1), "cell")} copied`);
}

/** @param {Grid} grid @param {ClipboardEvent} event */
export function cut(grid, event) {
  copy(grid, event);
  clear(grid, "cut");
}

/** @param {Grid} grid @param {string} [what] */
export function clear(grid, what = "clear") {
  const places = selected(grid);
  const cells = places.map((place) => cellText(grid, place, ""));
  if (!cells.length)
    return announce(
      "only texts of regions can be cleared; items, conditions and regions are deleted by the menu",
    );
  if (write(grid, `${what} of`, cells)) announce(`${counted(cells.length, "cell")} cleared`);
}

/** @param {Grid} grid */
export function fillDown(grid) {
  const { top, bottom } = grid.block;
  const from = top === bottom ? top - 1 : top;
  if (from < 0) return announce("there is no cell above to fill from");
  const cells = selected(grid)
    .filter(({ row }) => row > from)
    .map((place) => cellText(grid, place, grid.textAt(from, place.column)));
  const isDone = write(grid, "fill down of", cells);
  announce(isDone ? `${counted(cells.length, "cell")} filled from above` : "nothing to fill");
}

/** @param {Grid} grid @param {ClipboardEvent} event */
export function paste(grid, event) {
  void pasteText(grid, event.clipboardData?.getData("text/plain") ?? "");
}

/**
 * Write rows of cells from the upper left corner of the selection on.
 * @param {Grid} grid
 * @param {string} text
 */
export async function pasteText(grid, text) {
  if (!text) return announce("the clipboard has no text");
  const rows = fromTSV(text);
  const width = Math.max(...rows.map((row) => row.length));
  if (rows.length * width > MOST)
    return announce(`too many cells to paste: at most ${MOST.toLocaleString("en")}`);
  const { top, left } = grid.block;
  const kind = rows.length > 1 && width > 2 ? await grid.kindOf(text) : "cells";
  if (kind === "suite") return;
  if (top < 0 || left < 2 || left > grid.lastRegion)
    return announce("select a cell of a region to paste into");
  // One cell fills the selection.
  if (rows.length === 1 && width === 1) {
    const cells = selected(grid).map((place) => cellText(grid, place, oneLine(rows[0][0])));
    write(grid, "paste into", cells);
    return announce(`pasted into ${counted(cells.length, "cell")}`);
  }
  const before = grid.table;
  const isDone = grid.session.apply(
    `paste of ${counted(rows.length, "row")}`,
    (data) => {
      const roomy = withRoom(data, top + rows.length, left - 2 + width);
      const table = tableOf(roomy);
      /** @type {CellText[]} */
      const cells = [];
      rows.forEach((row, down) =>
        row.forEach((cell, along) =>
          cells.push({
            ...table.rows[top + down],
            region: table.columns[left - 2 + along],
            text: oneLine(cell),
          }),
        ),
      );
      return setCells(roomy, cells);
    },
    { where: { row: top, column: left } },
  );
  grid.anchor = { row: top, column: left };
  grid.active = { row: top + rows.length - 1, column: left + width - 1 };
  grid.go(grid.active, { extend: true });
  const fresh = [
    grid.table.rows.length > before.rows.length &&
      counted(grid.table.rows.length - before.rows.length, "new row"),
    grid.table.columns.length > before.columns.length &&
      counted(grid.table.columns.length - before.columns.length, "new region"),
    kind === "cells with a header" && "the names of the columns are a sentence now",
  ].filter(Boolean);
  const what = `${counted(rows.length, "row")} of ${counted(width, "cell")}`;
  announce(isDone ? [`pasted ${what}`, ...fresh].join(", ") : `pasted ${what}: nothing changed`);
}

/**
 * The suite with so many rows and columns at least.
 * @param {Suite} data
 * @param {number} rows
 * @param {number} columns
 * @returns {Suite}
 */
function withRoom(data, rows, columns) {
  let roomy = data;
  while (tableOf(roomy).columns.length < columns)
    roomy = insertRegion(roomy, (tableOf(roomy).columns.at(-1) ?? 0) + 1);
  const missing = rows - tableOf(roomy).rows.length;
  if (missing <= 0) return roomy;
  const size = Math.max(1, roomy.items.at(-1)?.conditions.length ?? 1);
  return insertItems(roomy, roomy.items.length, Math.ceil(missing / size));
}
