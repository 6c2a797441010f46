// From the regions of a condition to the sentence a model reads, as validator/formats/suites/suite.py.

/**
 * Joining rule -> what is put between regions, whether their leading space is removed, and
 * characters before which space is removed.
 * @type {Record<string, {space: string, strips: boolean, tight: string}>}
 */
export const JOINS = {
  core: { space: " ", strips: true, tight: "" },
  hf: { space: " ", strips: true, tight: ".," },
  brainscore: { space: " ", strips: false, tight: ".,!?;:" },
  none: { space: "", strips: false, tight: "" },
};

/** Joining rule -> what it is, in words. @type {Record<string, string>} */
export const JOIN_WORDS = {
  core: "one space between regions (core, SyntaxGym's own)",
  hf: "the same, but no space before . and , (hf, SyntaxGym on Hugging Face)",
  brainscore: "no space before . , ! ? ; : and spaces in regions as they are (brainscore)",
  none: "nothing between regions (none, for scripts without spaces)",
};

// Characters that Python's str.strip() removes; JavaScript's trim() leaves some, and removes U+FEFF.
const BLANK = /^[\s\x1c-\x1f\x85]*$/;
const isBlank = (/** @type {string} */ text) => BLANK.test(text) && !text.includes("\ufeff");
const isSpace = (/** @type {string} */ one) => /[\s\x1c-\x1f\x85]/.test(one) && one !== "\ufeff";

/**
 * True unless `no_space_before` of meta contains a region.
 * @param {number} region
 * @param {unknown} unspaced
 */
export const isSpaced = (region, unspaced) =>
  unspaced !== "all" && !(Array.isArray(unspaced) && unspaced.includes(region));

/**
 * The sentence, and where each region is in it.
 * @param {string[]} contents
 * @param {string} [join]
 * @param {boolean[]} [spaced] whether each region is joined by the rule, and not by nothing
 * @returns {{text: string, spans: [number, number][]}}
 */
export function joinRegions(contents, join = "core", spaced = []) {
  /** @type {[number, number][]} */
  const spans = [];
  let text = "";
  const { space, strips, tight } = JOINS[join];
  let gap = "";
  for (const [at, content] of contents.entries()) {
    const separates = space !== "" && (spaced[at] ?? true);
    if (separates) gap = space;
    if (separates ? isBlank(content) : !content) {
      spans.push([text.length, text.length]);
      continue;
    }
    const own = strips && separates ? content.replace(/^[ \t\n\r\x0b\x0c]+/, "") : content;
    if (text) text += gap;
    gap = "";
    spans.push([text.length, text.length + own.length]);
    text += own;
  }
  return tight ? tightened(text, spans, tight) : { text, spans };
}

/**
 * Remove the space before some characters.
 * @param {string} text
 * @param {[number, number][]} spans
 * @param {string} tight
 */
function tightened(text, spans, tight) {
  const letters = text.split("");
  const kept = letters.map(() => true);
  letters.forEach((letter, at) => {
    if (!tight.includes(letter)) return;
    for (let before = at - 1; before >= 0 && isSpace(letters[before]); before--) kept[before] = false;
  });
  const position = [0];
  for (const keep of kept) position.push(position[position.length - 1] + Number(keep));
  return {
    text: letters.filter((_, at) => kept[at]).join(""),
    spans: spans.map(([start, end]) => /** @type {[number, number]} */ ([position[start], position[end]])),
  };
}
