// The examples of the start page: what each shows, and its suite with a recorded result.
/** @import {Suite} from "../suite/types.js" */
/** @import {SuiteResult, Token} from "../engine.js" */

/**
 * @typedef {object} Example
 * @property {Suite} suite
 * @property {SuiteResult} result of the demo model
 * @property {{name: string, tokens: Token[]}[][]} tokens of each item and condition
 */

/** Name in the address -> title, and what it shows. @type {Record<string, [string, string]>} */
export const TITLES = {
  agreement: ["Agreement", "two conditions: the verb agrees with its subject, or it does not"],
  "garden-path": ["Garden path", "two conditions: a comma prevents a misreading, or it is missing"],
  "two-by-two": ["Two by two", "four conditions: two factors, and three predictions about them"],
};

const PREFIX = "example-";

/** The identifier of a new suite that is an example. @param {string} name */
export const exampleId = (name) => PREFIX + name;

/** The example with this identifier; its data is loaded when it is opened. @param {string} id @returns {Promise<Example | null>} */
export async function exampleOf(id) {
  if (!id.startsWith(PREFIX)) return null;
  const { EXAMPLES } = await import("./examples.js");
  const name = id.slice(PREFIX.length);
  return Object.hasOwn(EXAMPLES, name) ? EXAMPLES[name] : null;
}
