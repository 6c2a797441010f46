// Proposals for a place in a formula: regions after `(`, conditions after `;%`.

import { CHARACTERS, normalName } from "../suite/names.js";

/** The text before and after the caret in the name of a condition. */
const BEFORE = new RegExp(`;[ \\t]*%[ \\t]*([${CHARACTERS}]*)$`, "u");
const AFTER = new RegExp(`^[${CHARACTERS}]*%?\\)?`, "u");

/** @typedef {{text: string, shown: string, start: number, end: number}} Proposal */
/** @typedef {{conditions: string[], regions: {number: number, name: string}[]}} Names */

/**
 * Names that begin with a text first, then those that contain it.
 * @template T
 * @param {T[]} all
 * @param {string} typed
 * @param {(one: T) => string} textOf
 * @returns {T[]}
 */
function ranked(all, typed, textOf) {
  const wanted = normalName(typed).toLowerCase();
  const place = (/** @type {T} */ one) => normalName(textOf(one)).toLowerCase().indexOf(wanted);
  const starts = all.filter((one) => place(one) === 0);
  return [...starts, ...all.filter((one) => place(one) > 0)];
}

/**
 * Proposals for the text before the caret.
 * @param {string} source
 * @param {number} caret
 * @param {Names} names
 * @param {boolean} asked whether they were asked for by key
 * @returns {Proposal[]}
 */
export function proposals(source, caret, names, asked) {
  const before = source.slice(0, caret);
  const after = source.slice(caret);
  const condition = BEFORE.exec(before);
  if (condition) {
    const rest = AFTER.exec(after)?.[0] ?? "";
    const typed = condition[1];
    if (rest.endsWith("%)") && !asked) return [];
    return ranked(names.conditions, typed, (one) => one).map((name) => ({
      text: `${name}%)`,
      shown: name,
      start: caret - typed.length,
      end: caret + rest.length,
    }));
  }
  const region = /(^|[(<>=&|+-])([ \t]*)(\(?)([0-9]*|\*)$/.exec(before);
  // A number may be a number: regions are proposed after a parenthesis, or when asked for.
  const hasOpening = region !== null && (region[1] === "(" || region[3] === "(");
  if (!region || (!asked && !hasOpening)) return [];
  if (/^[ \t]*[0-9*;]/.test(after) && !asked) return [];
  const typed = region[4];
  const opening = hasOpening ? "" : "(";
  const all = [...names.regions, { number: 0, name: "the whole sentence" }];
  const isOpen = /^;%?/.exec(after)?.[0] ?? "";
  return ranked(all, typed, ({ number }) => (number ? String(number) : "*")).map(({ number, name }) => ({
    text: `${opening}${number || "*"};%`,
    shown: `${number || "*"}  ${name}`,
    start: caret - typed.length,
    end: caret + isOpen.length,
  }));
}
