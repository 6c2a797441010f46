// Two versions of a suite: where they differ, as cells, and the suite that choices make of them.
import { regionName } from "./table.js";
/** @import {Suite} from "./types.js" */

/**
 * @typedef {"theirs" | "mine"} Side
 * @typedef {object} Difference
 * @property {string} key what names its place
 * @property {string} place in words
 * @property {string} theirs what they have there, as text
 * @property {string} mine
 * @property {Side | null} changed who alone has changed it; null if both have, or if nobody knows
 */

/** List -> what names its members: two versions of a member are compared, wherever they are. */
const NAMES = /** @type {Record<string, string>} */ ({
  items: "item_number",
  conditions: "condition_name",
  regions: "region_number",
});

/** @typedef {(key: string, versions: {base: unknown, theirs: unknown, mine: unknown}) => Side} Choose */

/**
 * Where two versions differ; null if that cannot be said by places: numbers or names are there twice,
 * or in another order.
 * @param {Suite | null} base what both began from; null if nobody knows
 * @param {Suite} theirs
 * @param {Suite} mine
 * @returns {Difference[] | null}
 */
export function differences(base, theirs, mine) {
  /** @type {Difference[]} */
  const all = [];
  try {
    merge([], base, theirs, mine, (key, versions) => {
      const is = (/** @type {unknown} */ one) => isEqual(one, versions.base);
      const changed = !base ? null : is(versions.mine) ? "theirs" : is(versions.theirs) ? "mine" : null;
      const [text, other] = [versions.theirs, versions.mine].map(textOf);
      all.push({ key, place: placeOf(JSON.parse(key), mine, theirs), theirs: text, mine: other, changed });
      return "mine";
    });
  } catch (error) {
    if (error instanceof Unordered) return null;
    throw error;
  }
  return all;
}

/** The suite that has theirs at these keys, and else mine. @param {Suite} theirs @param {Suite} mine @param {Set<string>} keys @returns {Suite} */
export const merged = (theirs, mine, keys) =>
  /** @type {Suite} */ (merge([], null, theirs, mine, (key) => (keys.has(key) ? "theirs" : "mine")));

/** Members are not told apart by their names. */
class Unordered extends Error {}

/**
 * @param {(string | number)[]} path
 * @param {unknown} base @param {unknown} theirs @param {unknown} mine
 * @param {Choose} choose
 * @returns {unknown}
 */
function merge(path, base, theirs, mine, choose) {
  if (isEqual(theirs, mine)) return mine;
  const name = NAMES[path.at(-1) ?? ""];
  const isList = Array.isArray(theirs) && Array.isArray(mine) && (name || (isPredictions(path) && !areMoved(theirs, mine)));
  const isObject = [theirs, mine].every((one) => typeof one === "object" && one !== null && !Array.isArray(one));
  if (!isList && !isObject)
    return choose(JSON.stringify(path), { base, theirs, mine }) === "theirs" ? theirs : mine;
  const [before, left, right] = [base, theirs, mine].map((one) => membersOf(one, name));
  const shared = (/** @type {Map<string, unknown>} */ one, /** @type {Map<string, unknown>} */ other) => [...one.keys()].filter((key) => other.has(key)).join("\n");
  if (name && shared(left, right) !== shared(right, left)) throw new Unordered();
  const entries = inOrder(left, right)
    .map((key) => [key, merge([...path, key], before.get(key), left.get(key), right.get(key), choose)])
    .filter(([, value]) => value !== undefined);
  return isList ? entries.map(([, value]) => value) : Object.fromEntries(entries);
}

const isPredictions = (/** @type {(string | number)[]} */ path) => path.length === 1 && path[0] === "predictions";

/** True if a member has another place in the other list: then places would mix members. @param {unknown[]} theirs @param {unknown[]} mine */
function areMoved(theirs, mine) {
  const places = new Map(mine.map((one, at) => [canonical(one), at]));
  return theirs.some((one, at) => (places.get(canonical(one)) ?? at) !== at);
}

/** The members of a list by their names or places, of an object by their keys. @param {unknown} value @param {string | undefined} name @returns {Map<string, unknown>} */
function membersOf(value, name) {
  if (typeof value !== "object" || value === null) return new Map();
  if (!Array.isArray(value)) return new Map(Object.entries(value));
  const members = new Map(value.map((one, at) => [String(name ? one?.[name] : at), one]));
  if (members.size !== value.length) throw new Unordered();
  return members;
}

/** Keys of both: mine, and theirs behind the one that they follow. @param {Map<string, unknown>} theirs @param {Map<string, unknown>} mine */
function inOrder(theirs, mine) {
  const keys = [...mine.keys()];
  let at = 0;
  for (const key of theirs.keys()) {
    if (mine.has(key)) at = keys.indexOf(key) + 1;
    else keys.splice(at++, 0, key);
  }
  return keys;
}

/** @param {unknown} one @param {unknown} other */
const isEqual = (one, other) => one === other || canonical(one) === canonical(other);

/** JSON with keys in order. @param {unknown} value */
const canonical = (value) =>
  JSON.stringify(value, (_, one) =>
    typeof one === "object" && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );

/** Where a path leads to, in words. @param {string[]} path @param {Suite} mine @param {Suite} theirs */
function placeOf(path, mine, theirs) {
  const [first, second, third, fourth, fifth, sixth, ...rest] = path;
  if (first === "meta") return [second, third].filter(Boolean).join(" ");
  if (first === "region_meta") return `name of region ${second}`;
  if (first === "predictions" && second === undefined) return first;
  if (first === "predictions") return [`prediction ${Number(second) + 1}`, third].filter(Boolean).join(", ");
  if (first !== "items") return path.join(", ");
  const number = Number(sixth);
  const region = sixth && (regionName(mine, number) || regionName(theirs, number) || `region ${sixth}`);
  const others = rest[0] === "content" ? [] : rest;
  const inner = third === "conditions" ? [fourth, fifth === "regions" ? region : fifth] : [third];
  return [`item ${second}`, ...inner, ...others].filter(Boolean).join(", ");
}

/** A value as a person reads it. @param {unknown} value @returns {string} */
function textOf(value) {
  if (value === undefined) return "not there";
  if (value === "") return "no text";
  if (typeof value === "string") return value;
  const one = /** @type {any} */ (value);
  if (Array.isArray(value) && value.every((member) => typeof member?.formula === "string")) return value.map(textOf).join(" / ") || "none";
  if (Array.isArray(one?.conditions)) return one.conditions.map(textOf).join(" / ");
  if (Array.isArray(one?.regions)) return one.regions.map(textOf).filter((/** @type {string} */ text) => text !== "no text").join(" ");
  if (typeof one?.content === "string") return textOf(one.content);
  if (typeof one?.formula === "string") return one.formula;
  return JSON.stringify(value);
}
