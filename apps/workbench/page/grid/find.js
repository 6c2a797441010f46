// The find box of the table: Enter goes to the next cell with the text, Shift+Enter to the one before.
// With its second line, Enter replaces the text in a cell and moves on, Alt+Enter replaces it in all.
import { button, counted, el, isComposing } from "../dom.js";
import { patternOf, replaceText } from "../suite/replacing.js";
/** @import {Grid, Place} from "./grid.js" */

export class FindBox {
  /** @param {Grid} grid */
  constructor(grid) {
    this.grid = grid;
    this.input = el("input", {
      type: "search",
      "aria-label": "Find in the table",
      placeholder: "find",
      oninput: () => this.count(),
      onkeydown: (/** @type {KeyboardEvent} */ event) =>
        this.key(event, () => this.go(event.shiftKey ? -1 : 1)),
    });
    this.by = el("input", {
      type: "text",
      "aria-label": "Replace with",
      placeholder: "replace with",
      autocomplete: "off",
      onkeydown: (/** @type {KeyboardEvent} */ event) =>
        this.key(event, () => (event.altKey ? this.replaceAll() : this.replaceOne())),
    });
    this.status = el("span", { class: "faint small", role: "status" });
    this.more = button("Replace …", () => this.open({ replaces: Boolean(this.second.hidden) }), {
      "aria-expanded": "false",
      "aria-keyshortcuts": "Control+H",
      title: "Find and replace (Ctrl+H)",
    });
    this.second = el(
      "div",
      { hidden: true },
      this.by,
      button("Replace", () => this.replaceOne(), { title: "In this cell (Enter)" }),
      button("Replace all", () => this.replaceAll(), { title: "In all cells (Alt+Enter)" }),
    );
    this.element = el(
      "div",
      { class: "find", hidden: true, role: "search" },
      el(
        "div",
        {},
        this.input,
        button("↑", () => this.go(-1), { "aria-label": "Previous match" }),
        button("↓", () => this.go(1), { "aria-label": "Next match" }),
        this.more,
        this.status,
        button("×", () => this.close(), { "aria-label": "Close the find box", class: "plain" }),
      ),
      this.second,
    );
  }

  /** @param {{replaces?: boolean}} [options] */
  open({ replaces = false } = {}) {
    this.element.hidden = false;
    this.second.hidden = !replaces;
    this.more.setAttribute("aria-expanded", String(replaces));
    const field = replaces && this.input.value ? this.by : this.input;
    field.focus();
    field.select();
    this.count();
  }

  close() {
    this.element.hidden = true;
    this.grid.focus();
  }

  /** Cells with the text, row by row; only texts of regions are replaced. @returns {Place[]} */
  matches() {
    if (!this.input.value) return [];
    const pattern = patternOf(this.input.value);
    /** @type {Place[]} */
    const found = [];
    for (let row = 0; row < this.grid.table.rows.length; row++)
      for (let column = this.second.hidden ? 0 : 2; column <= this.grid.lastRegion; column++)
        if (this.grid.textAt(row, column).search(pattern) >= 0) found.push({ row, column });
    return found;
  }

  count() {
    const { length } = this.matches();
    this.status.textContent = this.input.value ? (length ? `${length} found` : "not found") : "";
  }

  /** @param {1 | -1} step */
  go(step) {
    const found = this.matches();
    if (!found.length) return this.count();
    const { row, column } = this.grid.active;
    const key = (/** @type {Place} */ place) => place.row * 1e6 + place.column;
    const here = key({ row, column });
    const next = step > 0 ? found.find((one) => key(one) > here) : found.findLast((one) => key(one) < here);
    const place = next ?? (step > 0 ? found[0] : found[found.length - 1]);
    this.grid.go(place, { focus: false });
    this.status.textContent = `${found.indexOf(place) + 1} of ${found.length}: ${this.grid.textAt(place.row, place.column)}`;
  }

  /** Replace in the active cell if it has the text, and go to the next one that has it. */
  replaceOne() {
    const { grid } = this;
    const { row, column } = grid.active;
    if (this.matches().some((one) => one.row === row && one.column === column))
      this.replace({ row: grid.table.rows[row], region: grid.regionAt(column) });
    this.go(1);
  }

  replaceAll() {
    const { length } = this.matches();
    if (!length) return this.count();
    this.replace(null);
    this.status.textContent = `replaced in ${counted(length, "cell")}; Undo takes it back`;
  }

  /** @param {Parameters<typeof replaceText>[3]} only */
  replace(only) {
    const [wanted, by] = [this.input.value, this.by.value];
    this.grid.session.apply(`replacing ${wanted}`, (data) => replaceText(data, wanted, by, only), {
      where: this.grid.active,
    });
  }

  /** @param {KeyboardEvent} event @param {() => void} work what Enter does */
  key(event, work) {
    if (isComposing(event)) return;
    if (event.key === "Enter") work();
    else if (event.key === "Escape") this.close();
    else return;
    event.preventDefault();
  }
}
