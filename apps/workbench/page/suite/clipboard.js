// Blocks of cells as text: what spreadsheets write to the clipboard and read from it.

/**
 * Rows of cells as tab-separated text; a cell with a tab, a line break or a quote at its start is quoted.
 * @param {string[][]} rows
 * @returns {string}
 */
export const toTSV = (rows) => rows.map((row) => row.map(quoted).join("\t")).join("\n");

const quoted = (/** @type {string} */ text) =>
  /[\t\n\r]|^"/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

/**
 * Rows of cells from tab-separated text, as spreadsheets write it: a cell that begins with a quote
 * ends with one, and has tabs, line breaks and doubled quotes inside. A quote that is never closed
 * is a character like others.
 * @param {string} text
 * @returns {string[][]}
 */
export function fromTSV(text) {
  const source = text.replace(/\r\n?/g, "\n");
  /** @type {string[][]} */
  const rows = [[]];
  let at = 0;
  while (at <= source.length) {
    const [cell, end] = cellAt(source, at);
    rows[rows.length - 1].push(cell);
    if (end >= source.length) break;
    // A line break at the very end ends the last row; it begins no other.
    if (source[end] === "\n") {
      if (end + 1 === source.length) break;
      rows.push([]);
    }
    at = end + 1;
  }
  return rows;
}

/**
 * The cell that begins at a place, and where it ends.
 * @param {string} source
 * @param {number} start
 * @returns {[string, number]}
 */
function cellAt(source, start) {
  if (source[start] === '"') {
    const whole = /"((?:[^"]|"")*)"(?=[\t\n]|$)/y;
    whole.lastIndex = start;
    const match = whole.exec(source);
    if (match) return [match[1].replaceAll('""', '"'), whole.lastIndex];
  }
  const plain = /[^\t\n]*/y;
  plain.lastIndex = start;
  plain.exec(source);
  return [source.slice(start, plain.lastIndex), plain.lastIndex];
}

/** Text that a cell can hold: line breaks and tabs become spaces. @param {string} text @returns {string} */
export const oneLine = (text) => text.replace(/[\r\n\t]+/g, " ");
