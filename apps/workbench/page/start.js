// The first page: suites, runs and records of the folder, and how to begin a new suite.
import { button, counted, el, fill, framed, inDocs, withCode } from "./dom.js";
import { goesOn } from "./dialogs.js";
import { localFiles } from "./browser/local_files.js";
import { percent } from "./panels/result.js";
import { headed, what } from "./help.js";
import { introduction } from "./introduction.js";
import { newSuite } from "./new_suite.js";
import { drop, kept, newName, unsaved } from "./suite/storage.js";
/** @import {Engine, Folder, ListedFile, ListedRun} from "./engine.js" */
/** @import {KeptFile} from "./browser/engine.js" */
/** @import {Begin} from "./table_dialog.js" */

/** @param {string} path */
export const fileLink = (path) => `#/file/${encodeURIComponent(path)}`;

/** @param {string} id of a new suite */
export const newLink = (id) => `#/new/${encodeURIComponent(id)}`;

/**
 * @param {Engine} engine
 * @param {Folder} folder
 * @param {Begin} begin
 * @param {KeptFile[]} local files that are in the browser
 * @param {(path: string | null) => void} opened
 */
export function startPage(engine, folder, begin, local, opened) {
  const find = el("input", {
    type: "search",
    "aria-label": "Find suites",
    placeholder: "find",
    oninput: () => draw(),
  });
  const count = el("span", { class: "faint small", role: "status" });
  const body = el("tbody", {});
  const recordBody = el("tbody", {});
  const { paths, ids } = unsaved(folder.id);
  const changed = new Set(paths);
  const draw = () => {
    const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    const shown = folder.files.filter((file) =>
      words.every((word) => [file.path, file.name, ...file.tags].join(" ").toLowerCase().includes(word)),
    );
    fill(body, ...shown.map((file) => fileRow(file, changed.has(file.path))));
    fill(recordBody, ...folder.records.map(recordRow));
    count.textContent = find.value
      ? `${shown.length} of ${folder.files.length}`
      : counted(folder.files.length, "file");
  };
  draw();
  // Many files are checked bit by bit: the list comes first.
  const complete = async () => {
    if (!folder.pending || !body.isConnected) return;
    folder = await engine.folder();
    draw();
    setTimeout(() => void complete().catch(() => {}), 50);
  };
  setTimeout(() => void complete().catch(() => {}), 50);
  const words = /** @type {const} */ (["item", "condition", "region", "prediction"]);
  const heads = ["suite", "file", ...words.map((word) => [`${word}s`, what(word)]), "found", "tags"];
  return el(
    "div",
    { class: "start" },
    el("h1", { tabindex: "-1" }, inDocs("evalmark")),
    el("p", { class: "faint" }, engine.inBrowser ? "Write suites of test sentences and check them. Everything stays in this browser. Models run on your computer, with evalmark installed." : `Write suites of test sentences, check them, and run language models on them. The folder is ${folder.root}.`),
    introduction(!folder.files.length && !folder.runs.length && !folder.records.length),
    ...ids.map((id) => newSuiteNotice(folder.id, id)),
    problems(folder.problems),
    engine.inBrowser && localFiles(engine.inBrowser, local, listedIn(folder), { opened, begin }),
    el(
      "section",
      { "aria-labelledby": "suites-title" },
      headed("suites-title", "Suites", "suite"),
      folder.files.length
        ? el("div", { class: "row-of" }, find, count)
        : el("p", {}, ids.length ? "No suite is saved yet." : `${engine.inBrowser ? "No suite is open" : "This folder has no suite"} yet: open an example above, or begin one below.`),
      folder.files.length > 0 && framed("List of suites", heads, body),
    ),
    runs(folder.runs, !engine.inBrowser),
    records(folder.records.length, recordBody),
    newSuite(engine, begin),
  );
}

/** A new suite that is not saved. @param {string} root @param {string} id */
function newSuiteNotice(root, id) {
  const found = kept(root, newName(id));
  if (!found) return null;
  const name = String(found.data.meta?.name || "without a name");
  const when = new Date(found.when).toLocaleString("en-GB");
  const discarded = async () => {
    const text = `The new suite ${name} (${when}) is in this browser only. Nothing brings it back.`;
    if (!(await goesOn("Discard a new suite", [el("p", {}, text)], "Discard it", "unsafe"))) return;
    drop(root, newName(id));
    notice.remove();
  };
  const notice = el(
    "p",
    { class: "notice" },
    `The new suite ${name} is not saved (${when}). `,
    el("a", { href: newLink(id) }, "Continue with it"),
    " ",
    button("Discard", () => void discarded(), { class: "small", "aria-label": `Discard ${name}` }),
  );
  return notice;
}
/** The files that cannot be listed, and why. @param {import("./engine.js").Problem[]} all */
function problems(all) {
  if (!all.length) return null;
  const lines = all.map(({ path, message }) => el("li", {}, `${path}: `, ...withCode(message)));
  return el(
    "section",
    { class: "notice", "aria-labelledby": "problems-title" },
    el("h2", { id: "problems-title" }, "Not used"),
    el("ul", { class: "problems" }, ...lines),
  );
}

/** @param {Folder} folder */
const listedIn = ({ files, records }) => new Set([...files, ...records].map(({ path }) => path));

/** @param {ListedFile} file @param {boolean} isUnsaved */
function fileRow(file, isUnsaved) {
  const number = (/** @type {number | null} */ value) => el("td", { class: "number" }, value?.toLocaleString("en"));
  return el(
    "tr",
    {},
    el(
      "th",
      { scope: "row" },
      el("a", { href: fileLink(file.path) }, file.name || file.path),
      isUnsaved && el("span", { class: "badge" }, "unsaved edits"),
    ),
    el("td", {}, file.path, file.format !== "suite" && el("small", {}, ` ${file.format}`)),
    number(file.items),
    number(file.conditions),
    number(file.regions),
    number(file.predictions),
    found(file, file.format !== "suite" && !/\.[ct]sv$/i.test(file.path)),
    el("td", {}, file.tags.join(", ")),
  );
}

/**
 * The number of findings in a file, as its page says it.
 * @param {{errors: number | null, warnings: number | null}} file
 * @param {boolean} [isConverted] whether the page shows the suite that the file becomes
 */
function found({ errors, warnings }, isConverted = false) {
  const then = isConverted && el("small", {}, " once converted");
  if (errors === null) return el("td", {}, "…");
  if (errors) return el("td", { class: "bad" }, counted(errors, "error"), then);
  if (warnings) return el("td", {}, counted(warnings, "warning"), then);
  return el("td", { class: "good" }, "clean", then);
}

/** @param {import("./engine.js").ListedRecord} record */
const recordRow = (record) =>
  el(
    "tr",
    {},
    el("th", { scope: "row" }, el("a", { href: fileLink(record.path) }, record.path)),
    el("td", {}, record.model),
    el("td", { class: "number" }, String(record.results ?? "")),
    found(record),
  );

/** @param {number} count @param {HTMLElement} body */
function records(count, body) {
  if (!count) return null;
  const heads = ["record", "model", "results", "found"];
  return el(
    "section",
    {},
    el("details", {}, el("summary", {}, counted(count, "record")), framed("Records", heads, body)),
  );
}

/** @param {ListedRun[]} all @param {boolean} isComparing whether something can compare them */
function runs(all, isComparing) {
  if (!all.length) return null;
  /** @type {Set<string>} */
  const chosen = new Set();
  const compare = button("Compare", () => {
    const [a, b] = chosen;
    location.hash = `#/compare/${encodeURIComponent(a)}/${encodeURIComponent(b)}`;
  });
  const hint = el("span", { class: "faint small", role: "status" });
  const update = () => {
    compare.disabled = chosen.size !== 2;
    hint.textContent = chosen.size === 2 ? "" : "choose two runs to compare them";
  };
  update();
  const rows = all.map((run) => {
    const box = el("input", {
      type: "checkbox",
      "aria-label": `compare ${run.path}`,
      onchange: () => {
        if (box.checked) chosen.add(run.path);
        else chosen.delete(run.path);
        update();
      },
    });
    return el(
      "tr",
      {},
      isComparing && el("td", {}, box),
      el(
        "th",
        { scope: "row" },
        el("a", { href: `#/result/${encodeURIComponent(run.path)}` }, run.path),
      ),
      el("td", {}, run.model),
      el("td", {}, new Date(run.when).toLocaleString("en-GB")),
      el("td", { class: "number" }, run.of_pairs ? "pairs" : String(run.suites)),
      el("td", { class: "number" }, percent(run.accuracy)),
    );
  });
  const heads = [isComparing && el("td"), "run", "model", "when", "suites", "accuracy"].filter((head) => head !== false);
  return el(
    "section",
    { "aria-labelledby": "runs-title" },
    el("h2", { id: "runs-title" }, "Runs"),
    framed("List of runs", heads, el("tbody", {}, ...rows)),
    isComparing && el("div", { class: "row-of" }, compare, hint),
  );
}
