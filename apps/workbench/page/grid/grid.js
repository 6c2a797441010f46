// The table of sentences: a WAI-ARIA grid with only the rows in view in the document.
import { el } from "../dom.js";
import { marked, squiggles, worst } from "../marks.js";
import { isSpaced, joinRegions } from "../suite/sentences.js";
import { conditionAt, regionName, regionOf, tableOf } from "../suite/table.js";
import { widthsOf } from "./widths.js";
/** @import {Session} from "../suite/state.js" */
/** @import {Finding, Row} from "../suite/types.js" */

/**
 * A cell: row -1 is the head; column 0 the item, 1 the condition, the last one the sentence.
 * @typedef {{row: number, column: number}} Place
 */
/** @typedef {{top: number, bottom: number, left: number, right: number}} Block */
/** @typedef {{element: HTMLElement, text: string, findings: readonly Finding[], look: string}} Cell */
/** @typedef {{element: HTMLElement, cells: Cell[]}} RowElements */

/** @typedef {(row: Row, region: number | "name" | "item") => readonly Finding[]} FindingsOf */
/** @typedef {"cells" | "cells with a header" | "suite"} PastedKind */

const AROUND = 6;
const isTouched = matchMedia("(pointer: coarse)");
/** @type {readonly Finding[]} */
const NONE = [];

export class Grid {
  /** @param {Session} session */
  constructor(session) {
    this.session = session;
    /** @type {Place} */
    this.active = { row: session.data.items.length ? 0 : -1, column: 2 };
    /** @type {Place} */
    this.anchor = this.active;
    this.join = "core";
    /** Where writing along a row with Tab began; -1 if nobody does. */
    this.tabbedFrom = -1;
    /** @type {FindingsOf} */
    this.findingsOf = () => NONE;
    /** @type {(number: number) => readonly Finding[]} */
    this.findingsOfName = () => NONE;
    /** The rows that are in the document. @type {Map<number, RowElements>} */
    this.shown = new Map();
    /** The cell that is being edited is left alone. @type {HTMLElement | null} */
    this.edited = null;
    /** @type {() => void} */
    this.onSelect = () => {};
    /** Tells what pasted rows are. @type {(text: string) => Promise<PastedKind>} */
    this.kindOf = async () => "cells";
    this.body = el("div", { role: "rowgroup", class: "body" });
    this.head = el("div", { role: "rowgroup", class: "head" });
    this.element = el(
      "div",
      { role: "grid", class: "grid", "aria-label": "Sentences", "aria-multiselectable": "true" },
      this.head,
      this.body,
    );
    this.element.addEventListener("scroll", () => this.render(), { passive: true });
    this.resized = new ResizeObserver(() => this.render());
    this.resized.observe(this.element);
    session.onChange(({ kind }) => (kind === "draft" ? this.render() : this.refresh()));
  }

  get table() {
    return tableOf(this.session.data);
  }

  /** Columns before the sentence. */
  get lastRegion() {
    return this.table.columns.length + 1;
  }

  /** The region of a column; 0 if it has none. @param {number} column */
  regionAt(column) {
    return this.table.columns[column - 2] ?? 0;
  }

  /** @returns {Block} */
  get block() {
    const [a, b] = [this.anchor, this.active];
    return {
      top: Math.min(a.row, b.row),
      bottom: Math.max(a.row, b.row),
      left: Math.min(a.column, b.column),
      right: Math.max(a.column, b.column),
    };
  }

  /** Measure columns again, and draw. */
  refresh() {
    const { rows, columns } = this.table;
    const within = (/** @type {Place} */ place) => ({
      row: Math.max(-1, Math.min(place.row, rows.length - 1)),
      column: Math.max(0, Math.min(place.column, columns.length + 2)),
    });
    this.active = within(this.active);
    this.anchor = within(this.anchor);
    this.element.style.setProperty("--columns", widthsOf(this.session.data, this.table));
    this.element.setAttribute("aria-rowcount", String(rows.length + 1));
    this.element.setAttribute("aria-colcount", String(columns.length + 3));
    this.drawHead();
    this.render();
  }

  get rowHeight() {
    return 2 * parseFloat(getComputedStyle(document.documentElement).fontSize);
  }

  /** The text of a cell. @param {number} row @param {number} column @returns {string} */
  textAt(row, column) {
    const data = this.session.data;
    if (row < 0) return this.headText(column);
    const place = this.table.rows[row];
    if (column === 0) return String(data.items[place.item].item_number);
    const condition = conditionAt(data, place);
    if (column === 1) return condition.condition_name;
    if (column > this.lastRegion) return this.sentenceAt(row).text;
    return regionOf(condition, this.regionAt(column))?.content ?? "";
  }

  /** @param {number} column */
  headText(column) {
    if (column < 2) return ["item", "condition"][column];
    return column > this.lastRegion ? "sentence" : regionName(this.session.data, this.regionAt(column));
  }

  /** The sentence of a row as a model reads it. @param {number} row */
  sentenceAt(row) {
    const { data } = this.session;
    const { regions } = conditionAt(data, this.table.rows[row]);
    return joinRegions(
      regions.map((region) => region.content),
      this.join,
      regions.map((region) => isSpaced(region.region_number, data.meta.no_space_before)),
    );
  }

  drawHead() {
    const { columns } = this.table;
    const row = el("div", { role: "row", class: "row", "aria-rowindex": "1" });
    for (let column = 0; column < columns.length + 3; column++) {
      const number = this.regionAt(column);
      const name = this.headText(column);
      const findings = number ? this.findingsOfName(number) : NONE;
      const cell = el(
        "div",
        {
          role: "columnheader",
          class: `cell ${worst(findings)}`,
          "aria-colindex": column + 1,
          tabindex: "-1",
        },
        number ? el("span", { class: "number" }, String(number)) : null,
        el("bdi", { class: findings.length ? `squiggle ${worst(findings)}` : "name" }, name),
      );
      if (name) cell.title = findings.map((one) => one.message).join("\n") || name;
      row.append(cell);
    }
    if (this.edited && this.active.row < 0) return;
    const had = this.head.contains(document.activeElement);
    this.head.replaceChildren(row);
    this.look(-1, this.heads);
    if (had) this.focus();
  }

  /** The headings. @returns {HTMLElement[]} */
  get heads() {
    return /** @type {HTMLElement[]} */ ([...(this.head.firstElementChild?.children ?? [])]);
  }

  /** Draw the rows in view. */
  render() {
    const { rows } = this.table;
    const height = this.rowHeight;
    this.body.style.height = `${rows.length * height}px`;
    const view = this.element.clientHeight || 600;
    const first = Math.max(0, Math.floor(this.element.scrollTop / height) - AROUND);
    const last = Math.min(rows.length - 1, Math.ceil((this.element.scrollTop + view) / height) + AROUND);
    const wanted = new Set();
    for (let row = first; row <= last; row++) wanted.add(row);
    // The focus stays where it is, in view or not.
    if (this.active.row >= 0 && this.active.row < rows.length) wanted.add(this.active.row);
    for (const [row, { element }] of this.shown) {
      if (wanted.has(row)) continue;
      element.remove();
      this.shown.delete(row);
    }
    for (const row of [...wanted].sort((a, b) => a - b)) this.drawRow(row, height);
    this.lookAll();
  }

  /** @param {number} row @param {number} height */
  drawRow(row, height) {
    const { rows, columns } = this.table;
    let found = this.shown.get(row);
    if (!found || found.cells.length !== columns.length + 3) {
      found?.element.remove();
      found = this.newRow(row);
      this.shown.set(row, found);
      const after = [...this.shown.keys()].filter((one) => one > row).sort((a, b) => a - b)[0];
      this.body.insertBefore(
        found.element,
        after === undefined ? null : (this.shown.get(after)?.element ?? null),
      );
    }
    const place = rows[row];
    found.element.style.top = `${row * height}px`;
    found.element.classList.toggle("first", place.condition === 0);
    const { regions } = conditionAt(this.session.data, place);
    found.cells.forEach((cell, column) => {
      const region = this.regionAt(column);
      /** @type {readonly Finding[]} */
      let findings = NONE;
      if (region) {
        const at = regions.findIndex((one) => one.region_number === region);
        findings = this.findingsOf(place, at);
        cell.element.classList.toggle("absent", at < 0);
      } else if (column < 2) {
        findings = this.findingsOf(place, column === 0 ? "item" : "name");
      }
      this.drawCell(cell, this.textAt(row, column), findings);
    });
  }

  /** @param {number} row @returns {RowElements} */
  newRow(row) {
    const element = el("div", { role: "row", class: "row", "aria-rowindex": row + 2 });
    const cells = Array.from({ length: this.table.columns.length + 3 }, (_, column) => {
      const cell = el("div", {
        role: column === 0 ? "rowheader" : "gridcell",
        class: "cell",
        "aria-colindex": column + 1,
        "aria-readonly": column > this.lastRegion ? "true" : null,
        dir: "auto",
        tabindex: "-1",
      });
      cell.dataset.row = String(row);
      cell.dataset.column = String(column);
      element.append(cell);
      return { element: cell, text: "\0", findings: NONE, look: "" };
    });
    return { element, cells };
  }

  /** @param {Cell} cell @param {string} text @param {readonly Finding[]} findings */
  drawCell(cell, text, findings) {
    if (cell.element === this.edited || (cell.text === text && cell.findings === findings)) return;
    cell.text = text;
    cell.findings = findings;
    cell.element.replaceChildren(...marked(text, squiggles(text, findings)));
    cell.element.classList.toggle("hollow", !text && findings.length > 0);
    cell.element.title = findings.map((one) => one.message).join("\n") || (text.length > 20 ? text : "");
    if (worst(findings) === "error") cell.element.setAttribute("aria-invalid", "true");
    else cell.element.removeAttribute("aria-invalid");
  }

  /** Selection and focus of all that is shown. */
  lookAll() {
    for (const [row, { cells }] of this.shown)
      this.look(
        row,
        cells.map((cell) => cell.element),
      );
    this.look(-1, this.heads);
  }

  /** @param {number} row @param {HTMLElement[]} cells */
  look(row, cells) {
    const { top, bottom, left, right } = this.block;
    const isMany = top !== bottom || left !== right;
    cells.forEach((cell, column) => {
      const isActive = row === this.active.row && column === this.active.column;
      const isSelected = isMany && row >= top && row <= bottom && column >= left && column <= right;
      const look = `${isActive}${isSelected}`;
      if (cell.dataset.look === look) return;
      cell.dataset.look = look;
      cell.tabIndex = isActive ? 0 : -1;
      cell.classList.toggle("active", isActive);
      // Input methods write into what can be edited only.
      cell.contentEditable = isActive && this.isEditable({ row, column }) ? "true" : "inherit";
      // The keyboard of a touch screen comes with the field.
      cell.inputMode = isTouched.matches ? "none" : "";
      cell.classList.toggle("selected", isSelected);
      if (cell.getAttribute("role") === "columnheader") return;
      if (isSelected || isActive) cell.setAttribute("aria-selected", "true");
      else cell.removeAttribute("aria-selected");
    });
  }

  /** True if a cell has a text of its own. @param {Place} place */
  isEditable({ row, column }) {
    return column <= this.lastRegion && (row >= 0 || column >= 2);
  }

  /** The element of a cell that is shown. @param {Place} place @returns {HTMLElement | null} */
  elementAt({ row, column }) {
    return (row < 0 ? this.heads[column] : this.shown.get(row)?.cells[column]?.element) ?? null;
  }

  /**
   * Go to a cell; with `extend` the selection reaches there.
   * @param {Place} place
   * @param {{extend?: boolean, focus?: boolean, tabbedFrom?: number}} [options]
   */
  go(place, { extend = false, focus = true, tabbedFrom = -1 } = {}) {
    this.tabbedFrom = tabbedFrom;
    this.active = {
      row: Math.max(-1, Math.min(place.row, this.table.rows.length - 1)),
      column: Math.max(0, Math.min(place.column, this.lastRegion + 1)),
    };
    if (!extend) this.anchor = this.active;
    this.reveal();
    this.render();
    if (focus) this.focus();
    this.onSelect();
  }

  focus() {
    this.elementAt(this.active)?.focus({ preventScroll: true });
  }

  /** Scroll so that the active cell is in view, next to the columns that stay. */
  reveal() {
    const { element, active } = this;
    const height = this.rowHeight;
    const headHeight = this.head.offsetHeight;
    if (active.row >= 0) {
      const top = active.row * height;
      if (top < element.scrollTop) element.scrollTop = top;
      const bottom = top + height + headHeight + 2;
      if (bottom > element.scrollTop + element.clientHeight)
        element.scrollTop = bottom - element.clientHeight;
    }
    const { heads } = this;
    const head = heads[active.column];
    if (!head) return;
    // The first two columns, unless the screen is too narrow for them to stay.
    const kept = heads.slice(0, 2).filter((one) => getComputedStyle(one).position === "sticky");
    const left = kept.reduce((sum, one) => sum + one.offsetWidth, 0);
    if (active.column < kept.length) return;
    const box = head.getBoundingClientRect();
    const port = element.getBoundingClientRect();
    if (box.left < port.left + left) element.scrollLeft -= port.left + left - box.left;
    else if (box.right > port.left + element.clientWidth)
      element.scrollLeft += Math.min(
        box.right - port.left - element.clientWidth,
        box.left - port.left - left,
      );
  }
}
