// A comparison as menus: one region, two conditions, less or more surprising. The formula and the menus
// say the same; a formula that compares anything else has no menus.
import { el, fill } from "../dom.js";
import { isSameName } from "../suite/names.js";
/** @import {Names} from "./completion.js" */

const SIMPLE = /^\s*\(\s*(\d+|\*)\s*;%\s*([^%]*?)\s*%\s*\)\s*([<>])\s*\(\s*(\d+|\*)\s*;%\s*([^%]*?)\s*%\s*\)\s*$/;
/** @typedef {{region: string, first: string, relation: string, second: string}} Comparison */

/** The comparison that a formula is; null if it is another formula. @param {string} formula @returns {Comparison | null} */
export function comparisonOf(formula) {
  const match = SIMPLE.exec(formula);
  if (!match || match[1] !== match[4]) return null;
  return { region: match[1], first: match[2], relation: match[3], second: match[5] };
}

/** @param {Comparison} comparison */
export const formulaOf = ({ region, first, relation, second }) =>
  `(${region};%${first}%) ${relation} (${region};%${second}%)`;

export class ComparisonMenus {
  /** @param {string} label @param {(formula: string) => void} changed */
  constructor(label, changed) {
    const menu = (/** @type {string} */ text) =>
      el("select", {
        "aria-label": `${text} of ${label}`,
        onchange: () => {
          const { region, first, relation, second } = this;
          const parts = [region, first, relation, second].map(({ value }) => value);
          if (parts.every(Boolean))
            changed(formulaOf({ region: parts[0], first: parts[1], relation: parts[2], second: parts[3] }));
        },
      });
    this.region = menu("region");
    this.first = menu("condition");
    this.relation = menu("comparison");
    this.second = menu("other condition");
    this.shown = "";
    this.element = el(
      "div",
      { class: "menus" },
      this.region,
      el("span", {}, "in"),
      this.first,
      el("span", {}, "is"),
      this.relation,
      el("span", {}, "surprising than in"),
      this.second,
    );
  }

  /** @param {string} formula @param {Names} names @param {string} key of all names */
  show(formula, names, key) {
    if (this.shown === formula + key) return;
    this.shown = formula + key;
    const comparison = comparisonOf(formula);
    const known = (/** @type {string} */ name) => names.conditions.find((one) => isSameName(one, name)) ?? "";
    const isKnown =
      comparison &&
      (comparison.region === "*" || names.regions.some(({ number }) => String(number) === comparison.region)) &&
      known(comparison.first) &&
      known(comparison.second);
    this.element.hidden = !isKnown && formula.trim() !== "";
    if (this.element.hidden) return;
    const regions = names.regions.map(({ number, name }) => [String(number), name || `region ${number}`]);
    const conditions = names.conditions.map((name) => [name, name]);
    choices(this.region, [...regions, ["*", "the whole sentence"]], comparison?.region, "region …");
    choices(this.first, conditions, comparison && known(comparison.first), "condition …");
    choices(this.relation, [["<", "less"], [">", "more"]], comparison?.relation, "less or more …");
    choices(this.second, conditions, comparison && known(comparison.second), "condition …");
  }
}

/**
 * @param {HTMLSelectElement} menu @param {string[][]} all
 * @param {string | null | undefined} chosen @param {string} empty
 */
function choices(menu, all, chosen, empty) {
  const before = menu.value;
  const first = chosen ? [] : [["", empty]];
  fill(menu, ...[...first, ...all].map(([value, text]) => el("option", { value }, text)));
  menu.value = chosen || (all.some(([value]) => value === before) ? before : "");
}
