// Python with evalmark in a worker of its own: what is typed never waits for it.
import { KeptFiles, ROOT } from "./kept_files.js";

/** The folder of the site. */
const SITE = new URL("../../", import.meta.url);
/** Routes that look at files; the others are answered from what is asked alone. */
const OF_FILES = /^(folder|file|save|text\/save)(\?|$)/;
const worker = /** @type {{postMessage: (message: unknown, moved?: Transferable[]) => void, onmessage: unknown}} */ (
  /** @type {unknown} */ (self)
);

/** @typedef {{pyodide: any, answers: any, files: KeptFiles}} Started */
/**
 * A question: a route, or a file to add, read or remove; without any of them, the list of files.
 * @typedef {{id: number, route?: string, body?: string, put?: string, bytes?: Uint8Array, read?: string, remove?: string}} Asked
 */
/** @type {Promise<Started> | null} */
let started = null;
/** @type {Promise<unknown>} */
let queue = Promise.resolve();

/** @param {string} loading */
const say = (loading) => worker.postMessage({ loading });

/** @param {unknown} error */
const notKept = (error) =>
  worker.postMessage({ notKept: error instanceof Error ? error.message : String(error) });

/** @param {string} path @param {RequestInit} [options] */
async function load(path, options) {
  const response = await fetch(new URL(path, SITE), options).catch((error) => {
    throw new Error(`${path} cannot be loaded (${error.message}): are you online, and is the site complete?`);
  });
  if (!response.ok) throw new Error(`${path} cannot be loaded: the server answered ${response.status}`);
  return response;
}

/** @param {string} home @returns {Promise<Started>} */
async function start(home) {
  const site = await (await load("site.json", { cache: "no-cache" })).json();
  say(`Loading Python: ${site.megabytes} MB the first time …`);
  const archive = load(site.archive, { integrity: site.integrity }).then((found) => found.arrayBuffer());
  archive.catch(() => {}); // it is awaited below
  const { loadPyodide } = await import(new URL("pyodide/pyodide.mjs", SITE).href);
  const pyodide = await loadPyodide({ indexURL: new URL("pyodide/", SITE).href });
  say("Loading evalmark …");
  pyodide.unpackArchive(await archive, "zip", { extractDir: "/lib/evalmark" });
  const files = new KeptFiles(pyodide.FS);
  await files.open(home).catch(notKept);
  say("Starting evalmark …");
  const answers = pyodide.runPython(`
import sys
sys.path.insert(0, "/lib/evalmark")
sys.dont_write_bytecode = True
from evalmark.workbench.static_site.in_browser import BrowserAnswers
BrowserAnswers(${JSON.stringify(ROOT)})
`);
  return { pyodide, answers, files };
}

/**
 * @param {Started} started
 * @param {Asked} asked
 * @returns {Promise<{status: number, answer: any}>}
 */
async function answerOf({ pyodide, answers, files }, { route, body, put, bytes, read, remove }) {
  if (route !== undefined) {
    const work = () => JSON.parse(answers.answer(route, body));
    return OF_FILES.test(route) ? files.with(work, notKept) : work();
  }
  return files.with(() => {
    if (put !== undefined) return JSON.parse(answers.put(put, pyodide.toPy(bytes)));
    if (read !== undefined) return { status: 200, answer: files.read(read) };
    if (remove !== undefined) files.remove(remove);
    return { status: 200, answer: files.list() };
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
  } catch (error) {
    // Python answers with a sentence to whatever is wrong with a file: it has ended itself.
    worker.postMessage({ failed: `Python stopped (${/** @type {Error} */ (error).message})` });
  }
}

worker.onmessage = (/** @type {MessageEvent} */ { data }) => {
  if (data.home !== undefined) started = start(data.home);
  else queue = queue.then(() => answer(data));
};
