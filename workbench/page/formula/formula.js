// A parser of formulas, as validator/formats/suites/formula/formula_syntax.py: the same trees, the same errors.
// Square brackets are the mark of the older dialect, which has the precedence of Python.
import {
  CLOSE,
  COMPARISON,
  FormulaError,
  LOGIC,
  NUMBER,
  OPEN,
  REFERENCE,
  SIGN,
  TokenReader,
} from "./tokens.js";
/** @import {Comparison, Node, Reference} from "./tree.js" */
/** @import {Span} from "./tokens.js" */
export { references, typeProblems, unparse } from "./tree.js";
export { FormulaError };

const MAX_DEPTH = 64;
const MAX_DIGITS = 18;
const NAME = /%[ \t\r\n]*([A-Za-z0-9_-]+)[ \t\r\n]*%[ \t\r\n]*/dy;
const OLD_NAME = /%[ \t\r\n]*([-\p{L}\p{N}_.: \t]*[-\p{L}\p{N}_.:])[ \t\r\n]*%[ \t\r\n]*/duy;

/**
 * Read a formula in the dialect it is written in, or throw a FormulaError.
 * @param {string} source
 * @returns {Node}
 */
export const read = (source) => new Parser(source, /[[\]]/.test(source)).formula();

/**
 * Read a formula: its tree or the error.
 * @param {string} source
 * @returns {{tree: Node, error: null} | {tree: null, error: FormulaError}}
 */
export function tryRead(source) {
  try {
    return { tree: read(source), error: null };
  } catch (error) {
    if (error instanceof FormulaError) return { tree: null, error };
    throw error;
  }
}

class Parser {
  /** @param {string} source @param {boolean} isOld */
  constructor(source, isOld) {
    this.reader = new TokenReader(source);
    this.isOld = isOld;
    this.depth = 0;
  }

  /** Formula = whole END. */
  formula() {
    const tree = this.whole();
    if (!this.reader.atEnd) throw this.unexpected();
    return tree;
  }

  /** Whole = logic (current) | chain (old). @returns {Node} */
  whole() {
    return this.isOld ? this.chain() : this.logic();
  }

  /** Logic = comparison (("&" | "|") comparison)*. @returns {Node} */
  logic() {
    return this.list(LOGIC, () => this.comparison());
  }

  /** Comparison = sum (("<" | ">" | "=") sum)?. @returns {Node} */
  comparison() {
    const start = this.reader.position;
    const left = this.sum();
    const operator = this.reader.take(COMPARISON);
    if (!operator) return left;
    /** @type {Node} */
    const node = { kind: "comparison", operator, left, right: this.sum(), span: this.span(start) };
    node.span = this.span(start);
    if (this.reader.comes(COMPARISON))
      throw this.reader.wrong(
        "comparisons cannot be chained",
        undefined,
        "compare twice, and join the comparisons with `&`",
      );
    return node;
  }

  /** Chain = disjunction (("<" | ">" | "=") disjunction)*. @returns {Node} */
  chain() {
    const start = this.reader.position;
    const operands = [this.disjunction()];
    const operators = [];
    for (let operator; (operator = this.reader.take(COMPARISON));) {
      operators.push(operator);
      operands.push(this.disjunction());
    }
    const span = this.span(start);
    const links = operators.map(
      (operator, at) =>
        /** @type {Comparison} */ ({
          kind: "comparison",
          operator,
          left: operands[at],
          right: operands[at + 1],
          span,
        }),
    );
    if (links.length > 1) {
      const rest = links.slice(1).map((link) => /** @type {[string, Node]} */ (["&", link]));
      return { kind: "logic", first: links[0], rest, span };
    }
    return links[0] ?? operands[0];
  }

  /** Disjunction = conjunction ("|" conjunction)*. @returns {Node} */
  disjunction() {
    return this.list("|", () => this.list("&", () => this.sum()));
  }

  /** Sum = atom (("+" | "-") atom)*. @returns {Node} */
  sum() {
    return this.list(SIGN, () => this.atom(), "sum");
  }

  /**
   * Read below (operator below)*.
   * @param {string} operators
   * @param {() => Node} below
   * @param {"logic" | "sum"} [kind]
   * @returns {Node}
   */
  list(operators, below, kind = "logic") {
    const start = this.reader.position;
    const first = below();
    /** @type {[string, Node][]} */
    const rest = [];
    for (let operator; (operator = this.reader.take(operators));) rest.push([operator, below()]);
    return rest.length ? { kind, first, rest, span: this.span(start) } : first;
  }

  /** Atom = reference | NUMBER | "(" whole ")" | "[" whole "]". @returns {Node} */
  atom() {
    const reader = this.reader;
    const head = reader.read(REFERENCE);
    if (head) return this.reference(head);
    if (reader.comes(OPEN)) return this.group();
    const match = reader.read(NUMBER);
    if (match) {
      const value = Number(match[0]);
      const span = /** @type {Span} */ ([match.index, match.index + match[0].length]);
      if (!Number.isFinite(value)) throw reader.wrong("number too large", span);
      return { kind: "number", value, span };
    }
    if (reader.comes(SIGN))
      throw reader.wrong(
        "a sign is allowed only directly before a number",
        undefined,
        "subtract it from 0: `0 - (2;%a%)`",
      );
    throw reader.error("a region reference like `(2;%a%)`, a number or a parenthesis");
  }

  /** Read what is between parentheses or brackets. @returns {Node} */
  group() {
    const reader = this.reader;
    const at = reader.position;
    const opening = reader.take(OPEN);
    this.depth += 1;
    if (this.depth > MAX_DEPTH)
      throw reader.wrong(`parentheses nested more than ${MAX_DEPTH} deep`, [at, at + 1]);
    const inner = this.whole();
    const closer = opening === "(" ? ")" : "]";
    if (reader.atEnd) throw reader.wrong(`\`${opening}\` is not closed`, [at, at + 1]);
    const end = reader.position;
    if (!reader.take(closer)) {
      if (!reader.comes(CLOSE)) throw this.unexpected();
      throw reader.wrong(
        `\`${opening}\` is closed by \`${reader.source[end]}\``,
        undefined,
        `write \`${closer}\``,
      );
    }
    this.depth -= 1;
    return inner;
  }

  /**
   * Reference = "(" (DIGITS | "*") ";%" NAME "%" ")"; no space between ";" and "%".
   * @param {RegExpExecArray} head
   * @returns {Reference}
   */
  reference(head) {
    const reader = this.reader;
    const digits = head[1];
    const regionAt = head.index + head[0].indexOf(digits, 1);
    const regionSpan = /** @type {Span} */ ([regionAt, regionAt + digits.length]);
    if (digits.replace(/^0+/, "").length > MAX_DIGITS)
      throw reader.wrong("region number too large", regionSpan);
    const at = head.index + head[0].length;
    const name = reader.match(this.isOld ? OLD_NAME : NAME, at);
    if (!name) throw this.badReference(at);
    const end = name.index + name[0].length;
    if (reader.source[end] !== ")") throw reader.error("`)` to close the reference", end);
    reader.position = end + 1;
    const span = /** @type {Span} */ ([head.index, end + 1]);
    reader.skip();
    const conditionSpan = /** @type {Span} */ (/** @type {any} */ (name).indices[1]);
    // Digits are kept as text too: a number of 18 digits is more than a double holds.
    const written = digits === "*" ? "*" : digits.replace(/^0+(?=[0-9])/, "");
    const region = digits === "*" ? null : Number(digits);
    return {
      kind: "reference",
      region,
      digits: written,
      condition: name[1],
      span,
      conditionSpan,
      regionSpan,
    };
  }

  /** What is wrong after the semicolon of a reference. @param {number} at */
  badReference(at) {
    const reader = this.reader;
    const space = reader.match(/[ \t\r\n]+(?=%)/y, at);
    if (space) return reader.wrong("space between `;` and `%`", [at, at + space[0].length], "write `;%`");
    const loose = reader.match(/%([^%()]*)%/y, at);
    if (loose && /[^\s\x1c-\x1f\x85]|\ufeff/.test(loose[1]))
      return reader.wrong(
        "a condition name in a formula can only contain letters, digits, `_` and `-`",
        [at + 1, at + 1 + loose[1].length],
        "rename the condition, here and in every item",
      );
    return reader.error("a condition name between percent signs: `(2;%a%)`", at);
  }

  /** The error for what follows a complete formula. */
  unexpected() {
    const reader = this.reader;
    if (reader.comes(CLOSE))
      return reader.wrong(`\`${reader.source[reader.position]}\` has no matching opening parenthesis`);
    return reader.error("an operator");
  }

  /**
   * From `start` to the end of what was read, without the space after it.
   * @param {number} start
   * @returns {Span}
   */
  span(start) {
    let end = this.reader.position;
    while (end > start && " \t\r\n".includes(this.reader.source[end - 1])) end -= 1;
    return [start, end];
  }
}
