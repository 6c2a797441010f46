// Edits of cells, items, predictions and metadata: pure functions from a suite to a suite.
// An edit keeps the objects that it does not change, so keeping old suites is cheap.
import { conditionNames, regionNumbers } from "./table.js";
import { Refusal } from "./types.js";
/** @import {Suite, Item, Condition, CellText, Prediction, Region} from "./types.js" */

/** Regions with another one, in order. @param {Region[]} regions @param {Region} fresh */
export const withRegion = (regions, fresh) => {
  const next = regions.findIndex((one) => one.region_number > fresh.region_number);
  return regions.toSpliced(next < 0 ? regions.length : next, 0, fresh);
};

/** Write texts into cells. @param {Suite} data @param {CellText[]} cells @returns {Suite} */
export function setCells(data, cells) {
  const items = data.items.slice();
  const owned = new WeakSet();
  let changed = false;
  for (const { item, condition, region, text } of cells) {
    const before = items[item].conditions[condition];
    const at = before.regions.findIndex((one) => one.region_number === region);
    if (at >= 0 ? before.regions[at].content === text : text === "") continue;
    changed = true;
    if (!owned.has(items[item])) {
      items[item] = { ...items[item], conditions: items[item].conditions.slice() };
      owned.add(items[item]);
    }
    const conditions = items[item].conditions;
    if (!owned.has(conditions[condition])) {
      conditions[condition] = { ...before, regions: before.regions.slice() };
      owned.add(conditions[condition]);
    }
    const regions = conditions[condition].regions;
    if (at >= 0) regions[at] = { ...regions[at], content: text };
    else conditions[condition].regions = withRegion(regions, { region_number: region, content: text });
  }
  return changed ? { ...data, items } : data;
}

/** The regions of a sentence without text. @param {Suite} data */
export const emptyRegions = (data) => regionNumbers(data).map((number) => ({ region_number: number, content: "" }));

/**
 * The conditions of a new item: those of a neighbour, or of the suite, without text.
 * @param {Suite} data
 * @param {Item} [model]
 * @returns {Condition[]}
 */
function emptyConditions(data, model) {
  const names = model ? model.conditions.map((one) => one.condition_name) : conditionNames(data);
  return (names.length ? names : ["condition"]).map((name) => ({ condition_name: name, regions: emptyRegions(data) }));
}

/** The lowest number above all. @param {Suite} data @returns {number} */
const nextNumber = (data) =>
  data.items.reduce((most, item) => Math.max(most, Number(item.item_number) || 0), 0) + 1;

/** Insert empty items. @param {Suite} data @param {number} at @param {number} [count] @returns {Suite} */
export function insertItems(data, at, count = 1) {
  const model = data.items[Math.min(at, data.items.length) - 1] ?? data.items[0];
  const first = nextNumber(data);
  const fresh = Array.from({ length: count }, (_, offset) => ({
    item_number: first + offset,
    conditions: emptyConditions(data, model),
  }));
  return { ...data, items: data.items.toSpliced(at, 0, ...fresh) };
}

/** Insert a copy of an item below it. @param {Suite} data @param {number} at @returns {Suite} */
export function duplicateItem(data, at) {
  const copy = { ...data.items[at], item_number: nextNumber(data) };
  return { ...data, items: data.items.toSpliced(at + 1, 0, copy) };
}

/** @param {Suite} data @param {number} at @param {number} [count] @returns {Suite} */
export function deleteItems(data, at, count = 1) {
  if (count >= data.items.length) throw new Refusal("a suite needs an item: change this one instead");
  return { ...data, items: data.items.toSpliced(at, count) };
}

/** Number the items 1, 2, 3, … in order. @param {Suite} data @returns {Suite} */
export const numberItems = (data) => ({
  ...data,
  items: data.items.map((item, at) =>
    item.item_number === at + 1 ? item : { ...item, item_number: at + 1 },
  ),
});

/** @param {Suite} data @param {number} at @param {string} text @returns {Suite} */
export function setItemNumber(data, at, text) {
  if (!/^-?[0-9]{1,15}$/.test(text.trim()))
    throw new Refusal(`an item number is a whole number, not "${text}"`);
  const number = Number(text);
  if (data.items[at].item_number === number) return data;
  if (data.items.some((item, other) => other !== at && item.item_number === number))
    throw new Refusal(`there is an item ${number} already`);
  return { ...data, items: data.items.with(at, { ...data.items[at], item_number: number }) };
}

/**
 * Change keys of a prediction; undefined removes one.
 * @param {Suite} data
 * @param {number} at
 * @param {Partial<Prediction>} change
 * @returns {Suite}
 */
export function setPrediction(data, at, change) {
  const before = data.predictions[at];
  const keys = /** @type {(keyof Prediction)[]} */ (Object.keys(change));
  if (keys.every((key) => before[key] === change[key])) return data;
  const after = { ...before, ...change };
  for (const key of keys) if (change[key] === undefined) delete after[key];
  return { ...data, predictions: data.predictions.with(at, after) };
}

/** @param {Suite} data @param {number} at @param {string} [formula] @returns {Suite} */
export const insertPrediction = (data, at, formula = "") => ({
  ...data,
  predictions: data.predictions.toSpliced(at, 0, { type: "formula", formula }),
});

/** @param {Suite} data @param {number} at @returns {Suite} */
export const deletePrediction = (data, at) => ({
  ...data,
  predictions: data.predictions.toSpliced(at, 1),
});

/**
 * Change a key of the metadata; undefined removes it.
 * @param {Suite} data
 * @param {string} key
 * @param {unknown} value
 * @returns {Suite}
 */
export function setMeta(data, key, value) {
  if (JSON.stringify(data.meta[key]) === JSON.stringify(value)) return data;
  const meta = { ...data.meta, [key]: value };
  if (value === undefined) delete meta[key];
  return { ...data, meta };
}
