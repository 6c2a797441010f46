// The tree of a formula and its text, as validator/formats/suites/formula/formula_syntax.py.
/** @import {Span} from "./tokens.js" */

/**
 * @typedef {{kind: "number", value: number, span: Span}} Literal
 * @typedef {{kind: "reference", region: number | null, digits: string, condition: string, span: Span, conditionSpan: Span, regionSpan: Span}} Reference
 * @typedef {{kind: "sum", first: Node, rest: [string, Node][], span: Span}} Sum
 * @typedef {{kind: "comparison", operator: string, left: Node, right: Node, span: Span}} Comparison
 * @typedef {{kind: "logic", first: Node, rest: [string, Node][], span: Span}} Logic
 * @typedef {Literal | Reference | Sum | Comparison | Logic} Node
 */

/** The nodes directly below a node, from left to right. @param {Node} node @returns {Node[]} */
export function children(node) {
  if (node.kind === "sum" || node.kind === "logic") return [node.first, ...node.rest.map(([, part]) => part)];
  return node.kind === "comparison" ? [node.left, node.right] : [];
}

/**
 * All region references of a formula, from left to right.
 * @param {Node} node
 * @returns {Generator<Reference>}
 */
export function* references(node) {
  if (node.kind === "reference") yield node;
  for (const child of children(node)) yield* references(child);
}

/** The formula in its current form. @param {Node} node @returns {string} */
export function unparse(node) {
  if (node.kind === "number") return numberText(node.value);
  if (node.kind === "reference") return `(${node.digits};%${node.condition}%)`;
  if (node.kind === "comparison") {
    const [left, right] = [node.left, node.right].map((side) => operand(side, ["comparison", "logic"]));
    return `${left} ${node.operator} ${right}`;
  }
  const wrapped = node.kind === "sum" ? ["sum", "comparison", "logic"] : ["comparison", "logic"];
  const rest = node.rest.map(([operator, part]) => ` ${operator} ${operand(part, wrapped)}`);
  return operand(node.first, wrapped) + rest.join("");
}

/** @param {Node} node @param {string[]} wrapped @returns {string} */
const operand = (node, wrapped) => (wrapped.includes(node.kind) ? `(${unparse(node)})` : unparse(node));

/**
 * The shortest literal that reads back to the same number, written as Python writes it.
 * @param {number} value
 * @returns {string}
 */
export function numberText(value) {
  if (Object.is(value, -0)) return "-0";
  if (Number.isInteger(value) && Math.abs(value) < 1e16) return String(value);
  const [digits, exponent] = value.toExponential().split("e");
  const power = Number(exponent);
  if (power < -4 || power >= 16)
    return `${digits}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
  if (power >= 0 || value === 0) return String(value);
  const bare = digits.replace("-", "").replace(".", "");
  return `${value < 0 ? "-" : ""}0.${"0".repeat(-power - 1)}${bare}`;
}

const isTruth = (/** @type {Node} */ node) => node.kind === "comparison" || node.kind === "logic";

/** @param {Node} node @returns {boolean} */
const holdsTruth = (node) =>
  node.kind === "sum" && children(node).some((child) => isTruth(child) || holdsTruth(child));

/**
 * Where numbers and truth values are confused; a whole formula is a truth value.
 * @param {Node} tree
 * @returns {{message: string, span: Span, help: string}[]}
 */
export function typeProblems(tree) {
  /** @type {{message: string, span: Span, help: string}[]} */
  const found = [];
  if (!isTruth(tree) && !holdsTruth(tree))
    found.push({
      message: "formula is a number, not true or false",
      span: tree.span,
      help: "compare it with another value: `… > 0`",
    });
  innerProblems(tree, found);
  return found;
}

/** @param {Node} node @param {{message: string, span: Span, help: string}[]} found */
function innerProblems(node, found) {
  const join = "join truth values with `&` or `|`";
  const add = (/** @type {string} */ message, /** @type {Node} */ at, /** @type {string} */ help) =>
    found.push({ message, span: at.span, help });
  if (node.kind === "logic") {
    for (const child of children(node))
      if (!isTruth(child) && !holdsTruth(child))
        add(
          "`&` and `|` join comparisons; this is a number",
          child,
          "compare it with another value, in parentheses",
        );
  } else if (node.kind === "comparison") {
    if (children(node).some(holdsTruth)) {
      add("a truth value cannot be added", node, join);
      return;
    }
    if (children(node).some(isTruth)) add("a truth value cannot be compared", node, join);
  } else if (holdsTruth(node)) {
    add("a truth value cannot be added", node, join);
  }
  for (const child of children(node)) innerProblems(child, found);
}
