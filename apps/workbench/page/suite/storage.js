// Unsaved work in the browser, so that a reload or a crash loses nothing. Each window has its own
// copy; that of a window that was closed is taken over by the next one that opens the file.
import { isElsewhere, ownWindow } from "./windows.js";
/** @import {Suite} from "./types.js" */

/**
 * @typedef {{data: Suite, digest: string | null, when: number, format: string}} Kept
 * @typedef {{text: string, digest: string, when: number}} KeptText
 */

const PREFIX = "evalmark:unsaved:";
/** How the names of new suites and of texts begin; paths of files are relative. */
const NEW = "/";
const TEXT = "//";
/** Before the id of the window, which no name has. */
const WINDOW = "\n";

/** @param {string} root @param {string} name */
const keyOf = (root, name) => `${PREFIX}${root}:${name}`;

/** @param {string} root @param {string} name */
const ownKey = (root, name) => keyOf(root, name) + (ownWindow() && WINDOW + ownWindow());

/** The name under which a new suite is kept: each has its own. @param {string} id */
export const newName = (id) => `${NEW}${id}`;

/** The name under which the text of a file is kept. @param {string} path */
export const textName = (path) => `${TEXT}${path}`;

/**
 * Keep a suite or a text.
 * @param {string} root
 * @param {string} name its path, or one of the names above
 * @param {Kept | KeptText} kept
 * @returns {boolean} whether there was room
 */
export function keep(root, name, kept) {
  try {
    localStorage.setItem(ownKey(root, name), JSON.stringify(kept));
    return true;
  } catch {
    return false;
  }
}

/**
 * The copy that this window continues: its own, or that of a closed window, which becomes
 * its own.
 * @param {string} root
 * @param {string} name
 * @returns {any} a ``Kept`` or a ``KeptText``; null if there is none
 */
export function take(root, name) {
  const own = ownKey(root, name);
  const copies = copiesOf(root, name).filter(({ key, window }) => key === own || !isElsewhere(window));
  const found = copies.find(({ key }) => key === own) ?? copies[0];
  if (!found) return null;
  if (found.key !== own && keep(root, name, found.kept)) localStorage.removeItem(found.key);
  return found.kept;
}

/**
 * The latest copy of any window.
 * @param {string} root
 * @param {string} name
 * @returns {any}
 */
export const kept = (root, name) => copiesOf(root, name)[0]?.kept ?? null;

/** True if another open window has unsaved work. @param {string} root @param {string} name */
export const isKeptElsewhere = (root, name) =>
  copiesOf(root, name).some(({ window }) => isElsewhere(window));

/** Forget the copy of this window. @param {string} root @param {string} name */
export function forget(root, name) {
  try {
    localStorage.removeItem(ownKey(root, name));
  } catch {
    // Without storage there is nothing to forget.
  }
}

/** Forget the copies of all windows. @param {string} root @param {string} name */
export function drop(root, name) {
  for (const { key } of copiesOf(root, name)) localStorage.removeItem(key);
}

/**
 * Paths of files with unsaved work, and ids of new suites.
 * @param {string} root
 * @returns {{paths: string[], ids: string[]}}
 */
export function unsaved(root) {
  const names = [...new Set(keysOf(root).map((key) => key.slice(keyOf(root, "").length).split(WINDOW)[0]))];
  const isNew = (/** @type {string} */ name) => name.startsWith(NEW) && !name.startsWith(TEXT);
  return {
    paths: names.filter((name) => !isNew(name)).map((name) => name.replace(/^\/\//, "")),
    ids: names.filter(isNew).map((name) => name.slice(NEW.length)),
  };
}

/** All that is kept of a folder, for another address. @param {string} root @returns {Record<string, string>} */
export const carried = (root) =>
  Object.fromEntries(keysOf(root).map((key) => [key.slice(keyOf(root, "").length), localStorage.getItem(key) ?? ""]));

/** Keep what another address has kept, unless what is kept here is later. @param {string} root @param {Record<string, string>} all */
export function bring(root, all) {
  for (const [name, text] of Object.entries(all)) {
    const key = keyOf(root, name);
    if (!(parsed(key)?.when > JSON.parse(text).when)) localStorage.setItem(key, text);
  }
}

/** @param {string} root @returns {string[]} */
function keysOf(root) {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(keyOf(root, "")));
  } catch {
    return []; // without storage nothing is kept
  }
}

/**
 * The copies of all windows, the latest first.
 * @param {string} root
 * @param {string} name
 * @returns {{key: string, window: string, kept: any}[]}
 */
function copiesOf(root, name) {
  const start = keyOf(root, name);
  return keysOf(root)
    .filter((key) => key === start || key.startsWith(start + WINDOW))
    .map((key) => ({ key, window: key.slice(start.length + WINDOW.length), kept: parsed(key) }))
    .filter(({ kept }) => kept !== null)
    .sort((a, b) => b.kept.when - a.kept.when);
}

/** @param {string} key */
function parsed(key) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}
