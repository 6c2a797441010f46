// Editing one cell in place. Enter and Tab keep the text, Esc does not.
import { announce, el, isolated } from "../dom.js";
import { setCells, setItemNumber } from "../suite/edits.js";
import { renameCondition, renameRegion } from "../suite/structure.js";
import { conditionAt } from "../suite/table.js";
import { oneLine } from "../suite/clipboard.js";
import { Refusal } from "../suite/types.js";
/** @import {Grid, Place} from "./grid.js" */
/** @import {Suite} from "../suite/types.js" */

export class CellEditor {
  /** @param {Grid} grid */
  constructor(grid) {
    this.grid = grid;
    /** @type {HTMLInputElement | null} */
    this.input = null;
    /** @type {Place} */
    this.place = grid.active;
    this.before = "";
    /** The text of the field at first: a field has no line breaks, the cell may have. */
    this.initial = "";
  }

  get isOpen() {
    return this.input !== null;
  }

  /**
   * Edit the active cell; what is typed replaces its text if `fresh`.
   * @param {boolean} fresh
   * @param {string} [text] what was typed already
   * @returns {boolean}
   */
  open(fresh, text = "") {
    const { grid } = this;
    const { row, column } = grid.active;
    if (!grid.isEditable(grid.active)) {
      announce(row < 0 ? "this heading cannot be edited" : "the sentence follows from its regions");
      return false;
    }
    grid.go(grid.active, { tabbedFrom: grid.tabbedFrom });
    const cell = grid.elementAt(grid.active);
    if (!cell) return false;
    this.place = grid.active;
    this.before = grid.textAt(row, column);
    grid.edited = cell;
    const input = el("input", {
      type: "text",
      class: "cell-input",
      "aria-label": this.label(),
      value: fresh ? text : this.before,
      spellcheck: row >= 0 && column >= 2 ? "true" : "false",
      autocomplete: "off",
      oninput: () => this.preview(),
      onblur: () => this.close(true),
    });
    this.input = input;
    this.initial = fresh ? "\0" : input.value;
    cell.append(input);
    input.focus({ preventScroll: true });
    cell.contentEditable = "false";
    input.setSelectionRange(input.value.length, input.value.length);
    if (text) this.preview();
    return true;
  }

  label() {
    const { row, column } = this.place;
    const { grid } = this;
    const region = grid.regionAt(column);
    if (row < 0) return `name of region ${region}`;
    const place = grid.table.rows[row];
    const item = `item ${grid.session.data.items[place.item].item_number}`;
    if (column === 0) return `number of ${item}`;
    const name = isolated(conditionAt(grid.session.data, place).condition_name);
    return column === 1
      ? `name of condition ${name}`
      : `${item}, ${name}, region ${region} ${isolated(grid.headText(column))}`;
  }

  /** The edit that the text makes. @param {string} text @returns {(data: Suite) => Suite} */
  edit(text) {
    const { row, column } = this.place;
    const region = this.grid.regionAt(column);
    if (row < 0) return (data) => renameRegion(data, region, text);
    const { item, condition } = this.grid.table.rows[row];
    if (column === 0) return (data) => setItemNumber(data, item, text);
    if (column === 1) return (data) => renameCondition(data, this.before, text);
    return (data) => setCells(data, [{ item, condition, region, text }]);
  }

  preview() {
    const { row, column } = this.place;
    if (row >= 0 && column >= 2 && this.input)
      this.grid.session.preview(this.edit(oneLine(this.input.value)));
  }

  /**
   * Stop editing.
   * @param {boolean} keep whether the text is kept
   * @returns {boolean} false if the text cannot be kept
   */
  close(keep) {
    const { input, grid } = this;
    if (!input) return true;
    const text = oneLine(input.value);
    const { session } = grid;
    this.input = null;
    // The input goes first: its blur closes no second time.
    const cell = grid.edited;
    grid.edited = null;
    let refused = "";
    if (keep && input.value !== this.initial && text !== this.before) {
      try {
        session.apply(`edit of ${this.label()}`, this.edit(text), { where: this.place });
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        refused = error.message;
      }
    } else {
      session.preview(null);
    }
    input.remove();
    if (cell) cell.contentEditable = "true";
    const row = grid.shown.get(this.place.row);
    const shown = row?.cells.find((one) => one.element === cell);
    if (shown) shown.text = "\0";
    if (this.place.row < 0) grid.drawHead();
    grid.render();
    if (refused) announce(`not changed: ${refused}`);
    return !refused;
  }
}
