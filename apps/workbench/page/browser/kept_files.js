// Files that the browser keeps (IndexedDB), and their copies in the file system of Python.

/** The folder of the files in the file system of Python. */
export const ROOT = "/files";
/** The files that the site gives, as they were published. */
const GIVEN = "/site/files";
/** A file that is kept: its content, and what tells it from an earlier one. */
const [CONTENTS, STAMPS] = ["contents", "stamps"];

/** @typedef {{stamp: string, modified: number}} Stamp */

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const done = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** @param {IDBTransaction} transaction @returns {Promise<void>} */
const ended = (transaction) =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onerror = transaction.onabort = () => reject(transaction.error);
  });

/** @param {string} name @returns {Promise<IDBDatabase>} */
function database(name) {
  const request = indexedDB.open(name, 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore(CONTENTS);
    request.result.createObjectStore(STAMPS);
  };
  return done(request);
}

/** Files in Python's file system that follow those of the browser, which other tabs change too. */
export class KeptFiles {
  /** @param {any} fs Emscripten's file system */
  constructor(fs) {
    this.fs = fs;
    /** @type {IDBDatabase | null} */
    this.database = null;
    this.name = "";
    /** Path -> the stamp of what was last read or kept. @type {Map<string, string>} */
    this.stamps = new Map();
    /** Path -> what changes when Python writes the file. @type {Map<string, string>} */
    this.written = new Map();
    /** Path -> the sign of a file of the site that nobody has edited. @type {Map<string, string>} */
    this.given = new Map();
    fs.mkdirTree(ROOT);
    if (fs.analyzePath(GIVEN).exists) for (const { path } of this.list("", GIVEN)) this.give(path);
  }

  /** Put a file of the site into its place. @param {string} path */
  give(path) {
    const whole = `${GIVEN}/${path}`;
    if (!this.fs.analyzePath(whole).exists) return;
    this.write(path, this.fs.readFile(whole), 0);
    this.given.set(path, this.sign(`${ROOT}/${path}`));
  }

  /** @param {string} path */
  isGiven(path) {
    return this.given.has(path) && this.given.get(path) === this.sign(`${ROOT}/${path}`);
  }

  /** The files that are of this browser. */
  own() {
    return this.list().filter(({ path }) => !this.isGiven(path));
  }

  /** @param {string} home */
  async open(home) {
    this.name = `evalmark:${home}`;
    this.database = await database(this.name);
  }

  /**
   * Do something with the files as the browser keeps them, and keep what it changes.
   * @template T @param {() => T} work @param {(why: unknown) => void} notKept
   * @returns {Promise<T>}
   */
  async with(work, notKept) {
    const whole = async () => {
      await this.pull().catch(notKept);
      const answer = work();
      await this.push().catch(notKept);
      return answer;
    };
    const { locks } = navigator; // not on hosts without https
    return locks && this.database ? locks.request(this.name, whole) : whole();
  }

  /** Take what other tabs have changed. */
  async pull() {
    if (!this.database) return;
    const transaction = this.database.transaction([STAMPS, CONTENTS]);
    const stamps = transaction.objectStore(STAMPS);
    const [paths, all] = await Promise.all([done(stamps.getAllKeys()), done(stamps.getAll())]);
    const kept = new Map(paths.map((path, at) => [String(path), /** @type {Stamp} */ (all[at])]));
    for (const [path, { stamp, modified }] of kept) {
      if (this.stamps.get(path) === stamp) continue;
      this.write(path, await done(transaction.objectStore(CONTENTS).get(path)), modified);
      this.stamps.set(path, stamp);
    }
    for (const path of [...this.stamps.keys()].filter((one) => !kept.has(one))) {
      this.stamps.delete(path);
      this.written.delete(path);
      this.remove(path);
    }
  }

  /** @param {string} path @param {Uint8Array} bytes @param {number} modified */
  write(path, bytes, modified) {
    const whole = `${ROOT}/${path}`;
    this.fs.mkdirTree(whole.slice(0, whole.lastIndexOf("/")));
    this.fs.writeFile(whole, bytes);
    this.fs.utime(whole, modified, modified);
    this.written.set(path, this.sign(whole));
  }

  /** Keep what Python has written or deleted. */
  async push() {
    const there = this.own();
    const paths = new Set(there.map(({ path }) => path));
    const changed = there.filter(({ path }) => this.written.get(path) !== this.sign(`${ROOT}/${path}`));
    const gone = [...this.stamps.keys()].filter((path) => !paths.has(path));
    if (!this.database || !(changed.length || gone.length)) return;
    const transaction = this.database.transaction([STAMPS, CONTENTS], "readwrite");
    const [stamps, contents] = [transaction.objectStore(STAMPS), transaction.objectStore(CONTENTS)];
    const fresh = changed.map(({ path, modified }) => {
      const stamp = `${Date.now()} ${Math.random()}`;
      contents.put(this.fs.readFile(`${ROOT}/${path}`), path);
      stamps.put({ stamp, modified }, path);
      return { path, stamp };
    });
    for (const path of gone) {
      contents.delete(path);
      stamps.delete(path);
    }
    await ended(transaction);
    for (const { path, stamp } of fresh) {
      this.stamps.set(path, stamp);
      this.written.set(path, this.sign(`${ROOT}/${path}`));
    }
    for (const path of gone) {
      this.stamps.delete(path);
      this.written.delete(path);
    }
  }

  /** @param {string} whole */
  sign(whole) {
    const { ino, mtime, size } = this.fs.stat(whole);
    return `${ino} ${mtime.getTime()} ${size}`;
  }

  /** All files. @param {string} [folder] @param {string} [root] @returns {{path: string, size: number, modified: number}[]} */
  list(folder = "", root = ROOT) {
    const names = this.fs.readdir(`${root}/${folder}`).filter((/** @type {string} */ name) => !/^\.\.?$/.test(name));
    return names.sort().flatMap((/** @type {string} */ name) => {
      const path = `${folder}${name}`;
      const { mode, size, mtime } = this.fs.stat(`${root}/${path}`);
      if (this.fs.isDir(mode)) return this.list(`${path}/`, root);
      return [{ path, size, modified: mtime.getTime() }];
    });
  }

  /** @param {string} path @returns {Uint8Array} */
  read(path) {
    return this.fs.readFile(`${ROOT}/${path}`);
  }

  /** Remove a file; one of the site is as it was published. @param {string} path */
  remove(path) {
    this.fs.unlink(`${ROOT}/${path}`);
    this.give(path);
  }
}
