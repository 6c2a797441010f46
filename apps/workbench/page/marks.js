// Squiggles: the parts of a text that findings are about.
import { el } from "./dom.js";
/** @import {Finding} from "./suite/types.js" */

/**
 * A part of a text and the classes it is shown with.
 * @typedef {{start: number, end: number, kind: string}} Mark
 */

const ORDER = ["error", "warning", "notice", "related"];

/** The worst severity; empty without findings. @param {readonly {severity: string}[]} findings */
export const worst = (findings) =>
  ORDER.find((one) => findings.some(({ severity }) => severity === one)) ?? "";

/**
 * Where findings squiggle in a text: all of it, if they do not say.
 * @param {string} text
 * @param {readonly Finding[]} findings
 * @returns {Mark[]}
 */
export function squiggles(text, findings) {
  return findings.map(({ start, end, severity }) => {
    const [from, to] = start === null || end === null ? [0, text.length] : [start, end];
    // A place between two characters, or behind the last, is shown at the one before.
    const begin = from === to ? Math.max(0, Math.min(from, text.length) - 1) : from;
    return { start: begin, end: Math.max(to, begin + 1), kind: `squiggle ${severity}` };
  });
}

/**
 * A text as spans, cut where marks begin and end.
 * @param {string} text
 * @param {readonly Mark[]} marks
 * @returns {Node[]}
 */
export function marked(text, marks) {
  const cuts = new Set([0, text.length]);
  for (const { start, end } of marks)
    for (const at of [start, end]) if (at > 0 && at < text.length) cuts.add(at);
  const places = [...cuts].sort((a, b) => a - b);
  const nodes = [];
  for (let at = 0; at + 1 < places.length; at++) {
    const [start, end] = [places[at], places[at + 1]];
    const kinds = marks.filter((mark) => mark.start < end && start < mark.end).map((mark) => mark.kind);
    const part = text.slice(start, end);
    nodes.push(
      kinds.length
        ? el("span", { class: [...new Set(kinds.join(" ").split(" "))].join(" ") }, part)
        : document.createTextNode(part),
    );
  }
  return nodes;
}
