// Unsaved work in the browser, so that a reload or a crash loses nothing.
/** @import {Suite} from "./types.js" */

/** @typedef {{data: Suite, digest: string | null, when: number, format: string}} Kept */

const PREFIX = "evalmark:unsaved:";
/** How the names of new suites begin; paths of files are relative. */
const NEW = "/";

/** @param {string} root @param {string} name */
const keyOf = (root, name) => `${PREFIX}${root}:${name}`;

/** The name under which a new suite is kept: each has its own. @param {string} id */
export const newName = (id) => `${NEW}${id}`;

/** An id that no other new suite has, of this window or another. */
export const newId = () => `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}`;

/**
 * Keep a suite.
 * @param {string} root
 * @param {string} name its path, or that of a new suite
 * @param {Kept} kept
 * @returns {boolean} whether there was room
 */
export function keep(root, name, kept) {
  try {
    localStorage.setItem(keyOf(root, name), JSON.stringify(kept));
    return true;
  } catch {
    return false;
  }
}

/** What was kept of a suite. @param {string} root @param {string} name @returns {Kept | null} */
export function kept(root, name) {
  try {
    return JSON.parse(localStorage.getItem(keyOf(root, name)) ?? "null");
  } catch {
    return null;
  }
}

/** @param {string} root @param {string} name */
export function forget(root, name) {
  try {
    localStorage.removeItem(keyOf(root, name));
  } catch {
    // Without storage there is nothing to forget.
  }
}

/**
 * Paths of files with unsaved work, and ids of new suites.
 * @param {string} root
 * @returns {{paths: string[], ids: string[]}}
 */
export function unsaved(root) {
  const start = keyOf(root, "");
  /** @type {string[]} */
  let names = [];
  try {
    names = Object.keys(localStorage)
      .filter((key) => key.startsWith(start))
      .map((key) => key.slice(start.length));
  } catch {
    // Without storage nothing is kept.
  }
  return {
    paths: names.filter((name) => !name.startsWith(NEW)),
    ids: names.filter((name) => name.startsWith(NEW)).map((name) => name.slice(NEW.length)),
  };
}
