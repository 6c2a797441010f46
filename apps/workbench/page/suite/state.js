// The suite that is edited: its data, what can be undone, and who wants to know of changes.
import { newName } from "./storage.js";
import { newId } from "./windows.js";
/** @import {Suite} from "./types.js" */

/**
 * @typedef {object} Step an edit that can be undone
 * @property {string} label what it did, in words
 * @property {Suite} before
 * @property {Suite} after
 * @property {unknown} where what is shown when it is undone or done again
 * @property {string} key edits with the same key, one after the other, are one step; empty: never
 *
 * @typedef {object} Change
 * @property {Suite} before
 * @property {Suite} after
 * @property {string} label
 * @property {unknown} where
 * @property {"edit" | "undo" | "redo" | "draft"} kind
 */

export class Session {
  /**
   * @param {Suite} data
   * @param {{path?: string | null, digest?: string | null, format?: string, id?: string}} [origin]
   */
  constructor(data, { path = null, digest = null, format = "json", id = newId() } = {}) {
    this.path = path;
    /** Identifies a suite that has no path yet. */
    this.id = id;
    this.digest = digest;
    this.format = format;
    /** Numbers of the items that the file had when it was opened. */
    this.given = new Set(path === null ? [] : data.items.map(({ item_number }) => item_number));
    /** @type {Suite} */
    this.committed = data;
    /** The suite with what is being typed. @type {Suite | null} */
    this.draft = null;
    /** The suite in the file; null if there is none yet. @type {Suite | null} */
    this.saved = data;
    /** A suite that nobody has worked on yet: losing it loses nothing. @type {Suite | null} */
    this.untouched = data;
    /** @type {Step[]} */
    this.done = [];
    /** @type {Step[]} */
    this.undone = [];
    /** Counts changes, so that late answers are known as such. */
    this.version = 0;
    /** @type {((change: Change) => void)[]} */
    this.listeners = [];
  }

  /** The suite as it is now, with what is being typed. @returns {Suite} */
  get data() {
    return this.draft ?? this.committed;
  }

  /** The name under which unsaved work is kept. */
  get keptAs() {
    return this.path ?? newName(this.id);
  }

  /** True if the file has another suite. */
  get isChanged() {
    return this.committed !== this.saved;
  }

  /** True if there is work that the file does not have. */
  get hasWork() {
    return this.draft !== null || (this.isChanged && this.committed !== this.untouched);
  }

  /** @param {(change: Change) => void} listener */
  onChange(listener) {
    this.listeners.push(listener);
  }

  /**
   * Make an edit. A Refusal of the edit is the caller's to show.
   * @param {string} label
   * @param {(data: Suite) => Suite} edit
   * @param {{where?: unknown, key?: string}} [options]
   * @returns {boolean} whether anything changed
   */
  apply(label, edit, { where = null, key = "" } = {}) {
    const before = this.committed;
    const after = edit(before);
    this.draft = null;
    if (after === before) {
      this.tell({ before, after, label, where, kind: "draft" });
      return false;
    }
    const last = this.done.at(-1);
    if (key && last?.key === key && !this.undone.length && before !== this.saved) last.after = after;
    else this.done.push({ label, before, after, where, key });
    this.undone = [];
    this.committed = after;
    this.tell({ before, after, label, where, kind: "edit" });
    return true;
  }

  /** Show an edit that is not made yet; null takes it back. @param {((data: Suite) => Suite) | null} edit */
  preview(edit) {
    const before = this.data;
    this.draft = edit ? edit(this.committed) : null;
    if (this.data !== before) this.tell({ before, after: this.data, label: "", where: null, kind: "draft" });
  }

  /** The next edit is a step of its own. */
  pause() {
    const last = this.done.at(-1);
    if (last) last.key = "";
  }

  /** @returns {Step | null} */
  undo() {
    const step = this.done.pop();
    if (!step) return null;
    this.draft = null;
    this.undone.push(step);
    step.key = "";
    this.committed = step.before;
    this.tell({ before: step.after, after: step.before, label: step.label, where: step.where, kind: "undo" });
    return step;
  }

  /** @returns {Step | null} */
  redo() {
    const step = this.undone.pop();
    if (!step) return null;
    this.draft = null;
    this.done.push(step);
    this.committed = step.after;
    this.tell({ before: step.before, after: step.after, label: step.label, where: step.where, kind: "redo" });
    return step;
  }

  /**
   * The file holds this suite now.
   * @param {Suite} data
   * @param {string} path
   * @param {string} digest
   * @param {string} format
   */
  savedAs(data, path, digest, format) {
    Object.assign(this, { saved: data, path, digest, format });
    this.pause();
    this.tell({ before: this.data, after: this.data, label: "", where: null, kind: "draft" });
  }

  /** The page is left: nobody listens any more, what can be undone stays. */
  leave() {
    this.listeners = [];
    this.draft = null;
    this.pause();
  }

  /** @param {Change} change */
  tell(change) {
    this.version += 1;
    for (const listener of this.listeners) listener(change);
  }
}
