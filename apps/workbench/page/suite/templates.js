// Templates of new suites, each with one item that shows what is meant.
import { isBlank, isEmpty } from "./table.js";
/** @import {Suite} from "./types.js" */

/**
 * Name -> conditions, regions, formulas, and the texts of one item: a condition a line, `|` between regions.
 * @type {Record<string, {conditions: string, regions: string, formulas: string[], example: string[]}>}
 */
export const TEMPLATES = {
  "Agreement: two conditions": {
    conditions: "match, mismatch",
    regions: "Subject, Verb, Rest",
    formulas: ["(2;%match%) < (2;%mismatch%)"],
    example: [
      "The author|laughs|often.",
      "The author|laugh|often.",
    ],
  },
  "Agreement with an attractor": {
    conditions: "sg_match, sg_mismatch, pl_match, pl_mismatch",
    regions: "Subject, Attractor, Verb, Rest",
    formulas: ["((3;%sg_match%) < (3;%sg_mismatch%)) & ((3;%pl_match%) < (3;%pl_mismatch%))"],
    example: [
      "The author|near the guards|laughs|often.",
      "The author|near the guards|laugh|often.",
      "The authors|near the guard|laugh|often.",
      "The authors|near the guard|laughs|often.",
    ],
  },
  "Two by two: licensing": {
    conditions: "pos_pos, pos_neg, neg_pos, neg_neg",
    regions: "Subject, Modifier, Auxiliary, Item, Rest",
    formulas: ["((4;%neg_pos%) < (4;%pos_pos%)) & ((4;%neg_neg%) < (4;%pos_neg%))"],
    example: [
      "The author|that the guards like|has|ever|laughed.",
      "The author|that no guards like|has|ever|laughed.",
      "No author|that the guards like|has|ever|laughed.",
      "No author|that no guards like|has|ever|laughed.",
    ],
  },
  "Filler and gap": {
    conditions: "relative_filled, complement_filled, relative_gap, complement_gap",
    regions: "Head, Complementizer, Subject, Verb, Object, Rest",
    formulas: ["(5;%relative_filled%) > (5;%complement_filled%)", "(6;%relative_gap%) < (6;%complement_gap%)"],
    example: [
      "The author|that|the guards|like|the pilot|laughs.",
      "The author|said that|the guards|like|the pilot|often.",
      "The author|that|the guards|like||laughs.",
      "The author|said that|the guards|like||laughs.",
    ],
  },
  "Garden path": {
    conditions: "ambig_comma, ambig_nocomma, unambig_comma, unambig_nocomma",
    regions: "Start, Verb, Object, Disambiguator, Rest",
    formulas: [
      "((4;%ambig_nocomma%) > (4;%ambig_comma%)) & ((4;%ambig_nocomma%) > (4;%unambig_nocomma%)) & (((4;%ambig_nocomma%) - (4;%ambig_comma%)) > ((4;%unambig_nocomma%) - (4;%unambig_comma%)))",
    ],
    example: [
      "While the author|watched,|the guard|laughed|often.",
      "While the author|watched|the guard|laughed|often.",
      "While the author|slept,|the guard|laughed|often.",
      "While the author|slept|the guard|laughed|often.",
    ],
  },
  Empty: { conditions: "a, b", regions: "One, Two", formulas: [], example: [] },
};

export const listed = (/** @type {string} */ text) =>
  text
    .split(",")
    .map((one) => one.trim())
    .filter(Boolean);

/**
 * Formulas of a template for a suite with other regions: each reference follows the name of its
 * region. What refers to a condition or a region that the suite lacks is left out.
 * @param {keyof typeof TEMPLATES} template
 * @param {string[]} conditions
 * @param {string[]} regions
 */
export function formulasFor(template, conditions, regions) {
  const own = TEMPLATES[template];
  const names = listed(own.regions);
  if (!listed(own.conditions).every((one) => conditions.includes(one))) return [];
  const numberOf = (/** @type {string} */ old) => regions.indexOf(names[Number(old) - 1]) + 1;
  return own.formulas
    .map((formula) => formula.replace(/\((\d+);/g, (_, old) => `(${numberOf(old)};`))
    .filter((formula) => !formula.includes("(0;"));
}

/**
 * The texts of an item for each condition of a template, if the suite has its conditions and regions.
 * @param {keyof typeof TEMPLATES} template
 * @param {string[]} conditions
 * @param {string[]} regions
 * @returns {string[][]}
 */
export function exampleFor(template, conditions, regions) {
  const { conditions: names, regions: columns, example } = TEMPLATES[template];
  const isSame = names === conditions.join(", ") && columns === regions.join(", ");
  return isSame ? example.map((line) => line.split("|")) : [];
}

/**
 * A suite whose first item has texts, if there are any.
 * @param {string} name
 * @param {string[]} conditions
 * @param {string[]} regions
 * @param {number} items
 * @param {string[]} formulas
 * @param {string[][]} texts of each condition of the first item
 * @returns {Suite}
 */
export const newSuiteOf = (name, conditions, regions, items, formulas, texts) => ({
  meta: { name, metric: "sum" },
  region_meta: Object.fromEntries(regions.map((region, at) => [String(at + 1), region])),
  predictions: formulas.map((formula) => ({ type: "formula", formula })),
  items: Array.from({ length: items }, (_, at) => ({
    item_number: at + 1,
    conditions: conditions.map((condition, row) => ({
      condition_name: condition,
      regions: regions.map((_region, place) => ({ region_number: place + 1, content: (at === 0 && texts[row]?.[place]) || "" })),
    })),
  })),
});

const EXAMPLES = new Set(Object.values(TEMPLATES).map(({ example }) => example.join("\n")).filter(Boolean));

/**
 * The items with a row that is not written yet, by position. An item that the file had has an empty
 * row by mistake, which is for the check to say.
 * @param {Suite} data
 * @param {Set<number>} given numbers of the items that the file had
 */
export const unfinished = ({ items }, given) =>
  new Set(
    [...items.keys()].filter((at) => !given.has(items[at].item_number) && items[at].conditions.some((one) => isEmpty(one))),
  );

/**
 * A suite without the items that nobody has begun, or also without those that are not finished.
 * @param {Suite} data
 * @param {Set<number>} given
 * @param {boolean} [isWhole]
 * @returns {Suite}
 */
export function written(data, given, isWhole = false) {
  const left = unfinished(data, given);
  const items = data.items.filter(
    ({ conditions }, at) => !left.has(at) || !(isWhole || conditions.every(isEmpty)),
  );
  return items.length && items.length < data.items.length ? { ...data, items } : data;
}

/** True as long as all cells are empty, except for the first item of a template. @param {Suite} data */
export function isUnwritten(data) {
  if (isBlank(data)) return true;
  const [first, ...others] = data.items;
  const lines = (first?.conditions ?? []).map(({ regions }) => regions.map(({ content }) => content).join("|"));
  return EXAMPLES.has(lines.join("\n")) && (!others.length || isBlank({ ...data, items: others }));
}
