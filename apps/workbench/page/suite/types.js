// The shapes that are passed on. Suites keep keys that are not named here: nothing is lost.
/**
 * @typedef {{region_number: number, content: string, [key: string]: unknown}} Region
 * @typedef {{condition_name: string, regions: Region[], [key: string]: unknown}} Condition
 * @typedef {{item_number: number, conditions: Condition[], [key: string]: unknown}} Item
 * @typedef {{type: string, formula: string, description?: string, [key: string]: unknown}} Prediction
 * @typedef {{name: string, metric: string, [key: string]: unknown}} Meta
 * @typedef {{meta: Meta, region_meta: Record<string, string>, predictions: Prediction[], items: Item[], [key: string]: unknown}} Suite
 *
 * @typedef {{item: number, condition: number}} Row an item and one of its conditions, by position
 * @typedef {{item: number, condition: number, region: number, text: string}} CellText
 *
 * @typedef {{pointer: string, start: number | null, end: number | null, text: string}} Label
 * @typedef {{safe: boolean, id: string}} Fix
 * @typedef {object} Finding
 * @property {string} code
 * @property {string} name
 * @property {"error" | "warning" | "notice" | "related"} severity
 * @property {string} message
 * @property {string} pointer
 * @property {number | null} start offsets in the string at `pointer`
 * @property {number | null} end
 * @property {Label[]} labels
 * @property {string[]} notes
 * @property {string} suggestion
 * @property {Fix | null} fix
 */

/** An edit that cannot be made, with the reason. */
export class Refusal extends Error {}
