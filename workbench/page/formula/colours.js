// How the parts of a formula are shown, whether it can be read or not.
/** @import {Mark} from "../marks.js" */

const PARTS =
  /(\([ \t\r\n]*)([0-9]+|\*)([ \t\r\n]*;%?[ \t\r\n]*)([-\p{L}\p{M}\p{Nd}\u200c\u200d_]*)([ \t\r\n]*%?[ \t\r\n]*\)?)|([0-9]+\.?[0-9]*(?:[eE][+-]?[0-9]+)?|\.[0-9]+)|([<>=])|([&|])|([-+])|([()[\]])/gu;
const KINDS = [
  "",
  "quiet",
  "region",
  "quiet",
  "condition",
  "quiet",
  "literal",
  "comparison",
  "logic",
  "sign",
  "bracket",
];

/** @param {string} source @returns {Mark[]} */
export function colours(source) {
  /** @type {Mark[]} */
  const marks = [];
  for (const match of source.matchAll(PARTS)) {
    let at = match.index;
    for (let group = 1; group < KINDS.length; group++) {
      const part = match[group];
      if (!part) continue;
      marks.push({ start: at, end: at + part.length, kind: KINDS[group] });
      at += part.length;
    }
  }
  return marks;
}

/**
 * The two brackets of the pair that the caret is beside.
 * @param {string} source
 * @param {number} caret
 * @returns {Mark[]}
 */
export function matching(source, caret) {
  for (const at of [caret - 1, caret]) {
    const partner = partnerOf(source, at);
    if (partner >= 0) return [at, partner].map((place) => ({ start: place, end: place + 1, kind: "match" }));
  }
  return [];
}

/** @param {string} source @param {number} at @returns {number} */
function partnerOf(source, at) {
  const one = source[at];
  if (!one || !"()[]".includes(one)) return -1;
  const step = "([".includes(one) ? 1 : -1;
  let depth = 0;
  for (let place = at; place >= 0 && place < source.length; place += step) {
    if ("([".includes(source[place])) depth += step;
    else if (")]".includes(source[place])) depth -= step;
    if (depth === 0) return place;
  }
  return -1;
}
