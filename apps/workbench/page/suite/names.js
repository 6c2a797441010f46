// Names of conditions: letters, marks and digits of any script, the joiners of Persian and Indic words, `_` and
// `-`; compared in NFC, as Python does.

/** The characters of a name, inside the brackets of a pattern. */
export const CHARACTERS = String.raw`\p{L}\p{M}\p{Nd}\u200c\u200d_\-`;
const NAME = new RegExp(`^[${CHARACTERS}]+$`, "u");

/** True if a formula can refer to a condition of this name. @param {string} text */
export const isName = (text) => NAME.test(text);

/** A name in the form in which names are compared. @param {string} name */
export const normalName = (name) => name.normalize("NFC");

/** True if two names are the same. @param {string} left @param {string} [right] */
export const isSameName = (left, right) => right !== undefined && normalName(left) === normalName(right);
