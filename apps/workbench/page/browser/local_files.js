// The files that are open in this browser: opened from the disk, downloaded, removed.
import { goesOn, tell } from "../dialogs.js";
import { announce, button, counted, el } from "../dom.js";
import { EngineError } from "../engine.js";
import { base64, isSpreadsheet, makeSuite } from "../table_dialog.js";
/** @import {BrowserEngine, KeptFile} from "./engine.js" */
/** @import {Begin} from "../table_dialog.js" */
/** @typedef {{opened: (path: string | null) => void, begin: Begin}} Page what shows a file or, of several, the list; and a new suite */

/** True if the list of files is open; it stays as the person left it. @type {boolean | null} */
let isOpen = null;

/** Settings count for the checks of all files; they are not a file that is checked. @param {string} path */
const isSettings = (path) => path.endsWith(".toml");

/**
 * Add files; one alone is shown, of several the list. A spreadsheet becomes a suite.
 * @param {BrowserEngine} engine @param {Iterable<File>} files @param {Page} page
 */
export async function addFiles(engine, files, { opened, begin }) {
  const paths = [];
  for (const file of files) {
    try {
      if (isSpreadsheet(file)) {
        const failed = await makeSuite(engine, { name: file.name, content: await base64(file) }, begin);
        if (failed) await tell("Not opened", `${file.name}: ${failed.refused}`);
      } else paths.push(await engine.add(file));
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      await tell("Not opened", error.message);
    }
  }
  if (paths.length) opened(paths.length === 1 && !isSettings(paths[0]) ? paths[0] : null);
}

/** Files that are dropped anywhere are opened. @param {BrowserEngine} engine @param {Page} page */
export function openDropped(engine, page) {
  addEventListener("dragover", (event) => {
    if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
  });
  addEventListener("drop", (event) => {
    const files = [...(event.dataTransfer?.files ?? [])];
    if (!files.length) return;
    event.preventDefault();
    void addFiles(engine, files, page);
  });
}

/**
 * @param {BrowserEngine} engine
 * @param {KeptFile[]} files
 * @param {Set<string>} listed paths that are shown elsewhere
 * @param {Page} page
 */
export function localFiles(engine, files, listed, page) {
  const input = el("input", {
    type: "file",
    multiple: true,
    hidden: true,
    "aria-label": "Files to open",
    accept: ".json,.jsonl,.yaml,.yml,.csv,.tsv,.xlsx,.ods,.toml",
  });
  input.addEventListener("change", () => void addFiles(engine, [...(input.files ?? [])], page));
  return el(
    "section",
    { "aria-labelledby": "open-title", class: "local" },
    el("h2", { id: "open-title" }, "Open"),
    el(
      "div",
      { class: "row-of" },
      button("Open files …", () => input.click(), { class: "main" }),
      input,
      el("span", {}, "or drop them here: suites, tables, minimal pairs, records."),
    ),
    el(
      "p",
      { class: "faint small" },
      "Files are checked in this browser and kept in it; nothing is sent.",
    ),
    engine.notKept &&
      el("p", { class: "notice" }, `This browser keeps no files here (${engine.notKept}): download what you change.`),
    files.length > 0 &&
      el(
        "details",
        {
          open: isOpen ?? files.some(({ path }) => !listed.has(path)),
        },
        el("summary", { onclick: toggled }, `${counted(files.length, "file")} in this browser: download, remove`),
        el("ul", { class: "kept" }, ...files.map((file) => entry(engine, file, page.opened))),
      ),
  );
}

/** @param {Event} event */
function toggled({ currentTarget }) {
  const { parentElement } = /** @type {HTMLElement} */ (currentTarget);
  isOpen = !(/** @type {HTMLDetailsElement} */ (parentElement).open);
}

/** @param {BrowserEngine} engine @param {KeptFile} file @param {(path: string | null) => void} done */
const entry = (engine, { path, size }, done) =>
  el(
    "li",
    { class: "row-of" },
    isSettings(path) ? el("span", {}, path) : el("a", { href: `#/file/${encodeURIComponent(path)}` }, path),
    el("span", { class: "faint small" }, size < 1000 ? `${size} bytes` : `${Math.round(size / 1000).toLocaleString("en")} kB`),
    button("Download", () => void engine.download(path), { class: "small", "aria-label": `Download ${path}` }),
    button("Remove", () => void remove(engine, path, done), { class: "small", "aria-label": `Remove ${path}` }),
  );

/** @param {BrowserEngine} engine @param {string} path @param {(path: string | null) => void} done */
async function remove(engine, path, done) {
  const text = `Remove ${path} from this browser? A file on your disk stays.`;
  if (!(await goesOn("Remove", [el("p", {}, text)], "Remove", "unsafe"))) return;
  await engine.remove(path);
  announce(`${path} is removed from this browser`);
  done(null);
}
