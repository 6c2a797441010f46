// The menu of items, conditions and regions at the active cell.
import { announce, el, isolated, labelled } from "../dom.js";
import { askText, tell } from "../dialogs.js";
import { deleteItems, duplicateItem, insertItems, numberItems } from "../suite/edits.js";
import {
  addCondition,
  deleteCondition,
  deleteRegion,
  insertRegion,
  renameCondition,
  renameRegion,
} from "../suite/structure.js";
import { conditionAt, conditionNames, regionName } from "../suite/table.js";
import { Refusal } from "../suite/types.js";
/** @import {Grid} from "./grid.js" */
/** @import {Suite} from "../suite/types.js" */

/**
 * Make an edit of the structure, or say why not.
 * @param {Grid} grid
 * @param {string} label
 * @param {(data: Suite) => Suite} edit
 * @param {{row?: number, column?: number}} [to]
 */
export function structural(grid, label, edit, to = {}) {
  try {
    grid.session.apply(label, edit, { where: grid.active });
    grid.go({ ...grid.active, ...to });
    announce(label);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    void tell("This cannot be done", error.message).then(() => grid.focus());
  }
}

/** @param {Grid} grid @returns {{label: string, run: () => void, isOff?: string}[]} */
export function entries(grid) {
  const data = grid.session.data;
  const { rows, columns, firstOf } = grid.table;
  const { row, column } = grid.active;
  const place = rows[Math.max(0, row)];
  const { top, bottom } = grid.block;
  const first = rows[Math.max(0, top)]?.item ?? 0;
  const last = rows[Math.max(0, bottom)]?.item ?? 0;
  const count = last - first + 1;
  const which = count > 1 ? `${count} items` : `item ${data.items[first]?.item_number}`;
  const condition = place ? conditionAt(data, place).condition_name : "";
  const region = grid.regionAt(column);
  const named = region
    ? `region ${region}${regionName(data, region) ? ` “${isolated(regionName(data, region))}”` : ""}`
    : "";
  const noItem = place ? undefined : "there are no items";
  const noRegion = region ? undefined : "select a cell of a region first";
  const rowOf = (/** @type {number} */ item) => firstOf[Math.min(item, firstOf.length - 1)] ?? 0;
  const do_ = (/** @type {string} */ label, /** @type {(data: Suite) => Suite} */ edit, to = {}) =>
    structural(grid, label, edit, to);
  const end = firstOf[last + 1] ?? rows.length;
  return [
    {
      label: "Insert an item below",
      run: () =>
        do_("item inserted", (one) => insertItems(one, place ? last + 1 : 0), {
          row: place ? end : 0,
          column: Math.max(2, column),
        }),
    },
    {
      label: `Duplicate ${data.items[first] ? `item ${data.items[first].item_number}` : "the item"}`,
      run: () => do_("item duplicated", (one) => duplicateItem(one, first), { row: rowOf(first) }),
      isOff: noItem,
    },
    {
      label: `Delete ${place ? which : "the item"}`,
      run: () => do_(`${which} deleted`, (one) => deleteItems(one, first, count), { row: rowOf(first) }),
      isOff: noItem,
    },
    { label: "Number the items 1, 2, 3, …", run: () => do_("items numbered", numberItems), isOff: noItem },
    { label: "Add a condition …", run: () => void addTo(grid, condition), isOff: noItem },
    { label: `Rename condition ${isolated(condition)} …`, run: () => void rename(grid, condition), isOff: noItem },
    {
      label: `Delete condition ${isolated(condition)}`,
      run: () =>
        do_(`condition ${condition} deleted from every item`, (one) => deleteCondition(one, condition)),
      isOff: noItem,
    },
    {
      label: `Insert a region before ${named || "this one"}`,
      run: () => void newRegion(grid, region),
      isOff: noRegion,
    },
    { label: "Add a region at the end", run: () => void newRegion(grid, (columns.at(-1) ?? 0) + 1) },
    {
      label: `Rename ${named || "the region"} …`,
      run: () => void renameColumn(grid, region),
      isOff: noRegion,
    },
    {
      label: `Delete ${named || "the region"}`,
      run: () => do_(`${named} deleted`, (one) => deleteRegion(one, region)),
      isOff: noRegion,
    },
  ];
}

/** @param {Grid} grid @param {string} condition */
async function rename(grid, condition) {
  const name = await askText(`Rename condition ${isolated(condition)}`, "name", {
    value: condition,
    help: "It is renamed in every item and every formula.",
    ok: "Rename",
  });
  if (name !== null)
    structural(grid, `condition ${condition} renamed`, (data) => renameCondition(data, condition, name));
}

/** @param {Grid} grid @param {number} region */
async function renameColumn(grid, region) {
  const name = await askText(`Rename region ${region}`, "name", {
    value: regionName(grid.session.data, region),
    ok: "Rename",
  });
  if (name !== null) structural(grid, `region ${region} renamed`, (data) => renameRegion(data, region, name));
}

/** @param {Grid} grid @param {number} number */
async function newRegion(grid, number) {
  const name = await askText(`Insert region ${number}`, "name", {
    help: "Formulas are adjusted to the new numbers.",
    ok: "Insert",
  });
  if (name === null) return;
  structural(grid, `region ${number} inserted`, (data) => insertRegion(data, number, name), {
    column: grid.table.columns.filter((one) => one < number).length + 2,
  });
}

/** @param {Grid} grid @param {string} condition */
async function addTo(grid, condition) {
  const copies = el("input", { type: "checkbox", checked: true });
  const after = el(
    "select",
    {},
    ...conditionNames(grid.session.data).map((name) => el("option", { selected: name === condition }, name)),
  );
  const name = await askText("Add a condition to every item", "name", {
    help: "Letters, digits, _ and -.",
    ok: "Add",
    extra: [labelled("after", after), el("label", { class: "check" }, copies, " begin with its texts")],
  });
  if (name === null) return;
  structural(grid, `condition ${name} added`, (data) =>
    addCondition(data, name, after.value, copies.checked),
  );
}
