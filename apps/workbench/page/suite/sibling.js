// A suite that is made of rows pasted into another one.
import { normalName } from "./names.js";
import { conditionNames } from "./table.js";
/** @import {Begin} from "../table_dialog.js" */
/** @import {Suite} from "./types.js" */

/** A name like another one that no suite has. @param {string} name @param {string[]} taken */
export function freeName(name, taken) {
  const stem = name.replace(/_\d+$/, "");
  let number = 2;
  while (taken.includes(`${stem}_${number}`)) number++;
  return `${stem}_${number}`;
}

/** @param {Suite} data */
const designOf = (data) => JSON.stringify([conditionNames(data).map(normalName).sort(), data.region_meta]);

/**
 * Begin a suite under another name, with the predictions of an open one if it has the same design.
 * @param {Suite} open @param {string} name @param {Begin} begin @returns {Begin}
 */
export const asSibling = (open, name, begin) => (data, notes, again) => {
  const isSame = designOf(open) === designOf(data);
  const { predictions, meta: { metric } } = isSame ? open : data;
  const why = isSame || !open.predictions.length ? "" : `, since its conditions or regions are not those of ${open.meta.name}`;
  const none = `it has no predictions yet${why}: \`Add a prediction\` is below the table`;
  const said = predictions.length ? `it has the predictions of ${open.meta.name}, and its metric` : none;
  const next = again && ((/** @type {Begin} */ other) => again(asSibling(open, name, other)));
  begin({ ...data, predictions, meta: { ...data.meta, name, metric } }, [...notes, said], next);
};
