// The engine without a server: evalmark in Python in a worker, and files that this browser keeps.
import { Engine, EngineError } from "../engine.js";
import { keepSite } from "./kept_site.js";

/**
 * @typedef {{resolve: (answer: any) => void, reject: (error: Error) => void}} Waiting
 * @typedef {{path: string, size: number, modified: number}} KeptFile
 */

/** Tells this page from others of the same host, which share its storage. */
const HOME = new URL(".", document.baseURI).pathname;
const ID = `browser ${HOME}`;

export class BrowserEngine extends Engine {
  constructor() {
    super();
    this.inBrowser = this;
    this.saves = "Save and download";
    /** Why files are not kept; empty if they are. */
    this.notKept = "";
    /** @type {Map<number, Waiting>} */
    this.waiting = new Map();
    this.count = 0;
    this.isSiteKept = false;
    /** Files of the site that nobody has edited. @type {Set<string>} */
    this.given = new Set();
    /** @type {Worker | null} */
    this.worker = null;
  }

  startWorker() {
    const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }) => this.take(data);
    worker.onerror = (event) => this.fail(event.message || "its worker cannot be loaded");
    worker.postMessage({ home: HOME });
    this.worker = worker;
    return worker;
  }

  /** @param {{id?: number, status?: number, answer?: any, loading?: string, amount?: string, share?: number, failed?: string, notKept?: string}} message */
  take({ id, status, answer, loading, amount, share, failed, notKept }) {
    if (loading !== undefined) return this.onLoading(loading, amount, share);
    if (notKept !== undefined) {
      this.notKept = notKept;
      return;
    }
    if (failed !== undefined) return this.fail(failed);
    const waiting = this.waiting.get(id ?? -1);
    this.waiting.delete(id ?? -1);
    if (status === 200) waiting?.resolve(answer);
    else waiting?.reject(new EngineError(answer?.error ?? "no answer", status ?? 0, answer));
  }

  /** Python is gone: what was asked has no answer, and the next question starts it again. @param {string} why */
  fail(why) {
    this.worker?.terminate();
    this.worker = null;
    const error = new EngineError(`evalmark does not run in this browser: ${why}`, 0, null);
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }

  /** @param {Record<string, unknown>} question @param {Transferable[]} [moved] @returns {Promise<any>} */
  post(question, moved = []) {
    const worker = this.worker ?? this.startWorker();
    const id = ++this.count;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      worker.postMessage({ id, ...question }, moved);
    });
  }

  /** @override @param {string} route @param {unknown} [body] @returns {Promise<any>} */
  ask(route, body) {
    return this.post({ route, body: body === undefined ? undefined : JSON.stringify(body) });
  }

  /** @override */
  async folder() {
    const listed = await super.folder();
    // Only now: what Python is loaded from does not wait for what is kept.
    if (!this.isSiteKept) void keepSite();
    this.isSiteKept = true;
    this.given = new Set(listed.given);
    return { ...listed, root: "Suites and records", id: ID };
  }

  /** A new suite is shown before Python is there. @override @param {(join: string) => void} later */
  async settings(later) {
    this.folder().then(({ join }) => later(join)).catch(() => {}); // the check says why
    return { id: ID, join: "core" };
  }

  /** Saving downloads the file too: nobody's work is only in a browser. @override @param {string} route @param {{path: string}} body */
  async saveUnlessChanged(route, body) {
    const answer = await super.saveUnlessChanged(route, body);
    if (answer.saved) this.given.delete(body.path);
    if (answer.saved) await this.download(body.path);
    return answer;
  }

  /** Every file that is open in this browser. @returns {Promise<KeptFile[]>} */
  files() {
    return this.post({ list: true });
  }

  /** Add a file from the disk; its path. @param {File} file @returns {Promise<string>} */
  async add(file) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    return (await this.post({ put: file.name, bytes }, [bytes.buffer])).path;
  }

  /** @param {string} path @returns {Promise<void>} */
  remove(path) {
    return this.post({ remove: path });
  }

  /** @param {string} path */
  async download(path) {
    const bytes = await this.post({ read: path });
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([bytes]));
    link.download = path.slice(path.lastIndexOf("/") + 1);
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  }
}
