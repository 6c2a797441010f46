// The tokens of the prediction language, as validator/formats/suites/formula/tokens.py. Offsets count UTF-16 units.

/** @typedef {[number, number]} Span */

export const [OPEN, CLOSE, COMPARISON, LOGIC, SIGN] = ["([", ")]", "<>=", "&|", "+-"];

export const REFERENCE = /\([ \t\r\n]*([0-9]+|\*)[ \t\r\n]*;/y;
export const NUMBER = /[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?/y;

const SPACE = " \t\r\n";
// The end of a word, as Python has it: JavaScript's \b knows ASCII letters only.
const END = "(?![\\p{L}\\p{N}_])";
// Python reads these two as the letter i if case does not count.
const I = "[iİı]";
const NO_PRODUCT = "add the region several times: `A + A > B` for `2 * A > B`";

/**
 * Common mistakes: what they look like, the message, and what to write.
 * @type {[RegExp, string, string][]}
 */
const SLIPS = /** @type {[string, string, string][]} */ ([
  [">=|=>", "there is no operator `{}`", "write `>`"],
  ["<=|=<", "there is no operator `{}`", "write `<`"],
  ["!=|<>", "there is no operator `{}`", "compare twice: `(A < B) | (A > B)`"],
  ["==", "there is no operator `==`", "write `=`"],
  [`&&|and${END}`, "there is no operator `{}`", "join comparisons with `&`"],
  [`\\|\\||or${END}`, "there is no operator `{}`", "join comparisons with `|`"],
  [`[!~]|not${END}`, "there is no negation", "reverse the comparison"],
  ["\\*", "there is no multiplication", NO_PRODUCT],
  ["/", "there is no division", "multiply the other side: `A > B + B` for `A / 2 > B`"],
  [`abs${END}`, "there is no `abs`", "compare twice: `A > 3 | 0 - A > 3` for `abs(A) > 3`"],
  [`(?:max|m${I}n)${END}`, "there is no `{}`", "compare each: `A < C & B < C` for `max(A, B) < C`"],
  [
    `(?:surpr${I}sal|surp|s)[ \\t]*\\(`,
    "formulas have no functions",
    "a region reference is its surprisal: `(2;%a%)`",
  ],
  ["\\|", "there is no `|A|`", "compare twice: `A - B < 1 & B - A < 1` for `|A - B| < 1`"],
  [`(?:${I}nf|nan)[\\p{L}\\p{N}_]*`, "`{}` is not a number", "use a decimal number"],
  [",", "formulas have no commas", "use `;` in a region reference, and `.` in a decimal number"],
  [
    "(?:[0-9]+|\\*)?[ \\t\\r\\n]*;",
    "a region reference needs parentheses",
    "a region reference looks like this: `(2;%condition%)`",
  ],
]).map(([pattern, message, help]) => [new RegExp(pattern, "iuy"), message, help]);

/** A formula does not follow the grammar; `span` is the place, `help` what to write. */
export class FormulaError extends Error {
  /** @param {string} message @param {Span} span @param {string} help */
  constructor(message, span, help) {
    super(message);
    this.span = span;
    this.help = help;
  }
}

/** Reads tokens from left to right. */
export class TokenReader {
  /** @param {string} source */
  constructor(source) {
    this.source = source;
    this.position = 0;
    this.skip();
  }

  /** Go past whitespace. */
  skip() {
    while (this.position < this.source.length && SPACE.includes(this.source[this.position]))
      this.position += 1;
  }

  /** Whether one of the characters comes next. @param {string} characters */
  comes(characters) {
    return this.position < this.source.length && characters.includes(this.source[this.position]);
  }

  /**
   * Take the character that comes next, if it is one of these, and the space after it.
   * @param {string} characters
   */
  take(characters) {
    if (!this.comes(characters)) return "";
    const taken = this.source[this.position];
    this.position += 1;
    this.skip();
    return taken;
  }

  /**
   * Take what matches here, and the space after it.
   * @param {RegExp} pattern
   * @returns {RegExpExecArray | null}
   */
  read(pattern) {
    const match = this.match(pattern, this.position);
    if (match) {
      this.position = pattern.lastIndex;
      this.skip();
    }
    return match;
  }

  /** @param {RegExp} pattern @param {number} at @returns {RegExpExecArray | null} */
  match(pattern, at) {
    pattern.lastIndex = at;
    return pattern.exec(this.source);
  }

  get atEnd() {
    return this.position >= this.source.length;
  }

  /**
   * The error for unexpected text at a place (default: here).
   * @param {string} expected
   * @param {number} [at]
   */
  error(expected, at = this.position) {
    if (at >= this.source.length) {
      const end = this.source.replace(/[\s\x1c-\x1f\x85]+$/, (space) =>
        space.replace(/[^\ufeff]+$/, ""),
      ).length;
      return this.wrong(`unexpected end of formula: expected ${expected}`, [end, end]);
    }
    // The first half of `>=` or `&&` has been read as an operator by the time we get here.
    const back = at && "<>=&|".includes(this.source[at - 1]) ? at - 1 : at;
    for (const [pattern, message, help] of SLIPS) {
      const match = this.match(pattern, back) ?? this.match(pattern, at);
      if (match) {
        const span = /** @type {Span} */ ([match.index, match.index + match[0].length]);
        return this.wrong(
          message.replace("{}", () => match[0]),
          span,
          help,
        );
      }
    }
    const letter = String.fromCodePoint(/** @type {number} */ (this.source.codePointAt(at)));
    return this.wrong(`unexpected \`${letter}\`: expected ${expected}`, [at, at + letter.length]);
  }

  /**
   * An error in the formula; without a span, at the character that comes next.
   * @param {string} message
   * @param {Span} [span]
   * @param {string} [help]
   */
  wrong(message, span, help = "") {
    return new FormulaError(message, span ?? [this.position, this.position + 1], help);
  }
}
