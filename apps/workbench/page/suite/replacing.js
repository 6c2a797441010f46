// Finding and replacing texts: capitals and small letters are found alike, and a capital stays one.
import { setCells } from "./edits.js";
import { conditionAt, tableOf } from "./table.js";
/** @import {CellText, Row, Suite} from "./types.js" */

/** A pattern that finds a text literally. @param {string} wanted */
export const patternOf = (wanted) => new RegExp(wanted.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"), "giu");

/** The replacement of a match: "a" for "the", and "A" for "The". @param {string} wanted @param {string} by @param {string} match */
function replacement(wanted, by, match) {
  const isRaised = match[0] !== wanted[0] && match[0] === wanted[0].toUpperCase();
  return isRaised ? by.slice(0, 1).toUpperCase() + by.slice(1) : by;
}

/**
 * Replace a text in one cell, or in all cells; one edit.
 * @param {Suite} data
 * @param {string} wanted
 * @param {string} by
 * @param {{row: Row, region: number} | null} [only] one cell
 * @returns {Suite}
 */
export function replaceText(data, wanted, by, only = null) {
  if (!wanted) return data;
  const pattern = patternOf(wanted);
  /** @type {CellText[]} */
  const cells = [];
  for (const row of only ? [only.row] : tableOf(data).rows)
    for (const { region_number: region, content } of conditionAt(data, row).regions) {
      const text = content.replace(pattern, (match) => replacement(wanted, by, match));
      if (text !== content && (!only || only.region === region)) cells.push({ ...row, region, text });
    }
  return setCells(data, cells);
}
