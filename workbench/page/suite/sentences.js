// From the regions of a condition to the sentence a model reads, as validator/views/sentences.py.

/** Joining rule -> characters before which space is removed. @type {Record<string, string>} */
export const JOINS = { core: "", hf: ".,", brainscore: ".,!?;:" };

/** Joining rule -> what it is, in words. @type {Record<string, string>} */
export const JOIN_WORDS = {
  core: "one space between regions (core, SyntaxGym's own)",
  hf: "the same, but no space before . and , (hf, SyntaxGym on Hugging Face)",
  brainscore: "no space before . , ! ? ; : and spaces in regions as they are (brainscore)",
};

// What Python's str.strip() removes: JavaScript's trim() leaves some of it, and removes U+FEFF.
const BLANK = /^[\s\x1c-\x1f\x85]*$/;
const isBlank = (/** @type {string} */ text) => BLANK.test(text) && !text.includes("\ufeff");
const isSpace = (/** @type {string} */ one) => /[\s\x1c-\x1f\x85]/.test(one) && one !== "\ufeff";

/**
 * The sentence, and where each region is in it.
 * @param {string[]} contents
 * @param {string} [join]
 * @returns {{text: string, spans: [number, number][]}}
 */
export function joinRegions(contents, join = "core") {
  /** @type {[number, number][]} */
  const spans = [];
  let text = "";
  let started = false;
  for (const content of contents) {
    if (isBlank(content)) {
      spans.push([text.length, text.length]);
      continue;
    }
    const own = join === "brainscore" ? content : content.replace(/^[ \t\n\r\x0b\x0c]+/, "");
    if (started) text += " ";
    started = true;
    spans.push([text.length, text.length + own.length]);
    text += own;
  }
  return JOINS[join] ? tightened(text, spans, JOINS[join]) : { text, spans };
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
