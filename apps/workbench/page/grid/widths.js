// How wide the columns are: as their longest text, within bounds.
import { regionName } from "../suite/table.js";
/** @import {Suite} from "../suite/types.js" */
/** @import {Table} from "../suite/table.js" */

const [LEAST, MOST, LONGEST] = [7, 30, 200];

/** The value of grid-template-columns. @param {Suite} data @param {Table} table @returns {string} */
export function widthsOf(data, table) {
  const at = new Map(table.columns.map((number, column) => [number, column]));
  const widths = table.columns.map((number) => String(number).length + 2 + regionName(data, number).length);
  let [condition, sentence] = [9, 20];
  for (const item of data.items) {
    for (const one of item.conditions) {
      condition = Math.max(condition, one.condition_name.length);
      let length = 0;
      for (const region of one.regions) {
        const column = /** @type {number} */ (at.get(region.region_number));
        if (region.content.length > widths[column]) widths[column] = region.content.length;
        length += region.content.length + 1;
      }
      sentence = Math.max(sentence, length);
    }
  }
  const bounded = (/** @type {number} */ width, most = MOST) =>
    `${Math.max(LEAST, Math.min(most, width + 2))}ch`;
  const first = `var(--item-column) min(${bounded(condition, 24)}, var(--condition-column))`;
  return `${first} ${widths.map((width) => bounded(width)).join(" ")} minmax(${bounded(sentence, LONGEST)}, 1fr)`;
}
