// A suite as a table: a row for each sentence (item and condition), a column for each region.
import { normalName } from "./names.js";
/** @import {Suite, Row, Region, Condition} from "./types.js" */

/**
 * @typedef {object} Table
 * @property {Row[]} rows
 * @property {number[]} columns region numbers, in order
 * @property {number[]} firstOf item -> its first row
 */

/** @type {WeakMap<Suite, Table>} */
const known = new WeakMap();

/** Why data cannot be shown as a table; empty if it can. @param {unknown} data @returns {string} */
export function obstacle(data) {
  const suite = /** @type {any} */ (data);
  const isObject = (/** @type {unknown} */ one) =>
    typeof one === "object" && one !== null && !Array.isArray(one);
  if (!isObject(suite)) return "the file is not an object";
  if (!isObject(suite.meta)) return "`meta` is missing or not an object";
  if (!isObject(suite.region_meta)) return "`region_meta` is missing or not an object";
  if (!Array.isArray(suite.predictions)) return "`predictions` is missing or not a list";
  if (!Array.isArray(suite.items)) return "`items` is missing or not a list";
  const badPrediction = suite.predictions.findIndex(
    (/** @type {any} */ one) => typeof one?.formula !== "string",
  );
  if (badPrediction >= 0) return `prediction ${badPrediction + 1} has no \`formula\``;
  for (const [number, item] of suite.items.entries()) {
    if (!Array.isArray(item?.conditions)) return `\`conditions\` of item ${number + 1} is not a list`;
    for (const condition of item.conditions) {
      if (typeof condition?.condition_name !== "string" || !Array.isArray(condition.regions))
        return `a condition of item ${number + 1} has no name or no regions`;
      for (const region of condition.regions)
        if (!Number.isInteger(region?.region_number) || typeof region.content !== "string")
          return `a region of item ${number + 1} has no number or no content`;
    }
  }
  return "";
}

/** The table of a suite; the same one for the same data. @param {Suite} data @returns {Table} */
export function tableOf(data) {
  let table = known.get(data);
  if (!table) {
    table = { rows: [], columns: regionNumbers(data), firstOf: [] };
    for (const [item, { conditions }] of data.items.entries()) {
      table.firstOf.push(table.rows.length);
      for (let condition = 0; condition < conditions.length; condition++)
        table.rows.push({ item, condition });
    }
    known.set(data, table);
  }
  return table;
}

/** Declared region numbers, and those that sentences use. @param {Suite} data @returns {number[]} */
export function regionNumbers(data) {
  const numbers = new Set(
    Object.keys(data.region_meta)
      .filter((key) => /^[0-9]+$/.test(key))
      .map(Number),
  );
  for (const item of data.items)
    for (const condition of item.conditions)
      for (const region of condition.regions) numbers.add(region.region_number);
  return [...numbers].sort((a, b) => a - b);
}

/** @param {Suite} data @param {Row} row @returns {Condition} */
export const conditionAt = (data, row) => data.items[row.item].conditions[row.condition];

/**
 * The region of a number; undefined if the sentence has none.
 * @param {Condition} condition
 * @param {number} number
 * @returns {Region | undefined}
 */
export const regionOf = (condition, number) => {
  // Nearly always region n is the n-th.
  const guess = condition.regions[number - 1];
  return guess?.region_number === number
    ? guess
    : condition.regions.find((one) => one.region_number === number);
};

/** The text of a cell. @param {Suite} data @param {Row} row @param {number} number @returns {string} */
export const textAt = (data, row, number) => regionOf(conditionAt(data, row), number)?.content ?? "";

/** True if no sentence has any text. @param {Suite} data */
export const isBlank = ({ items }) =>
  items.length > 0 &&
  items.every(({ conditions }) => conditions.every(isEmpty));

/** True if a sentence has regions and no text. @param {Condition} condition */
export const isEmpty = ({ regions }) => regions.length > 0 && regions.every(({ content }) => content === "");

/** Names of conditions, in order of first appearance. @param {Suite} data @returns {string[]} */
export function conditionNames(data) {
  /** @type {Map<string, string>} */
  const names = new Map();
  for (const { conditions } of data.items)
    for (const { condition_name: name } of conditions)
      if (!names.has(normalName(name))) names.set(normalName(name), name);
  return [...names.values()];
}

/**
 * The name of a region, or an empty string.
 * @param {Suite} data
 * @param {number} number
 * @returns {string}
 */
export const regionName = (data, number) => String(data.region_meta[number] ?? "");

/**
 * The row of a condition of an item.
 * @param {Table} table
 * @param {number} item
 * @param {number} condition
 * @returns {number}
 */
export const rowAt = (table, item, condition) => table.firstOf[item] + condition;

/** Reference tokens of an RFC 6901 pointer. @param {string} pointer @returns {string[]} */
export const pointerParts = (pointer) =>
  pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
