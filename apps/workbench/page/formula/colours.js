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
