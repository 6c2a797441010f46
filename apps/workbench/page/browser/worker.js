// Python with evalmark in a worker of its own: what is typed never waits for it.
import { Downloads, load } from "./downloads.js";
import { KeptFiles, ROOT } from "./kept_files.js";

/** The folder of the site. */
const SITE = new URL("../../", import.meta.url);
const [WASM, ASM] = ["pyodide/pyodide.asm.wasm.packed", "pyodide/pyodide.asm.mjs"];
const LIBRARY = "pyodide/python_stdlib.zip";
/** Routes that may be answered before all of Python is there. */
const FIRST = /^(folder|check|formula)(\?|$)/;
/** Routes that look at files; the others are answered from what is asked alone. */
const OF_FILES = /^(folder|file|save|text\/save)(\?|$)/;
const worker = /** @type {{postMessage: (message: unknown, moved?: Transferable[]) => void, onmessage: unknown}} */ (
  /** @type {unknown} */ (self)
);

/**
 * Python that answers, and what loads the modules that the first check does without: `lacks` is true if
 * it looked for one of them.
 * @typedef {{pyodide: any, answers: any, files: KeptFiles, lacks: () => boolean, rest: () => Promise<void>}} Started
 */
/**
 * A question: a route, or a file to add, read or remove; without any of them, the list of files.
 * @typedef {{id: number, route?: string, body?: string, put?: string, bytes?: Uint8Array, read?: string, remove?: string}} Asked
 */
/** @type {Promise<Started> | null} */
let started = null;
/** @type {Promise<unknown>} */
let queue = Promise.resolve();

/** @param {string} loading @param {string} [amount] in words @param {number} [share] of it, from 0 to 1 */
const say = (loading, amount, share) => worker.postMessage({ loading, amount, share });

/** @param {unknown} error */
const notKept = (error) =>
  worker.postMessage({ notKept: error instanceof Error ? error.message : String(error) });

/** @param {string} home @returns {Promise<Started>} */
async function start(home) {
  const site = await (await load(new URL("site.json", SITE), { cache: "no-cache" })).json();
  const { archive, library } = site.first ?? { archive: site.archive, library: LIBRARY };
  const now = [WASM, ASM, archive, library, ...(site.suites ? [site.suites] : [])];
  const downloads = new Downloads(SITE, pick(site.parts, now), (done, total) => {
    const megabytes = (/** @type {number} */ bytes) => (bytes / 1e6).toFixed(1);
    say("Loading Python, which stays in this browser …", `${megabytes(done)} of ${megabytes(total)} MB`, done / total);
  });
  const [wasm, modules, ours, suites] = await Promise.all([
    downloads.unpacked(WASM),
    downloads.bytes(library),
    downloads.bytes(archive),
    site.suites && downloads.bytes(site.suites),
    downloads.module(ASM),
  ]);
  say("Starting Python …");
  const pyodide = await pythonOf(wasm, modules);
  pyodide.unpackArchive(ours, "zip", { extractDir: "/lib/evalmark" });
  if (suites) pyodide.unpackArchive(suites, "zip", { extractDir: "/site" });
  const files = new KeptFiles(pyodide.FS);
  await files.open(home).catch(notKept);
  say("Starting evalmark …");
  const answers = pyodide.runPython(`
import sys
sys.path.insert(0, "/lib/evalmark")
sys.dont_write_bytecode = True
from evalmark.workbench.static_site.in_browser import BrowserAnswers
BrowserAnswers(${JSON.stringify(ROOT)}, ${suites ? '"/site"' : "None"})
`);
  if (!site.first) return { pyodide, answers, files, lacks: () => false, rest: async () => {} };
  const lacks = pyodide.runPython(`
class Missing:
    """The last importer, which finds nothing."""
    names = set()
    def find_spec(self, name, path=None, target=None):
        self.names.add(name)
sys.meta_path.append(Missing())
lambda: bool(Missing.names)
`);
  /** @type {Promise<void> | null} */
  let loading = null;
  const started = { pyodide, answers, files, lacks, rest: () => (loading ??= rest()) };
  const rest = async () => {
    await loadRest(pyodide, site).catch((error) => {
      loading = null;
      throw error;
    });
    started.lacks = () => false;
  };
  return started;
}

/** The modules that the first check does without. @param {any} pyodide @param {any} site */
async function loadRest(pyodide, site) {
  const downloads = new Downloads(SITE, pick(site.parts, [LIBRARY, site.archive]), () => {});
  const [library, archive] = await Promise.all([downloads.bytes(LIBRARY), downloads.bytes(site.archive)]);
  const place = pyodide.runPython('next(path for path in sys.path if path.endswith(".zip"))');
  pyodide.FS.writeFile(place, new Uint8Array(library));
  pyodide.unpackArchive(archive, "zip", { extractDir: "/lib/evalmark" });
  pyodide.runPython("import importlib; importlib.invalidate_caches()");
}

/** @template T @param {Record<string, T>} all @param {string[]} names */
const pick = (all, names) => Object.fromEntries(names.map((name) => [name, all[name]]));

/** Pyodide with the parts that it would fetch. @param {ArrayBuffer} wasm @param {ArrayBuffer} library */
async function pythonOf(wasm, library) {
  const { loadPyodide } = await import(new URL("pyodide/pyodide.mjs", SITE).href);
  const { fetch } = self;
  const headers = { "content-type": "application/wasm" };
  self.fetch = async (what, options) => {
    if (String(what).endsWith("/pyodide.asm.wasm")) return new Response(wasm, { headers });
    return String(what).endsWith("/python_stdlib.zip") ? new Response(library) : fetch(what, options);
  };
  try {
    return await loadPyodide({ indexURL: new URL("pyodide/", SITE).href });
  } finally {
    self.fetch = fetch;
  }
}

/**
 * @param {Started} started
 * @param {Asked} asked
 * @returns {Promise<{status: number, answer: any}>}
 */
async function answerOf(started, { route, body, put, bytes, read, remove }) {
  const { pyodide, answers, files } = started;
  if (put !== undefined || (route !== undefined && !FIRST.test(route))) await started.rest();
  if (route !== undefined) {
    const work = () => JSON.parse(answers.answer(route, body));
    const answer = () => (OF_FILES.test(route) ? files.with(work, notKept) : work());
    const first = await answer();
    if (!started.lacks()) return first;
    await started.rest();
    return answer();
  }
  return files.with(() => {
    if (put !== undefined) return JSON.parse(answers.put(put, pyodide.toPy(bytes)));
    if (read !== undefined) return { status: 200, answer: files.read(read) };
    if (remove !== undefined) files.remove(remove);
    return { status: 200, answer: files.own() };
  }, notKept);
}

/** @param {Asked} asked */
async function answer(asked) {
  let ready;
  try {
    ready = await /** @type {Promise<Started>} */ (started);
  } catch (error) {
    worker.postMessage({ failed: /** @type {Error} */ (error).message });
    return;
  }
  try {
    worker.postMessage({ id: asked.id, ...(await answerOf(ready, asked)) });
    if (asked.route?.startsWith("check")) ready.rest().catch(() => {}); // asked for again when it is needed
  } catch (error) {
    // Python answers with a sentence to whatever is wrong with a file: it has ended itself.
    worker.postMessage({ failed: `Python stopped (${/** @type {Error} */ (error).message})` });
  }
}

worker.onmessage = (/** @type {MessageEvent} */ { data }) => {
  if (data.home !== undefined) started = start(data.home);
  else queue = queue.then(() => answer(data));
};
