// Which page is shown: the folder, a suite, a result, or a comparison. The address says which.
import { announce, backLink, button, capital, el, fill, withCode } from "./dom.js";
import { Conflict } from "./conflict.js";
import { ask, difference, tell } from "./dialogs.js";
import { BrowserEngine } from "./browser/engine.js";
import { Loading } from "./browser/loading.js";
import { openDropped } from "./browser/local_files.js";
import { CARRIED, Connection, unpack } from "./connection.js";
import { idOf, suiteIn } from "./browser/shared_link.js";
import { EngineError, ServerEngine } from "./engine.js";
import { reportPage } from "./results_page.js";
import { fileLink, newLink, startPage } from "./start.js";
import { SuitePage } from "./suite_page.js";
import { exampleOf } from "./examples/example.js";
import { formatOf } from "./saving.js";
import { OpenSessions } from "./suite/open_sessions.js";
import { Session } from "./suite/state.js";
import { forget, isKeptElsewhere, kept, newName, take } from "./suite/storage.js";
import { obstacle } from "./suite/table.js";
import { isUnwritten } from "./suite/templates.js";
import { lookAtWindows } from "./suite/windows.js";
import { askColumns } from "./table_dialog.js";
import { TextPage } from "./text_page.js";
/** @import {OpenedFile, Pasted} from "./engine.js" */
/** @import {Suite} from "./suite/types.js" */
/** @import {Example} from "./examples/example.js" */
/** @import {Again} from "./table_dialog.js" */

/** `evalmark serve --static` writes which engine its page has. */
const isSite = document.querySelector('meta[name="evalmark-engine"][content="browser"]') !== null;
const engine = isSite ? new BrowserEngine() : new ServerEngine();
const main = /** @type {HTMLElement} */ (document.getElementById("main"));
/** @type {SuitePage | null} */
let page = null;
/** A file that is shown as text. @type {TextPage | null} */
let textPage = null;
let root = "";
/** The address of the example whose picture a site has. */
const FIRST = "#/new/example-agreement";
/** The joining rule of its settings. */
let join = "core";
/** The address of what is shown. */
let shown = "";
const sessions = new OpenSessions();
/** Which suite of its file is shown. @type {Record<string, string>} */
let chosen = {};

/** Show what the address says. */
async function show() {
  if (location.hash === shown && (page ?? textPage)) return;
  shown = location.hash;
  leave();
  const loading = new Loading();
  engine.onLoading = (...told) => loading.show(...told);
  // What a site shows of an example before it is loaded stays until the example is there.
  if (!main.querySelector(".picture") || shown !== FIRST) fill(main, loading.element);
  try {
    const [, what = "", ...rest] = partsOf(location.hash);
    const asked = shown;
    if (!root) ({ id: root, join } = await (what === "new" ? engine.settings(joined) : engine.folder()));
    await lookAtWindows();
    const content = await contentOf(what, rest);
    if (asked !== shown) return;
    fill(main, content);
    const suite = /** @type {SuitePage | null} */ (page);
    suite?.grid.refresh();
    // Typing goes where the frame is: into the table of a suite.
    if (document.querySelector("dialog[open]")) return;
    if (suite) suite.grid.focus();
    else {
      const heading = /** @type {HTMLElement | null} */ (main.querySelector(what === "new-suite" ? `#${what}` : "h1"));
      heading?.focus({ preventScroll: true });
      if (heading?.id) heading.scrollIntoView();
    }
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    fill(
      main,
      shown.length > 2 && backLink(),
      el("h1", { tabindex: "-1" }, "evalmark"),
      el("p", { class: "bad" }, error.message),
      button("Try again", () => void again()),
    );
  }
}

/** The joining rule is known after the page is shown. @param {string} rule */
function joined(rule) {
  join = rule;
  if (!page || page.grid.join === rule) return;
  page.grid.join = rule;
  page.grid.render();
}

/** The server answers again. */
function back() {
  if (page) page.findings.later();
  else if (textPage) void textPage.check();
  else void again();
}

/** @param {string} hash @returns {string[]} */
function partsOf(hash) {
  try {
    return hash.replace(/^#/, "").split("/").map(decodeURIComponent);
  } catch {
    throw new EngineError("this address is cut off, or changed", 0, null);
  }
}

function again() {
  shown = "-";
  return show();
}

/** @param {string} what @param {string[]} rest @returns {Promise<Node>} */
async function contentOf(what, rest) {
  if (what === CARRIED) {
    location.replace(await unpack(rest[0] ?? "", root));
    return el("p", {}, "");
  }
  if (what === "file") return suiteOf(rest.join("/"));
  if (what === "new") return newSuite(rest[0] ?? "");
  if (what === "suite") return named(rest.join("/"));
  if (what === "shared" && engine.inBrowser) return shared(engine.inBrowser, rest.join("/"));
  if (what === "result") return reportPage(engine, [rest.join("/")]);
  if (what === "compare") return reportPage(engine, rest);
  document.title = "evalmark";
  const files = (await engine.inBrowser?.files()) ?? [];
  return startPage(engine, await engine.folder(), begin, files, opened);
}

/** A suite by its name, its file, or that without its ending: such links are short. @param {string} name */
async function named(name) {
  const { files } = await engine.folder();
  const found = files.find((file) => [file.path, file.path.replace(/\.\w+$/, ""), file.name].includes(name));
  if (!found) throw new EngineError(`there is no suite ${name} here`, 404, null);
  location.replace(fileLink(found.path));
  return el("p", {}, "");
}

/** A new suite from a link that holds it. @param {BrowserEngine} site @param {string} part */
async function shared(site, part) {
  const id = idOf(part);
  if (!kept(root, newName(id)) && !sessions.take(newName(id), null)) {
    const { data, notes } = await suiteIn(site, part);
    const problem = obstacle(data);
    if (problem) throw new EngineError(`this link holds no suite: ${problem}`, 0, null);
    const session = new Session(data, { id });
    Object.assign(session, { saved: null, untouched: null });
    sessions.put(session);
    made.set(id, { notes });
  }
  location.replace(newLink(id));
  return el("p", {}, "");
}

/** Show what was opened from the disk; of several files, the list. @param {string | null} path */
function opened(path) {
  const link = path === null ? "#/" : fileLink(path);
  if (location.hash === link || (link === "#/" && !location.hash)) void again();
  else location.hash = link;
}

/** By the id of a new suite: what was said when it was made, and what shows the columns of its table. @type {Map<string, {notes: string[], again?: Again}>} */
const made = new Map();
/** New suites that another reading of their table replaces. @type {Set<string>} */
const replaced = new Set();

/** The notice of how a new suite was made, with the way back to the columns of a table. @param {string} id of the suite */
function origin(id) {
  const { notes = [], again } = made.get(id) ?? {};
  const back = () =>
    again?.((data, notes, next) => {
      replaced.add(id);
      begin(data, notes, next);
    });
  const columns = again && ["This suite is made of a table. ", button("Back to its columns", () => void back()), " "];
  const said = notes.map((note) => `${capital(note)}.`).join(" ");
  return (again || said) && el("p", { class: "notice" }, ...(columns ?? []), ...withCode(said));
}

/** Begin a new suite, at an address of its own. @param {Suite} data @param {string[]} notes @param {Again} [again] */
function begin(data, notes, again) {
  const session = new Session(data);
  made.set(session.id, { notes, again });
  session.saved = null;
  session.untouched = null;
  sessions.put(session);
  location.hash = newLink(session.id);
}

/** Keep the unsaved edits of what is shown. @returns {boolean} whether there was room */
function keepShown() {
  if (page?.editor.isOpen) page.editor.close(true);
  return (page?.saving ?? textPage)?.keep() ?? true;
}

/** Leave a suite: its unsaved edits stay in the browser. */
function leave() {
  textPage?.close();
  textPage = null;
  if (!page) return;
  if (page.editor.isOpen) page.editor.close(true);
  const { session } = page;
  // A template that nobody has written into is not worth keeping.
  const { example } = page;
  const isBegun = example ? !isSame(session.data, example.suite) : !isUnwritten(session.data);
  const isUnused = replaced.has(session.id) || !isBegun;
  const isEmpty = session.path === null && !session.done.length && isUnused;
  if (session.hasWork && !isEmpty) announce("unsaved edits are kept in this browser");
  page.close();
  if (isEmpty) forget(root, session.keptAs);
  sessions.put(session, chosen);
  page = null;
}

/** @param {Session} session @param {Record<string, string>} [choices] @param {Example | null} [example] */
function open(session, choices = {}, example = null) {
  chosen = choices;
  const moved = (/** @type {string} */ path) => {
    // The same suite under its new name: nothing is loaded.
    chosen = {};
    shown = fileLink(path);
    history.replaceState(null, "", shown);
  };
  page = new SuitePage(session, engine, { id: root, join, begin, moved }, example);
  // For tests and for people with a console: what is shown.
  Object.assign(main, { suitePage: page });
  return page.element;
}

/** @param {string} id @returns {Promise<Node>} */
async function newSuite(id) {
  const example = await exampleOf(id);
  const mine = take(root, newName(id)) ?? kept(root, newName(id));
  const before = sessions.take(newName(id), null);
  if (!before && !mine && !example) {
    location.hash = "#/";
    return el("p", {}, "");
  }
  const data = before?.committed ?? mine?.data ?? /** @type {Example} */ (example).suite;
  const session = before ?? new Session(data, { id });
  // An example that nobody has changed is not worth keeping; every other new suite is.
  if (!before) Object.assign(session, { saved: null, untouched: mine ? null : data });
  else if (mine && !isSame(mine.data, session.committed)) restore(session, mine);
  const element = open(session, {}, example);
  page?.saving.keep();
  element.prepend(origin(id) || "");
  return element;
}

/** @param {Suite} one @param {Suite} other */
const isSame = (one, other) => one === other || JSON.stringify(one) === JSON.stringify(other);

/** @param {string} path @param {Record<string, string>} [choices] @returns {Promise<Node>} */
async function suiteOf(path, choices = {}) {
  const file = await engine.file(path, choices);
  if (file.needs && file.choices) return choiceOf(path, file);
  const problem = file.refused ?? obstacle(file.data);
  if (problem) return textOf(file, problem, await columnsOf(file));
  const before = sessions.take(path, file, choices);
  const session = before ?? new Session(file.data, { path, digest: file.digest, format: formatOf(path) });
  if (isKeptElsewhere(root, path)) announce("another window has unsaved edits of this file");
  const mine = take(root, path) ?? sessions.work(path);
  if (file.converted && !before) {
    session.saved = null;
    void showConversion(file);
  }
  if (mine && !isSame(mine.data, session.committed)) {
    const wanted = mine.digest === file.digest ? mine.data : await wantedOf(path, file.data, mine.data);
    if (wanted) restore(session, { ...mine, data: wanted });
    else forget(root, path);
  }
  return open(session, choices);
}

/** @param {Session} session @param {{data: Suite, when: number}} mine */
function restore(session, mine) {
  session.apply("edits kept in this browser", () => mine.data);
  announce(
    `your unsaved edits of ${new Date(mine.when).toLocaleString("en-GB")} are here again; Undo shows the file`,
  );
}

/**
 * Ask about unsaved edits of a file that has changed since: the suite to show, or null to discard them.
 * @param {string} path @param {Suite} theirs @param {Suite} mine
 */
async function wantedOf(path, theirs, mine) {
  const conflict = Conflict.of(null, theirs, mine);
  const sentence = `This browser has unsaved edits of ${path}, and the file has changed on disk since. Undo switches between the two.`;
  const answer = await ask(
    "Unsaved edits",
    [el("p", {}, sentence), ...(conflict?.content ?? [])],
    [
      { value: "mine", text: "Show my edits", class: "main" },
      { value: "", text: "Discard my edits" },
    ],
    "mine",
  );
  return answer ? (conflict?.suite ?? mine) : null;
}

/** @param {OpenedFile} file */
async function showConversion(file) {
  const notes = file.notes.map((note) => el("li", {}, ...withCode(note)));
  const text = `${file.path} is in an older or another format (${file.format}). What you see is the current format; saving writes it.`;
  const changed = file.difference && difference(file.difference);
  await tell("Converted to the current format", text, notes.length > 0 && el("ul", {}, ...notes), changed);
}

/** @param {string} path @param {OpenedFile} file */
function choiceOf(path, file) {
  const needs = /** @type {string} */ (file.needs);
  const choices = /** @type {string[]} */ (file.choices);
  return el(
    "div",
    {},
    backLink(),
    el("h1", { tabindex: "-1" }, path),
    el("p", {}, file.refused ?? ""),
    el(
      "ul",
      { class: "choices" },
      ...choices.map((one) =>
        el(
          "li",
          {},
          button(one, async () => {
            fill(main, await suiteOf(path, { [needs]: one }));
            page?.grid.refresh();
          }),
        ),
      ),
    ),
  );
}

/** A function that asks for the columns of a table; null for other files. @param {OpenedFile} file */
async function columnsOf({ path, text }) {
  if (!/\.[ct]sv$/i.test(path)) return null;
  const source = { name: path, text };
  const { table } = await engine.convert(source, {}).catch(() => /** @type {Pasted} */ ({}));
  return table ? () => askColumns(engine, source, table, begin) : null;
}

/** @param {OpenedFile} file @param {string} problem @param {(() => Promise<void>) | null} make */
function textOf(file, problem, make) {
  const isSuite = file.kind === null || file.kind === "suite" || file.kind === "pairs";
  const current = (textPage = new TextPage(engine, root, file, isSuite ? problem : "", () => void again(), make));
  // It is an error of the file only if it does not become a suite.
  void (make?.() ?? Promise.resolve()).then(() => current.check());
  Object.assign(main, { textPage });
  return textPage.element;
}

addEventListener("hashchange", () => void show());
addEventListener("unhandledrejection", (event) => {
  void tell(
    "Something went wrong",
    `${event.reason?.message ?? event.reason}. Your edits are kept; please report this.`,
  );
});
if (engine.inBrowser) openDropped(engine.inBrowser, { opened, begin });
if (engine instanceof ServerEngine) new Connection(engine, { root: () => root, keep: keepShown, leave, back });
void show();
