// Edits of conditions and regions: formulas that refer to them are adjusted, or the edit is refused.
import { references } from "../formula/references.js";
import { emptyRegions, withRegion } from "./edits.js";
import { isName, isSameName, normalName } from "./names.js";
import { conditionNames, regionNumbers } from "./table.js";
import { Refusal } from "./types.js";
/** @import {Suite, Item, Condition} from "./types.js" */
/** @import {Reference} from "../formula/references.js" */

const LEGAL = "the name of a condition can only contain letters, digits, _ and -";

/** @param {Suite} data @param {(condition: Condition, item: Item) => Condition} change @returns {Suite} */
function eachCondition(data, change) {
  const items = data.items.map((item) => {
    const conditions = item.conditions.map((one) => change(one, item));
    return conditions.every((one, at) => one === item.conditions[at]) ? item : { ...item, conditions };
  });
  return { ...data, items };
}

/** The references of a formula, or a refusal. @param {string} formula @param {number} at @param {string} so */
function usesIn(formula, at, so) {
  const uses = references(formula);
  if (!uses) throw new Refusal(`prediction ${at + 1} cannot be read, so it ${so}: correct it first`);
  return uses;
}

/**
 * Change references in the text of formulas; only those that contain a text.
 * @param {Suite} data
 * @param {string} has
 * @param {(reference: Reference) => [[number, number], string] | null} change
 * @returns {Suite}
 */
function eachReference(data, has, change) {
  const predictions = data.predictions.map((prediction, at) => {
    if (!normalName(prediction.formula).includes(normalName(has))) return prediction;
    const edits = usesIn(prediction.formula, at, "cannot be adjusted").map(change).filter((one) => one !== null);
    let formula = prediction.formula;
    for (const [[start, end], text] of edits.reverse())
      formula = formula.slice(0, start) + text + formula.slice(end);
    return formula === prediction.formula ? prediction : { ...prediction, formula };
  });
  return { ...data, predictions };
}

/**
 * Refuse if a formula has such a reference.
 * @param {Suite} data
 * @param {string} what
 * @param {(reference: Reference) => boolean} isUse
 */
function refuseIfUsed(data, what, isUse) {
  for (const [at, { formula }] of data.predictions.entries()) {
    if (!formula.trim()) continue;
    if (usesIn(formula, at, `may use ${what}`).some(isUse))
      throw new Refusal(`prediction ${at + 1} uses ${what}: change the formula first: ${formula}`);
  }
}

/**
 * Rename a condition in every item and every formula.
 * @param {Suite} data
 * @param {string} from
 * @param {string} to
 * @returns {Suite}
 */
export function renameCondition(data, from, to) {
  const name = to.trim();
  if (name === from) return data;
  if (!isName(name)) throw new Refusal(LEGAL);
  for (const item of data.items) {
    const others = item.conditions.filter((one) => !isSameName(one.condition_name, from));
    const hasFrom = others.length < item.conditions.length;
    if (hasFrom && others.some((one) => isSameName(one.condition_name, name)))
      throw new Refusal(`item ${item.item_number} has a condition ${name} already`);
  }
  const renamed = eachCondition(data, (one) =>
    isSameName(one.condition_name, from) ? { ...one, condition_name: name } : one,
  );
  return eachReference(renamed, from, (one) => (isSameName(one.condition, from) ? [one.conditionSpan, name] : null));
}

/**
 * Add a condition to every item.
 * @param {Suite} data
 * @param {string} given
 * @param {string} [after]
 * @param {boolean} [copies] whether it begins with the texts of `after`
 * @returns {Suite}
 */
export function addCondition(data, given, after, copies = false) {
  const name = given.trim();
  if (!isName(name)) throw new Refusal(LEGAL);
  if (conditionNames(data).some((one) => isSameName(one, name))) throw new Refusal(`there is a condition ${name} already`);
  const items = data.items.map((item) => {
    const found = item.conditions.findIndex((one) => isSameName(one.condition_name, after));
    const at = found < 0 ? item.conditions.length : found + 1;
    const regions = copies && found >= 0 ? item.conditions[found].regions : emptyRegions(data);
    const fresh = { condition_name: name, regions };
    return { ...item, conditions: item.conditions.toSpliced(at, 0, fresh) };
  });
  return { ...data, items };
}

/** Delete a condition from every item. @param {Suite} data @param {string} name @returns {Suite} */
export function deleteCondition(data, name) {
  if (conditionNames(data).length < 2)
    throw new Refusal("a suite needs a condition: rename this one instead");
  refuseIfUsed(data, `condition ${name}`, (one) => isSameName(one.condition, name));
  const items = data.items.map((item) => ({
    ...item,
    conditions: item.conditions.filter((one) => !isSameName(one.condition_name, name)),
  }));
  return { ...data, items };
}

/**
 * Insert a region before the one with a number, or after all.
 * @param {Suite} data
 * @param {number} number
 * @param {string} [name]
 * @returns {Suite}
 */
export function insertRegion(data, number, name = `Region ${number}`) {
  const shifted = shift(data, number, 1);
  const fresh = { region_number: number, content: "" };
  const inserted = eachCondition(shifted, (one) => ({ ...one, regions: withRegion(one.regions, fresh) }));
  const joined = withUnspaced(inserted, (numbers) =>
    numbers.includes(number + 1) ? [number, ...numbers] : numbers,
  );
  return { ...joined, region_meta: inOrder({ ...joined.region_meta, [number]: name }) };
}

/** Delete a region, and close the gap. @param {Suite} data @param {number} number @returns {Suite} */
export function deleteRegion(data, number) {
  if (regionNumbers(data).length < 2) throw new Refusal("a suite needs a region");
  refuseIfUsed(data, `region ${number}`, (one) => one.region === number);
  const without = eachCondition(data, (one) => ({
    ...one,
    regions: one.regions.filter((region) => region.region_number !== number),
  }));
  const meta = { ...without.region_meta };
  delete meta[number];
  const joined = withUnspaced(without, (numbers) => numbers.filter((one) => one !== number));
  return shift({ ...joined, region_meta: meta }, number + 1, -1);
}

/** @param {Suite} data @param {number} number @param {string} name @returns {Suite} */
export const renameRegion = (data, number, name) =>
  data.region_meta[number] === name
    ? data
    : { ...data, region_meta: inOrder({ ...data.region_meta, [number]: name }) };

/**
 * Change the regions before which no space is put, where they are listed.
 * @param {Suite} data
 * @param {(numbers: number[]) => number[]} change
 * @returns {Suite}
 */
function withUnspaced(data, change) {
  const { no_space_before } = data.meta;
  if (!Array.isArray(no_space_before)) return data;
  return { ...data, meta: { ...data.meta, no_space_before: change(no_space_before).sort((a, b) => a - b) } };
}

/**
 * Renumber the regions from a number on.
 * @param {Suite} data
 * @param {number} from
 * @param {number} by
 * @returns {Suite}
 */
function shift(data, from, by) {
  if (!regionNumbers(data).some((number) => number >= from)) return data;
  /** @type {Record<string, string>} */
  const meta = {};
  for (const [key, name] of Object.entries(data.region_meta))
    meta[/^[0-9]+$/.test(key) && Number(key) >= from ? String(Number(key) + by) : key] = name;
  const moved = eachCondition({ ...data, region_meta: inOrder(meta) }, (one) => ({
    ...one,
    regions: one.regions.map((region) =>
      region.region_number >= from ? { ...region, region_number: region.region_number + by } : region,
    ),
  }));
  const joined = withUnspaced(moved, (numbers) => numbers.map((one) => (one >= from ? one + by : one)));
  return eachReference(joined, "%", (one) =>
    one.region !== null && one.region >= from ? [one.regionSpan, String(one.region + by)] : null,
  );
}

/** @param {Record<string, string>} meta @returns {Record<string, string>} */
const inOrder = (meta) => Object.fromEntries(Object.entries(meta).sort(([a], [b]) => Number(a) - Number(b)));
