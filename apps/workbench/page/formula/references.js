// The references to regions in the text of a formula. Whether the formula can be read, Python says.

import { normalName } from "../suite/names.js";

/** @typedef {[number, number]} Span */
/** @typedef {{region: number | null, condition: string, regionSpan: Span, conditionSpan: Span}} Reference */

const REFERENCE =
  /\([ \t\r\n]*([0-9]+|\*)[ \t\r\n]*;%[ \t\r\n]*([-\p{L}\p{M}\p{N}_.: \t]*[-\p{L}\p{M}\p{N}_.:])[ \t\r\n]*%[ \t\r\n]*\)/dgu;

/** Formulas that Python cannot read. @type {Set<string>} */
const unreadable = new Set();

/** Remember what Python says of a formula. @param {string} formula @param {boolean} isReadable */
export function remember(formula, isReadable) {
  if (isReadable) unreadable.delete(formula);
  else unreadable.add(formula);
}

/**
 * The references of a formula, from left to right; null if Python cannot read it.
 * @param {string} formula
 * @returns {Reference[] | null}
 */
export function references(formula) {
  if (unreadable.has(formula)) return null;
  return [...formula.matchAll(REFERENCE)].map((match) => {
    const { 1: regionSpan, 2: conditionSpan } = /** @type {{indices: Span[]}} */ (
      /** @type {unknown} */ (match)
    ).indices;
    const region = match[1] === "*" ? null : Number(match[1]);
    return { region, condition: normalName(match[2]), regionSpan, conditionSpan };
  });
}
